#include "deps/npm_spec.h"

/*
 * Deno: imports of deno.json, jsr.json and import maps, and deno.lock. The value of an import names
 * its package: npm:NAME@RANGE/FILE, jsr:@SCOPE/NAME@RANGE, or an address.
 */

/* Addresses behind which a package of npm stands, by its name. */
static const char *const deno_hosts[] = {"https://esm.sh/", "https://unpkg.com/",
					 "https://cdn.skypack.dev/",
					 "https://cdn.jsdelivr.net/npm/"};

/* NAME[@VERSION][/FILE], with or without a scope; slices of s. */
static void deno_split(struct str s, struct str *name, struct str *version)
{
	size_t end = str_find_char(s, '/', 0), at;

	if (s.n && s.p[0] == '@' && end != SIZE_MAX)
		end = str_find_char(s, '/', end + 1);
	s = str_sub(s, 0, end);
	at = str_find_char(s, '@', 1);
	*name = str_sub(s, 0, at);
	*version = at == SIZE_MAX ? STR("") : str_sub(s, at + 1, s.n);
	*version = str_sub(*version, 0, str_find_char(*version, '?', 0));
}

/* The part of the value that begins with the package's name; false: it names none. */
static bool deno_package(struct str value, struct str *rest)
{
	if (str_starts(value, STR("npm:")) || str_starts(value, STR("jsr:"))) {
		*rest = str_sub(value, 4, value.n);
		if (str_starts(*rest, STR("/")))
			*rest = str_sub(*rest, 1, rest->n);
		return rest->n > 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(deno_hosts); i++)
		if (str_starts(value, str_of(deno_hosts[i]))) {
			*rest = str_sub(value, strlen(deno_hosts[i]), value.n);
			return rest->n > 0;
		}
	return false;
}

static bool deno_is_local(struct str value)
{
	return str_starts(value, STR(".")) || str_starts(value, STR("/")) ||
	       str_starts(value, STR("node:")) || str_starts(value, STR("file:")) ||
	       str_starts(value, STR("data:"));
}

static void deno_value(struct reader *r, struct str key, const struct val *v)
{
	struct str rest, name, version;
	struct dep *d;

	if (deno_is_local(v->s))
		return;
	if (!deno_package(v->s, &rest)) {
		if (url_has_scheme(v->s))
			reader_unresolved(r, key, v->at,
					  "'%.*s' is an address, which does not name its package",
					  STR_ARG(str_sub(v->s, 0, 200)));
		return; /* a name that the same map has */
	}
	deno_split(rest, &name, &version);
	if (str_ends(key, STR("/")))
		key.n--;
	d = reader_add(r, name, reader_span(r, v->at, v->s, name));
	d->version = version;
	d->reach = DEPS_DIRECT;
	if (!str_eq(key, name))
		d->written = key;
}

static struct err *deno_imports(struct reader *r, const struct val *top, const char *in)
{
	struct val *map;

	TRY(reader_member(r, top, in, "imports", VAL_MAP, &map));
	VAL_EACH(map, v) {
		if (v->type == VAL_NULL)
			continue;
		TRY(reader_want(r, v, VAL_STR, "imports.%.*s", STR_ARG(v->key)));
		deno_value(r, v->key, v);
	}
	return NULL;
}

struct err *deno_manifest(struct reader *r)
{
	struct val *top, *scopes, *options, *source, *types;

	TRY(reader_jsonc(r, &top));
	TRY(deno_imports(r, top, ""));
	TRY(reader_member(r, top, "", "scopes", VAL_MAP, &scopes));
	VAL_EACH(scopes, scope) {
		TRY(reader_want(r, scope, VAL_MAP, "scopes.%.*s", STR_ARG(scope->key)));
		VAL_EACH(scope, v) {
			TRY(reader_want(r, v, VAL_STR, "scopes.%.*s.%.*s", STR_ARG(scope->key),
					STR_ARG(v->key)));
			deno_value(r, v->key, v);
		}
	}
	TRY(reader_member(r, top, "", "compilerOptions", VAL_MAP, &options));
	TRY(reader_member(r, options, "compilerOptions", "jsxImportSource", VAL_STR, &source));
	if (source)
		deno_value(r, source->s, source);
	TRY(reader_member(r, options, "compilerOptions", "types", VAL_LIST, &types));
	VAL_EACH(types, v) {
		TRY(reader_want(r, v, VAL_STR, "an item of compilerOptions.types"));
		deno_value(r, v->s, v);
	}
	return NULL;
}

/* ---- deno.lock ---- */

/* "NAME@VERSION_PEER@VERSION": the packages of one registry. */
static struct err *deno_registry(struct reader *r, const struct val *top, const char *in,
				 const char *registry)
{
	struct val *map;

	TRY(reader_member(r, top, in, registry, VAL_MAP, &map));
	/* Up to version 2 the packages of npm stand in a map of their own. */
	if (val_get(map, "packages") && val_get(map, "specifiers"))
		map = val_get(map, "packages");
	VAL_EACH(map, v) {
		struct str name, version;
		struct dep *d;

		npm_split_at(v->key, &name, &version);
		d = reader_add(r, name, reader_span(r, v->key_at, v->key, name));
		d->version = str_sub(version, 0, str_find_char(version, '_', 0));
		d->locked = d->version.n > 0;
	}
	return NULL;
}

struct err *deno_lock(struct reader *r)
{
	struct val *top, *packages, *remote;

	TRY(reader_json(r, &top));
	TRY(deno_registry(r, top, "", "npm"));
	TRY(deno_registry(r, top, "", "jsr"));
	TRY(reader_member(r, top, "", "packages", VAL_MAP, &packages)); /* version 3 */
	TRY(deno_registry(r, packages, "packages", "npm"));
	TRY(deno_registry(r, packages, "packages", "jsr"));
	TRY(reader_member(r, top, "", "remote", VAL_MAP, &remote));
	VAL_EACH(remote, v) {
		struct str rest, name, version;

		if (deno_package(v->key, &rest)) {
			deno_split(rest, &name, &version);
			reader_add(r, name, reader_span(r, v->key_at, v->key, name))->version =
				version;
		} else {
			reader_unresolved(r, v->key, reader_key_span(r, v),
					  "an address, which does not name its package");
		}
	}
	return NULL;
}
