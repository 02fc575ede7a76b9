/*
 * Derives from a pattern's text the literals that every match must contain. For a part of the
 * pattern, all strings that it can match may be known, and few. Otherwise, the best set of literals
 * is known: every match contains a literal of that set. Unknown syntax ends the analysis: see
 * required_of_pattern().
 *
 * These are traps. (?i) lasts to the end of its group, across "|". K and S have partners above
 * ASCII when case does not count. "{" may be plain text. \Q..\E and (?#..) may stand between an
 * item and its quantifier. After (*ACCEPT) everything is optional.
 */
#include "re/required.h"

static bool usable(const struct literals *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->p[i].n < LIT_MIN)
			return false;
	return l->n > 0;
}

/* How often one of the literals occurs by chance, about. */
static double cost_of(const struct literals *l)
{
	double cost = 0;

	for (size_t i = 0; i < l->n; i++) {
		unsigned bits = 0;

		for (size_t k = 0; k < l->p[i].n; k++)
			bits += byte_information_bits((unsigned char)l->p[i].b[k]);
		cost += 1 / (double)((uint64_t)1 << size_min(bits, 60));
	}
	return cost;
}

static size_t sum(size_t a, size_t b)
{
	return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

void part_set_empty(struct part *p)
{
	p->exact = true;
	p->all.n = 1;
	p->all.p[0].n = 0;
	p->all.p[0].icase = false;
	p->best.n = 0;
	p->before = 0;
	p->max = 0;
	p->newline = false;
}

void part_set_unknown(struct part *p, size_t max, bool newline)
{
	part_set_empty(p);
	p->exact = false;
	p->max = max;
	p->newline = newline;
}

/* Makes the literals p's best if they are better than its present best. */
static void required_offer(struct part *p, const struct literals *l, size_t before)
{
	if (!usable(l) || (p->best.n && cost_of(&p->best) <= cost_of(l)))
		return;
	p->best = *l;
	p->before = before;
}

/* Appends each string of b to each string of a. False when there are too many, or too long ones. */
static bool cross(struct literals *a, const struct literals *b)
{
	struct literals out;

	if (a->n * b->n > LITS_MAX)
		return false;
	out.n = 0;
	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < b->n; k++) {
			struct literal *l = &out.p[out.n++];
			const struct literal *x = &a->p[i], *y = &b->p[k];

			if (x->n + y->n > LIT_MAX)
				return false;
			*l = *x;
			memcpy(l->b + l->n, y->b, y->n);
			l->n = (unsigned char)(l->n + y->n);
			l->icase = x->icase || y->icase;
			/* Folding the case of the whole string only weakens the literal. */
			for (size_t c = 0; l->icase && c < l->n; c++)
				if (l->b[c] >= 'A' && l->b[c] <= 'Z')
					l->b[c] |= 0x20;
		}
	}
	*a = out;
	return true;
}

/* Ends the run of known strings at the end of s. */
static void required_flush(struct seq *s)
{
	required_offer(&s->part, &s->run, s->run_at);
	s->run.n = 1;
	s->run.p[0].n = 0;
	s->run.p[0].icase = false;
	s->run_at = s->part.max;
}

void pattern_seq_start(struct seq *s)
{
	part_set_empty(&s->part);
	s->run = s->part.all;
	s->run_at = 0;
}

void pattern_seq_add(struct seq *s, const struct part *p)
{
	struct part *to = &s->part;
	size_t max = sum(to->max, p->max);

	if (p->exact) {
		if (!cross(&s->run, &p->all)) {
			to->exact = false;
			required_flush(s);
			s->run = p->all;
		}
	} else {
		to->exact = false;
		required_flush(s);
		required_offer(to, &p->best, sum(to->max, p->before));
		s->run_at = max;
	}
	to->max = max;
	to->newline = to->newline || p->newline;
}

void pattern_seq_finish(struct seq *s, struct part *out)
{
	if (s->part.exact)
		s->part.all = s->run;
	else
		required_flush(s);
	*out = s->part;
}

/* The literals of the part; each match contains one of them, whether the part is exact or not. */
static const struct literals *required_best(const struct part *p)
{
	return p->exact ? &p->all : &p->best;
}

void part_add_alternative(struct part *p, const struct part *other, bool first)
{
	struct literals all;
	bool both;

	if (first) {
		*p = *other;
		return;
	}
	all = *required_best(p);
	both = usable(&all) && usable(required_best(other));
	if (p->exact && other->exact)
		both = true;
	if (both && all.n + required_best(other)->n <= LITS_MAX) {
		memcpy(all.p + all.n, required_best(other)->p,
		       required_best(other)->n * sizeof(all.p[0]));
		all.n += required_best(other)->n;
	} else {
		both = false;
		all.n = 0;
	}
	p->before = size_max(p->exact ? 0 : p->before, other->exact ? 0 : other->before);
	p->exact = p->exact && other->exact && both;
	if (p->exact)
		p->all = all;
	else
		p->best = all;
	if (!p->exact && !usable(&p->best))
		p->best.n = 0;
	p->max = size_max(p->max, other->max);
	p->newline = p->newline || other->newline;
}

void pattern_seq_add_repeated(struct seq *s, const struct part *p, size_t least, size_t most)
{
	struct part rest;
	size_t n = 0, more;

	if (least == 0 && most == 1 && p->exact) {
		part_set_empty(&rest);
		part_add_alternative(&rest, p, false);
		if (rest.exact) {
			pattern_seq_add(s, &rest);
			return;
		}
	}
	/* LIT_MAX copies are enough, because a literal has at most LIT_MAX bytes. */
	for (; n < least && n < LIT_MAX && (n == 0 || p->exact); n++)
		pattern_seq_add(s, p);
	more = most == SIZE_MAX ? most : most - n;
	part_set_unknown(&rest, more && p->max > SIZE_MAX / more ? SIZE_MAX : p->max * more,
			 p->newline);
	if (n < most && rest.max)
		pattern_seq_add(s, &rest);
}

/* ---- the whole pattern ---- */

void required_of_pattern(struct str pattern, unsigned flags, struct required *out)
{
	struct reader r = {.p = pattern.p, .n = pattern.n, .icase = flags & RE_ICASE};
	struct part p;

	*out = (struct required){.before = SIZE_MAX};
	if (flags & RE_LITERAL)
		read_pattern_as_literal(&r, &p);
	else
		read_regex(&r, &p);
	if (r.unknown)
		return;
	out->understood = true;
	out->one_line = !p.newline;
	out->breaks = r.breaks;
	out->moves = r.moves;
	out->looks = r.looks || r.moves;
	out->in_quote = r.quote;
	out->extended = r.extended;
	if (!usable(required_best(&p)))
		return;
	out->lits = *required_best(&p);
	out->before = p.exact ? 0 : p.before;
}

bool re_asks_line_break(struct str pattern, unsigned flags)
{
	struct required needs;

	required_of_pattern(pattern, flags, &needs);
	return needs.breaks;
}
