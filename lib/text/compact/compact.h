/*
 * compact: makes a Markdown text smaller by fixed rules (ikm-compact(1)). It removes comments that
 * are not anchors, trailing blanks that are not hard breaks, and all but one of several blank
 * lines. It also removes repetitions of paragraphs of over 80 characters. Fences, indented code and
 * HTML blocks stay unchanged. The rendered text has the same content. A removal that would join two
 * lists, or make code or a heading out of text, is not done.
 */
#pragma once

#include "token/token.h"

/*
 * Compacts a text. The result is never longer than the text, keeps front matter and anchors byte
 * for byte, and does not change when it is compacted again. A text that is not UTF-8, or has a CR
 * alone as a line end, stays unchanged. Errors as md_read().
 */
struct err *compact_text(struct arena *a, struct str text, struct str *out) MUST_USE;
/*
 * Checks whether `after` may replace `before`: it must not be empty or have more tokens, and it
 * must keep the front matter and every anchor. Errors: BAD_COMPACT, which names the lost part.
 */
struct err *compact_check_may_replace(struct arena *a, struct str before, struct str after,
				      enum token_model model) MUST_USE;
