/* line: reads lines of JSON as memories, for an import. For lib/memory and its fuzz target. */
#ifndef IKM_MEMORY_LINE_H
#define IKM_MEMORY_LINE_H

#include "memory/transfer.h"

/* Limit of a line in bytes: the largest content and metadata, with every byte escaped. */
#define MEMORY_LINE_MAX ((size_t)16 << 20)

struct memory_line {
	struct memory one;
	bool tombstone; /* only id, layer and deleted of `one` are set */
	/*
	 * Like `one`, but importance and confidence are -1 and happened is 0 when the line does not
	 * give them.
	 */
	struct memory said;
};
/*
 * Reads one line. Members that the line lacks come from `how` and `who`. A missing id is made from
 * the line's number (from 1) and its bytes. Strings borrow from text where they can. Errors: those
 * of json and memory_add(), and OUT_OF_RANGE for times in the future. They name the member, not the
 * line.
 */
struct err *memory_line_read(struct arena *a, struct str text, size_t number,
			     const struct memory_import *how, const struct memory_who *who,
			     struct memory_line *out) MUST_USE;
/* ---- lines.c: the lines of a file, in batches ---- */

#define MEMORY_LINES_MOST ((size_t)65536)

struct memory_lines {
	const char *name;
	/* lines of the batch, at most `most`, without newlines; p[0] has the number before + 1 */
	struct str *p;
	size_t n; /* 0: no more lines */
	size_t before, most;
	uint64_t read, all; /* read: bytes before the batch; all: of the file, 0: unknown */

	int fd;
	struct str from; /* what is left of the lines when they are in memory; p NULL: read fd */
	bool end;
	char *text;          /* the batch, then bytes that were read behind it */
	size_t begin, bytes; /* begin: where those bytes begin; bytes: where they end */
};
/* text: the lines, or p NULL: they are read from fd. */
void memory_lines_start(struct memory_lines *l, struct arena *a, int fd, struct str text,
			const char *name);
/*
 * Reads the next batch; the lines of the last batch become invalid. Errors: TOO_LONG, and those of
 * reading.
 */
struct err *memory_lines_next(struct memory_lines *l) MUST_USE;
/* Puts "line N: " before the message, and N into the details. */
struct err *memory_at_line(struct err *e, size_t number) MUST_USE;

#endif
