/*
 * search: finds the memories that answer a question, best first (requirement: memory and knowledge,
 * memory_search). Exact BM25 selects the candidates. Phrases, neighbours in the conversation, the
 * session, speakers and dates rank them, with the fitted weights in lib/memory/recall/rank.h.
 * Nothing here writes.
 */
#pragma once

#include "memory/memory.h"

#define MEMORY_QUERY_MAX (1 << 20) /* bytes; of a long query the rarest words count */

/* Memories without a word of the query, newest first, at the end of the answer. */
enum memory_browse {
	MEMORY_BROWSE_NEVER,
	MEMORY_BROWSE_IF_NONE, /* if the query finds nothing */
	MEMORY_BROWSE_TOO,
};

struct memory_search {
	struct str query; /* any bytes */
	unsigned layers;  /* bits; 0: all that are known. Ignored if scopes is set */
	const struct memory_scopes *scopes; /* NULL: the scopes of layers */
	unsigned kinds;                     /* bits; 0: all but working and scratch */
	struct strs tags, types;            /* any of them */
	bool all_tags;                      /* a memory must have all tags (memory queries) */
	struct str source, session;
	int status;                         /* of scratch notes, -1: any */
	int64_t happened_from, happened_to; /* [from, to), 0: open */
	double importance_min;
	unsigned provenances; /* bits; 0: any */
	bool no_sensitive;    /* leave out sensitive memories */
	/* no superseded, expired or conflicting memories, and none that speaks of a changed file */
	bool strict;
	int64_t as_of;    /* ms; 0: now */
	double threshold; /* 0 to 1 */
	size_t limit;
	/*
	 * If nothing reaches the threshold, return the best memory all the same. If the words of
	 * the query find little, return memories with words like them, too.
	 */
	bool best_anyway, explain;
	enum memory_browse browse;
};

/*
 * The points of each feature: its value times its weight in lib/memory/recall/rank.h, which also
 * says how the score follows from their sum. --explain shows the parts by these names.
 */
struct memory_parts {
	double words, phrase, neighbours, session, speaker, date, vector, state;
};
/*
 * What a hit says: an answer; what happened at the time that the question names, without an answer
 * in its words; words of the question, but hardly an answer; no word of the question, but words
 * that are like them; nothing of the question.
 */
#define MEMORY_RELEVANCES(X)                                                                       \
	X(MEMORY_ANSWERS, "answers")                                                               \
	X(MEMORY_DATED, "dated")                                                                   \
	X(MEMORY_WEAK, "weak")                                                                     \
	X(MEMORY_RELATED, "related")                                                               \
	X(MEMORY_RECENT, "recent")
enum memory_relevance { MEMORY_RELEVANCES(ENUM_MEMBER) };
extern const char *const memory_relevances[];
struct memory_hit {
	struct memory memory;
	double score;  /* 0 to 1: from 0.7 on the search found an answer, or the time */
	double points; /* 0 to 1: its points, on a scale that depends on no other memory */
	struct memory_parts parts;
	enum memory_relevance relevance;
	/* With explain: words of the query that it has, has as "parcel ~ shipment", and lacks. */
	struct strs has, pairs, lacks;
	struct str doubted_by; /* the id of a newer memory that may say what holds now, or empty */
	bool relates;          /* it, or a memory that it replaced, has to do with the query */
};
struct memory_found {
	struct memory_hit *p;
	size_t n, cap;
	/*
	 * How many ranked memories reach the threshold, beyond the limit too. Ranked are: by words
	 * the best hundred or twice the limit; memories of a date in the query; neighbours of the
	 * best. When it browsed: all memories that pass the filter.
	 */
	int64_t total;
	double has;           /* the part of the query that the best fact has; else 1 */
	bool below_threshold; /* no hit reaches the threshold */
	bool only_time;       /* the query names a time, and asks for nothing else */
	unsigned searched;    /* the layers that were searched, as bits */
	struct strs words;    /* words of the query, and stand-ins, that visible memories have */
	struct str note;      /* why words alone were used, and what strict left out; or empty */
};
/* Errors: TOO_LONG, MISSING_PARAMETER (identifiers), OUT_OF_RANGE, and those of db. */
struct err *memory_search(struct memories *m, struct arena *a, const struct memory_search *q,
			  struct memory_found *out) MUST_USE;
