#include "deps/pypi.h"

/* Pipfile and Pipfile.lock of Pipenv. Any table of a Pipfile may be a category of packages. */

static bool pipenv_is_setting(struct str table)
{
	static const char *const settings[] = {"source", "requires", "scripts", "pipenv",
					       "pipfile"};

	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (str_is(table, settings[i]))
			return true;
	return false;
}

/* NAME = "==1.0", or a table. pip refuses a package of another name behind an address. */
static struct err *pipenv_add(struct reader *r, const struct val *v, const char *in)
{
	struct val *version = NULL, *path = NULL;
	struct dep *d;

	if (v->type != VAL_STR) {
		TRY(reader_want(r, v, VAL_MAP, "%s.%.*s", in, STR_ARG(v->key)));
		TRY(reader_member(r, v, in, "version", VAL_STR, &version));
		TRY(reader_member(r, v, in, "path", VAL_STR, &path));
	}
	if (path && str_is(path->s, "."))
		return NULL; /* the project itself */
	d = reader_add(r, v->key, reader_key_span(r, v));
	d->reach = DEPS_DIRECT;
	d->version = v->type == VAL_STR ? v->s : version ? version->s : (struct str){"", 0};
	if (str_is(d->version, "*"))
		d->version = STR("");
	return NULL;
}

/* [requires]: python_version = "3.11" is each 3.11, python_full_version = "3.11.4" is that one. */
static void pipenv_python(struct reader *r, const struct val *v)
{
	struct str version = v->s;

	if (v->type != VAL_STR ||
	    (!str_is(v->key, "python_version") && !str_is(v->key, "python_full_version")))
		return;
	if (str_is(v->key, "python_version"))
		version = str_fmt(r->a, "==%.*s.*", STR_ARG(version));
	reader_runtime(r, STR("python"), v->key, version, reader_key_span(r, v))->locked =
		version.p == v->s.p;
}

struct err *pipenv_manifest(struct reader *r)
{
	struct val *top;

	TRY(reader_toml(r, &top));
	VAL_EACH(top, table) {
		char *in = str_c(r->a, table->key);

		if (str_is(table->key, "requires") && table->type == VAL_MAP)
			VAL_EACH(table, v)
				pipenv_python(r, v);
		if (pipenv_is_setting(table->key))
			continue;
		TRY(reader_want(r, table, VAL_MAP, "%s", in));
		VAL_EACH(table, v)
			TRY(pipenv_add(r, v, in));
	}
	return NULL;
}

struct err *pipenv_lock(struct reader *r)
{
	struct val *top;

	TRY(reader_json(r, &top));
	VAL_EACH(top, category) {
		char *in = str_c(r->a, category->key);

		if (str_is(category->key, "_meta"))
			continue;
		TRY(reader_want(r, category, VAL_MAP, "%s", in));
		VAL_EACH(category, v) {
			struct val *version;
			struct dep *d;

			TRY(reader_want(r, v, VAL_MAP, "%s.%.*s", in, STR_ARG(v->key)));
			TRY(reader_member(r, v, in, "version", VAL_STR, &version));
			if (str_is(val_get_str(v, "path"), "."))
				continue;
			d = reader_add(r, v->key, reader_key_span(r, v));
			if (version && str_starts(version->s, STR("=="))) {
				d->version = str_sub(version->s, 2, version->s.n);
				d->locked = true;
			}
		}
	}
	return NULL;
}
