#include "deps/reader.h"

/* Small formats: Package.resolved, mix.lock, vcpkg.json, conanfile.txt, .gitmodules, wraps. */

/* ---- Swift ---- */

static struct err *swift_pin(struct reader *r, const struct val *pin)
{
	struct val *location, *state, *identity;
	struct str name;
	struct dep *d;

	TRY(reader_require_entry_type(r, pin, VAL_MAP));
	TRY(reader_get_member(r, pin, r->in, "location", VAL_STR, &location));
	if (!location)
		TRY(reader_get_member(r, pin, r->in, "repositoryURL", VAL_STR, &location));
	TRY(reader_get_member(r, pin, r->in, "identity", VAL_STR, &identity));
	if (!identity)
		TRY(reader_get_member(r, pin, r->in, "package", VAL_STR, &identity));
	TRY(reader_get_member(r, pin, r->in, "state", VAL_MAP, &state));
	if (!location && !identity)
		return reader_error_at(r, pin->at.from, "a pin has no identity and no location");
	/* A package of a registry has an identity only: scope.name. */
	if (location && url_repo_address(r->a, location->s, &name))
		d = reader_add_dep(r, name,
				   name.p < location->s.p || name.p > location->s.p + location->s.n
					   ? location->at
					   : reader_part_span(r, location, name));
	else if (identity)
		d = reader_add_dep_val(r, identity);
	else
		d = reader_add_dep(r, location->s, location->at);
	reader_set_locked_version(d, val_get_str(state, "version"));
	return NULL;
}

TREE_READER(swift_lock, json, {"object.pins[]", .read = swift_pin}, /* version 1 */
	    {"pins[]", .read = swift_pin})

/* ---- mix.lock: a map of Elixir, one package a line, as Mix writes it ---- */

/* The text behind `mark` up to `end`; moves *s behind it. */
static bool mix_part(struct str *s, const char *mark, char end, struct str *out)
{
	size_t to;

	if (!str_starts(*s, str_of(mark)))
		return false;
	*s = str_sub(*s, strlen(mark), s->n);
	to = str_find_char(*s, end, 0);
	if (to == SIZE_MAX)
		return false;
	*out = str_sub(*s, 0, to);
	*s = str_sub(*s, to + 1, s->n);
	return to > 0;
}

static struct err *mix_line(struct reader *r, struct str line)
{
	struct str s, key, kind, name, version;

	if (str_starts(line, STR("%{\""))) /* as Mix wrote it before Elixir 1.7 */
		line = str_sub(line, 2, line.n);
	if (!line.n || line.p[0] == '#' || reader_is_any_of_words(line, "%{|}|%{}"))
		return NULL;
	s = line;
	if (!mix_part(&s, "\"", '"', &key) || !mix_part(&s, ": {:", ',', &kind))
		return reader_bad_line(r, line, "is no package as Mix writes it");
	if (str_holds(s, "\": {:"))
		return reader_error_at(r, reader_slice_span(r, line).from,
				       "two packages on a line, which Mix does not write");
	if (!str_is(kind, "hex")) {
		/* Mix refuses an application of another name. */
		reader_add_dep_slice(r, key);
		return NULL;
	}
	if (!mix_part(&s, " :", ',', &name) || !mix_part(&s, " \"", '"', &version))
		return reader_error_at(r, reader_slice_span(r, line).from,
				       "a package of Hex must have a name and a version");
	name = name.p[0] == '"' ? str_sub(name, 1, name.n - 1) : name;
	reader_set_locked_version(reader_add_dep_slice(r, name), version);
	if (!str_eq(name, key))
		r->out->p[r->out->n - 1].written = key;
	return NULL;
}

LINE_READER(mix_lock, mix_line)

/* ---- vcpkg ---- */

static struct err *vcpkg_entry(struct reader *r, const struct val *v, struct dep *d)
{
	struct str least = val_get_str(v, "version>=");

	if (least.n)
		d->version = str_fmt(r->a, ">=%.*s", STR_ARG(least));
	return NULL;
}

#define VCPKG_ENTRY                                                                                \
	.name = "name", .version = "version", .is = TREE_DIRECT | TREE_TEXT, .each = vcpkg_entry

TREE_READER(vcpkg_manifest, json, {"dependencies[]", VCPKG_ENTRY}, {"overrides[]", VCPKG_ENTRY},
	    {"features{}.dependencies[]", VCPKG_ENTRY})

/* ---- conanfile.txt ---- */

struct err *conan_manifest(struct reader *r)
{
	struct str rest = r->text, line, name, version, range;
	struct dep *d;
	bool in = false;

	r->reach = DEPS_DIRECT;
	while (str_next_line(&rest, &line)) {
		line = str_trim(str_sub(line, 0, str_find(line, STR(" #"), 0)));
		if (!line.n || line.p[0] == '#')
			continue;
		if (line.p[0] == '[')
			in = reader_is_any_of_words(line,
						    "[requires]|[build_requires]|[tool_requires]|"
						    "[test_requires]");
		if (!in || line.p[0] == '[')
			continue;
		/* NAME/VERSION@USER/CHANNEL#REVISION; the version may be a range in brackets. */
		if (!reader_split_at(line, '/', 0, &name, &version) || !name.n || !version.n)
			return reader_bad_line(r, line, "is no package with its version");
		d = reader_add_dep_slice(r, name);
		range = reader_until(version, "]");
		if (version.p[0] == '[' && range.n < version.n)
			d->version = str_sub(range, 1, range.n);
		else
			reader_set_locked_version(d, str_trim(reader_until(version, "@#")));
	}
	return NULL;
}

/* ---- .gitmodules ---- */

static struct err *git_module(struct reader *r, struct str line)
{
	struct str key, url, name;
	struct span at;

	if (!reader_split_at(line, '=', 0, &key, &url) || !str_ieq(str_trim(key), STR("url")))
		return NULL;
	url = str_trim(url);
	if (str_starts(url, STR("\"")))
		url = reader_unquote(url);
	at = reader_slice_span(r, url);
	if (!url_repo_address(r->a, url, &name))
		return reader_add_unresolved(r, url, at,
					     "it is relative to the repository's remote");
	reader_add_dep(r, name, reader_span_of_slice_or(r, name, at))->reach = DEPS_DIRECT;
	return NULL;
}

LINE_READER(git_modules, git_module)

/*
 * ---- Meson ----
 *
 * Meson wraps: subprojects/NAME.wrap says from where Meson gets the package NAME. A redirection
 * names another wrap, which is a manifest of its own.
 */

/* The value of the key in the wrap's section, [wrap-…]; empty: none. */
static struct str wrap_get(const struct reader *r, const char *key, struct span *section)
{
	struct str rest = r->text, line, name, value, found = {"", 0};
	bool in = false;

	while (str_next_line(&rest, &line)) {
		line = str_trim(line);
		if (str_starts(line, STR("["))) {
			in = str_starts(line, STR("[wrap-"));
			if (in)
				*section = reader_slice_span(r, line);
		}
		if (in && !found.n && !reader_starts_with_any_of(line, "#|;") &&
		    reader_split_at(line, '=', 0, &name, &value) && str_is(str_trim(name), key))
			found = str_trim(value);
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
		return reader_error_at(r, 0,
				       "it has no section [wrap-file], [wrap-git] or the like");
	if (str_is(str_sub(r->text, section.from, section.to), "[wrap-redirect]"))
		return NULL;
	r->reach = DEPS_DIRECT;
	d = reader_add_dep(r, name, section);
	/* The folder of an archive is NAME-VERSION. */
	if (str_starts(directory, name)) {
		d->at = reader_slice_span(r, str_sub(directory, 0, name.n));
		if (directory.n > name.n + 1 && directory.p[name.n] == '-')
			d->version = str_sub(directory, name.n + 1, directory.n);
	}
	version = wrap_get(r, "wrapdb_version", &section);
	reader_set_locked_version(d, version.n ? version : d->version);
	url = wrap_get(r, "url", &section);
	if (!url.n || !url_repo_address(r->a, url, &address) || str_eq(url_repo_name(url), name))
		return NULL;
	/* The repository has another name than the wrap. */
	d = reader_add_dep_in_ecosystem(
		r, DEPS_GIT, address,
		reader_span_of_slice_or(r, address, reader_slice_span(r, url)));
	d->written = name;
	return NULL;
}
