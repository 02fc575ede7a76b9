/* Rules on the text of files. */
#include "judge/internal.h"

/*
 * Occurrences of one pattern in one file; beyond this number the pattern counts as over its limit.
 */
#define OCCURRENCES_MAX ((size_t)1 << 18)

/*
 * Rejects accidental matches in UTF-16 that is read as bytes: they have no letter, or control
 * characters. The views after the first exist for text that a program may run as bytes.
 */
static bool code_is_plain(const struct code_text *t, struct str match)
{
	bool letter = t->encoding == CODE_BYTES;

	for (size_t i = 0; i < match.n && t->encoding != CODE_BYTES; i++) {
		unsigned char c = (unsigned char)match.p[i];

		if (c < 0x20 && !(c >= 9 && c <= 13))
			return false;
		letter |= ascii_is_letter((char)c);
	}
	return letter;
}

/* Moves on after an empty match, and never backwards, which \K could do. */
static size_t next_search_start(struct str text, size_t from, struct span m)
{
	size_t next = size_max(m.to, from);

	if (m.to > m.from && next > from)
		return next;
	next++;
	while (next < text.n && ((unsigned char)text.p[next] & 0xc0) == 0x80)
		next++;
	return next;
}

static void find_in_view(struct worker *w, struct arena *scratch, const struct rule *r,
			 const struct code_text *t, unsigned view, struct hits *out)
{
	struct str text = t->view[view].text;
	struct code_cursor cursor = {0};
	size_t found = 0;
	struct span m;

	for (size_t from = 0; from <= text.n; from = next_search_start(text, from, m)) {
		enum re_answer answer = RE_LIMIT;

		if (found++ < OCCURRENCES_MAX)
			answer = pattern_find(w, r, text, from, &m);
		if (answer == RE_YES) {
			m.to = size_max(m.from, m.to);
			if (view && !code_is_plain(t, str_sub(text, m.from, m.to)))
				continue;
			*VEC_PUSH(scratch, out) = (struct hit){
				.key = str_sub(text, m.from, m.to),
				.line = code_line_text_at(text, m.from),
				.at = code_text_raw_offset(t, view, &cursor, m.from),
			};
			continue;
		}
		out->limits += answer == RE_LIMIT;
		return;
	}
}

/* When several views find something at one place, only the first finding is kept. */
static void code_find_all(struct worker *w, struct arena *scratch, const struct rule *r,
			  const struct code_text *t, struct hits *out)
{
	find_in_view(w, scratch, r, t, 0, out);
	for (unsigned view = 1; view < t->n; view++) {
		struct hits one = {0}, all = {.limits = out->limits};
		size_t j = 0;

		find_in_view(w, scratch, r, t, view, &one);
		all.limits += one.limits;
		for (size_t i = 0; i < one.n; i++) {
			while (j < out->n && out->p[j].at < one.p[i].at)
				*VEC_PUSH(scratch, &all) = out->p[j++];
			if (j >= out->n || out->p[j].at != one.p[i].at)
				*VEC_PUSH(scratch, &all) = one.p[i];
		}
		while (j < out->n)
			*VEC_PUSH(scratch, &all) = out->p[j++];
		*out = all;
	}
}

/* A rule that forbids lists every match; the others only ask whether there is one. */
static void code_find(struct worker *w, struct arena *scratch, const struct rule *r,
		      const struct facts *f, struct hits *out)
{
	const struct code_text *t = f->side.text;
	bool may = !f->may || f->may[r->member];
	struct span m;

	if (r->forbids) {
		code_find_all(w, scratch, r, t, out);
		return;
	}
	for (unsigned i = 0; i < t->n && may && !out->satisfied; i++) {
		enum re_answer answer = pattern_find(w, r, t->view[i].text, 0, &m);

		out->satisfied = answer == RE_YES;
		out->limits += answer == RE_LIMIT;
	}
	if (out->satisfied)
		out->limits = 0;
	else if (!out->limits)
		*VEC_PUSH(scratch, out) = (struct hit){.at = SIZE_MAX};
}

/*
 * The file is knowledge, which may quote what the rule forbids, so the rule does not judge it.
 * Exceptions: rules whose appliesTo names the file, and rules of the base when the change turns the
 * file into knowledge.
 */
static bool code_may_quote(const struct run *run, const struct rule *r, const struct subject *s,
			   bool old)
{
	if (run->rules.scopes.p[r->scope].names)
		return false;
	if (old)
		return s->old_knowledge;
	return s->now_knowledge && (s->in_source || r->added);
}

static struct err *code_read(struct worker *w, struct arena *a, struct facts *f)
{
	(void)w;
	(void)a;
	for (f->views_n = 0; f->views_n < f->side.text->n; f->views_n++)
		f->views[f->views_n] = f->side.text->view[f->views_n].text;
	return NULL;
}

const struct target code_target = {
	.reads = READS_TEXT,
	.read = code_read,
	.find = code_find,
	.spares = code_may_quote,
	.words = {"no file contains it, and one must", "must not contain",
		  "must contain what it does not", .looks = "every text"},
};
