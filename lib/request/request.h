/*
 * request: what a tool may know: a ToolRequest's memory queries, answered within its manifest and its
 * budget, and a ToolResponse's writes (seed 002; memory.md, "Memory queries"). Nothing can be
 * changed or deleted through a query.
 */
#ifndef IKM_REQUEST_H
#define IKM_REQUEST_H

#include "memory/memory.h"
#include "request/manifest.h"

struct requests {
	struct memories *memories;
	const char *home;         /* IKIGAI_HOME: manifests/, tools/ */
	int64_t trace_keep_ms;    /* trace.keepDays */
	int64_t recency_days[ACCESS_TYPES_END]; /* tau of exp(-age / tau): memory.recency* */
	struct request_cache *cache; /* lives as long as the process; made by request_cache_new() */
};
struct request_cache *request_cache_new(struct arena *a);

/*
 * The request with its memory_context; all its own members stay. Errors only for what is no ToolRequest
 * at all: a query that is wrong, denied or fails has empty results, and its trace row says why.
 */
struct err *request_run(struct requests *r, struct arena *a, const struct val *request,
			struct val **out) MUST_USE;
/*
 * memory_writes (episodic) and scratch_page_writes of a ToolResponse, all or none, in one transaction;
 * a response with the same request_id and content again stores nothing twice.
 */
struct err *request_ingest(struct requests *r, struct arena *a, const struct val *response,
			   struct val **out) MUST_USE;

#endif
