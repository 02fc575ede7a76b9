#include "deps/reader.h"
#include "toml/toml.h"

/* Cargo.toml. Every table of dependencies has the same form, wherever it stands. */

struct cargo {
	struct reader *r;
	/*
	 * workspace.dependencies, for "workspace = true": of the file itself, or of the nearest
	 * workspace above it, read on first use; NULL: unknown.
	 */
	const struct val *shared;
	bool looked;
};

static const struct val *renamed_package(const struct val *v)
{
	const struct val *p = val_get(v, "package");

	return p && p->type == VAL_STR ? p : NULL;
}

/* The version of a string or table; empty: none. */
static struct str version_of(const struct val *v)
{
	return v->type == VAL_STR ? v->s : val_get_str(v, "version");
}

/* Cargo uses the nearest Cargo.toml above with a table "workspace". */
static struct err *shared_above(struct cargo *c)
{
	struct reader *r = c->r;
	struct str folder = r->path;
	size_t slash;

	c->looked = true;
	while ((slash = str_rfind_char(folder, '/')) != SIZE_MAX && !c->shared) {
		struct str path, text;
		struct val *top;
		bool found;

		folder = str_sub(folder, 0, slash);
		slash = str_rfind_char(folder, '/');
		path = str_fmt(r->a, "%.*sCargo.toml",
			       STR_ARG(str_sub(folder, 0, slash == SIZE_MAX ? 0 : slash + 1)));
		TRY(reader_file(r, path, &text, &found));
		if (found && !toml_read(r->a, text, &top))
			c->shared = val_get(val_get(top, "workspace"), "dependencies");
	}
	return NULL;
}

static struct err *dependency(struct cargo *c, const struct val *v, const char *path)
{
	struct reader *r = c->r;
	const struct val *real, *from = v, *workspace = val_get(v, "workspace");
	struct val *member;
	struct dep *d;

	if (v->type != VAL_STR && v->type != VAL_MAP)
		return reader_bad(r, v->at.from, "%s.%.*s is %s, and must be a version or a table",
				  path, STR_ARG(v->key), val_type_name(v->type));
	TRY(reader_member(r, v, path, "package", VAL_STR, &member));
	TRY(reader_member(r, v, path, "version", VAL_STR, &member));
	if (workspace && workspace->type == VAL_BOOL && workspace->b) {
		const struct val *s;

		if (!c->shared && !c->looked)
			TRY(shared_above(c));
		s = reader_find(r, c->shared, v->key);

		if (s && (s->type == VAL_STR || s->type == VAL_MAP))
			from = s;
	}
	real = renamed_package(from);
	if (real && !str_eq(real->s, v->key)) {
		/*
		 * An inherited entry has its real name in the workspace's table, which is listed
		 * there.
		 */
		d = reader_add(r, real->s,
			       from == v ? reader_span(r, real->at, real->s, real->s)
					 : reader_key_span(r, v));
		d->written = v->key;
	} else {
		d = reader_add(r, v->key, reader_key_span(r, v));
	}
	d->version = version_of(from);
	return NULL;
}

static struct err *read_dependencies(struct cargo *c, const struct val *v, const char *in,
				     const char *key)
{
	struct val *map;
	struct buf path = buf_max(c->r->a, 256);

	TRY(reader_member(c->r, v, in, key, VAL_MAP, &map));
	if (!map)
		return NULL;
	buf_fmt(&path, "%s%s%s", in, *in ? "." : "", key);
	VAL_EACH(map, m)
		TRY(dependency(c, m, buf_c(&path)));
	return NULL;
}

/* The three kinds of dependencies, with the older spelling that Cargo still reads. */
static struct err *read_tables(struct cargo *c, const struct val *v, const char *in)
{
	static const char *const keys[] = {"dependencies", "dev-dependencies", "dev_dependencies",
					   "build-dependencies", "build_dependencies"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		TRY(read_dependencies(c, v, in, keys[i]));
	return NULL;
}

static struct err *cargo_each(struct cargo *c, const struct val *top, const char *key,
			      struct err *(*fn)(struct cargo *, const struct val *, const char *))
{
	struct val *map;

	TRY(reader_member(c->r, top, "", key, VAL_MAP, &map));
	VAL_EACH(map, m) {
		struct buf path = buf_max(c->r->a, 256);

		buf_fmt(&path, "%s.%.*s", key, STR_ARG(m->key));
		TRY(reader_want(c->r, m, VAL_MAP, "%s", buf_c(&path)));
		TRY(fn(c, m, buf_c(&path)));
	}
	return NULL;
}

/* [patch.REGISTRY]: names as in a table of dependencies. */
static struct err *read_patches(struct cargo *c, const struct val *v, const char *path)
{
	VAL_EACH(v, m)
		TRY(dependency(c, m, path));
	return NULL;
}

/* [replace]: "NAME:VERSION", or a whole package id "URL#NAME@VERSION". */
static struct err *cargo_replaced(struct cargo *c, const struct val *v, const char *path)
{
	struct reader *r = c->r;
	struct str id = v->key, name;
	size_t hash = str_rfind_char(id, '#'), end = 0;
	struct dep *d;

	(void)path;
	if (hash != SIZE_MAX)
		id = str_sub(id, hash + 1, id.n);
	while (end < id.n && id.p[end] != ':' && id.p[end] != '@')
		end++;
	name = str_sub(id, 0, end);
	d = reader_add(r, name, reader_span(r, v->key_at, v->key, name));
	if (end < id.n) {
		d->version = str_sub(id, end + 1, id.n);
		d->locked = true;
	}
	return NULL;
}

/* .cargo/config.toml: patches, and folders whose packages replace others of the same name. */
struct err *cargo_config(struct reader *r)
{
	struct cargo c = {.r = r, .looked = true};
	struct val *top, *paths;

	TRY(reader_toml(r, &top));
	TRY(reader_member(r, top, "", "paths", VAL_LIST, &paths));
	VAL_EACH(paths, v) {
		TRY(reader_want(r, v, VAL_STR, "an item of paths"));
		reader_unresolved(r, v->s, reader_span(r, v->at, v->s, v->s),
				  "the packages of this folder replace others, and ikm does not "
				  "list them");
	}
	return cargo_each(&c, top, "patch", read_patches);
}

static void cargo_rust(struct reader *r, const struct val *package)
{
	const struct val *v = val_get(package, "rust-version");

	if (v && v->type == VAL_STR)
		reader_runtime(r, STR("rust"), v->key, v->s, reader_key_span(r, v));
}

struct err *cargo_manifest(struct reader *r)
{
	struct cargo c = {.r = r};
	struct val *top, *workspace;

	TRY(reader_toml(r, &top));
	TRY(reader_member(r, top, "", "workspace", VAL_MAP, &workspace));
	c.shared = val_get(workspace, "dependencies");
	c.looked = workspace;
	cargo_rust(r, val_get(top, "package"));
	cargo_rust(r, val_get(workspace, "package"));
	TRY(read_tables(&c, top, ""));
	TRY(cargo_each(&c, top, "target", read_tables));
	TRY(read_dependencies(&c, workspace, "workspace", "dependencies"));
	TRY(cargo_each(&c, top, "patch", read_patches));
	return cargo_each(&c, top, "replace", cargo_replaced);
}
