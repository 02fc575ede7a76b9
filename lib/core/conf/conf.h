/*
 * conf: all settings: the value, the place that set it, and whether that place may set it.
 *
 * From the lowest place to the highest: built in, SYSCONFDIR/ikigai/config.json,
 * ~/.ikigai/config.json, the repository's .ikm/config.json, the environment's IKM_*, -c KEY=VALUE.
 * A repository is not trusted: it may only set the settings that settings.h marks REPO. All values
 * are checked when they are read.
 */
#pragma once

#include "base/base.h"

/* Choices that knowledge/knowledge.h has too; P is the prefix of the names in C. */
#define CONF_SEVERITIES(X, P) X(P##INFO, "info") X(P##WARN, "warn") X(P##BLOCK, "block")
#define CONF_LAYERS(X, P)                                                                          \
	X(P##COMPANY, "company") X(P##ORG, "org") X(P##TEAM, "team") X(P##PROJECT, "project")
/* The layers of memories, of which some may leave this machine. */
#define CONF_MEMORY_LAYERS(X, P)                                                                   \
	X(P##AGENT, "agent")                                                                       \
	X(P##USER, "user")                                                                         \
	X(P##SESSION, "session")                                                                   \
	X(P##PROJECT, "project") X(P##TEAM, "team") X(P##ORG, "org") X(P##COMPANY, "company")
/* The treatment of an agent's edit, the strictest first. */
#define CONF_AGENTS(X, P) X(P##DENY, "deny") X(P##WARN, "warn")
#define CONF_WRITES(X, P) CONF_AGENTS(X, P) X(P##OFF, "off")
enum conf_agent { CONF_WRITES(ENUM_MEMBER, CONF_AGENT_) };
/* The commits that may retire a rule, from the weakest value to the strictest. */
#define CONF_RETIRES(X, P) X(P##COMMIT, "commit") X(P##MERGED, "merged")
enum conf_retire { CONF_RETIRES(ENUM_MEMBER, CONF_RETIRE_) };
/* The treatment of exceptions that a change adds, from the mildest value to the strictest. */
#define CONF_WAIVERS(X, P) X(P##COUNT, "count") X(P##WARN, "warn") X(P##IGNORE, "ignore")
enum conf_waivers { CONF_WAIVERS(ENUM_MEMBER, CONF_WAIVERS_) };
#define CONF_SWITCH(X, P) X(P##ON, "on") X(P##OFF, "off")
enum conf_switch { CONF_SWITCH(ENUM_MEMBER, CONF_SWITCH_) };
#define CONF_READERS(X, P) X(P##OWN, "own") X(P##ALL, "all")
enum conf_readers { CONF_READERS(ENUM_MEMBER, CONF_READERS_) };
/* When rows of the record go to the server of sync besides 'ikm sync now'. */
#define CONF_RECORD(X, P) X(P##OFF, "off") X(P##AUTO, "auto")
enum conf_record { CONF_RECORD(ENUM_MEMBER, CONF_RECORD_) };
/* The tokenizers that token/token.h estimates for. */
#define CONF_TOKENS(X, P) X(P##O200K, "o200k") X(P##CL100K, "cl100k")
/* The limit for any memory, in bytes. memory.maxBytes can only lower it. */
#define CONF_MEMORY_MAX (1 << 20)
/* The default of check.minSeverity, which the help of 'ikm check' shows too. */
#define CONF_MIN_SEVERITY "warn"

enum conf_origin { CONF_BUILT_IN, CONF_SYSTEM, CONF_USER, CONF_REPO, CONF_ENV, CONF_ARG };
const char *conf_origin_name(enum conf_origin o);

/* A value, or a member of a list, and the file, variable or option that set it. */
struct conf_part {
	const struct val *value;
	enum conf_origin origin;
	struct str where;
};
struct conf_parts VEC(struct conf_part);

/*
 * The values of the settings, as in conf->undo_days. A list of type struct strs comes from the
 * highest place that set it. A list of type struct conf_value_parts has the members of all places,
 * the lowest place first. A choice is an index into the row's choices.
 */
struct conf {
#define SETTING(member, type, ...) type member;
#include "conf/settings.h"
#undef SETTING
	struct conf_parts *said; /* for each row, the value from each place */
};

struct conf_input {
	struct str repo_text; /* the repository's config.json; p NULL: it has none */
	struct str repo_name; /* for messages: ".ikm/config.json in the index" */
	struct strs args;     /* "key=value" of -c, in order */
	bool no_user;         /* skip system, user and environment: for judging a foreign tree */
};
/*
 * Reads the files, the environment and the input, and checks types, ranges and choices. Errors:
 * BAD_CONFIG (with place, key, value and the allowed values; for an unknown key with the nearest
 * key), UNTRUSTED_CONFIG.
 */
struct err *conf_load(struct arena *a, const struct conf_input *in, struct conf **out) MUST_USE;

/* The checks of conf_load() for -c only, for a command that reads no settings. */
struct err *conf_check_override_args(struct arena *a, const struct strs *args) MUST_USE;

/* The user's file; NULL without a home. */
const char *conf_user_path(struct arena *a);

/*
 * The folder of the garden, which need not exist: garden.path ("~/" is the home of the user, and a
 * relative one lies in ikm's home), or else the folder garden in ikm's home. NULL without a home.
 */
const char *conf_garden_folder(struct arena *a, const struct conf *c);

/* Adds stamps of the files that conf_load() reads itself, for callers that cache its result. */
struct os_stamps;
void conf_stamp(struct arena *a, struct os_stamps *s);

/* ---- the rows, for `ikm config`, the manual, completion, and comparison of settings ---- */

enum conf_type { CONF_INT, CONF_BOOL, CONF_CHOICE, CONF_STR, CONF_STRS, CONF_PARTS };

struct conf_setting {
	const char *key, *def; /* def: as written for -c */
	const char *env;       /* the variable's name without IKM_, in lower case */
	enum conf_type type;
	size_t offset; /* offset in struct conf */
	/* INT: range of the value; CHOICE: min is the first choice; STR: bytes. Shorter texts than
	 * min are read, and not written. */
	int64_t min, max;
	const char *unit;           /* INT */
	const char *const *choices; /* CHOICE, or members of a list; NULL at the end */
	bool objects;               /* PARTS: the members are objects, not strings */
	bool folder;                /* STR: a folder of the repository, "." or like "docs/adr" */
	bool server;      /* STR: names a server; a password in it is read, and not written */
	bool repo;        /* a repository may set it, too */
	const char *help; /* a phrase without a final period */
};
enum conf_id {
#define SETTING(member, ...) CONF_ID_##member,
#include "conf/settings.h"
#undef SETTING
	CONF_SETTINGS
};
extern const struct conf_setting conf_settings[CONF_SETTINGS];

/* Whether a row's value, a URL or parameters of libpq, has a password, or is neither. */
enum conf_server { CONF_SERVER_GOOD, CONF_SERVER_SECRET, CONF_SERVER_BAD };
enum conf_server conf_server_check_url(struct str url);
/* What to do instead. */
#define CONF_PASSWORD_HELP                                                                         \
	"put the password into ~/.pgpass (mode 0600): HOST:5432:DATABASE:ROLE:PASSWORD"

/* Errors: NO_SUCH_SETTING with the nearest key. */
struct err *conf_find(struct arena *a, struct str key, const struct conf_setting **out) MUST_USE;
/* "string", "integer", "boolean", "list", "object list" */
const char *conf_type_name(const struct conf_setting *s);
/* The allowed choices of a value or a list's member, with NULL at the end; NULL: any text. */
const char *const *conf_choices(const struct conf_setting *s);
/* "a whole number, 0 to 36500 days"; "info, warn, block" */
struct str conf_allowed_values_text(struct arena *a, const struct conf_setting *s);
/* The value in force; for a list that adds up, the members from all places. */
const struct val *conf_value(const struct conf *c, struct arena *a, const struct conf_setting *s);
/* As conf_value(), member by member, each with its place. An empty list has no members. */
void conf_value_parts(const struct conf *c, struct arena *a, const struct conf_setting *s,
		      struct conf_parts *out);
/* The value from the highest place, with that place. */
const struct conf_part *conf_highest_value(const struct conf *c, const struct conf_setting *s);
/* A boolean row's value. */
bool conf_is_on(const struct conf *c, const struct conf_setting *s);
