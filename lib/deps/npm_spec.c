#include "deps/npm_spec.h"
#include "json/json.h"

/* A parser for the text after a protocol. */
typedef struct err *spec_fn(struct reader *r, const struct npm_spec *s, struct str text);

static struct err *spec_text(struct reader *r, const struct npm_spec *s, struct str text,
			     bool resolved);

static struct span spec_span(struct reader *r, const struct npm_spec *s, struct str part)
{
	const struct str *whole = &s->value->s;

	if (s->at)
		return *s->at;
	if (part.p < whole->p || part.p > whole->p + whole->n)
		return s->value->at; /* decoded, so it is no slice of the file */
	return reader_span(r, s->value->at, *whole, part);
}

/* Lists the package `name` of the value, which may equal the key. */
static struct dep *spec_real(struct reader *r, const struct npm_spec *s, struct str name)
{
	struct dep *d;

	if (!name.n || str_eq(name, s->key))
		return reader_add(r, s->key, s->key_at);
	d = reader_add(r, name, spec_span(r, s, name));
	d->written = s->key;
	return d;
}

static void spec_unknown(struct reader *r, const struct npm_spec *s, const char *why)
{
	reader_unresolved(r, s->key, spec_span(r, s, s->value->s), "'%.*s' %s",
			  STR_ARG(str_sub(s->value->s, 0, 200)), why);
}

void npm_split_at(struct str s, struct str *name, struct str *version)
{
	size_t at = str_find_char(s, '@', 1);

	*name = str_sub(s, 0, at);
	*version = at == SIZE_MAX ? STR("") : str_sub(s, at + 1, s.n);
}

/* yarn also writes plain ranges as npm:^1.0. */
static bool spec_is_range(struct reader *r, struct str s)
{
	struct deps_range *range;

	return str_is(s, "latest") || !deps_range_new(r->a, DEPS_NPM, s, &range);
}

static struct err *spec_alias(struct reader *r, const struct npm_spec *s, struct str rest)
{
	struct str name, version;

	npm_split_at(str_trim(rest), &name, &version);
	if (!version.n && spec_is_range(r, name))
		reader_add(r, s->key, s->key_at)->version = name;
	else
		spec_real(r, s, name)->version = version;
	return NULL;
}

/*
 * The key may be any name, and the name of a repository or archive may differ from the package's.
 * So both names are listed, and the entry is unresolved when they differ.
 */
static void spec_guess(struct reader *r, const struct npm_spec *s, struct str guess,
		       struct str version, const char *why)
{
	size_t slash = str_rfind_char(s->key, '/');
	struct str base = slash == SIZE_MAX ? s->key : str_sub(s->key, slash + 1, s->key.n);

	reader_add(r, s->key, s->key_at)->version = version;
	if (guess.n && !str_ieq(guess, base))
		spec_real(r, s, guess)->version = version;
	spec_unknown(r, s, why);
}

/* Registries whose addresses name the package. */
static bool spec_is_registry(struct str url)
{
	static const char *const hosts[] = {"registry.npmjs.org",     "registry.npmjs.com",
					    "registry.yarnpkg.com",   "npm.jsr.io",
					    "registry.npmmirror.com", "registry.npm.taobao.org",
					    "npm.pkg.github.com",     "npm.fontawesome.com"};
	size_t from = str_find(url, STR("://"), 0), to, at;
	struct str host;

	if (from == SIZE_MAX)
		return false;
	to = size_min(str_find_char(url, '/', from + 3), url.n);
	host = str_sub(url, from + 3, to);
	at = str_rfind_char(host, '@');
	if (at != SIZE_MAX)
		host = str_sub(host, at + 1, host.n);
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++)
		if (str_ieq(host, str_of(hosts[i])))
			return true;
	return false;
}

static struct err *spec_url(struct reader *r, const struct npm_spec *s, struct str url)
{
	struct str name, version = {"", 0}, plain = url_decoded(r->a, url);
	size_t hash = str_find(url, STR("#semver:"), 0);

	if (url_npm_tarball(plain, &name, &version)) {
		struct dep *d = spec_real(r, s, npm_full_name(plain, name, s->key));

		d->version = version;
		d->locked = true;
		if (!spec_is_registry(plain))
			spec_unknown(r, s,
				     "is an address outside the known registries, and may give "
				     "any package");
		return NULL;
	}
	if (hash != SIZE_MAX)
		version = str_sub(url, hash + 8, url.n);
	spec_guess(r, s, url_repo(plain), version,
		   "is an address, which does not name its package");
	return NULL;
}

/* org/repo, org/repo#commit: npm's short form for GitHub. */
static bool spec_is_shorthand(struct str s)
{
	struct str repo = str_sub(s, 0, str_find_char(s, '#', 0));
	size_t slash = str_find_char(repo, '/', 0);

	return slash != SIZE_MAX && slash && slash + 1 < repo.n && repo.p[0] != '@' &&
	       str_find_char(repo, '/', slash + 1) == SIZE_MAX &&
	       str_find_char(repo, ' ', 0) == SIZE_MAX && str_find_char(repo, ':', 0) == SIZE_MAX;
}

static bool spec_is_archive(struct str path)
{
	return str_ends(path, STR(".tgz")) || str_ends(path, STR(".tar.gz")) ||
	       str_ends(path, STR(".tar"));
}

struct err *npm_folder_name(struct reader *r, struct str path, struct str *name, bool *found)
{
	struct str whole, text;
	struct val *top;

	*found = false;
	*name = STR("");
	if (!reader_beside(r, path, &whole))
		return NULL;
	path = str_fmt(r->a, "%.*s%spackage.json", STR_ARG(whole), whole.n ? "/" : "");
	TRY(reader_file(r, path, &text, found));
	if (!*found)
		return NULL;
	*found = !json_read(r->a, text, NULL, &top);
	if (*found)
		*name = val_get_str(top, "name");
	return NULL;
}

/* A folder or an archive: a folder's own manifest gives the name; an archive's name is a guess. */
static struct err *spec_local(struct reader *r, const struct npm_spec *s, struct str path)
{
	struct str name;
	bool found;

	if (str_starts(path, STR("//")))
		path = str_sub(path, 2, path.n);
	if (spec_is_archive(path)) {
		spec_guess(r, s, url_repo(path), STR(""),
			   "is an archive, and ikm does not open it");
		return NULL;
	}
	TRY(npm_folder_name(r, path, &name, &found));
	if (found) {
		spec_real(r, s, name);
		return NULL;
	}
	while (path.n && path.p[path.n - 1] == '/')
		path.n--;
	spec_guess(r, s, url_repo(path), STR(""), "is a folder without a package.json in the tree");
	return NULL;
}

/* workspace:^1.0, workspace:*, workspace:other@^1.0, workspace:../folder */
static struct err *spec_workspace(struct reader *r, const struct npm_spec *s, struct str rest)
{
	struct str name, version;

	npm_split_at(rest, &name, &version);
	if (name.n < rest.n)
		spec_real(r, s, name)->version = version;
	else if (str_starts(rest, STR("./")) || str_starts(rest, STR("../")))
		return spec_local(r, s, rest);
	else if (str_is(rest, "^") || str_is(rest, "~") || str_find_char(rest, '/', 0) != SIZE_MAX)
		reader_add(r, s->key, s->key_at);
	else
		reader_add(r, s->key, s->key_at)->version = rest;
	return NULL;
}

/* yarn's patch:NAME@npm%3AVERSION#file: the patched package is installed. */
static struct err *spec_patch(struct reader *r, const struct npm_spec *s, struct str rest)
{
	struct npm_spec inner = *s;
	struct str name, version;
	size_t n = r->out->n;

	npm_split_at(str_sub(rest, 0, str_find_char(rest, '#', 0)), &name, &version);
	version = url_decoded(r->a, version);
	if (str_eq(name, s->key) || !name.n)
		return spec_text(r, s, version, true);
	inner.key = name;
	inner.key_at = spec_span(r, s, name);
	TRY(spec_text(r, &inner, version, true));
	for (; n < r->out->n; n++)
		r->out->p[n].written = s->key;
	return NULL;
}

static struct err *spec_catalog(struct reader *r, const struct npm_spec *s, struct str rest)
{
	struct npm_spec inner = *s;
	struct span here = spec_span(r, s, s->value->s);
	const struct val *v;

	TRY(npm_catalog(r, str_trim(rest), s->key, &v));
	if (!v) {
		reader_add(r, s->key, s->key_at);
		spec_unknown(r, s, "refers to a catalog that the tree does not have");
		return NULL;
	}
	inner.value = v;
	inner.at = &here;
	return spec_text(r, &inner, str_trim(v->s), true);
}

static struct err *spec_exec(struct reader *r, const struct npm_spec *s, struct str rest)
{
	(void)rest;
	reader_add(r, s->key, s->key_at);
	spec_unknown(r, s, "is a program that makes the package");
	return NULL;
}

static struct err *spec_hosted(struct reader *r, const struct npm_spec *s, struct str rest)
{
	return spec_url(r, s, rest);
}

/* A gist has no name at all. */
static struct err *spec_gist(struct reader *r, const struct npm_spec *s, struct str rest)
{
	(void)rest;
	spec_guess(r, s, STR(""), STR(""), "is an address, which does not name its package");
	return NULL;
}

static const struct {
	const char *prefix; /* in any case */
	spec_fn *fn;
} spec_protocols[] = {
	{"npm:", spec_alias},        {"jsr:", spec_alias},       {"workspace:", spec_workspace},
	{"patch:", spec_patch},      {"catalog:", spec_catalog}, {"exec:", spec_exec},
	{"file:", spec_local},       {"link:", spec_local},      {"portal:", spec_local},
	{"github:", spec_hosted},    {"gitlab:", spec_hosted},   {"bitbucket:", spec_hosted},
	{"sourcehut:", spec_hosted}, {"gist:", spec_gist}};

/* A fast test for plain ranges such as ^1.2, which nearly all values are. */
static bool spec_is_plain(struct str s)
{
	return s.n && s.p[0] && strchr("0123456789^~<>=*", s.p[0]) &&
	       str_find_char(s, '/', 0) == SIZE_MAX && str_find_char(s, ':', 0) == SIZE_MAX &&
	       !spec_is_archive(s);
}

static bool spec_is_path(struct str s)
{
	return str_starts(s, STR(".")) || str_starts(s, STR("/")) || str_starts(s, STR("~/")) ||
	       (s.n > 2 && s.p[1] == ':' && (s.p[2] == '/' || s.p[2] == '\\')) ||
	       spec_is_archive(s);
}

/* resolved: a catalog or a patch led here, and must not lead to another one. */
static struct err *spec_text(struct reader *r, const struct npm_spec *s, struct str text,
			     bool resolved)
{
	size_t colon;

	if (spec_is_plain(text)) {
		reader_add(r, s->key, s->key_at)->version = text;
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(spec_protocols); i++) {
		struct str prefix = str_of(spec_protocols[i].prefix);
		bool again =
			spec_protocols[i].fn == spec_patch || spec_protocols[i].fn == spec_catalog;

		if (!(again && resolved) && str_ieq(str_sub(text, 0, prefix.n), prefix))
			return spec_protocols[i].fn(r, s, str_sub(text, prefix.n, text.n));
	}
	if (url_has_scheme(text) || url_is_scp(text) || spec_is_shorthand(text)) {
		if (!spec_is_path(text) || url_has_scheme(text))
			return spec_url(r, s, text);
	}
	if (spec_is_path(text) || str_find_char(text, '/', 0) != SIZE_MAX)
		return spec_local(r, s, text);
	reader_add(r, s->key, s->key_at)->version = text;
	colon = str_find_char(text, ':', 0);
	if (colon != SIZE_MAX)
		spec_unknown(r, s, "begins with an unknown protocol");
	return NULL;
}

struct err *npm_spec_add(struct reader *r, const struct npm_spec *s)
{
	return spec_text(r, s, str_trim(s->value->s), false);
}
