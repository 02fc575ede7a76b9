#include "deps/pypi_requirement.h"

/*
 * poetry.lock, uv.lock, pdm.lock ("package") and pylock.toml of PEP 751 ("packages"): the installed
 * packages with their versions. The folder "." is the project itself. An entry from
 * Git has its own name, as in a manifest: the tools refuse a package of another name.
 */

static bool pypi_lock_is_project(struct reader *r, const struct val *package)
{
	const struct val *source = val_get(package, "source");
	const struct val *in = source && source->type == VAL_MAP ? source : package;
	/* Keys of the source in uv, and of packages in pdm and PEP 751. */
	static const char *const folders[] = {"editable", "virtual", "directory", "path"};

	(void)r;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		const struct val *v = val_get(in, folders[i]);

		if (v && v->type == VAL_MAP)
			v = val_get(v, "path");
		if (v && v->type == VAL_STR && reader_is_any_of_words(v->s, ".|./"))
			return true;
	}
	return false;
}

/* The name in the address of an archive takes precedence over the entry's name. */
static void pypi_lock_name_of_archive(struct reader *r, const struct val *archive, struct dep *d)
{
	const struct val *url = reader_get_str(archive, "url");
	struct str name, version;

	if (d->written.n || !url || !url_pypi_file(url->s, &name, &version) ||
	    str_eq(deps_normal(r->a, DEPS_PYPI, name), d->normal))
		return;
	reader_set_real_name(r, d, name, reader_part_span(r, url, name));
	reader_set_locked_version(d, version);
}

static struct err *pypi_lock_entry(struct reader *r, const struct val *package, struct dep *d)
{
	struct val *wheels;

	TRY(reader_get_member(r, package, "package", "wheels", VAL_LIST, &wheels));
	pypi_lock_name_of_archive(r, val_get(package, "source"), d);
	pypi_lock_name_of_archive(r, val_get(package, "archive"), d);
	pypi_lock_name_of_archive(r, val_get(package, "sdist"), d);
	VAL_EACH(wheels, w)
		pypi_lock_name_of_archive(r, w, d);
	return NULL;
}

#define PYPI_LOCKED                                                                                \
	.name = "name", .version = "version", .is = TREE_LOCKED, .skip = pypi_lock_is_project,     \
	.each = pypi_lock_entry

TREE_READER(pypi_lock, toml, {"requires-python", .runtime = "python"},
	    {"metadata.python-versions", .runtime = "python"}, /* Poetry */
	    {"package[]", PYPI_LOCKED}, {"packages[]", PYPI_LOCKED})

/*
 * Pipfile and Pipfile.lock of Pipenv. Any table of a Pipfile may be a category of packages. pip
 * refuses a package of another name behind an address.
 */

static struct err *pipenv_category(struct reader *r, const struct val *v)
{
	static const struct tree_row row = {"{}", .version = "version", .any = "*", .own = "path=.",
					    .is = TREE_DIRECT | TREE_TEXT};
	if (str_is(v->key, "requires")) {
		/* [requires]: python_version = "3.11" is each 3.11, python_full_version = "3.11.4"
		 * is that one. */
		VAL_EACH(v->type == VAL_MAP ? v : NULL, m) {
			bool any = str_is(m->key, "python_version");
			struct str version = m->s;

			if (m->type != VAL_STR || (!any && !str_is(m->key, "python_full_version")))
				continue;
			if (any)
				version = str_fmt(r->a, "==%.*s.*", STR_ARG(version));
			reader_add_runtime(r, STR("python"), m->key, version, reader_key_span(r, m))
				->locked = !any;
		}
		return NULL;
	}
	if (reader_is_any_of_words(v->key, "source|scripts|pipenv|pipfile"))
		return NULL;
	return reader_read_deps_by_table(r, v, &row, 1);
}

TREE_READER(pipenv_manifest, toml, {"{}", .read = pipenv_category})

static struct err *pipenv_exact(struct reader *r, const struct val *v, struct dep *d)
{
	(void)r;
	(void)v;
	reader_set_locked_version(d, str_starts(d->version, STR("=="))
					     ? str_sub(d->version, 2, d->version.n)
					     : STR(""));
	return NULL;
}

static struct err *pipenv_locked(struct reader *r, const struct val *v)
{
	static const struct tree_row row = {"{}", .version = "version", .own = "path=.",
					    .each = pipenv_exact};

	if (str_is(v->key, "_meta"))
		return NULL;
	return reader_read_deps_by_table(r, v, &row, 1);
}

TREE_READER(pipenv_lock, json, {"{}", .read = pipenv_locked})
