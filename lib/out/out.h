/*
 * out: what goes to standard output and standard error: buffered, checked, safe for a terminal.
 * A full disk or a closed pipe while printing is an error, found at the latest by out_flush.
 */
#ifndef IKM_OUT_H
#define IKM_OUT_H

#include "base/base.h"

struct out;

enum out_color { OUT_COLOR_AUTO, OUT_COLOR_ALWAYS, OUT_COLOR_NEVER };
enum out_style { OUT_PLAIN, OUT_BOLD, OUT_DIM, OUT_RED, OUT_YELLOW, OUT_GREEN, OUT_CYAN };

/* AUTO: colour when fd is a terminal, NO_COLOR is unset and TERM is not "dumb". */
struct out *out_new(struct arena *a, int fd, enum out_color color);
/* Into memory, without colour: for what one command says of another's result. */
struct out *out_memory(struct arena *a);
/* The output so far; valid until the next output. */
struct str out_taken(const struct out *o);

/* Names and content of strangers are made safe there, and stay what they are elsewhere. */
bool out_is_terminal(const struct out *o);
/* out_bytes, or on a terminal out_safe on one line. */
void out_raw(struct out *o, struct str s);

/*
 * A path with what ends it: 0 for a NUL, behind its very bytes; with anything else it is
 * str_quoted(), for it is one of several on a line or in lines.
 */
void out_path(struct out *o, struct str path, char end);

/* Bytes as they are: for content that the user asked for. */
void out_bytes(struct out *o, struct str s);
void out_puts(struct out *o, const char *s);
/* The format and literals are ours; strangers' text goes through out_safe. */
void out_fmt(struct out *o, const char *fmt, ...) PRINTF(2, 3);
/* Control characters and bytes that are not UTF-8 become \xNN, so no name or matched text can
 * drive a terminal; LF and TAB stay when `lines`. */
void out_safe(struct out *o, struct str s, bool lines);
void out_style(struct out *o, enum out_style style);
/* out_style, out_safe on one line, back to plain. */
void out_styled(struct out *o, enum out_style style, struct str s);
/* Wrapped at the width, every line after `indent` blanks. */
void out_wrapped(struct out *o, unsigned indent, struct str s);
/* One JSON value and a newline; indented when it is for a terminal. */
void out_json(struct out *o, const struct val *v);

/* Something written so far failed, so that more is in vain. */
bool out_failed(const struct out *o);
/* PROVIDER_ERROR with the reason when anything written so far failed. */
struct err *out_flush(struct out *o) MUST_USE;

/* ---- GitHub annotations ---- */

enum out_level { OUT_ERROR, OUT_WARNING, OUT_NOTICE };
/* One workflow command; file may be empty, line and column 0. Escapes what GitHub wants escaped. */
void out_github(struct out *o, enum out_level level, struct str file, size_t line, size_t column,
		struct str title, struct str message);

/* ---- progress ---- */

/*
 * Shown on standard error when that is a terminal and the work takes over a second; one line that
 * is wiped at the end. total 0: unknown. Call it as often as you like.
 */
struct progress {
	const char *what;
	uint64_t total, start, shown;
	bool on, visible;
};
void progress_start(struct progress *p, const char *what, uint64_t total);
void progress_at(struct progress *p, uint64_t done);
void progress_end(struct progress *p);

#endif
