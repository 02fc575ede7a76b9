/*
 * meant: which memories a search is about, whatever their words: said once, for the index and for
 * rows that come by other ways. Inside lib/memory.
 */
#ifndef IKM_MEMORY_MEANT_H
#define IKM_MEMORY_MEANT_H

#include "index/index.h"
#include "memory/search.h"

struct meant {
	struct arena *a;
	const struct memory_search *q;
	struct memory_scopes scopes;
	int64_t now; /* the time that is asked about */
	struct {
		struct index_clause *p;
		size_t n, cap;
	} groups; /* made by meant_make() from the rest */
};
void meant_make(struct meant *m);
/* What the memory was at that time. */
enum memory_state meant_state(const struct meant *m, const struct memory *one);
/* marked: the index says already that it has the marks. */
bool meant_is(const struct meant *m, const struct memory *one, enum memory_state state,
	      bool marked);

#endif
