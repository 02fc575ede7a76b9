/*
 * answer: parses the output of an embedder and makes vectors of bytes. Private to lib/vector and
 * its tests.
 */
#ifndef IKM_VECTOR_ANSWER_H
#define IKM_VECTOR_ANSWER_H

#include "vector/vector.h"

/*
 * Sets all of `out` except the model's number. Errors: PROGRAM_FAILED; the caller puts the
 * program's name before the message.
 */
struct err *vector_answer(struct arena *a, struct str text, size_t texts,
			  struct vector_list *out) MUST_USE;

#endif
