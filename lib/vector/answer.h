/* answer: what an embedder printed, made into bytes. Inside lib/vector, and for its tests. */
#ifndef IKM_VECTOR_ANSWER_H
#define IKM_VECTOR_ANSWER_H

#include "vector/vector.h"

/* All of `out` but the model's number. PROGRAM_FAILED; the program's name belongs before it. */
struct err *vector_answer(struct arena *a, struct str text, size_t texts,
			  struct vector_list *out) MUST_USE;

#endif
