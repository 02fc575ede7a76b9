#include "base/base.h"
#include "check/engine.h"

/* Occurrences of one pattern in one file that are looked at; a pattern with more has given up. */
#define OCCURRENCES_MAX ((size_t)1 << 18)
/* Of the line around a match, on either side: enough to know it again, and bounded where a whole
 * file is one line. */
#define LINE_WINDOW 256

struct occurrence {
	struct str match, line;
	size_t at;
	bool introduced;
};

struct occurrences {
	struct occurrence *p;
	size_t n, cap;
	bool gave_up;
};

/* The line that the match begins on, without its indentation, which may change freely. */
static struct str line_of(struct str text, size_t at)
{
	size_t from = at > LINE_WINDOW ? at - LINE_WINDOW : 0;
	size_t to = size_min(text.n, at + LINE_WINDOW);
	struct str before = str_sub(text, from, at), after = str_sub(text, at, to);
	size_t nl = str_rfind_char(before, '\n');

	if (nl != SIZE_MAX)
		from += nl + 1;
	nl = str_find_char(after, '\n', 0);
	return str_trim(str_sub(text, from, nl == SIZE_MAX ? to : at + nl));
}

/* An empty match must not be found again where it is; nor may \K move the search backwards. */
static size_t after(struct str text, size_t from, struct span m)
{
	size_t next = size_max(m.to, from);

	if (m.to > m.from && next > from)
		return next;
	next++;
	while (next < text.n && ((unsigned char)text.p[next] & 0xc0) == 0x80)
		next++;
	return next;
}

static void find_all(struct worker *w, struct arena *scratch, const struct rule *r, struct str text,
		     struct occurrences *out)
{
	struct span m;

	for (size_t from = 0; from <= text.n; from = after(text, from, m)) {
		enum re_answer answer = RE_LIMIT;

		if (out->n < OCCURRENCES_MAX)
			answer = re_find(r->c->re, w->re, text, from, &m);
		if (answer == RE_YES) {
			m.to = size_max(m.from, m.to);
			*VEC_PUSH(scratch, out) = (struct occurrence){
				.match = str_sub(text, m.from, m.to),
				.line = line_of(text, m.from),
				.at = m.from,
			};
			continue;
		}
		out->gave_up = answer == RE_LIMIT;
		return;
	}
}

static int by_text(const void *x, const void *y)
{
	const struct occurrence *a = *(struct occurrence *const *)x;
	const struct occurrence *b = *(struct occurrence *const *)y;
	int c = str_cmp(a->match, b->match);

	if (!c)
		c = str_cmp(a->line, b->line);
	return c ? c : (a->at > b->at) - (a->at < b->at);
}

static int by_place(const void *x, const void *y)
{
	const struct occurrence *a = *(struct occurrence *const *)x;
	const struct occurrence *b = *(struct occurrence *const *)y;

	return (a->at > b->at) - (a->at < b->at);
}

static struct occurrence **sorted(struct arena *scratch, const struct occurrences *list)
{
	struct occurrence **p = arena_array(scratch, list->n, sizeof(*p));

	for (size_t i = 0; i < list->n; i++)
		p[i] = &list->p[i];
	qsort(p, list->n, sizeof(*p), by_text);
	return p;
}

/*
 * One matched text that occurs m times now and n times before: m - n of them are new. Those whose
 * whole line was there before are not; of the rest the last ones are, which is arbitrary but the
 * same each time.
 */
static void mark_group(struct occurrence **now, size_t m, struct occurrence **old, size_t n,
		       struct occurrence **fresh)
{
	size_t k = m > n ? m - n : 0, j = 0, f = 0;

	if (!k)
		return;
	for (size_t i = 0; i < m; i++) {
		while (j < n && str_cmp(old[j]->line, now[i]->line) < 0)
			j++;
		if (j < n && str_eq(old[j]->line, now[i]->line))
			j++;
		else
			fresh[f++] = now[i];
	}
	qsort(fresh, f, sizeof(struct occurrence *), by_place);
	for (size_t i = f - k; i < f; i++)
		fresh[i]->introduced = true;
}

static void mark_introduced(struct arena *scratch, struct occurrences *now, struct occurrences *old)
{
	struct occurrence **a = sorted(scratch, now), **b = sorted(scratch, old);
	struct occurrence **fresh = arena_array(scratch, now->n, sizeof(*fresh));
	size_t i = 0, j = 0;

	while (i < now->n) {
		struct str text = a[i]->match;
		size_t m = 0, n = 0;

		while (i + m < now->n && str_eq(a[i + m]->match, text))
			m++;
		while (j < old->n && str_cmp(b[j]->match, text) < 0)
			j++;
		while (j + n < old->n && str_eq(b[j + n]->match, text))
			n++;
		mark_group(a + i, m, b + j, n, fresh);
		i += m;
		j += n;
	}
}

/* The text of the base's side as code rules saw it, read when the first rule asks. */
struct before {
	bool asked, has;
	struct str text;
};

/* Did the rule judge this file in the base, so that findings of then can be told from new ones? */
static bool judged_before(struct worker *w, struct arena *scratch, const struct rule *r,
			  const struct subject *s, struct str now, struct before *b)
{
	if (r->added || !s->has_old || !w->was_scoped[r->scope])
		return false;
	if (!b->asked) {
		b->asked = true;
		b->has = worker_old_text(w, scratch, s, now, w->run->max_file, &b->text) &&
			 !skip_is_lfs(b->text) && !skip_is_binary(b->text);
	}
	return b->has;
}

static void find_forbidden(struct worker *w, struct arena *scratch, const struct rule *r,
			   const struct subject *s, struct str text, const struct before *b)
{
	struct occurrences now = {0}, old = {0};
	struct findings found = {0};

	find_all(w, scratch, r, text, &now);
	if (!now.n && !now.gave_up)
		return;
	if (s->touched) {
		if (b)
			find_all(w, scratch, r, b->text, &old);
		mark_introduced(scratch, &now, &old);
	}
	for (size_t i = 0; i < now.n; i++)
		*VEC_PUSH(scratch, &found) = (struct finding){
			.text = now.p[i].match,
			.shown = now.p[i].match,
			.at = now.p[i].at,
			.existing = !now.p[i].introduced,
		};
	if (now.gave_up)
		*VEC_PUSH(scratch, &found) = (struct finding){
			.at = SIZE_MAX, .gave_up = true, .existing = !s->touched || old.gave_up};
	findings_add(w, r, s->now.path, text, &found);
}

static void judge_forbidden(struct worker *w, struct arena *scratch, const struct rule *r,
			    const struct subject *s, struct str text, struct before *b)
{
	struct arena *own;
	struct span m;

	/* Most rules find nothing in most files: then the base's side is not even read. */
	if (re_find(r->c->re, w->re, text, 0, &m) == RE_NO)
		return;
	if (!s->touched || !judged_before(w, scratch, r, s, text, b))
		b = NULL;
	own = arena_new();
	find_forbidden(w, own, r, s, text, b);
	arena_free(own);
}

static void judge_required(struct worker *w, struct arena *scratch, const struct rule *r,
			   const struct subject *s, struct str text, bool may, struct before *b)
{
	enum re_answer now = RE_NO, old = RE_YES;
	struct findings found = {0};
	struct span m;

	if (may)
		now = re_find(r->c->re, w->re, text, 0, &m);
	if (now == RE_YES)
		return;
	if (s->touched && judged_before(w, scratch, r, s, text, b))
		old = re_find(r->c->re, w->re, b->text, 0, &m);
	*VEC_PUSH(scratch, &found) = (struct finding){
		.at = SIZE_MAX, .gave_up = now == RE_LIMIT, .existing = !s->touched || old == now};
	findings_add(w, r, s->now.path, text, &found);
}

static void presence(struct worker *w, struct str text, const bool *pending, bool *found)
{
	const struct rules *rules = &w->run->rules;
	struct span m;

	for (size_t j = 0; j < rules->code_n; j++) {
		size_t i = rules->code[j];
		const struct rule *r = &rules->p[i];
		enum re_answer answer;

		if (!r->presence || found[i] || !w->may[j] || !w->scoped[r->scope] ||
		    (pending && !pending[i]))
			continue;
		answer = re_find(r->c->re, w->re, text, 0, &m);
		found[i] = answer == RE_YES;
		/* Told only of rules that nothing satisfies, for which every file is looked at. */
		if (answer == RE_LIMIT && found == w->present)
			w->gave_up[i]++;
	}
}

void code_presence(struct worker *w, struct str text, const bool *pending, bool *found)
{
	re_set_scan(w->run->rules.set, text, w->may);
	presence(w, text, pending, found);
}

void code_judge(struct worker *w, struct arena *scratch, const struct subject *s, struct str text)
{
	const struct rules *rules = &w->run->rules;
	struct before before = {0};

	re_set_scan(rules->set, text, w->may);
	presence(w, text, NULL, w->present);
	for (size_t j = 0; j < rules->code_n; j++) {
		const struct rule *r = &rules->p[rules->code[j]];

		if (r->presence || !w->scoped[r->scope])
			continue;
		if (!r->forbids)
			judge_required(w, scratch, r, s, text, w->may[j], &before);
		else if (w->may[j])
			judge_forbidden(w, scratch, r, s, text, &before);
	}
}
