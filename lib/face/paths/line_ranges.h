/* line_ranges: selects lines of a text by their numbers, and copies them. */
#pragma once

#include "app/app.h"

struct lines_range {
	size_t from, to; /* 1-based, both included */
};
struct lines {
	const struct lines_range *range;
	size_t n; /* the number of ranges; 0: select all lines */
	bool number;
	size_t line; /* the line that was begun last; set it to start at another line than 1 */
	void (*put)(void *to, struct str s);
	void *to;
	bool inside; /* within the line `line` */
};

/* Two functions for put; `to` is a struct buf, or a struct out. */
void lines_to_buf(void *to, struct str s);
void lines_to_out(void *to, struct str s);

/* Reads one range, of the parameter lines, ranges or bytes; `what` names the parameter's unit. */
struct err *lines_range_read(struct str text, const char *what, struct lines_range *r) MUST_USE;
/* Reads ranges "A:B", "A:", ":B" or "A"; "-" or ".." may replace ":". BAD_ARGUMENT. */
struct err *lines_ranges_read(struct arena *a, const struct strs *texts, const char *what,
			      struct lines *out) MUST_USE;
/* Copies the selected lines. The caller may pass the text in pieces. */
void lines_copy_selected(struct lines *l, struct str s);
/* OUT_OF_RANGE when all ranges begin after the last line of `name`, which has `count` lines. */
struct err *lines_check_ranges(const struct lines *l, size_t count, struct str name) MUST_USE;
/*
 * Prints the selected lines of a file to o, until o fails; name is for messages. Memory does not
 * grow with the file. Errors: those of lines_check_ranges() and of reading.
 */
struct err *lines_print(struct lines *l, struct out *o, struct arena *a, int fd,
			struct str name) MUST_USE;
/* Whether the line is in one of the ranges, or there are none. */
bool lines_is_selected(const struct lines *l, size_t line);
