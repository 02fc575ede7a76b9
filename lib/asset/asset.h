/*
 * asset: stored assets (requirement: assets): text in the store under a path, with former versions,
 * pins of agents, and the budget of what an agent has pinned. Knows nothing of files, and of
 * commands only their names in messages.
 *
 * Paths are UTF-8, without scheme and leading slash, and have no empty, "." or ".." part.
 */
#ifndef IKM_ASSET_H
#define IKM_ASSET_H

#include "db/db.h"
#include "record/record.h"
#include "token/token.h"

/* "ikigai://" and the path after it. */
#define ASSET_SCHEME "ikigai://"

#define ASSET_CATEGORIES(X)                                                                        \
	X(ASSET_BLOCK, "block") X(ASSET_SKILL, "skill") X(ASSET_PREFERENCE, "preference")
enum asset_category { ASSET_CATEGORIES(ENUM_MEMBER) };
extern const char *const asset_categories[];

struct assets {
	struct db *db;
	struct str agent; /* who is asking: whose pins and budget count */
	enum token_model model;
	int64_t budget;        /* tokens (assets.budget) */
	int64_t keep_versions; /* of one asset (assets.keepVersions) */
	int64_t keep_days;     /* assets.keepDays */
};

struct asset {
	struct str path, uri, description;
	struct str content, hash; /* sha256: over the bytes */
	enum asset_category category;
	bool read_only;
	int64_t tokens; /* stored when it was written; counted anew when the model is another */
	int64_t size;
	int64_t created, updated; /* ms */
	bool pinned;              /* by the agent */
};
/* An asset in JSON, but for its content. Results that show a part of it take rows from here. */
/* clang-format off */
#define ASSET_ROW_PATH(object, at) FIELD_AS(object, at path, "path", "the asset's name")
#define ASSET_ROW_URI(object, at)                                                                  \
	FIELD_AS(object, at uri, "uri", "its URI for the file tools")
#define ASSET_ROW_TOKENS(object, at) FIELD_AS(object, at tokens, "tokens", "estimated")
/* clang-format on */
extern const struct field asset_record[];
struct asset_list {
	struct asset *p;
	size_t n, cap;
};

/*
 * What a user wrote into a path: "ikigai:///a/b", "ikigai://a/b", and with `bare` (after asset
 * verbs and slash commands) "a/b" too. Errors: BAD_PATH that says which part is wrong, TOO_LONG.
 */
struct err *asset_path(struct arena *a, struct str text, bool bare, struct str *out) MUST_USE;
/*
 * Where an asset of a bare name is looked for, in order: "x", "x.md", "blocks/x", "blocks/x.md"
 * (requirement: assets, "Prompt Expansion"), so that @@auth-patterns is a short name.
 */
void asset_candidates(struct arena *a, struct str bare, struct strs *out);
/* The asset that was probably meant; empty: none is near. */
struct err *asset_nearest(struct assets *s, struct arena *a, struct str path,
			  struct str *out) MUST_USE;
/* The first of asset_candidates() that is there. NO_SUCH_ASSET with the nearest names. */
struct err *asset_resolve(struct assets *s, struct arena *a, struct str text,
			  struct str *path) MUST_USE;
/* NO_SUCH_ASSET, with the nearest names as help. */
struct err *asset_missing(struct assets *s, struct arena *a, struct str path) MUST_USE;
/* READ_ONLY_ASSET, with what a person can do. */
struct err *asset_protected(struct str path) MUST_USE;
/* "ikigai:///" and the path. */
struct str asset_uri(struct arena *a, struct str path);

/* *found false is success. content: read it too. */
struct err *asset_get(struct assets *s, struct arena *a, struct str path, bool content,
		      struct asset *out, bool *found) MUST_USE;
/* Below the folder `prefix` (empty: all), by path, without content. */
struct err *asset_each(struct assets *s, struct arena *a, struct str prefix,
		       struct asset_list *out) MUST_USE;

/*
 * A change of an asset is one write transaction: db_begin(), asset_get() for what is there, one of
 * the three functions below, db_commit(). Each works within that transaction, on what asset_get()
 * gave in it, and checks that the asset is not read-only: READ_ONLY_ASSET. When one of them fails,
 * the transaction must be rolled back. op is kept with the version ("write", "edit").
 */

/*
 * Another content, and hash is its sha256. old: with its content; NULL: there is no such asset yet.
 * The former content is kept as a version. Content is UTF-8 without NUL, at most 8 MiB. A new asset
 * with the content of a version that is kept gets that version's description and category. Errors:
 * OVER_BUDGET with the message and figures that are required; NOT_TEXT, TOO_LONG.
 */
struct err *asset_put(struct assets *s, struct arena *a, struct str path, const struct asset *old,
		      const char *op, struct str content, struct str hash) MUST_USE;
/* The content is kept as a version. */
struct err *asset_remove(struct assets *s, const struct asset *old, const char *op) MUST_USE;
/* Pins and versions go with it, numbered behind the versions that `to` had. Nothing is at `to`. */
struct err *asset_rename(struct assets *s, const struct asset *old, struct str to) MUST_USE;

/* A member with p NULL, or -1, stays as it is. A read-only asset may be described. */
struct asset_meta {
	struct str description;
	int category;  /* enum asset_category; new assets: by the first part of the path */
	int read_only; /* 0, 1 */
};
/* In a transaction of its own. out: as it is now, without content. NO_SUCH_ASSET. */
struct err *asset_describe(struct assets *s, struct arena *a, struct str path,
			   const struct asset_meta *meta, struct asset *out) MUST_USE;

/* ---- versions ---- */

struct asset_version {
	int64_t number; /* from 1, of this path, never given twice */
	struct str description;
	enum asset_category category;
	int64_t tokens;                      /* as they were counted when it was written */
	int64_t size, saved;                 /* saved: ms, when it was replaced */
	struct str hash, op, agent, content; /* op: what replaced it; agent: who did */
};
/* The same in JSON, without description and content. */
extern const struct field asset_version_record[];
struct asset_versions {
	struct asset_version *p;
	size_t n, cap;
};
/* Newest first, without content; empty for an asset that never was. */
struct err *asset_history(struct assets *s, struct arena *a, struct str path,
			  struct asset_versions *out) MUST_USE;
/* The same for an asset that was removed; as: its name, which may have ".md" behind path. */
struct err *asset_find_removed(struct assets *s, struct arena *a, struct str path, struct str *as,
			       struct asset_versions *kept) MUST_USE;
/* With content. NO_SUCH_VERSION. */
struct err *asset_version(struct assets *s, struct arena *a, struct str path, int64_t number,
			  struct asset_version *out) MUST_USE;
/* The newest version with this hash; *found false is success. */
struct err *asset_version_of(struct assets *s, struct arena *a, struct str path, struct str hash,
			     struct asset_version *out, bool *found) MUST_USE;

/* Reads every row of assets and of versions, with contents: what is damaged. */
struct err *asset_verify(struct db *db, struct arena *a, struct db_damaged_rows *damaged) MUST_USE;

/* ---- pins and the budget ---- */

/* Pinning twice is fine. NO_SUCH_ASSET, OVER_BUDGET. */
struct err *asset_pin(struct assets *s, struct str path, bool *was) MUST_USE;
/* What is not pinned is fine. */
struct err *asset_unpin(struct assets *s, struct str path, bool *was) MUST_USE;
/* In pin order. */
struct err *asset_pinned(struct assets *s, struct arena *a, bool content,
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
/* Of what asset_pinned() gave: the figures and the list are of one moment. */
struct asset_budget asset_budget_of(const struct assets *s, const struct asset_list *pinned);
/* Every agent that has pinned something, sorted. */
struct err *asset_agents(struct assets *s, struct arena *a, struct strs *out) MUST_USE;

#endif
