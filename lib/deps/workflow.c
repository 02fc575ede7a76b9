#include "deps/image.h"

/*
 * GitHub: actions and reusable workflows that workflows and actions use, and their images. What
 * lies in the repository itself (./) is a manifest of its own.
 */

static bool workflow_value(void *ctx, struct str name, struct str *value)
{
	(void)ctx;
	(void)name;
	(void)value;
	return false;
}

static bool workflow_is_commit(struct str ref)
{
	if (ref.n != 40 && ref.n != 64)
		return false;
	for (size_t i = 0; i < ref.n; i++)
		if (!ascii_is_digit(ref.p[i]) && (ref.p[i] < 'a' || ref.p[i] > 'f'))
			return false;
	return true;
}

/* Expressions, ${{ … }}, are computed when the workflow runs. */
static void workflow_image(struct reader *r, const struct val *v, struct str s)
{
	struct span at = reader_span(r, v->at, v->s, s);

	if (str_find(s, STR("${{"), 0) != SIZE_MAX)
		reader_unresolved(r, s, at, "an expression computes the image");
	else if (s.n)
		image_add(r, image_expand(r, s, 0, workflow_value, NULL), at);
}

/* The part of the address behind the host: github.com/owner/name. */
static struct str workflow_bare(struct str s)
{
	size_t scheme = str_find(s, STR("://"), 0);

	if (scheme == SIZE_MAX)
		return s;
	s = str_sub(s, scheme + 3, s.n);
	return str_starts(s, STR("github.com/")) ? str_sub(s, 11, s.n) : s;
}

/* OWNER/NAME[/PATH]@REF */
static struct err *workflow_uses(struct reader *r, const struct val *v)
{
	struct str s, name, ref;
	size_t at, slash;
	struct dep *d;

	TRY(reader_want(r, v, VAL_STR, "uses"));
	s = str_trim(v->s);
	if (str_starts(s, STR("./")) || str_starts(s, STR("../")))
		return NULL;
	if (str_starts(s, STR("docker://"))) {
		workflow_image(r, v, str_sub(s, 9, s.n));
		return NULL;
	}
	s = workflow_bare(s);
	at = str_rfind_char(s, '@');
	name = str_sub(s, 0, at);
	ref = at == SIZE_MAX ? STR("") : str_sub(s, at + 1, s.n);
	/* A host before the owner has a dot; owners have none. */
	slash = str_find_char(name, '/', 0);
	if (slash != SIZE_MAX && str_find_char(str_sub(name, 0, slash), '.', 0) != SIZE_MAX)
		slash = str_find_char(name, '/', slash + 1);
	if (slash == SIZE_MAX || !slash || slash + 1 == name.n ||
	    str_find_char(name, '$', 0) != SIZE_MAX) {
		reader_unresolved(r, v->s, v->at, "it is no action: OWNER/NAME@VERSION");
		return NULL;
	}
	slash = str_find_char(name, '/', slash + 1);
	r->ecosystem = DEPS_GITHUB;
	d = reader_add(r, str_sub(name, 0, slash),
		       reader_span(r, v->at, v->s, str_sub(name, 0, slash)));
	d->reach = DEPS_DIRECT;
	if (slash != SIZE_MAX)
		d->written = name;
	if (!workflow_is_commit(ref))
		d->version = ref;
	return NULL;
}

/* container: and the members of services: are a name or {image: …}. */
static struct err *workflow_container(struct reader *r, const struct val *v)
{
	const struct val *image = v->type == VAL_MAP ? val_get(v, "image") : v;

	if (!image || image->type == VAL_NULL)
		return NULL;
	TRY(reader_want(r, image, VAL_STR, "image"));
	workflow_image(
		r, image,
		str_sub(image->s, str_starts(image->s, STR("docker://")) ? 9 : 0, image->s.n));
	return NULL;
}

static struct err *workflow_services(struct reader *r, const struct val *v)
{
	VAL_EACH(v->type == VAL_MAP ? v : NULL, service)
		TRY(workflow_container(r, service));
	return NULL;
}

static struct err *workflow_job(struct reader *r, const struct val *v)
{
	static const struct tree_row rows[] = {{"uses", .read = workflow_uses},
					       {"container", .read = workflow_container},
					       {"services", .read = workflow_services},
					       {"steps[].uses", .read = workflow_uses}};

	TRY(tree_want(r, v, VAL_MAP));
	return tree_rows(r, v, rows, ARRAY_SIZE(rows));
}

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
