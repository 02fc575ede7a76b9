#include "deps/reader.h"

/*
 * GitHub: actions and reusable workflows that workflows and actions use, and their images. What
 * lies in the repository itself (./, $/) is a manifest of its own.
 */

/* Expressions, ${{ … }}, are computed when the workflow runs. */
static void workflow_image(struct reader *r, const struct val *v, struct str s)
{
	struct span at = reader_part_span(r, v, s);

	if (str_holds(s, "${{"))
		reader_add_unresolved(r, s, at, "an expression computes the image");
	else if (s.n)
		image_add_dependency(r, image_expand_variables(r, s, 0, NULL, NULL), at);
}

/* OWNER/NAME[/PATH]@REF */
static struct err *workflow_uses(struct reader *r, const struct val *v)
{
	struct str s, name, ref;
	size_t at, slash;
	struct dep *d;

	TRY(reader_require_type(r, v, VAL_STR, "uses"));
	s = str_trim(v->s);
	if (reader_starts_with_any_of(s, "./|../|$/"))
		return NULL;
	if (str_starts(s, STR("docker://"))) {
		workflow_image(r, v, str_sub(s, 9, s.n));
		return NULL;
	}
	/* The part of the address behind the host: github.com/owner/name. */
	at = str_find(s, STR("://"), 0);
	if (at != SIZE_MAX)
		s = reader_skip_prefix(str_sub(s, at + 3, s.n), "github.com/");
	reader_split_at(s, '@', size_min(str_rfind_char(s, '@'), s.n), &name, &ref);
	/* A host before the owner has a dot; owners have none. */
	slash = str_find_char(name, '/', 0);
	if (slash != SIZE_MAX && str_find_char(str_sub(name, 0, slash), '.', 0) != SIZE_MAX)
		slash = str_find_char(name, '/', slash + 1);
	if (slash == SIZE_MAX || !slash || slash + 1 == name.n || str_holds(name, "$"))
		return reader_add_unresolved(r, v->s, v->at, "it is no action: OWNER/NAME@VERSION");
	slash = str_find_char(name, '/', slash + 1);
	r->ecosystem = DEPS_GITHUB;
	d = reader_add_dep(r, str_sub(name, 0, slash),
			   reader_part_span(r, v, str_sub(name, 0, slash)));
	d->reach = DEPS_DIRECT;
	if (slash != SIZE_MAX)
		d->written = name;
	/* A commit is no version. */
	for (at = 0;
	     at < ref.n && (ascii_is_digit(ref.p[at]) || (ref.p[at] >= 'a' && ref.p[at] <= 'f'));)
		at++;
	if (at < ref.n || (at != 40 && at != 64))
		d->version = ref;
	return NULL;
}

/* container: and the members of services: are a name or {image: …}. */
static struct err *workflow_container(struct reader *r, const struct val *v)
{
	const struct val *image = v->type == VAL_MAP ? val_get(v, "image") : v;

	if (!image || image->type == VAL_NULL)
		return NULL;
	TRY(reader_require_type(r, image, VAL_STR, "image"));
	workflow_image(r, image, reader_skip_prefix(image->s, "docker://"));
	return NULL;
}

static struct err *workflow_services(struct reader *r, const struct val *v)
{
	VAL_EACH(v->type == VAL_MAP ? v : NULL, service)
		TRY(workflow_container(r, service));
	return NULL;
}

TREE_TABLE(workflow_job, {"uses", .read = workflow_uses}, {"container", .read = workflow_container},
	   {"services", .read = workflow_services}, {"steps[].uses", .read = workflow_uses})

TREE_READER(github_workflow, yaml, {"jobs{}", .read = workflow_job})

/* Any other value is a Dockerfile of the action. */
static struct err *workflow_run(struct reader *r, const struct val *v)
{
	if (v->type == VAL_STR && str_starts(v->s, STR("docker://")))
		workflow_image(r, v, str_sub(v->s, 9, v->s.n));
	return NULL;
}

TREE_READER(github_action, yaml, {"runs.steps[].uses", .read = workflow_uses},
	    {"runs.image", .read = workflow_run})
