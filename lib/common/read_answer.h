/* read_answer: puts the content of a read into a result, cut to the reader's limit. */
#ifndef IKM_COMMON_READ_ANSWER_H
#define IKM_COMMON_READ_ANSWER_H

#include "read_part.h"

struct read_answer {
	struct call *c;
	const struct fit *fit;
	enum token_model model;
	struct lines lines; /* as requested */
	bool slices;        /* the lines come from the member ranges */
	struct str bytes;   /* the parameter; .p is NULL when it is absent */
	bool several;       /* the answer has several files */
	size_t room;        /* the tokens that are left, with fit */
};

/* Lines of a file, of the parameter ranges. */
struct read_slice {
	size_t startLine, endLine;
	struct str content;
	const char *encoding; /* "base64"; NULL: the content is text */
};
/* A file, or the requested parts of it. */
struct read_result {
	struct str path, content;
	const char *encoding;
	struct maybe_int tokens, size, lines;
	bool truncated;
	struct str more, hash;
	struct {
		struct read_slice *p;
		size_t n;
	} rangeSlices;
};
extern const struct field read_slice_fields[];

/*
 * Sets content and encoding, or rangeSlices; tokens, truncated and more. slice is the part of
 * s->text that the request may read; `before` lines come before it.
 */
struct err *read_answer_set(struct read_answer *an, const struct read_source *s, struct str slice,
			    size_t before, struct read_result *r) MUST_USE;

#endif
