/*
 * manifest: which memories a tool may read (requirement: memory queries, "Tool Manifest
 * Declaration"): YAML in IKIGAI_HOME/manifests/ID.yaml or IKIGAI_HOME/tools/ID/tool.yaml, where ID
 * is the tool's id. So one look tells whether a tool has one, and no other file can speak for it.
 */
#ifndef IKM_REQUEST_MANIFEST_H
#define IKM_REQUEST_MANIFEST_H

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
/* Tokens of one query, and of a request (requirement: memory queries, "Query Budget"). */
#define ACCESS_BUDGET_MAX 1000

struct access {
	enum access_type type;
	bool enabled;
	struct strs query_types, tags;      /* sorted; p NULL: any */
	struct maybe_int max_queries;       /* of a request; not given: any number */
	struct maybe_int max_budget_tokens; /* of one query; not given: up to ACCESS_BUDGET_MAX */
	bool sensitive;                     /* may read what is marked so */
	unsigned layers;                    /* bits, besides the agent's own */
	unsigned provenances;               /* bits: only these; 0: any */
};
/* For results; a manifest has all of these but the first, the type. */
extern const struct field access_fields[];
struct manifest {
	struct str tool_id, version, path;
	struct str digest; /* over its bytes: part of the cache's key */
	struct access access[ACCESS_TYPES_END];
};
struct manifests {
	struct manifest *p;
	size_t n, cap;
	struct strs broken; /* "PATH: line 3, column 5: …": files that could not be read as one */
	struct strs misplaced; /* of these, those whose text is not to blame */
	struct strs files;     /* all whose text could be looked at */
};

/* All that is wrong with a manifest, not only the first, in the order of the text. */
struct manifest_problem {
	struct place at;
	struct str message;
};
struct manifest_problems {
	struct manifest_problem *p;
	size_t n, cap;
	size_t more; /* beyond those that are kept */
};
/* True: there is nothing wrong, and *out is set. Any bytes are welcome. */
bool manifest_check(struct arena *a, struct str text, struct str path, struct manifest *out,
		    struct manifest_problems *problems);
/* BAD_MANIFEST with the first problem: place, what was found, what is allowed, the nearest key. */
struct err *manifest_read(struct arena *a, struct str text, struct str path,
			  struct manifest *out) MUST_USE;
/* Letters, digits and "_-." inside, at most 128: what can be the name of a file and of nothing
 * else. */
bool manifest_is_id(struct str id);

/* All there are, by tool id; two for one tool: both are broken. A folder that is not there is
 * empty. */
struct err *manifests_load(struct arena *a, const char *home, struct manifests *out) MUST_USE;
/* The one of a tool. NULL: it has none that can be used, and *why_not says why. */
struct err *manifest_of(struct arena *a, const char *home, struct str tool_id,
			const struct manifest **out, struct str *why_not) MUST_USE;

#endif
