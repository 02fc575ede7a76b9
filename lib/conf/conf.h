/*
 * conf: every setting, where its value came from, and whether that place may say it.
 *
 * Lowest to highest: built in, SYSCONFDIR/ikigai/config.json, ~/.ikigai/config.json, the
 * repository's .ikm/config.json, IKM_* environment, -c key=value. A repository is untrusted: keys
 * that name programs, keys, URLs or places outside itself are refused by name.
 */
#ifndef IKM_CONF_H
#define IKM_CONF_H

#include "base/base.h"

enum conf_origin { CONF_BUILT_IN, CONF_SYSTEM, CONF_USER, CONF_REPO, CONF_ENV, CONF_ARG };

struct conf;

struct conf_input {
	struct str repo_text; /* the repository's config.json; p NULL: it has none */
	struct str repo_name; /* for messages: ".ikm/config.json in the index" */
	struct strs args;     /* "key=value" of -c, in order */
	bool no_user; /* leave out system, user and environment: for judging a foreign tree */
};
/*
 * Reads the files, the environment and what is given. Errors: BAD_CONFIG (place, what is allowed,
 * the nearest known key), UNTRUSTED_CONFIG.
 */
struct err *conf_load(struct arena *a, const struct conf_input *in, struct conf **out) MUST_USE;

/* Stamps of the files that conf_load() reads by itself, for who keeps what it gave. */
struct os_stamps;
void conf_stamp(struct arena *a, struct os_stamps *s);

/* Unknown keys are a BUG: callers know the table in settings.h. */
const struct val *conf_get(const struct conf *c, const char *key);
struct str conf_str(const struct conf *c, const char *key);
int64_t conf_int(const struct conf *c, const char *key);
/* BAD_CONFIG that says what is allowed. */
struct err *conf_int_within(const struct conf *c, const char *key, int64_t least, int64_t most,
			    int64_t *out) MUST_USE;
/* An id of who asks: text without control characters, not blank, at most CONF_ID_MAX bytes; or
 * empty. */
#define CONF_ID_MAX 256
struct err *conf_id(const struct conf *c, const char *key, struct str *out) MUST_USE;
bool conf_bool(const struct conf *c, const char *key);
/* Unknown keys are NO_SUCH_SETTING with the nearest. */
struct err *conf_find(struct arena *a, const struct conf *c, struct str key,
		      const struct val **value, enum conf_origin *origin,
		      struct str *where) MUST_USE;
/* All values of a list setting from all origins, each with its origin, most general first. */
struct conf_part {
	const struct val *value;
	enum conf_origin origin;
	struct str where;
};
struct conf_parts {
	struct conf_part *p;
	size_t n, cap;
};
void conf_each(const struct conf *c, struct arena *a, const char *key, struct conf_parts *out);

/* The table of settings, for `config list`, completion and the manual. */
size_t conf_settings(void);
const char *conf_key(size_t i);
const char *conf_help(size_t i);
/* "string", "integer", "boolean", "list", "object list" */
const char *conf_type(size_t i);
bool conf_repo_may(size_t i);
const char *conf_origin_name(enum conf_origin o);

#endif
