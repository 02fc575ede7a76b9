#include "check/engine.h"

/*
 * Occurrences of one pattern in one file; beyond this number the pattern counts as over its limit.
 */
#define OCCURRENCES_MAX ((size_t)1 << 18)
/*
 * Bytes on either side of a match that identify its line. Bounded, since a whole file may be one
 * line.
 */
#define LINE_WINDOW 256

/* The line where the match begins, without its indentation, which may change freely. */
struct str code_line_of(struct str text, size_t at)
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
			 const struct code_text *t, unsigned view, struct occurrences *out)
{
	struct str text = t->view[view].text;
	struct code_cursor cursor = {0};
	size_t found = 0;
	struct span m;

	for (size_t from = 0; from <= text.n; from = next_search_start(text, from, m)) {
		enum re_answer answer = RE_LIMIT;

		if (found++ < OCCURRENCES_MAX)
			answer = giveup_find(w, r, text, from, &m);
		if (answer == RE_YES) {
			m.to = size_max(m.from, m.to);
			if (view && !code_is_plain(t, str_sub(text, m.from, m.to)))
				continue;
			*VEC_PUSH(scratch, out) = (struct occurrence){
				.match = str_sub(text, m.from, m.to),
				.line = code_line_of(text, m.from),
				.at = code_text_raw(t, view, &cursor, m.from),
			};
			continue;
		}
		out->limit_hit |= answer == RE_LIMIT;
		return;
	}
}

static void check_code_find_all(struct worker *w, struct arena *scratch, const struct rule *r,
				const struct code_text *t, struct occurrences *out)
{
	struct occurrences all = {0};

	if (t->n == 1) {
		find_in_view(w, scratch, r, t, 0, out);
		return;
	}
	/* When several views find something at one place, only the first finding is kept. */
	for (unsigned view = 0; view < t->n; view++) {
		struct occurrences one = {0};
		size_t j = 0;

		find_in_view(w, scratch, r, t, view, &one);
		out->limit_hit |= one.limit_hit;
		all = (struct occurrences){0};
		for (size_t i = 0; i < one.n; i++) {
			while (j < out->n && out->p[j].at < one.p[i].at)
				*VEC_PUSH(scratch, &all) = out->p[j++];
			if (j >= out->n || out->p[j].at != one.p[i].at)
				*VEC_PUSH(scratch, &all) = one.p[i];
		}
		while (j < out->n)
			*VEC_PUSH(scratch, &all) = out->p[j++];
		out->p = all.p;
		out->n = all.n;
		out->cap = all.cap;
	}
}

static int check_code_by_text(const void *x, const void *y)
{
	const struct occurrence *a = *(struct occurrence *const *)x;
	const struct occurrence *b = *(struct occurrence *const *)y;
	int c = str_cmp(a->match, b->match);

	if (!c)
		c = str_cmp(a->line, b->line);
	return c ? c : (a->at > b->at) - (a->at < b->at);
}

static struct occurrence **sorted(struct arena *scratch, const struct occurrences *list)
{
	struct occurrence **p = arena_array(scratch, list->n, sizeof(*p));

	for (size_t i = 0; i < list->n; i++)
		p[i] = &list->p[i];
	qsort(p, list->n, sizeof(*p), check_code_by_text);
	return p;
}

/*
 * The most likely new occurrence first: on an added line, then on a line that became more frequent,
 * then further down.
 */
static int by_novelty(const void *x, const void *y)
{
	const struct occurrence *a = *(struct occurrence *const *)x;
	const struct occurrence *b = *(struct occurrence *const *)y;

	if (a->added != b->added)
		return a->added ? -1 : 1;
	if (a->extra != b->extra)
		return a->extra ? -1 : 1;
	return (b->at > a->at) - (b->at < a->at);
}

/*
 * One matched text occurs m times now and n times before, so m - n occurrences are new. Among equal
 * lines, those that the change adds are the new ones.
 */
static void check_code_mark_group(struct occurrence **now, size_t m, struct occurrence **old,
				  size_t n)
{
	size_t k = m > n ? m - n : 0, j = 0, run;

	for (size_t i = 0; i < m && k; i += run) {
		size_t had = 0;

		for (run = 1; i + run < m && str_eq(now[i]->line, now[i + run]->line);)
			run++;
		while (j < n && str_cmp(old[j]->line, now[i]->line) < 0)
			j++;
		while (j < n && str_eq(old[j]->line, now[i]->line)) {
			had++;
			j++;
		}
		qsort(now + i, run, sizeof(struct occurrence *), by_novelty);
		for (size_t x = 0; had + x < run; x++)
			now[i + x]->extra = true;
	}
	if (k)
		qsort(now, m, sizeof(struct occurrence *), by_novelty);
	for (size_t i = 0; i < k; i++)
		now[i]->introduced = true;
}

/* Marks the occurrences on lines that the change adds. */
static void mark_added(struct arena *scratch, struct occurrences *now, const struct code_text *text,
		       const struct code_text *old)
{
	struct line_ranges added = lines_added(scratch, old->view[0].text, text->view[0].text);
	struct code_places places = {.raw = text->raw, .encoding = text->encoding};
	size_t j = 0, last = 0;

	for (size_t i = 0; i < now->n; i++) {
		size_t line;

		if (now->p[i].at < last) /* \K may move a match backwards */
			continue;
		last = now->p[i].at;
		line = code_place(&places, last).line;
		while (j < added.n && added.p[j].to <= line)
			j++;
		now->p[i].added = j < added.n && line >= added.p[j].from;
	}
}

void code_mark_introduced(struct arena *scratch, struct occurrences *now,
			  const struct code_text *text, struct occurrences *old,
			  const struct code_text *old_text)
{
	struct occurrence **a = sorted(scratch, now), **b = sorted(scratch, old);
	size_t i = 0, j = 0;
	bool compared = false;

	while (i < now->n) {
		struct str match = a[i]->match;
		size_t m = 0, n = 0;

		while (i + m < now->n && str_eq(a[i + m]->match, match))
			m++;
		while (j < old->n && str_cmp(b[j]->match, match) < 0)
			j++;
		while (j + n < old->n && str_eq(b[j + n]->match, match))
			n++;
		/*
		 * Most files need no diff: lines decide only when some matches are old and some
		 * new.
		 */
		if (n && m > n && !compared) {
			mark_added(scratch, now, text, old_text);
			compared = true;
		}
		check_code_mark_group(a + i, m, b + j, n);
		i += m;
		j += n;
	}
}

/* The file in the base, as code rules read it. It is loaded when the first rule asks. */
struct code_before {
	bool asked, has;
	struct code_text text;
};

/* Whether the rule judged this file in the base, so that old findings differ from new ones. */
static bool judged_before(struct worker *w, struct arena *scratch, const struct rule *r,
			  const struct subject *s, const struct code_text *now,
			  struct code_before *b)
{
	struct str text;

	if (r->added || !s->has_old || !w->was_scoped[r->scope])
		return false;
	if (!b->asked) {
		b->asked = true;
		b->has = worker_old_text(w, scratch, s, now->raw, w->run->max_file, &text) &&
			 !skip_is_lfs(text) && code_text_of(scratch, s->old.path, text, &b->text);
	}
	return b->has;
}

bool code_may_quote(const struct run *run, const struct rule *r, const struct subject *s, bool old)
{
	if (run->rules.scopes.p[r->scope].names)
		return false;
	if (old)
		return s->old_knowledge;
	return s->now_knowledge && (s->in_source || r->added);
}

/*
 * A decision may quote what a rule forbids. The quote is reported when the change adds it, because
 * no rule judges it. The rule's own item is left out: it must name what it forbids.
 */
static void report_quoted(struct worker *w, const struct rule *r, const struct subject *s,
			  const struct code_text *text, const struct occurrences *now)
{
	struct code_places places = {.raw = text->raw, .encoding = text->encoding};
	struct check_unjudged *u;
	struct str match, line;
	struct place at;

	for (size_t i = 0; i < now->n && !str_eq(r->path, s->now.path); i++) {
		if (!now->p[i].introduced)
			continue;
		u = unjudged_by(w, s, r, CHECK_KNOWLEDGE_FILE);
		at = code_place(&places, now->p[i].at);
		u->line = at.line;
		u->column = at.column;
		match = now->p[i].match;
		u->name = finding_cut(w->a, str_line(&match, &line) ? line : match);
		return;
	}
}

static void find_forbidden(struct worker *w, struct arena *scratch, const struct rule *r,
			   const struct subject *s, const struct code_text *text,
			   const struct code_before *b)
{
	struct occurrences now = {0}, old = {0};
	struct findings found = {.encoding = text->encoding};

	check_code_find_all(w, scratch, r, text, &now);
	if (!now.n && !now.limit_hit)
		return;
	if (s->touched) {
		if (b)
			check_code_find_all(w, scratch, r, &b->text, &old);
		code_mark_introduced(scratch, &now, text, &old, b ? &b->text : NULL);
	}
	if (code_may_quote(w->run, r, s, false)) {
		report_quoted(w, r, s, text, &now);
		return;
	}
	for (size_t i = 0; i < now.n; i++)
		*VEC_PUSH(scratch, &found) = (struct finding){
			.text = now.p[i].match,
			.shown = now.p[i].match,
			.at = now.p[i].at,
			.existing = !now.p[i].introduced,
		};
	if (now.limit_hit)
		*VEC_PUSH(scratch, &found) =
			(struct finding){.at = SIZE_MAX,
					 .limit_hit = true,
					 .existing = !s->touched || old.limit_hit};
	if (now.limit_hit && old.limit_hit)
		unjudged_by(w, s, r, CHECK_MATCH_LIMIT);
	findings_add(w, r, s->now.path, text->raw, &found);
}

static enum re_answer find_any_view(struct worker *w, const struct rule *r,
				    const struct code_text *t)
{
	bool limit = false;
	struct span m;

	for (unsigned i = 0; i < t->n; i++) {
		enum re_answer answer = giveup_find(w, r, t->view[i].text, 0, &m);

		if (answer == RE_YES)
			return RE_YES;
		limit |= answer == RE_LIMIT;
	}
	return limit ? RE_LIMIT : RE_NO;
}

static void judge_forbidden(struct worker *w, struct arena *scratch, const struct rule *r,
			    const struct subject *s, const struct code_text *text,
			    struct code_before *b)
{
	struct arena *own;

	/* Most rules find nothing in most files; then the base side is not read. */
	if (find_any_view(w, r, text) == RE_NO)
		return;
	if (!s->touched || !judged_before(w, scratch, r, s, text, b))
		b = NULL;
	own = arena_new();
	find_forbidden(w, own, r, s, text, b);
	arena_free(own);
}

static void judge_required(struct worker *w, struct arena *scratch, const struct rule *r,
			   const struct subject *s, const struct code_text *text, bool may,
			   struct code_before *b)
{
	enum re_answer now = RE_NO, old = RE_YES;
	struct findings found = {.encoding = text->encoding};

	if (may)
		now = find_any_view(w, r, text);
	if (now == RE_YES)
		return;
	if (s->touched && judged_before(w, scratch, r, s, text, b))
		old = find_any_view(w, r, &b->text);
	*VEC_PUSH(scratch, &found) = (struct finding){.at = SIZE_MAX,
						      .limit_hit = now == RE_LIMIT,
						      .existing = !s->touched || old == now};
	if (now == RE_LIMIT && old == RE_LIMIT)
		unjudged_by(w, s, r, CHECK_MATCH_LIMIT);
	findings_add(w, r, s->now.path, text->raw, &found);
}

static void code_scan(struct worker *w, const struct code_text *t)
{
	const struct rules *rules = &w->run->rules;

	re_set_scan(rules->set, t->view[0].text, w->may);
	for (unsigned i = 1; i < t->n; i++) {
		re_set_scan(rules->set, t->view[i].text, w->may_too);
		for (size_t j = 0; j < rules->code_n; j++)
			w->may[j] |= w->may_too[j];
	}
}

static void presence(struct worker *w, const struct subject *s, bool old, const struct code_text *t,
		     const bool *pending, bool *found)
{
	const struct rules *rules = &w->run->rules;

	for (size_t j = 0; j < rules->code_n; j++) {
		size_t i = rules->code[j];
		const struct rule *r = &rules->p[i];
		enum re_answer answer;

		if (!r->presence || found[i] || !w->may[j] || !w->scoped[r->scope] ||
		    (pending && !pending[i]) || code_may_quote(w->run, r, s, old) ||
		    giveup_is(w, r))
			continue;
		answer = find_any_view(w, r, t);
		found[i] = answer == RE_YES;
		if (found == w->present && found[i])
			w->present_at[i] = w->at;
		/*
		 * The number of files in which the pattern gave up; those of the base are not
		 * counted. add_absence() names it when no file satisfies the rule.
		 */
		if (answer == RE_LIMIT && found == w->present)
			w->limit_hit[i]++;
	}
}

void code_presence(struct worker *w, const struct subject *s, bool old,
		   const struct code_text *text, const bool *pending, bool *found)
{
	code_scan(w, text);
	presence(w, s, old, text, pending, found);
}

void code_judge(struct worker *w, struct arena *scratch, const struct subject *s,
		const struct code_text *text)
{
	const struct rules *rules = &w->run->rules;
	struct code_before before = {0};

	code_scan(w, text);
	presence(w, s, false, text, NULL, w->present);
	for (size_t j = 0; j < rules->code_n; j++) {
		const struct rule *r = &rules->p[rules->code[j]];

		if (r->presence || !w->scoped[r->scope] || giveup_is(w, r))
			continue;
		if (r->forbids && w->may[j])
			judge_forbidden(w, scratch, r, s, text, &before);
		/* A decision need not contain what it requires. */
		else if (!r->forbids && !code_may_quote(w->run, r, s, false))
			judge_required(w, scratch, r, s, text, w->may[j], &before);
	}
}
