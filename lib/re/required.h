/*
 * Between required.c, which computes with parts of a pattern, and reader.c, which reads its syntax.
 */
#ifndef IKM_RE_REQUIRED_H
#define IKM_RE_REQUIRED_H

#include "re/internal.h"

struct part {
	bool exact; /* all strings that it matches are in `all` */
	struct literals all;
	struct literals best; /* not exact: one of these must occur; none when n is 0 */
	size_t before;        /* of best: at most so many bytes of the part come before it */
	size_t max;           /* the most bytes that it matches, or SIZE_MAX */
	bool newline;         /* it may match a "\n" */
};

void part_empty(struct part *p);
void part_unknown(struct part *p, size_t max, bool newline);
/* p | other; `first`: p holds nothing yet. */
void part_or(struct part *p, const struct part *other, bool first);

/* Parts one after the other. */
struct seq {
	struct part part;
	struct literals run; /* all strings of what was added last, as far as that is known */
	size_t run_at;       /* at most so many bytes come before the run */
};
void seq_start(struct seq *s);
void seq_add(struct seq *s, const struct part *p);
/* p{least,most}; most SIZE_MAX for no end. */
void seq_repeat(struct seq *s, const struct part *p, size_t least, size_t most);
void seq_end(struct seq *s, struct part *out);

struct reader {
	const char *p;
	size_t n, at;
	bool icase, dotall, extended; /* what is in force here */
	bool quote;                   /* within \Q..\E */
	bool moves;                   /* \G or \K was seen */
	bool looks;                   /* see struct required */
	bool unknown;                 /* something was not understood: nothing is known */
	unsigned depth;
};
void read_pattern(struct reader *r, struct part *out);
/* All of the text as it is. */
void read_literal(struct reader *r, struct part *out);

/* [...]: r->at is after the "[". */
void read_class(struct reader *r, struct part *out);
/* One character, known by its code, under the options in force. */
void part_char(const struct reader *r, uint32_t code, struct part *out);
/*
 * What stands after a backslash in both places, r->at being there: true and the code when it is
 * one known character. Otherwise r->at has not moved, or r->unknown is set.
 */
bool read_escaped_char(struct reader *r, uint32_t *code);
uint32_t read_utf8(struct reader *r);

#endif
