/* read_truncate: cuts the content of a read to the size of an answer, and says how to read the
 * rest. */
#pragma once

#include "read_lines_bytes.h"

struct read_part {
	const struct read_source *from;
	struct str content; /* the requested content, with line numbers on request */
	struct lines lines; /* as requested */
	size_t before;      /* the number of source lines before the part that may be read */
	size_t end;         /* the last line that may be read; SIZE_MAX: unknown */
	size_t count;       /* lines in the source; SIZE_MAX: unknown */
	bool is_bytes;      /* the content begins with the bytes of span */
	struct read_span span;
};
/* How to read the rest. */
struct read_rest {
	bool cut;
	size_t line;     /* the first line that the content does not have completely */
	size_t last;     /* the last requested line; SIZE_MAX: to the end */
	uint64_t offset; /* from 1: the next byte, if not even one line fitted; else 0 */
	uint64_t to;     /* the last byte in that case; 0: to the end */
};

/* Cuts the content to *room tokens, and subtracts its tokens from *room. */
struct err *read_cut(const struct fit *f, struct read_part *p, size_t *room,
		     struct read_rest *rest) MUST_USE;
/* "5:9", as a value for the parameter lines, ranges or bytes. */
struct str read_rest_range_text(struct arena *a, const struct read_rest *rest);
/* The result's member more, for content. */
struct str read_rest_more_text(struct arena *a, const struct read_rest *rest);

/* "image/png" and the like, by the first bytes. NULL when it is no picture that a model can see. */
const char *read_image_type(struct arena *a, struct str base64);
