/*
 * host: the hook events of agents' hosts (Claude Code, Codex CLI, Gemini CLI, Copilot CLI, Cursor,
 * opencode, VS Code): reads one event, writes one answer, and tells where each host keeps its
 * hooks. lib/agents/agent decides the answers; this module knows nothing of rules.
 *
 * A dialect is one form of event with its answer. The event decides the dialect, and --host does
 * not: hosts run one another's settings files, and an answer in another host's form lets the tool
 * run without a word. All that differs between hosts is rows of lib/text/host/table.c.
 */
#pragma once

#include "base/base.h"

/* Hosts that have settings of their own for hooks; VS Code reads the files of others. */
#define HOSTS_INSTALLED(X)                                                                         \
	X(HOST_CLAUDE, "claude")                                                                   \
	X(HOST_CODEX, "codex")                                                                     \
	X(HOST_GEMINI, "gemini")                                                                   \
	X(HOST_COPILOT, "copilot")                                                                 \
	X(HOST_CURSOR, "cursor")                                                                   \
	X(HOST_OPENCODE, "opencode")
#define HOSTS(X) HOSTS_INSTALLED(X) X(HOST_VSCODE, "vscode") X(HOST_UNKNOWN, "unknown")
enum host { HOSTS(ENUM_MEMBER) };
/* NULL-ended, in the order of the enum; host_choices has HOSTS_INSTALLED alone. */
extern const char *const host_names[], *const host_choices[];

/* When the host asks. HOST_OTHER: an event that ikm does not answer. */
#define HOST_MOMENTS(X)                                                                            \
	X(HOST_BEFORE, "before-tool")                                                              \
	X(HOST_AFTER, "after-tool")                                                                \
	X(HOST_STOP, "end-of-turn")                                                                \
	X(HOST_START, "session-start")                                                             \
	X(HOST_OTHER, "other")
enum host_moment { HOST_MOMENTS(ENUM_MEMBER) };
extern const char *const host_moments[];

/* What a tool does. HOST_SERVER: a tool of an MCP server. HOST_ANY_TOOL: ikm does not know it. */
enum host_kind {
	HOST_ANY_TOOL,
	HOST_WRITE,
	HOST_EDIT,
	HOST_MULTI_EDIT,
	HOST_PATCH,
	HOST_NOTEBOOK,
	HOST_DELETE,
	HOST_SHELL,
	HOST_SERVER,
};

/* One replacement of an edit. */
struct host_replacement {
	struct str path; /* empty: the event's path */
	struct str old, new;
	bool all; /* every occurrence, not the only one */
};

struct host_dialect;
struct host_event {
	const struct host_dialect *dialect;
	enum host host;
	enum host_moment moment;
	struct str name;    /* the event as the host calls it */
	struct str session; /* empty: the event names none */
	struct str cwd;     /* empty: the event names none */
	struct str agent;   /* the subagent; empty: the session itself */
	struct str tool;
	enum host_kind kind;
	struct str path;    /* WRITE, EDIT, MULTI_EDIT, NOTEBOOK, DELETE: as the host gave it */
	struct str content; /* WRITE: the whole file. NOTEBOOK: the cell's source */
	struct VEC(struct host_replacement) edits; /* EDIT, MULTI_EDIT */
	struct str patch;                          /* PATCH */
	struct str command;                        /* SHELL */
	struct str cell;                           /* NOTEBOOK: the id of the cell, or empty */
	struct str cell_mode;
	bool stop_active; /* STOP: the host goes on because a hook said so */
	/* Why the event is not understood in full; empty: it is. Then nothing may be denied. */
	struct str doubt;
};

/*
 * Reads an event. by_default (HOST_UNKNOWN: none) is the host of --host; it counts where the event
 * has no sign of its host. `name` is the event's name for events that do not have it; may be empty.
 * Never fails: what cannot be read is an event with a doubt. Strings are borrowed from text or
 * live in the arena.
 */
void host_event_read(struct arena *a, struct str text, enum host by_default, struct str name,
		     struct host_event *out);

/*
 * The host that started this process, by the variables that it gives to its commands and servers;
 * HOST_UNKNOWN: none is set. *session: what it says of its session; p NULL: nothing.
 */
enum host host_running(struct str *session);

/* ---- answers ---- */

enum host_verdict { HOST_ALLOW, HOST_DENY, HOST_ASK, HOST_CONTEXT };
/* Whether the host acts on the verdict. Every host takes HOST_ALLOW. */
bool host_takes_verdict(const struct host_event *e, enum host_verdict v);
struct host_answer {
	struct str out, err; /* for standard output and standard error; empty: nothing */
	int status;          /* 0 or 2 */
};
/*
 * The answer in the event's dialect: one JSON object, or nothing. text: the reason, or the context;
 * must not be empty but for HOST_ALLOW. A verdict that the host does not take is a BUG.
 */
void host_answer(struct arena *a, const struct host_event *e, enum host_verdict v, struct str text,
		 struct host_answer *out);

/* ---- where hosts keep their hooks ---- */

enum host_file_form { HOST_JSON, HOST_TOML, HOST_TEXT };
/* A file, or all files of a folder, in which a host reads hooks. */
struct host_file {
	enum host host;
	bool user; /* below the home, not below a project */
	const char
		*env; /* for `user`: the variable that names another folder than `path`'s first */
	const char *path; /* "*" as the last part: every file; "*.json": those that end so */
	enum host_file_form form;
	/* The members that say which hooks run; none: the whole file does. */
	const char *members[3];
};
extern const struct host_file host_files[]; /* ends with a path of NULL */
/* Whether the path, from the project's top or from the home, is one of the file's. */
bool host_file_matches_path(const struct host_file *f, struct str path);

/* ---- what ikm puts there ---- */

/* One event that ikm asks for. */
struct host_hook {
	const char *event;
	const char *matcher; /* of tools; NULL: none */
	unsigned seconds;    /* how long it may take */
};
struct host_install {
	enum host host;
	/*
	 * Templates of JSON: $C the command, $T the time limit, $M the member of the matcher with
	 * its comma, $F the member that makes the host stop a tool when the hook breaks.
	 */
	const char *entry;
	const char *matcher;           /* $M */
	const char *fail_closed;       /* $F; NULL: the host has none */
	const char *version;           /* a member beside "hooks", in a new file; NULL: none */
	const char *allow;             /* printed when ikm is missing; NULL: nothing */
	unsigned units;                /* of a time limit in a second */
	const struct host_hook *hooks; /* ends with an event of NULL */
	/* An event that must be denied: $D is the folder. */
	const char *must_deny;
	const char *denied; /* what the answer has then */
	/* The step that the person must take before the host runs the hook; NULL: none. */
	const char *then;
};
/* NULL for a host that has no settings for hooks. */
const struct host_install *host_hook_settings(enum host h);
/* The file that ikm adds to: of the project, or of the user. */
const struct host_file *host_settings_file(enum host h, bool user);
/* The plugin for opencode, whole. */
extern const char host_plugin[];

/* ---- the patch format of Codex, Copilot and opencode ---- */

enum host_patch_kind { HOST_PATCH_ADD, HOST_PATCH_UPDATE, HOST_PATCH_DELETE };
struct host_patch_line {
	char kind; /* ' ', '-' or '+' */
	struct str text;
};
struct host_patch_hunk {
	struct strs anchors;   /* the texts behind @@: lines that stand before the hunk */
	size_t line, new_line; /* of a header such as "@@ -2 +3 @@", from 1; 0: none */
	bool numbered;         /* it has such a header */
	bool at_end;           /* *** End of File */
	struct host_patch_line *p;
	size_t n, cap;
};
struct host_patch_file {
	enum host_patch_kind kind;
	struct str path, move_to; /* move_to: empty, the file stays */
	struct str content;       /* ADD */
	struct host_patch_hunk *p;
	size_t n, cap;
};
struct host_patch VEC(struct host_patch_file);
/*
 * Reads "*** Begin Patch ... *** End Patch", alone or in a here-document. Where all lines of the
 * text end with CR LF, the lines of hunks lose the CR. BAD_PATCH with the line.
 */
struct err *host_patch_read(struct arena *a, struct str text, struct host_patch *out) MUST_USE;
/*
 * The content after an UPDATE, as the host makes it: it takes the first place where the lines fit
 * more or less, and writes the lines of the patch over those of the file. ikm judges this content.
 * It applies patches itself with file_patch(), which is exact. HUNK_FAILED: the patch does not
 * apply.
 */
struct err *host_patch_apply(struct arena *a, const struct host_patch_file *f, struct str old,
			     struct str *new) MUST_USE;
/* The lines that the patch adds to the file, joined. */
struct str host_patch_added(struct arena *a, const struct host_patch_file *f);
/*
 * The patch of "apply_patch <<'EOF'", alone or behind "cd DIR &&". False for any other command.
 */
bool host_patch_in_command(struct str command, struct str *cwd, struct str *patch);
