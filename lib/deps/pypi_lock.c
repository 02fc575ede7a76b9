#include "deps/pypi.h"

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
		if (v && v->type == VAL_STR && reader_is(v->s, ".|./"))
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
	reader_rename(r, d, name, reader_part(r, url, name));
	reader_lock(d, version);
}

static struct err *pypi_lock_entry(struct reader *r, const struct val *package, struct dep *d)
{
	struct val *wheels;

	TRY(reader_member(r, package, "package", "wheels", VAL_LIST, &wheels));
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

TREE_READER(pypi_lock, toml, {"requires-python", .read = pypi_python},
	    {"metadata.python-versions", .read = pypi_python}, /* Poetry */
	    {"package[]", PYPI_LOCKED}, {"packages[]", PYPI_LOCKED})
