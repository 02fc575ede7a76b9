/*
 * git: one repository, found as Git finds it: its index, commits and working tree as trees, its
 * configuration, its history. Only git_commit_paths(), git_index_move_to_head(), git_stage() and
 * git_note_write() write; all other functions take no lock, refresh no index and move no ref.
 *
 * Own readers read objects, packs, trees, the history of a file and the index (versions 2 to 4).
 * libgit2 resolves revisions, references, merge bases and configuration, and compares two texts.
 * For formats that neither reads (sparse and split indexes, sha256, reftable, unknown extensions)
 * lib/repo/git runs the plumbing commands of git.
 */
#pragma once

#include "tree/tree.h"

struct git;

/*
 * Opens the repository of `dir` (NULL: the current folder) as git finds it. When dir is NULL,
 * GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_COMMON_DIR, GIT_OBJECT_DIRECTORY,
 * GIT_ALTERNATE_OBJECT_DIRECTORIES and `git -c` are used; else they are ignored. The arena frees
 * the repository and its trees. Errors: NO_REPOSITORY; GIT_FAILED with git's own words (a foreign
 * owner says what to do); NO_PROGRAM when only git can read the repository, and git is missing.
 */
struct err *git_open(struct arena *a, const char *dir, struct git **out) MUST_USE;

/*
 * Makes a repository in the folder, which exists and has none: `git init`, with the user's
 * templates and default branch. Errors: NO_PROGRAM; GIT_FAILED with git's own words.
 */
struct err *git_init_repository(struct arena *a, const char *path) MUST_USE;

/*
 * Stamps the files that decide which repository git_open(…, NULL, …) finds from the folder cwd,
 * with its git_top() and git_prefix(), so that a caller can cache these. g: the repository found,
 * NULL: NO_REPOSITORY. Returns false when too many files decide: a bare repository, one that the
 * environment names, one of another owner, one whose configuration includes other files, or one
 * that libgit2 cannot read.
 */
struct os_stamps;
bool git_discovery_stamp(const struct git *g, struct arena *a, const char *cwd,
			 struct os_stamps *s) MUST_USE;

/* Absolute, no slash at the end; NULL for a bare repository. */
const char *git_top(const struct git *g);
const char *git_dir(const struct git *g);
/* The folder of configuration, objects and hooks; differs from git_dir() in a linked worktree. */
const char *git_common_dir(const struct git *g);
/*
 * core.worktree names the top, and the top is neither the folder that holds the repository nor
 * below it, nor does its own ".git" lead back here. A repository may name any folder so.
 */
bool git_top_is_configured(const struct git *g);
bool git_is_bare(const struct git *g);
/* The current folder below the top, with a slash at the end; empty at the top. */
struct str git_prefix(const struct git *g);

/*
 * The index that Git names, as `git commit` will record it, without intent-to-add entries. A
 * conflict is an error that names the paths (GIT_FAILED).
 */
struct err *git_tree_index(struct git *g, struct tree **out) MUST_USE;
/* The index without the files that have a conflict. */
struct err *git_tree_index_skip_conflicts(struct git *g, struct tree **out) MUST_USE;
/* A commit or tree, by any name that git knows. BAD_REVISION. */
struct err *git_tree_at(struct git *g, const char *rev, struct tree **out) MUST_USE;
/* HEAD; *out is NULL for an unborn branch. */
struct err *git_tree_head(struct git *g, struct tree **out) MUST_USE;
/*
 * The tracked files that exist, ignored or not, and the untracked files that are not ignored. A
 * missing file with skip-worktree, as a sparse checkout leaves it out, is the one of the index. The
 * index says whether a file is executable.
 */
struct err *git_tree_worktree(struct git *g, struct tree **out) MUST_USE;
/*
 * Of a sparse checkout, the files of the index with skip-worktree, which need not exist: for
 * readers of a folder that must not list it. *out is NULL when the checkout is not sparse.
 */
struct err *git_tree_of_sparse_excluded(struct git *g, struct tree **out) MUST_USE;

/*
 * The same without paths over 4095 bytes, which no system call accepts: too_long lists these paths,
 * once the tree was listed.
 */
struct err *git_tree_worktree_skip_long(struct git *g, struct strs *too_long,
					struct tree **out) MUST_USE;

/* Adds the short names of all references, such as "main". False when they cannot be listed. */
bool git_list_ref_names(struct git *g, struct arena *a, struct strs *out);
/* The full id of the commit. BAD_REVISION names the revision and similar names. */
struct err *git_rev_id(struct git *g, struct arena *a, const char *rev, struct str *out) MUST_USE;
/* Adds to an error how a shallow clone, as CI services make it, gets the history that it lacks. */
struct err *git_help_shallow(struct err *e);
extern const char git_shallow_help[]; /* the words of it */
/* The commits whose parents a shallow clone lacks, sorted. */
struct err *git_shallow_commits(struct git *g, struct arena *a, struct strs *out) MUST_USE;
/* *out is empty when there is no merge base. */
struct err *git_rev_merge_base(struct git *g, struct arena *a, const char *one, const char *two,
			       struct str *out) MUST_USE;

/*
 * The submodule's repository, as a tree, at the commit that the tree records. NO_REPOSITORY when it
 * is not checked out, with the command that does.
 */
struct err *git_tree_of_submodule(struct git *g, const struct tree_file *f,
				  struct tree **out) MUST_USE;

struct git_commit {
	struct str id, author, email, message; /* message: the first line */
	int64_t time;                          /* of the author, ms, UTC */
	struct str path;                       /* the name of the file in that commit */
};
struct git_log {
	struct git_commit *p;
	size_t n, cap;
	bool cut;    /* the limit of commits, or the edge of a shallow clone, ended the walk */
	size_t read; /* commits that were read */
};
/* Commits that changed a file, newest first, following renames; max 0: all commits. */
struct err *git_file_log(struct git *g, struct arena *a, const char *rev, struct str path,
			 size_t max, struct git_log *out) MUST_USE;

/* The same within limits. */
struct git_log_ask {
	const char *rev;
	struct str path;
	size_t max; /* commits to find; 0: all */
	const char
		*since; /* the id of a commit: no older commits; NULL, or unknown here: no limit */
	size_t most;    /* commits to read; 0: no limit, and no word on a shallow clone */
};
struct err *git_file_log_limited(struct git *g, struct arena *a, const struct git_log_ask *q,
				 struct git_log *out) MUST_USE;
/* The new name of a file that this commit (a full id) renamed; empty: it did not rename it. */
struct err *git_file_renamed_to(struct git *g, struct arena *a, const char *commit, struct str path,
				struct str *out) MUST_USE;

struct git_head {
	struct str commit; /* its full id; empty: no commit yet */
	struct str branch; /* its name without "refs/heads/"; empty: HEAD is detached */
	struct str change; /* of the commit, as in struct git_sought; empty: no commit yet */
};
struct err *git_head(struct git *g, struct arena *a, struct git_head *out) MUST_USE;

enum git_reach {
	GIT_REACHED,     /* it is HEAD or one of its ancestors */
	GIT_REWRITTEN,   /* HEAD leads to another commit of the same change: a rebase made it */
	GIT_NOT_REACHED, /* HEAD leads to neither */
	GIT_REACH_CUT,   /* `most` commits were read, or a shallow clone ends before it */
};
struct git_sought {
	struct str commit; /* its full id */
	/*
	 * 16 hexadecimal digits made of author, author date and subject, which a rebase, a
	 * cherry-pick and most amendments keep; or empty.
	 */
	struct str change;
	int64_t made;         /* ms: a time when the commit existed, in case that it was pruned */
	enum git_reach reach; /* the result */
};
/*
 * Finds out whether HEAD leads to each of these commits. It reads at most `most` commits, the
 * newest first, and none much older than the oldest one sought. Further back git answers, if the
 * repository has a commit-graph; then nothing tells of rewritten commits. An unborn HEAD leads to
 * none. *read: how many commits it has read.
 */
struct err *git_commits_are_reachable(struct git *g, struct git_sought *sought, size_t n,
				      size_t most, size_t *read) MUST_USE;

/*
 * git's configuration, including `git -c` of an outer git. *out is NULL when unset, "true" for a
 * key without a value. Includes are followed.
 */
struct err *git_setting(struct git *g, struct arena *a, const char *key, const char **out) MUST_USE;
/* The setting as git reads a boolean; false when it is unset or no boolean. */
struct err *git_setting_bool(struct git *g, const char *key, bool *out) MUST_USE;

/*
 * The output of `diff -u` for two contents: two lines with names, hunks with `context` lines
 * around, "\ No newline at end of file"; empty when the contents are equal. All bytes are text
 * here, never "binary". Quotes odd names as git does. "/dev/null" stands for a missing file.
 */
struct err *git_diff_contents(struct arena *a, const char *old_name, struct str old,
			      const char *new_name, struct str new, unsigned context,
			      struct str *out) MUST_USE;

/*
 * Ignore patterns outside .gitignore files, relative to the top: the lines of core.excludesFile
 * (the user's), and of info/exclude (this clone's, which take precedence).
 */
struct err *git_excludes(struct git *g, struct strs *user, struct strs *clone) MUST_USE;

/*
 * ---- one commit of given files: the only writer (ikm-garden(7), COMMITS) ----
 *
 * The commit holds the given paths only: its tree is HEAD's tree with these paths changed. The
 * index entries of these paths move to the new content. Everything else that is staged stays
 * staged, byte for byte. Hooks and filter drivers do not run.
 *
 * Order of the effects, each durable before the next: objects, the branch with its reflog, the
 * index. After a kill the repository is valid, in one of these states:
 *   before the branch moved: objects that nothing refers to, which `git gc` removes;
 *   between branch and index: the commit is made, and `git status` shows the paths as staged back
 *   to the old content. git_index_move_to_head() mends that, and so does git_commit_paths() with
 *   the same contents, which makes no second commit.
 * Lock files of a killed ikm ("index.lock" and those of refs) are recognized, and the next ikm that
 * needs the lock removes them. Lock files of git and of others are never removed.
 */

struct git_put {
	struct str path;  /* absolute, or relative to the top; bytes */
	struct str bytes; /* of the file in the working tree; p NULL: the commit removes the path */
	bool executable;  /* a new file has mode 100755; core.fileMode=false keeps the old mode */
};
struct git_trailer {
	struct str name, value; /* "Ikm-Event" and one line of text */
};
struct git_commit_ask {
	const struct git_put *puts;
	size_t n;
	struct str message; /* UTF-8: a subject, or a subject, an empty line and a body */
	const struct git_trailer *trailers;
	size_t trailers_n;
	struct str author_name, author_email; /* p NULL: git's own identity */
	unsigned timeout_ms;                  /* for each lock of Git; 0: two seconds */
};
struct git_committed {
	struct str oid;       /* empty: HEAD had these contents already, and no commit was made */
	struct str branch;    /* "refs/heads/main"; empty: HEAD is detached */
	struct str index_why; /* the commit is made, but its index entries did not move, for this
				 reason: call git_index_move_to_head() later; empty: they moved */
};
/*
 * Commits the paths onto HEAD; onto the new HEAD when another commit came first, a few times. Reads
 * no file but to fill the index entry's times. Text is stored as `git add` stores it (CRLF by the
 * attributes and core.autocrlf). Ignored paths are committed too. commit.gpgSign makes git sign the
 * commit, with the programs of the user's own configuration.
 *
 * After any error HEAD, branch and index are unchanged. Errors: those of
 * git_path_check_committable(); GIT_FAILED for a bare repository, a failed signature and git's own
 * failures; NOT_CONFIGURED without an identity; GIT_UNSUPPORTED for a filter driver or a
 * working-tree-encoding; OUTSIDE_ROOTS for a path that is not below the top; BAD_PATH for what git
 * never commits (".git"); NOT_A_FILE for a submodule, another repository or a symbolic link in the
 * path, or a folder in the place of the file; CHANGED when HEAD keeps moving. For repositories that
 * libgit2 cannot write (sha256, reftable, core.sharedRepository …) plumbing commands of git do it,
 * or NO_PROGRAM.
 */
struct err *git_commit_paths(struct git *g, struct arena *a, const struct git_commit_ask *q,
			     struct git_committed *out) MUST_USE;
/*
 * Each commit above leaves a small pack of its objects. This puts those of the repository's own
 * folder into one, once there are many: for a repository in which nobody may ever call git. The old
 * ones are removed when the new one is durable and has each of their objects; a reader that has
 * listed the old ones finds the objects as after a repack by git. Does nothing where libgit2 cannot
 * write.
 */
struct err *git_packs_merge(struct git *g, struct arena *a) MUST_USE;
/*
 * Fails when the path cannot be committed alone: before a write, so that nothing is written then.
 * Errors: UNDER_WAY (a merge, rebase, cherry-pick, revert, am or bisect), STAGED (the index has
 * another content for the path than HEAD, or a conflict, or the path's folder as a file; or HEAD
 * has a file that is missing in the working tree), both CONFLICT, with what to do; LOCKED when
 * "index.lock" exists; NOT_A_FILE, BAD_PATH and OUTSIDE_ROOTS as git_commit_paths(). Waits up to
 * two seconds for "index.lock", which `git status` takes for a moment; writes nothing.
 */
struct err *git_path_check_committable(struct git *g, struct arena *a, struct str path) MUST_USE;
/*
 * Puts the file's content `now` into the index, as `git add` does, when the index has nothing for
 * the path or what the file `was` before the caller changed it (p NULL: the file is new). Else the
 * file has changes that nobody staged: *staged is false, and the index stays. Errors: LOCKED, and
 * those of git_convert_to_object() and git_path_check_committable() about the path.
 */
struct err *git_stage(struct git *g, struct arena *a, struct str path, struct str was,
		      struct str now, bool *staged) MUST_USE;
/*
 * The bytes that git_commit_paths() stores for this content of the path, as `git add` would.
 * Errors: GIT_UNSUPPORTED for what it cannot store (a filter driver, a working-tree-encoding, and
 * in a repository that libgit2 cannot write any conversion), with what to do; OUTSIDE_ROOTS and
 * BAD_PATH.
 */
struct err *git_convert_to_object(struct git *g, struct arena *a, struct str path, struct str bytes,
				  struct str *out) MUST_USE;
/* The file in HEAD, as it is stored. p NULL: HEAD has no regular file there. */
struct err *git_read_file_at_head(struct git *g, struct arena *a, struct str path,
				  struct str *out) MUST_USE;
/*
 * Moves the index entries of the paths to what HEAD has, where an entry still has the content of
 * the first parent of `commit` (NULL: HEAD): what a kill between branch and index left. Other
 * entries stay. *moved: how many. Errors: LOCKED, BAD_REVISION, and those of reading.
 */
struct err *git_index_move_to_head(struct git *g, struct arena *a, const char *commit,
				   const struct str *paths, size_t n, size_t *moved) MUST_USE;
/*
 * Whether the index still has what the path was before the newest commit that changed it, and that
 * commit has the trailer: `git commit` reads the index before it locks it, and so can write back
 * the entry that git_commit_paths() has moved. *commit: that commit, for git_index_move_to_head().
 */
struct err *git_index_is_behind(struct git *g, struct arena *a, struct str path, struct str trailer,
				bool *behind, struct str *commit) MUST_USE;
/*
 * Removes lock files that a killed ikm left at HEAD, its branch and the index, which would stop
 * git. Those of git and of living processes stay.
 */
void git_locks_clean(struct git *g, struct arena *a);
/*
 * The newest commit among the last `max` first parents of HEAD with this trailer and value: how
 * reconcile learns that the commit of an event was made. *oid is empty when there is none.
 */
struct err *git_commit_find_by_trailer(struct git *g, struct arena *a, const struct git_trailer *t,
				       size_t max, struct str *oid) MUST_USE;

/* ---- notes.c ---- */

#define NOTE_MAX ((size_t)1 << 20)
struct git_note {
	struct str commit, text;
};
struct git_notes VEC(struct git_note);
/*
 * All notes in refs/notes/REF; none when there is no such ref. Errors: TOO_BIG for one over
 * NOTE_MAX; GIT_FAILED.
 */
struct err *git_notes_read_all(struct git *g, struct arena *a, const char *ref,
			       struct git_notes *out) MUST_USE;
/* Makes the text the note of the commit, in place of the former one; `git notes` commits it. */
struct err *git_note_write(struct git *g, struct arena *a, const char *ref, const char *commit,
			   struct str text) MUST_USE;

/*
 * Runs a plumbing command that has no function here, in this repository; from the current folder
 * when git_open had no dir. Starts no program that the repository configures: no hook, filter,
 * driver, monitor, helper or alias. Uses no network and does not refresh the index. args[0] is one
 * of git_runnable_command_at(); any other name is a BUG.
 */
struct git_ask {
	const char *const *args; /* NULL-ended, without "git" */
	struct str in;
	const char *const *env;      /* as os_spawn.env; may be NULL */
	unsigned timeout_ms;         /* 0: ten minutes */
	bool find;                   /* only for lib/repo/git: git finds the repository by itself */
	const char *const *settings; /* NULL-ended "key=value", for this command; may be NULL */
};
struct git_said {
	int status;
	struct str out, err;
};
/*
 * g NULL: outside any repository. A status other than 0 is no error here. NO_PROGRAM,
 * TOOK_TOO_LONG, TOO_BIG.
 */
struct err *git_ask(struct git *g, struct arena *a, const struct git_ask *q,
		    struct git_said *out) MUST_USE;
/* Runs git like git_ask(), but a status other than 0 is GIT_FAILED with git's message. */
struct err *git_run(struct git *g, struct arena *a, const char *const *args, struct str in,
		    struct str *out) MUST_USE;
/* All commands of git that ikm can run. */
size_t git_runnable_command_count(void);
const char *git_runnable_command_at(size_t i);
