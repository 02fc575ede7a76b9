/*
 * request: what a tool may know: a ToolRequest's memory queries, answered within its manifest and
 * its budget, and a ToolResponse's writes (requirement: memory queries). Nothing can be
 * changed or deleted through a query.
 */
#ifndef IKM_REQUEST_H
#define IKM_REQUEST_H

#include "cmd/cmd.h"
#include "memory/memory.h"
#include "request/manifest.h"
#include "request/trace.h"

struct request_cache;
struct requests {
	struct memories *memories; /* who asks: a request of another agent is denied */
	const char *home;          /* IKIGAI_HOME: manifests/, tools/; NULL: there is none */
	int64_t trace_keep_ms;     /* trace.keepDays */
	int64_t recency_days[ACCESS_TYPES_END]; /* tau of exp(-age / tau): memory.recency* */
	struct request_cache *cache;            /* NULL: the request's own; for one thread */
};
/*
 * What was found is used again for five minutes, as long as nobody has changed the store. That is
 * known within one connection only (db_version()), so it is for requests that share memories->db,
 * and not for a server that opens the store for each call.
 */
struct request_cache *request_cache_new(struct arena *a);

/* A request may have so many queries; of those allowed, so many are executed, the others denied. */
#define REQUEST_QUERIES_MAX  10000
#define REQUEST_EXECUTED_MAX 100
#define REQUEST_LIMIT_MAX    100 /* results of a query */

/* The parameters of one query: for schemas, and for reading each by itself. */
extern const struct param request_query_params[];

/* A ToolRequest (requirement: memory queries, "Memory Query Request"). */
struct request {
	struct str request_id, tool_id;
	struct str agent_id; /* p NULL: not said, so it is who asks */
	struct str task_id;
	int64_t budget_tokens;     /* for all queries together: 1 to ACCESS_BUDGET_MAX */
	const struct val *queries; /* a list, unread; NULL: none */
};
/* The answer to one query. */
struct request_context {
	struct str query_id, memory_type;
	struct memory_list results;
	int64_t total_results, returned_results, tokens_used;
	struct {
		int64_t query_time_ms;
		struct val *ranking_scores; /* a list of numbers */
	} search_metadata;
	struct {
		struct request_dropped {
			struct str id;
			int64_t tokens;
			double score;
		} * p;
		size_t n, cap;
	} dropped;
	int64_t budget_tokens;
	enum trace_outcome outcome;
	struct str reason;
};
struct request_contexts {
	struct request_context *p;
	size_t n, cap;
};
extern const struct field request_context_fields[];
/*
 * One answer for each query, in their order. A query that is wrong, denied or fails has empty
 * results, `outcome` and `reason`, and its trace row says the same.
 * warnings: what could not be done besides, as writing the trace: never an error.
 */
struct err *request_run(struct requests *r, struct arena *a, const struct request *q,
			struct request_contexts *contexts, struct strs *warnings) MUST_USE;

/* ---- a ToolResponse's writes ---- */

struct request_write {
	struct str type, content, source, timestamp; /* ISO 8601; p NULL: now */
	double importance;
	struct strs tags;
	const struct val *metadata; /* an object, or NULL */
	int redaction;              /* enum memory_redaction */
	/* Of scratch notes: */
	int status;            /* enum memory_status */
	double confidence;     /* NaN: not said */
	struct str expires_at; /* ISO 8601; p NULL: by kind */
};
extern const struct param request_memory_params[], request_scratch_params[];
#define REQUEST_WRITES_MAX 1000 /* of each kind */

struct response {
	struct str request_id, tool_id;
	struct str agent_id;                  /* p NULL: not said */
	const struct request_write *memories; /* episodic */
	size_t n_memories;
	const struct request_write *scratch_notes;
	size_t n_scratch_notes;
};
struct request_written {
	struct strs memory_ids, scratch_ids; /* in order of the writes */
	struct strs refused;                 /* why notes are not stored: the page is full */
	int64_t added, existing;             /* existing: the same came before */
};
/*
 * Stores all or none, in one transaction, as the agent's own, made by a tool; but scratch notes
 * that a full page has no room for are refused one by one, and their ids are empty. The same item
 * of the same request again is the memory that it was the first time, also when that was deleted
 * since; that is known for thirty days. Errors name the item: NOT_ALLOWED for another agent's, and
 * those of memory_add().
 */
struct err *request_ingest(struct requests *r, struct arena *a, const struct response *in,
			   struct request_written *out) MUST_USE;

#endif
