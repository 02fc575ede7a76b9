/* request: answers a ToolRequest's memory queries within the tool's manifest and budget, and stores
 * a ToolResponse's writes (requirement: memory queries). A query can change or delete nothing. */
#pragma once

#include "cmd/cmd.h"
#include "recall/search.h"
#include "request/tool_access_manifest.h"
#include "request/query_log.h"

struct request_cache;
struct requests {
	struct memories *memories; /* their agent asks: requests of another agent are denied */
	const char *home;          /* IKIGAI_HOME: manifests/, tools/; may be NULL */
	int64_t trace_keep_ms;     /* the setting trace.keepDays */
	int64_t recency_days[ACCESS_TYPES_END]; /* tau in exp(-age / tau): memory.recency* */
	struct request_cache *cache;            /* for one thread; NULL: a cache for each request */
};
/*
 * The cache keeps results for five minutes, as long as no process changes a memory. A server gives
 * the same cache to all requests of a connection.
 */
struct request_cache *request_result_cache_new(struct arena *a);

/* Limits of a request: its queries, and the allowed queries that run. The rest is denied. */
#define REQUEST_QUERIES_MAX  10000
#define REQUEST_EXECUTED_MAX 100
#define REQUEST_LIMIT_MAX    100 /* results per query */

/* The parameters of one query: for schemas, and to read each query by itself. */
extern const struct param request_query_params[];

/* A ToolRequest (requirement: memory queries, "Memory Query Request"). */
struct request {
	struct str request_id, tool_id;
	struct str agent_id; /* p NULL: the agent that asks */
	struct str task_id;
	int64_t budget_tokens;     /* for all queries together, 1 to ACCESS_BUDGET_MAX */
	const struct val *queries; /* a list, not checked yet; may be NULL */
};
struct request_dropped {
	struct str id;
	int64_t tokens;
	double score;
};
/* The answer to one query. */
struct request_context {
	struct str query_id, memory_type;
	struct memory_list results;
	int64_t total_results, returned_results, tokens_used;
	struct {
		int64_t query_time_ms;
		struct val *ranking_scores; /* a list of numbers */
		enum memory_relevance relevance;
	} search_metadata;
	struct VEC(struct request_dropped) dropped;
	int64_t budget_tokens;
	enum trace_outcome outcome;
	struct str reason;
};
struct request_contexts VEC(struct request_context);
extern const struct field request_context_fields[];
/*
 * Gives one answer per query, in the same order. A query that is wrong, denied or fails has empty
 * results, `outcome` and `reason`; its trace row says the same.
 * warnings: side tasks that failed, such as writing the trace. They are never errors.
 */
struct err *request_answer_queries(struct requests *r, struct arena *a, const struct request *q,
				   struct request_contexts *contexts,
				   struct strs *warnings) MUST_USE;

/* ---- a ToolResponse's writes ---- */

struct request_write {
	struct str type, content, source,
		timestamp; /* source may be empty; ISO 8601; p NULL: now */
	double importance;
	struct strs tags;
	const struct val *metadata; /* an object, or NULL */
	int redaction;              /* enum memory_redaction */
	/* For scratch notes: */
	int status;            /* enum memory_status */
	double confidence;     /* NaN: not given */
	struct str expires_at; /* ISO 8601; p NULL: the kind's default */
};
extern const struct param request_memory_params[], request_scratch_params[];
#define REQUEST_WRITES_MAX 1000 /* of each kind */

struct response {
	struct str request_id, tool_id;
	struct str agent_id;                  /* p NULL: not given */
	const struct request_write *memories; /* episodic */
	size_t n_memories;
	const struct request_write *scratch_notes;
	size_t n_scratch_notes;
};
struct request_written {
	struct strs memory_ids, scratch_ids; /* in the order of the writes */
	struct strs refused;     /* the reasons for notes that were not stored: the page is full */
	int64_t added, existing; /* existing: the same item was stored before */
};
/*
 * Stores all items or none, in one transaction. They belong to the agent, and their provenance is
 * tool. Scratch notes are the exception: when the page is full, ikm refuses them one by one and
 * leaves their ids empty.
 *
 * If the same request sends the same item again, it gets the id of the first time, even if that
 * memory was deleted since. ikm remembers this for thirty days. Errors name the item: NOT_ALLOWED
 * for another agent's item, and the errors of memory_add().
 */
struct err *request_store_items(struct requests *r, struct arena *a, const struct response *in,
				struct request_written *out) MUST_USE;
