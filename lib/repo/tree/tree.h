/*
 * tree: a set of files by path: an index, a commit, a working tree, a folder, or files given as
 * input. Code that judges content reads a tree, and does not depend on its kind.
 *
 * Paths are bytes, relative to the top, with parts separated by "/", without "." and "..". Trees
 * are read-only. Several threads may call tree_read and tree_open_file; only one thread may call
 * the others.
 */
#pragma once

#include "base/base.h"

/* TREE_FOLDER: only for a tree that was asked for folders too. */
enum tree_kind { TREE_FILE, TREE_EXEC, TREE_LINK, TREE_SUBMODULE, TREE_FOLDER };

struct tree_file {
	struct str path; /* lives as long as the tree */
	enum tree_kind kind;
	unsigned char id[32]; /* of the content, by Git's rule */
	unsigned char id_len; /* 20 or 32; 0 when the tree has no ids (folders) */
};

struct tree;
struct tree_changes;
typedef struct err *tree_fn(void *ctx, const struct tree_file *file);

struct tree_ops {
	/*
	 * Calls fn for every file below the folder `prefix` (empty: all; it has no last slash), in
	 * byte order of the path. Calls nothing for a missing folder, or for a file.
	 */
	struct err *(*each)(struct tree *t, struct str prefix, tree_fn *fn, void *ctx);
	/* A missing file is success with *found false. NULL where nothing calls tree_find(). */
	struct err *(*find)(struct tree *t, struct str path, struct tree_file *out, bool *found);
	/* The content; the target of a link. NOT_A_FILE for a submodule; TOO_BIG over max. */
	struct err *(*read)(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out);
	/* NULL, or opens the file itself: see tree_open_file(), which sets *size to 0 before. */
	struct err *(*open)(struct tree *t, const struct tree_file *f, int *fd, uint64_t *size);
	/* NULL, or a faster comparison of two trees; *known false: use the general one. */
	struct err *(*diff)(struct arena *a, struct tree *base, struct tree *now,
			    struct tree_changes *out, bool *known);
};

struct tree {
	const struct tree_ops *ops;
	struct str name; /* for messages: "the index", "commit 1a2b3c4", "the working tree" */
};

/* t NULL: there are no files, as in the HEAD of an unborn branch (git_tree_head()). */
struct err *tree_foreach(struct tree *t, struct str prefix, tree_fn *fn, void *ctx) MUST_USE;
struct err *tree_find(struct tree *t, struct str path, struct tree_file *out, bool *found) MUST_USE;
/* A list of files, and the tree_fn that adds to it. */
struct tree_files {
	struct arena *a; /* for the list; the caller sets it */
	struct tree_file *p;
	size_t n, cap;
};
struct err *tree_collect(void *files, const struct tree_file *f) MUST_USE;
/* Whether the folder has a file, perhaps in a folder of it. Reads up to the first one. */
struct err *tree_has_files(struct tree *t, struct str folder, bool *has) MUST_USE;
struct err *tree_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
		      struct str *out) MUST_USE;
/*
 * Opens the regular file, of any size, for reading; the caller closes it. *size is 0 if it is not
 * known. *fd is -1 when contents are no files (an index, a commit): use tree_read(). Errors as in
 * tree_read().
 */
struct err *tree_open_file(struct tree *t, const struct tree_file *f, int *fd,
			   uint64_t *size) MUST_USE;

/* ---- comparing trees ---- */

struct tree_change {
	bool has_old, has_new;     /* added: no old; deleted: no new */
	bool renamed;              /* old.path and new.path differ */
	struct tree_file old, new; /* a changed kind is a change too; see tree_diff() for modes */
};
struct tree_changes VEC(struct tree_change);

/*
 * Sorted by the new path, deleted files by the old path. base NULL: every file is added. Files
 * without ids are read and compared; over 256 MiB they count as changed. A file that becomes
 * executable is a change only when both sides have ids.
 */
struct err *tree_diff(struct arena *a, struct tree *base, struct tree *now,
		      struct tree_changes *out) MUST_USE;
/*
 * Whether two files that are no submodules have the same content: by their ids if both have some,
 * otherwise both are read. Files over 256 MiB are not the same.
 */
struct err *tree_file_same(struct tree *base, const struct tree_file *old, struct tree *now,
			   const struct tree_file *new, bool *same) MUST_USE;
/*
 * Joins deleted and added files into renames. Equal content comes first, then at least 50 %
 * similarity (git's default), the best first; among equals, the file that keeps its name. Over
 * `limit` pairs (0: a million), and for files over 8 MiB, only equal content counts. The changes
 * must be in the order of tree_diff().
 */
struct err *tree_find_renames(struct tree *base, struct tree *now, size_t limit,
			      struct tree_changes *changes) MUST_USE;

/* ---- trees without Git ---- */

struct tree_mem_file {
	struct str path, content;
	enum tree_kind kind;
};
/* A tree of files given as input; sorts them, and the last file with a path wins. Borrows. */
struct tree *tree_mem(struct arena *a, struct str name, const struct tree_mem_file *files,
		      size_t n);

/*
 * Whether a pattern of .gitignore or .gitattributes, without a slash at its begin, matches a whole
 * path: * ? [a-z] [[:alpha:]] and \ within a part. A part of two stars takes any number of parts,
 * at the end of a pattern at least one. A malformed pattern matches nothing.
 */
bool tree_ignore_pattern_matches_path(struct str pattern, struct str path);

/* Patterns of a .gitignore outside the folder. */
struct tree_rules {
	struct strs lines;
	struct str at; /* the tree's folder, relative to the folder of the patterns */
	bool user; /* the user's own patterns: they also apply at the top of each nested repository
		    */
};

struct tree_folder {
	struct str path; /* in the tree */
	bool repository; /* a nested one, or a submodule */
	uint64_t dev, ino;
};

typedef void tree_trouble_fn(void *ctx, struct str path, const struct err *e);

struct tree_dir_options {
	bool ignore; /* leave out files that .gitignore files ignore */
	/*
	 * More patterns in the form of .gitignore, relative to the top; later ones take precedence,
	 * and any .gitignore takes precedence over all. They apply without `ignore` too.
	 */
	struct strs excludes;
	/* For `ignore`: the patterns of files above the folder; later ones take precedence. */
	const struct tree_rules *above;
	size_t above_n;
	/* Enter nested repositories and submodules; only their own rule files apply in them. */
	bool nested;
	bool folders;   /* tree_foreach() reports folders too, each before its contents */
	unsigned depth; /* folders of that depth are not entered: 1 is the top alone; 0: no limit */
	/* Called for each folder as it is opened; true leaves it out. */
	bool (*leave_out)(void *ctx, const struct tree_folder *folder);
	/*
	 * For `ignore`: called for each file and folder that a listing leaves out. repository: the
	 * nested repository that it is in; empty: none.
	 */
	void (*ignored)(void *ctx, struct str path, bool is_dir, struct str repository);
	/* Receives the paths over 4095 bytes, which are left out; NULL: such a path is an error. */
	struct strs *too_long;
	/* Called for each unreadable file, which is left out; NULL: it is an error. */
	tree_trouble_fn *trouble;
	void *ctx;
};
/*
 * A folder on disk. Links are never followed, also not on the way to a file. ".git" is never
 * entered, and a folder that has one (a submodule or nested repository) is one TREE_SUBMODULE.
 * FIFOs, sockets and devices are left out. Each folder is read on first use and once; a file that
 * vanishes meanwhile is left out, an unreadable file is an error. tree_foreach() reports
 * executables as TREE_FILE, because a stat of each file would cost more than the listing;
 * tree_find() reports TREE_EXEC. Errors: FILE_NOT_FOUND, and NOT_A_FILE when it is no folder;
 * TOO_LONG for a path over 4095 bytes.
 */
struct err *tree_of_folder(struct arena *a, const char *path, const struct tree_dir_options *o,
			   struct tree **out) MUST_USE;
/*
 * Whether the patterns of a tree_of_folder() with `ignore` leave the file out; it need not exist.
 */
struct err *tree_folder_ignores_path(struct tree *t, struct str path, bool *ignored) MUST_USE;
/*
 * The same for any tree: by its .gitignore files, and by more patterns with less precedence, which
 * are relative to the top. A file that the tree has may be ignored too.
 */
struct err *tree_ignores(struct arena *a, struct tree *t, const struct strs *excludes,
			 struct str path, bool *ignored) MUST_USE;
/* tree_of_folder() from a descriptor (O_PATH is enough), which must stay open as long as the tree.
 */
struct tree *tree_of_folder_at(struct arena *a, int fd, const char *path,
			       const struct tree_dir_options *o);

/*
 * A tree with the files of another one above it, and without the paths that are gone. A path is in
 * one of the two lists at most. Borrows both trees; it has the name of the lower one.
 */
struct tree *tree_overlay(struct arena *a, struct tree *under, struct tree *over,
			  const struct strs *gone);

/* The files below a folder of another tree, with paths relative to it. */
struct tree *tree_sub(struct arena *a, struct tree *t, struct str folder);
