/*
 * hook: Git's hooks and ikm. Puts a shim where git looks for hooks, keeps the hook that was there
 * and runs it first, judges when git calls, and proves that git does call. Used by
 * cmd/hook.c and cmd/hook_run.c. How a rule is judged is check's affair; what another hook manager
 * does inside is nobody's.
 *
 * A shim says in its second line that it is ours, with a digest of the rest: so an edited one, or
 * what another tool put in its place, is told from ours and left alone.
 */
#ifndef IKM_HOOK_H
#define IKM_HOOK_H

#include "check/judge.h"
#include "git/git.h"
#include "out/out.h"
#include "record/record.h"

enum hook_name { HOOK_PRE_COMMIT, HOOK_PRE_MERGE_COMMIT, HOOK_PRE_PUSH, HOOK_COUNT };
extern const char *const hook_names[]; /* in this order, NULL-ended: choices of parameters */

struct hook_options {
	unsigned names; /* 1 << enum hook_name; 0: all that apply (a bare repository only pushes) */
	bool force;     /* also into a folder that is not the repository's, over edited shims */
	bool global;    /* for all repositories of the user, by the global core.hooksPath */
};

/* ---- install and uninstall ---- */

/* What was done with a hook: name in C, name in results. */
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
/* NULL-ended, in the order of the enum, as all such lists here. */
extern const char *const hook_actions[];

/* Where the hook that was there before is kept; NULL: there was none. It runs if executable. */
struct hook_previous {
	const char *path;
	struct maybe_bool runs;
};
struct hook_change {
	enum hook_name name;
	const char *path;
	enum hook_action action;
	struct str why; /* why it was left; p NULL: nothing to say */
	struct hook_previous previous;
};
struct hook_changes {
	bool changed;
	const char *directory;
	struct {
		struct hook_change *p;
		size_t n, cap;
	} hooks;
	struct strs notes;
};

/*
 * g may be NULL with `global`. All hooks are looked at before the first is written; the hook that
 * was there is renamed to NAME.ikm-prev. Errors: HOOKS_ELSEWHERE (a core.hooksPath that is not the
 * repository's, or husky, lefthook, pre-commit: with the lines to add), EXISTS (a shim that was
 * edited, or a kept hook in the way), NOT_CONFIGURED without a home. *silent: another manager is to
 * call ikm, and git does not run that manager in this clone.
 */
struct err *hook_install(struct arena *a, struct git *g, const struct hook_options *o,
			 struct hook_changes *out, bool *silent) MUST_USE;
/*
 * Puts back what install found, byte for byte and with its mode; what is not ours, or was edited,
 * is left and named: *left.
 */
struct err *hook_uninstall(struct arena *a, struct git *g, const struct hook_options *o,
			   struct hook_changes *out, bool *left) MUST_USE;

/* ---- status ---- */

/* What is in a hook's place. */
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
	struct str program, why; /* the ikm that answered, or why none did; p NULL */
	enum hook_proof fires;
};
struct hook_report {
	const char *directory;
	struct str hooks_path; /* core.hooksPath; p NULL: unset */
	struct str scope;      /* git's word for its scope; p NULL: unset */
	const char *manager;   /* one of hook_managers; NULL: none */
	bool skipped;          /* IKM_HOOKS=0 */
	struct {
		struct hook_found *p;
		size_t n, cap;
	} hooks;
};
/*
 * A shim of ours is called by git itself with a random token that it must give back; the hook that
 * it chains does not run. *silent: one does not fire.
 */
struct err *hook_status(struct arena *a, struct git *g, const struct hook_options *o,
			struct hook_report *out, bool *silent) MUST_USE;

/* ---- when git calls ---- */

struct hook_call {
	enum hook_name name;
	struct str chain; /* the hook that runs first, if there and executable; p NULL: none */
	struct strs args; /* as git gave them */
	struct strs set;  /* -c key=value */
};
struct hook_outcome {
	bool passed;
	bool judged; /* false: skipped, only probed, or stopped by the chained hook */
	int chained; /* the chained hook's exit status; -1: none ran */
	const struct check_report *report; /* after check_derive(), when judged */
};
/*
 * Runs the chained hook with the same arguments, environment and standard input, then judges; words
 * go to `err`, as git's hooks do. A pass says nothing unless something is to be known. Errors are
 * trouble: nothing was judged, and nothing may pass.
 */
struct err *hook_run(struct arena *a, const struct hook_call *c, struct out *err,
		     struct hook_outcome *out) MUST_USE;

#endif
