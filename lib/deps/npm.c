#include "deps/reader.h"

/* One specification: what key asks for, and where it is written. */
struct spec {
	struct str key;
	struct span key_at;
	const struct val *value; /* the string */
	const struct span *at;   /* not NULL: the value is used here, but written elsewhere */
};

static struct span value_span(struct reader *r, const struct spec *s, struct str part)
{
	return s->at ? *s->at : reader_span(r, s->value->at, s->value->s, part);
}

/* The package called `name` in the value, which may be what the key says anyway. */
static struct dep *add_real(struct reader *r, const struct spec *s, struct str name)
{
	struct dep *d;

	if (!name.n || str_eq(name, s->key))
		return reader_add(r, s->key, s->key_at);
	d = reader_add(r, name, value_span(r, s, name));
	d->written = s->key;
	return d;
}

/* NAME, NAME@VERSION, @SCOPE/NAME@VERSION */
static void split_at(struct str s, struct str *name, struct str *version)
{
	size_t at = str_find_char(s, '@', 1);

	*name = str_sub(s, 0, at);
	*version = at == SIZE_MAX ? STR("") : str_sub(s, at + 1, s.n);
}

/* yarn writes plain ranges as npm:^1.0 too. */
static bool is_range(struct reader *r, struct str s)
{
	struct deps_range *range;

	return str_is(s, "latest") || !deps_range_new(r->a, DEPS_NPM, s, &range);
}

static void add_alias(struct reader *r, const struct spec *s, struct str rest)
{
	struct str name, version;

	split_at(rest, &name, &version);
	if (name.n == rest.n && is_range(r, rest))
		reader_add(r, s->key, s->key_at)->version = rest;
	else
		add_real(r, s, name)->version = version;
}

static void add_url(struct reader *r, const struct spec *s, struct str url)
{
	struct str name, version, base = s->key, repo;
	size_t hash = str_find(url, STR("#semver:"), 0), slash = str_rfind_char(s->key, '/');
	struct dep *d;

	if (url_npm_tarball(url, &name, &version)) {
		d = add_real(r, s, name);
		d->version = version;
		d->locked = true;
		return;
	}
	d = reader_add(r, s->key, s->key_at);
	if (hash != SIZE_MAX)
		d->version = str_sub(url, hash + 8, url.n);
	/* The key may be any name, and the repository's name need not be the package's: both
	 * are what the file says, so both are listed unless they are the same. */
	repo = url_repo(url);
	if (slash != SIZE_MAX)
		base = str_sub(s->key, slash + 1, s->key.n);
	if (repo.n && !str_ieq(repo, base)) {
		version = d->version;
		d = add_real(r, s, repo);
		d->version = version;
	}
}

/* org/repo, org/repo#commit: npm's short form for GitHub. */
static bool is_shorthand(struct str s)
{
	struct str repo = str_sub(s, 0, str_find_char(s, '#', 0));
	size_t slash = str_find_char(repo, '/', 0);

	return slash != SIZE_MAX && slash && slash + 1 < repo.n && repo.p[0] != '@' &&
	       str_find_char(repo, '/', slash + 1) == SIZE_MAX &&
	       str_find_char(repo, ' ', 0) == SIZE_MAX && str_find_char(repo, ':', 0) == SIZE_MAX;
}

static bool take(struct str *s, const char *prefix)
{
	if (!str_starts(*s, str_of(prefix)))
		return false;
	*s = str_sub(*s, strlen(prefix), s->n);
	return true;
}

static bool is_local(struct str s)
{
	return take(&s, "file:") || take(&s, "link:") || take(&s, "portal:") || take(&s, "exec:") ||
	       take(&s, "./") || take(&s, "../") || take(&s, "/") || take(&s, "~/") ||
	       str_is(s, ".") || str_is(s, "..");
}

/* workspace:^1.0, workspace:*, workspace:other@^1.0, workspace:../folder */
static void add_workspace(struct reader *r, const struct spec *s, struct str rest)
{
	struct str name, version;

	split_at(rest, &name, &version);
	if (name.n < rest.n)
		add_real(r, s, name)->version = version;
	else if (str_is(rest, "^") || str_is(rest, "~") || str_find_char(rest, '/', 0) != SIZE_MAX)
		reader_add(r, s->key, s->key_at);
	else
		reader_add(r, s->key, s->key_at)->version = rest;
}

/* yarn's patch:NAME@npm%3AVERSION#file: the package that is patched is what is installed. */
static void add_patch(struct reader *r, const struct spec *s, struct str rest)
{
	struct str name, version;

	split_at(str_sub(rest, 0, str_find_char(rest, '#', 0)), &name, &version);
	if (!take(&version, "npm%3A") && !take(&version, "npm%3a"))
		take(&version, "npm:");
	/* Escapes stand for what no plain version has; then it is not known. */
	add_real(r, s, name)->version =
		str_find_char(version, '%', 0) == SIZE_MAX ? version : STR("");
}

/* ^1.2 and the like: what nearly all are. */
static bool is_plain_range(struct str s)
{
	return s.n && s.p[0] && strchr("0123456789^~<>=*", s.p[0]) &&
	       str_find_char(s, '/', 0) == SIZE_MAX && str_find_char(s, ':', 0) == SIZE_MAX;
}

static void add_spec(struct reader *r, const struct spec *s)
{
	struct str text = str_trim(s->value->s);

	if (is_plain_range(text))
		reader_add(r, s->key, s->key_at)->version = text;
	else if (take(&text, "npm:") || take(&text, "jsr:"))
		add_alias(r, s, text);
	else if (take(&text, "workspace:"))
		add_workspace(r, s, text);
	else if (take(&text, "patch:"))
		add_patch(r, s, text);
	else if (take(&text, "catalog:") || take(&text, "gist:") || is_local(text))
		reader_add(r, s->key, s->key_at);
	else if (take(&text, "github:") || take(&text, "gitlab:") || take(&text, "bitbucket:") ||
		 url_has_scheme(text) || url_is_scp(text) || is_shorthand(text))
		add_url(r, s, text);
	else
		reader_add(r, s->key, s->key_at)->version = text;
}

static struct err *add_member(struct reader *r, const char *in, const struct val *m)
{
	struct spec s = {.key = m->key, .key_at = reader_key_span(r, m), .value = m};

	TRY(reader_want(r, m, VAL_STR, "%s.%.*s", in, STR_ARG(m->key)));
	add_spec(r, &s);
	return NULL;
}

/* npm takes an empty list for an empty object, as PHP writes one. */
static struct err *map_member(struct reader *r, const struct val *v, const char *in,
			      const char *key, struct val **out)
{
	const struct val *m = val_get(v, key);

	*out = NULL;
	return m && m->type == VAL_LIST && !m->n ? NULL
						 : reader_member(r, v, in, key, VAL_MAP, out);
}

/* A map of names and specifications, in v's member `key`. */
static struct err *section(struct reader *r, const struct val *v, const char *in, const char *key)
{
	struct val *map;

	TRY(map_member(r, v, in, key, &map));
	VAL_EACH(map, m)
		TRY(add_member(r, key, m));
	return NULL;
}

/* The specification that the top level gives the name, in the order in which npm looks. */
static const struct val *declared(const struct val *top, struct str name)
{
	static const char *const order[] = {"devDependencies", "optionalDependencies",
					    "dependencies", "peerDependencies"};

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		const struct val *v = val_get_key(val_get(top, order[i]), name);

		if (v && v->type == VAL_STR)
			return v;
	}
	return NULL;
}

static struct err *bundle(struct reader *r, const struct val *top, const char *key)
{
	const struct val *list = val_get(top, key);

	/* true bundles all that is declared, which is listed already. */
	if (!list || list->type == VAL_BOOL || list->type == VAL_NULL)
		return NULL;
	if (list->type != VAL_LIST)
		return reader_bad(r, list->at.from, "%s is %s, and must be a list or a boolean",
				  key, val_type_name(list->type));
	VAL_EACH(list, m) {
		struct spec s = {.key = m->s, .value = declared(top, m->s)};

		TRY(reader_want(r, m, VAL_STR, "an item of %s", key));
		s.key_at = reader_span(r, m->at, m->s, m->s);
		s.at = &s.key_at;
		if (s.value)
			add_spec(r, &s);
		else
			reader_add(r, m->s, s.key_at);
	}
	return NULL;
}

/* One package that gets another specification; the value may be "$name", a reference. */
static struct err * override(struct reader *r, const struct val *top, const char *in,
			     const struct val *m, struct str name, struct span at)
{
	struct spec s = {.key = name, .key_at = at, .value = m};
	struct span here;

	TRY(reader_want(r, m, VAL_STR, "%s.%.*s", in, STR_ARG(m->key)));
	if (m->s.n && m->s.p[0] == '$') {
		s.value = declared(top, str_sub(m->s, 1, m->s.n));
		here = reader_span(r, m->at, m->s, m->s);
		s.at = &here;
		if (!s.value) {
			reader_unresolved(r, m->s, here,
					  "it refers to a dependency that the file does not have");
			return NULL;
		}
	}
	add_spec(r, &s);
	return NULL;
}

static struct span part_of_key(struct reader *r, const struct val *m, struct str part)
{
	return reader_span(r, m->key_at, m->key, part);
}

/* npm's: a name selects, "." is the selected package itself, and maps nest. */
static struct err *overrides(struct reader *r, const struct val *top, const struct val *map,
			     struct str parent, struct span parent_at)
{
	VAL_EACH(map, m) {
		struct str name = parent, version;
		struct span at = parent_at;

		if (!str_is(m->key, ".")) {
			split_at(m->key, &name, &version);
			at = part_of_key(r, m, name);
		}
		if (m->type == VAL_MAP)
			TRY(overrides(r, top, m, name, at)); /* as deep as JSON may be */
		else if (name.n)
			TRY(override(r, top, "overrides", m, name, at));
	}
	return NULL;
}

/* yarn's: parent/child@version, any globs in between; the last is what is replaced. */
static struct str resolution_target(struct str key)
{
	size_t from = 0;

	while (from < key.n) {
		size_t i = from, end;

		if (key.p[i] == '@')
			i = str_find_char(key, '/', i);
		end = i == SIZE_MAX ? key.n : i + (key.p[from] == '@');
		while (end < key.n && key.p[end] != '/' && key.p[end] != '@')
			end++;
		i = str_find_char(key, '/', end);
		if (i == SIZE_MAX || i + 1 >= key.n)
			return str_sub(key, from, end);
		from = i + 1;
	}
	return key;
}

/* pnpm's: parent@version>child@version, where @> begins a range. */
static struct str pnpm_target(struct str key)
{
	struct str name, version;

	for (size_t i = 1; i + 1 < key.n; i++)
		if (key.p[i] == '>' && !strchr(" |@", key.p[i - 1])) {
			key = str_sub(key, i + 1, key.n);
			break;
		}
	split_at(key, &name, &version);
	return name;
}

static struct err *replacements(struct reader *r, const struct val *top, const struct val *v,
				const char *in, const char *key, struct str (*target)(struct str))
{
	struct val *map;

	TRY(map_member(r, v, in, key, &map));
	VAL_EACH(map, m) {
		struct str name = target(m->key);

		/* pnpm's "-" takes the package away. */
		if (m->type != VAL_STR || !str_is(m->s, "-"))
			TRY(override(r, top, key, m, name, part_of_key(r, m, name)));
	}
	return NULL;
}

/* bun's catalogs lie here or in workspaces; pnpm has a file of its own for them. */
static struct err *catalogs(struct reader *r, const struct val *v, const char *in)
{
	struct val *sets;

	TRY(section(r, v, in, "catalog"));
	TRY(map_member(r, v, in, "catalogs", &sets));
	VAL_EACH(sets, set) {
		TRY(reader_want(r, set, VAL_MAP, "catalogs.%.*s", STR_ARG(set->key)));
		VAL_EACH(set, m)
			TRY(add_member(r, "catalogs", m));
	}
	return NULL;
}

struct err *npm_manifest(struct reader *r)
{
	struct val *top, *map, *pnpm;
	const struct val *workspaces;

	TRY(reader_json(r, &top));
	TRY(section(r, top, "", "dependencies"));
	TRY(section(r, top, "", "devDependencies"));
	TRY(section(r, top, "", "peerDependencies"));
	TRY(section(r, top, "", "optionalDependencies"));
	TRY(bundle(r, top, "bundleDependencies"));
	TRY(bundle(r, top, "bundledDependencies"));
	TRY(map_member(r, top, "", "overrides", &map));
	TRY(overrides(r, top, map, STR(""), (struct span){0}));
	TRY(replacements(r, top, top, "", "resolutions", resolution_target));
	TRY(map_member(r, top, "", "pnpm", &pnpm));
	TRY(replacements(r, top, pnpm, "pnpm", "overrides", pnpm_target));
	TRY(catalogs(r, top, ""));
	workspaces = val_get(top, "workspaces");
	return workspaces && workspaces->type == VAL_MAP ? catalogs(r, workspaces, "workspaces")
							 : NULL;
}
