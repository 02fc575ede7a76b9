#include "deps/pypi.h"

/*
 * poetry.lock, uv.lock, pdm.lock ("package") and pylock.toml of PEP 751 ("packages"): the installed
 * packages with their versions. The folder "." is the project itself.
 */

/* Keys of the source in uv, and of packages in pdm and PEP 751. */
static const char *const folders[] = {"editable", "virtual", "directory", "path"};

static bool is_project(const struct val *package)
{
	const struct val *source = val_get(package, "source");
	const struct val *in = source && source->type == VAL_MAP ? source : package;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		const struct val *v = val_get(in, folders[i]);

		if (v && v->type == VAL_MAP)
			v = val_get(v, "path");
		if (v && v->type == VAL_STR && (str_is(v->s, ".") || str_is(v->s, "./")))
			return true;
	}
	return false;
}

/* The name in the address of an archive takes precedence over the entry's name. */
static void pypi_lock_name_of_archive(struct reader *r, const struct val *archive, struct dep *d)
{
	const struct val *url =
		archive && archive->type == VAL_MAP ? val_get(archive, "url") : NULL;
	struct str name, version;

	if (d->written.n || !url || url->type != VAL_STR ||
	    !url_pypi_file(url->s, &name, &version) ||
	    str_eq(deps_normal(r->a, DEPS_PYPI, name), d->normal))
		return;
	d->written = d->name;
	d->name = name;
	d->normal = deps_normal(r->a, DEPS_PYPI, name);
	d->version = version;
	d->locked = true;
	d->at = reader_span(r, url->at, url->s, name);
}

/*
 * The name of a repository may differ from the package's: then both are listed, and the entry is
 * unresolved.
 */
static void read_repository(struct reader *r, const struct val *package, struct dep d)
{
	const struct val *source = val_get(package, "source"), *url = val_get(package, "git");
	struct str repo;
	struct dep *other;

	if (!url)
		url = val_get(val_get(package, "vcs"), "url");
	if (!url)
		url = val_get(source, "git");
	if (!url && str_is(val_get_str(source, "type"), "git"))
		url = val_get(source, "url");
	if (!url || url->type != VAL_STR)
		return;
	repo = url_repo(url->s);
	if (!repo.n || str_eq(deps_normal(r->a, DEPS_PYPI, repo), d.normal))
		return;
	other = reader_add(r, repo, reader_span(r, url->at, url->s, repo));
	other->written = d.name;
	reader_unresolved(r, d.name, reader_span(r, url->at, url->s, url->s),
			  "'%.*s' is an address, which does not name its package",
			  STR_ARG(str_sub(url->s, 0, 200)));
}

static struct err *pypi_lock_add(struct reader *r, const struct val *package)
{
	struct val *name, *version, *wheels;
	struct dep *d;

	TRY(reader_want(r, package, VAL_MAP, "an item of the list of packages"));
	TRY(reader_member(r, package, "package", "name", VAL_STR, &name));
	TRY(reader_member(r, package, "package", "version", VAL_STR, &version));
	TRY(reader_member(r, package, "package", "wheels", VAL_LIST, &wheels));
	if (!name)
		return reader_bad(r, package->at.from, "a package has no name");
	if (is_project(package))
		return NULL;
	d = reader_add(r, name->s, reader_span(r, name->at, name->s, name->s));
	if (version) {
		d->version = version->s;
		d->locked = true;
	}
	pypi_lock_name_of_archive(r, val_get(package, "source"), d);
	pypi_lock_name_of_archive(r, val_get(package, "archive"), d);
	pypi_lock_name_of_archive(r, val_get(package, "sdist"), d);
	VAL_EACH(wheels, w)
		pypi_lock_name_of_archive(r, w, d);
	read_repository(r, package, *d);
	return NULL;
}

struct err *pypi_lock(struct reader *r)
{
	static const char *const lists[] = {"package", "packages"};
	struct val *top, *list;

	TRY(reader_toml(r, &top));
	pypi_python(r, val_get(top, "requires-python"));
	pypi_python(r, val_get(val_get(top, "metadata"), "python-versions")); /* Poetry */
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		TRY(reader_member(r, top, "", lists[i], VAL_LIST, &list));
		VAL_EACH(list, package)
			TRY(pypi_lock_add(r, package));
	}
	return NULL;
}
