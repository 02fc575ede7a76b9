#include "deps/npm.h"

/*
 * Deno: imports of deno.json, jsr.json and import maps, and deno.lock. The value of an import names
 * its package: npm:NAME@RANGE/FILE, jsr:@SCOPE/NAME@RANGE, or an address.
 */

/* Addresses behind which a package of npm stands, by its name. */
#define DENO_HOSTS                                                                                 \
	"https://esm.sh/|https://unpkg.com/|https://cdn.skypack.dev/|https://cdn.jsdelivr.net/npm/"

/* NAME[@VERSION][/FILE], with or without a scope; slices of s. */
static void deno_split(struct str s, struct str *name, struct str *version)
{
	size_t end = str_find_char(s, '/', 0);

	if (s.n && s.p[0] == '@' && end != SIZE_MAX)
		end = str_find_char(s, '/', end + 1);
	npm_split_at(str_sub(s, 0, end), name, version);
	*version = reader_until(*version, "?");
}

/* The part of the value that begins with the package's name; empty: it names none. */
static struct str deno_package(struct str value)
{
	size_t registry = reader_starts_with_any_of(value, "npm:/|npm:|jsr:/|jsr:|" DENO_HOSTS);

	return registry ? str_sub(value, registry, value.n) : STR("");
}

static struct err *deno_import(struct reader *r, const struct val *v)
{
	struct str key = v->key, name, version;
	struct dep *d;

	if (v->type == VAL_NULL)
		return NULL;
	TRY(reader_require_entry_type(r, v, VAL_STR));
	if (reader_starts_with_any_of(v->s, ".|/|node:|file:|data:"))
		return NULL;
	if (!deno_package(v->s).n) /* or it is a name that the same map has */
		return !url_has_scheme(v->s)
			       ? NULL
			       : reader_add_unresolved(
					 r, key, v->at,
					 "'%.*s' is an address, which does not name its package",
					 STR_ARG(str_sub(v->s, 0, 200)));
	deno_split(deno_package(v->s), &name, &version);
	if (str_ends(key, STR("/")))
		key.n--;
	d = reader_add_dep(r, name, reader_part_span(r, v, name));
	d->version = version;
	d->reach = DEPS_DIRECT;
	if (!str_eq(key, name) && !str_eq(key, v->s))
		d->written = key;
	return NULL;
}

/* The type of an option of the compiler has no other name. */
static struct err *deno_type(struct reader *r, const struct val *v)
{
	struct val named = *v;

	TRY(reader_require_entry_type(r, v, VAL_STR));
	named.key = v->s;
	return deno_import(r, &named);
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
	reader_set_locked_version(
		reader_add_dep(r, name, reader_string_part_span(r, v->key_at, v->key, name)),
		reader_until(version, "_"));
	return NULL;
}

static struct err *deno_registry(struct reader *r, const struct val *v)
{
	static const struct tree_row flat = {"{}", .read = deno_locked},
				     npm2 = {"packages{}", .read = deno_locked};
	/* Up to version 2 the packages of npm stand in a map of their own. */
	bool old = val_get(v, "packages") && val_get(v, "specifiers");

	return reader_read_deps_by_table(r, v, old ? &npm2 : &flat, 1);
}

static struct err *deno_remote(struct reader *r, const struct val *v)
{
	struct str name, version;

	if (!deno_package(v->key).n)
		return reader_add_unresolved(r, v->key, reader_key_span(r, v),
					     "an address, which does not name its package");
	deno_split(deno_package(v->key), &name, &version);
	reader_add_dep(r, name, reader_string_part_span(r, v->key_at, v->key, name))->version =
		version;
	return NULL;
}

TREE_READER(deno_lock, json, {"npm", .read = deno_registry}, {"jsr", .read = deno_registry},
	    {"packages.npm", .read = deno_registry}, /* version 3 */
	    {"packages.jsr", .read = deno_registry}, {"remote{}", .read = deno_remote})
