#include "deps/image.h"
#include "keyval/keyval.h"

/*
 * Compose files: images of services, their volumes and build contexts; models. Variables have the
 * values of the file .env beside, or their defaults. Files that extends and include name are
 * manifests of their own.
 */

/* The variables of .env, sorted. Of one that is given twice the last one counts, and comes last. */
struct reader_env {
	struct compose_variable {
		struct str name, value;
		size_t order;
	} * p;
	size_t n, cap;
	struct arena *a;
};

static void compose_env_line(void *ctx, const struct keyval *k)
{
	struct reader_env *env = ctx;
	size_t n = env->n;

	*VEC_PUSH(env->a, env) = (struct compose_variable){
		str_dup(env->a, str_sub(k->line, 0, k->key)),
		str_dup(env->a, str_sub(k->line, k->key + 1, k->line.n)), n};
}

static int compose_env_cmp(const void *a, const void *b)
{
	const struct compose_variable *x = a, *y = b;
	int c = str_cmp(x->name, y->name);

	return c ? c : (x->order > y->order) - (x->order < y->order);
}

static struct err *compose_env(struct reader *r, const struct val *top)
{
	struct str path, text;
	bool found = false;

	(void)top;
	if (str_find_char(r->text, '$', 0) == SIZE_MAX || !reader_beside(r, STR(".env"), &path))
		return NULL;
	TRY(reader_file(r, path, &text, &found));
	if (!found)
		return NULL;
	r->env = ARENA_NEW(r->a, struct reader_env);
	r->env->a = r->a;
	/* Compose refuses a file that does not parse; then the defaults count. */
	if (keyval_read(r->a, STR(".env"), text, compose_env_line, r->env))
		r->env->n = 0;
	if (r->env->n)
		qsort(r->env->p, r->env->n, sizeof(*r->env->p), compose_env_cmp);
	return NULL;
}

static bool compose_value(void *ctx, struct str name, struct str *value)
{
	const struct reader_env *env = ((const struct reader *)ctx)->env;
	size_t lo = 0, hi = env ? env->n : 0;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (str_cmp(env->p[mid].name, name) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || !str_eq(env->p[lo - 1].name, name))
		return false;
	*value = env->p[lo - 1].value;
	return true;
}

static void compose_image(struct reader *r, struct str s, struct span at)
{
	image_add(r, image_expand(r, s, '$', compose_value, r), at);
}

static int compose_cmp(const void *a, const void *b)
{
	const struct dep *x = a, *y = b;
	int c = (x->at.from > y->at.from) - (x->at.from < y->at.from);

	return c ? c : str_cmp(x->name, y->name);
}

/* An anchor brings the same text into several services. */
static void compose_settle(struct deps *d)
{
	size_t n = 0;

	if (d->n)
		qsort(d->p, d->n, sizeof(*d->p), compose_cmp);
	for (size_t i = 0; i < d->n; i++)
		if (!n || compose_cmp(&d->p[n - 1], &d->p[i]) != 0)
			d->p[n++] = d->p[i];
	d->n = n;
}

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
	TRY(reader_want(r, v, VAL_STR, "%s", what));
	compose_image(r, v->s, reader_span(r, v->at, v->s, v->s));
	return NULL;
}

/* Another Compose file: known when ikm reads it under its own name. */
static struct err *compose_file(struct reader *r, const struct val *v)
{
	bool known = false, found = false;
	struct str path;

	if (v->type != VAL_STR)
		return NULL;
	if (str_find_char(v->s, '$', 0) == SIZE_MAX && !url_has_scheme(v->s) &&
	    reader_beside(r, v->s, &path) && deps_is_manifest(path)) {
		TRY(reader_has(r, path, &known, &found));
		if (found || !known)
			return NULL;
	}
	reader_unresolved(r, v->s, reader_span(r, v->at, v->s, v->s),
			  "it is no file of the repository that ikm reads as a Compose file");
	return NULL;
}

/* build.additional_contexts: a map, or a list of NAME=VALUE. */
static void compose_contexts(struct reader *r, const struct val *contexts)
{
	VAL_EACH(contexts, v) {
		struct str s = v->type == VAL_STR ? v->s : STR("");
		size_t at = str_find(s, STR("docker-image://"), 0);

		if (at == SIZE_MAX)
			continue;
		s = str_sub(s, at + 15, s.n);
		compose_image(r, s, reader_span(r, v->at, v->s, s));
	}
}

/* Lines of a block stand in the file as they are, but for their indentation. */
static struct err *compose_inline(struct reader *r, const struct val *v)
{
	size_t line = str_find_char(str_sub(r->text, v->at.from, v->at.to), '\n', 0);

	if (line != SIZE_MAX && r->text.p[v->at.from] == '|')
		return docker_text(r, (struct span){v->at.from + line + 1, v->at.to});
	reader_unresolved(r, STR("dockerfile_inline"), v->at,
			  "ikm reads a Dockerfile in a block of YAML (|) only");
	return NULL;
}

static struct err *compose_service(struct reader *r, const struct val *v)
{
	const struct val *build = compose_get(v, "build", 0), *inlined, *file;

	if (v->type == VAL_NULL)
		return NULL;
	TRY(tree_want(r, v, VAL_MAP));
	TRY(compose_string(r, compose_get(v, "image", 0), "image"));
	VAL_EACH(compose_get(v, "volumes", 0), volume)
		if (str_is(val_get_str(volume, "type"), "image"))
			TRY(compose_string(r, compose_get(volume, "source", 0), "source"));
	file = compose_get(compose_get(v, "extends", 0), "file", 0);
	if (file)
		TRY(compose_file(r, file));
	if (!build || build->type != VAL_MAP)
		return NULL;
	compose_contexts(r, compose_get(build, "additional_contexts", 0));
	inlined = compose_get(build, "dockerfile_inline", 0);
	return inlined && inlined->type == VAL_STR ? compose_inline(r, inlined) : NULL;
}

static struct err *compose_model(struct reader *r, const struct val *v)
{
	return compose_string(r, compose_get(v, "model", 0), "model");
}

static struct err *compose_include(struct reader *r, const struct val *v)
{
	const struct val *path = v->type == VAL_MAP ? val_get(v, "path") : v;

	if (!path || path->type != VAL_LIST)
		return path ? compose_file(r, path) : NULL;
	VAL_EACH(path, one)
		TRY(compose_file(r, one));
	return NULL;
}

static TREE_READER(compose_files, yaml, {"", .read = compose_env},
		   {"services{}", .read = compose_service}, {"models{}", .read = compose_model},
		   {"include[]", .read = compose_include})

	struct err *compose_manifest(struct reader *r)
{
	TRY(compose_files(r));
	compose_settle(r->out);
	return NULL;
}
