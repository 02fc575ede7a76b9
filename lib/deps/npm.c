#include "deps/npm_spec.h"

/* In YAML an unquoted specification may be a number. */
static struct err *npm_add(struct reader *r, const struct npm_spec *s, const char *in)
{
	const struct val *v = s->value;

	if (v->type != VAL_NUM || !v->plain)
		TRY(reader_want(r, v, VAL_STR, "%s.%.*s", in, STR_ARG(v->key)));
	return npm_spec_add(r, s);
}

static struct err *add_member(struct reader *r, const char *in, const struct val *m)
{
	struct npm_spec s = {.key = m->key, .key_at = reader_key_span(r, m), .value = m};

	return npm_add(r, &s, in);
}

/* npm accepts an empty list for an empty object; PHP writes it so. */
static struct err *map_member(struct reader *r, const struct val *v, const char *in,
			      const char *key, struct val **out)
{
	const struct val *m = val_get(v, key);

	*out = NULL;
	return m && m->type == VAL_LIST && !m->n ? NULL
						 : reader_member(r, v, in, key, VAL_MAP, out);
}

/* A map of names and specifications: member `key` of v. */
static struct err *npm_section(struct reader *r, const struct val *v, const char *in,
			       const char *key)
{
	struct val *map;

	TRY(map_member(r, v, in, key, &map));
	VAL_EACH(map, m)
		TRY(add_member(r, key, m));
	return NULL;
}

/* The top-level specification of the name, searched in npm's order. */
static const struct val *is_declared(struct reader *r, const struct val *top, struct str name)
{
	static const char *const order[] = {"devDependencies", "optionalDependencies",
					    "dependencies", "peerDependencies"};

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		const struct val *v = reader_find(r, reader_find(r, top, str_of(order[i])), name);

		if (v && v->type == VAL_STR)
			return v;
	}
	return NULL;
}

static struct err *read_bundle(struct reader *r, const struct val *top, const char *key)
{
	const struct val *list = val_get(top, key);

	/* true bundles all declared packages, which are listed already. */
	if (!list || list->type == VAL_BOOL || list->type == VAL_NULL)
		return NULL;
	if (list->type != VAL_LIST)
		return reader_bad(r, list->at.from, "%s is %s, and must be a list or a boolean",
				  key, val_type_name(list->type));
	VAL_EACH(list, m) {
		struct npm_spec s = {.key = m->s, .value = is_declared(r, top, m->s)};

		TRY(reader_want(r, m, VAL_STR, "an item of %s", key));
		s.key_at = reader_span(r, m->at, m->s, m->s);
		s.at = &s.key_at;
		if (s.value)
			TRY(npm_spec_add(r, &s));
		else
			reader_add(r, m->s, s.key_at);
	}
	return NULL;
}

/* One package with another specification; the value may be "$name", a reference. */
static struct err *read_override(struct reader *r, const struct val *top, const char *in,
				 const struct val *m, struct str name, struct span at)
{
	struct npm_spec s = {.key = name, .key_at = at, .value = m};
	struct span here;

	if (m->type == VAL_STR && m->s.n && m->s.p[0] == '$') {
		s.value = is_declared(r, top, str_sub(m->s, 1, m->s.n));
		here = reader_span(r, m->at, m->s, m->s);
		s.at = &here;
		if (!s.value) {
			reader_unresolved(
				r, m->s, here,
				"it refers to a dependency that the file does not declare");
			return NULL;
		}
	}
	return npm_add(r, &s, in);
}

static struct span part_of_key(struct reader *r, const struct val *m, struct str part)
{
	return reader_span(r, m->key_at, m->key, part);
}

/* npm's overrides: a name selects a package, "." is the selected package itself, and maps nest. */
static struct err *npm_read_overrides(struct reader *r, const struct val *top,
				      const struct val *map, struct str parent,
				      struct span parent_at)
{
	VAL_EACH(map, m) {
		struct str name = parent, version;
		struct span at = parent_at;

		if (!str_is(m->key, ".")) {
			npm_split_at(m->key, &name, &version);
			at = part_of_key(r, m, name);
		}
		if (m->type == VAL_MAP)
			TRY(npm_read_overrides(r, top, m, name, at)); /* JSON limits the depth */
		else if (name.n)
			TRY(read_override(r, top, "overrides", m, name, at));
	}
	return NULL;
}

/* yarn: parent/child@version, with globs between; the last part is replaced. */
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

/* pnpm: parent@version>child@version, where @> begins a range. */
static struct str pnpm_target(struct str key)
{
	struct str name, version;

	for (size_t i = 1; i + 1 < key.n; i++)
		if (key.p[i] == '>' && !strchr(" |@", key.p[i - 1])) {
			key = str_sub(key, i + 1, key.n);
			break;
		}
	npm_split_at(key, &name, &version);
	return name;
}

static struct err *npm_replacements(struct reader *r, const struct val *top, const struct val *v,
				    const char *in, const char *key,
				    struct str (*target)(struct str))
{
	struct val *map;

	TRY(map_member(r, v, in, key, &map));
	VAL_EACH(map, m) {
		struct str name = target(m->key);

		/* pnpm: "-" removes the package. */
		if (m->type != VAL_STR || !str_is(m->s, "-"))
			TRY(read_override(r, top, key, m, name, part_of_key(r, m, name)));
	}
	return NULL;
}

/* Catalogs resolve "catalog:". pnpm has them in a file of their own, bun in package.json. */
static struct err *read_catalogs(struct reader *r, const struct val *v, const char *in)
{
	struct val *sets;

	TRY(npm_section(r, v, in, "catalog"));
	TRY(map_member(r, v, in, "catalogs", &sets));
	VAL_EACH(sets, set) {
		TRY(reader_want(r, set, VAL_MAP, "catalogs.%.*s", STR_ARG(set->key)));
		VAL_EACH(set, m)
			TRY(add_member(r, "catalogs", m));
	}
	return NULL;
}

/* Packages with more dependencies than their own manifests declare. */
static struct err *npm_read_extensions(struct reader *r, const struct val *v, const char *in)
{
	struct val *map;

	TRY(map_member(r, v, in, "packageExtensions", &map));
	VAL_EACH(map, m) {
		TRY(reader_want(r, m, VAL_MAP, "packageExtensions.%.*s", STR_ARG(m->key)));
		TRY(npm_section(r, m, "packageExtensions", "dependencies"));
		TRY(npm_section(r, m, "packageExtensions", "optionalDependencies"));
		TRY(npm_section(r, m, "packageExtensions", "peerDependencies"));
	}
	return NULL;
}

/* pnpm's settings, in package.json or in pnpm-workspace.yaml. */
static struct err *read_settings(struct reader *r, const struct val *top, const struct val *v,
				 const char *in)
{
	struct val *map;

	TRY(npm_replacements(r, top, v, in, "overrides", pnpm_target));
	TRY(npm_read_extensions(r, v, in));
	TRY(map_member(r, v, in, "configDependencies", &map));
	VAL_EACH(map, m) {
		/*
		 * The version, followed by a plus and the hash of the archive; or an object with
		 * both.
		 */
		struct dep *d = reader_add(r, m->key, reader_key_span(r, m));

		d->version = m->type == VAL_STR ? str_sub(m->s, 0, str_find_char(m->s, '+', 0))
						: val_get_str(m, "version");
		d->locked = d->version.n > 0;
	}
	return NULL;
}

/* "engines": npm only warns of values of other types, and so they list nothing. */
static void npm_engines(struct reader *r, const struct val *top)
{
	const struct val *engines = val_get(top, "engines");

	if (engines && engines->type == VAL_MAP)
		VAL_EACH(engines, m)
			if (m->type == VAL_STR)
				reader_runtime(r, m->key, STR(""), m->s, reader_key_span(r, m));
}

/* "packageManager": "pnpm@9.1.0+sha512.…" */
static void npm_package_manager(struct reader *r, const struct val *top)
{
	const struct val *v = val_get(top, "packageManager");
	struct str name, version;

	if (!v || v->type != VAL_STR)
		return;
	npm_split_at(v->s, &name, &version);
	version = str_sub(version, 0, str_find_char(version, '+', 0));
	if (name.n)
		reader_runtime(r, name, STR("packageManager"), version,
			       reader_span(r, v->at, v->s, name))
			->locked = version.n > 0;
}

/* "devEngines": {runtime, packageManager: {name, version}, or a list of these} */
static void npm_dev_engines(struct reader *r, const struct val *v)
{
	const struct val *name = val_get(v, "name");

	if (v && (v->type == VAL_LIST || (v->type == VAL_MAP && !name)))
		VAL_EACH(v, m)
			npm_dev_engines(r, m); /* JSON limits the depth */
	else if (name && name->type == VAL_STR && name->s.n)
		reader_runtime(r, name->s, STR(""), val_get_str(v, "version"),
			       reader_span(r, name->at, name->s, name->s));
}

static struct err *npm_project(struct reader *r, struct val *top)
{
	struct val *map, *pnpm;
	const struct val *workspaces;

	r->top = top;
	TRY(npm_section(r, top, "", "dependencies"));
	TRY(npm_section(r, top, "", "devDependencies"));
	TRY(npm_section(r, top, "", "peerDependencies"));
	TRY(npm_section(r, top, "", "optionalDependencies"));
	TRY(read_bundle(r, top, "bundleDependencies"));
	TRY(read_bundle(r, top, "bundledDependencies"));
	TRY(map_member(r, top, "", "overrides", &map));
	TRY(npm_read_overrides(r, top, map, STR(""), (struct span){0}));
	TRY(npm_replacements(r, top, top, "", "resolutions", resolution_target));
	TRY(map_member(r, top, "", "pnpm", &pnpm));
	TRY(read_settings(r, top, pnpm, "pnpm"));
	TRY(read_catalogs(r, top, ""));
	npm_engines(r, top);
	npm_package_manager(r, top);
	npm_dev_engines(r, val_get(top, "devEngines"));
	workspaces = val_get(top, "workspaces");
	return workspaces && workspaces->type == VAL_MAP
		       ? read_catalogs(r, workspaces, "workspaces")
		       : NULL;
}

struct err *npm_manifest(struct reader *r)
{
	struct val *top;

	TRY(reader_json(r, &top));
	return npm_project(r, top);
}

/* package.yaml of pnpm. hpack of Haskell has a file of that name, with other members. */
struct err *npm_yaml(struct reader *r)
{
	struct val *top;
	const struct val *list;

	TRY(reader_yaml(r, &top));
	list = val_get(top, "dependencies");
	if ((list && list->type == VAL_LIST) || val_get(top, "ghc-options") ||
	    val_get(top, "library") || val_get(top, "executables")) {
		reader_unresolved(r, STR(""), (struct span){0, 0},
				  "it is a manifest of hpack, which ikm does not read");
		return NULL;
	}
	return npm_project(r, top);
}

/* Catalogs and packageExtensions: of pnpm-workspace.yaml, and of .yarnrc.yml. */
struct err *pnpm_workspace(struct reader *r)
{
	struct val *top;

	TRY(reader_yaml(r, &top));
	r->top = top;
	TRY(read_catalogs(r, top, ""));
	return read_settings(r, top, top, "");
}
