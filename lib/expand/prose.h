/*
 * prose: which parts of a text are code: markers and links in them are text. For lib/expand only.
 *
 * A prompt is not Markdown to the letter, and any bytes must do in linear time: fences and code
 * spans are found as CommonMark describes them, nothing else is looked at.
 */
#ifndef IKM_EXPAND_PROSE_H
#define IKM_EXPAND_PROSE_H

#include "base/base.h"

struct prose_code {
	struct span at; /* with its backquotes, or its fences */
	bool fence;
};
struct prose_codes {
	struct prose_code *p;
	size_t n, cap;
};

/* In order, without overlap. O(n). */
void prose_codes(struct arena *a, struct str text, struct prose_codes *out);

/*
 * What is no part of a name although it is no blank: quotes, brackets of other scripts, dashes,
 * full-width punctuation. For code points above ASCII.
 */
bool prose_is_mark(uint32_t code);
/* Scripts that are written without blanks between words. */
bool prose_is_dense(uint32_t code);

#endif
