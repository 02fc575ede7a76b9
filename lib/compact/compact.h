/*
 * compact: makes a Markdown text smaller without asking anybody (files.md, "Compact"): comments that
 * are no anchors, runs of blank lines, trailing blanks that are no hard breaks, repeated paragraphs
 * of over 80 characters; outside fences and HTML blocks. Text in, text out.
 */
#ifndef IKM_COMPACT_H
#define IKM_COMPACT_H

#include "base/base.h"

/* Never longer than text; keeps front matter and anchors byte for byte. Errors as md_read(). */
struct err *compact_text(struct arena *a, struct str text, struct str *out) MUST_USE;
/*
 * Whether `after`, from wherever, may take the place of `before`: not empty, not longer in tokens,
 * front matter and every anchor kept. BAD_COMPACT that says what was lost.
 */
struct err *compact_check(struct arena *a, struct str before, struct str after) MUST_USE;

#endif
