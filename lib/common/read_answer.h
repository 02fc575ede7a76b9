/* read_answer: what was read, as members of a result, cut to what a reader has room for. */
#ifndef IKM_COMMON_READ_ANSWER_H
#define IKM_COMMON_READ_ANSWER_H

#include "read_part.h"

struct read_answer {
	struct call *c;
	const struct fit *fit;
	enum token_model model;
	struct lines lines; /* as asked for */
	bool slices;        /* the lines are the member ranges */
	struct str bytes;   /* the parameter; .p is NULL when it is absent */
	bool several;       /* files in one answer */
	size_t room;        /* tokens that are left, with fit */
};
/*
 * The members content and encoding, or rangeSlices; tokens, truncated and more. slice is the part
 * of s->text that may be asked for, after `before` lines. *cut: not all that was asked for is in v.
 */
struct err *read_answer_set(struct read_answer *an, const struct read_source *s, struct str slice,
			    size_t before, struct val *v, bool *cut) MUST_USE;

extern const struct field read_slice_fields[];

#endif
