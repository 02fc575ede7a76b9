/* private: between the files of lib/request: queries read, allowed, found, packed. */
#ifndef IKM_REQUEST_PRIVATE_H
#define IKM_REQUEST_PRIVATE_H

#include "memory/search.h"
#include "request/request.h"

/* ---- found.c: what a search found, and who may use it again ---- */

struct candidate {
	struct memory memory; /* its strings live with the found */
	double relevance;     /* 0 to 1 */
};
struct found {
	struct arena *a; /* its own */
	struct str key;  /* all that the answer depends on besides the store */
	int64_t time;    /* when, for its end */
	bool done;
	struct candidate *p;
	size_t n, cap;
	int64_t total;     /* before the limit */
	struct str failed; /* why there is no answer; empty: there is */
	uint64_t ticks;    /* that the search took */
	struct found *next;
};
/* What the cache has, else a new one that is to be filled. *cached: it was there. */
struct found *cache_find(struct request_cache *c, struct str key, int64_t now, bool *cached);
/*
 * Forgets what failed, what is too old or too much, and everything when the store is another one
 * than it was. What was found before this is valid until then.
 */
void cache_begin(struct request_cache *c, int64_t version, int64_t now);
/* The version that what is found from now on belongs to: after a write of our own. */
void cache_version(struct request_cache *c, int64_t version);
int64_t cache_has_version(const struct request_cache *c);

/* ---- query.c: one query, read and held to the manifest ---- */

struct query {
	/* As they were asked, also of a query that is wrong; for the answer and the trace. */
	struct str id, type_text, text;
	enum access_type type;
	int64_t limit, budget;       /* budget: after the manifest's cut */
	const struct access *access; /* NULL: none */
	struct memory_search search; /* without scopes */
	enum trace_outcome outcome;
	struct strs reasons;
	struct found *found; /* NULL: it is not executed */
	bool cached;
};
/* Sets outcome and adds the reason; a lesser outcome does not hide what was there. */
void query_told(struct query *q, struct arena *a, enum trace_outcome outcome, const char *fmt, ...)
	PRINTF(4, 5);
/* What is wrong with it is told in it: TRACE_FAILED. */
void query_read(struct query *q, struct arena *a, const struct val *v);
/* Intersects it with what the manifest declares; told: TRACE_DENIED, TRACE_CUT. */
void query_allow(struct query *q, struct arena *a, const struct manifest *m);
/* The key of the cache: all that a query's candidates depend on, besides the store. */
struct str query_key(const struct query *q, struct arena *a, const struct memory_who *who,
		     const struct manifest *m);

/* ---- pack.c: the rank, and what fits ---- */

struct packed {
	size_t i; /* of the candidates */
	double score;
};
struct packed_list {
	struct packed *p;
	size_t n, cap;
};
struct packing {
	size_t limit;
	int64_t budget; /* tokens */
	int64_t now, tau_days;
	struct packed_list picked, dropped; /* in order of rank */
	int64_t tokens;                     /* of the picked */
};
/* exp(-age / tau); what is to come has the age 0. */
double pack_recency(int64_t age_ms, int64_t tau_days);
/*
 * Greedily by rank, where rank counts how much a candidate repeats what was picked before it. What
 * does not fit is skipped; dropped: what the limit would have let in. words may be NULL: no text
 * repeats another.
 */
void pack(struct packing *p, struct arena *a, struct words *words, const struct candidate *c,
	  size_t n);

/* ---- answer.c: what is said of one query ---- */

struct answer {
	int64_t now, tau_days;
	int64_t left;        /* tokens that the queries before it left */
	struct words *words; /* for pack() */
	/* Told: */
	int64_t budget; /* the smaller of its own and what was left */
	int64_t tokens, total, returned;
	uint64_t ticks;
};
/* What is left out for want of budget is told in q: TRACE_CUT. */
struct request_context query_answer(struct query *q, struct arena *a, struct answer *told);

#endif
