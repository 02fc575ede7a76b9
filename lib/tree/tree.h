/*
 * tree: a set of files by path, wherever it lies: an index, a commit, a working tree, a folder, or
 * files given as input. What judges content asks a tree and cannot tell which kind it is.
 *
 * Paths are bytes, relative to the top, parts separated by "/", without "." and "..".
 * Trees are read-only; tree_read may be called by several threads, the rest by one.
 */
#ifndef IKM_TREE_H
#define IKM_TREE_H

#include "base/base.h"

enum tree_kind { TREE_FILE, TREE_EXEC, TREE_LINK, TREE_SUBMODULE };

struct tree_file {
	struct str path; /* lives as long as the tree */
	enum tree_kind kind;
	unsigned char id[32]; /* of the content, as Git names it */
	unsigned char id_len; /* 20 or 32; 0 when the tree has no ids (folders) */
};

struct tree;
struct tree_changes;
typedef struct err *tree_fn(void *ctx, const struct tree_file *file);

struct tree_ops {
	/* Every file below the folder `prefix` (empty: all), in byte order of the path. */
	struct err *(*each)(struct tree *t, struct str prefix, tree_fn *fn, void *ctx);
	/* *found false is success. */
	struct err *(*find)(struct tree *t, struct str path, struct tree_file *out, bool *found);
	/* The content; a link's target for a link; NOT_A_FILE for a submodule; TOO_BIG over max. */
	struct err *(*read)(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out);
	/* NULL, or a faster way to list what differs; *known false: use the general one. */
	struct err *(*diff)(struct arena *a, struct tree *base, struct tree *now,
			    struct tree_changes *out, bool *known);
};

struct tree {
	const struct tree_ops *ops;
	struct str name; /* for messages: "the index", "commit 1a2b3c4", "the working tree" */
};

struct err *tree_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx) MUST_USE;
struct err *tree_find(struct tree *t, struct str path, struct tree_file *out,
		      bool *found) MUST_USE;
struct err *tree_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
		      struct str *out) MUST_USE;

/* ---- what differs ---- */

struct tree_change {
	bool has_old, has_new;     /* added: no old; deleted: no new */
	bool renamed;              /* old.path and new.path differ */
	struct tree_file old, new; /* mode changes and changed kinds are changes too */
};
struct tree_changes {
	struct tree_change *p;
	size_t n, cap;
};

/* Sorted by the new path, deleted ones by the old. base NULL: everything is added. */
struct err *tree_diff(struct arena *a, struct tree *base, struct tree *now,
		      struct tree_changes *out) MUST_USE;
/*
 * Joins deleted and added files into renames: the same content first, then at least half alike (as
 * git's default), best first; over `limit` pairs (0: a million) only the same content.
 */
struct err *tree_find_renames(struct arena *a, struct tree *base, struct tree *now, size_t limit,
			      struct tree_changes *changes) MUST_USE;

/* ---- trees without Git ---- */

struct tree_mem_file {
	struct str path, content;
	enum tree_kind kind;
};
/* Files given as input; sorted here, the last of two with one path wins. Borrows. */
struct tree *tree_mem(struct arena *a, struct str name, const struct tree_mem_file *files,
		      size_t n);

struct tree_dir_options {
	bool ignore; /* leave out what .gitignore files name */
	/* Patterns in the form of .gitignore that count before those of the top's .gitignore. */
	struct strs excludes;
};
/*
 * A folder on disk. Links are links, never followed; ".git" is never entered, and a folder that
 * has one (a submodule or nested repository) is one TREE_SUBMODULE. Read when first asked.
 * Errors: FILE_NOT_FOUND and NOT_A_FILE when it is no folder.
 */
struct err *tree_dir(struct arena *a, const char *path, const struct tree_dir_options *o,
		     struct tree **out) MUST_USE;

/* Only what is below a folder of another tree; paths become relative to it. */
struct tree *tree_sub(struct arena *a, struct tree *t, struct str folder);

#endif
