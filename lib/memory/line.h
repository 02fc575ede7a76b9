/* line: memories as lines of JSON, on their way in. For lib/memory and its fuzz target. */
#ifndef IKM_MEMORY_LINE_H
#define IKM_MEMORY_LINE_H

#include "memory/transfer.h"

/* Bytes of a line: content and metadata at their largest, with every byte escaped. */
#define MEMORY_LINE_MAX ((size_t)16 << 20)

struct memory_line {
	struct memory one;
	bool tombstone; /* of one, only id, layer and deleted are set */
	/* The same, with what the line left out left out: importance, confidence, happened. */
	struct memory said;
};
/*
 * What the line does not say comes from `how` and `who`, and the id of a line that has none from
 * its number (from 1) and its bytes. Strings borrow from text where they can. Errors: those of json
 * and memory_add(), and OUT_OF_RANGE for times that have not been yet; they name the member, not
 * the line.
 */
struct err *memory_line_read(struct arena *a, struct str text, size_t number,
			     const struct memory_import *how, const struct memory_who *who,
			     struct memory_line *out) MUST_USE;
/* ---- lines.c: the lines of a file, in batches ---- */

#define MEMORY_LINES_MOST ((size_t)65536)

struct memory_lines {
	const char *name;
	struct str *p; /* of the batch, without their ends; the first is number before + 1; at most
			  `most` */
	size_t n;      /* 0: there are no more */
	size_t before, most;
	uint64_t read, all; /* bytes before the batch; of the file, 0: not known */

	int fd;
	bool end;
	char *text;          /* of the batch, and what was read behind it */
	size_t begin, bytes; /* where that begins, and all ends */
};
void memory_lines_start(struct memory_lines *l, struct arena *a, int fd, const char *name);
/* The next batch; the one before is gone. TOO_LONG, and those of reading. */
struct err *memory_lines_next(struct memory_lines *l) MUST_USE;
/* "line N: " and the message, N also among the details. */
struct err *memory_at_line(struct err *e, size_t number) MUST_USE;

#endif
