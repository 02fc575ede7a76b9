/*
 * backend: what keeps content under paths. Everything above (ranges, edit, append, patch, hash,
 * search) is written once, on these functions; a new backend is one new file and a row in ref.c.
 */
#ifndef IKM_FILE_BACKEND_H
#define IKM_FILE_BACKEND_H

#include "file/file.h"

/* HALF: neither as before nor as it is to be. Its event stays open, and undo puts it back. */
enum file_outcome { FILE_NOT_DONE, FILE_DONE, FILE_HALF };

struct backend {
	const char *name; /* "file", "asset": the entity of its events */
	/* What is not there is success with OS_NONE. */
	struct err *(*stat)(struct files *f, struct str path, struct file_stat *out);
	/* NULL, or the way to read in pieces. */
	struct err *(*open)(struct files *f, struct str path, int *fd);
	/* Whole. FILE_NOT_FOUND or NO_SUCH_ASSET; TOO_BIG over max. */
	struct err *(*read)(struct files *f, struct arena *a, struct str path, size_t max,
			    struct str *out);
	/* Locks every item of this backend. What it holds is released when c->a ends. */
	struct err *(*lock)(struct file_change *c);
	/* Says what is there now. */
	struct err *(*look)(struct file_change *c, struct file_item *it);
	/* Whether the step would be refused: what is refused is no event. */
	struct err *(*check)(struct file_change *c, const struct file_step *s);
	/* Does it. An error may come with FILE_DONE: it is in place, but perhaps not durable. */
	struct err *(*put)(struct file_change *c, struct file_step *s, enum file_outcome *out);
	/* Makes all that was put durable. NULL: it is already. */
	struct err *(*finish)(struct file_change *c);
	/* What is below a folder, for list, glob and search. */
	struct err *(*tree)(struct files *f, struct str path, const struct file_walk *w,
			    struct tree **out);
	/* With its parents; what is there is fine. Assets have no folders: success. */
	struct err *(*mkdir)(struct files *f, struct str path, bool *made);
};

extern const struct backend backend_fs, backend_asset;

/* walk.c: the tree of each. */
struct err *backend_fs_tree(struct files *f, struct str path, const struct file_walk *w,
			    struct tree **out) MUST_USE;
struct err *backend_asset_tree(struct files *f, struct str path, const struct file_walk *w,
			       struct tree **out) MUST_USE;

#endif
