#include "deps/range.h"
#include "deps/reader.h"

/* Small formats: Swift's Package.resolved, mix.lock, vcpkg.json, conanfile.txt, .gitmodules. */

/* ---- Swift ---- */

static struct err *swift_pin(struct reader *r, const struct val *pin)
{
	struct val *location, *state, *identity;
	struct str name;
	struct dep *d;

	TRY(reader_want(r, pin, VAL_MAP, "an item of pins"));
	TRY(reader_member(r, pin, "pins", "location", VAL_STR, &location));
	if (!location)
		TRY(reader_member(r, pin, "pins", "repositoryURL", VAL_STR, &location));
	TRY(reader_member(r, pin, "pins", "identity", VAL_STR, &identity));
	if (!identity)
		TRY(reader_member(r, pin, "pins", "package", VAL_STR, &identity));
	TRY(reader_member(r, pin, "pins", "state", VAL_MAP, &state));
	if (!location && !identity)
		return reader_bad(r, pin->at.from, "a pin has no identity and no location");
	/* A package of a registry has an identity only: scope.name. */
	if (!location || !url_address(r->a, location->s, &name)) {
		d = reader_add(r, identity ? identity->s : location->s,
			       identity ? reader_span(r, identity->at, identity->s, identity->s)
					: location->at);
	} else {
		d = reader_add(r, name, reader_span(r, location->at, location->s, name));
		if (name.p < location->s.p || name.p > location->s.p + location->s.n)
			d->at = location->at;
	}
	d->version = val_get_str(state, "version");
	d->locked = d->version.n > 0;
	return NULL;
}

struct err *swift_lock(struct reader *r)
{
	struct val *top, *object, *pins;

	TRY(reader_json(r, &top));
	TRY(reader_member(r, top, "", "object", VAL_MAP, &object)); /* version 1 */
	TRY(reader_member(r, object ? object : top, object ? "object" : "", "pins", VAL_LIST,
			  &pins));
	VAL_EACH(pins, pin)
		TRY(swift_pin(r, pin));
	return NULL;
}

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
	struct str s = line, key, kind, name, version;
	struct dep *d;

	if (!mix_part(&s, "\"", '"', &key) || !mix_part(&s, ": {:", ',', &kind))
		return reader_bad(r, (size_t)(line.p - r->text.p),
				  "'%.*s' is no package as Mix writes it",
				  STR_ARG(str_sub(line, 0, 200)));
	if (str_find(s, STR("\": {:"), 0) != SIZE_MAX)
		return reader_bad(r, (size_t)(line.p - r->text.p),
				  "two packages on a line, which Mix does not write");
	if (str_is(kind, "hex")) {
		if (!mix_part(&s, " :", ',', &name) || !mix_part(&s, " \"", '"', &version))
			return reader_bad(r, (size_t)(line.p - r->text.p),
					  "a package of Hex must have a name and a version");
		name = name.p[0] == '"' ? str_sub(name, 1, name.n - 1) : name;
		d = reader_add(r, name,
			       (struct span){(size_t)(name.p - r->text.p),
					     (size_t)(name.p - r->text.p) + name.n});
		d->version = version;
		d->locked = true;
	} else {
		/* Mix refuses an application of another name. */
		d = reader_add(r, key,
			       (struct span){(size_t)(key.p - r->text.p),
					     (size_t)(key.p - r->text.p) + key.n});
	}
	if (!str_eq(d->name, key))
		d->written = key;
	return NULL;
}

struct err *mix_lock(struct reader *r)
{
	struct str rest = r->text, line;

	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (str_starts(line, STR("%{\""))) /* as Mix wrote it before Elixir 1.7 */
			line = str_sub(line, 2, line.n);
		if (line.n && !str_is(line, "%{") && !str_is(line, "}") && !str_is(line, "%{}") &&
		    line.p[0] != '#')
			TRY(mix_line(r, line));
	}
	return NULL;
}

/* Requirements of Hex: those of RubyGems, with "and" and "or". */
struct err *hex_range(struct arena *a, struct str text, struct deps_range *r)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < text.n; i++) {
		struct str here = str_sub(text, i, text.n);

		if (str_starts(here, STR(" and "))) {
			buf_putc(&b, ',');
			i += 4;
		} else if (str_starts(here, STR(" or "))) {
			buf_puts(&b, "||");
			i += 3;
		} else {
			buf_putc(&b, text.p[i]);
		}
	}
	return gem_range(a, buf_str(&b), r);
}

/* ---- vcpkg ---- */

static struct err *vcpkg_list(struct reader *r, const struct val *v, const char *in,
			      const char *key)
{
	struct val *list;

	TRY(reader_member(r, v, in, key, VAL_LIST, &list));
	VAL_EACH(list, m) {
		struct val *name = m;
		struct dep *d;

		if (m->type != VAL_STR) {
			TRY(reader_want(r, m, VAL_MAP, "an item of %s", key));
			TRY(reader_member(r, m, key, "name", VAL_STR, &name));
			if (!name)
				return reader_bad(r, m->at.from, "an item of %s has no name", key);
		}
		d = reader_add(r, name->s, reader_span(r, name->at, name->s, name->s));
		d->reach = DEPS_DIRECT;
		if (val_get_str(m, "version>=").n)
			d->version = str_fmt(r->a, ">=%.*s", STR_ARG(val_get_str(m, "version>=")));
		else
			d->version = val_get_str(m, "version");
	}
	return NULL;
}

struct err *vcpkg_manifest(struct reader *r)
{
	struct val *top, *features;

	TRY(reader_json(r, &top));
	TRY(vcpkg_list(r, top, "", "dependencies"));
	TRY(vcpkg_list(r, top, "", "overrides"));
	TRY(reader_member(r, top, "", "features", VAL_MAP, &features));
	VAL_EACH(features, f) {
		TRY(reader_want(r, f, VAL_MAP, "features.%.*s", STR_ARG(f->key)));
		TRY(vcpkg_list(r, f, "features", "dependencies"));
	}
	return NULL;
}

/* ---- conanfile.txt ---- */

/* NAME/VERSION@USER/CHANNEL#REVISION; the version may be a range in brackets. */
static struct err *conan_line(struct reader *r, struct str line)
{
	size_t slash = str_find_char(line, '/', 0), from = (size_t)(line.p - r->text.p), end;
	struct str name = str_sub(line, 0, slash), version = str_sub(line, slash + 1, line.n);
	struct dep *d;

	if (slash == SIZE_MAX || !slash || slash + 1 == line.n)
		return reader_bad(r, from, "'%.*s' is no package with its version",
				  STR_ARG(str_sub(line, 0, 200)));
	d = reader_add(r, name, (struct span){from, from + name.n});
	d->reach = DEPS_DIRECT;
	end = version.p[0] == '[' ? str_find_char(version, ']', 0) : SIZE_MAX;
	if (end != SIZE_MAX) {
		d->version = str_sub(version, 1, end);
	} else {
		d->version = str_trim(str_sub(
			version, 0,
			size_min(str_find_char(version, '@', 0), str_find_char(version, '#', 0))));
		d->locked = d->version.n > 0;
	}
	return NULL;
}

struct err *conan_manifest(struct reader *r)
{
	static const char *const sections[] = {"[requires]", "[build_requires]", "[tool_requires]",
					       "[test_requires]"};
	struct str rest = r->text, line;
	bool in = false;

	while (str_line(&rest, &line)) {
		size_t comment = str_find(line, STR(" #"), 0);

		line = str_trim(str_sub(line, 0, comment));
		if (!line.n || line.p[0] == '#')
			continue;
		if (line.p[0] == '[') {
			in = false;
			for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
				in = in || str_is(line, sections[i]);
		} else if (in) {
			TRY(conan_line(r, line));
		}
	}
	return NULL;
}

/* ---- .gitmodules ---- */

struct err *git_modules(struct reader *r)
{
	struct str rest = r->text, line, name;

	while (str_line(&rest, &line)) {
		size_t equals = str_find_char(line, '=', 0);
		struct str url;
		struct span at;
		struct dep *d;

		line = str_trim(line);
		equals = str_find_char(line, '=', 0);
		if (equals == SIZE_MAX || !str_ieq(str_trim(str_sub(line, 0, equals)), STR("url")))
			continue;
		url = str_trim(str_sub(line, equals + 1, line.n));
		if (url.n > 1 && url.p[0] == '"' && url.p[url.n - 1] == '"')
			url = str_sub(url, 1, url.n - 1);
		at = (struct span){(size_t)(url.p - r->text.p),
				   (size_t)(url.p - r->text.p) + url.n};
		if (!url_address(r->a, url, &name)) {
			reader_unresolved(r, url, at, "it is relative to the repository's remote");
			continue;
		}
		d = reader_add(r, name, at);
		if (name.p >= url.p && name.p < url.p + url.n)
			d->at = (struct span){(size_t)(name.p - r->text.p),
					      (size_t)(name.p - r->text.p) + name.n};
		d->reach = DEPS_DIRECT;
	}
	return NULL;
}
