/*
 * git: one repository, as Git itself would name it: its index, commits and working tree as trees,
 * its configuration, its history. Writes nothing, ever: no index refresh, no lock, no ref.
 *
 * libgit2 serves objects and history; an own reader serves the index (v2 to v4), because libgit2
 * is ten times slower and cannot read all of them; for every format that neither knows (sparse and
 * split indexes, sha256, reftable, unknown extensions) the plumbing commands of git are asked.
 */
#ifndef IKM_GIT_H
#define IKM_GIT_H

#include "tree/tree.h"

struct git;

/*
 * The repository of `dir` (NULL: the current folder) as git finds it: GIT_DIR, GIT_WORK_TREE,
 * GIT_INDEX_FILE, GIT_COMMON_DIR, GIT_OBJECT_DIRECTORY and GIT_ALTERNATE_OBJECT_DIRECTORIES count
 * when dir is NULL and are ignored otherwise; so is `git -c`. Freed with the arena, and its trees
 * too. Errors: NO_REPOSITORY; GIT_FAILED with git's own words (a foreign owner says what to do);
 * NO_PROGRAM when only git could read it, and there is none.
 */
struct err *git_open(struct arena *a, const char *dir, struct git **out) MUST_USE;

/*
 * Stamps of what decides which repository git_open(…, NULL, …) finds from the folder cwd, its
 * git_top() and its git_prefix(), for who keeps these. g: what it found, NULL: NO_REPOSITORY. False
 * where that is too much to hold: a bare one, one that the environment names or that belongs to
 * someone else, one whose configuration includes other files or that libgit2 cannot read.
 */
struct os_stamps;
bool git_stamp(const struct git *g, struct arena *a, const char *cwd, struct os_stamps *s) MUST_USE;

/* Absolute, no slash at the end; NULL for a bare repository. */
const char *git_top(const struct git *g);
const char *git_dir(const struct git *g);
/* The folder of the configuration, objects and hooks: git_dir(), but for a linked worktree. */
const char *git_common_dir(const struct git *g);
/*
 * The top was chosen by core.worktree, and is neither the folder that holds the repository nor
 * below it, nor does its own ".git" lead back here. A repository may say so of any folder.
 */
bool git_top_is_chosen(const struct git *g);
bool git_is_bare(const struct git *g);
/* Where we stand below the top, with a slash at the end, or empty. */
struct str git_prefix(const struct git *g);

/* "The index": the one Git names, as `git commit` will record it; intent-to-add left out. A
 * conflict is an error that names the paths (GIT_FAILED). */
struct err *git_tree_index(struct git *g, struct tree **out) MUST_USE;
/* A commit or tree, by any name git knows. BAD_REVISION. */
struct err *git_tree_at(struct git *g, const char *rev, struct tree **out) MUST_USE;
/* HEAD; *out NULL when it is unborn. */
struct err *git_tree_head(struct git *g, struct tree **out) MUST_USE;
/* Tracked files that are there, ignored or not, and untracked ones that are not ignored. Whether a
 * file is executable is as recorded in the index. */
struct err *git_tree_worktree(struct git *g, struct tree **out) MUST_USE;
/* The same for who wants names: what may not be read is told, and left out. */
struct err *git_tree_worktree_but(struct git *g, tree_trouble_fn *trouble, void *ctx,
				  struct tree **out) MUST_USE;

/* The same without paths over 4095 bytes, which no system call takes: they come in too_long, once
 * the tree was listed. */
struct err *git_tree_worktree_short(struct git *g, struct strs *too_long,
				    struct tree **out) MUST_USE;

/* The commit's full id. BAD_REVISION names the revision and what is near. */
struct err *git_rev_id(struct git *g, struct arena *a, const char *rev, struct str *out) MUST_USE;
/* *out empty when there is none. */
struct err *git_rev_merge_base(struct git *g, struct arena *a, const char *one, const char *two,
			       struct str *out) MUST_USE;

/* The submodule's repository at the commit that the tree records, as a tree. NO_REPOSITORY when it
 * is not checked out, with the command that does. */
struct err *git_tree_submodule(struct git *g, const struct tree_file *f,
			       struct tree **out) MUST_USE;

struct git_commit {
	struct str id, author, email, message; /* message: the first line */
	int64_t time;                          /* of the author, ms, UTC */
	struct str path;                       /* the file's name in that commit */
};
struct git_log {
	struct git_commit *p;
	size_t n, cap;
};
/* Commits that changed a file, newest first, following renames; max 0: all. */
struct err *git_file_log(struct git *g, struct arena *a, const char *rev, struct str path,
			 size_t max, struct git_log *out) MUST_USE;

/* git's configuration, of an outer `git -c` too: *out NULL when unset, "true" for a key without a
 * value. Includes are followed. */
struct err *git_setting(struct git *g, struct arena *a, const char *key, const char **out) MUST_USE;
/* The setting as git reads a boolean; false when it is unset or is none. */
struct err *git_setting_bool(struct git *g, const char *key, bool *out) MUST_USE;

/*
 * What `diff -u` prints for two contents: the two lines with names, hunks with `context` lines
 * around, "\ No newline at end of file"; empty when they are the same. Bytes, whatever they are:
 * nothing is "binary" here. Odd names are quoted as git does. "/dev/null" stands for no file.
 */
struct err *git_diff_text(struct arena *a, const char *old_name, struct str old,
			  const char *new_name, struct str new, unsigned context,
			  struct str *out) MUST_USE;

/*
 * What is ignored besides what .gitignore files say: the lines of core.excludesFile (the user's)
 * and of info/exclude (this clone's, which count more), relative to the top.
 */
struct err *git_excludes(struct git *g, struct strs *user, struct strs *clone) MUST_USE;

/*
 * For plumbing that has no function here: runs git in this repository, from the current folder when
 * git_open had no dir. Nothing that the repository configures is started: no hook, filter, driver,
 * monitor, helper or alias. The network is not used, and the index not refreshed. args[0] is one of
 * git_command_name(); any other is a BUG.
 */
struct git_ask {
	const char *const *args; /* NULL-ended, without "git" */
	struct str in;
	const char *const *env; /* as os_spawn.env; may be NULL */
	unsigned timeout_ms;    /* 0: ten minutes */
	bool find;              /* of lib/git: git finds the repository by itself */
};
struct git_said {
	int status;
	struct str out, err;
};
/* g NULL: in no repository. A status other than 0 is success. NO_PROGRAM, TOOK_TOO_LONG,
 * TOO_BIG. */
struct err *git_ask(struct git *g, struct arena *a, const struct git_ask *q,
		    struct git_said *out) MUST_USE;
/* The same; a status other than 0 is GIT_FAILED with what git said. */
struct err *git_run(struct git *g, struct arena *a, const char *const *args, struct str in,
		    struct str *out) MUST_USE;
/* Every command of git that ikm can run. */
size_t git_commands(void);
const char *git_command_name(size_t i);

#endif
