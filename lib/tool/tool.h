/*
 * tool: programs that are tools (requirement: external tools): found in folders, asked for their
 * schema, remembered, run with JSON. lib/common/tools.h joins them with ikm's own.
 *
 * It does not know the command table: which names are taken by ikm's own tools, it is told. Nothing
 * here is run from a place that the user has not named: the folders are ikm's own, the one in the
 * user's home, and those that a person has trusted.
 */
#ifndef IKM_TOOL_H
#define IKM_TOOL_H

#include "base/base.h"

/* ---- one tool ---- */

/* The form of a schema that an agent framework wants; ikigai: as --schema prints it; json-schema:
 * the parameters alone. */
#define TOOL_FORMATS(X)                                                                            \
	X(TOOL_IKIGAI, "ikigai")                                                                   \
	X(TOOL_JSON_SCHEMA, "json-schema")                                                         \
	X(TOOL_OPENAI, "openai")                                                                   \
	X(TOOL_ANTHROPIC, "anthropic")                                                             \
	X(TOOL_MCP, "mcp")
enum tool_format { TOOL_FORMATS(ENUM_MEMBER) };
extern const char *const tool_formats[];

struct tool {
	struct str name; /* letters, digits and "_", at most 64; the file's with "_" for "-" */
	struct str description;
	struct val *document; /* what --schema prints: name, description, parameters, returns */
	struct val *input;    /* JSON Schema of the parameters: an object's */
	struct val *output;   /* JSON Schema of the result; NULL: not told */
	struct val *once;     /* the same as MCP has it, checked; NULL: nobody vouches for it */
	const char *path;     /* the program, absolute; NULL: one of ikm's own */
	bool overrides;       /* it takes the place of ikm's own of that name */
};

/*
 * The document that a program printed for --schema. Both forms of "parameters" are read: a flat
 * map of {type, description, required: true} and JSON Schema. name: what it is called by its file;
 * the document gets that name, and *differs (may be NULL) is the other one, if there was another.
 * All lives in the arena and borrows from text. Errors: BAD_JSON, BAD_UTF8, TOO_DEEP, TOO_LONG, and
 * BAD_TOOL, which names the member, what it is and what it should be.
 */
struct err *tool_read(struct arena *a, struct str name, struct str text, struct tool *out,
		      struct str *differs) MUST_USE;
/* wrapped: IKIGAI tells what it returns as tool_wrapper() gives it (requirement: external tools,
 * "Response Wrapper"). */
struct val *tool_schema(struct arena *a, const struct tool *t, enum tool_format f, bool wrapped);

/* ---- all tools ---- */

/* What a file of this name is called as a tool: "_" for "-". */
struct str tool_name_of(struct arena *a, struct str file);

struct tool_setup {
	const char *home; /* IKIGAI_HOME; NULL: no user's tools, no trust, nothing remembered */
	const char *self; /* the running program, physical; NULL: has no folder beside it */
	struct strs own;  /* the names of ikm's own tools */
	struct strs overrides;  /* of those, which may be replaced: the setting tools.override */
	const char *const *env; /* changes to the environment of what is asked; may be NULL */
	bool remembered;        /* nothing is started: what was not asked before is skipped */
};

/* What lies in a folder of tools and is none, or was passed over. */
struct tool_skipped {
	struct str name; /* as a tool's; empty when the file's name can be none */
	const char *path;
	struct str why; /* "did not answer --schema within 1000 ms" */
	bool quiet;     /* not worth a line: a folder, a file that is not executable */
	bool folder;    /* it is one of those that were looked through */
};

struct tools {
	struct tool *p; /* programs, sorted by name; ikm's own are not here */
	size_t n, cap;
	struct {
		struct tool_skipped *p;
		size_t n, cap;
	} skipped;
	struct strs notes; /* lines for standard error: a schema with another name */
};

/*
 * Looks through the folders, later wins by name: libexec/ikigai beside the bin folder that self is
 * in, home/tools, the trusted ones; not where anybody may write, nor at what anybody may write to.
 * Links to self are passed over: they are ikm's own. Each other program is started with --schema in
 * "/", at most four a core at once, and has a second from its own start and 64 KiB; what it
 * answered is remembered in home/tools.cache by path, device, inode, size and time of change, so a
 * second look costs a stat each. A failure is remembered for a minute. only: look for this name
 * alone (p NULL: for all). A tool that fails is in skipped, not an error. Errors: those of reading
 * the list of trusted folders.
 */
struct err *tools_find(struct arena *a, const struct tool_setup *s, struct str only,
		       struct tools *out) MUST_USE;
/* Forgets what was remembered. */
struct err *tools_forget(const struct tool_setup *s) MUST_USE;
/* NULL when there is none. */
const struct tool *tools_get(const struct tools *t, struct str name);
/* The line about what was skipped: "foo: did not …"; the path may hold anything: print it
 * safely. */
struct str tool_skipped_line(struct arena *a, const struct tool_skipped *s);

/* ---- trust: home/tools.trusted, which only its user writes ---- */

/* Absolute physical paths, in the order in which they were trusted. */
struct err *tool_trusted(struct arena *a, const char *home, struct strs *out) MUST_USE;
/* A folder that exists, else FILE_NOT_FOUND or NOT_A_FILE. *done: false when it was so already. */
struct err *tool_trust(struct arena *a, const char *home, const char *dir, bool *done) MUST_USE;
/* It need not exist any more. *done: false when it was not trusted. */
struct err *tool_untrust(struct arena *a, const char *home, const char *dir, bool *done) MUST_USE;

/* ---- running one ---- */

/* The error codes of a run (requirement: external tools, "Standard ikigai Error Codes"). */
enum tool_code {
	TOOL_OK,
	TOOL_TIMEOUT,
	TOOL_CRASHED,   /* ended with another status than 0, or could not be started */
	INVALID_OUTPUT, /* no JSON, invalid UTF-8, more than 16 MiB */
	INVALID_PARAMS, /* what it should get is no JSON object */
	TOOL_NOT_FOUND,
};

struct tool_outcome {
	enum tool_code code;
	struct val *result; /* TOOL_OK: any JSON value, "error" member or not */
	struct str error;   /* else: a sentence that names the tool */
	struct str steps;   /* else: what to do next, or empty */
	bool ran;
	int exit_code;       /* when it ran: 128 + N for signal N */
	struct str out, err; /* what it wrote so far; of err the first 64 KiB */
};

#define TOOL_OUT_MAX ((size_t)16 << 20)

struct tool_start {
	struct str input;       /* JSON text for its standard input */
	const char *cwd;        /* NULL: ours */
	const char *const *env; /* changes to ours, as of os_spawn */
	unsigned timeout_ms;
};
/*
 * Runs t->path in its own process group and reads its answer. When this returns, nothing that it
 * started is alive, daemons included: see os_spawn.contain, which also says the limits of that.
 * TERM, INT, QUIT and HUP to us reach it; whoever forks before calling this must not end that child
 * by KILL, but by TERM first.
 */
void tool_run(struct arena *a, const struct tool *t, const struct tool_start *start,
	      struct tool_outcome *out);
/* What a tool is given must be a JSON object; false, with INVALID_PARAMS, when it is none. */
bool tool_params(struct arena *a, struct str input, struct val **out, struct tool_outcome *o);
/* There is no such tool; from what was skipped it is told why, else which of names may be meant. */
void tool_not_found(struct arena *a, const struct tools *known, struct str name,
		    const struct strs *names, struct tool_outcome *out);
/* The wrapper: tool_success, and result, or error, error_code and details (requirement: external
 * tools, "Response Wrapper"). */
struct val *tool_wrapper(struct arena *a, const struct tool_outcome *o);
/* The same for faces without a wrapper: NULL for TOOL_OK. */
struct err *tool_error(struct arena *a, const struct tool_outcome *o) MUST_USE;

#endif
