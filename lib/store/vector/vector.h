/*
 * vector: embeddings, an option (ikm-design(7), "Vectors"). A program of the user computes them,
 * with JSON input and output (requirement: external tools, "Execution Protocol"). The store keeps a
 * vector in bytes for each memory, with model, dimension and version, and a search scans all
 * vectors. Searches also work without vectors. This module does not know the owner of a memory: the
 * caller says which memories count.
 */
#pragma once

#include "db/db.h"

struct vectors {
	struct db *db;
	struct strs command; /* memory.embedder: program and arguments; n 0: none */
	unsigned timeout_ms; /* memory.embedderTimeout: for each run */
};

/* Numbers in a vector. */
#define VECTOR_DIMENSION_MAX 8192
/* Bytes that a run may print. */
#define VECTOR_ANSWER_MAX ((size_t)64 << 20)

struct vector {
	signed char *p; /* a vector of length 1, times 127 and rounded */
	size_t n;
};
struct vector_list {
	struct vector *p;
	size_t n, cap;
	int64_t model; /* its row in vector_models; 0: the store has no vector of this model yet */
	struct str name, version;
	size_t dimension;
};
/*
 * Runs the program once. Its input is {"texts": [...]}. Its output is {"model", "version",
 * "vectors": [[...]]}, or the same as the result of tool_outcome_wrap(). There is a vector for each
 * text, and all have the same length. Writes nothing to the store.
 *
 * Errors: NOT_CONFIGURED without a program, PROGRAM_FAILED (any other output), NO_PROGRAM,
 * TOOK_TOO_LONG. Each names the setting and the expected output.
 */
struct err *vector_embed(struct vectors *v, struct arena *a, const struct strs *texts,
			 struct vector_list *out) MUST_USE;
/* Records the model of an answer and sets its number. Call it inside a transaction. */
struct err *vector_record_model(struct vectors *v, struct vector_list *of) MUST_USE;
/*
 * Stores the vector of this document, and replaces a vector of any model. Does nothing when the
 * memory does not exist any more. Call it inside a transaction.
 */
struct err *vector_put(struct vectors *v, int64_t model, int64_t doc, struct vector x) MUST_USE;

struct vector_hit {
	int64_t doc;
	double cosine; /* -1 to 1, exact to about 0.01 */
	double near;   /* 0 to 1: how far it stands out, by vector_stand_out() */
};
struct vector_hits VEC(struct vector_hit);
/*
 * Sets `near`: a tenth for each deviation that a cosine stands above one deviation below the mean
 * of the hits. To some models every text is near every other; what stands out among the nearest is
 * near to any model.
 */
void vector_stand_out(struct vector_hits *hits);
/* Sets *out when the store has a vector of any model. */
struct err *vector_any(struct vectors *v, bool *out) MUST_USE;
/*
 * Finds the nearest vectors of this model, the best first; among equal ones the higher number
 * first. `meant` tells whether a document counts, and is called only for documents that are near
 * enough; NULL: all count. Model 0 finds nothing.
 */
struct err *vector_search(struct vectors *v, struct arena *a, int64_t model, struct vector query,
			  bool (*meant)(void *ctx, int64_t doc), void *ctx, size_t limit,
			  struct vector_hits *out) MUST_USE;

/* ---- missing vectors ---- */

struct vector_filled {
	int64_t embedded; /* vectors made by this call */
	int64_t all;      /* memories that then have a vector of this model */
	struct str model, version;
	size_t dimension;
};
/*
 * Computes the missing vectors: for memories without a vector, or with a vector of another model
 * than the program has now. Each batch is stored durably before the next. After an interruption,
 * the next call continues there. The program receives the content of every memory in the store, of
 * all scopes. batch: number of texts for each run; fewer when they are long. Errors as
 * vector_embed(); the message names the memories that failed.
 */
struct err *vector_fill(struct vectors *v, struct arena *a, size_t batch,
			struct vector_filled *out) MUST_USE;

/* ---- for the files of this module, and its tests ---- */

/* All of `out` but the model's number. PROGRAM_FAILED; the program's name belongs before it. */
struct err *vector_answer_read(struct arena *a, struct str text, size_t texts,
			       struct vector_list *out) MUST_USE;
