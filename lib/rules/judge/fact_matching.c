#include "judge/internal.h"
#include "base/sort.h"
#include "git/git.h"
#include "patch/patch.h"

const struct target *const targets[] = {
	[KN_TARGET_DEPENDENCY] = &dep_target, [KN_TARGET_IMPORT] = &import_target,
	[KN_TARGET_CODE] = &code_target,      [KN_TARGET_CONFIG] = &config_target,
	[KN_TARGET_FILE] = &file_target,
};
_Static_assert(ARRAY_SIZE(targets) == TARGETS, "a kind of rule has no row");

/* ---- matching ---- */

static enum re_answer fact_match(struct worker *w, struct arena *a, const struct rule *r,
				 const struct facts *f, size_t i, struct hits *out)
{
	enum re_answer answer = targets[r->c->target]->match(w, a, r, f, &f->p[i]);

	out->limits += answer == RE_LIMIT;
	return answer;
}

static void fact_hit(struct arena *a, const struct facts *f, size_t i, struct hits *out)
{
	const struct fact *x = &f->p[i];
	bool placed = !x->line.p && f->side.text;

	*VEC_PUSH(a, out) = (struct hit){
		.key = x->key,
		.kind = x->kind,
		.line = placed ? code_line_text_at(f->side.text->raw, x->at) : x->line,
		.at = x->at,
		.fact = i,
		.of = x->of,
	};
}

/*
 * A fact and its members. To forbid: the fact, or else each member that matches. To demand: the
 * fact matches, or each member does; when none does, the fact is the finding.
 */
static void fact_find(struct worker *w, struct arena *a, const struct rule *r,
		      const struct facts *f, size_t i, struct hits *out)
{
	size_t members = f->p[i].members, matched = 0;
	unsigned limits = out->limits;
	enum re_answer answer = fact_match(w, a, r, f, i, out);

	if (answer == RE_YES) {
		if (r->forbids)
			fact_hit(a, f, i, out);
		return;
	}
	for (size_t j = i + 1; j <= i + members && out->limits < FACT_LIMITS; j++) {
		answer = fact_match(w, a, r, f, j, out);
		matched += answer == RE_YES;
		if (answer == RE_YES && r->forbids)
			fact_hit(a, f, j, out);
	}
	if (r->forbids || matched == members + !members || (!matched && out->limits > limits))
		return;
	for (size_t j = i + 1; j <= i + members && matched && out->limits < FACT_LIMITS; j++)
		if (fact_match(w, a, r, f, j, out) == RE_NO)
			fact_hit(a, f, j, out);
	if (!matched)
		fact_hit(a, f, i, out);
}

void facts_breaking_rule(struct worker *w, struct arena *a, const struct rule *r,
			 const struct facts *f, struct hits *out)
{
	for (size_t i = 0; i < f->n && out->limits < FACT_LIMITS && !out->satisfied;
	     i += 1 + (r->presence ? 0 : f->p[i].members)) {
		if (r->presence)
			out->satisfied = fact_match(w, a, r, f, i, out) == RE_YES;
		else
			fact_find(w, a, r, f, i, out);
	}
}

/* ---- what is new ---- */

ORDER_OF(hit_by_key, struct hit, ORDER_STR(key) || ORDER_UP(kind))
ORDER_OF(hit_by_line, struct hit, (c = hit_by_key(a, b)) || ORDER_STR(line) || ORDER_UP(at))

/*
 * The most likely new hit first: on an added line, then on a line that became more frequent, then
 * further down.
 */
ORDER_OF_POINTERS(hit_by_novelty, struct hit,
		  ORDER_DOWN(added) || ORDER_DOWN(extra) || ORDER_DOWN(at))

/* Sorted hits with equal keys, now and in the base. */
struct hit_group {
	struct hit **now, **old;
	size_t m, n;
};

/* The number of hits from now[i] on that have its line; *had: of them in the base, behind *j. */
static size_t hits_of_line(const struct hit_group *g, size_t i, size_t *j, size_t *had)
{
	struct str line = g->now[i]->line;
	size_t run = 1;

	while (i + run < g->m && str_eq(g->now[i + run]->line, line))
		run++;
	while (*j < g->n && str_cmp(g->old[*j]->line, line) < 0)
		++*j;
	for (*had = 0; *j < g->n && str_eq(g->old[*j]->line, line); ++*j)
		++*had;
	return run;
}

/* m - n hits are new: among equal lines, those that the change adds. */
static void hits_mark_each(const struct hit_group *g)
{
	size_t k = g->m > g->n ? g->m - g->n : 0, j = 0, run, had;

	for (size_t i = 0; i < g->m && k; i += run) {
		run = hits_of_line(g, i, &j, &had);
		qsort(g->now + i, run, sizeof(struct hit *), hit_by_novelty);
		for (size_t x = 0; had + x < run; x++)
			g->now[i + x]->extra = true;
	}
	if (k)
		qsort(g->now, g->m, sizeof(struct hit *), hit_by_novelty);
	for (size_t i = 0; i < k; i++)
		g->now[i]->introduced = true;
}

/*
 * One hit stands for all. Its place is the first whose line the base did not have, for that is the
 * place a person must look at.
 */
static void hits_mark_one(const struct hit_group *g)
{
	struct hit *first = NULL, *fresh = NULL;
	size_t j = 0, run, had;

	for (size_t i = 0; i < g->m; i += run) {
		struct hit *h = g->now[i];

		run = hits_of_line(g, i, &j, &had);
		if (!first || h->at < first->at)
			first = h;
		if (!had && (!fresh || h->at < fresh->at))
			fresh = h;
		for (size_t x = 0; x < run; x++)
			g->now[i + x]->dropped = true;
	}
	if (g->m > g->n && fresh)
		first = fresh;
	first->dropped = false;
	first->introduced = g->m > g->n;
	first->places = g->m;
}

/*
 * Marks the hits on lines that the change adds, in git's own diff: GitHub can only annotate these
 * lines. The diff only chooses among equal findings, so its failure is no error.
 */
static void hits_mark_added(struct arena *a, struct hits *now, const struct code_text *text,
			    const struct code_text *old)
{
	struct code_places places = {.raw = text->raw, .encoding = text->encoding};
	struct patch p = {0};
	size_t i = 0, last = 0;
	struct str diff;

	if (git_diff_contents(a, "old", old->view[0].text, "new", text->view[0].text, 0, &diff) ||
	    !diff.n || patch_read(a, diff, &p))
		return;
	for (size_t f = 0; f < p.n; f++)
		for (size_t j = 0; j < p.p[f].n; j++) {
			const struct patch_hunk *h = &p.p[f].hunks[j];

			for (; i < now->n; i++) {
				size_t line;

				if (now->p[i].at < last) /* \K may move a match backwards */
					continue;
				line = code_place_of_offset(&places, now->p[i].at).line;
				if (line >= h->new_line + h->new_count)
					break;
				last = now->p[i].at;
				now->p[i].added = h->new_count && line >= h->new_line;
			}
		}
}

/*
 * Marks the hits that the base did not have: a key occurs m times now and n times before. Most
 * files need no diff: lines decide only when some hits of a key are old and some new.
 */
static void hits_mark(struct arena *a, const struct facts *f, struct hits *now,
		      const struct facts *base, const struct hits *old, bool grouped)
{
	struct hit **p = sort_into_pointers(a, now->p, now->n, sizeof(*now->p), hit_by_line);
	struct hit **q = sort_into_pointers(a, old->p, old->n, sizeof(*old->p), hit_by_line);
	bool compared = !f->side.text;

	for (size_t i = 0, j = 0; i < now->n;) {
		struct hit_group g = {.now = p + i, .m = 1};

		while (i + g.m < now->n && !hit_by_key(p[i + g.m], p[i]))
			g.m++;
		while (j < old->n && hit_by_key(q[j], p[i]) < 0)
			j++;
		g.old = q + j;
		while (j + g.n < old->n && !hit_by_key(q[j + g.n], p[i]))
			g.n++;
		if (g.n && g.m > g.n && !compared) {
			hits_mark_added(a, now, f->side.text, base->side.text);
			compared = true;
		}
		(grouped ? hits_mark_one : hits_mark_each)(&g);
		i += g.m;
		j += g.n;
	}
}

/* ---- one file ---- */

/* A file that rules of one kind judge, and its base, which is read when a rule first asks. */
struct judging {
	struct worker *w;
	struct arena *a;
	enum kn_target kind;
	const struct target *t;
	struct facts now, old;
	bool asked, has_old;
};

static struct err *facts_read(struct worker *w, struct arena *a, const struct target *t,
			      const struct file_side *side, struct facts *out)
{
	*out = (struct facts){.side = *side, .unread_only = t->unread_only};
	return t->read(w, a, out);
}

static bool facts_are_read(const struct facts *f)
{
	return !f->foreign && !f->unread.p;
}

/* The patterns that may match, by what each of them requires; places are reported in a view. */
static void facts_scan(struct worker *w, enum kn_target kind, struct facts *f)
{
	const struct rule_kind *k = &w->run->rules.kind[kind];

	for (unsigned v = 0; v < f->views_n && k->set_n; v++) {
		re_set_scan(k->set, f->views[v], v ? w->may_too : w->may);
		for (size_t i = 0; i < k->set_n && v; i++)
			w->may[i] |= w->may_too[i];
		f->may = w->may;
	}
}

static const struct facts *facts_of_base(struct judging *j)
{
	const struct subject *s = j->now.side.s;
	struct file_side side = {.s = s, .old = true, .path = s->old.path};
	/* Rules of the kind do not read larger files. */
	size_t max = j->t->reads == READS_TEXT ? j->w->run->max_file : CHECK_MANIFEST_MAX;
	struct code_text *text;

	if (j->asked || !s->has_old)
		return j->has_old ? &j->old : NULL;
	j->asked = true;
	if (j->now.side.by.n)
		side.path = deps_path_to_read_included_as(j->a, j->now.side.by, side.path);
	if (j->t->reads != READS_PATH &&
	    ((j->t->wants && !j->t->wants(side.path)) ||
	     !worker_old_text(j->w, j->a, s, j->now.side.raw, max, &side.raw)))
		return NULL;
	if (j->t->reads == READS_TEXT) {
		side.text = text = ARENA_NEW(j->a, struct code_text);
		if (skip_is_lfs(side.raw) || !code_text_decode(j->a, s->old.path, side.raw, text))
			return NULL;
	}
	j->has_old = !facts_read(j->w, j->a, j->t, &side, &j->old) && facts_are_read(&j->old);
	return j->has_old ? &j->old : NULL;
}

/* Records that one rule could not read the subject at a place. */
static struct check_unjudged *unjudged_by_rule(struct worker *w, const struct subject *s,
					       const struct rule *r, enum check_reason why)
{
	struct check_unjudged *u;

	unjudged_clear_blind_rules(w);
	w->blind[r - w->run->rules.p] = true;
	u = unjudged_add(w, s, why, STR(""));
	if (u)
		*VEC_PUSH(w->a, &w->outcomes) =
			(struct outcome){.rule = (size_t)(r - w->run->rules.p),
					 .at = w->at,
					 .unjudged = w->unjudged.n - 1,
					 .unjudged_n = 1};
	return u;
}

/*
 * A decision may quote what a rule forbids. The quote is reported when the change adds it, because
 * no rule judges it. The rule's own item is left out: it must name what it forbids.
 */
static void facts_report_quoted(struct judging *j, const struct rule *r, const struct hits *now)
{
	const struct subject *s = j->now.side.s;
	const struct code_text *text = j->now.side.text;
	struct code_places places = {.raw = text->raw, .encoding = text->encoding};
	struct str match, line;

	for (size_t i = 0; i < now->n && !str_eq(r->path, s->now.path); i++) {
		struct check_unjudged *u;
		struct place at;

		if (!now->p[i].introduced)
			continue;
		u = unjudged_by_rule(j->w, s, r, CHECK_KNOWLEDGE_FILE);
		at = code_place_of_offset(&places, now->p[i].at);
		u->line = at.line;
		u->column = at.column;
		match = now->p[i].key;
		u->name = finding_cut(j->w->a, str_next_line(&match, &line) ? line : match);
		return;
	}
}

static void facts_report(struct judging *j, struct arena *a, const struct rule *r,
			 const struct hits *now, const struct hits *old)
{
	const struct file_side *side = &j->now.side;
	const struct subject *s = side->s;
	struct findings found = {.encoding = side->text ? side->text->encoding : CODE_BYTES};

	for (size_t i = 0; i < now->n; i++) {
		const struct hit *h = &now->p[i];
		struct finding *x;

		if (h->dropped)
			continue;
		x = VEC_PUSH(a, &found);
		*x = (struct finding){.text = h->key,
				      .shown = h->key,
				      .at = side->input ? SIZE_MAX : h->at,
				      .places = h->places,
				      .existing = !s->touched || !h->introduced};
		if (j->t->show)
			j->t->show(a, r, &j->now, h, x);
	}
	if (now->limits)
		*VEC_PUSH(a, &found) =
			(struct finding){.shown = j->t->reads == READS_PATH ? side->path : STR(""),
					 .at = SIZE_MAX,
					 .limit_hit = true,
					 .existing = !s->touched || old->limits};
	if (now->limits && old->limits)
		unjudged_by_rule(j->w, s, r, CHECK_MATCH_LIMIT);
	findings_add(j->w, r, s->now.path, side->raw, &found);
}

static void facts_rule(struct judging *j, struct arena *a, const struct rule *r)
{
	const struct subject *s = j->now.side.s;
	struct worker *w = j->w;
	const struct facts *base = NULL;
	struct hits now = {0}, old = {0};

	j->t->find(w, a, r, &j->now, &now);
	if (!now.n && !now.limits)
		return;
	if (s->touched && !r->added && s->has_old && w->was_scoped[r->scope])
		base = facts_of_base(j);
	if (base)
		j->t->find(w, a, r, base, &old);
	if (s->touched || j->t->grouped)
		hits_mark(a, &j->now, &now, base, &old, j->t->grouped);
	if (j->t->spares && j->t->spares(w->run, r, s, false))
		facts_report_quoted(j, r, &now);
	else
		facts_report(j, a, r, &now, &old);
}

/* Whether the set of patterns says that the rule's cannot match. */
static bool facts_lack(const struct facts *f, const struct rule *r)
{
	return f->may && r->member != SIZE_MAX && !f->may[r->member];
}

/* A spot is in the base too as often as its text and reason are. */
static struct hits facts_spot_hits(struct arena *a, const struct spots *spots)
{
	struct hits out = {0};

	for (size_t i = 0; i < spots->n; i++) {
		const struct spot *x = &spots->p[i];

		*VEC_PUSH(a, &out) = (struct hit){
			.key = str_fmt(a, "%.*s\n%.*s", STR_ARG(x->text), STR_ARG(x->reason)),
			.at = x->which,
			.fact = i};
	}
	return out;
}

/*
 * Names that the file does not tell: each may be what a rule forbids, or what an allow-list lacks.
 * Those that the base had are reported only to rules that the change adds.
 */
static void facts_report_spots(struct judging *j)
{
	static const struct facts none;
	const struct subject *s = j->now.side.s;
	struct hits now = facts_spot_hits(j->a, &j->now.spots), old = {0};
	struct worker *w = j->w;

	if (now.n && s->touched && facts_of_base(j))
		old = facts_spot_hits(j->a, &j->old.spots);
	hits_mark(j->a, &none, &now, NULL, &old, false);
	for (size_t i = 0; i < now.n; i++) {
		const struct spot *x = &j->now.spots.p[now.p[i].fact];
		struct check_unjudged *u;

		unjudged_clear_blind_rules(w);
		if (!unjudged_mark_blind_rules(
			    w, j->kind, BLIND_ABSENCE | (now.p[i].introduced ? 0 : BLIND_ADDED)))
			continue;
		u = unjudged_add(w, s, CHECK_UNRESOLVED, x->reason);
		u->name = str_dup(w->a, x->text);
		u->line = x->place.line;
		u->column = x->place.column;
	}
}

static void facts_rules(struct judging *j)
{
	const struct rules *rules = &j->w->run->rules;
	const struct rule_kind *k = &rules->kind[j->kind];
	struct arena *own ARENA_LOCAL = arena_new();

	for (size_t i = 0; i < k->n; i++) {
		const struct rule *r = &rules->p[k->rule[i]];

		if (r->presence || r->change || !j->w->scoped[r->scope] ||
		    pattern_limit_reached(j->w, r) || (r->forbids && facts_lack(&j->now, r)) ||
		    /* A decision need not contain what it requires. */
		    (!r->forbids && j->t->spares &&
		     j->t->spares(j->w->run, r, j->now.side.s, false)))
			continue;
		facts_rule(j, own, r);
		arena_reset(own);
	}
}

/* ---- rules that one match anywhere satisfies ---- */

static void facts_satisfy(struct worker *w, struct arena *a, enum kn_target kind,
			  const struct facts *f, bool *found)
{
	const struct rule_kind *k = &w->run->rules.kind[kind];
	const struct target *t = targets[kind];

	for (size_t j = 0; j < k->n; j++) {
		size_t i = k->rule[j];
		const struct rule *r = &w->run->rules.p[i];
		struct hits hits = {0};

		if (!(r->presence || (r->c->op == KN_OP_MUST_NOT_SHRINK && f->side.s->touched)) ||
		    found[i] || !w->scoped[r->scope] || (f->side.pending && !f->side.pending[i]) ||
		    facts_lack(f, r) ||
		    (t->spares && t->spares(w->run, r, f->side.s, f->side.old)) ||
		    pattern_limit_reached(w, r))
			continue;
		t->find(w, a, r, f, &hits);
		if (r->change) {
			if (hits.n || hits.limits)
				*VEC_PUSH(w->a, &w->counted) = (struct counted){
					i, hits.n, f->side.s, f->side.old, hits.limits > 0};
			continue;
		}
		found[i] = hits.satisfied;
		if (found == w->present && found[i])
			w->present_at[i] = w->at;
		/*
		 * The number of files in which the pattern gave up; those of the base are not
		 * counted. presence_anywhere() names it when no file satisfies the rule.
		 */
		if (hits.limits && found == w->present)
			w->limit_hit[i]++;
	}
}

/* ---- files and inputs ---- */

/* f NULL: nothing is known of its text. */
static void facts_unread(struct worker *w, enum kn_target kind, const struct subject *s,
			 const struct facts *f, struct str format)
{
	const struct rule_kind *k = &w->run->rules.kind[kind];
	const struct target *t = targets[kind];
	struct str first = {0}, word;
	struct check_unjudged *u;
	bool whole = false; /* a rule is blind for all of the file */

	unjudged_clear_blind_rules(w);
	unjudged_mark_blind_rules(w, kind, f ? f->unread_only : t->unread_only);
	for (size_t i = 0; f && t->may && i < k->n; i++) {
		const struct rule *r = &w->run->rules.p[k->rule[i]];

		if (!w->blind[k->rule[i]])
			continue;
		w->blind[k->rule[i]] = t->may(w, r, f, &word);
		whole |= w->blind[k->rule[i]] && !word.p;
		if (word.p && (!first.p || word.p < first.p))
			first = word;
	}
	u = unjudged_add(w, s, t->unread_as, format);
	if (u && first.p && !whole) {
		const struct code_text *x = f->side.text;
		struct code_places places = {.raw = f->side.raw,
					     .encoding = x ? x->encoding : CODE_BYTES};
		size_t from = (size_t)(first.p - f->side.raw.p);
		struct code_cursor cursor = {0};
		struct place at;

		if (x) {
			unsigned view = code_text_program_view(x);

			from = code_text_raw_offset(x, view, &cursor,
						    (size_t)(first.p - x->view[view].text.p));
			places.raw = x->raw;
		}
		at = code_place_of_offset(&places, from);
		u->name = str_dup(w->a, first);
		u->line = at.line;
		u->column = at.column;
	}
}

void facts_unreadable(struct worker *w, enum kn_target kind, const struct subject *s,
		      struct str why)
{
	const struct target *t = targets[kind];
	struct check_unjudged *u;

	if (t->names && !t->names(s->now.path)) {
		facts_unread(w, kind, s, NULL, why);
		return;
	}
	unjudged_clear_blind_rules(w);
	unjudged_mark_blind_rules(w, kind, 0);
	u = unjudged_add(w, s, t->unreadable, why);
	/* A file that could hide anything: a change that touches it is stopped. */
	if (u && t->stops && t->stops(s->now.path))
		u->blocks = u->severity == KN_SEVERITY_BLOCK && s->touched &&
			    !(subject_sides_same_content(s) && t->names(s->old.path));
}

void facts_judge_file(struct worker *w, struct arena *a, enum kn_target kind,
		      const struct file_side *side)
{
	struct judging j = {.w = w, .a = a, .kind = kind, .t = targets[kind]};
	struct err *e = facts_read(w, a, j.t, side, &j.now);

	if (side->pending) {
		if (e || !facts_are_read(&j.now))
			return;
		facts_scan(w, kind, &j.now);
		facts_satisfy(w, a, kind, &j.now, side->old ? w->was : w->present);
		return;
	}
	if (e)
		facts_unreadable(w, kind, side->s, str_of(err_message(e)));
	else if (j.now.unread.p)
		facts_unread(w, kind, side->s, &j.now, j.now.unread);
	if (e || !facts_are_read(&j.now))
		return;
	if (j.t->manifest) {
		w->manifests++;
		w->unresolved += (unsigned)j.now.spots.n;
	}
	facts_scan(w, kind, &j.now);
	facts_report_spots(&j);
	facts_rules(&j);
	if (!side->by.n)
		facts_satisfy(w, a, kind, &j.now, w->present);
}

bool facts_any_for_blind_rules(struct worker *w, struct arena *a, enum kn_target kind,
			       const struct file_side *side)
{
	const struct rules *rules = &w->run->rules;
	const struct rule_kind *k = &rules->kind[kind];
	struct facts f;
	bool any = false;

	if (facts_read(w, a, targets[kind], side, &f) || f.unread.p || f.spots.n)
		return true;
	facts_scan(w, kind, &f);
	for (size_t i = 0; i < k->n; i++) {
		const struct rule *r = &rules->p[k->rule[i]];
		bool *blind = &w->blind[k->rule[i]];
		struct hits hits = {0};

		if (*blind && !pattern_limit_reached(w, r)) {
			if (!f.foreign && !((r->forbids || r->presence) && facts_lack(&f, r)))
				targets[kind]->find(w, a, r, &f, &hits);
			*blind = hits.limits || (r->presence ? hits.satisfied : hits.n > 0);
		}
		any |= *blind;
	}
	return any;
}

bool facts_are_given(const struct target *t, const struct check_input *in)
{
	return t->given && *(const size_t *)((const char *)in + t->given);
}

/* They belong to no file, so appliesTo does not restrict them. */
struct err *facts_judge_given(struct run *run)
{
	static const struct subject none = {.has_now = true, .touched = true};
	struct worker *w = &run->workers[0];

	w->at = 0; /* a pattern that was given up in files is tried with them */
	memset(w->scoped, true, run->rules.scopes.n * sizeof(*w->scoped));
	for (int kind = 0; kind < TARGETS; kind++) {
		struct judging j = {.w = w,
				    .a = run->a,
				    .kind = (enum kn_target)kind,
				    .t = targets[kind],
				    .now.side = {.s = &none, .input = true}};

		if (!facts_are_given(j.t, run->in))
			continue;
		TRY(j.t->input(run, &j.now));
		facts_rules(&j);
		facts_satisfy(w, run->a, j.kind, &j.now, w->present);
	}
	return NULL;
}
