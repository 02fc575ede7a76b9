/*
 * tool: external programs that are tools (requirement: external tools). This module finds them in
 * folders, reads their schemas, caches the schemas, and runs the programs with JSON.
 * lib/face/toolbox/all_tools.h joins them with the tools of ikm.
 *
 * It does not know the command table: the caller gives the names that ikm's tools use. It runs
 * programs only from folders that the user has chosen: ikm's own folder, the folder in the user's
 * home, and folders that a person has trusted.
 */
#pragma once

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
	struct str name; /* letters, digits and "_", at most 64; the file's name with "_" for "-" */
	struct str description;
	struct val *document; /* the document of --schema: name, description, parameters, returns */
	struct val *input;    /* JSON Schema of the parameters; its type is object */
	struct val *output;   /* JSON Schema of the result; NULL: the tool declares none */
	struct val *once;     /* output schema for MCP, checked; NULL: ikm cannot guarantee it */
	const char *path;     /* the program, absolute; NULL: a tool of ikm */
	unsigned traits;      /* enum cmd_trait: what a program says of itself */
	bool overrides;       /* it replaces ikm's tool of this name */
	bool late; /* it had no answer to --schema in time: a call asks it again. The document says
		      so, and its input is any object */
};

/*
 * Parses the document that a program printed for --schema. "parameters" may be a flat map of {type,
 * description, required: true}, or JSON Schema. The document gets the name that the file name
 * gives. *differs (may be NULL) is the name that the document had, if it was another.
 *
 * All results live in the arena and borrow from text. Errors: BAD_JSON, BAD_UTF8, TOO_DEEP,
 * TOO_LONG; and BAD_TOOL, which names the member, its value, and the values that are allowed.
 */
struct err *tool_read(struct arena *a, struct str name, struct str text, struct tool *out,
		      struct str *differs) MUST_USE;
/* The same of a document that was read already. */
struct err *tool_from_document(struct arena *a, struct str name, const struct val *document,
			       struct tool *out, struct str *differs) MUST_USE;
/* wrapped: IKIGAI describes a result inside the wrapper of tool_outcome_wrap() (requirement:
 * external tools, "Response Wrapper"). */
struct val *tool_schema(struct arena *a, const struct tool *t, enum tool_format f, bool wrapped);

/* ---- all tools ---- */

/* The tool name for a file name: "_" for "-". */
struct str tool_name_of_file(struct arena *a, struct str file);

struct tool_setup {
	const char *home; /* IKIGAI_HOME; NULL: no user's tools, no trusted folders, no cache */
	const char *self; /* the running program's physical path; NULL: no libexec folder */
	struct strs own;  /* the names of ikm's tools */
	struct strs overrides;  /* the names in own that programs may replace: the setting
				   tools.override */
	const char *const *env; /* changes to the environment of --schema calls; may be NULL */
	bool remembered;        /* start no program: skip tools that are not in the cache */
	unsigned patience_ms;   /* how long a program that is searched by name may take */
};

/* A file or folder that gave no tool. */
struct tool_skipped {
	struct str name; /* the tool name; empty when the file name cannot be one */
	const char *path;
	struct str why; /* "did not answer --schema within 1000 ms" */
	bool quiet;     /* not worth a line: a folder, a file that is not executable */
	bool folder;    /* the entry is a whole folder that was not searched */
};

struct tools {
	struct tool *p; /* programs, sorted by name; without ikm's tools */
	size_t n, cap;
	struct VEC(struct tool_skipped) skipped;
	struct strs notes; /* lines for standard error: a schema with another name */
};

/*
 * Searches the folders: libexec/ikigai beside the bin folder of self, then home/tools, then the
 * trusted folders. A later folder wins by name. A folder or file that everybody may write to is
 * skipped; so are links to self, which are ikm's tools.
 *
 * Each other program is started with --schema in "/", at most four a core at once. It has one
 * second from its own start, and 64 KiB for its answer. home/tools.cache keeps answers by path,
 * device, inode, size and time of change, so a second search costs one stat a program. It keeps
 * failures for a minute. A program that is late is in the list all the same, because a busy machine
 * may be the reason; a search for its name asks it again, and waits for patience_ms.
 *
 * only: search for this name alone (p NULL: for all). A tool that fails is in skipped, and is no
 * error. Errors: those of reading the list of trusted folders.
 */
struct err *tools_discover(struct arena *a, const struct tool_setup *s, struct str only,
			   struct tools *out) MUST_USE;
/* Empties the cache of schemas. */
struct err *tools_cache_clear(const struct tool_setup *s) MUST_USE;
/* NULL when no program has this name. */
const struct tool *tools_get(const struct tools *t, struct str name);
/* The line about a skipped entry: "tool 'PATH' skipped: REASON". The path may hold any bytes:
 * escape the line when you print it. */
struct str tool_skipped_line(struct arena *a, const struct tool_skipped *s);

/* ---- trust: home/tools.trusted, which only its user writes ---- */

/* Absolute physical paths, in the order in which the person trusted them. */
struct err *tool_trusted_folders(struct arena *a, const char *home, struct strs *out) MUST_USE;
/* The folder must exist, else FILE_NOT_FOUND or NOT_A_FILE. *done is false when it was trusted
 * before. */
struct err *tool_trust_folder(struct arena *a, const char *home, const char *dir,
			      bool *done) MUST_USE;
/* The folder need not exist any more. *done is false when it was not trusted. */
struct err *tool_untrust_folder(struct arena *a, const char *home, const char *dir,
				bool *done) MUST_USE;

/* ---- running a tool ---- */

/* The error codes of a run (requirement: external tools, "Standard ikigai Error Codes"). */
enum tool_code {
	TOOL_OK,
	TOOL_TIMEOUT,
	TOOL_CRASHED,   /* ended with a status that is not 0, or could not be started */
	INVALID_OUTPUT, /* no JSON, invalid UTF-8, or more than 16 MiB */
	INVALID_PARAMS, /* the parameters are no JSON object */
	TOOL_NOT_FOUND,
};

struct tool_outcome {
	enum tool_code code;
	struct val *result; /* TOOL_OK: any JSON value, with or without a member "error" */
	struct str error;   /* other codes: a sentence that names the tool */
	struct str steps;   /* other codes: the next step, or empty */
	bool ran;
	int exit_code;       /* if ran: 128 + N for signal N */
	struct str out, err; /* the tool's output so far; of err the first 64 KiB */
};

/* The word of the protocol, such as TOOL_CRASHED. */
const char *tool_error_code_name(enum tool_code code);

#define TOOL_OUT_MAX ((size_t)16 << 20)

struct tool_start {
	struct str input;       /* JSON text for its standard input */
	const char *cwd;        /* NULL: the folder of this process */
	const char *const *env; /* changes to our environment, as in os_spawn */
	unsigned timeout_ms;
};
/*
 * Runs t->path in its own process group and reads its answer. When this function returns, no
 * process that the tool started is alive, daemons included; os_spawn.contain names the limits.
 * Signals TERM, INT, QUIT and HUP to us reach the tool.
 *
 * A caller that forks before it calls this function must end that child with TERM first, not with
 * KILL.
 */
void tool_run(struct arena *a, const struct tool *t, const struct tool_start *start,
	      struct tool_outcome *out);
/*
 * Parses the parameters of a tool. False, with INVALID_PARAMS in *o, when they are no JSON object.
 */
bool tool_input_parse(struct arena *a, struct str input, struct val **out, struct tool_outcome *o);
/* Fills *out for a tool that does not exist. It gives the reason if that tool was skipped, else the
 * most similar name in names. */
void tool_not_found(struct arena *a, const struct tools *known, struct str name,
		    const struct strs *names, struct tool_outcome *out);
/* The wrapper: tool_success with result, or with error, error_code and details (requirement:
 * external tools, "Response Wrapper"). */
struct val *tool_outcome_wrap(struct arena *a, const struct tool_outcome *o);
/* The outcome as an error, for faces without a wrapper; NULL for TOOL_OK. */
struct err *tool_outcome_as_error(struct arena *a, const struct tool_outcome *o) MUST_USE;
