/*
 * asset: stored assets (requirement: assets): texts in the store, each with a path, former versions
 * and pins of agents. All assets that an agent has pinned share a budget of tokens. The module
 * does not know files. It names commands in its messages only.
 *
 * Paths are UTF-8, without scheme and leading slash, and have no empty, "." or ".." part.
 */
#pragma once

#include "conf/run_configured_program.h"
#include "db/db.h"
#include "record/record.h"
#include "token/token.h"

/* Stands before an asset's path in a URI: ikigai:///a/b. */
#define ASSET_SCHEME "ikigai://"
/* Limit of one content. */
#define ASSET_BYTES_MAX ((size_t)8 << 20)

#define ASSET_CATEGORIES(X)                                                                        \
	X(ASSET_BLOCK, "block") X(ASSET_SKILL, "skill") X(ASSET_PREFERENCE, "preference")
enum asset_category { ASSET_CATEGORIES(ENUM_MEMBER) };
extern const char *const asset_categories[];

struct assets {
	struct db *db;
	struct str agent; /* the caller: its pins and its budget apply */
	enum token_model model;
	int64_t budget;                 /* tokens (assets.budget) */
	int64_t keep_versions;          /* per asset (assets.keepVersions) */
	int64_t keep_days;              /* assets.keepDays */
	struct conf_program summarizer; /* asset.summarizer; command.n 0: none */
};

struct asset {
	struct str path, uri, description;
	struct str content, hash; /* "sha256:" and the digest of the content */
	enum asset_category category;
	bool read_only;
	int64_t tokens; /* counted when it was written; counted again for another model */
	int64_t size;
	int64_t created, updated; /* ms */
	bool pinned;              /* whether the agent has pinned it */
};
/*
 * The members of an asset in JSON, without its content. The macros are rows that other results
 * share.
 */
/* clang-format off */
#define ASSET_ROW_PATH(object, at) FIELD_AS(object, at path, "path", "the asset's name")
#define ASSET_ROW_URI(object, at)                                                                  \
	FIELD_AS(object, at uri, "uri", "its URI, for the file tools")
#define ASSET_ROW_TOKENS(object, at) FIELD_AS(object, at tokens, "tokens", "estimated tokens")
/* clang-format on */
extern const struct field asset_record[];
struct asset_list VEC(struct asset);

/*
 * Parses an asset's name as users write it: "ikigai:///a/b" or "ikigai://a/b". With `bare` (asset
 * commands and slash commands) "a/b" is allowed too. Errors: BAD_PATH says which part is wrong;
 * TOO_LONG.
 */
struct err *asset_path_read(struct arena *a, struct str text, bool bare, struct str *out) MUST_USE;
/*
 * The paths to try for a bare name, in order: "x", "x.md", "blocks/x", "blocks/x.md" (requirement:
 * assets, "Prompt Expansion"). So @@auth-patterns works as a short name.
 */
void asset_candidates(struct arena *a, struct str bare, struct strs *out);
/* The path of an existing asset that is most like `path`; empty: none is near. */
struct err *asset_nearest(struct assets *s, struct arena *a, struct str path,
			  struct str *out) MUST_USE;
/* The first path of asset_candidates() that exists. Errors: as asset_path_read() and
 * asset_missing(). */
struct err *asset_resolve(struct assets *s, struct arena *a, struct str text,
			  struct str *path) MUST_USE;
/*
 * Makes the error NO_SUCH_ASSET. Its help names the nearest asset, or the command that restores a
 * removed asset.
 */
struct err *asset_missing(struct assets *s, struct arena *a, struct str path) MUST_USE;
/* Makes the error READ_ONLY_ASSET. Its help says what a person can do. */
struct err *asset_protected_error(struct str path) MUST_USE;
/* "ikigai:///" and the path. */
struct str asset_uri(struct arena *a, struct str path);

/*
 * Reads an asset. *found is false if there is none; that is no error. content: read the content
 * too.
 */
struct err *asset_get(struct assets *s, struct arena *a, struct str path, bool content,
		      struct asset *out, bool *found) MUST_USE;
/* Lists the assets below the folder `prefix` (empty: all), sorted by path, without content. */
struct err *asset_list_by_prefix(struct assets *s, struct arena *a, struct str prefix,
				 struct asset_list *out) MUST_USE;

/*
 * An asset is changed within one write transaction: db_begin(), asset_get(), one of the three
 * functions below, db_commit(). `old` is the result of asset_get() in that transaction. Each
 * function fails with READ_ONLY_ASSET for a read-only asset. When a function fails, roll the
 * transaction back. op is stored with the version ("write", "edit").
 */

/*
 * Stores content; hash is its sha256. old NULL: the asset is new. The former content is kept as a
 * version. Content must be UTF-8 without NUL, at most 8 MiB. If a kept version of the path has the
 * same content, a new asset takes its description and category. Errors: OVER_BUDGET, with the
 * required message and figures; NOT_TEXT, TOO_LONG.
 */
struct err *asset_put(struct assets *s, struct arena *a, struct str path, const struct asset *old,
		      const char *op, struct str content, struct str hash) MUST_USE;
/*
 * As asset_put(), for a content that asset_summarize() has made of `full`: the full text is kept as
 * a version too.
 */
struct err *asset_put_summarized_content(struct assets *s, struct arena *a, struct str path,
					 const struct asset *old, const char *op, struct str full,
					 struct str content, struct str hash) MUST_USE;
/* Removes the asset, and keeps its content as a version. */
struct err *asset_remove(struct assets *s, const struct asset *old, const char *op) MUST_USE;
/*
 * Moves the asset to the path `to`, which must be free. Pins and versions move too. The versions
 * get new numbers, above every number that `to` has used.
 */
struct err *asset_rename(struct assets *s, const struct asset *old, struct str to) MUST_USE;

/*
 * New values for asset_set_description(). A member that is -1, or whose p is NULL, changes nothing.
 * A read-only asset may be described too.
 */
struct asset_meta {
	struct str description;
	int category;  /* enum asset_category */
	int read_only; /* 0, 1 */
};
/*
 * Runs a transaction of its own. out: the asset after the change, without content. Errors:
 * NO_SUCH_ASSET.
 */
struct err *asset_set_description(struct assets *s, struct arena *a, struct str path,
				  const struct asset_meta *meta, struct asset *out) MUST_USE;

/* ---- versions ---- */

struct asset_version {
	int64_t number; /* from 1; a path never uses a number twice */
	struct str description;
	enum asset_category category;
	int64_t tokens;                      /* counted when the content was written */
	int64_t size, saved;                 /* saved: ms, when the content was replaced */
	struct str hash, op, agent, content; /* op, agent: what replaced it, and who */
};
/* The members of a version in JSON, without description and content. */
extern const struct field asset_version_record[];
struct asset_versions VEC(struct asset_version);
/*
 * Lists the versions of a path, newest first, without content. An unknown path has an empty list.
 */
struct err *asset_history(struct assets *s, struct arena *a, struct str path,
			  struct asset_versions *out) MUST_USE;
/*
 * Lists the versions of a removed asset, like asset_history(). *as is the path that has them:
 * `path`, or, when `path` has none, `path` with ".md" added.
 */
struct err *asset_find_removed(struct assets *s, struct arena *a, struct str path, struct str *as,
			       struct asset_versions *kept) MUST_USE;
/* Reads a version with its content. Errors: NO_SUCH_VERSION. */
struct err *asset_version(struct assets *s, struct arena *a, struct str path, int64_t number,
			  struct asset_version *out) MUST_USE;
/* Reads the newest version with this hash. *found is false if there is none; that is no error. */
struct err *asset_version_by_hash(struct assets *s, struct arena *a, struct str path,
				  struct str hash, struct asset_version *out, bool *found) MUST_USE;

/* Reads all assets and versions with their contents, and adds damaged rows to the list. */
struct err *asset_verify_all(struct db *db, struct arena *a,
			     struct db_damaged_rows *damaged) MUST_USE;

/* ---- pins and the budget ---- */

/*
 * Pins an asset. *was: it was pinned already; that is no error. Errors: NO_SUCH_ASSET, OVER_BUDGET.
 */
struct err *asset_pin(struct assets *s, struct str path, bool *was) MUST_USE;
/* *was: the asset was pinned. If it was not, that is no error. */
struct err *asset_unpin(struct assets *s, struct str path, bool *was) MUST_USE;
/* Lists the agent's pinned assets in the order in which they were pinned. */
struct err *asset_list_pinned(struct assets *s, struct arena *a, bool content,
			      struct asset_list *out) MUST_USE;

#define ASSET_LEVELS(X)                                                                            \
	X(ASSET_OK, "ok")                                                                          \
	X(ASSET_WARNING, "warning") X(ASSET_CRITICAL, "critical") X(ASSET_OVER, "over")
enum asset_level { ASSET_LEVELS(ENUM_MEMBER) };
extern const char *const asset_levels[];
struct asset_budget {
	int64_t used, limit;
	int64_t percent;        /* rounded down */
	enum asset_level level; /* warning above 80 %, critical above 95 % */
};
/* clang-format off */
#define ASSET_BUDGET_ROWS(object, at)                                                              \
	FIELD_AS(object, at used, "used", "the tokens of the agent's pinned assets"),              \
	FIELD_AS(object, at limit, "limit", "maximum tokens of pinned assets (assets.budget)"),    \
	FIELD_AS(object, at percent, "percent", "percent of the limit, rounded down"),             \
	FIELD_NAMED(object, at level, "level", asset_levels,                                       \
		    "warning above 80 percent, critical above 95")
/* clang-format on */
/* Adds up a list of asset_list_pinned(), so that the figures and the list agree. */
struct asset_budget asset_budget_of_pinned(const struct assets *s, const struct asset_list *pinned);
/* What a change puts in the place of a pinned asset, for asset_summarize(). p NULL: it is removed.
 */
struct asset_new {
	struct str path, content;
};
/* A text that takes the place of a longer one. */
struct asset_summary {
	struct str path, full, content;
	int64_t full_tokens, tokens;
};
/*
 * Asks the summarizer (asset.summarizer) for a shorter text of the largest pinned asset that is not
 * read-only, so that the pins fit the budget after a change that puts `with` in place. Writes
 * nothing. Errors: OVER_BUDGET if no asset can be shortened enough; PROGRAM_FAILED if the program
 * fails or its text is too long; NO_PROGRAM, TOOK_TOO_LONG.
 */
struct err *asset_summarize(struct assets *s, struct arena *a, const struct asset_new *with,
			    size_t n, struct asset_summary *out) MUST_USE;
/* All agents that have pins, sorted. */
struct err *asset_agents_with_pins(struct assets *s, struct arena *a, struct strs *out) MUST_USE;
