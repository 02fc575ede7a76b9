/*
 * compact: makes a Markdown text smaller without asking anybody (ikm-compact(1)). Out of it go
 * comments that are no anchors, all but one of a run of blank lines, trailing blanks that are no
 * hard breaks, and paragraphs of over 80 characters that stand there once more; fences, indented
 * code and HTML blocks stay as they are. Rendered, it says the same: what would join two lists, or
 * make code or a heading of something, is left. Text in, text out.
 */
#ifndef IKM_COMPACT_H
#define IKM_COMPACT_H

#include "token/token.h"

/*
 * Never longer than text; keeps front matter and anchors byte for byte; what it made stays the same
 * when it is asked again. A text that is no UTF-8, or has CR alone as an end of line, stays as it
 * is. Errors as md_read().
 */
struct err *compact_text(struct arena *a, struct str text, struct str *out) MUST_USE;
/*
 * Whether `after`, from wherever, may take the place of `before`: not empty, not longer in tokens,
 * front matter and every anchor kept. BAD_COMPACT that says what was lost.
 */
struct err *compact_check(struct arena *a, struct str before, struct str after,
			  enum token_model model) MUST_USE;

#endif
