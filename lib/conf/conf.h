/*
 * conf: every setting, its value, where that was set, and whether that place may set it.
 *
 * From the lowest to the highest: built in, SYSCONFDIR/ikigai/config.json, ~/.ikigai/config.json,
 * the repository's .ikm/config.json, the environment's IKM_*, -c KEY=VALUE. A repository is not
 * trusted: it may set only what settings.h marks REPO. All values are checked when they are read.
 */
#ifndef IKM_CONF_H
#define IKM_CONF_H

#include "token/token.h"

/* Words of settings that knowledge/knowledge.h has too, behind a prefix of the names in C. */
#define CONF_SEVERITIES(X, P) X(P##INFO, "info") X(P##WARN, "warn") X(P##BLOCK, "block")
#define CONF_LAYERS(X, P)                                                                          \
	X(P##COMPANY, "company") X(P##ORG, "org") X(P##TEAM, "team") X(P##PROJECT, "project")
/* The most bytes that any memory may have, which memory.maxBytes can only lower. */
#define CONF_MEMORY_MAX (1 << 20)
/* The default of check.minSeverity, which the help of 'ikm check' shows too. */
#define CONF_MIN_SEVERITY "warn"

enum conf_origin { CONF_BUILT_IN, CONF_SYSTEM, CONF_USER, CONF_REPO, CONF_ENV, CONF_ARG };
const char *conf_origin_name(enum conf_origin o);

/* One value, or one member of a list, and the file, variable or option that set it. */
struct conf_part {
	const struct val *value;
	enum conf_origin origin;
	struct str where;
};
struct conf_parts {
	struct conf_part *p;
	size_t n, cap;
};

/*
 * The settings: conf->undo_days. A list of type struct strs is that of the highest place; one of
 * type struct conf_parts has the members of all places, the lowest place first. A choice is its
 * index in the row's words.
 */
struct conf {
#define SETTING(member, type, ...) type member;
#include "conf/settings.h"
#undef SETTING
	struct conf_parts *said; /* of each row, what each place says */
};

struct conf_input {
	struct str repo_text; /* the repository's config.json; p NULL: it has none */
	struct str repo_name; /* for messages: ".ikm/config.json in the index" */
	struct strs args;     /* "key=value" of -c, in order */
	bool no_user; /* leave out system, user and environment: for judging a foreign tree */
};
/*
 * Reads the files, the environment and what is given, and checks types, ranges and words. Errors:
 * BAD_CONFIG (place, key, value, what is allowed; of an unknown key the nearest), UNTRUSTED_CONFIG.
 */
struct err *conf_load(struct arena *a, const struct conf_input *in, struct conf **out) MUST_USE;

/* The same errors of -c alone, for a command that reads no settings. */
struct err *conf_check_args(struct arena *a, const struct strs *args) MUST_USE;

/* Adds stamps of the files that conf_load() reads by itself, for callers that keep its result. */
struct os_stamps;
void conf_stamp(struct arena *a, struct os_stamps *s);

/* ---- the rows: for `ikm config`, the manual, completion, and comparing settings ---- */

enum conf_type { CONF_INT, CONF_BOOL, CONF_CHOICE, CONF_STR, CONF_STRS, CONF_PARTS };

struct conf_setting {
	const char *key, *def; /* def as -c would have it */
	const char *env;       /* the variable's name behind IKM_, in lower case */
	enum conf_type type;
	size_t offset;              /* in struct conf */
	int64_t min, max;           /* INT: the value; CHOICE: min is the first word; STR: bytes */
	const char *unit;           /* INT */
	const char *const *choices; /* NULL-ended: CHOICE, and of the members of a list */
	bool objects;               /* PARTS: the members are objects, not strings */
	bool repo;                  /* a repository may set it too, not only a person */
	const char *help;           /* a phrase */
};
enum conf_id {
#define SETTING(member, ...) CONF_ID_##member,
#include "conf/settings.h"
#undef SETTING
	CONF_SETTINGS
};
extern const struct conf_setting conf_settings[CONF_SETTINGS];

/* NO_SUCH_SETTING with the nearest. */
struct err *conf_find(struct arena *a, struct str key, const struct conf_setting **out) MUST_USE;
/* "string", "integer", "boolean", "list", "object list" */
const char *conf_type_name(const struct conf_setting *s);
/* The words that a choice or a list's member may be, NULL-ended; NULL: any. */
const char *const *conf_words(const struct conf_setting *s);
/* "a whole number, 0 to 36500 days"; "info, warn, block" */
struct str conf_allowed(struct arena *a, const struct conf_setting *s);
/* The value that counts; of a list that adds up, all members. */
const struct val *conf_value(const struct conf *c, struct arena *a, const struct conf_setting *s);
/* The same one by one, each with the place that set it; an empty list has none. */
void conf_parts(const struct conf *c, struct arena *a, const struct conf_setting *s,
		struct conf_parts *out);
/* The highest place that set it. */
const struct conf_part *conf_last(const struct conf *c, const struct conf_setting *s);
/* A boolean row's value. */
bool conf_is_on(const struct conf *c, const struct conf_setting *s);

#endif
