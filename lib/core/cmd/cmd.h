/*
 * cmd: the types of the command table. A command is one const struct. A C struct and a table of
 * rows describe its parameters; another struct and table describe its result. From these come
 * argument parsing, JSON input, usage, --help, completion, both schemas and the head of the manual
 * page. cmd/list.h is the only list of commands. This module runs no command; lib/face/app does.
 */
#pragma once

#include "conf/conf.h"
#include "out/out.h"
#include "record/record.h"

/* ---- parameters ---- */

enum param_type {
	P_STR,     /* struct str; p NULL: not given */
	P_STRS,    /* struct strs; p NULL: not given */
	P_INT,     /* int64_t */
	P_NUM,     /* double, NAN: not given */
	P_BOOL,    /* bool */
	P_CHOICE,  /* int: index into choices, -1: not given */
	P_CHOICES, /* struct cmd_bits: a list of choices */
	P_JSON, /* const struct val *: any JSON object. With sub, a list of such objects that stay
		   unread: the command reads each object, so a wrong object does not spoil the
		   others */
	P_LIST, /* struct cmd_list: a list of objects; sub has their rows */
};

struct cmd_bits {
	unsigned bits; /* 1 << index into choices */
	bool given;
};
struct cmd_list {
	void *p; /* elements of sub_size bytes; NULL: not given */
	size_t n;
};

enum param_flag {
	REQUIRED = 1,
	ARG = 2,          /* positional on the command line */
	STDIN = 4,        /* "-" on the command line reads standard input */
	CLI_ONLY = 8,     /* for people and scripts: not in JSON, schemas, MCP */
	JSON_ONLY = 16,   /* only in JSON input, not an option */
	PATHS = 32,       /* completion offers files */
	HIDDEN = 64,      /* another accepted name: not in usage, schemas, completion */
	WORDS = 512,      /* an ARG that takes all remaining words, joined by blanks, as one text */
	CONFIGURED = 128, /* def shows a setting's default, but is not filled in */
	OR_STDIN = 256,   /* REQUIRED in JSON; a command line may use standard input */
	/*
	 * P_LIST: one object instead of a list of objects. In the table of a command, no member of
	 * such an object may be REQUIRED. There the flat map of --schema says whether the object
	 * itself is required.
	 */
	ONE = 1024,
	/*
	 * P_STRS in JSON: also accepts equivalent forms, which no schema shows: a string, a number,
	 * or two numbers for a range.
	 */
	RANGES = 2048,
	/*
	 * A list of strings, with JSON_ONLY | HIDDEN: receives the names of unknown members, which
	 * are otherwise an error. The command reports that it has ignored them.
	 */
	REST = 4096,
	/* About the call, not about what it does: two calls that differ in it only are the same. */
	AUDIT = 16384,
	/* A path that may also be the name of a file in the garden: see
	 * app_garden_file_resolve_args().
	 */
	GARDEN_NAMES = 32768,
	/*
	 * Left out of the schemas that a server lists, because each word of them costs tokens, and
	 * the parameter is rarely needed. It works, and usage, manual and --schema have it.
	 */
	RARE = 65536,
	/*
	 * P_STRS in JSON: also accepts one string as a list of one; P_STR: a list of one as its
	 * string. No schema shows it.
	 */
	LIST_OR_ONE = 131072,
	/* The option may stand without a value, at the end or before another option: it is "". */
	BARE = 262144,
};

/* The greatest integer that every JSON reader reads exactly. */
#define CMD_INT_MAX 9007199254740991

struct call;

/* Packed: the tables of parameters are written at each start, because they hold addresses. */
struct param {
	const char *name; /* the name in JSON; the option is --name in lower case with hyphens */
	const char *help; /* a phrase: no capital, no period */
	/* The phrase in schemas, where it must not name options or ways to print. NULL: help. An
	 * empty phrase: a server lists the name alone, which says it. */
	const char *tool_help;
	const char *option; /* the long option, when it is not derived from name: "tag" of tags */
	const char *meta;   /* the placeholder for the value in usage */
	const char *def;    /* the default as a user would type it; "," joins the parts of a list */
	const char *also;   /* another accepted JSON name, which models use; never in schemas */
	/*
	 * The parameter continues a list that was cut. This is the name of the member of the list's
	 * rows whose value it takes, or "" when it takes the number of rows to skip.
	 */
	const char *page;
	int64_t min, max;           /* when min < max: range of the number or of the length */
	const char *const *choices; /* NULL at the end; P_STRS: each string is one of them */
	const struct param *sub;
	/*
	 * Prints more candidates for the typed text: for an ARG, and for an option's value in a
	 * word of its own. The call has only a, out, err and words; nothing is open.
	 */
	struct err *(*complete)(struct call *c, struct str typed);
	/*
	 * Whether the choice of this index can succeed with these settings. A server leaves the
	 * others out of its schemas. NULL: each can.
	 */
	bool (*offers)(const struct conf *conf, size_t choice);
	unsigned flags;
	uint16_t offset;
	uint16_t sub_size;
	enum param_type type : 8;
	char letter; /* short option, or 0 */
};

/* clang-format off */
#define PARAM_TYPE(x) _Generic((x), struct str: P_STR, struct strs: P_STRS, int64_t: P_INT,        \
	double: P_NUM, bool: P_BOOL, int: P_CHOICE, struct cmd_bits: P_CHOICES,                    \
	const struct val *: P_JSON, struct cmd_list: P_LIST)
#define PARAM_OF(object, member, ...)                                                              \
	{.name = #member, .type = PARAM_TYPE(((object *)0)->member),                               \
	 .offset = offsetof(object, member), __VA_ARGS__}
/* A member of struct args and designated initialisers: PARAM(limit, .help = "…", .def = "10") */
#define PARAM(member, ...) PARAM_OF(struct args, member, __VA_ARGS__)
/* clang-format on */

/* ---- commands ---- */

enum cmd_expose {
	EXPOSE_ALL,        /* people, scripts, tools, MCP */
	EXPOSE_PERSON,     /* not offered to tools and MCP */
	EXPOSE_MAINTAINER, /* needs --maintainer */
	EXPOSE_HIDDEN,     /* internal: it works, but is not listed */
};
enum cmd_need {
	NEED_CONF = 1,  /* call->conf */
	NEED_GIT = 2,   /* call->git; without a repository an error */
	MAY_GIT = 4,    /* call->git, or NULL outside a repository */
	NEED_ROOTS = 8, /* call->roots: limits on tool faces */
	/*
	 * call->roots: limits on every face, for commands that follow names in foreign text. On a
	 * command line these are the repository and files.roots together, or only --root. When
	 * there are none, all files are outside and call->rootless is set; OUTSIDE_ROOTS becomes
	 * NO_ROOTS.
	 */
	NEED_CONFINED = 16,
};
enum cmd_face { FACE_ARGV, FACE_CALL, FACE_LIBEXEC };

/* Toolsets: a user chooses by them which tools an MCP server offers. */
#define CMD_TOOLSETS(X)                                                                            \
	X(SET_FILES, "files")                                                                      \
	X(SET_MEMORY, "memory")                                                                    \
	X(SET_KNOWLEDGE, "knowledge") X(SET_GARDEN, "garden") X(SET_TOOLS, "tools")
enum cmd_toolset { CMD_TOOLSETS(ENUM_MEMBER) };
extern const char *const cmd_toolsets[];

/* The effects of a tool. A tool without any of these flags may do anything. */
enum cmd_trait {
	TOOL_READS = 1,       /* it only reads; ikm may add a line to its log of queries */
	TOOL_ADDS = 2,        /* removes and changes nothing */
	TOOL_IDEMPOTENT = 4,  /* a second call changes nothing more */
	TOOL_OPEN = 8,        /* it may act beyond this machine */
	TOOL_CORE = 16,       /* offered without a choice of toolsets; few, to save context */
	TOOL_LONG = 32,       /* answers are often long: the schema names the limit of a call */
	TOOL_EVERY_ROOT = 64, /* without a path it is about all folders of a client */
	TOOL_SYNONYM = 128,   /* another tool does the same: it works, and no server lists it */
};

struct plain;

struct cmd_common;
struct db;
struct git;
struct os_roots;
struct client;
struct files_proposal;

struct cmd {
	const char *name;      /* "know query" */
	const char *tool;      /* "knowledge_query"; NULL: not a tool */
	const char *tool_also; /* another accepted tool name, or NULL */
	/* Tools only: all parameters may also stand in one object of this name. NULL: no. */
	const char *tool_object;
	enum cmd_toolset toolset;
	unsigned more_toolsets;  /* 1 << enum cmd_toolset: it belongs to these toolsets too */
	unsigned traits;         /* enum cmd_trait */
	const char *summary;     /* a phrase for lists and manuals */
	const char *description; /* for agents: when to use it; NULL: use the summary */
	const char *surplus;     /* what to do instead of one argument too many; NULL: nothing */
	enum cmd_expose expose;
	/* The tool is available only when a person has switched this setting on; NULL: always. */
	const struct conf_setting *setting;
	unsigned need;
	size_t args_size;
	const struct param *params; /* {0} at the end */
	const struct field *result; /* {0} at the end; NULL: the command prints its own text */
	size_t result_size;         /* size of the struct that the rows describe */
	/*
	 * Fills the result, which is zeroed before. Memory that the result points to is in c->a.
	 * When cmd_emits_text() is true, it may print text to c->out as it goes. A run that has
	 * printed the whole answer sets c->result to NULL.
	 */
	struct err *(*run)(struct call *c, const void *args, void *result);
	/*
	 * Is told that a command of maintainers was refused, since --maintainer is missing; it may
	 * record the attempt. Returns `why`. c->conf is set. NULL: nobody is told.
	 */
	struct err *(*refused)(struct call *c, const void *args, struct err *why);
	/* How people read the result (cmd/result_template.h). NULL: nothing is printed on success.
	 */
	const char *template;
	/* Draws for people what no template can, behind the text of the template. */
	void (*text)(struct call *c, const void *args, const void *result);
	/*
	 * Prints one row of an EMITTED list for people at once. NULL: each row is a line of JSON.
	 */
	struct err *(*row)(struct call *c, const void *args, const void *row);
	/*
	 * How a model reads the result as text (reply/plain_for_model.h). NULL: as an outline of
	 * its members.
	 */
	const struct plain *plain;
	/* Prints more --help text behind the options; may be NULL. */
	void (*more_help)(struct out *o);
	/*
	 * Replaces run for a face. It reads the options of every command too, and answers itself:
	 * it calls other rows, or prints. app_run_command() is not called for it.
	 */
	struct err *(*serve)(struct call *c, const struct cmd_common *common, const void *args,
			     struct val **result);
	bool prints_json; /* serve prints JSON, so errors about its arguments are JSON too */
};

/* Members of a row: the parameters, and the result, each with the struct that its table describes.
 */
#define CMD_PARAMS(object, rows) .params = rows, .args_size = sizeof(object)
#define CMD_RESULT(object, rows) .result = rows, .result_size = sizeof(object)

struct call {
	struct arena *a;
	const struct cmd *cmd;
	enum cmd_face face;
	bool json;       /* the answer will be JSON */
	bool maintainer; /* --maintainer */
	bool negative;   /* set by run: a negative answer, exit 1 */
	int status; /* set by serve, for a caller that reads statuses of its own; 0: as usual */
	const void *args; /* arguments of the running command */
	void *result;     /* its result; NULL: it has none */
	struct cmd_emitted {
		const struct field *list;
		struct val *rows; /* NULL: each row was printed at once */
		bool open;        /* the list is open on c->out */
	} emitted;
	const char *cwd;
	struct conf *conf;
	struct git *git;
	struct db *store;       /* opened by app_store(); NULL: not opened */
	struct os_roots *roots; /* NULL: no limit */
	bool rootless;          /* the roots contain no folder */
	/* Refused roots that come from no setting, each with its reason. */
	struct strs refused_roots;
	struct strs closed;   /* folders of a root for which another call answers */
	struct strs warnings; /* warnings about settings, shown with every answer of a tool */
	struct strs notes;    /* how the names of files were understood, shown on every face */
	struct out *out, *err;
	/* The conversation of a tool's call that names none; app/audit_params.h finds it. */
	struct str guessed_session;
	struct strs set;                 /* -c key=value, as given */
	struct strs words;               /* for complete(): the words before the typed one */
	const struct client *client;     /* the client of a server; NULL: no server */
	struct files_proposal *proposed; /* not NULL: changes of files are only proposed to it */
};

/* The table, sorted by name, with NULL at the end; defined next to the list. */
extern const struct cmd *const cmd_table[];

const struct cmd *cmd_find(struct str name);
/* The name among these that is meant: the tool of a command of this name, or the nearest. */
struct str cmd_tool_meant(struct str name, const struct strs *names);
/* True for a name of this command as a tool. "fs.read" and "fs-read" mean fs_read. */
bool cmd_has_tool_name(const struct cmd *c, struct str name);
/* The toolsets that it belongs to, as bits: 1 << enum cmd_toolset. */
unsigned cmd_toolsets_of(const struct cmd *c);
/* Finds a command by any of its tool names. */
const struct cmd *cmd_find_tool(struct str tool);
/* Finds the longest command name at the start of the words; *used is the number of its words. */
const struct cmd *cmd_find_words(char *const *words, size_t n, size_t *used);
/* True when the command belongs to this noun: "mem add" to "mem". */
bool cmd_has_noun(const struct cmd *c, struct str noun);
bool cmd_is_noun(struct str noun);
/*
 * The error for words that name no command: "'mem rm': no such command; did you mean 'mem
 * delete'?". For a noun the help lists its verbs. `second` is empty when there is no second word.
 */
struct err *cmd_unknown(struct arena *a, struct str first, struct str second);

/* ---- running ---- */

/*
 * Runs c->cmd. Its result is c->result. *result is the same as a value tree for JSON, or NULL when
 * text is printed for people. Test builds check it against the rows.
 */
struct err *cmd_run(struct call *c, const void *args, struct val **result) MUST_USE;
/* Prints the result of cmd_run() for people, if there is one and the command has a text. */
void cmd_print_text(struct call *c);

/*
 * run() names an EMITTED list once, before its first row. A list that run() does not name is empty,
 * or missing when it is OPTIONAL.
 */
void cmd_emit_begin_list(struct call *c, const char *list);
/*
 * Emits a row: a struct with the list's `sub`, or a struct str for a list of strings. For people,
 * the command's row() prints it at once. JSON on a pipe is printed at once when the list is the
 * first member of the result. Otherwise the list comes with the result. The caller may free the row
 * afterwards. Fails when writing fails, for example when the reader has closed the pipe.
 */
struct err *cmd_emit_row(struct call *c, const void *row) MUST_USE;
/* As cmd_emit_row(), for a list whose rows differ: this row is a struct of `rows`. */
struct err *cmd_emit_row_as(struct call *c, const struct field *rows, const void *row) MUST_USE;
/* True when rows are printed for people at once. */
bool cmd_emits_text(const struct call *c);
/* Prints a result or an error envelope as JSON; after emitted rows, the rest of the object. */
void cmd_print_json(struct call *c, const struct val *v);

/* ---- options that every command has ---- */

struct cmd_common {
	bool help, json, maintainer, pager, quiet;
	struct str dir;  /* -C */
	struct strs set; /* -c key=value */
	struct strs root;
	struct str agent, user, session; /* short forms of -c agent.id=, user=, session= */
	int color;                       /* enum out_color */
};
extern const struct param cmd_common_params[];

/* ---- parsing ---- */

/* Sets the defaults in args. */
struct err *cmd_defaults(struct arena *a, const struct param *params, void *args) MUST_USE;
/*
 * Parses the arguments behind the command's name into args and common. Errors: UNKNOWN_PARAMETER
 * with the nearest option, MISSING_PARAMETER, WRONG_TYPE, OUT_OF_RANGE, NOT_IN_ENUM, TOO_LONG. They
 * name the option, the value that was found, and the allowed values. With common->help, missing
 * parameters are no error.
 */
struct err *cmd_parse_argv(struct arena *a, const struct cmd *c, char *const *argv, size_t n,
			   void *args, struct cmd_common *common) MUST_USE;
/* Parses a JSON object into args. The same errors name a member like files[0].path. */
struct err *cmd_parse_json(struct arena *a, const struct cmd *c, const struct val *input,
			   void *args) MUST_USE;
/* As cmd_parse_json(), into new args with the defaults set. */
struct err *cmd_parse_json_new_args(struct arena *a, const struct cmd *c, const struct val *input,
				    void **args) MUST_USE;
/* Tells a person, when standard input is a terminal, what is read from it and how to end it. */
void cmd_stdin_prompt(const char *what);
/* Reads all of standard input: what, such as "a unified diff". Errors: TOO_LONG over
 * JSON_BYTES_MAX. */
struct err *cmd_stdin(struct arena *a, const char *what, struct str *out) MUST_USE;
/* Replaces parameter names in an error of run() by option names, for a command line. */
void cmd_error_params_to_options(struct arena *a, const struct cmd *c, struct err *e);
/* How a caller reaches a tool: by its name, through tool_call or tool_change, or not at all. */
enum cmd_reach { CMD_LISTED, CMD_REACHED, CMD_NOT_OFFERED };
struct cmd_reaches {
	enum cmd_reach (*of)(const void *ctx, const struct cmd *tool);
	const void *ctx;
};
/*
 * The opposite, for tools: replaces command lines in the help's steps by tool calls. 'ikm asset
 * restore x.md' becomes asset_restore with {"path":"x.md"}, or the call of tool_change that reaches
 * it. A command line that the caller has no tool for stays: a person runs it. An option of `c`
 * becomes the name of the parameter. how: NULL when all tools are listed.
 */
void cmd_error_name_tools(struct arena *a, const struct cmd *c, const struct cmd_reaches *how,
			  struct err *e);
/* The same for a text, such as the help of a parameter in a schema. */
struct str cmd_text_for_tools(struct arena *a, const struct cmd *c, const struct cmd_reaches *how,
			      struct str text);
/*
 * The parameters that decide what a call does, as a value tree: without those of AUDIT, and without
 * absent ones. Equal trees are repeats of a call. Bytes that are no text become their hash.
 */
struct val *cmd_params_to_compare_calls(struct arena *a, const struct param *params,
					const void *args);
/* The name of the option without the hyphens. */
struct str param_option_name(struct arena *a, const struct param *p);
/* The option in help texts: a switch that is on by default has an option to switch it off. */
struct str param_option_in_help(struct arena *a, const struct param *p);
/*
 * The command's own option with this switch or letter ('\0': none), which hides the common option.
 * NULL: it has none.
 */
const struct param *param_find_own_option(struct arena *a, const struct cmd *c, struct str name,
					  char letter);
struct str param_help(struct arena *a, const struct param *p);

/* ---- what is derived ---- */

/* SCHEMA_SHORT: what a server lists: without parameters that are RARE, and limits that no model
 * meets. */
enum schema_format { SCHEMA_IKIGAI, SCHEMA_JSON_SCHEMA, SCHEMA_SHORT };
struct val *cmd_schema(struct arena *a, const struct cmd *c, enum schema_format format);
/* JSON Schema of the result, without the COPY fields. */
struct val *cmd_result_schema(struct arena *a, const struct cmd *c);

/* The description of the command in sentences. */
struct str cmd_description(struct arena *a, const struct cmd *c);
/* "usage: ikm know query [--type TYPE] …" without a newline. */
struct str cmd_usage(struct arena *a, const struct cmd *c);
void cmd_print_help(struct out *o, const struct cmd *c);
/* Prints all settings, for the help of `config`. */
void cmd_print_settings(struct out *o);
/* Lists the verbs of a noun. */
void cmd_noun_print_verbs(struct out *o, struct str noun);
/* Prints the head of man/ikm-NOUN.mdoc, up to the options. Errors: UNKNOWN_COMMAND. */
struct err *cmd_mdoc(struct out *o, struct str noun) MUST_USE;
/* Prints the exit statuses of errors, as list items for man/ikm.mdoc. */
void cmd_mdoc_errors(struct out *o);
/* Prints the options of every command, as a list for man/ikm.mdoc. */
void cmd_mdoc_global_options(struct out *o);
/* Prints the settings, as list items for man/ikm-config.mdoc. */
void cmd_mdoc_settings(struct out *o);
/* Prints references to the pages of all commands, each with a comma. */
void cmd_mdoc_see_also(struct out *o);
/*
 * Prints the candidates for the word at `index` of `words` (words[0] is "ikm"), one on each line,
 * as "word TAB description". The line ":files" asks the shell for file names, and ":dirs" for
 * folders. The lines behind ":paths" are names of files. When the result is not NULL, complete() of
 * that row has more candidates.
 */
const struct param *cmd_complete(struct out *o, char *const *words, size_t n, size_t index);
/* The nth word of `words` that is an argument of this command, no option; empty: there is none. */
struct str cmd_nth_positional_word(struct arena *a, const struct cmd *c, const struct strs *words,
				   size_t nth);
/*
 * Print settings: keys, as `config get` takes them (with --repo those that a repository may set);
 * the choices of the setting that an earlier word names; "KEY=" with the value's choices, for -c.
 */
struct err *cmd_complete_setting_key(struct call *c, struct str typed);
struct err *cmd_complete_setting_value(struct call *c, struct str typed);
struct err *cmd_complete_setting_pair(struct call *c, struct str typed);
/* Prints a candidate if it begins with the typed text, with the first line of `what`. */
void cmd_candidate(struct out *o, struct str typed, struct str word, struct str what);
