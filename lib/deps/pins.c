#include "deps/range.h"
#include "deps/reader.h"

/* Small formats: Swift's Package.resolved, mix.lock, vcpkg.json, conanfile.txt, .gitmodules. */

/* ---- Swift ---- */

static struct err *swift_pin(struct reader *r, const struct val *pin)
{
	struct val *location, *state, *identity;
	struct str name;
	struct dep *d;

	TRY(tree_want(r, pin, VAL_MAP));
	TRY(reader_member(r, pin, r->in, "location", VAL_STR, &location));
	if (!location)
		TRY(reader_member(r, pin, r->in, "repositoryURL", VAL_STR, &location));
	TRY(reader_member(r, pin, r->in, "identity", VAL_STR, &identity));
	if (!identity)
		TRY(reader_member(r, pin, r->in, "package", VAL_STR, &identity));
	TRY(reader_member(r, pin, r->in, "state", VAL_MAP, &state));
	if (!location && !identity)
		return reader_bad(r, pin->at.from, "a pin has no identity and no location");
	/* A package of a registry has an identity only: scope.name. */
	if (location && url_address(r->a, location->s, &name))
		d = reader_add(r, name,
			       name.p < location->s.p || name.p > location->s.p + location->s.n
				       ? location->at
				       : reader_span(r, location->at, location->s, name));
	else if (identity)
		d = reader_add_val(r, identity);
	else
		d = reader_add(r, location->s, location->at);
	reader_lock(d, val_get_str(state, "version"));
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
	if (!line.n || line.p[0] == '#' || str_is(line, "%{") || str_is(line, "}") ||
	    str_is(line, "%{}"))
		return NULL;
	s = line;
	if (!mix_part(&s, "\"", '"', &key) || !mix_part(&s, ": {:", ',', &kind))
		return reader_bad_line(r, line, "is no package as Mix writes it");
	if (str_find(s, STR("\": {:"), 0) != SIZE_MAX)
		return reader_bad(r, reader_at(r, line).from,
				  "two packages on a line, which Mix does not write");
	if (!str_is(kind, "hex")) {
		/* Mix refuses an application of another name. */
		reader_add_slice(r, key);
		return NULL;
	}
	if (!mix_part(&s, " :", ',', &name) || !mix_part(&s, " \"", '"', &version))
		return reader_bad(r, reader_at(r, line).from,
				  "a package of Hex must have a name and a version");
	name = name.p[0] == '"' ? str_sub(name, 1, name.n - 1) : name;
	reader_lock(reader_add_slice(r, name), version);
	if (!str_eq(name, key))
		r->out->p[r->out->n - 1].written = key;
	return NULL;
}

struct err *mix_lock(struct reader *r)
{
	return reader_lines(r, mix_line);
}

/* Requirements of Hex: those of RubyGems, with "and" and "or". */
struct str hex_rewritten(struct arena *a, struct str text)
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
	return buf_str(&b);
}

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

/* NAME/VERSION@USER/CHANNEL#REVISION; the version may be a range in brackets. */
static struct err *conan_package(struct reader *r, struct str line)
{
	struct str name, version;
	struct dep *d;
	size_t end;

	if (!reader_cut(line, '/', 0, &name, &version) || !name.n || !version.n)
		return reader_bad_line(r, line, "is no package with its version");
	d = reader_add_slice(r, name);
	d->reach = DEPS_DIRECT;
	end = version.p[0] == '[' ? str_find_char(version, ']', 0) : SIZE_MAX;
	if (end != SIZE_MAX)
		d->version = str_sub(version, 1, end);
	else
		reader_lock(d, str_trim(str_sub(version, 0,
						size_min(str_find_char(version, '@', 0),
							 str_find_char(version, '#', 0)))));
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
			TRY(conan_package(r, line));
		}
	}
	return NULL;
}

/* ---- .gitmodules ---- */

static struct err *git_module(struct reader *r, struct str line)
{
	struct str key, url, name;
	struct span at;

	if (!reader_cut(line, '=', 0, &key, &url) || !str_ieq(str_trim(key), STR("url")))
		return NULL;
	url = str_trim(url);
	if (url.n > 1 && url.p[0] == '"' && url.p[url.n - 1] == '"')
		url = str_sub(url, 1, url.n - 1);
	at = reader_at(r, url);
	if (url_address(r->a, url, &name))
		reader_add(r, name, reader_place(r, name, at))->reach = DEPS_DIRECT;
	else
		reader_unresolved(r, url, at, "it is relative to the repository's remote");
	return NULL;
}

struct err *git_modules(struct reader *r)
{
	return reader_lines(r, git_module);
}
