/*
 * The interface between required.c, which computes the literals of the parts of a pattern, and
 * reader.c, which parses the pattern.
 */
#pragma once

#include "re/internal.h"

struct part {
	bool exact; /* `all` has all strings that the part matches */
	struct literals all;
	struct literals
		best;  /* not exact: every match has one of these; n is 0 when none is known */
	size_t before; /* limit of the part's bytes before `best` */
	size_t max;    /* length of the longest match in bytes, or SIZE_MAX */
	bool newline;  /* the part may match a "\n" */
};

void part_set_empty(struct part *p);
void part_set_unknown(struct part *p, size_t max, bool newline);
/* p becomes p | other; with `first`, p becomes other. */
void part_add_alternative(struct part *p, const struct part *other, bool first);

/* A sequence of parts. */
struct seq {
	struct part part;
	struct literals
		run;   /* the strings that the last parts together match, while they are known */
	size_t run_at; /* limit of the bytes before the run */
};
void pattern_seq_start(struct seq *s);
void pattern_seq_add(struct seq *s, const struct part *p);
/* Adds p{least,most}; most is SIZE_MAX when there is no upper limit. */
void pattern_seq_add_repeated(struct seq *s, const struct part *p, size_t least, size_t most);
void pattern_seq_finish(struct seq *s, struct part *out);

struct reader {
	const char *p;
	size_t n, at;
	bool icase, dotall, extended; /* the options in force at this place */
	bool quote;                   /* the place is inside \Q..\E */
	bool moves;                   /* \G or \K was seen */
	bool looks;                   /* see struct required */
	bool breaks;                  /* see struct required */
	bool unknown;                 /* unknown syntax was seen: claim nothing */
	unsigned depth;
};
void read_regex(struct reader *r, struct part *out);
/* Reads the pattern as plain text. */
void read_pattern_as_literal(struct reader *r, struct part *out);

/* Reads a class [...]; r->at is after the "[". */
void read_class(struct reader *r, struct part *out);
/* The part for one character, under the options in force. */
void part_from_char(const struct reader *r, uint32_t code, struct part *out);
/*
 * Reads an escape that is valid both inside and outside a class; r->at is after the backslash.
 * Returns true and the code when the escape is one known character. Otherwise r->at has not moved,
 * or r->unknown is set.
 */
bool read_escaped_char(struct reader *r, uint32_t *code);
uint32_t read_utf8(struct reader *r);
/* Ends the reading: what follows is not known. */
static inline void re_reader_unknown(struct reader *r)
{
	r->unknown = true;
	r->at = r->n;
}
