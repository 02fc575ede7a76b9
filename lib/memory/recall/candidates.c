/* Finds the candidates for a question: by words, time and vector, and what belongs to them. */
#include "recall/candidates.h"
#include "memory/storage_internal.h"

/*
 * Limits of a search. With twice as many candidates and three times as many neighbours, turns of
 * t/perf/recall.c would gain up to 0.009 of R@10, and messages in a session lose up to 0.062; no
 * other shape would change by more than 0.003. TEXT: bytes of memories that are read, so that long
 * memories take no longer; at least as many memories as asked for are read.
 */
enum { CANDIDATES = 50, DATED = 40, AROUND = 8, VECTORS = 60 };
enum { REPEATS = 1000 }; /* hits to ask for when many repeat one text */
#define TEXT ((size_t)1 << 18)

/* ---- the list of ranked memories: each is read once ---- */

static size_t *memory_search_slot_of(struct search *s, int64_t doc)
{
	size_t at = (size_t)((uint64_t)doc * UINT64_C(0x9E3779B97F4A7C15) >> 20);

	for (;; at++) {
		size_t *slot = &s->slots[at & (s->n_slots - 1)];

		if (!*slot || s->all.p[*slot - 1].memory->doc == doc)
			return slot;
	}
}

static void more_slots(struct search *s)
{
	if (s->all.n * 2 < s->n_slots)
		return;
	s->n_slots = size_max(s->n_slots * 2, 1024);
	s->slots = arena_array(s->a, s->n_slots, sizeof(size_t));
	for (size_t i = 0; i < s->all.n; i++)
		*memory_search_slot_of(s, s->all.p[i].memory->doc) = i + 1;
}

static void memory_search_note(struct search *s, struct hashes *v, uint64_t one)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->p[i] == one)
			return;
	*VEC_PUSH(s->a, v) = one;
}

static void memory_search_measure(struct search *s, struct memory *one, bool marked)
{
	struct ranked r = {.memory = one,
			   .before = RANK_NONE,
			   .state = recall_filter_memory_state_at(&s->about, one)};

	one->layer = recall_filter_layer_of_scope(&s->about, one->scope);
	/* Before rank_set_features(): only memories that pass the filter mark terms as seen. */
	r.meant = recall_filter_passes(&s->about, one, r.state, marked);
	rank_set_features(s->ranking, &r);
	s->text += one->content.n;
	s->meant += r.meant == MEANT_HIT;
	/* More contents than the limit need not be counted. */
	if (r.meant == MEANT_HIT && s->different.n <= s->q->limit)
		memory_search_note(s, &s->different, words_term_hash('c', one->content));
	*VEC_PUSH(s->a, &s->all) = r;
	*memory_search_slot_of(s, one->doc) = s->all.n;
}

struct err *memory_search_add(struct search *s, int64_t doc, bool marked, size_t *at)
{
	struct memory *one;

	more_slots(s);
	*at = *memory_search_slot_of(s, doc) - 1;
	if (*at != RANK_NONE)
		return NULL;
	DB_EACH(rows, s->m->db, Q_MEMORY_BRIEF, DB_I(doc)) {
		DB_ROW(s->m->db,
		       memory_row_for_ranking(rows, s->a, !marked,
					      one = ARENA_NEW(s->a, struct memory)),
		       return NULL);
		*at = s->all.n;
		memory_search_measure(s, one, marked);
		return NULL;
	}
	return NULL;
}

/* ---- candidates ---- */

/* Candidates by words to begin with. */
static size_t candidates(const struct search *s)
{
	return size_max(CANDIDATES, 2 * s->q->limit);
}

static void ask_index(const struct search *s, struct index_query *q)
{
	const struct plan_terms *t = &s->plan.terms;

	*q = (struct index_query){
		.groups = s->about.groups.p,
		.n_groups = s->about.n_always,
		.happened_from = s->q->happened_from,
		.happened_to = s->q->happened_to,
		.recorded_to = s->q->as_of ? s->q->as_of + 1 : 0,
		.importance_min = s->q->importance_min,
	};
	q->terms = arena_array(s->a, t->n, sizeof(*q->terms));
	for (size_t i = 0; i < t->n; i++) {
		if (!i || t->p[i].term != t->p[i - 1].term)
			q->terms[q->n_terms++].term = t->p[i].term;
		q->terms[q->n_terms - 1].weight += t->p[i].asked;
	}
}

/*
 * Whether there are enough candidates by words. The index also returns memories that do not pass
 * (expired, or superseded at that time), and repeats of one text, of which a result shows one. Then
 * by_words() asks for more. Repeats are bounded, because there can be a million of them.
 */
static bool enough(const struct search *s, const struct index_query *q)
{
	size_t want = s->q->limit;

	return s->meant >= want && (s->different.n >= want || q->limit >= REPEATS);
}

static struct err *by_words(struct search *s, struct index_query *q)
{
	size_t taken = 0, at;

	for (q->limit = candidates(s);; q->limit *= 4) {
		struct index_hits hits = {0};

		TRY(index_view_search(s->plan.view, s->a, q, &hits));
		for (; taken < hits.n && (s->text < TEXT || !enough(s, q)); taken++)
			TRY(memory_search_add(s, hits.p[taken].doc, true, &at));
		if (hits.n < q->limit || enough(s, q))
			return NULL;
	}
}

/* Room for the first candidates and their neighbours. */
static void memory_search_begin(struct search *s)
{
	s->all.cap = size_min(candidates(s), REPEATS) + 4 * AROUND;
	s->all.p = arena_array(s->a, s->all.cap, sizeof(*s->all.p));
	more_slots(s);
}

/* Marks of the speakers that the question names, in all scopes. */
static struct index_clause speakers(const struct search *s)
{
	const struct plan *p = &s->plan;
	struct index_clause out = {0};
	uint64_t *marks = arena_array(s->a, p->n_speakers * p->n_scopes, sizeof(*marks));

	for (size_t i = 0; i < p->n_speakers; i++)
		for (size_t k = 0; k < p->n_scopes; k++)
			marks[out.n++] = index_key(p->scopes[k], p->speakers[i]);
	out.marks = marks;
	return out;
}

/* All memories of a time, whatever their words are, of the speakers that the question names. */
static struct err *of_time(struct search *s, struct index_query *q)
{
	struct index_clause *groups = arena_array(s->a, q->n_groups + 1, sizeof(*groups));

	memcpy(groups, q->groups, q->n_groups * sizeof(*groups));
	groups[q->n_groups] = speakers(s);
	q->groups = groups;
	q->n_groups += s->plan.n_speakers > 0;
	q->terms = NULL;
	q->n_terms = 0;
	return by_words(s, q);
}

/* Adds memories of a date in the question, which words alone may rank too low. */
static struct err *by_date(struct search *s, const struct index_query *words)
{
	struct date_span spans[DATES_MAX * DATES_YEARS];
	size_t at, n;

	n = dates_spans(&s->plan.dates, s->about.now, s->plan.only_time ? DATES_YEARS : 0, spans);
	for (size_t i = 0; i < n; i++) {
		const struct date_span *d = &spans[i];
		struct index_query q = *words;
		struct index_hits hits = {0};

		q.limit = DATED;
		q.happened_from = q.happened_from > d->from ? q.happened_from : d->from;
		q.happened_to = q.happened_to && q.happened_to < d->to ? q.happened_to : d->to;
		if (q.happened_from >= q.happened_to)
			continue;
		if (s->plan.only_time) {
			TRY(of_time(s, &q));
			continue;
		}
		TRY(index_view_search(s->plan.view, s->a, &q, &hits));
		for (size_t k = 0; k < hits.n && s->text < 2 * TEXT; k++)
			TRY(memory_search_add(s, hits.p[k].doc, true, &at));
	}
	return NULL;
}

static bool near_enough(void *ctx, int64_t doc)
{
	struct search *s = ctx;
	size_t at = RANK_NONE;

	if (!s->failed)
		s->failed = memory_search_add(s, doc, false, &at);
	return at != RANK_NONE && s->all.p[at].meant == MEANT_HIT;
}

static struct err *by_vector(struct search *s)
{
	struct vector_hits hits = {0};
	size_t at;

	if (!s->vector.n)
		return NULL;
	TRY(vector_search(s->m->vectors, s->a, s->vector.model, s->vector.p[0], near_enough, s,
			  VECTORS, &hits));
	TRY(s->failed);
	/* Without a vector of this model the table tells the meaning. */
	s->vector.n = hits.n ? s->vector.n : 0;
	for (size_t i = 0; i < hits.n; i++) {
		TRY(memory_search_add(s, hits.p[i].doc, false, &at));
		if (at != RANK_NONE)
			s->all.p[at].near = hits.p[i].near;
	}
	return NULL;
}

/* ---- neighbours in the conversation or the log ---- */

/*
 * Finds the two turns, or entries of a log, before or after a memory, the nearer first. What others
 * store between them, and what the caller may not see, counts for nothing.
 */
static struct err *memory_search_beside(struct search *s, const struct memory *m, bool after,
					int64_t docs[2], size_t *n)
{
	enum db_query query = after ? Q_SEARCH_AFTER : Q_SEARCH_BEFORE;
	const struct db_arg public = DB_I(s->q->no_sensitive);

	*n = 0;
	if (rank_is_log_entry(m)) {
		query = after ? Q_SEARCH_ENTRIES_AFTER : Q_SEARCH_ENTRIES_BEFORE;
		DB_EACH(rows, s->m->db, query, DB_I(m->scope), DB_I(m->doc), public)
			docs[(*n)++] = db_column_int(rows, 0);
		return NULL;
	}
	DB_EACH(rows, s->m->db, query, DB_S(m->session), DB_I(m->happened), DB_I(m->turn),
		DB_I(m->doc), DB_I(m->scope), DB_S(str_of(memory_kinds[m->kind])), public)
		docs[(*n)++] = db_column_int(rows, 0);
	return NULL;
}

static struct err *side(struct search *s, size_t of, bool after)
{
	const struct memory *m = s->all.p[of].memory;
	int64_t docs[2];
	size_t n, last = of, at;

	TRY(memory_search_beside(s, m, after, docs, &n));
	for (size_t i = 0; i < n; i++) {
		TRY(memory_search_add(s, docs[i], false, &at));
		/* It is gone, or did not exist yet. */
		if (at == RANK_NONE || (s->q->as_of && s->all.p[at].memory->created > s->q->as_of))
			return NULL;
		if (rank_is_log_entry(m) &&
		    !rank_continues_log(s->all.p[last].memory, s->all.p[at].memory))
			return NULL;
		s->all.p[after ? at : last].before = after ? last : at;
		last = at;
	}
	return NULL;
}

/* How many memories of a scope were stored between two turns or entries, at most RANK_BESIDE. */
static struct err *memory_search_between(struct search *s, const struct ranked *x,
					 const struct ranked *y, int64_t *out)
{
	*out = 0;
	if (y->memory->doc - x->memory->doc <= 1)
		return NULL;
	return db_number(s->m->db, Q_SEARCH_BETWEEN, out, DB_I(x->memory->scope),
			 DB_I(x->memory->doc), DB_I(y->memory->doc), DB_I(RANK_BESIDE),
			 DB_I(s->q->no_sensitive));
}

/* By scope, session, and the order in which they were stored. */
ORDER_OF_POINTERS(memory_search_by_log, struct ranked,
		  ORDER_UP(memory->scope) || ORDER_STR(memory->session) || ORDER_UP(memory->doc))

/* Sets places. The numbers of documents tell no places: those of others lie between. */
static struct err *memory_search_places(struct search *s)
{
	struct ranked **sorted = arena_array(s->a, s->all.n, sizeof(*sorted));
	const struct ranked *last = NULL;

	for (size_t i = 0; i < s->all.n; i++)
		sorted[i] = &s->all.p[i];
	if (s->all.n)
		qsort(sorted, s->all.n, sizeof(*sorted), memory_search_by_log);
	for (size_t i = 0; i < s->all.n; i++) {
		struct ranked *r = sorted[i];
		int64_t between;

		if (last && (last->memory->scope != r->memory->scope ||
			     !str_eq(last->memory->session, r->memory->session)))
			last = NULL;
		r->place = last ? last->place : 0;
		if (!rank_is_conversation_turn(r->memory) && !rank_is_log_entry(r->memory))
			continue;
		if (last) {
			TRY(memory_search_between(s, last, r, &between));
			r->place += 1 + between;
		}
		last = r;
	}
	return NULL;
}

ORDER_OF_POINTERS(by_points, struct ranked, (c = rank_order(a, b)))

static struct err *neighbours(struct search *s)
{
	struct ranked **best = arena_array(s->a, s->all.n, sizeof(*best));
	size_t *which = arena_array(s->a, s->all.n, sizeof(size_t));
	size_t n = 0, known = s->all.n;

	TRY(memory_search_places(s));
	rank_all(&s->plan, s->a, &s->all);
	for (size_t i = 0; i < known; i++)
		best[i] = &s->all.p[i];
	qsort(best, known, sizeof(*best), by_points);
	for (size_t i = 0; i < known && n < AROUND; i++)
		if (rank_is_conversation_turn(best[i]->memory) ||
		    rank_is_log_entry(best[i]->memory))
			which[n++] = (size_t)(best[i] - s->all.p);
	for (size_t i = 0; i < n; i++) {
		TRY(side(s, which[i], false));
		TRY(side(s, which[i], true));
	}
	return NULL;
}

/* ---- superseded memories ---- */

/*
 * Adds the replacements of superseded candidates: they may share no word with the question. No
 * limit but that of the candidates: without its replacement, a memory would rank as if it held, and
 * a strict search would lose the answer.
 */
static struct err *memory_search_replacements(struct search *s)
{
	for (size_t i = 0; i < s->all.n; i++) {
		int64_t doc = 0;
		size_t at;

		if (!recall_memory_is_replaced(&s->about, s->all.p[i].memory) || !s->all.p[i].meant)
			continue;
		TRY(db_number(s->m->db, Q_SEARCH_DOC, &doc,
			      DB_S(s->all.p[i].memory->superseded_by)));
		if (doc)
			TRY(memory_search_add(s, doc, false, &at));
	}
	return NULL;
}

bool memory_search_has_candidate(struct search *s, int64_t doc)
{
	more_slots(s);
	return *memory_search_slot_of(s, doc);
}

struct err *memory_search_candidates(struct search *s, struct index_query *q)
{
	memory_search_begin(s);
	TRY(search_plan_make(s->m, s->a, s->q->query, s->about.now, s->about.index_scopes,
			     s->about.n_index_scopes, &s->plan));
	s->ranking = ranking_new(s->a, s->m->words, &s->plan);
	ask_index(s, q);
	if (q->n_terms)
		TRY(by_words(s, q));
	if (q->n_terms || s->plan.only_time)
		TRY(by_date(s, q));
	TRY(by_vector(s));
	TRY(neighbours(s));
	TRY(memory_search_replacements(s));
	return memory_search_places(s);
}
