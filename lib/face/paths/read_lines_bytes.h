/* read_lines_bytes: the content of a file or a stored asset, and its parts by lines or bytes. It
 * also reads files that are too large for memory. */
#pragma once

#include "open_files_for_call.h"
#include "reply/result_fit.h"
#include "line_ranges.h"

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
/* The offset where a line begins (lines from 1), and the number of lines that end before an
 * offset. */
struct err *read_source_line_offset(const struct read_source *s, size_t line,
				    uint64_t *offset) MUST_USE;
struct err *read_source_count_lines(const struct read_source *s, uint64_t offset,
				    size_t *lines) MUST_USE;
