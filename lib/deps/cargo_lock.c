#include "deps/reader.h"

/*
 * Cargo.lock, versions 1 to 4. Packages without a source are folders of this project. They are
 * listed when another package depends on them; otherwise they are the project itself.
 */

/* "name", "name version" or "name version (source)" */
static struct err *cargo_lock_needed(struct reader *r, const struct val *v)
{
	TRY(tree_want(r, v, VAL_STR));
	if (!r->shared)
		r->shared = val_map(r->a);
	val_set_key(r->shared, str_sub(v->s, 0, str_find_char(v->s, ' ', 0)), val_null(r->a));
	return NULL;
}

static bool cargo_lock_is_project(struct reader *r, const struct val *v)
{
	return !val_get(v, "source") && !reader_find(r, r->shared, val_get_str(v, "name"));
}

TREE_READER(cargo_lock, toml,
	    /* the oldest form has the project in this member */
	    {"root.dependencies[]", .read = cargo_lock_needed},
	    {"package[].dependencies[]", .read = cargo_lock_needed},
	    {"package[]", .name = "name", .version = "version", .is = TREE_LOCKED | TREE_WHOLE,
	     .skip = cargo_lock_is_project})
