/* The shared declarations of lib/agents/agent; no other module includes it. */
#pragma once

#include "agent/agent.h"
#include "os/os.h"

struct agent_folder {
	const char *path;
	struct agent_repo *repo;
};

/* One event on its way to an answer. */
struct agent {
	struct arena *a;
	const struct agent_call *call;
	struct host_event e;
	const char *cwd;    /* absolute: the event's, else ours */
	struct strs doubts; /* why nothing may be denied; empty: all is understood */
	struct VEC(struct agent_repo *) repos;
	/* Folders that were asked for, each with its repository or NULL. */
	struct VEC(struct agent_folder) folders;
	/* Edits of what no agent changes by itself, each as a sentence. */
	struct strs protected;
	struct agent_state *state; /* NULL: not read yet */
	const char *garden;        /* as in struct agent_writes */
};

/* A repository that the event is about. */
struct agent_repo {
	struct git *git;
	struct conf *conf;
	struct conf *head; /* of HEAD; NULL: not needed yet */
	bool head_is_stricter;
	struct tree *disk;  /* of judge_disk_tree_open() */
	struct tree *whole; /* with what a sparse checkout leaves out */
	struct judge_edits edits;
	struct check_report report;
};

/* ---- judge_edits.c ---- */

/* The repository of an absolute folder; *out NULL: there is none. */
struct err *agent_repo_of_folder(struct agent *g, const char *folder,
				 struct agent_repo **out) MUST_USE;
/* Judges the edits of each repository, into its report. */
struct err *agent_judge(struct agent *g) MUST_USE;

/* ---- judge_tool_writes.c ---- */

/* Whether check.agentProtected of some repository denies. */
bool agent_protected_is_denied(struct agent *g);

/* ---- edits.c ---- */

/*
 * Adds what the event would change to the edits of the repositories: files, and packages that a
 * command would install. *skips becomes the word of a command that skips hooks; else it stays.
 */
struct err *agent_edits_collect(struct agent *g, struct str *skips) MUST_USE;
/*
 * Adds one file. path: absolute, its folder without links. named: the absolute name by which the
 * agent knows the file, which may be a link to it; or empty.
 */
struct err *agent_edits_add_file(struct agent *g, struct str path, struct str named, struct str was,
				 struct str now) MUST_USE;

/* ---- shell.c ---- */

struct agent_shell {
	/* Packages that the command would install. */
	struct VEC(struct check_dep) deps;
	struct str skips; /* the word that skips hooks; empty: none */
};
void agent_shell_command_parse(struct arena *a, struct str command, struct agent_shell *out);

/* ---- findings_text.c ---- */

/*
 * The findings that block (or, block false, that warn), as a text for the agent; empty: none. tool:
 * the agent has called a tool of ikm, so the next step is a tool too.
 */
struct str agent_findings(struct arena *a, const struct check_report *r, bool block, bool tool);
/* The reason of a denial; ask: of agent_advise_after_denials(). */
struct str agent_denial_reason(struct arena *a, const char *when, struct str found, struct str ask);
/* The reason why the edits in g->protected are not for agents. */
struct str agent_protection_reason(struct agent *g);
/* Keeps the parts of a text within what a host can show. */
struct str agent_text_shorten(struct arena *a, struct str text);

/* ---- state.c ---- */

/* The record of a session. Each session has a file in the home. */
struct agent_count {
	struct str rule;
	int64_t n;
};
struct agent_state {
	const char *path; /* NULL: there is no home, or no session */
	struct os_lock *lock;
	struct VEC(struct agent_count) denied;
	struct strs told;   /* fingerprints */
	struct str pending; /* context that the host had no place for */
};
/* Reads the session's state under its lock, once. A state that cannot be kept is a doubt. */
void agent_state_open(struct agent *g);
void agent_state_save(struct agent *g);
/* Counts one more denial of each rule. Tells the agent to ask a person when one rule has denied too
 * many; or "". */
struct str agent_advise_after_denials(struct agent *g, const struct agent_repo *repo);
/* Whether this is the first time that the session is told. */
bool agent_state_note_told(struct agent *g, struct str fingerprint);
