/*
 * search: the memories that answer a question, best first (requirement: memory and knowledge,
 * memory_search). Exact BM25 picks the candidates; words in order, neighbours in the conversation,
 * the session, speakers and dates decide among them, with weights that were fitted on data and are
 * written down in rank.h. Nothing here writes.
 */
#ifndef IKM_MEMORY_SEARCH_H
#define IKM_MEMORY_SEARCH_H

#include "memory/memory.h"

#define MEMORY_QUERY_MAX 4096 /* bytes */

struct memory_search {
	struct str query; /* any bytes */
	unsigned layers;  /* bits; 0: all that are known. Not asked when scopes are given */
	const struct memory_scopes *scopes; /* NULL: those of the layers */
	unsigned kinds;                     /* bits; 0: all but working and scratch */
	struct strs tags, types;            /* any of them */
	bool all_tags;                      /* tags: all of them, for memory queries */
	struct str source, session;
	int status;                         /* of scratch notes, -1: any */
	int64_t happened_from, happened_to; /* [from, to), 0: open */
	double importance_min;
	unsigned provenances; /* bits; 0: any */
	bool no_sensitive;    /* leave out what is marked sensitive */
	bool strict;          /* neither superseded nor expired ones, nor conflicts */
	int64_t as_of;        /* ms; 0: now */
	double threshold;     /* 0 to 1 */
	size_t limit;
	bool best_anyway; /* nothing reaches the threshold: the best one all the same */
	bool browse;      /* also what shares no word with the query: behind, newest first */
};

/*
 * Points: what each feature gives times its weight in rank.h. score is 1 - exp(-sum / scale). Their
 * names are those of --explain.
 */
struct memory_parts {
	double words, phrase, neighbours, session, speaker, date, vector, state;
};
struct memory_hit {
	struct memory memory;
	double score; /* 0 to 1, on a fixed scale */
	struct memory_parts parts;
};
struct memory_found {
	struct memory_hit *p;
	size_t n, cap;
	/*
	 * That reach the threshold, before the limit, among those that were ranked: the best
	 * hundred or twice the limit by words, those of a date, those around the best. With
	 * browse: all that are meant.
	 */
	int64_t total;
	bool below_threshold; /* the one hit does not reach it */
	unsigned searched;    /* layers, as bits */
	struct strs words;    /* what was looked for, with what stood in for a word */
	struct str note;      /* "the embedder failed: …", or empty */
};
/* Errors: TOO_LONG, MISSING_PARAMETER (identifiers), OUT_OF_RANGE, and those of db. */
struct err *memory_search(struct memories *m, struct arena *a, const struct memory_search *q,
			  struct memory_found *out) MUST_USE;

/* How alike two texts are: Jaccard over shingles of three stems; 0 to 1. */
struct memory_shingles;
struct memory_shingles *memory_shingles(struct words *w, struct arena *a, struct str text);
double memory_alike(const struct memory_shingles *a, const struct memory_shingles *b);
#define MEMORY_SAME 0.95 /* from here on they are near-duplicates */

#endif
