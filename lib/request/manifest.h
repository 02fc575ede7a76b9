/*
 * manifest: which memories a tool may read (seed 002 "Tool Manifest Declaration"): YAML in
 * IKIGAI_HOME/manifests/NAME.yaml and IKIGAI_HOME/tools/NAME/tool.yaml.
 */
#ifndef IKM_REQUEST_MANIFEST_H
#define IKM_REQUEST_MANIFEST_H

#include "memory/memory.h"

/* seed 002's memory_type, in its order. */
enum access_type { ACCESS_EPISODIC, ACCESS_SEMANTIC, ACCESS_WORKING, ACCESS_SCRATCH_PAGE,
		   ACCESS_CONVERSATION, ACCESS_TYPES_END };
#define ACCESS_TYPES {"episodic", "semantic", "working", "scratch_page", "conversation", NULL}

struct access {
	bool enabled;
	struct strs query_types, tags; /* p NULL: any */
	int64_t max_queries;           /* -1: any number */
	int64_t max_budget_tokens;     /* -1: up to the limit of the seed */
	bool sensitive;                /* may read what is marked so */
	unsigned layers;               /* bits, besides the agent's own */
	unsigned provenances;          /* bits: at least these; 0: any */
};
struct manifest {
	struct str tool_id, version, path;
	struct str digest; /* over its bytes: part of the cache's key */
	struct access access[ACCESS_TYPES_END];
};
struct manifests {
	struct manifest *p;
	size_t n, cap;
	struct strs broken; /* "PATH: line 3, column 5: …": files that could not be read as one */
};
/* BAD_MANIFEST with place, what was found, what is allowed, the nearest known key. */
struct err *manifest_read(struct arena *a, struct str text, struct str path,
			  struct manifest *out) MUST_USE;
/* All there are, by tool id; two for one tool: both are broken. A folder that is not there is empty. */
struct err *manifests_load(struct arena *a, const char *home, struct manifests *out) MUST_USE;
/* The one of a tool, without reading the others when its name tells; NULL: it has none. */
struct err *manifest_of(struct arena *a, const char *home, struct str tool_id,
			const struct manifest **out, struct str *why_not) MUST_USE;

#endif
