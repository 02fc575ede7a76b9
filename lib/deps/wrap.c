#include "deps/reader.h"

/*
 * Meson wraps: subprojects/NAME.wrap says from where Meson gets the package NAME. A redirection
 * names another wrap, which is a manifest of its own.
 */

/* The value of the key in the wrap's section, [wrap-…]; empty: none. */
static struct str wrap_get(const struct reader *r, const char *key, struct span *section)
{
	struct str rest = r->text, line, found = {"", 0};
	bool in = false;

	while (str_line(&rest, &line)) {
		size_t equals;

		line = str_trim(line);
		if (str_starts(line, STR("["))) {
			in = str_starts(line, STR("[wrap-"));
			if (in)
				*section = reader_at(r, line);
		}
		equals = str_find_char(line, '=', 0);
		if (in && !found.n && line.n && line.p[0] != '#' && line.p[0] != ';' &&
		    equals != SIZE_MAX && str_is(str_trim(str_sub(line, 0, equals)), key))
			found = str_trim(str_sub(line, equals + 1, line.n));
	}
	return found;
}

struct err *meson_wrap(struct reader *r)
{
	struct span section = {SIZE_MAX, 0};
	size_t slash = str_rfind_char(r->path, '/');
	struct str name = str_sub(r->path, slash + 1, r->path.n - 5);
	struct str directory = wrap_get(r, "directory", &section), url, version, address;
	struct dep *d;

	if (section.from == SIZE_MAX)
		return reader_bad(r, 0, "it has no section [wrap-file], [wrap-git] or the like");
	if (str_is(str_sub(r->text, section.from, section.to), "[wrap-redirect]"))
		return NULL;
	d = reader_add(r, name, section);
	d->reach = DEPS_DIRECT;
	/* The folder of an archive is NAME-VERSION. */
	if (str_starts(directory, name)) {
		d->at = reader_at(r, str_sub(directory, 0, name.n));
		if (directory.n > name.n + 1 && directory.p[name.n] == '-')
			d->version = str_sub(directory, name.n + 1, directory.n);
	}
	version = wrap_get(r, "wrapdb_version", &section);
	reader_lock(d, version.n ? version : d->version);
	url = wrap_get(r, "url", &section);
	if (!url.n || !url_address(r->a, url, &address) || str_eq(url_repo(url), name))
		return NULL;
	/* The repository has another name than the wrap. */
	d = reader_add_as(r, DEPS_GIT, address, reader_place(r, address, reader_at(r, url)));
	d->reach = DEPS_DIRECT;
	d->written = name;
	return NULL;
}
