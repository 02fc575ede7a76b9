/* candidates: the memories that may answer a question. Shared by the files of the search only. */
#pragma once

#include "recall/rank.h"
#include "recall/search.h"

/* The filter of a search. */
struct meant {
	struct arena *a;
	const struct memory_search *q;
	struct memory_scopes scopes;
	int64_t *index_scopes; /* what the words are counted in */
	size_t n_index_scopes;
	int64_t now;                            /* the time that the search refers to */
	struct VEC(struct index_clause) groups; /* made from the other members */
	/* These groups first: with the rest, superseded memories lead to no replacement. */
	size_t n_always;
};
/* Whether another memory had replaced it at the time m->now; it may have expired, too. */
static inline bool recall_memory_is_replaced(const struct meant *m, const struct memory *one)
{
	return one->superseded && one->superseded <= m->now;
}

/* The state of one search. */
struct search {
	struct memories *m;
	struct arena *a;
	const struct memory_search *q;
	struct memory_found *out;
	struct meant about;
	struct plan plan;
	struct ranking *ranking; /* buffers for the plan */
	struct ranked_list all;
	/* hash table: document to index + 1 in all; a power of two, half empty */
	size_t *slots, n_slots;
	size_t text, meant;
	struct hashes VEC(uint64_t) different; /* hashes of contents that pass the filter */
	struct vector_list vector;             /* of the query, if the gate asked for it */
	bool embedded;      /* the program was asked, whether it gave a vector or not */
	bool asks_embedder; /* words find little: search again, with the vector */
	struct err *failed; /* error of a callback that can only return false */
	bool ordered;       /* by meaning: see lib/memory/recall/search.c */
	size_t stale;       /* memories that strict left out */
};

/*
 * Plans the question, and reads and measures its candidates into s->all. Sets s->plan. *q: what the
 * index was asked for. Call it within a read.
 */
struct err *memory_search_candidates(struct search *s, struct index_query *q) MUST_USE;
/*
 * Reads and measures a memory unless s->all has it. *at: its index there, or RANK_NONE if it is
 * gone or damaged. marked: it passes the filter as far as the index tells.
 */
struct err *memory_search_add(struct search *s, int64_t doc, bool marked, size_t *at) MUST_USE;
