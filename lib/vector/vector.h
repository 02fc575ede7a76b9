/*
 * vector: embeddings, an option (ikm-design(7), "Vectors"). A program of the user's makes them:
 * JSON in, JSON out (requirement: external tools, "Execution Protocol"); they are kept as bytes,
 * one for a memory, with model, dimension and version, and scanned. Nothing here is needed for a
 * search to work, and nothing here knows whose a memory is: who searches says which ones are meant.
 */
#ifndef IKM_VECTOR_H
#define IKM_VECTOR_H

#include "db/db.h"

struct vectors {
	struct db *db;
	struct strs
		command; /* memory.embedder: the program and its arguments; n 0: there is none */
	unsigned timeout_ms; /* memory.embedderTimeout: for one run */
};

/* Numbers in one vector. */
#define VECTOR_DIMENSION_MAX 8192
/* Bytes that one run may print. */
#define VECTOR_ANSWER_MAX ((size_t)64 << 20)

struct vector {
	signed char *p; /* of unit length before rounding, times 127 */
	size_t n;
};
struct vector_list {
	struct vector *p;
	size_t n, cap;
	int64_t model; /* a row of vector_models; 0: nothing was kept of this model yet */
	struct str name, version;
	size_t dimension;
};
/*
 * One run of the program: {"texts": [...]} in; {"model", "version", "vectors": [[...]]} out, or
 * that as the result of tool_wrapper()'s form. A vector for each text, all of one length. Writes
 * nothing.
 * Errors: NOT_CONFIGURED when there is none, PROGRAM_FAILED (any answer but that one), NO_PROGRAM,
 * TOOK_TOO_LONG; each names the setting and says what is expected.
 */
struct err *vector_embed(struct vectors *v, struct arena *a, const struct strs *texts,
			 struct vector_list *out) MUST_USE;
/* Records the model of an answer and sets its number. Within db_write(). */
struct err *vector_model(struct vectors *v, struct vector_list *of) MUST_USE;
/*
 * In place of what was kept for this document, of whichever model; nothing when there is no such
 * memory any more. Within db_write().
 */
struct err *vector_put(struct vectors *v, int64_t model, int64_t doc, struct vector x) MUST_USE;

struct vector_hit {
	int64_t doc;
	double cosine; /* -1 to 1, to about 0.01 */
};
struct vector_hits {
	struct vector_hit *p;
	size_t n, cap;
};
/* Whether there is a vector, of whichever model. */
struct err *vector_any(struct vectors *v, bool *out) MUST_USE;
/*
 * The nearest of this model's, best first, of equal ones the higher number; NULL meant: all, else
 * it is asked for those that are near enough. Model 0: none.
 */
struct err *vector_search(struct vectors *v, struct arena *a, int64_t model, struct vector query,
			  bool (*meant)(void *ctx, int64_t doc), void *ctx, size_t limit,
			  struct vector_hits *out) MUST_USE;

/* ---- filling in ---- */

struct vector_fill {
	size_t batch; /* how many texts a run is given; fewer when they are long */
	/* may be NULL */
	void (*progress)(void *ctx, uint64_t done, uint64_t all);
	void *ctx;
};
struct vector_filled {
	int64_t embedded; /* now */
	int64_t all;      /* memories that have a vector of this model, then */
	struct str model, version;
	size_t dimension;
};
/*
 * Makes what is missing: of memories that have no vector, or one of another model than the
 * program is now. Each batch is kept durably before the next: whoever was interrupted goes on from
 * there. The content of every memory in the store is given to the program, of all scopes.
 * Errors as vector_embed(); the message says which memories could not be done.
 */
struct err *vector_fill(struct vectors *v, struct arena *a, const struct vector_fill *how,
			struct vector_filled *out) MUST_USE;

/* ---- for the files of this module, and its tests ---- */

/* All of `out` but the model's number. PROGRAM_FAILED; the program's name belongs before it. */
struct err *vector_answer(struct arena *a, struct str text, size_t texts,
			  struct vector_list *out) MUST_USE;

#endif
