/*
 * read_parts: the content of a file or a stored asset, its parts by lines or bytes, and how much of
 * a part an answer has room for. It also reads files that are too large for memory.
 */
#pragma once

#include "open_files_for_call.h"
#include "reply/result_fit.h"

/* ---- lines by their numbers ---- */

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

/* For put; `to` is a struct out. */
void lines_to_out(void *to, struct str s);

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

/* ---- a source and its parts ---- */

/* A content in memory, or a file of more than FILE_BYTES_MAX bytes, which is read in pieces. */
struct read_source {
	struct arena *a;
	int fd;          /* -1: text instead */
	struct str text; /* the whole content */
	struct str name; /* for messages */
	struct str path; /* on the disk; empty: a stored asset */
	uint64_t size;   /* size of the whole content in bytes */
};
/* The arena of f closes the file. Errors of file_read(). */
struct err *read_source_open(struct files *f, struct str path, struct read_source *out) MUST_USE;
/* Finds the section that the parameter names (p NULL: the whole), and counts the lines before
 * it. */
struct err *read_source_section(const struct read_source *s, struct str section, struct str *out,
				size_t *before) MUST_USE;

/* One part while it is read. */
struct read_lines {
	struct lines lines; /* as requested; its `line` is the last line that was read */
	struct str content;
	bool stopped; /* stopped at twice FIT_BYTES, because fit would cut the rest */
};
/*
 * Reads n parts in one pass: of slice, which begins after lines.line lines, or of all of a large
 * file. *end is the source's last line, or SIZE_MAX when the pass did not reach it. With fit a part
 * may stop early. Without fit, TOO_BIG when a part is over FILE_BYTES_MAX bytes.
 */
struct err *read_source_lines(const struct read_source *s, const struct fit *fit, struct str slice,
			      struct read_lines *part, size_t n, size_t *end) MUST_USE;
/*
 * Reads bytes "A:B", counted from 1. A UTF-8 character that begins in the part is complete; a
 * character that begins before it is left out. *span gives the part's offsets. With fit, out may
 * hold only the beginning. BAD_ARGUMENT, OUT_OF_RANGE, TOO_BIG.
 */
struct read_span {
	uint64_t from, to; /* from 0; `to` is behind the last byte */
};
struct err *read_source_bytes(const struct read_source *s, const struct fit *fit, struct str range,
			      struct str *out, struct read_span *span) MUST_USE;
/* The number of lines that end before an offset. */
struct err *read_source_count_lines(const struct read_source *s, uint64_t offset,
				    size_t *lines) MUST_USE;

/* ---- cut to the size of an answer ---- */

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
