/*
 * scan: the matching lines of one content, in windows of whole lines, so that its size does not
 * matter. What belongs to one thread; knows nothing of paths and files.
 */
#ifndef IKM_FILE_SCAN_H
#define IKM_FILE_SCAN_H

#include "file/search.h"
#include <stdatomic.h>

struct scan_pattern {
	struct re *re;
	struct str source;
	atomic_uint gave_up; /* in so many contents */
};
#define SCAN_GIVE_UP 8 /* then it is not tried any more */

/* Shared by all threads. */
struct scan_plan {
	const struct search *s;
	struct scan_pattern *patterns;
	size_t n;
	struct re_set *set; /* of more than one */
	atomic_bool full;   /* lines need not be told any more */
	atomic_bool stop;   /* nothing need be done any more */
};

struct scan_sink {
	void (*line)(void *ctx, const struct search_line *line); /* without its path */
	void *ctx;
};

enum scan_end { SCAN_DONE, SCAN_BINARY, SCAN_LONG_LINE, SCAN_FAILED };
struct scan_result {
	enum scan_end end;
	int errnum;                         /* SCAN_FAILED */
	size_t lines;                       /* that matched */
	const struct scan_pattern *gave_up; /* the first that did; or NULL */
};

struct scanner;
struct scanner *scanner_new(struct arena *a, struct scan_plan *plan);
/* fd < 0: the text instead. */
void scan(struct scanner *s, int fd, struct str text, const struct scan_sink *sink,
	  struct scan_result *out);

#endif
