/*
 * backend: the functions of a store that keeps contents under paths. All operations above (ranges,
 * edit, append, patch, hash, search) use only these functions. A new backend needs a new file, and
 * a case in lib/files/file/pick_backend.c and lib/files/file/apply_change.c.
 */
#pragma once

#include "file/file.h"
#include "match/match.h"

/*
 * HALF: the file is neither in its old state nor in its new one. Its event stays pending, and undo
 * restores the file.
 */
enum file_outcome { FILE_NOT_DONE, FILE_DONE, FILE_HALF };

struct backend {
	const char *name; /* "file", "asset": the entity of its events */
	/* A missing path is no error: its kind is OS_NONE. */
	struct err *(*stat)(struct files *f, struct str path, struct file_stat *out);
	/* Opens a file to read it in pieces. NULL: the backend cannot. */
	struct err *(*open)(struct files *f, struct str path, int *fd);
	/* Reads the whole content. Errors: FILE_NOT_FOUND or NO_SUCH_ASSET; TOO_BIG over max. */
	struct err *(*read)(struct files *f, struct arena *a, struct str path, size_t max,
			    struct str *out);
	/* Locks all items of this backend. The locks end with c->a. */
	struct err *(*lock)(struct file_change *c);
	/* Reads the present state of an item. */
	struct err *(*look)(struct file_change *c, struct file_item *it);
	/* Fails if the step would be refused. It runs before the event is recorded. */
	struct err *(*check)(struct file_change *c, const struct file_step *s);
	/*
	 * Does the step. An error with FILE_DONE: the change is in place, but perhaps not durable.
	 */
	struct err *(*put)(struct file_change *c, struct file_step *s, enum file_outcome *out);
	/* Makes all steps durable. NULL: put does that. */
	struct err *(*finish)(struct file_change *c);
	/* The tree below a folder, for list, glob and search. */
	struct err *(*tree)(struct files *f, struct str path, const struct file_walk *w,
			    struct tree **out);
	/*
	 * Makes a folder and its parents. An existing folder is no error. Assets have no folders,
	 * so nothing is made.
	 */
	struct err *(*mkdir)(struct files *f, struct str path, bool *made);
};

extern const struct backend backend_fs, backend_asset;

/* ---- what apply_change.c shares with patch.c and undo.c ---- */

/*
 * Asks the policies for the content that an undo of e writes: see restore() of struct file_policy.
 */
struct err *policy_undo_content(struct file_change *c, const struct event *e, struct str *out,
				bool *done) MUST_USE;
/* p NULL: there is no file. */
static inline bool file_content_differs(struct str a, struct str b)
{
	return !a.p != !b.p || !str_eq(a, b);
}
