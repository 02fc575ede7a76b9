/* What a person types for a package, read by the ecosystem that is given or could be meant. */
#include "deps/ecosystem.h"

static const char typed_two_versions[] = "it has a version, and another version is given apart";

/* Without the blanks and the quotes around it. */
static struct str reading_bare(struct str s)
{
	s = str_trim(s);
	while (s.n > 1 && strchr("\"'`", s.p[0]) && s.p[0] == s.p[s.n - 1])
		s = str_trim(str_sub(s, 1, s.n - 1));
	return s;
}

/* "3.0.0" is one version that will be added; "^3" is a range, and "3" is one too for many. */
static bool reading_is_exact(enum deps_ecosystem e, struct str v)
{
	const struct versions *versions = ecosystems[e].versions;
	size_t dots = 0;

	v = reader_skip_prefix(v, "v|V");
	if (!v.n || !ascii_is_digit(v.p[0]) || versions == &versions_tag)
		return false;
	for (size_t i = 0; i < v.n; i++) {
		if (memchr(" ,|*<>=~^xX[](", v.p[i], 14))
			return false;
		dots += v.p[i] == '.';
	}
	/* In the order of SemVer, which Cargo and Go share, fewer than three parts are a range. */
	return dots > 1 || versions->key != versions_npm.key;
}

/* The version that is given apart. That of npm may name another package: npm:NAME@RANGE. */
static const char *reading_version(struct reader *r, struct str version)
{
	struct deps *out = r->out;
	struct str name;

	for (size_t i = 0; i < out->n; i++)
		if (out->p[i].version.n && !str_eq(out->p[i].version, version))
			return typed_two_versions;
	if (r->ecosystem == DEPS_NPM && out->n == 1 && !out->p[0].version.n &&
	    !out->p[0].written.n) {
		name = out->p[0].name;
		out->n = 0;
		return ecosystems[DEPS_NPM].typed(
			r, str_fmt(r->a, "%.*s@%.*s", STR_ARG(name), STR_ARG(version)));
	}
	for (size_t i = 0; i < out->n; i++)
		out->p[i].version = version;
	return NULL;
}

/* Appends what the ecosystem reads; otherwise says why it reads nothing. */
static const char *reading_add(struct arena *a, enum deps_ecosystem e, struct str s,
			       struct str version, struct deps_readings *out)
{
	struct deps *deps = ARENA_NEW(a, struct deps);
	struct reader r = {.a = a, .text = s, .ecosystem = e, .out = deps};
	const char *why = ecosystems[e].typed(&r, s);

	if (!why && version.n)
		why = reading_version(&r, version);
	if (why)
		return why;
	if (!deps->n)
		return "it is an address that does not tell its package";
	VEC_EACH(struct dep, d, deps) {
		d->normal = deps_normal(a, e, d->name);
		d->brief = deps_short_name(e, d->name);
		d->locked = d->locked || reading_is_exact(e, d->version);
		d->reach = DEPS_REACH_UNKNOWN;
		d->at = (struct span){0};
	}
	*VEC_PUSH(a, out) = *deps;
	return NULL;
}

/* Whether the ecosystem reads all of it, the versions too. */
static bool reading_is_sure(struct arena *a, const struct deps *deps)
{
	struct deps_range *range;

	VEC_EACH(const struct dep, d, deps) {
		/* Any word is a tag of an image, and a query of Go. */
		if (d->version.n && ecosystems[d->ecosystem].versions != &versions_tag &&
		    !(d->ecosystem == DEPS_GO && ascii_is_letter(d->version.p[0])) &&
		    deps_range_new(a, d->ecosystem, d->version, &range))
			return false;
	}
	return !deps->unresolved.n;
}

/*
 * Whether an image with a variant explains the text of the version better: the text behind its
 * number is a word that names a variant, as "alpine" in "20-alpine". For packages it would be a
 * pre-release, before 20; those have other words.
 */
static bool reading_is_image(struct arena *a, const struct deps_readings *all, const struct dep *d)
{
	static const char early[] =
		"a|alpha|b|beta|c|canary|cr|dev|develop|ea|edge|exp|insiders|experimental|m|"
		"milestone|next|nightly|nullsafety|p|post|pr|pre|preview|prerelease|rc|snapshot|"
		"test|unstable|wip|x";
	struct str version = d->version, word;
	size_t at = 1, end;

	if (d->ecosystem == DEPS_DOCKER || version.n < 3 || !ascii_is_digit(version.p[0]))
		return false;
	while (at < version.n &&
	       !(ascii_is_letter(version.p[at]) && strchr("-._", version.p[at - 1])))
		at++;
	for (end = at; end < version.n && ascii_is_letter(version.p[end]);)
		end++;
	word = str_sub(version, at, end);
	if (!word.n || reader_is_any_of_words(str_lower(a, word), early))
		return false;
	for (size_t i = 0; i < all->n; i++)
		VEC_EACH(const struct dep, by, &all->p[i])
			if (by->ecosystem == DEPS_DOCKER && str_eq(by->name, d->name) &&
			    str_eq(by->version, d->version))
				return true;
	return false;
}

/* The readings of every ecosystem; only the sure ones, if there are such, and no
 * package whose version is the variant of an image. */
static const char *reading_add_all(struct arena *a, struct str s, struct str version,
				   struct deps_readings *out)
{
	const char *why = "no ecosystem writes a package so";
	struct deps_readings all = {0}, sure = {0};

	for (unsigned e = DEPS_UNKNOWN + 1; e < DEPS_ECOSYSTEMS; e++)
		if (reading_add(a, e, s, version, &all) == typed_two_versions)
			why = typed_two_versions;
	for (size_t i = 0; i < all.n; i++)
		if (reading_is_sure(a, &all.p[i]))
			*VEC_PUSH(a, &sure) = all.p[i];
	if (sure.n)
		all = sure;
	for (size_t i = 0; i < all.n; i++)
		if (!reading_is_image(a, &all, all.p[i].p))
			*VEC_PUSH(a, out) = all.p[i];
	return out->n ? NULL : why;
}

/* ---- package URLs: pkg:TYPE/NAMESPACE/NAME@VERSION?QUALIFIERS#SUBPATH ---- */

static struct str purl_qualifier(struct arena *a, struct str all, const char *key)
{
	struct str part;

	while (str_next_part(&all, '&', &part))
		if (reader_starts_with_any_of(part, key))
			return url_decoded(a, reader_skip_prefix(part, key));
	return STR("");
}

static const char *purl_add(struct arena *a, enum deps_ecosystem e, struct str s,
			    struct str version, struct deps_readings *out)
{
	static const char form[] = "a package URL is written pkg:TYPE/NAMESPACE/NAME@VERSION";
	struct str rest = str_sub(s, 4, str_find_char(s, '#', 0)), qualifiers, kind, own, where;
	enum deps_ecosystem type;
	size_t at, slash;

	while (str_starts(rest, STR("/")))
		rest = str_sub(rest, 1, rest.n);
	reader_split_at(rest, '?', 0, &rest, &qualifiers);
	if (!reader_split_at(rest, '/', 0, &kind, &rest))
		return form;
	type = deps_ecosystem_by_name(kind);
	if (type == DEPS_UNKNOWN)
		return "ikm knows no ecosystem of that type";
	if (e != DEPS_UNKNOWN && e != type)
		return "its type is not the ecosystem that is given";
	at = str_rfind_char(rest, '@');
	/* The "@" of a scope should be %40, and often is not. */
	if (at == 0 || (at != SIZE_MAX && str_find_char(rest, '/', at) != SIZE_MAX))
		at = SIZE_MAX;
	own = at == SIZE_MAX ? purl_qualifier(a, qualifiers, "tag=")
			     : url_decoded(a, str_sub(rest, at + 1, rest.n));
	if (str_starts(own, STR("sha256:")))
		own = purl_qualifier(a, qualifiers, "tag=");
	if (own.n && version.n && !str_eq(own, version))
		return typed_two_versions;
	/* The name as the ecosystem writes it: the namespace is part of it. */
	rest = url_decoded(a, str_sub(rest, 0, at));
	slash = str_rfind_char(rest, '/');
	where = purl_qualifier(a, qualifiers, "repository_url=");
	if (type == DEPS_MAVEN && slash != SIZE_MAX)
		rest = str_fmt(a, "%.*s:%.*s", STR_ARG(str_sub(rest, 0, slash)),
			       STR_ARG(str_sub(rest, slash + 1, rest.n)));
	else if (type == DEPS_DOCKER && where.n)
		rest = str_ends(where, rest)
			       ? where
			       : str_fmt(a, "%.*s/%.*s", STR_ARG(where), STR_ARG(rest));
	else if (type == DEPS_CONAN)
		rest = str_sub(rest, slash + 1, rest.n);
	return reading_add(a, type, rest, own.n ? own : version, out);
}

struct err *deps_read_install_argument(struct arena *a, enum deps_ecosystem e, struct str name,
				       struct str version, struct deps_readings *out)
{
	struct str s = reading_bare(name), head = reader_until(s, ":");
	struct str rest = str_trim(str_sub(s, head.n + 1, s.n));
	/* "npm:NAME": the ecosystem before the colon. */
	enum deps_ecosystem prefix =
		head.n == s.n || str_starts(str_sub(s, head.n, s.n), STR("://"))
			? DEPS_UNKNOWN
			: deps_ecosystem_by_name(head);
	const char *why;

	*out = (struct deps_readings){0};
	version = reading_bare(version);
	if (str_ieq(str_sub(s, 0, 4), STR("pkg:"))) {
		why = purl_add(a, e, s, version, out);
	} else if (e != DEPS_UNKNOWN) {
		why = reading_add(a, e, s, version, out);
		if (prefix == e && !reading_add(a, e, rest, version, out))
			why = NULL;
	} else if (prefix == DEPS_UNKNOWN) {
		why = reading_add_all(a, s, version, out);
	} else {
		/* "npm:pg" is a package, and "node:18" an image with a tag. */
		bool other = !str_ieq(head, str_of(deps_ecosystems[prefix])) ||
			     (rest.n && ascii_is_digit(rest.p[0]));

		why = reading_add(a, prefix, rest, version, out);
		if (other && !reading_add_all(a, s, version, out))
			why = NULL;
	}
	if (!why)
		return NULL;
	return err_new(E_BAD_ARGUMENT, "'%.*s'%s: %s", STR_ARG(str_utf8_head(name, 200)),
		       why == typed_two_versions ? "" : " names no package", why);
}
