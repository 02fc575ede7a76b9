/* Answers a question: ranks its candidates, and picks the hits among them. */
#include "memory/search.h"
#include "memory/candidates.h"
#include "memory/internal.h"
#include "memory/ties.h"
#include "os/os.h"

/* How far a chain of replacements is followed. STEPS: through memories that are no candidates. */
enum { REPLACED = 8, STEPS = 64 };

/* ---- replacements ---- */

static struct ranked *memory_search_by_id(struct search *s, struct str id)
{
	for (size_t i = 0; i < s->all.n; i++)
		if (s->all.p[i].meant != MEANT_NOT && str_eq(s->all.p[i].memory->id, id))
			return &s->all.p[i];
	return NULL;
}

/* Whether it has to do with the question, and does not only stand beside a memory that has. */
static bool memory_search_relates(const struct ranked *r)
{
	const struct memory_parts *p = &r->parts;

	return r->relates || p->words > 0 || p->phrase > 0 || p->speaker > 0 || p->date > 0 ||
	       p->vector > 0;
}

/* A replacement answers the same question as the old memory, and ranks before it. */
static void behind_replacements(struct search *s)
{
	bool changed = true;

	for (unsigned round = 0; changed && round < REPLACED; round++) {
		changed = false;
		for (size_t i = 0; i < s->all.n; i++) {
			struct ranked *old = &s->all.p[i], *new;

			if (!meant_replaced(&s->about, old->memory) || !old->meant)
				continue;
			new = memory_search_by_id(s, old->memory->superseded_by);
			if (!new || new == old)
				continue;
			if (!new->relates && memory_search_relates(old)) {
				new->relates = true;
				changed = true;
			}
			if (new->points > old->points)
				continue;
			new->parts.state += old->points * 1.001 - new->points;
			new->points = old->points * 1.001;
			new->found = fmax(new->found, old->found);
			new->coverage = fmax(new->coverage, old->coverage);
			changed = true;
		}
	}
}

/* The place of the nearest memory in the list that replaced this one, directly or not; n: none. */
static struct err *memory_search_successor(struct search *s, const struct ranked_list *best,
					   const struct memory *old, size_t *at)
{
	struct str id = meant_replaced(&s->about, old) ? old->superseded_by : (struct str){0};

	*at = best->n;
	for (unsigned step = 0; id.n && step < STEPS; step++) {
		struct str by = {0};

		for (size_t i = 0; i < best->n; i++)
			if (str_eq(best->p[i].memory->id, id)) {
				*at = i;
				return NULL;
			}
		DB_EACH(rows, s->m->db, Q_SEARCH_REPLACED, DB_S(id), DB_I(s->about.now))
			by = db_str(rows, s->a, 0);
		id = by;
	}
	return NULL;
}

/* Puts the memory at `from` before that at `to`, which its score must not be below. */
static void memory_search_lift(struct ranked_list *best, size_t from, size_t to)
{
	struct ranked newer = best->p[from], *old = &best->p[to];

	newer.parts.state += fmax(old->points - newer.points, 0);
	newer.points = fmax(newer.points, old->points);
	newer.score = fmax(newer.score, old->score);
	newer.timely = fmax(newer.timely, old->timely);
	memmove(old + 1, old, (from - to) * sizeof(*old));
	*old = newer;
}

/*
 * Puts each replaced memory behind its replacement. Updates, near duplicates, branches and times
 * reorder the results too, so this step comes last.
 */
static struct err *memory_search_replaced_last(struct search *s, struct ranked_list *best)
{
	/* A damaged store may have a circle. */
	size_t lifts = best->n;

	for (size_t i = 0, at; i < best->n;) {
		TRY(memory_search_successor(s, best, best->p[i].memory, &at));
		if (at > i && at < best->n && lifts) {
			memory_search_lift(best, at, i);
			lifts--;
		} else {
			i++;
		}
	}
	return NULL;
}

/* ---- the result ---- */

/*
 * Reads the rest of a measured memory, for the result. *sound false: it is gone, or a cell that was
 * not read before is damaged.
 */
static struct err *memory_search_whole(struct search *s, const struct ranked *r, struct memory *out,
				       bool *sound)
{
	*out = *r->memory;
	*sound = false;
	DB_EACH(rows, s->m->db, Q_MEMORY_REST, DB_I(r->memory->doc)) {
		DB_ROW(s->m->db, memory_rest(s->m, s->a, rows, out), return NULL);
		*sound = true;
	}
	return NULL;
}

static struct err *memory_search_tell(struct search *s, const struct ranked *r, bool *sound)
{
	struct memory_hit *hit;
	struct memory one;

	TRY(memory_search_whole(s, r, &one, sound));
	if (!*sound)
		return NULL;
	one.ties = memory_ties_now(s->m->ground, s->a, &one);
	/* A stale memory is no result, and does not count. */
	*sound = !(s->q->strict && one.ties && one.ties->stale);
	if (!*sound) {
		s->stale++;
		return NULL;
	}
	hit = VEC_PUSH(s->a, s->out);
	hit->memory = one;
	hit->memory.state = r->state;
	hit->parts = r->parts;
	hit->score = r->score;
	hit->relates = memory_search_relates(r);
	hit->relevance = rank_relevance(r);
	hit->points = rank_points(r->points);
	return NULL;
}

static void tell_words(struct search *s)
{
	for (size_t slot = 0; slot < s->plan.slots.n; slot++)
		for (size_t i = 0; i < s->plan.terms.n; i++)
			if (s->plan.terms.p[i].slot == slot && s->plan.terms.p[i].seen)
				strs_push(s->a, &s->out->words, s->plan.terms.p[i].text);
}

static void tell_stale(struct search *s)
{
	struct memory_found *out = s->out;

	if (s->stale)
		out->note = str_fmt(s->a, "%.*s%sleft out %zu %s of files that have changed",
				    STR_ARG(out->note), out->note.n ? "; " : "", s->stale,
				    s->stale == 1 ? "memory that speaks" : "memories that speak");
}

static struct err *memory_search_answer(struct search *s)
{
	const struct memory_search *q = s->q;
	struct ranked_list best = {0};
	struct memory_found *out = s->out;
	bool sound;

	out->only_time = s->plan.only_time;
	rank_all(&s->plan, s->a, &s->all);
	rank_behind_merged(s->m->ground, s->a, &s->all);
	behind_replacements(s);
	best.p = arena_array(s->a, best.cap = s->all.n, sizeof(*best.p));
	for (size_t i = 0; i < s->all.n; i++)
		if (s->all.p[i].meant == MEANT_HIT && s->all.p[i].points > 0)
			*VEC_PUSH(s->a, &best) = s->all.p[i];
	if (best.n)
		qsort(best.p, best.n, sizeof(*best.p), rank_order);
	ranked_drop_alike(s->m->words, s->a, &best);
	ranked_newer_first(s->m->words, &best);
	rank_scores(&s->plan, &best);
	TRY(memory_search_replaced_last(s, &best));
	out->cap = size_min(best.n, q->limit);
	out->p = arena_array(s->a, out->cap, sizeof(*out->p));
	for (size_t i = 0; i < best.n && best.p[i].score >= q->threshold; i++) {
		sound = true;
		if (out->n < q->limit)
			TRY(memory_search_tell(s, &best.p[i], &sound));
		out->total += sound;
	}
	s->stale = out->n || !q->best_anyway ? s->stale : 0;
	for (size_t i = 0; !out->n && q->best_anyway && i < best.n; i++) {
		TRY(memory_search_tell(s, &best.p[i], &sound));
		out->below_threshold = sound;
	}
	tell_words(s);
	tell_stale(s);
	return NULL;
}

static struct err *memory_search_browse(struct search *s, const struct index_query *by_words)
{
	struct index_query q = *by_words;
	struct index_hits hits = {0};
	struct memory one;
	bool sound;
	size_t at;

	q.terms = NULL;
	q.n_terms = 0;
	q.n_groups = s->about.groups.n;
	q.limit = s->q->limit + s->all.n;
	TRY(index_view_search(s->plan.view, s->a, &q, &hits));
	for (size_t i = 0; i < hits.n && s->out->n < s->q->limit; i++) {
		if (memory_search_has(s, hits.p[i].doc))
			continue;
		TRY(memory_search_take(s, hits.p[i].doc, true, &at));
		if (at == RANK_NONE || s->all.p[at].meant != MEANT_HIT)
			continue;
		TRY(memory_search_whole(s, &s->all.p[at], &one, &sound));
		if (sound)
			*VEC_PUSH(s->a, s->out) =
				(struct memory_hit){.memory = one, .relevance = MEMORY_RECENT};
	}
	s->out->total = s->out->total > hits.matched ? s->out->total : hits.matched;
	return NULL;
}

static struct err *memory_search_run(struct search *s)
{
	struct db_txn t DB_TXN = {0};
	struct index_query q;

	TRY(db_begin_read(&t, s->m->db));
	if (!s->about.scopes.n)
		return NULL;
	meant_make(&s->about);
	TRY(memory_search_candidates(s, &q));
	TRY(memory_search_answer(s));
	if (s->q->browse == MEMORY_BROWSE_NEVER ||
	    (s->q->browse == MEMORY_BROWSE_IF_NONE && s->out->n))
		return NULL;
	return memory_search_browse(s, &q);
}

/* Call it outside any transaction, because it runs a program. */
static void embed(struct search *s)
{
	struct strs texts = {0};
	struct err *e;
	bool any = false;

	if (!s->m->vectors || !s->m->vectors->command.n || !s->about.scopes.n ||
	    !str_trim(s->q->query).n)
		return;
	strs_push(s->a, &texts, str_utf8(s->a, s->q->query));
	e = vector_any(s->m->vectors, &any);
	if (!e && any)
		e = vector_embed(s->m->vectors, s->a, &texts, &s->vector);
	if (e) {
		s->vector.n = 0;
		s->out->note = str_fmt(s->a, "found by words alone: %s", err_message(e));
	}
}

struct err *memory_search(struct memories *m, struct arena *a, const struct memory_search *q,
			  struct memory_found *out)
{
	struct search s = {.m = m,
			   .a = a,
			   .q = q,
			   .out = out,
			   .about = {.a = a, .q = q, .now = q->as_of ? q->as_of : os_now()}};

	*out = (struct memory_found){0};
	if (q->query.n > MEMORY_QUERY_MAX)
		return err_help(err_param(E_TOO_LONG, STR("query"),
					  "query has %zu bytes; %d are allowed", q->query.n,
					  MEMORY_QUERY_MAX),
				"give a shorter query: only the question");
	if (!(q->threshold >= 0 && q->threshold <= 1))
		return err_param(E_OUT_OF_RANGE, STR("threshold"),
				 "threshold is %g; 0 to 1 are allowed", q->threshold);
	if (q->scopes)
		s.about.scopes = *q->scopes;
	else
		TRY(memory_scopes(m, a, q->layers, &s.about.scopes));
	out->searched = s.about.scopes.layers;
	if (s.about.scopes.n && !db_is_writing(m->db))
		TRY(memory_upgrade(m, a));
	embed(&s);
	return memory_search_run(&s);
}
