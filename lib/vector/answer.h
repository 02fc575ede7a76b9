/* answer: what an embedder printed, read and made into bytes. Inside lib/vector, and for its test. */
#ifndef IKM_VECTOR_ANSWER_H
#define IKM_VECTOR_ANSWER_H

#include "vector/vector.h"

/* All of `out` but the model's number. PROGRAM_FAILED; the message goes behind the program's name. */
struct err *vector_answer(struct arena *a, struct str text, size_t texts,
			  struct vector_list *out) MUST_USE;

#endif
