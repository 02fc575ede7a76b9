/* line_ranges: which lines of a text are wanted, and where they go. */
#ifndef IKM_COMMON_LINE_RANGES_H
#define IKM_COMMON_LINE_RANGES_H

#include "app/app.h"

struct lines_range {
	size_t from, to; /* 1-based, both included */
};
struct lines {
	const struct lines_range *range;
	size_t n; /* 0: all */
	bool number;
	size_t line; /* the last that was begun; set it to begin elsewhere than at 1 */
	void (*put)(void *to, struct str s);
	void *to;
	bool inside; /* of the line `line` */
};

/* For put: to is a struct buf, or a struct out. */
void lines_to_buf(void *to, struct str s);
void lines_to_out(void *to, struct str s);

/* One such range, of the parameter lines, ranges or bytes. */
struct err *lines_range_of(struct str text, const char *what, struct lines_range *r) MUST_USE;
/* "A:B", "A:", ":B" or "A" each; "-" or ".." may stand for ":". BAD_ARGUMENT. */
struct err *lines_ranges(struct arena *a, const struct strs *texts, const char *what,
			 struct lines *out) MUST_USE;
/* A text may come in pieces. */
void lines_put(struct lines *l, struct str s);
/*
 * From a file to o, up to the last line that is wanted, or until o fails; name is for messages.
 * Memory does not grow with the file.
 */
struct err *lines_print(struct lines *l, struct out *o, struct arena *a, int fd,
			struct str name) MUST_USE;
size_t lines_count(struct str text);
/* Whether this line is one of those; the last one of a text of so many lines that is, or 0. */
bool lines_wanted(const struct lines *l, size_t line);
size_t lines_last(const struct lines *l, size_t count);

#endif
