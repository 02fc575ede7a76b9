#include "deps/reader.h"

/*
 * Pipfile and Pipfile.lock of Pipenv. Any table of a Pipfile may be a category of packages. pip
 * refuses a package of another name behind an address.
 */

/* [requires]: python_version = "3.11" is each 3.11, python_full_version = "3.11.4" is that one. */
static struct err *pipenv_requires(struct reader *r, const struct val *v)
{
	VAL_EACH(v->type == VAL_MAP ? v : NULL, m) {
		bool any = str_is(m->key, "python_version");
		struct str version = m->s;

		if (m->type != VAL_STR || (!any && !str_is(m->key, "python_full_version")))
			continue;
		if (any)
			version = str_fmt(r->a, "==%.*s.*", STR_ARG(version));
		reader_runtime(r, STR("python"), m->key, version, reader_key_span(r, m))->locked =
			!any;
	}
	return NULL;
}

static struct err *pipenv_category(struct reader *r, const struct val *v)
{
	static const struct tree_row row = {"{}", .version = "version", .any = "*", .own = "path=.",
					    .is = TREE_DIRECT | TREE_TEXT};
	if (str_is(v->key, "requires"))
		return pipenv_requires(r, v);
	if (reader_is(v->key, "source|scripts|pipenv|pipfile"))
		return NULL;
	TRY(tree_want(r, v, VAL_MAP));
	return tree_rows(r, v, &row, 1);
}

TREE_READER(pipenv_manifest, toml, {"{}", .read = pipenv_category})

static struct err *pipenv_exact(struct reader *r, const struct val *v, struct dep *d)
{
	(void)r;
	(void)v;
	reader_lock(d, str_starts(d->version, STR("==")) ? str_sub(d->version, 2, d->version.n)
							 : STR(""));
	return NULL;
}

static struct err *pipenv_locked(struct reader *r, const struct val *v)
{
	static const struct tree_row row = {"{}", .version = "version", .own = "path=.",
					    .each = pipenv_exact};

	if (str_is(v->key, "_meta"))
		return NULL;
	TRY(tree_want(r, v, VAL_MAP));
	return tree_rows(r, v, &row, 1);
}

TREE_READER(pipenv_lock, json, {"{}", .read = pipenv_locked})
