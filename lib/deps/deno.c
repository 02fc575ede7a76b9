#include "deps/npm.h"

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
	size_t end = str_find_char(s, '/', 0);

	if (s.n && s.p[0] == '@' && end != SIZE_MAX)
		end = str_find_char(s, '/', end + 1);
	npm_split_at(str_sub(s, 0, end), name, version);
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

static struct err *deno_import(struct reader *r, const struct val *v)
{
	if (v->type == VAL_NULL)
		return NULL;
	TRY(tree_want(r, v, VAL_STR));
	deno_value(r, v->key, v);
	return NULL;
}

static struct err *deno_type(struct reader *r, const struct val *v)
{
	TRY(tree_want(r, v, VAL_STR));
	deno_value(r, v->s, v);
	return NULL;
}

TREE_READER(deno_manifest, jsonc, {"imports{}", .read = deno_import},
	    {"scopes{}{}", .read = deno_import},
	    {"compilerOptions.jsxImportSource", .read = deno_type},
	    {"compilerOptions.types[]", .read = deno_type})

/* ---- deno.lock ---- */

/* "NAME@VERSION_PEER@VERSION": the packages of one registry. */
static struct err *deno_locked(struct reader *r, const struct val *v)
{
	struct str name, version;

	npm_split_at(v->key, &name, &version);
	reader_lock(reader_add(r, name, reader_span(r, v->key_at, v->key, name)),
		    str_sub(version, 0, str_find_char(version, '_', 0)));
	return NULL;
}

static struct err *deno_registry(struct reader *r, const struct val *v)
{
	static const struct tree_row flat = {"{}", .read = deno_locked},
				     npm2 = {"packages{}", .read = deno_locked};
	/* Up to version 2 the packages of npm stand in a map of their own. */
	bool old = val_get(v, "packages") && val_get(v, "specifiers");

	return tree_rows(r, v, old ? &npm2 : &flat, 1);
}

static struct err *deno_remote(struct reader *r, const struct val *v)
{
	struct str rest, name, version;

	if (deno_package(v->key, &rest)) {
		deno_split(rest, &name, &version);
		reader_add(r, name, reader_span(r, v->key_at, v->key, name))->version = version;
	} else {
		reader_unresolved(r, v->key, reader_key_span(r, v),
				  "an address, which does not name its package");
	}
	return NULL;
}

TREE_READER(deno_lock, json, {"npm", .read = deno_registry}, {"jsr", .read = deno_registry},
	    {"packages.npm", .read = deno_registry}, /* version 3 */
	    {"packages.jsr", .read = deno_registry}, {"remote{}", .read = deno_remote})
