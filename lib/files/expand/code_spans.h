/*
 * code_spans: finds the parts of a text that are code: markers and links do not count there. For
 * lib/files/expand only.
 *
 * A prompt is no strict Markdown, and any bytes must be read in linear time. So only fences and
 * code spans are found, as CommonMark describes them.
 */
#pragma once

#include "base/base.h"

struct prose_code {
	struct span at; /* with its backquotes or fences */
	bool fence;
};
struct prose_codes VEC(struct prose_code);

/* Whether the character is one of the set; NUL is not. */
static inline bool prose_is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* Lists code spans and fences in order, without overlap, in O(n). */
void prose_code_spans(struct arena *a, struct str text, struct prose_codes *out);

/*
 * Whether a code point above ASCII ends a name: quotes, dashes, brackets of other scripts,
 * full-width punctuation.
 */
bool prose_is_punctuation(uint32_t code);
/* Whether a code point is of a script without blanks between words. */
bool prose_is_unspaced_script(uint32_t code);
