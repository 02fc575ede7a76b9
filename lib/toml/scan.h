/*
 * scan: the tokens of TOML: blanks, comments, keys, strings, numbers, dates. Private to lib/toml.
 * Each function reads at s->p and moves it behind the token. The caller has checked that the text
 * is UTF-8.
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
/* The error "expected WHAT, found …" at s->p. */
struct err *scan_expected(const struct scan *s, const char *what) MUST_USE;
struct span scan_span(const struct scan *s, const char *from);
/* The byte at s->p, or NUL at the end; no grammar rule expects a NUL. */
char scan_peek(const struct scan *s);

/* Skips spaces and tabs. */
void scan_blanks(struct scan *s);
/* Skips blanks, a comment, and the end of the line or of the text. Anything else is an error. */
struct err *scan_line_end(struct scan *s) MUST_USE;
/* Skips all blanks, comments and line ends. */
struct err *scan_gap(struct scan *s) MUST_USE;

/* Reads one part of a key and decodes it; *at includes its quotes. */
struct err *scan_key(struct scan *s, struct str *key, struct span *at) MUST_USE;
/* Reads a string of any of the four kinds; s->p is at its quote. Sets v's type, text and span. */
struct err *scan_string(struct scan *s, struct val *v) MUST_USE;
/* Reads a number, date, time or boolean. Sets v's type, text and span. */
struct err *scan_scalar(struct scan *s, struct val *v) MUST_USE;

#endif
