/* internal: declarations that the files of lib/memory/request share: read, authorize, search and
 * pack queries. */
#pragma once

#include "recall/search.h"
#include "request/request.h"

/* ---- result_cache.c: the cache of search results ---- */

struct candidate {
	struct memory memory; /* the struct found owns its strings */
	double relevance;     /* 0 to 1: its points */
	enum memory_relevance says;
};
struct found {
	struct arena *a; /* the found's own arena */
	struct str key;  /* everything that the result depends on, except the store */
	int64_t time;    /* the time of the search: the entry expires */
	bool done;
	struct candidate *p;
	size_t n, cap;
	int64_t total;     /* matches before the limit */
	struct str failed; /* the error of the search; empty: it succeeded */
	struct str note;   /* what the search says of itself: struct memory_found */
	uint64_t ticks;    /* the duration of the search */
	struct found *next;
};
/* The cached entry, or a new entry to fill. *cached is true for a cached one. */
struct found *cache_find(struct request_cache *c, struct str key, int64_t now, bool *cached);
/*
 * Removes failed, expired and surplus entries, and all entries when the store's version
 * (memory_store_change_number()) has changed or is unknown (-1). Entries that were returned before
 * stay valid until this call.
 */
void cache_expire(struct request_cache *c, int64_t version, int64_t now);

/* ---- query.c: reads a query and applies the manifest ---- */

struct query {
	/* As the tool sent them, even if the query is wrong; for the answer and the trace. */
	struct str id, type_text, text;
	enum access_type type;
	int64_t limit, budget;       /* budget: after the manifest's limit */
	const struct access *access; /* NULL: none */
	struct memory_search search; /* without scopes */
	enum trace_outcome outcome;
	struct strs reasons;
	struct found *found; /* NULL: the query does not run */
	bool cached;
};
/* Raises the outcome and adds the reason. A lower outcome does not replace a higher one. */
void query_raise_outcome(struct query *q, struct arena *a, enum trace_outcome outcome,
			 const char *fmt, ...) PRINTF(4, 5);
/* Reads a query. Mistakes in it set TRACE_FAILED and a reason. */
void query_read(struct query *q, struct arena *a, const struct val *v);
/* Limits the query to the manifest's declarations; sets TRACE_DENIED or TRACE_CUT. */
void query_limit_to_tool_access(struct query *q, struct arena *a, const struct manifest *m);
/* The cache key: everything that a query's candidates depend on, except the store. */
struct str query_cache_key(const struct query *q, struct arena *a, const struct memories *from,
			   const struct manifest *m);

/* ---- pack.c: ranking, and packing into the budget ---- */

struct packed {
	size_t i; /* the index in the candidates */
	double score;
};
struct packed_list VEC(struct packed);
struct packing {
	size_t limit;
	int64_t budget; /* tokens */
	int64_t now, tau_days;
	struct packed_list picked, dropped; /* sorted by rank */
	int64_t tokens;                     /* the total of the picked */
};
/* exp(-age / tau). A time in the future has the age 0. */
double pack_recency_weight(int64_t age_ms, int64_t tau_days);
/*
 * Picks greedily by rank. A candidate that repeats picked ones loses rank. A candidate that does
 * not fit into the budget is skipped; it is in dropped if the limit would have allowed it. Without
 * words (NULL) no text counts as a repetition.
 */
void pack_into_budget(struct packing *p, struct arena *a, struct words *words,
		      const struct candidate *c, size_t n);

/* ---- query_answer.c: the answer to one query ---- */

struct answer {
	int64_t now, tau_days;
	int64_t left;        /* tokens that earlier queries have left */
	struct words *words; /* for pack_into_budget() */
	/* Results: */
	int64_t budget; /* the smaller of the query's own budget and `left` */
	int64_t tokens, total, returned;
	uint64_t ticks;
};
/* Builds the answer. Sets TRACE_CUT in q when results do not fit into the budget. */
struct request_context query_build_context(struct query *q, struct arena *a, struct answer *told);
