/*
 * agent: judges what agents do, in the hook events of their hosts and in the changes of ikm's own
 * tools. Before an edit it judges the file as it would be; after shell commands and at the end of a
 * turn, the working tree; at the start of a session it tells the decisions. Which hosts there are,
 * and how each reads an answer, is lib/text/host's; how a rule is judged is check's.
 *
 * It guards against mistakes and is no sandbox: a program that an agent starts can write anything.
 * So what cannot be understood is not denied, and what passes here is judged again by Git's hooks.
 */
#pragma once

#include "history/judge_trees.h"
#include "file/file.h"
#include "host/host.h"

struct agent_call {
	struct str input;     /* the event, as the host wrote it */
	struct str unread;    /* why the input could not be read; empty: it was */
	enum host by_default; /* --host; HOST_UNKNOWN: none */
	struct str event;     /* --event, or empty */
	struct strs set;      /* -c key=value */
	const char *cwd;      /* where the host started ikm */
	/* The text of `ikm context`, asked at the start of a session; may be empty. */
	struct err *(*pinned)(void *ctx, struct arena *a, struct str *out);
	/* The lines of `ikm know for` for files, as absolute paths; may be empty. NULL: not told.
	 */
	struct err *(*binds)(void *ctx, struct arena *a, const struct strs *paths, struct str *out);
	void *ctx;
};
/*
 * Never fails: trouble is told as context where the host has a place for it, and the tool runs.
 */
void agent_hook_run(struct arena *a, const struct agent_call *c, struct host_answer *out);

/* ---- ikm's own tools ---- */

/* A call of a tool that changes files. */
struct agent_writes {
	struct strs set; /* -c key=value */
	const char *cwd;
	struct str session; /* denials of a rule are counted in it; empty: they are not */
	/* The garden's users/, which may lie in ikm's home; its own policy guards it. NULL: none */
	const char *garden;
};
/*
 * A policy for struct files that judges each change of files before it happens, by the rules of the
 * repository that holds the file. The settings check.agentWrites and check.agentProtected decide
 * what a finding does. Errors: BREAKS_RULE, PERSON_DECIDES. What cannot be judged is a warning.
 * Stored assets, ignored files and files outside repositories are not judged. w must live as long
 * as the policy.
 */
struct file_policy agent_write_policy_new(struct agent_writes *w);

/* ---- commits ---- */

/*
 * Counts the rules that stopped a commit or a push in the session of the host that runs ikm. After
 * the third stop of a rule: what to tell the agent. Empty: no such rule, or no session is named.
 */
struct str agent_advise_after_blocks(struct arena *a, const struct check_report *r);

/* ---- in the settings of hosts ---- */

#define AGENT_ACTIONS(X)                                                                           \
	X(AGENT_INSTALLED, "installed")                                                            \
	X(AGENT_RENEWED, "renewed")                                                                \
	X(AGENT_UNCHANGED, "unchanged")                                                            \
	X(AGENT_REMOVED, "removed")                                                                \
	X(AGENT_ABSENT, "absent")
enum agent_action { AGENT_ACTIONS(ENUM_MEMBER) };
extern const char *const agent_actions[]; /* NULL-ended */
struct agent_options {
	enum host host;
	bool user;        /* the user's settings, not the project's */
	bool fail_closed; /* the tool is stopped when the hook breaks, where the host can */
};
struct agent_change {
	const char *host, *path;
	enum agent_action action;
	struct str text;   /* what is in the file for ikm, or was */
	struct strs notes; /* what the person must do or know */
};
/*
 * Adds ikm to the host's own settings and keeps everything else byte for byte, or takes it out.
 * top: of the project; may be NULL for the user's settings. Errors: BAD_JSON for settings that
 * cannot be read as JSON, EXISTS for a plugin that was edited, BAD_ARGUMENT for fail_closed where
 * the host has no such thing.
 */
struct err *agent_hook_install(struct arena *a, const char *top, const struct agent_options *o,
			       struct agent_change *out) MUST_USE;
struct err *agent_hook_uninstall(struct arena *a, const char *top, const struct agent_options *o,
				 struct agent_change *out) MUST_USE;

#define AGENT_PROOFS(X) X(AGENT_FIRES, "yes") X(AGENT_FIRES_NOT, "no") X(AGENT_UNPROVEN, "unproven")
enum agent_proof { AGENT_PROOFS(ENUM_MEMBER) };
extern const char *const agent_proofs[]; /* NULL-ended */
struct agent_found {
	const char *host, *path;
	enum agent_proof fires;
	struct str why; /* p NULL: it fires */
};
struct agent_founds VEC(struct agent_found);
/*
 * Runs what is registered with an event that must be denied, and looks whether the host trusts it.
 * Only a command that ikm would write is run. hosts: 1 << enum host; those without a hook of ikm
 * are told when they were asked for by name (all false).
 */
struct err *agent_hook_probe(struct arena *a, const char *top, unsigned hosts, bool all,
			     struct agent_founds *out) MUST_USE;
