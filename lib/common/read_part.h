/* read_part: how much of what is read an answer has room for, and how to get the rest. */
#ifndef IKM_COMMON_READ_PART_H
#define IKM_COMMON_READ_PART_H

#include "read_source.h"

struct read_part {
	const struct read_source *from;
	struct str content; /* what was asked for, with line numbers if asked */
	struct lines lines; /* as asked for */
	size_t before;      /* lines of the source before the first that may be asked for */
	size_t end;         /* the last that may be; SIZE_MAX: not known */
	size_t count;       /* lines in the source; SIZE_MAX: not known */
	bool is_bytes;      /* the content is the beginning of these bytes: */
	struct read_span span;
};
/* How to get what was left out. */
struct read_rest {
	bool cut;
	size_t line;     /* the first line that is not whole in the content */
	size_t last;     /* the last that was asked for; SIZE_MAX: to the end */
	uint64_t offset; /* from 1, of the next byte when not even one line fitted, or else 0 */
	uint64_t to;     /* the last byte then; 0: to the end */
};

/* OUT_OF_RANGE with the number of lines: all that is asked for is behind the end. */
struct err *read_past(const struct read_part *p) MUST_USE;
/* Cuts the content to the room, which becomes less. */
struct err *read_cut(const struct fit *f, struct read_part *p, size_t *room,
		     struct read_rest *rest) MUST_USE;
/* "5:9", as an argument of the parameter lines, ranges or bytes. */
struct str read_rest_range(struct arena *a, const struct read_rest *rest);
/* The result's member more, of content. */
struct str read_more(struct arena *a, const struct read_rest *rest);

/* "image/png" and the like, by its first bytes; NULL: no picture that a model can be shown. */
const char *read_image(struct arena *a, struct str base64);

#endif
