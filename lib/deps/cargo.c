#include "deps/reader.h"
#include "toml/toml.h"

/* Cargo.toml. Every table of dependencies has the same form, wherever it stands. */

/*
 * workspace.dependencies, for "workspace = true": of the file itself, or of the nearest Cargo.toml
 * above with a table "workspace". Read on first use.
 */
static struct err *cargo_shared(struct reader *r, const struct val **out)
{
	struct str folder = r->path, text;
	struct val *top;
	bool found = false;

	*out = reader_get(r->top, "workspace.dependencies");
	if (*out || val_get(r->top, "workspace") || r->shared) {
		*out = *out ? *out : r->shared;
		return NULL;
	}
	reader_up(&folder);
	while (!r->shared && reader_up(&folder)) {
		TRY(reader_file(r, reader_inside(r, folder, "Cargo.toml"), &text, &found));
		if (found && !toml_read(r->a, text, &top))
			r->shared = val_get(val_get(top, "workspace"), "dependencies");
	}
	if (!r->shared)
		r->shared = val_map(r->a);
	*out = r->shared;
	return NULL;
}

static struct err *cargo_dependency(struct reader *r, const struct val *v)
{
	static const struct tree_row entry = {"", .version = "version", .real = "package",
					      .is = TREE_TEXT};
	const struct val *workspace = val_get(v, "workspace"), *shared, *real;
	struct val *package;
	struct dep *d;

	TRY(reader_member(r, v, r->in, "package", VAL_STR, &package));
	TRY(tree_rows(r, v, &entry, 1));
	if (!workspace || workspace->type != VAL_BOOL || !workspace->b)
		return NULL;
	TRY(cargo_shared(r, &shared));
	shared = reader_find(r, shared, v->key);
	if (!shared || (shared->type != VAL_STR && shared->type != VAL_MAP))
		return NULL;
	/* An inherited entry has its real name in the workspace's table, which is listed there. */
	d = &r->out->p[r->out->n - 1];
	real = reader_get_str(shared, "package");
	reader_rename(r, d, real ? real->s : v->key, reader_key_span(r, v));
	if (str_eq(d->name, v->key))
		d->written = STR("");
	d->version = shared->type == VAL_STR ? shared->s : val_get_str(shared, "version");
	return NULL;
}

/* The three kinds of dependencies, with the older spelling that Cargo still reads. */
#define CARGO_TABLES(at)                                                                           \
	{at "dependencies{}", .read = cargo_dependency},                                           \
		{at "dev-dependencies{}", .read = cargo_dependency},                               \
		{at "dev_dependencies{}", .read = cargo_dependency},                               \
		{at "build-dependencies{}", .read = cargo_dependency},                             \
	{                                                                                          \
		at "build_dependencies{}", .read = cargo_dependency                                \
	}

/* [replace]: "NAME:VERSION", or a whole package id "URL#NAME@VERSION". */
static struct err *cargo_replaced(struct reader *r, const struct val *v)
{
	struct str id = v->key, name;
	size_t end = 0;
	struct dep *d;

	TRY(tree_want(r, v, VAL_MAP));
	id = str_sub(id, str_rfind_char(id, '#') + 1, id.n);
	while (end < id.n && id.p[end] != ':' && id.p[end] != '@')
		end++;
	name = str_sub(id, 0, end);
	d = reader_add(r, name, reader_span(r, v->key_at, v->key, name));
	d->version = str_sub(id, end + 1, id.n);
	d->locked = end < id.n;
	return NULL;
}

/* Folders whose packages replace others of the same name. */
static struct err *cargo_path(struct reader *r, const struct val *v)
{
	TRY(tree_want(r, v, VAL_STR));
	reader_unresolved(r, v->s, reader_span(r, v->at, v->s, v->s),
			  "the packages of this folder replace others, and ikm does not list them");
	return NULL;
}

static struct err *cargo_rust(struct reader *r, const struct val *v)
{
	if (v->type == VAL_STR)
		reader_runtime(r, STR("rust"), v->key, v->s, reader_key_span(r, v));
	return NULL;
}

TREE_READER(cargo_manifest, toml, {"package.rust-version", .read = cargo_rust},
	    {"workspace.package.rust-version", .read = cargo_rust}, CARGO_TABLES(""),
	    CARGO_TABLES("target{}."), {"workspace.dependencies{}", .read = cargo_dependency},
	    {"patch{}{}", .read = cargo_dependency}, {"replace{}", .read = cargo_replaced})

/* .cargo/config.toml */
TREE_READER(cargo_config, toml, {"paths[]", .read = cargo_path},
	    {"patch{}{}", .read = cargo_dependency})
