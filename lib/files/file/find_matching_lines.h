/*
 * find_matching_lines: finds the matching lines of one content. It reads windows of whole lines, so
 * contents may have any size. A scanner belongs to one thread.
 */
#pragma once

#include "file/search.h"
#include <stdatomic.h>

struct scan_pattern {
	struct re *re;
	struct str source;
	atomic_uint gave_up; /* number of contents in which it took too long */
};
#define SCAN_GIVE_UP 8 /* then the pattern is not tried any more */

/* Shared by all threads. */
struct scan_plan {
	const struct search *s;
	struct scan_pattern *patterns;
	size_t n;
	struct re_set *set; /* of all patterns, if there are several */
	atomic_bool full;   /* no more lines are wanted */
	atomic_bool stop;   /* the search is over */
};

struct scan_sink {
	void (*line)(void *ctx, const struct search_line *line); /* without its path */
	void *ctx;
};

/* SCAN_TOO_BIG: a match may have several lines, and the content is over FILE_BYTES_MAX. */
enum scan_end { SCAN_DONE, SCAN_BINARY, SCAN_LONG_LINE, SCAN_TOO_BIG, SCAN_FAILED };
struct scan_result {
	enum scan_end end;
	int errnum;                         /* SCAN_FAILED */
	size_t lines;                       /* matching lines, or matches: see search_done */
	const struct scan_pattern *gave_up; /* the first pattern that took too long, or NULL */
};

struct scanner;
struct scanner *scanner_new(struct arena *a, struct scan_plan *plan);
/*
 * Scans the file fd, whose encoding its folders may say, or text if fd < 0. size: of the file when
 * it was opened, 0: unknown.
 */
void scanner_run(struct scanner *s, int fd, uint64_t size, struct str path, struct str text,
		 const struct scan_sink *sink, struct scan_result *out);
