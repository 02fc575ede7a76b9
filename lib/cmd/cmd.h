/*
 * cmd: the command table's language. A command is one const struct; its parameters are one C
 * struct and one table, its result another. From these come argument parsing, JSON input, usage,
 * --help, completion, both schemas and the head of the manual page.
 * cmd/list.h is the only list of commands. This module runs nothing: lib/app does.
 */
#ifndef IKM_CMD_H
#define IKM_CMD_H

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
	P_JSON,    /* const struct val *: any JSON object; with sub a list of such objects, unread:
		    * the command reads each by itself, so that a wrong one spoils no other */
	P_LIST,    /* struct cmd_list: a list of objects, described by sub */
};

struct cmd_bits {
	unsigned bits; /* 1 << index into choices */
	bool given;
};
struct cmd_list {
	void *p; /* sub_size bytes each; NULL: not given */
	size_t n;
};

enum param_flag {
	REQUIRED = 1,
	ARG = 2,        /* by position on the command line */
	STDIN = 4,      /* "-" on the command line reads standard input */
	CLI_ONLY = 8,   /* for people and scripts: not in JSON, schemas, MCP */
	JSON_ONLY = 16, /* no option: only in JSON input */
	PATHS = 32,     /* completion offers files */
	HIDDEN = 64,    /* an accepted other name: not in usage, schemas, completion */
	WORDS = 512, /* ARG of one text: takes all words that follow, with a blank between them */
	CONFIGURED = 128, /* def is a setting's: told, not filled in, for the setting may differ */
	OR_STDIN = 256,   /* REQUIRED in JSON; a command line without it reads standard input */
	/*
	 * P_LIST: one object instead of a list of them. Of a command's own row no member may be
	 * REQUIRED: the flat map of --schema says there whether the object itself is.
	 */
	ONE = 1024,
	/*
	 * P_STRS in JSON: what means the same is accepted too, though no schema says so: one
	 * string, a number, two numbers for a range.
	 */
	RANGES = 2048,
	/*
	 * A list of strings, besides JSON_ONLY | HIDDEN: takes the names of members that no row
	 * has, which are an error without it. The command tells that it has passed over them.
	 */
	REST = 4096,
};

/* The greatest integer that every JSON reader keeps. */
#define CMD_INT_MAX 9007199254740991

struct call;

struct param {
	const char *name; /* as in JSON; the option is --name in lower case with hyphens */
	const char *help; /* a phrase: no capital, no period */
	enum param_type type;
	size_t offset;
	unsigned flags;
	char letter;        /* short option, or 0 */
	const char *option; /* the long option's name when it is not derived, e.g. "tag" of tags */
	const char *meta;   /* what stands for the value in usage */
	const char *def;    /* default, as it would be typed; a list's parts are joined by "," */
	int64_t min, max;   /* when min < max: numbers within, strings and lists so long */
	const char *const *choices; /* NULL-ended */
	const struct param *sub;
	size_t sub_size;
	const char *also; /* another accepted JSON name, which models know; never in schemas */
	/*
	 * It goes on in a list that was cut: the member of the list's rows whose value it takes; ""
	 * when it takes how many rows to leave out.
	 */
	const char *page;
	/*
	 * Prints more candidates for what is typed: of an ARG, and of an option's value that is a
	 * word of its own. c has a, out and err, and nothing is open.
	 */
	struct err *(*complete)(struct call *c, struct str typed);
};

/* clang-format off */
#define PARAM_TYPE(x) _Generic((x), struct str: P_STR, struct strs: P_STRS, int64_t: P_INT,        \
	double: P_NUM, bool: P_BOOL, int: P_CHOICE, struct cmd_bits: P_CHOICES,                    \
	const struct val *: P_JSON, struct cmd_list: P_LIST)
#define PARAM_OF(object, member, ...)                                                              \
	{.name = #member, .type = PARAM_TYPE(((object *)0)->member),                               \
	 .offset = offsetof(object, member), __VA_ARGS__}
/* A member of struct args, then designated initialisers: PARAM(limit, .help = "…", .def = "10") */
#define PARAM(member, ...) PARAM_OF(struct args, member, __VA_ARGS__)
/* clang-format on */

/* ---- commands ---- */

enum cmd_expose {
	EXPOSE_ALL,        /* people, scripts, tools, MCP */
	EXPOSE_PERSON,     /* not offered to tools and MCP */
	EXPOSE_MAINTAINER, /* needs --maintainer */
	EXPOSE_HIDDEN,     /* machinery: works, not listed */
};
enum cmd_need {
	NEED_CONF = 1,  /* call->conf */
	NEED_GIT = 2,   /* call->git; an error without a repository */
	MAY_GIT = 4,    /* call->git, or NULL outside a repository */
	NEED_ROOTS = 8, /* call->roots: limits on tool faces */
	/*
	 * call->roots: limits on every face, for what follows foreign text. On a command line these
	 * are the repository and files.roots together, or --root alone. Where there is nothing of
	 * that, all files are outside and call->rootless is set; OUTSIDE_ROOTS becomes NO_ROOTS.
	 */
	NEED_CONFINED = 16,
};
enum cmd_face { FACE_ARGV, FACE_CALL, FACE_LIBEXEC };

/* Toolsets: what an MCP server offers is chosen by these. */
#define CMD_TOOLSETS(X)                                                                            \
	X(SET_FILES, "files")                                                                      \
	X(SET_MEMORY, "memory") X(SET_KNOWLEDGE, "knowledge") X(SET_TOOLS, "tools")
enum cmd_toolset { CMD_TOOLSETS(ENUM_MEMBER) };
extern const char *const cmd_toolsets[];

/* What a tool may do to the world; without any of these the worst is to be expected. */
enum cmd_trait {
	TOOL_READS = 1,      /* changes nothing but traces of the question */
	TOOL_ADDS = 2,       /* what was there before is still there */
	TOOL_IDEMPOTENT = 4, /* a second time changes nothing more */
	TOOL_OPEN = 8,       /* it may reach beyond this machine */
	TOOL_CORE = 16,      /* offered when no toolset is named: few, for they cost context */
};

struct cmd_common;
struct db;
struct git;
struct os_roots;
struct client;

struct cmd {
	const char *name;      /* "know query" */
	const char *tool;      /* "knowledge_query"; NULL: no tool */
	const char *tool_also; /* another accepted tool name, or NULL */
	enum cmd_toolset toolset;
	unsigned traits;         /* enum cmd_trait */
	const char *summary;     /* for lists and manuals: a phrase */
	const char *description; /* for agents: when to use it; NULL: the summary */
	enum cmd_expose expose;
	/* Tool faces have it only where a person has switched this on; NULL: always. */
	const struct conf_setting *setting;
	unsigned need;
	size_t args_size;
	const struct param *params; /* ended by {0} */
	const struct field *result; /* ended by {0}; NULL: the command prints by itself in text */
	size_t result_size;         /* of the struct that the rows describe */
	/*
	 * Fills the result, which is all zero before. What it points to lives in c->a. Where
	 * cmd_emits_text(), it may print text to c->out as it goes. A run that has printed the
	 * whole answer sets c->result to NULL.
	 */
	struct err *(*run)(struct call *c, const void *args, void *result);
	/* The result for people; NULL: a success is not worth a word. */
	void (*text)(struct call *c, const void *args, const void *result);
	/* One row of an EMITTED list for people, as it comes; NULL: a line of JSON each. */
	struct err *(*row)(struct call *c, const void *args, const void *row);
	/* A command whose result is no struct yet. */
	struct err *(*run_val)(struct call *c, const void *args, struct val **result);
	void (*text_val)(struct call *c, const void *args, const struct val *result);
	/* What --help prints behind the options; may be NULL. */
	void (*more_help)(struct out *o);
	/*
	 * Instead of run, for a face: answers by itself, from the options of every command too. It
	 * calls other rows, or prints what it has to say; app_run() is not called for it.
	 */
	struct err *(*serve)(struct call *c, const struct cmd_common *common, const void *args,
			     struct val **result);
	bool prints_json; /* what serve prints is JSON, and so are errors about its arguments */
};

/* Members of a row: the parameters, and the result, each with the struct that its table describes.
 */
#define CMD_PARAMS(object, rows) .params = rows, .args_size = sizeof(object)
#define CMD_RESULT(object, rows) .result = rows, .result_size = sizeof(object)

struct call {
	struct arena *a;
	const struct cmd *cmd;
	enum cmd_face face;
	bool json;        /* the answer will be JSON */
	bool maintainer;  /* --maintainer */
	bool negative;    /* set by run: a negative answer, exit 1 */
	const void *args; /* of the command that runs */
	void *result;     /* its record; NULL: it has none */
	struct cmd_emitted {
		const struct field *list;
		struct val *rows; /* NULL: each was printed as it came */
		bool open;        /* the object is begun on c->out, and the list not closed */
	} emitted;
	const char *cwd;
	struct conf *conf;
	struct git *git;
	struct db *store;       /* app_store() has it; NULL: nobody asked */
	struct os_roots *roots; /* NULL: no limit */
	bool rootless;          /* no folder is inside them */
	/* Folders that nobody named in a setting and that were refused, each with the reason. */
	struct strs refused_roots;
	struct strs warnings; /* of the settings: told with every answer of a tool */
	struct out *out, *err;
	struct strs set;             /* -c key=value, as given */
	const struct client *client; /* of a server; NULL: there is none */
};

/* The table, NULL-ended, sorted by name; defined next to the list. */
extern const struct cmd *const cmd_table[];

const struct cmd *cmd_find(struct str name);
/* Whether it is one of this command's names as a tool; "fs.read" and "fs-read" are fs_read. */
bool cmd_is_tool(const struct cmd *c, struct str name);
/* By any of those. */
const struct cmd *cmd_find_tool(struct str tool);
/* The longest command name at the start of the words; *used says how many words it took. */
const struct cmd *cmd_find_words(char *const *words, size_t n, size_t *used);
/* Whether it is one of several that begin with this word: "mem add" of "mem". */
bool cmd_is_of(const struct cmd *c, struct str noun);
bool cmd_is_noun(struct str noun);
/*
 * Why the first words of a command line name no command: "'mem rm': no such command; did you mean
 * 'mem delete'?". After a noun the help lists its verbs. second is empty when there is no second
 * word.
 */
struct err *cmd_unknown(struct arena *a, struct str first, struct str second);
/* Appends at most three commands that the word may stand for; noun is empty for a first word. */
void cmd_suggest(struct arena *a, struct str noun, struct str word, struct strs *found);

/* ---- running ---- */

/*
 * Runs c->cmd. Its record is c->result; *result is the same as a value tree, made for JSON, and in
 * test builds held to the rows. NULL: nobody wants JSON.
 */
struct err *cmd_run(struct call *c, const void *args, struct val **result) MUST_USE;
/* Prints the result of cmd_run() for people, where there is one and the command has a text. */
void cmd_text(struct call *c, const struct val *result);

/*
 * For run(), of a result with an EMITTED list: names the list, once, before the first row. A list
 * that was not named is empty, or missing when it is OPTIONAL.
 */
void cmd_emit_to(struct call *c, const char *list);
/*
 * One row: a struct of the list's `sub`, or of a list of strings a struct str. People read it at
 * once, by the command's row(). JSON on a pipe is printed at once too, when the list is the first
 * member of the result; else the list comes with the result. The row's memory may be given back.
 * Fails when nobody reads any more.
 */
struct err *cmd_emit(struct call *c, const void *row) MUST_USE;
/* The same for a list whose rows differ: this one is a struct of `rows`. */
struct err *cmd_emit_as(struct call *c, const struct field *rows, const void *row) MUST_USE;
/* Whether rows are shown to people as they come. */
bool cmd_emits_text(const struct call *c);
/* Prints a result or an error envelope as JSON: behind emitted rows, what of it follows them. */
void cmd_print_json(struct call *c, const struct val *v);

/* ---- options that every command has ---- */

struct cmd_common {
	bool help, json, maintainer;
	struct str dir;  /* -C */
	struct strs set; /* -c key=value */
	struct strs root;
	struct str agent, user, session; /* short for -c agent.id=, user=, session= */
	int color;                       /* enum out_color */
};
extern const struct param cmd_common_params[];

/* ---- parsing ---- */

/* Fills the defaults. */
struct err *cmd_defaults(struct arena *a, const struct param *params, void *args) MUST_USE;
/*
 * argv behind the command's name into args and common. Errors: UNKNOWN_PARAMETER with the nearest,
 * MISSING_PARAMETER, WRONG_TYPE, OUT_OF_RANGE, NOT_IN_ENUM, TOO_LONG; they name the option, what
 * was found, what is allowed. When common->help is set, nothing required is missed.
 */
struct err *cmd_parse_argv(struct arena *a, const struct cmd *c, char *const *argv, size_t n,
			   void *args, struct cmd_common *common) MUST_USE;
/* A JSON object into args; the same errors, naming the member as files[0].path. */
struct err *cmd_parse_json(struct arena *a, const struct cmd *c, const struct val *input,
			   void *args) MUST_USE;
/* The same into new args, in which the defaults are set. */
struct err *cmd_args_json(struct arena *a, const struct cmd *c, const struct val *input,
			  void **args) MUST_USE;
/* All of standard input. TOO_LONG over JSON_BYTES_MAX: whoever gives it is told, not the disk. */
struct err *cmd_stdin(struct arena *a, struct str *out) MUST_USE;
/* What run() said of parameters by their names, in the words of a command line. */
void cmd_name_options(struct arena *a, const struct cmd *c, struct err *e);
/*
 * The other way round, for tools: where a step of the help names a command line, such as
 * 'ikm asset restore x.md', it names the tool: asset_restore with {"path":"x.md"}. The lines of
 * commands that are no tools stay: a person runs them.
 */
void cmd_name_tools(struct arena *a, struct err *e);
/* The option's name without the hyphens. */
struct str param_option(struct arena *a, const struct param *p);
/* The same as people are told: what is on by itself has an option that switches it off. */
struct str param_switch(struct arena *a, const struct param *p);
struct str param_help(struct arena *a, const struct param *p);

/* ---- what is derived ---- */

enum schema_format { SCHEMA_IKIGAI, SCHEMA_JSON_SCHEMA };
struct val *cmd_schema(struct arena *a, const struct cmd *c, enum schema_format format);
/* JSON Schema of the result, without the fields that are a COPY. */
struct val *cmd_schema_once(struct arena *a, const struct cmd *c);

/* What it is for, in sentences. */
struct str cmd_description(struct arena *a, const struct cmd *c);
/* "usage: ikm know query [--type TYPE] …" without a newline. */
struct str cmd_usage(struct arena *a, const struct cmd *c);
void cmd_print_help(struct out *o, const struct cmd *c);
/* All settings, for the help of `config`. */
void cmd_print_settings(struct out *o);
/* All commands, or those of a noun. */
void cmd_overview(struct out *o, struct str noun);
/* The head of man/ikm-NOUN.mdoc: up to and including the options. NOT_FOUND for no such noun. */
struct err *cmd_mdoc(struct out *o, struct str noun) MUST_USE;
/* The exit statuses of errors, as items of the list in man/ikm.mdoc. */
void cmd_mdoc_errors(struct out *o);
/* The settings, as items of the list in man/ikm-config.mdoc. */
void cmd_mdoc_settings(struct out *o);
/* References to the pages of all commands, each with a comma behind it. */
void cmd_mdoc_pages(struct out *o);
/*
 * Candidates for the word at `index` of `words` (words[0] is "ikm"): "word TAB what it is" a line;
 * the line ":files" asks the shell for file names, ":dirs" for folders, and what follows ":paths"
 * are names of files. Not NULL: this row's complete() has more.
 */
const struct param *cmd_complete(struct out *o, char *const *words, size_t n, size_t index);
/* Settings, as `config get` takes them; and as -c does: "KEY=", then the value's words. */
struct err *cmd_complete_key(struct call *c, struct str typed);
struct err *cmd_complete_setting(struct call *c, struct str typed);
/* One candidate, when it begins as typed; of what it is, the first line. */
void cmd_candidate(struct out *o, struct str typed, struct str word, struct str what);

#endif
