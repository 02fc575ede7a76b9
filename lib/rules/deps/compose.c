#include "deps/reader.h"
#include "keyval/keyval.h"

static void compose_variable(void *ctx, const struct keyval *k)
{
	struct reader *r = ctx;
	struct str line = str_dup(r->a, k->line);

	name_map_put(r->a, &r->shared, str_sub(line, 0, k->key),
		     val_str(r->a, str_sub(line, k->key + 1, line.n)));
}

static struct err *compose_env(struct reader *r, const struct val *top)
{
	struct str path, text;
	bool found = false;

	(void)top;
	if (str_find_char(r->text, '$', 0) == SIZE_MAX ||
	    !reader_resolve_path(r, STR(".env"), &path))
		return NULL;
	TRY(reader_read_other_file(r, path, &text, &found));
	/* Compose refuses a file that does not parse; then the defaults count. */
	if (found && keyval_read(r->a, STR(".env"), text, compose_variable, r))
		r->shared = (struct names){0};
	return NULL;
}

static bool compose_value(void *ctx, struct str name, struct str *value)
{
	const struct val *v = name_map_get(&((const struct reader *)ctx)->shared, name);

	*value = v ? v->s : STR("");
	return v;
}

static void compose_image(struct reader *r, struct str s, struct span at)
{
	image_add_dependency(r, image_expand_variables(r, s, '$', compose_value, r), at);
}

ORDER_OF(compose_cmp, struct dep, ORDER_UP(at.from) || ORDER_STR(name))

/* A member of the map, also when "<<" merges it from another map. */
static const struct val *compose_get(const struct val *map, const char *key, unsigned depth)
{
	const struct val *found = val_get(map, key), *merge = val_get(map, "<<");

	if (found || !merge || depth > 16)
		return found;
	if (merge->type == VAL_MAP)
		return compose_get(merge, key, depth + 1);
	VAL_EACH(merge->type == VAL_LIST ? merge : NULL, m)
		if ((found = compose_get(m, key, depth + 1)))
			return found;
	return NULL;
}

static struct err *compose_string(struct reader *r, const struct val *v, const char *what)
{
	if (!v || v->type == VAL_NULL)
		return NULL;
	TRY(reader_require_type(r, v, VAL_STR, "%s", what));
	compose_image(r, v->s, reader_val_span(r, v));
	return NULL;
}

/*
 * Another file, in that folder: read under its own name, or as a Dockerfile of any name. What such
 * a one lists, is listed here, where the file names it.
 */
static struct err *compose_file(struct reader *r, struct str folder, const struct val *v,
				bool dockerfile)
{
	struct str expanded, path = {"", 0}, text;
	bool known = false, found = false;
	struct deps in = {0};

	if (v->type != VAL_STR)
		return NULL;
	expanded = image_expand_variables(r, v->s, '$', compose_value, r);
	if (str_find_char(expanded, IMAGE_UNKNOWN, 0) == SIZE_MAX && !url_has_scheme(expanded) &&
	    reader_resolve_path(r, reader_join_path(r, folder, str_c(r->a, expanded)), &path)) {
		TRY(reader_has_file(r, path, &known, &found));
		if (deps_is_manifest(path) && (found || !known))
			return NULL;
	}
	if (!found || !dockerfile)
		return reader_add_unresolved(
			r, v->s, reader_val_span(r, v),
			"it is no file of the repository that ikm reads as a %s",
			dockerfile ? "Dockerfile" : "Compose file");
	TRY(reader_read_other_file(r, path, &text, &found));
	if (!found)
		return NULL;
	TRY(deps_read(r->a, deps_path_to_read_included_as(r->a, r->path, path), text, r->files,
		      &in));
	for (size_t i = 0; i < in.n; i++) {
		*VEC_PUSH(r->a, r->out) = in.p[i];
		r->out->p[r->out->n - 1].at = reader_val_span(r, v);
	}
	for (size_t i = 0; i < in.unresolved.n; i++)
		reader_add_unresolved(r, in.unresolved.p[i].name, reader_val_span(r, v), "%.*s",
				      STR_ARG(in.unresolved.p[i].reason));
	strs_push(r->a, &r->out->includes, path);
	return NULL;
}

static struct err *compose_service(struct reader *r, const struct val *v)
{
	const struct val *build = compose_get(v, "build", 0), *inlined, *file, *context;
	struct str folder;
	size_t at;

	if (v->type == VAL_NULL)
		return NULL;
	TRY(reader_require_entry_type(r, v, VAL_MAP));
	TRY(compose_string(r, compose_get(v, "image", 0), "image"));
	VAL_EACH(compose_get(v, "volumes", 0), volume)
		if (str_is(val_get_str(volume, "type"), "image"))
			TRY(compose_string(r, compose_get(volume, "source", 0), "source"));
	file = compose_get(compose_get(v, "extends", 0), "file", 0);
	if (file)
		TRY(compose_file(r, STR(""), file, false));
	if (!build || build->type != VAL_MAP)
		return NULL;
	/* A map, or a list of NAME=VALUE. */
	VAL_EACH(compose_get(build, "additional_contexts", 0), c) {
		at = c->type == VAL_STR ? str_find(c->s, STR("docker-image://"), 0) : SIZE_MAX;
		if (at != SIZE_MAX)
			compose_image(r, str_sub(c->s, at + 15, c->s.n),
				      reader_part_span(r, c, str_sub(c->s, at + 15, c->s.n)));
	}
	/* A context of another place brings its own Dockerfile. */
	file = compose_get(build, "dockerfile", 0);
	context = compose_get(build, "context", 0);
	folder = context && context->type == VAL_STR
			 ? image_expand_variables(r, context->s, '$', compose_value, r)
			 : STR(".");
	if (file && !url_has_scheme(folder) && !url_is_scp(folder))
		TRY(compose_file(r, folder, file, true));
	inlined = compose_get(build, "dockerfile_inline", 0);
	if (!inlined || inlined->type != VAL_STR)
		return NULL;
	/* Lines of a block stand in the file as they are, but for their indentation. */
	at = str_find_char(str_sub(r->text, inlined->at.from, inlined->at.to), '\n', 0);
	if (at != SIZE_MAX && r->text.p[inlined->at.from] == '|')
		return docker_add_images(r,
					 (struct span){inlined->at.from + at + 1, inlined->at.to});
	return reader_add_unresolved(r, STR("dockerfile_inline"), inlined->at,
				     "ikm reads a Dockerfile in a block of YAML (|) only");
}

static struct err *compose_model(struct reader *r, const struct val *v)
{
	return compose_string(r, compose_get(v, "model", 0), "model");
}

static struct err *compose_include(struct reader *r, const struct val *v)
{
	const struct val *path = v->type == VAL_MAP ? val_get(v, "path") : v;

	if (!path || path->type != VAL_LIST)
		return path ? compose_file(r, STR(""), path, false) : NULL;
	VAL_EACH(path, one)
		TRY(compose_file(r, STR(""), one, false));
	return NULL;
}

static TREE_READER(compose_files, yaml, {"", .read = compose_env},
		   {"services{}", .read = compose_service}, {"models{}", .read = compose_model},
		   {"include[]", .read = compose_include})

	struct err *compose_manifest(struct reader *r)
{
	struct deps *d = r->out;
	size_t n = 0;

	TRY(compose_files(r));
	/* An anchor brings the same text into several services. */
	VEC_SORT(d, compose_cmp);
	for (size_t i = 0; i < d->n; i++)
		if (!n || compose_cmp(&d->p[n - 1], &d->p[i]) != 0)
			d->p[n++] = d->p[i];
	d->n = n;
	return NULL;
}
