/*
 * tree: a set of files by path, wherever it lies: an index, a commit, a working tree, a folder, or
 * files given as input. What judges content asks a tree and cannot tell which kind it is.
 *
 * Paths are bytes, relative to the top, parts separated by "/", without "." and "..".
 * Trees are read-only; tree_read and tree_open may be called by several threads, the rest by one.
 */
#ifndef IKM_TREE_H
#define IKM_TREE_H

#include "base/base.h"

/* TREE_FOLDER: only where a tree was asked for folders too. */
enum tree_kind { TREE_FILE, TREE_EXEC, TREE_LINK, TREE_SUBMODULE, TREE_FOLDER };

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
	/*
	 * Every file below the folder `prefix` (empty: all), in byte order of the path. Nothing
	 * when there is no such folder, or when it is a file.
	 */
	struct err *(*each)(struct tree *t, struct str prefix, tree_fn *fn, void *ctx);
	/* *found false is success. */
	struct err *(*find)(struct tree *t, struct str path, struct tree_file *out, bool *found);
	/* The content; a link's target for a link; NOT_A_FILE for a submodule; TOO_BIG over max. */
	struct err *(*read)(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out);
	/* NULL, or the file itself, for reading: see tree_open(). */
	struct err *(*open)(struct tree *t, const struct tree_file *f, int *fd);
	/* NULL, or a faster way to list what differs; *known false: use the general one. */
	struct err *(*diff)(struct arena *a, struct tree *base, struct tree *now,
			    struct tree_changes *out, bool *known);
};

struct tree {
	const struct tree_ops *ops;
	struct str name; /* for messages: "the index", "commit 1a2b3c4", "the working tree" */
};

struct err *tree_foreach(struct tree *t, struct str prefix, tree_fn *fn, void *ctx) MUST_USE;
struct err *tree_find(struct tree *t, struct str path, struct tree_file *out, bool *found) MUST_USE;
struct err *tree_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
		      struct str *out) MUST_USE;
/*
 * The regular file, open for reading and the caller's to close: for content of any size. *fd is -1
 * where contents are no files (an index, a commit): there is tree_read(). Errors as tree_read().
 */
struct err *tree_open(struct tree *t, const struct tree_file *f, int *fd) MUST_USE;

/* ---- what differs ---- */

struct tree_change {
	bool has_old, has_new;     /* added: no old; deleted: no new */
	bool renamed;              /* old.path and new.path differ */
	struct tree_file old, new; /* changed kinds are changes too; see tree_diff() for modes */
};
struct tree_changes {
	struct tree_change *p;
	size_t n, cap;
};

/*
 * Sorted by the new path, deleted ones by the old. base NULL: everything is added. What has no id
 * is read and compared; files over 256 MiB and without ids count as changed. That a file became
 * executable is a change only where both have ids.
 */
struct err *tree_diff(struct arena *a, struct tree *base, struct tree *now,
		      struct tree_changes *out) MUST_USE;
/*
 * Joins deleted and added files into renames: the same content first, then at least half alike (as
 * git's default), best first, of two as good the one that keeps its name; over `limit` pairs (0: a
 * million) only the same content. Files over 8 MiB are renamed only with the same content. The
 * changes must be in the order of tree_diff().
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

/*
 * Whether a pattern of .gitignore or .gitattributes, without a slash at its begin, matches a whole
 * path: * ? [a-z] [[:alpha:]] and \ within a part. A part of two stars takes any number of parts,
 * at the end of a pattern at least one. A malformed pattern matches nothing.
 */
bool tree_pattern_matches(struct str pattern, struct str path);

/* Patterns in the form of .gitignore from outside of the folder. */
struct tree_rules {
	struct strs lines;
	struct str at; /* the tree's folder, relative to the one that the patterns speak of */
	bool user; /* the user's own: they hold in nested repositories too, from the top of each */
};

typedef void tree_trouble_fn(void *ctx, struct str path, const struct err *e);

struct tree_dir_options {
	bool ignore; /* leave out what .gitignore files name */
	/*
	 * More patterns in the form of .gitignore, relative to the top, the last ones counting
	 * most; any .gitignore counts more. They hold without `ignore` too.
	 */
	struct strs excludes;
	/* For `ignore`: what files above the folder say, the last ones counting most. */
	const struct tree_rules *above;
	size_t above_n;
	/* Nested repositories and submodules are entered; of files with rules only their own
	 * count. */
	bool nested;
	bool folders;   /* tree_foreach() tells of folders too, each before what is in it */
	unsigned depth; /* folders that deep are not entered: 1 is the top alone; 0: no limit */
	/* Asked for each folder that is met, as it is opened: true leaves it out. */
	bool (*leave_out)(void *ctx, const char *name, uint64_t dev, uint64_t ino);
	/* Gets the paths over 4095 bytes, which are left out; NULL: such a path is an error. */
	struct strs *too_long;
	/* What may not be read is told here, and left out; NULL: it is an error. */
	tree_trouble_fn *trouble;
	void *ctx;
};
/*
 * A folder on disk. Links are links, never followed, also not on the way to a file; ".git" is
 * never entered, and a folder that has one (a submodule or nested repository) is one
 * TREE_SUBMODULE. FIFOs, sockets and devices are left out. Read when first asked, each folder once;
 * what vanishes meanwhile is left out, what may not be read is an error. tree_foreach() does not
 * tell TREE_EXEC from TREE_FILE, as that would cost more than all the rest; tree_find() does.
 * Errors: FILE_NOT_FOUND and NOT_A_FILE when it is no folder; TOO_LONG for a path over 4095 bytes.
 */
struct err *tree_dir(struct arena *a, const char *path, const struct tree_dir_options *o,
		     struct tree **out) MUST_USE;
/* The same from its descriptor (O_PATH is enough), which must stay open as long as the tree. */
struct tree *tree_dir_at(struct arena *a, int fd, const char *path,
			 const struct tree_dir_options *o);

/* Only what is below a folder of another tree; paths become relative to it. */
struct tree *tree_sub(struct arena *a, struct tree *t, struct str folder);

#endif
