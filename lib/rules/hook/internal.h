/* internal: declarations that only the files of lib/rules/hook share. */
#pragma once

#include "hook/hook.h"
#include "os/os.h"

#define HOOK_PREV ".ikm-prev"
/* In the folder of the repository: the hooks that ikm has installed, a line each. */
#define HOOK_MARK "ikm-hooks"

/* Written beside core.hooksPath by install --global, so that uninstall knows who set it. */
#define SET_BY_US "ikm.hooksPath"

/* The probe of `hook status`. Its answer has exit status 1: git stops if it is set by mistake. */
#define HOOK_PROBE_ENV    "IKM_HOOK_PROBE"
#define HOOK_PROBE_ANSWER "ikm-hook-probe " /* then the token, a blank, and the program's path */

/* The hooks of every repository in which somebody works. */
#define HOOK_CLIENT                                                                                \
	(((1u << HOOK_COUNT) - 1) & ~(1u << HOOK_PRE_RECEIVE) & ~(1u << HOOK_COMMIT_MSG))

/* ---- shim.c ---- */

enum hook_owner {
	OWNER_NONE,   /* no file */
	OWNER_OURS,   /* as some version of ikm wrote it */
	OWNER_EDITED, /* has ikm's mark, but was changed */
	OWNER_OTHER,
};
struct hook_file {
	const char *path, *prev; /* prev: the place of the hook that was there before */
	enum hook_owner owner;
	bool executable;
	struct str text; /* empty when it cannot be read or is large */
	bool has_prev, prev_runs;
	const char *legacy; /* ikm's hook, moved to NAME.legacy; NULL: none, or path is ikm's */
};
/* Reads dir/name and its kept hook. NOT_A_FILE when a folder has the name. */
struct err *hook_file_read(struct arena *a, const char *dir, const char *name,
			   struct hook_file *out) MUST_USE;
enum hook_shim {
	SHIM_REPOSITORY,
	SHIM_GLOBAL,     /* also calls the repository's own hook */
	SHIM_PASS,       /* for a hook that ikm does not use: only calls the repository's own */
	SHIM_CONFIGURED, /* of git's configuration: git runs it with sh, and adds the arguments */
};
/* The shim of that kind. All but SHIM_PASS call this ikm. */
struct err *hook_shim_text(struct arena *a, enum hook_shim kind, const char *name,
			   struct str *out) MUST_USE;
/* Finds the ikm that a shim calls. False: the text is not exactly hook_shim_text() of that kind. */
bool hook_shim_program(struct arena *a, struct str text, enum hook_shim kind, const char *name,
		       struct str *out);
/* The owner of a shim's text; never OWNER_NONE. */
enum hook_owner hook_text_owner(struct arena *a, struct str text, const char *name);
/*
 * commit-msg, when its shim is there though the garden is gone, and no hook was named; else 0. The
 * shim of --global that only passes on does not count.
 */
unsigned hook_commit_msg_without_garden(struct arena *a, const struct hook_options *o,
					const struct hook_file *f);

/* ---- git_config.c ---- */

enum hook_scope { SCOPE_UNSET, SCOPE_LOCAL, SCOPE_ELSEWHERE };
struct hook_place {
	const char *dir;   /* absolute */
	const char *top;   /* of the working tree; NULL: bare or global */
	struct str value;  /* core.hooksPath as configured */
	struct str origin; /* git's word: "local", "worktree", "global", "system", "command" */
	enum hook_scope scope;
	bool global;  /* requested with --global */
	bool is_set;  /* with --global: core.hooksPath names `dir` already */
	bool is_made; /* with --global: ikm has set it */
};
struct err *hook_place_find(struct arena *a, struct git *g, bool global,
			    struct hook_place *out) MUST_USE;
/* The chosen hooks, or all that apply. BAD_ARGUMENT for a chosen hook that does not apply. */
struct err *hook_choose_names(struct arena *a, struct git *g, const struct hook_options *o,
			      unsigned *names) MUST_USE;

/* hook.ikm-NAME of git's configuration. */
struct hook_configured {
	struct str command;    /* p NULL: there is none */
	enum hook_owner owner; /* of the command; OWNER_NONE: there is none */
	struct str scope;      /* git's word for the place of the command */
	bool event;            /* git runs the command for the event */
	bool off;              /* hook.ikm-NAME.enabled is false */
	bool event_off;        /* hook.NAME.enabled is false, for git 2.55 and newer */
};
struct hook_configuration {
	struct hook_configured hook[HOOK_COUNT];
	struct strs others; /* the names of hooks that are not ikm's */
};
/* scope: "--local", "--global"; NULL: what git reads, where a later value counts. */
struct err *hook_configured_read(struct arena *a, struct git *g, const char *scope,
				 struct hook_configuration *out) MUST_USE;
/* The setting that stops it; p NULL: none does. */
struct str hook_configured_why_off(struct arena *a, const struct hook_configured *h,
				   enum hook_name name);
/* Whether this git runs hooks of its configuration, and its version without "git version". */
struct err *hook_git_supports_config_hooks(struct arena *a, bool *runs,
					   struct str *version) MUST_USE;

/* ---- manager.c ---- */

struct hook_managed {
	const struct manager *by;  /* NULL: none */
	const char *name;          /* one of hook_managers */
	const char *file;          /* its configuration, relative to the top; NULL: none is known */
	bool in_front;             /* it leaves hooks of others in place: ikm goes in front of it */
	unsigned never;            /* hooks that it does not run */
	bool runs_legacy;          /* its hooks run NAME.legacy first */
	bool runs_ikm[HOOK_COUNT]; /* the configuration calls ikm for the hook */
	bool installed[HOOK_COUNT];      /* git runs the manager for the hook in this clone */
	const char *ignored[HOOK_COUNT]; /* the file that git does not run without its mode */
	const char *from[HOOK_COUNT];    /* the file that calls ikm for the hook; with runs_ikm */
};
/* "husky is not installed in this clone…: COMMAND", for a hook that only the configuration
 * names. */
struct str hook_manager_not_installed_text(struct arena *a, const struct hook_managed *m,
					   enum hook_name name);
struct err *hook_manager_find(struct arena *a, const struct hook_place *p,
			      const struct hook_file files[HOOK_COUNT],
			      struct hook_managed *out) MUST_USE;
/* What calls ikm in a clone. */
struct hook_clone {
	struct hook_place place;
	struct hook_file file[HOOK_COUNT];
	struct hook_managed managed;
};
struct err *hook_clone_read(struct arena *a, struct git *g, struct hook_clone *out) MUST_USE;
/*
 * The hooks that may lack ikm: post-commit, which stops nothing, beside a manager of hooks, unless
 * it was requested or is there. f: the file of post-commit.
 */
unsigned hook_manager_optional_hooks(const struct hook_managed *m, const struct hook_options *o,
				     const struct hook_file *f);
#define HOOK_WHY_OPTIONAL "optional: 'ikm hook install --hook post-commit' prints the lines to add"
/* Returns HOOKS_ELSEWHERE with the lines to add for these hooks. */
struct err *hook_manager_refuse(struct arena *a, const struct hook_managed *m,
				unsigned names) MUST_USE;
