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

/* ---- what edit.c, ends.c and near.c share ---- */

/* Gives both texts the line ends of the content, where they were typed with others. */
void file_edit_in_kind(struct arena *a, struct str content, struct file_edit *edit,
		       struct file_edited *done);
/* Sets done->mixed: of a result that `new` was put into. */
void file_check_mixed(struct str out, struct str new, bool exact, struct file_edited *done);
/*
 * NO_SUCH_TEXT. Details: nearestLine and nearest, the raw line of the content that differs first;
 * oldLine and wanted, the line of the old text that it was compared with; differs, in words.
 */
struct err *file_no_such_text(struct arena *a, struct str content, struct str old) MUST_USE;

/* ---- what patch.c and patchname.c share ---- */

struct patch_file;
/*
 * Where a section of a diff reads and writes: different for renames and copies only. BAD_PATCH when
 * it names none, OUTSIDE_ROOTS for names that leave the current folder or mean .git.
 */
struct err *file_patch_names(struct files *f, const struct patch_file *s, int strip, bool reverse,
			     struct str *from, struct str *to) MUST_USE;

#endif
