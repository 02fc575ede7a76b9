/*
 * search_filter: the filter of a search, which its words do not affect. One definition serves the
 * index and rows that come by other ways. Inside lib/memory/memory.
 */
#pragma once

#include "index/index.h"
#include "recall/search.h"

struct meant {
	struct arena *a;
	const struct memory_search *q;
	struct memory_scopes scopes;
	int64_t *index_scopes; /* what the words are counted in */
	size_t n_index_scopes;
	int64_t now; /* the time that the search refers to */
	struct VEC(struct index_clause)
		groups; /* recall_filter_make() makes them from the other members */
	/* These groups first: with the rest, superseded memories lead to no replacement. */
	size_t n_always;
};
void recall_filter_make(struct meant *m);
/* The layer of a scope that the search covers. */
enum memory_layer recall_filter_layer_of_scope(const struct meant *m, int64_t scope);
/* Whether another memory had replaced it at the time m->now; it may have expired, too. */
bool recall_memory_is_replaced(const struct meant *m, const struct memory *one);
/* The state of the memory at the time m->now. */
enum memory_state recall_filter_memory_state_at(const struct meant *m, const struct memory *one);
/*
 * Whether the memory passes the filter. marked: the index has checked its marks already. With
 * `strict` a superseded memory is no hit, but the memory that replaced it may be one.
 */
enum meant_answer { MEANT_NOT, MEANT_BY_REPLACEMENT, MEANT_HIT };
enum meant_answer recall_filter_passes(const struct meant *m, const struct memory *one,
				       enum memory_state state, bool marked);
