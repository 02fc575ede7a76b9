/*
 * scan: the words of TOML: blanks, comments, keys, strings, numbers, dates. Private to lib/toml.
 * Each function reads at s->p and leaves it behind what it read; the text is known to be UTF-8.
 */
#ifndef IKM_TOML_SCAN_H
#define IKM_TOML_SCAN_H

#include "base/base.h"

struct scan {
	struct arena *arena;
	struct str text;
	const char *p, *end;
};

struct err *scan_bad(const struct scan *s, const char *at, enum err_reason reason, const char *fmt,
		     ...) PRINTF(4, 5) MUST_USE;
/* "expected WHAT, found …", at s->p. */
struct err *scan_expected(const struct scan *s, const char *what) MUST_USE;
struct span scan_span(const struct scan *s, const char *from);
/* The byte at s->p; NUL at the end, where no rule waits for it. */
char scan_peek(const struct scan *s);

/* Spaces and tabs. */
void scan_blanks(struct scan *s);
/* Blanks, a comment, and the end of the line or of the text. */
struct err *scan_line_end(struct scan *s) MUST_USE;
/* Blanks, comments and line ends, as many as there are. */
struct err *scan_gap(struct scan *s) MUST_USE;

/* One part of a key, decoded; *at spans its quotes. */
struct err *scan_key(struct scan *s, struct str *key, struct span *at) MUST_USE;
/* Any of the four kinds of string, s->p at its quote. Fills in v's type, text and span. */
struct err *scan_string(struct scan *s, struct val *v) MUST_USE;
/* A number, date, time or boolean. Fills in v's type, text and span. */
struct err *scan_scalar(struct scan *s, struct val *v) MUST_USE;

#endif
