/*
 * vector: embeddings, for who wants them (memory.md, "Vectors are an option"). A program of the
 * user's makes them (seed 004's protocol: JSON in, JSON out); they are kept as bytes with model,
 * dimension and version, and scanned. Nothing here is needed for a search to work.
 */
#ifndef IKM_VECTOR_H
#define IKM_VECTOR_H

#include "db/db.h"

struct vectors {
	struct db *db;
	struct strs command; /* memory.embedder: the program and its arguments; n 0: there is none */
	unsigned timeout_ms; /* memory.embedderTimeout */
};

struct vector {
	signed char *p; /* of unit length before rounding, times 127 */
	size_t n;
};
struct vector_list {
	struct vector *p;
	size_t n, cap;
	int64_t model; /* a row of vector_models */
};
/*
 * One run of the program: {"texts": [...]} in; {"model", "version", "vectors": [[...]]} out. May
 * write: a model not seen before is recorded. Errors: PROGRAM_FAILED, NO_PROGRAM, TOOK_TOO_LONG; each
 * names the setting.
 */
struct err *vector_embed(struct vectors *v, struct arena *a, const struct strs *texts,
			 struct vector_list *out) MUST_USE;
/* Within db_write(). */
struct err *vector_put(struct vectors *v, int64_t model, int64_t doc, struct vector x) MUST_USE;

struct vector_hit {
	int64_t doc;
	double cosine;
};
struct vector_hits {
	struct vector_hit *p;
	size_t n, cap;
};
/* The nearest of this model's, best first; NULL meant: all, else asked for each candidate. */
struct err *vector_search(struct vectors *v, struct arena *a, int64_t model, struct vector query,
			  bool (*meant)(void *ctx, int64_t doc), void *ctx, size_t limit,
			  struct vector_hits *out) MUST_USE;
/* Documents after `from` without a vector of the newest model: for filling in; ascending. */
struct err *vector_missing(struct vectors *v, struct arena *a, int64_t from, size_t limit,
			   int64_t **docs, size_t *n) MUST_USE;

#endif
