/*
 * tool_access_manifest: the memories that a tool may read (requirement: memory queries, "Tool
 * Manifest Declaration"). A manifest is YAML in IKIGAI_HOME/manifests/ID.yaml or
 * IKIGAI_HOME/tools/ID/tool.yaml, where ID is the tool's id. So ikm finds a tool's manifest by its
 * id, and no other file can grant access.
 */
#pragma once

#include "memory/memory.h"

#define MANIFEST_BYTES_MAX ((size_t)1 << 20)

/* memory_type of a query, in the order of the requirement (memory queries, "Query Types"). */
#define ACCESS_TYPES(X)                                                                            \
	X(ACCESS_EPISODIC, "episodic")                                                             \
	X(ACCESS_SEMANTIC, "semantic")                                                             \
	X(ACCESS_WORKING, "working")                                                               \
	X(ACCESS_SCRATCH_PAGE, "scratch_page")                                                     \
	X(ACCESS_CONVERSATION, "conversation")
enum access_type { ACCESS_TYPES(ENUM_MEMBER) ACCESS_TYPES_END };
extern const char *const access_types[];
/* What a query gets whose text matches nothing. */
#define ACCESS_FALLBACKS(X)                                                                        \
	X(ACCESS_FALLBACK_NONE, "none")                                                            \
	X(ACCESS_FALLBACK_RECENT, "recent")
enum access_fallback { ACCESS_FALLBACKS(ENUM_MEMBER) };
extern const char *const access_fallbacks[];
/* Tokens of one query, and of a request (requirement: memory queries, "Query Budget"). */
#define ACCESS_BUDGET_MAX 1000

struct access {
	enum access_type type;
	bool enabled;
	struct strs query_types, tags;      /* sorted; p NULL: any */
	struct maybe_int max_queries;       /* per request; not given: no limit */
	struct maybe_int max_budget_tokens; /* per query; not given: ACCESS_BUDGET_MAX */
	bool sensitive;                     /* may read sensitive memories */
	enum access_fallback fallback;
	unsigned layers;      /* bits of further layers; the agent's own layer is always open */
	unsigned provenances; /* bits: only these provenances; 0: any */
};
/* The rows of struct access in results. A manifest has the same members, except the type. */
extern const struct field access_fields[];
struct manifest {
	struct str tool_id, version, path;
	struct str digest; /* hash of the file's bytes: part of the cache key */
	struct access access[ACCESS_TYPES_END];
	struct strs ignored; /* "3:5: 'name'": keys beside memory_access that ikm does not read */
};
struct manifests {
	struct manifest *p;
	size_t n, cap;
	struct strs broken;    /* "PATH: line 3, column 5: …": files that are no valid manifest */
	struct strs misplaced; /* of these, the files whose text is not the problem */
	struct strs files;     /* all files whose text could be read */
};

/* All problems of a manifest, in the order of the text. */
struct manifest_problem {
	struct place at;
	struct str message;
};
struct manifest_problems {
	struct manifest_problem *p;
	size_t n, cap;
	size_t more; /* the number of problems beyond those listed */
};
/* True when the manifest is valid; then *out is set. The text may be any bytes. */
bool manifest_validate(struct arena *a, struct str text, struct str path, struct manifest *out,
		       struct manifest_problems *problems);
/* Letters, digits and "_", inside also "-" and ".", at most 128. Such an id is always a plain file
 * name. */
bool manifest_is_id(struct str id);

/* Reads all manifests, sorted by tool id. Two manifests for one tool are both broken. A missing
 * folder is empty. */
struct err *manifests_load_access(struct arena *a, const char *home,
				  struct manifests *out) MUST_USE;
/* The manifest of a tool. NULL when it has no usable manifest; *why_not gives the reason. */
struct err *manifest_of_tool(struct arena *a, const char *home, struct str tool_id,
			     const struct manifest **out, struct str *why_not) MUST_USE;
