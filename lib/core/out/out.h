/*
 * out: writes to standard output and standard error. It buffers, checks for errors, and makes text
 * safe for a terminal. A full disk or a closed pipe is an error, which out_flush() returns at the
 * latest.
 */
#pragma once

#include "base/base.h"

struct out;

enum out_color { OUT_COLOR_AUTO, OUT_COLOR_ALWAYS, OUT_COLOR_NEVER };
enum out_style { OUT_PLAIN, OUT_BOLD, OUT_DIM, OUT_RED, OUT_YELLOW, OUT_GREEN, OUT_CYAN };

/* OUT_COLOR_AUTO: use colour when fd is a terminal, NO_COLOR is unset and TERM is not "dumb". */
struct out *out_new(struct arena *a, int fd, enum out_color color);
/* Output into a file, without colour. Errors call it `shown`, which must outlive the output. */
struct out *out_new_to_file(struct arena *a, int fd, const char *shown);
/* Output into memory, without colour: a command uses it to show the result of another command. */
struct out *out_new_in_memory(struct arena *a);
/* The output so far; valid until the next output. */
struct str out_text_so_far(const struct out *o);

/* On a terminal, names and content from outside must be made safe; elsewhere they stay. */
bool out_is_terminal(const struct out *o);
/* out_safe() on one line when this is a terminal, else out_bytes_unchanged(). */
void out_safe_if_terminal(struct out *o, struct str s);

/*
 * Writes a path and `end`. With end 0 the path's bytes stay unchanged, and a NUL follows. With any
 * other end str_quoted() quotes the path, because other text may stand on the same line.
 */
void out_path(struct out *o, struct str path, char end);

/* Writes the bytes unchanged: for content that the user asked for. */
void out_bytes_unchanged(struct out *o, struct str s);
void out_puts(struct out *o, const char *s);
/* For ikm's own text only. Write text from outside with out_safe(). */
void out_fmt(struct out *o, const char *fmt, ...) PRINTF(2, 3);
/*
 * Control characters and bytes that are not UTF-8 become \xNN, so no name or matched text can
 * control the terminal. With `lines`, LF and TAB stay.
 */
void out_safe(struct out *o, struct str s, bool lines);
/* The text on one line, and the end of the line. */
void out_safe_line(struct out *o, struct str s);
/* Whether out_safe() hides the first character of s, which is not empty; *n is its bytes. */
bool out_hides_char(struct str s, size_t *n);
void out_set_style(struct out *o, enum out_style style);
/* out_set_style(), out_safe() on one line, and back to plain. */
void out_styled(struct out *o, enum out_style style, struct str s);
/* Wraps the text at the terminal's width, and indents every line by `indent` blanks. */
void out_wrapped(struct out *o, unsigned indent, struct str s);
/* As out_wrapped(), but `indent` columns of the first line are printed already. */
void out_wrapped_behind(struct out *o, unsigned indent, struct str s);
/* The columns of the terminal; 80 elsewhere. */
unsigned out_width(const struct out *o);
/* The columns that out_safe() on one line needs. Wide characters have 2, combining ones 0. */
size_t out_text_width(struct str s);
unsigned out_char_columns(uint32_t c);
/* Writes a JSON value and a newline; indented on a terminal. */
void out_json(struct out *o, const struct val *v);

/* True when a write failed. The caller may then stop. */
bool out_failed(const struct out *o);
/* Flushes. Errors: PROVIDER_ERROR with its reason when any write so far failed. */
struct err *out_flush(struct out *o) MUST_USE;

/* From now on the output is kept; out_release() writes it. Without that call it is dropped. */
void out_hold(struct out *o);
void out_release(struct out *o);

/* ---- the pager ---- */

/*
 * From now on text that is longer than the terminal goes through the pager of the user: IKM_PAGER,
 * PAGER or less. Text that fits, and all text where the output is no terminal, is written as ever.
 */
void out_paging_begin(struct out *o);
/* Flushes, and waits until the user has left the pager. What follows goes to the terminal. */
struct err *out_paging_end(struct out *o) MUST_USE;

/* ---- GitHub annotations ---- */

enum out_level { OUT_ERROR, OUT_WARNING, OUT_NOTICE };
/* Writes a workflow command with GitHub's escapes. file may be empty, line and column 0. */
void out_github(struct out *o, enum out_level level, struct str file, size_t line, size_t column,
		struct str title, struct str message);

/* ---- XML ---- */

/*
 * Writes text as the content of an element. Characters that XML 1.0 forbids become \xNN, and bytes
 * that are not UTF-8 become U+FFFD.
 */
void out_xml(struct out *o, struct str s);
/* Writes ` name="text"`, so that a reader gets line ends and tabs back. */
void out_xml_attribute(struct out *o, const char *name, struct str s);

/* ---- progress ---- */

/*
 * A progress line on standard error. It is shown only on a terminal, when the work takes more than
 * a second, and it is erased at the end, and before other output. total 0: unknown. Frequent calls
 * cost little. One thread calls it.
 *   struct progress p PROGRESS = progress_start("rows verified", 0);
 * ends with its block.
 */
struct progress {
	const char *what;
	uint64_t total, start, shown; /* start: of all works that followed each other */
	bool on;
};
#define PROGRESS __attribute__((cleanup(progress_end)))
struct progress progress_start(const char *what, uint64_t total);
void progress_at(struct progress *p, uint64_t done);
void progress_end(struct progress *p);
/* For work that has no steps, often called while it lasts: shows its seconds. Another progress has
 * precedence. */
void progress_show_seconds(const char *what);
/* Whether there is a terminal to show it. */
bool progress_possible(void);
/* Erases the line. off: a pager has the terminal, so no thread shows it again until the next call.
 */
void progress_clear(bool off);
