/* bench_questions: JSON lines of questions and the memories that answer them, for ikm bench. */
#ifndef IKM_COMMON_BENCH_QUESTIONS_H
#define IKM_COMMON_BENCH_QUESTIONS_H

#include "memories.h"

struct question {
	struct str query;
	struct strs expected; /* ids of memories */
	struct cmd_bits layers, kind;
	struct strs tags; /* memories with any of these tags */
};
struct questions {
	struct question *p;
	size_t n, cap;
};
/* path "-" or empty: standard input. A wrong line is an error that names the line's number and the
 * member. Blank lines are skipped. */
struct err *questions_read(struct call *c, struct str path, struct questions *out) MUST_USE;

#endif
