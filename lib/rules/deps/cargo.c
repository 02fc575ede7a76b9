#include "deps/reader.h"
#include "toml/toml.h"

/* Cargo.toml, where every table of dependencies has the same form, and Cargo.lock. */

static struct err *cargo_dependency(struct reader *r, const struct val *v)
{
	static const struct tree_row entry = {"", .version = "version", .real = "package",
					      .is = TREE_TEXT};
	const struct val *workspace = val_get(v, "workspace"), *shared, *real;
	struct val *package;
	struct dep *d;

	TRY(reader_get_member(r, v, r->in, "package", VAL_STR, &package));
	TRY(reader_read_deps_by_table(r, v, &entry, 1));
	if (!workspace || workspace->type != VAL_BOOL || !workspace->b)
		return NULL;
	if (!r->loaded) {
		const struct val *table = reader_get_path(r->top, "workspace.dependencies");
		struct str folder = r->path, text;
		struct val *top;
		bool found = val_get(r->top, "workspace");

		/*
		 * workspace.dependencies, for "workspace = true": of the file itself, or of the
		 * nearest Cargo.toml above with a table "workspace".
		 */
		r->loaded = true;
		reader_path_to_parent_folder(&folder);
		while (!table && !found && reader_path_to_parent_folder(&folder)) {
			TRY(reader_read_other_file(r, reader_join_path(r, folder, "Cargo.toml"),
						   &text, &found));
			if (found && !toml_read(r->a, text, &top))
				table = val_get(val_get(top, "workspace"), "dependencies");
			found = false;
		}
		VAL_EACH(table && table->type == VAL_MAP ? table : NULL, m)
			name_map_put(r->a, &r->shared, m->key, m);
	}
	shared = name_map_get(&r->shared, v->key);
	if (!shared || (shared->type != VAL_STR && shared->type != VAL_MAP))
		return NULL;
	/* An inherited entry has its real name in the workspace's table, which is listed there. */
	d = &r->out->p[r->out->n - 1];
	real = reader_get_str(shared, "package");
	reader_set_real_name(r, d, real ? real->s : v->key, reader_key_span(r, v));
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
	struct str id = str_sub(v->key, str_rfind_char(v->key, '#') + 1, v->key.n);
	struct str name = reader_until(id, ":@");

	TRY(reader_require_entry_type(r, v, VAL_MAP));
	reader_set_locked_version(
		reader_add_dep(r, name, reader_string_part_span(r, v->key_at, v->key, name)),
		str_sub(id, name.n + 1, id.n));
	return NULL;
}

/* Folders whose packages replace others of the same name. */
static struct err *cargo_path(struct reader *r, const struct val *v)
{
	TRY(reader_require_entry_type(r, v, VAL_STR));
	return reader_add_unresolved(
		r, v->s, reader_val_span(r, v),
		"the packages of this folder replace others, and ikm does not list them");
}

TREE_READER(cargo_manifest, toml, {"package.rust-version", .runtime = "rust"},
	    {"workspace.package.rust-version", .runtime = "rust"}, CARGO_TABLES(""),
	    CARGO_TABLES("target{}."), {"workspace.dependencies{}", .read = cargo_dependency},
	    {"patch{}{}", .read = cargo_dependency}, {"replace{}", .read = cargo_replaced})

/* .cargo/config.toml */
TREE_READER(cargo_config, toml, {"paths[]", .read = cargo_path},
	    {"patch{}{}", .read = cargo_dependency})

/*
 * Cargo.lock, versions 1 to 4. Packages without a source are folders of this project. They are
 * listed when another package depends on them; otherwise they are the project itself.
 */

/* "name", "name version" or "name version (source)" */
static struct err *cargo_lock_needed(struct reader *r, const struct val *v)
{
	TRY(reader_require_entry_type(r, v, VAL_STR));
	name_map_put(r->a, &r->shared, reader_until(v->s, " "), v);
	return NULL;
}

static bool cargo_lock_is_project(struct reader *r, const struct val *v)
{
	return !val_get(v, "source") && !name_map_get(&r->shared, val_get_str(v, "name"));
}

TREE_READER(cargo_lock, toml,
	    /* the oldest form has the project in this member */
	    {"root.dependencies[]", .read = cargo_lock_needed},
	    {"package[].dependencies[]", .read = cargo_lock_needed},
	    {"package[]", .name = "name", .version = "version", .is = TREE_LOCKED | TREE_WHOLE,
	     .skip = cargo_lock_is_project})
