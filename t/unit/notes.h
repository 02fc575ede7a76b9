/* notes.h: the errors of knowledge as one text, for tests to compare. */
#ifndef NOTES_H
#define NOTES_H

#include "knowledge/knowledge.h"

/* "broken 7: message", one a line. */
static inline struct str notes_of(struct arena *a, const struct knowledge *k)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < k->notes.n; i++)
		buf_fmt(&b, "%s%s %zu: %.*s", i ? "\n" : "",
			k->notes.p[i].kind == KN_BROKEN ? "broken" : "warning", k->notes.p[i].line,
			STR_ARG(k->notes.p[i].message));
	return buf_as_str(&b);
}

/* "path reason", one a line. */
static inline struct str passed_of(struct arena *a, const struct knowledge *k)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < k->passed.n; i++)
		buf_fmt(&b, "%s%.*s %s", i ? "\n" : "", STR_ARG(k->passed.p[i].tree_path),
			kn_reasons[k->passed.p[i].why]);
	return buf_as_str(&b);
}

#endif
