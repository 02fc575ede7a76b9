#include "deps/npm.h"
#include "json/json.h"
#include "yaml/yaml.h"

/*
 * package.json and its like: the specifications of npm, yarn, pnpm and bun; and catalogs, which
 * pnpm has in pnpm-workspace.yaml, yarn in .yarnrc.yml, bun in package.json, each at the top of the
 * workspace. So ikm searches from the manifest's folder upwards.
 */

/* ---- catalogs ---- */

static const struct val *catalog_in(struct reader *r, const struct val *v, struct str catalog,
				    struct str package)
{
	const struct val *set = NULL, *named;

	if (!catalog.n || str_is(catalog, "default"))
		set = reader_find_map_member(r, reader_find_map_member(r, v, STR("catalog")),
					     package);
	if (set)
		return reader_is_text(set) ? set : NULL;
	named = reader_find_map_member(r, reader_find_map_member(r, v, STR("catalogs")),
				       catalog.n ? catalog : STR("default"));
	set = reader_find_map_member(r, named, package);
	return set && reader_is_text(set) ? set : NULL;
}

/* The files of each folder from the manifest's upwards; one that does not parse has no catalogs. */
static struct err *catalogs_load(struct reader *r)
{
	static const char *const names[] = {"pnpm-workspace.yaml", ".yarnrc.yml", "package.json"};
	struct str folder = r->path, path, text;
	struct val *top;
	bool found;

	r->loaded = true;
	*VEC_PUSH(r->a, &r->catalogs) = r->top;
	while (reader_path_to_parent_folder(&folder))
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			path = reader_join_path(r, folder, names[i]);
			if (str_eq(path, r->path))
				continue;
			TRY(reader_read_other_file(r, path, &text, &found));
			if (found && !(i < 2 ? yaml_read(r->a, text, STR(""), 0, &top)
					     : json_read(r->a, text, NULL, &top)))
				*VEC_PUSH(r->a, &r->catalogs) = top;
		}
	return NULL;
}

/* ---- specifications ---- */

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
	return reader_part_span(r, s->value, part);
}

/* Lists the package `name` of the value, which may equal the key. */
static struct dep *spec_real(struct reader *r, const struct npm_spec *s, struct str name)
{
	struct dep *d;

	if (!name.n || str_eq(name, s->key))
		return reader_add_dep(r, s->key, s->key_at);
	d = reader_add_dep(r, name, spec_span(r, s, name));
	d->written = s->key;
	return d;
}

static struct err *spec_unknown(struct reader *r, const struct npm_spec *s, const char *why)
{
	return reader_add_unresolved(r, s->key, spec_span(r, s, s->value->s), "'%.*s' %s",
				     STR_ARG(str_sub(s->value->s, 0, 200)), why);
}

void npm_split_at(struct str s, struct str *name, struct str *version)
{
	reader_split_at(s, '@', 1, name, version);
}

static struct err *spec_alias(struct reader *r, const struct npm_spec *s, struct str rest)
{
	struct str name, version;
	struct deps_range *range;

	npm_split_at(str_trim(rest), &name, &version);
	/* yarn also writes plain ranges as npm:^1.0. */
	if (!version.n && (str_is(name, "latest") || !deps_range_new(r->a, DEPS_NPM, name, &range)))
		reader_add_dep(r, s->key, s->key_at)->version = name;
	else
		spec_real(r, s, name)->version = version;
	return NULL;
}

/*
 * The key may be any name, and the name of a repository or archive may differ from the package's.
 * So both names are listed, and the entry is unresolved when they differ.
 */
static struct err *spec_guess(struct reader *r, const struct npm_spec *s, struct str guess,
			      struct str version, const char *why)
{
	struct str base = str_base(s->key);

	reader_add_dep(r, s->key, s->key_at)->version = version;
	if (guess.n && !str_ieq(guess, base))
		spec_real(r, s, guess)->version = version;
	return spec_unknown(r, s, why);
}

/* Registries whose addresses, in lower case, name the package. */
static bool spec_is_registry(struct str url)
{
	size_t from = str_find(url, STR("://"), 0), to;
	struct str host;

	if (from == SIZE_MAX)
		return false;
	to = size_min(str_find_char(url, '/', from + 3), url.n);
	host = str_sub(url, from + 3, to);
	host = str_sub(host, str_rfind_char(host, '@') + 1, host.n);
	return reader_is_any_of_words(host,
				      "registry.npmjs.org|registry.npmjs.com|registry.yarnpkg.com|"
				      "npm.jsr.io|registry.npmmirror.com|registry.npm.taobao.org|"
				      "npm.pkg.github.com|npm.fontawesome.com");
}

static struct err *spec_url(struct reader *r, const struct npm_spec *s, struct str url)
{
	struct str name, version = {"", 0}, plain = url_decoded(r->a, url);
	size_t hash = str_find(url, STR("#semver:"), 0);

	if (url_npm_tarball(plain, &name, &version)) {
		reader_set_locked_version(spec_real(r, s, npm_full_name(plain, name, s->key)),
					  version);
		return spec_is_registry(str_lower(r->a, plain))
			       ? NULL
			       : spec_unknown(r, s,
					      "is an address outside the known registries, and may "
					      "give any package");
	}
	if (hash != SIZE_MAX)
		version = str_sub(url, hash + 8, url.n);
	return spec_guess(r, s, url_repo_name(plain), version,
			  "is an address, which does not name its package");
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

#define SPEC_ARCHIVES ".tgz|.tar.gz|.tar"

struct err *npm_package_json_name(struct reader *r, struct str path, struct str *name, bool *found)
{
	struct str whole, text;
	struct val *top;

	*found = false;
	*name = STR("");
	if (!reader_resolve_path(r, path, &whole))
		return NULL;
	TRY(reader_read_other_file(r, reader_join_path(r, whole, "package.json"), &text, found));
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

	path = reader_skip_prefix(path, "//");
	if (reader_suffix_word_length(path, SPEC_ARCHIVES))
		return spec_guess(r, s, url_repo_name(path), STR(""),
				  "is an archive, and ikm does not open it");
	TRY(npm_package_json_name(r, path, &name, &found));
	if (found) {
		spec_real(r, s, name);
		return NULL;
	}
	while (path.n && path.p[path.n - 1] == '/')
		path.n--;
	return spec_guess(r, s, url_repo_name(path), STR(""),
			  "is a folder without a package.json in the tree");
}

/* workspace:^1.0, workspace:*, workspace:other@^1.0, workspace:../folder */
static struct err *spec_workspace(struct reader *r, const struct npm_spec *s, struct str rest)
{
	struct str name, version;

	npm_split_at(rest, &name, &version);
	if (name.n < rest.n)
		spec_real(r, s, name)->version = version;
	else if (reader_starts_with_any_of(rest, "./|../"))
		return spec_local(r, s, rest);
	else if (reader_is_any_of_words(rest, "^|~") || str_holds(rest, "/"))
		reader_add_dep(r, s->key, s->key_at);
	else
		reader_add_dep(r, s->key, s->key_at)->version = rest;
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
	const struct val *v = NULL;

	if (!r->loaded)
		TRY(catalogs_load(r));
	rest = str_trim(rest);
	for (size_t i = 0; i < r->catalogs.n && !v; i++) {
		v = catalog_in(r, r->catalogs.p[i], rest, s->key);
		if (!v)
			v = catalog_in(
				r, reader_find_map_member(r, r->catalogs.p[i], STR("workspaces")),
				rest, s->key);
	}
	if (!v) {
		reader_add_dep(r, s->key, s->key_at);
		return spec_unknown(r, s, "refers to a catalog that the tree does not have");
	}
	inner.value = v;
	inner.at = &here;
	return spec_text(r, &inner, str_trim(v->s), true);
}

static struct err *spec_exec(struct reader *r, const struct npm_spec *s, struct str rest)
{
	(void)rest;
	reader_add_dep(r, s->key, s->key_at);
	return spec_unknown(r, s, "is a program that makes the package");
}

/* A gist has no name at all. */
static struct err *spec_gist(struct reader *r, const struct npm_spec *s, struct str rest)
{
	(void)rest;
	return spec_guess(r, s, STR(""), STR(""), "is an address, which does not name its package");
}

static const struct {
	const char *prefix; /* in any case */
	spec_fn *fn;
} spec_protocols[] = {
	{"npm:", spec_alias},     {"jsr:", spec_alias},       {"workspace:", spec_workspace},
	{"patch:", spec_patch},   {"catalog:", spec_catalog}, {"exec:", spec_exec},
	{"file:", spec_local},    {"link:", spec_local},      {"portal:", spec_local},
	{"github:", spec_url},    {"gitlab:", spec_url},      {"bitbucket:", spec_url},
	{"sourcehut:", spec_url}, {"gist:", spec_gist}};

static bool spec_is_path(struct str s)
{
	return reader_starts_with_any_of(s, ".|/|~/") ||
	       (s.n > 2 && s.p[1] == ':' && (s.p[2] == '/' || s.p[2] == '\\')) ||
	       reader_suffix_word_length(s, SPEC_ARCHIVES);
}

/* resolved: a catalog or a patch led here, and must not lead to another one. */
static struct err *spec_text(struct reader *r, const struct npm_spec *s, struct str text,
			     bool resolved)
{
	/* A fast test for plain ranges such as ^1.2, which nearly all values are. */
	if (text.n && text.p[0] && strchr("0123456789^~<>=*", text.p[0]) && !str_holds(text, "/") &&
	    !str_holds(text, ":") && !reader_suffix_word_length(text, SPEC_ARCHIVES)) {
		reader_add_dep(r, s->key, s->key_at)->version = text;
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(spec_protocols); i++) {
		struct str prefix = str_of(spec_protocols[i].prefix);
		bool again =
			spec_protocols[i].fn == spec_patch || spec_protocols[i].fn == spec_catalog;

		if (!(again && resolved) && str_ieq(str_sub(text, 0, prefix.n), prefix))
			return spec_protocols[i].fn(r, s, str_sub(text, prefix.n, text.n));
	}
	if (url_has_scheme(text) ||
	    ((url_is_scp(text) || spec_is_shorthand(text)) && !spec_is_path(text)))
		return spec_url(r, s, text);
	if (spec_is_path(text) || str_holds(text, "/"))
		return spec_local(r, s, text);
	reader_add_dep(r, s->key, s->key_at)->version = text;
	return str_holds(text, ":") ? spec_unknown(r, s, "begins with an unknown protocol") : NULL;
}

struct err *npm_spec_add(struct reader *r, const struct npm_spec *s)
{
	return spec_text(r, s, str_trim(s->value->s), false);
}

/* ---- package.json ---- */

static struct err *npm_add(struct reader *r, const struct npm_spec *s)
{
	if (!reader_is_text(s->value))
		TRY(reader_require_entry_type(r, s->value, VAL_STR));
	return npm_spec_add(r, s);
}

static struct err *npm_dependency(struct reader *r, const struct val *v)
{
	struct npm_spec s = {.key = v->key, .key_at = reader_key_span(r, v), .value = v};

	return npm_add(r, &s);
}

/* The top-level specification of the name, searched in npm's order. */
static const struct val *npm_declared(struct reader *r, struct str name)
{
	static const char *const order[] = {"devDependencies", "optionalDependencies",
					    "dependencies", "peerDependencies"};

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		const struct val *v = reader_find_map_member(
			r, reader_find_map_member(r, r->top, str_of(order[i])), name);

		if (v && v->type == VAL_STR)
			return v;
	}
	return NULL;
}

/* true bundles all declared packages, which are listed already. */
static struct err *npm_bundle(struct reader *r, const struct val *list)
{
	if (list->type == VAL_BOOL)
		return NULL;
	if (list->type != VAL_LIST)
		return reader_error_at(r, list->at.from,
				       "%s is %s, and must be a list or a boolean",
				       reader_entry_name(r, list), val_type_name(list->type));
	VAL_EACH(list, m) {
		struct npm_spec s = {.key = m->s, .value = npm_declared(r, m->s)};

		TRY(reader_require_type(r, m, VAL_STR, "an item of %s",
					reader_entry_name(r, list)));
		s.key_at = reader_val_span(r, m);
		s.at = &s.key_at;
		if (s.value)
			TRY(npm_spec_add(r, &s));
		else
			reader_add_dep(r, m->s, s.key_at);
	}
	return NULL;
}

/* One package with another specification; the value may be "$name", a reference. */
static struct err *npm_replace(struct reader *r, const struct val *m, struct str name,
			       struct span at)
{
	struct npm_spec s = {.key = name, .key_at = at, .value = m};
	struct span here;

	if (m->type == VAL_STR && m->s.n && m->s.p[0] == '$') {
		s.value = npm_declared(r, str_sub(m->s, 1, m->s.n));
		here = reader_val_span(r, m);
		s.at = &here;
		if (!s.value)
			return reader_add_unresolved(
				r, m->s, here,
				"it refers to a dependency that the file does not declare");
	}
	return npm_add(r, &s);
}

/* npm's overrides: a name selects a package, "." is the selected package itself, and maps nest. */
static struct err *npm_override_in(struct reader *r, const struct val *m, struct str name,
				   struct span at)
{
	struct str version;

	if (!str_is(m->key, ".")) {
		npm_split_at(m->key, &name, &version);
		at = reader_string_part_span(r, m->key_at, m->key, name);
	}
	if (m->type != VAL_MAP)
		return name.n ? npm_replace(r, m, name, at) : NULL;
	VAL_EACH(m, inner)
		TRY(npm_override_in(r, inner, name, at)); /* JSON limits the depth */
	return NULL;
}

static struct err *npm_override(struct reader *r, const struct val *v)
{
	return npm_override_in(r, v, STR(""), (struct span){0});
}

/* "-" removes the package. */
static struct err *npm_replacement(struct reader *r, const struct val *v, struct str name)
{
	return v->type == VAL_STR && str_is(v->s, "-")
		       ? NULL
		       : npm_replace(r, v, name,
				     reader_string_part_span(r, v->key_at, v->key, name));
}

/* yarn: parent/child@version, with globs between; the last part is replaced. */
static struct err *yarn_resolution(struct reader *r, const struct val *v)
{
	struct str key = v->key, name = key;
	size_t from = 0;

	while (from < key.n) {
		size_t i = from, end;

		if (key.p[i] == '@')
			i = str_find_char(key, '/', i);
		end = i == SIZE_MAX ? key.n : i + (key.p[from] == '@');
		while (end < key.n && key.p[end] != '/' && key.p[end] != '@')
			end++;
		name = str_sub(key, from, end);
		i = str_find_char(key, '/', end);
		if (i == SIZE_MAX || i + 1 >= key.n)
			break;
		from = i + 1;
	}
	return npm_replacement(r, v, name);
}

/* pnpm: parent@version>child@version, where @> begins a range. */
static struct err *pnpm_override(struct reader *r, const struct val *v)
{
	struct str key = v->key, name, version;

	for (size_t i = 1; i + 1 < key.n; i++)
		if (key.p[i] == '>' && !strchr(" |@", key.p[i - 1])) {
			key = str_sub(key, i + 1, key.n);
			break;
		}
	npm_split_at(key, &name, &version);
	return npm_replacement(r, v, name);
}

/* The version, followed by a plus and the hash of the archive; or an object with both. */
static struct err *pnpm_config(struct reader *r, const struct val *v)
{
	reader_set_locked_version(reader_add_dep_key(r, v), v->type == VAL_STR
								    ? reader_until(v->s, "+")
								    : val_get_str(v, "version"));
	return NULL;
}

/* Catalogs resolve "catalog:". pnpm has them in a file of their own, bun in package.json. */
#define NPM_CATALOGS                                                                               \
	{"catalog{}", .read = npm_dependency},                                                     \
	{                                                                                          \
		"catalogs{}{}", .read = npm_dependency                                             \
	}

/* In a list of folders there are no catalogs. */
static struct err *npm_workspaces(struct reader *r, const struct val *v)
{
	static const struct tree_row rows[] = {NPM_CATALOGS};

	return v->type == VAL_MAP ? reader_read_deps_by_table(r, v, rows, ARRAY_SIZE(rows)) : NULL;
}

/* pnpm's settings, in package.json or in pnpm-workspace.yaml. */
/* clang-format off */
TREE_TABLE(pnpm_settings,
	{"overrides{}", .read = pnpm_override},
	/* Packages with more dependencies than their own manifests declare. */
	{"packageExtensions{}.dependencies{}", .read = npm_dependency},
	{"packageExtensions{}.optionalDependencies{}", .read = npm_dependency},
	{"packageExtensions{}.peerDependencies{}", .read = npm_dependency},
	{"configDependencies{}", .read = pnpm_config})
/* clang-format on */

/* "engines": npm only warns of values of other types, and so they list nothing. */
static struct err *npm_engines(struct reader *r, const struct val *engines)
{
	VAL_EACH(engines->type == VAL_MAP ? engines : NULL, m)
		if (m->type == VAL_STR)
			reader_add_runtime(r, m->key, STR(""), m->s, reader_key_span(r, m));
	return NULL;
}

/* "packageManager": "pnpm@9.1.0+sha512.…" */
static struct err *npm_package_manager(struct reader *r, const struct val *v)
{
	struct str name, version;

	if (v->type != VAL_STR)
		return NULL;
	npm_split_at(v->s, &name, &version);
	if (name.n)
		reader_set_locked_version(reader_add_runtime(r, name, STR("packageManager"),
							     STR(""), reader_part_span(r, v, name)),
					  reader_until(version, "+"));
	return NULL;
}

/* "devEngines": {runtime, packageManager: {name, version}, or a list of these} */
static struct err *npm_dev_engines(struct reader *r, const struct val *v)
{
	const struct val *name = val_get(v, "name");

	if (v->type == VAL_LIST || (v->type == VAL_MAP && !name))
		VAL_EACH(v, m)
			TRY(npm_dev_engines(r, m)); /* JSON limits the depth */
	else if (name && name->type == VAL_STR && name->s.n)
		reader_add_runtime(r, name->s, STR(""), val_get_str(v, "version"),
				   reader_val_span(r, name));
	return NULL;
}

/* clang-format off */
TREE_TABLE(npm_project,
	{"dependencies{}", .read = npm_dependency},
	{"devDependencies{}", .read = npm_dependency},
	{"peerDependencies{}", .read = npm_dependency},
	{"optionalDependencies{}", .read = npm_dependency},
	{"bundleDependencies", .read = npm_bundle},
	{"bundledDependencies", .read = npm_bundle},
	{"overrides{}", .read = npm_override},
	{"resolutions{}", .read = yarn_resolution},
	{"pnpm", .read = pnpm_settings},
	NPM_CATALOGS,
	{"engines", .read = npm_engines},
	{"packageManager", .read = npm_package_manager},
	{"devEngines", .read = npm_dev_engines},
	{"workspaces", .read = npm_workspaces})
/* clang-format on */

TREE_READER(npm_manifest, json, {"", .read = npm_project})

/* package.yaml of pnpm. hpack of Haskell has a file of that name, with other members. */
static struct err *npm_or_hpack(struct reader *r, const struct val *top)
{
	const struct val *list = val_get(top, "dependencies");

	if ((list && list->type == VAL_LIST) || val_get(top, "ghc-options") ||
	    val_get(top, "library") || val_get(top, "executables"))
		return reader_add_unresolved(r, STR(""), (struct span){0, 0},
					     "it is a manifest of hpack, which ikm does not read");
	return npm_project(r, top);
}

TREE_READER(npm_yaml, yaml, {"", .read = npm_or_hpack})

/* Catalogs and packageExtensions: of pnpm-workspace.yaml, and of .yarnrc.yml. */
TREE_READER(pnpm_workspace, yaml, NPM_CATALOGS, {"", .read = pnpm_settings})
