/* The shared declarations of lib/hook. */
#ifndef IKM_HOOK_INTERNAL_H
#define IKM_HOOK_INTERNAL_H

#include "hook/hook.h"
#include "os/os.h"

#define HOOK_PREV ".ikm-prev"

/* ---- shim.c ---- */

enum hook_owner {
	OWNER_NONE,   /* nothing is there */
	OWNER_OURS,   /* as ikm wrote it, whichever version */
	OWNER_EDITED, /* ours by its mark, but changed since */
	OWNER_OTHER,
};
struct hook_file {
	const char *path, *prev; /* prev: where the hook that was there is kept */
	enum hook_owner owner;
	bool executable;
	struct str text; /* empty when it cannot be read or is large */
	bool has_prev, prev_runs;
};
/* Looks at dir/name and its kept hook. NOT_A_FILE when a folder has the name. */
struct err *hook_file_read(struct arena *a, const char *dir, const char *name,
			   struct hook_file *out) MUST_USE;
/* The shim that calls this ikm; `global`: that also calls the repository's own hook. */
struct err *hook_shim(struct arena *a, const char *name, bool global, struct str *out) MUST_USE;
/* The ikm that it calls; false: it is not what hook_shim() writes, for whichever ikm. */
bool hook_shim_program(struct arena *a, const struct hook_file *f, const char *name,
		       struct str *out);
/* The shim for a hook that ikm does not judge: calls the repository's own. */
struct str hook_pass_shim(struct arena *a, const char *name);

/* ---- hooks_path.c ---- */

enum hook_scope { SCOPE_UNSET, SCOPE_LOCAL, SCOPE_ELSEWHERE };
struct hook_place {
	const char *dir;   /* absolute */
	const char *top;   /* of the working tree; NULL: bare or global */
	struct str value;  /* core.hooksPath as configured */
	struct str origin; /* git's word: "local", "worktree", "global", "system", "command" */
	enum hook_scope scope;
	bool global;  /* asked for with --global */
	bool is_set;  /* --global: core.hooksPath says `dir` already */
	bool is_made; /* --global: ikm set it */
};
struct err *hook_place_find(struct arena *a, struct git *g, bool global,
			    struct hook_place *out) MUST_USE;
/* HOOKS_ELSEWHERE unless writing there touches this repository only, or was asked for. */
struct err *hook_place_check(const struct hook_place *p, const struct hook_options *o) MUST_USE;
/* --global: tells git where the hooks are, or takes that back. */
struct err *hook_place_set(struct arena *a, const struct hook_place *p, bool on) MUST_USE;
/* The names that are meant, of those that apply. BAD_ARGUMENT for one that does not. */
struct err *hook_choose(const struct git *g, const struct hook_options *o,
			unsigned *names) MUST_USE;

/* ---- manager.c ---- */

enum hook_manager { MANAGER_NONE, MANAGER_HUSKY, MANAGER_LEFTHOOK, MANAGER_PRE_COMMIT };
struct hook_managed {
	enum hook_manager by;
	const char *file;           /* its configuration, from the top */
	bool runs_ikm[HOOK_COUNT];  /* that already calls ikm for the hook */
	bool installed[HOOK_COUNT]; /* git, in this clone, runs the manager for the hook */
};
/* "husky is not installed in this clone…: COMMAND" for a hook that only the configuration names. */
struct str hook_manager_missing(struct arena *a, const struct hook_managed *m, enum hook_name name);
struct err *hook_manager_find(struct arena *a, const struct hook_place *p,
			      const struct hook_file files[HOOK_COUNT],
			      struct hook_managed *out) MUST_USE;
/* HOOKS_ELSEWHERE with the lines to add for these hooks. */
struct err *hook_manager_refuse(struct arena *a, const struct hook_managed *m,
				unsigned names) MUST_USE;

#endif
