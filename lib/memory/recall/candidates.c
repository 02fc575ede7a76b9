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

/* ---- the filter, which the words do not affect; for the index, and for other rows ---- */

static uint64_t *group(struct meant *m, size_t n, bool negated)
{
	uint64_t *marks = arena_array(m->a, n, sizeof(uint64_t));

	*VEC_PUSH(m->a, &m->groups) = (struct index_clause){.marks = marks, .n = n, .not = negated};
	return marks;
}

static void group_of_strs(struct meant *m, const struct strs *v, enum memory_mark class, bool all)
{
	uint64_t *marks = NULL;

	for (size_t i = 0; i < v->n; i++) {
		if (all || !marks)
			marks = group(m, all ? 1 : v->n, false);
		marks[all ? 0 : i] = memory_mark_of_text(class, v->p[i]);
	}
}

static void group_of_bits(struct meant *m, unsigned bits, enum memory_mark class,
			  const char *const *names)
{
	struct strs v = {0};

	for (unsigned i = 0; names[i]; i++)
		if (bits & 1u << i)
			strs_push(m->a, &v, str_of(names[i]));
	group_of_strs(m, &v, class, false);
}

static void recall_filter_make(struct meant *m)
{
	const struct memory_search *q = m->q;
	const unsigned passing = 1u << MEMORY_WORKING | 1u << MEMORY_SCRATCH;
	uint64_t *marks = group(m, m->scopes.n, false);

	m->index_scopes = arena_array(m->a, 2 * m->scopes.n, sizeof(*m->index_scopes));
	for (size_t i = 0; i < m->scopes.n; i++) {
		const int64_t scope = m->scopes.p[i].scope;

		marks[i] = memory_index_mark_of_scope(scope);
		m->index_scopes[m->n_index_scopes++] = memory_index_scope(scope, false);
		if (!q->no_sensitive)
			m->index_scopes[m->n_index_scopes++] = memory_index_scope(scope, true);
	}
	group_of_bits(m, q->kinds ? q->kinds : passing, MARK_KIND, memory_kinds);
	m->groups.p[m->groups.n - 1].not = !q->kinds;
	group_of_strs(m, &q->tags, MARK_TAG, q->all_tags);
	group_of_strs(m, &q->types, MARK_TYPE, false);
	if (q->source.n)
		*group(m, 1, false) = memory_mark_of_text(MARK_SOURCE, q->source);
	if (q->session.n)
		*group(m, 1, false) = memory_mark_of_text(MARK_SESSION, q->session);
	if (q->status >= 0)
		*group(m, 1, false) =
			memory_mark_of_text(MARK_STATUS, str_of(memory_statuses[q->status]));
	if (q->provenances)
		group_of_bits(m, q->provenances, MARK_PROVENANCE, memory_provenances);
	if (q->no_sensitive)
		*group(m, 1, true) = memory_mark_of_text(
			MARK_REDACTION, str_of(memory_redactions[MEMORY_SENSITIVE]));
	*group(m, 1, true) =
		memory_mark_of_text(MARK_STATE, str_of(memory_states[MEMORY_REJECTED]));
	if (q->strict)
		*group(m, 1, true) =
			memory_mark_of_text(MARK_STATE, str_of(memory_states[MEMORY_CONFLICT]));
	m->n_always = m->groups.n;
	/* With as_of, a memory that was superseded later counts as active. */
	if (q->strict && !q->as_of)
		*group(m, 1, true) =
			memory_mark_of_text(MARK_STATE, str_of(memory_states[MEMORY_SUPERSEDED]));
}

static bool has_mark(const uint64_t *marks, size_t n, const struct index_clause *g)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < g->n; k++)
			if (marks[i] == g->marks[k])
				return true;
	return false;
}

static enum memory_state recall_filter_memory_state_at(const struct meant *m,
						       const struct memory *one)
{
	if (one->state == MEMORY_REJECTED)
		return MEMORY_REJECTED;
	if (one->expires && one->expires <= m->now)
		return MEMORY_EXPIRED;
	if (recall_memory_is_replaced(m, one))
		return MEMORY_SUPERSEDED;
	return one->state == MEMORY_CONFLICT ? MEMORY_CONFLICT : MEMORY_CURRENT;
}

/* marked: the index has checked its marks already. */
static enum meant_answer recall_filter_passes(const struct meant *m, const struct memory *one,
					      enum memory_state state, bool marked)
{
	const struct memory_search *q = m->q;
	uint64_t marks[MEMORY_MARKS_MAX];
	size_t n = marked ? 0 : memory_marks(one, marks);

	for (size_t i = 0; i < m->n_always && !marked; i++)
		if (has_mark(marks, n, &m->groups.p[i]) == m->groups.p[i].not )
			return MEANT_NOT;
	if ((q->happened_from && one->happened < q->happened_from) ||
	    (q->happened_to && one->happened >= q->happened_to) || state == MEMORY_REJECTED ||
	    (q->as_of && one->created > q->as_of) || one->importance < q->importance_min)
		return MEANT_NOT;
	if (!q->strict || state == MEMORY_CURRENT)
		return MEANT_HIT;
	return recall_memory_is_replaced(m, one) ? MEANT_BY_REPLACEMENT : MEANT_NOT;
}

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

struct err *memory_search_add(struct search *s, int64_t doc, bool marked, size_t *at)
{
	struct memory *one;

	more_slots(s);
	*at = *memory_search_slot_of(s, doc) - 1;
	if (*at != RANK_NONE)
		return NULL;
	DB_EACH(rows, s->m->db, Q_MEMORY_BRIEF, DB_I(doc)) {
		struct ranked r;
		uint64_t hash;
		bool known;

		DB_ROW(s->m->db,
		       memory_row_for_ranking(rows, s->a, !marked,
					      one = ARENA_NEW(s->a, struct memory)),
		       return NULL);
		*at = s->all.n;
		r = (struct ranked){.memory = one,
				    .before = RANK_NONE,
				    .state = recall_filter_memory_state_at(&s->about, one)};
		one->layer = MEMORY_LAYERS_END;
		for (size_t i = 0; i < s->about.scopes.n; i++)
			if (s->about.scopes.p[i].scope == one->scope)
				one->layer = s->about.scopes.p[i].layer;
		/* First, because only memories that pass the filter mark terms as seen. */
		r.meant = recall_filter_passes(&s->about, one, r.state, marked);
		rank_set_features(s->ranking, &r);
		s->text += one->content.n;
		s->meant += r.meant == MEANT_HIT;
		/* More contents than the limit need not be counted. */
		known = r.meant != MEANT_HIT || s->different.n > s->q->limit;
		hash = known ? 0 : words_term_hash('c', one->content);
		for (size_t i = 0; i < s->different.n && !known; i++)
			known = s->different.p[i] == hash;
		if (!known)
			*VEC_PUSH(s->a, &s->different) = hash;
		*VEC_PUSH(s->a, &s->all) = r;
		*memory_search_slot_of(s, one->doc) = s->all.n;
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
			struct index_clause *groups =
				arena_array(s->a, q.n_groups + 1, sizeof(*groups));

			/* All memories of a time, whatever their words are, of the speakers that
			 * the question names. */
			memcpy(groups, q.groups, q.n_groups * sizeof(*groups));
			groups[q.n_groups] = speakers(s);
			q.groups = groups;
			q.n_groups += s->plan.n_speakers > 0;
			q.terms = NULL;
			q.n_terms = 0;
			TRY(by_words(s, &q));
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

static struct err *side(struct search *s, size_t of, bool after)
{
	const struct memory *m = s->all.p[of].memory;
	const struct db_arg public = DB_I(s->q->no_sensitive);
	int64_t docs[2];
	size_t n = 0, last = of, at;

	/*
	 * The two turns, or entries of a log, before or after it, the nearer first. What others
	 * store between them, and what the caller may not see, counts for nothing.
	 */
	if (rank_is_log_entry(m))
		DB_EACH(rows, s->m->db, after ? Q_SEARCH_ENTRIES_AFTER : Q_SEARCH_ENTRIES_BEFORE,
			DB_I(m->scope), DB_I(m->doc), public)
			docs[n++] = db_column_int(rows, 0);
	else
		DB_EACH(rows, s->m->db, after ? Q_SEARCH_AFTER : Q_SEARCH_BEFORE, DB_S(m->session),
			DB_I(m->happened), DB_I(m->turn), DB_I(m->doc), DB_I(m->scope),
			DB_S(str_of(memory_kinds[m->kind])), public)
			docs[n++] = db_column_int(rows, 0);
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
		int64_t between = 0; /* memories that were stored there, at most RANK_BESIDE */

		if (last && (last->memory->scope != r->memory->scope ||
			     !str_eq(last->memory->session, r->memory->session)))
			last = NULL;
		r->place = last ? last->place : 0;
		if (!rank_is_conversation_turn(r->memory) && !rank_is_log_entry(r->memory))
			continue;
		if (last && r->memory->doc - last->memory->doc > 1)
			TRY(db_number(s->m->db, Q_SEARCH_BETWEEN, &between,
				      DB_I(last->memory->scope), DB_I(last->memory->doc),
				      DB_I(r->memory->doc), DB_I(RANK_BESIDE),
				      DB_I(s->q->no_sensitive)));
		if (last)
			r->place += 1 + between;
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

/* ---- all of them ---- */

struct err *memory_search_candidates(struct search *s, struct index_query *q)
{
	recall_filter_make(&s->about);
	/* Room for the first candidates and their neighbours. */
	s->all.cap = size_min(candidates(s), REPEATS) + 4 * AROUND;
	s->all.p = arena_array(s->a, s->all.cap, sizeof(*s->all.p));
	more_slots(s);
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
	/*
	 * Adds the replacements of superseded candidates: they may share no word with the question.
	 * No limit but that of the candidates: without its replacement, a memory would rank as if
	 * it held, and a strict search would lose the answer.
	 */
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
	return memory_search_places(s);
}
