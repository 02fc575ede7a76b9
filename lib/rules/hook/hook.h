/*
 * hook: installs ikm in Git's hooks. It puts a shim where git looks for hooks, keeps the hook that
 * was there, and runs that hook first. It checks when git calls, and proves that git calls.
 * cmd/hook.c and cmd/hook_run.c use it. lib/rules/history does the check itself. This module does
 * not know the insides of other hook managers.
 *
 * The second line of a shim has ikm's mark and a digest of the rest. So ikm recognizes a shim that
 * was edited or replaced, and leaves it alone.
 */
#pragma once

#include "history/judge_trees.h"
#include "git/git.h"
#include "out/out.h"
#include "record/record.h"

enum hook_name {
	HOOK_PRE_COMMIT,
	HOOK_PRE_MERGE_COMMIT,
	HOOK_PRE_PUSH,
	HOOK_COMMIT_MSG,  /* only where the garden is, or on request */
	HOOK_POST_COMMIT, /* tells, and stops nothing */
	HOOK_PRE_RECEIVE, /* where pushes arrive; installed only on request */
	HOOK_COUNT
};
extern const char *const hook_names[]; /* in this order, NULL-ended: choices of parameters */

struct hook_options {
	unsigned names; /* 1 << enum hook_name; 0: all that apply (a bare repository only pushes;
			   server: pre-receive) */
	bool force;     /* also write into a folder that serves other repositories, and over edited
			   shims */
	bool global;    /* for all repositories of the user, with the global core.hooksPath */
	bool server;    /* pre-receive, in a repository that receives pushes */
	bool config;    /* in git's configuration, which git 2.54 and newer run hooks of */
};

/* ---- install and uninstall ---- */

/* The actions on a hook: the name in C, and the name in results. */
#define HOOK_ACTIONS(X)                                                                            \
	X(HOOK_INSTALLED, "installed")                                                             \
	X(HOOK_UPDATED, "updated")                                                                 \
	X(HOOK_UNCHANGED, "unchanged")                                                             \
	X(HOOK_MANAGED, "managed")                                                                 \
	X(HOOK_REMOVED, "removed")                                                                 \
	X(HOOK_RESTORED, "restored")                                                               \
	X(HOOK_LEFT, "left")                                                                       \
	X(HOOK_ABSENT, "absent")
enum hook_action { HOOK_ACTIONS(ENUM_MEMBER) };
/* In the order of the enum, with NULL at the end, like all lists of names in this header. */
extern const char *const hook_actions[];

/* The path that keeps the earlier hook; NULL: there was none. It runs if it is executable. */
struct hook_previous {
	const char *path;
	struct maybe_bool runs;
};
struct hook_change {
	enum hook_name name;
	const char *path;          /* its file, or its section of git's configuration */
	const char *configuration; /* "local" or "global"; NULL: it is a file */
	enum hook_action action;
	struct str why; /* why ikm did not change it, or git does not run it; p NULL: neither */
	struct hook_previous previous;
};
struct hook_changes {
	bool changed;
	const char *directory; /* NULL with `config` */
	struct VEC(struct hook_change) hooks;
	struct strs notes;
};

/*
 * g may be NULL with `global`. Reads all hooks before it writes the first, and renames an earlier
 * hook to NAME.ikm-prev. Errors: HOOKS_ELSEWHERE for a core.hooksPath of other repositories, or for
 * husky, lefthook, pre-commit (with the lines to add); EXISTS for an edited shim, or a kept hook in
 * the way; NOT_CONFIGURED without a home; GIT_UNSUPPORTED with `config` and git before 2.54.
 * *silent: another manager should call ikm, and git does not run that manager in this clone.
 */
struct err *hook_install(struct arena *a, struct git *g, const struct hook_options *o,
			 struct hook_changes *out, bool *silent) MUST_USE;
/*
 * Lets the first push into an empty repository in, whatever it breaks. only_try: looks alone.
 * Errors: EXISTS when the repository has a ref.
 */
struct err *hook_first_push_set_allowed(struct arena *a, struct git *g, bool only_try) MUST_USE;
/*
 * The package.json of the folder, else of the top of the repository, with a script that runs `ikm
 * hook install` after each install of its packages. A script that is there runs first. Writes
 * nothing. Errors: FILE_NOT_FOUND, those of json_read(), BAD_JSON for another type; NOT_CONFIGURED
 * when the package does not depend on ikm; NOT_ALLOWED for a public package of Yarn 2 and newer.
 */
struct hook_npm {
	const char *path;
	struct str add;  /* the command that adds ikm to the package */
	struct str text; /* of the file */
	struct str note; /* a sentence */
	bool changed;
	bool left; /* a script calls ikm in a form that ikm did not write, and stays */
};
struct err *hook_npm_plan(struct arena *a, struct git *g, const char *cwd,
			  struct hook_npm *out) MUST_USE;
/* The same file without what hook_npm_plan() wrote. The package need not depend on ikm. */
struct err *hook_npm_remove(struct arena *a, struct git *g, const char *cwd,
			    struct hook_npm *out) MUST_USE;
/* Restores what install found, byte for byte and with its mode, and takes ikm out of git's
 * configuration; with `config` only that. A hook that is not ikm's, or was edited, stays: *left. */
struct err *hook_uninstall(struct arena *a, struct git *g, const struct hook_options *o,
			   struct hook_changes *out, bool *left) MUST_USE;

/* ---- status ---- */

/* The file at a hook's path. */
#define HOOK_STATES(X)                                                                             \
	X(HOOK_IS_OURS, "ours")                                                                    \
	X(HOOK_IS_EDITED, "edited")                                                                \
	X(HOOK_IS_MANAGED, "managed")                                                              \
	X(HOOK_IS_OTHER, "other")                                                                  \
	X(HOOK_IS_ABSENT, "absent")
enum hook_state { HOOK_STATES(ENUM_MEMBER) };
extern const char *const hook_states[];

/* Whether git calls ikm. */
enum hook_proof { HOOK_FIRES, HOOK_FIRES_NOT, HOOK_UNPROVEN };
extern const char *const hook_proofs[], *const hook_managers[];

struct hook_found {
	enum hook_name name;
	const char *path;
	enum hook_state state;
	bool executable;
	struct hook_previous previous;
	struct str configured;   /* the scope of git's configuration that calls ikm; p NULL: none */
	struct str program, why; /* the ikm that answered, or why none did; p NULL */
	enum hook_proof fires;
};
struct hook_report {
	const char *directory;
	struct str hooks_path; /* core.hooksPath; p NULL: unset */
	struct str scope;      /* git's word for its scope; p NULL: unset */
	const char *manager;   /* one of hook_managers; NULL: none */
	bool skipped;          /* IKM_HOOKS=0 */
	struct VEC(struct hook_found) hooks;
	struct strs notes; /* of the caller */
};
/* git calls each of ikm's shims and configured hooks with a random token, which ikm must give back;
 * the earlier hook does not run. *silent: git does not call ikm for some hook. */
struct err *hook_status(struct arena *a, struct git *g, const struct hook_options *o,
			struct hook_report *out, bool *silent) MUST_USE;

/*
 * A sentence for each hook that a manager's configuration gives to ikm and that git does not run in
 * this clone, with the command that installs it. Runs nothing.
 */
struct err *hook_missing(struct arena *a, struct git *g, struct strs *out) MUST_USE;

/*
 * A sentence when ikm has installed hooks in this clone and other programs have replaced or deleted
 * them; else empty. Reads some small files, and runs nothing. Where ikm has installed nothing it
 * looks for one file.
 */
struct str hook_lost(struct arena *a, struct git *g);

/* ---- when git calls ---- */

struct hook_call {
	enum hook_name name;
	struct str chain; /* the earlier hook; it runs first if executable; p NULL: none */
	struct strs args; /* from git */
	struct strs set;  /* -c key=value */
	bool configured;  /* git's configuration calls: nothing to do where a shim does it too */
};
struct hook_outcome {
	bool passed;
	bool judged; /* false: skipped, probed, or stopped by the earlier hook */
	int chained; /* the earlier hook's exit status; -1: none ran */
	const struct check_report *report; /* after check_report_finish(), when judged */
};
/*
 * Runs the earlier hook with the same arguments, environment and standard input, then checks.
 * Output goes to `err`, as from git's hooks; a pass prints nothing unless there is something to
 * report. An error means that nothing was checked, and nothing may pass.
 */
struct err *hook_run(struct arena *a, const struct hook_call *c, struct out *err,
		     struct hook_outcome *out) MUST_USE;
