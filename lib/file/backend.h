/*
 * backend: what keeps content under paths. Everything above (ranges, edit, append, patch, hash,
 * search) is written once, on these functions; a new backend is one new file and a row in ref.c.
 */
#ifndef IKM_FILE_BACKEND_H
#define IKM_FILE_BACKEND_H

#include "file/file.h"

/* What is there now and what shall be: see file_change(). */
struct backend_change {
	const char *op;
	unsigned flags; /* enum os_write_flag: what the backend has no use for it ignores */
	/*
	 * Asked under the backend's lock or transaction, with the content as it is at that moment
	 * (NULL: nothing is there). new->p NULL: it shall go away. An error: nothing is done.
	 */
	struct err *(*fn)(void *ctx, struct arena *a, const struct str *old, struct str *new);
	/*
	 * Told under the same lock when fn's answer differs and may be written, as far as that can
	 * be known before; files also when only their mode does. where: the absolute path, or the
	 * URI. The modes are 0 where there is none, or it is not known yet. An error: nothing is
	 * done.
	 */
	struct err *(*begin)(void *ctx, struct arena *a, struct str where, const struct str *old,
			     uint32_t before_mode, uint32_t after_mode);
	/*
	 * Told behind begin: failed NULL, it is written. An error is for the backend to undo what
	 * it can. Transactions that are rolled back do not tell.
	 */
	struct err *(*end)(void *ctx, struct arena *a, const struct err *failed);
	void *ctx;
};
/*
 * For a move: begin is asked before it, end is told after it. begin NULL: nothing asks for the
 * content, so it is not read, however large it is.
 */
struct backend_move {
	const char *op;
	unsigned flags; /* OS_PARENTS, OS_BREAK_LINKS, OS_MODE */
	bool changes;   /* begin may give another content, so the file must be one to write to */
	/* new->p not NULL: the content is to be this afterwards. mode: as it is; 0: it has none. */
	struct err *(*begin)(void *ctx, struct arena *a, struct str from, struct str to,
			     struct str content, uint32_t mode, struct str *new);
	struct err *(*end)(void *ctx, struct arena *a, const struct err *failed);
	void *ctx;
	struct strs *warnings; /* in f->a: what of the file could not be kept */
};

struct backend {
	const char *name; /* "file", "asset": the entity of its events */
	/* What is not there is success with OS_NONE. */
	struct err *(*stat)(struct files *f, struct str path, struct file_stat *out);
	/* NULL, or the way to read in pieces. */
	struct err *(*open)(struct files *f, struct str path, int *fd);
	/* Whole. FILE_NOT_FOUND or NO_SUCH_ASSET; TOO_BIG over max. */
	struct err *(*read)(struct files *f, struct arena *a, struct str path, size_t max,
			    struct str *out);
	/*
	 * Read, ask, write: nobody else's change comes in between. Answers that differ in nothing
	 * are not written. warnings, in f->a: what of the file could not be kept.
	 */
	struct err *(*change)(struct files *f, struct str path, const struct backend_change *c,
			      struct strs *warnings);
	/* What is below a folder, for list, glob and search. */
	struct err *(*tree)(struct files *f, struct str path, const struct file_walk *w,
			    struct tree **out);
	/* With its parents; what is there is fine. Assets have no folders: success. */
	struct err *(*mkdir)(struct files *f, struct str path, bool *made);
	/* Within the backend. EXISTS when something is at `to`. */
	struct err *(*move)(struct files *f, struct str from, struct str to,
			    const struct backend_move *m);
};

extern const struct backend backend_fs, backend_asset;

/* walk.c: the tree of each. */
struct err *backend_fs_tree(struct files *f, struct str path, const struct file_walk *w,
			    struct tree **out) MUST_USE;
struct err *backend_asset_tree(struct files *f, struct str path, const struct file_walk *w,
			       struct tree **out) MUST_USE;

#endif
