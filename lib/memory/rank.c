/* Measures texts against a plan, and adds up their points. */
#include "memory/rank.h"
#include "index/index.h"

enum { NEAR = 3 }; /* words at most this far apart stand together */

/* The state of measuring one text. */
struct ranking {
	struct plan *plan;
	struct words *words;
	uint32_t *counts, length; /* counts: per term; length: words that are not extra */
	bool *tagged;             /* only a tag has the term */
	double *has;              /* the best weight of each slot so far */
	size_t *last;             /* the last position of each slot, from 1 */
	bool *found;              /* the slot stands together with the slot before it */
	struct ranked *r;
};

struct ranking *ranking_new(struct arena *a, struct words *w, struct plan *p)
{
	struct ranking *m = ARENA_NEW(a, struct ranking);
	size_t slots = p->slots.n;

	m->plan = p;
	m->words = w;
	m->counts = arena_array(a, p->terms.n, sizeof(*m->counts));
	m->tagged = arena_array(a, p->terms.n, sizeof(*m->tagged));
	m->has = arena_array(a, slots, sizeof(*m->has));
	m->last = arena_array(a, slots, sizeof(*m->last));
	m->found = arena_array(a, slots, sizeof(*m->found));
	return m;
}

static void rank_begin(struct ranking *m, struct ranked *r)
{
	const size_t slots = m->plan->slots.n;

	m->r = r;
	m->length = 0;
	memset(m->counts, 0, m->plan->terms.n * sizeof(*m->counts));
	memset(m->tagged, 0, m->plan->terms.n * sizeof(*m->tagged));
	memset(m->has, 0, slots * sizeof(*m->has));
	memset(m->last, 0, slots * sizeof(*m->last));
	memset(m->found, 0, slots * sizeof(*m->found));
}

/* ---- phrases: slots that follow each other in the question, without names ---- */

static bool rank_pair_at(const struct plan *p, size_t slot, size_t *left)
{
	if (slot >= p->slots.n || p->slots.p[slot].name || p->slots.p[slot].extra)
		return false;
	for (*left = slot; *left > 0;)
		if (!p->slots.p[--*left].name)
			return true;
	return false;
}

static void see(struct ranking *m, size_t slot)
{
	const struct plan *p = m->plan;
	size_t left, right = slot + 1, at = m->length;

	m->last[slot] = at;
	if (rank_pair_at(p, slot, &left) && m->last[left] && at - m->last[left] <= NEAR)
		m->found[slot] = true;
	while (right < p->slots.n && p->slots.p[right].name)
		right++;
	if (rank_pair_at(p, right, &left) && left == slot && m->last[right] &&
	    at - m->last[right] <= NEAR)
		m->found[right] = true;
}

static double phrase_of(const struct ranking *m)
{
	const struct plan *p = m->plan;
	double most = 0, got = 0;
	size_t left;

	for (size_t i = 0; i < p->slots.n; i++)
		if (rank_pair_at(p, i, &left)) {
			double idf = fmin(p->slots.p[i].idf, p->slots.p[left].idf);

			most += idf;
			got += m->found[i] ? idf : 0;
		}
	return most > 0 ? got / most : 0;
}

/* ---- one text ---- */

static void rank_read_word(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct ranking *m = ctx;
	const struct plan *p = m->plan;
	struct plan_term *t;
	size_t n;

	if (p->when && !m->r->tells_time)
		m->r->tells_time = date_is_told(word);
	if (!extra) {
		m->length++;
		outline_add(&m->r->outline, word);
	}
	if (!term)
		return;
	t = plan_find(p, term, &n);
	for (size_t k = 0; k < n; k++) {
		m->counts[t + k - p->terms.p]++;
		if (!extra)
			see(m, t[k].slot);
	}
}

/* Counts a word of a tag. Tags have no order, so they are in no phrase. */
static void read_tag(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct ranking *m = ctx;
	struct plan_term *t;
	size_t n;

	(void)word;
	(void)extra;
	if (!term)
		return;
	t = plan_find(m->plan, term, &n);
	for (size_t k = 0; k < n; k++) {
		size_t i = (size_t)(t + k - m->plan->terms.p);

		if (m->counts[i])
			continue;
		m->counts[i] = 1;
		m->tagged[i] = true;
	}
}

static void rank_count(struct ranking *m, struct ranked *r)
{
	const struct plan *p = m->plan;

	for (size_t i = 0; i < p->terms.n; i++) {
		struct plan_term *t = &p->terms.p[i];
		double weight = t->weight * t->idf * (m->tagged[i] ? RANK_TAG : 1);

		if (!m->counts[i])
			continue;
		t->seen = t->seen || r->meant;
		r->words += weight * index_weight(m->counts[i], m->length, p->mean_length);
		m->has[t->slot] = fmax(m->has[t->slot], weight);
	}
	for (size_t i = 0; i < p->slots.n; i++)
		r->coverage += fmin(m->has[i], p->slots.p[i].weight * p->slots.p[i].idf);
	if (p->most > 0) {
		r->words = fmin(r->words / p->most / (INDEX_K1 + 1), 1);
		r->coverage = fmin(r->coverage / p->most, 1);
	}
}

void rank_measure(struct ranking *m, struct ranked *r)
{
	const struct plan *p = m->plan;
	uint64_t speaker;

	rank_begin(m, r);
	words_sift(m->words, r->memory->content, &p->sieve, rank_read_word, m);
	for (size_t i = 0; i < r->memory->tags.n; i++)
		words_sift(m->words, r->memory->tags.p[i], &p->sieve, read_tag, m);
	rank_count(m, r);
	if (r->words > 0)
		r->phrase = phrase_of(m);
	if (p->n_speakers && r->memory->speaker.n) {
		speaker = memory_mark_speaker(r->memory->speaker);
		for (size_t k = 0; k < p->n_speakers; k++)
			r->speaks = r->speaks || speaker == p->speakers[k];
	}
	r->asks = str_find_char(r->memory->content, '?', 0) != SIZE_MAX;
}

double rank_score(double points)
{
	return points > 0 ? 1 - exp(-points / RANK_SCALE) : 0;
}

bool rank_talks(const struct memory *one)
{
	return memory_kind_rules[one->kind].has_turns && one->session.n;
}

static int by_session(const void *x, const void *y)
{
	const struct memory *a = (*(const struct ranked *const *)x)->memory;
	const struct memory *b = (*(const struct ranked *const *)y)->memory;

	return a->scope != b->scope ? (a->scope > b->scope) - (a->scope < b->scope)
				    : str_cmp(a->session, b->session);
}

/* Sets parts.session of all memories to the points of the best in their conversation. */
static void sessions(struct arena *scratch, struct ranked_list *all)
{
	struct ranked **sorted = arena_array(scratch, all->n, sizeof(struct ranked *));
	size_t to;

	for (size_t i = 0; i < all->n; i++)
		sorted[i] = &all->p[i];
	qsort(sorted, all->n, sizeof(*sorted), by_session);
	for (size_t from = 0; from < all->n; from = to) {
		double best = 0;

		for (to = from; to < all->n && !by_session(&sorted[from], &sorted[to]); to++)
			best = fmax(best, sorted[to]->words);
		for (size_t i = from; i < to; i++)
			sorted[i]->parts.session =
				RANK_SESSION *
				(rank_talks(sorted[i]->memory) ? best : sorted[i]->words);
	}
}

void rank_all(const struct plan *p, struct arena *scratch, struct ranked_list *all)
{
	sessions(scratch, all);
	for (size_t i = 0; i < all->n; i++) {
		struct ranked *r = &all->p[i];
		const struct ranked *b = r->before != RANK_NONE ? &all->p[r->before] : NULL;
		const struct ranked *bb = b && b->before != RANK_NONE ? &all->p[b->before] : NULL;
		struct memory_parts *x = &r->parts;
		double gate; /* a speaker and a date alone prove nothing */

		x->words = RANK_WORDS * r->words + RANK_COVERAGE * r->coverage;
		x->phrase = RANK_PHRASE * r->phrase;
		x->neighbours = (b ? (RANK_BEFORE + (b->asks ? RANK_ANSWER : 0)) * b->words : 0) +
				(bb ? RANK_BEFORE2 * bb->words : 0);
		gate = fmin((x->words + x->phrase + x->neighbours + x->session) / RANK_GATE, 1);
		x->speaker = gate * (r->speaks ? RANK_SPEAKER : 0);
		x->date = gate * (RANK_DATE * dates_match(&p->dates, r->memory->happened) +
				  (r->tells_time ? RANK_WHEN : 0));
		x->vector = RANK_VECTOR * r->cosine;
		r->points = x->words + x->phrase + x->neighbours + x->session + x->speaker +
			    x->date + x->vector;
		x->state = r->state == MEMORY_CURRENT ? 0 : (RANK_STATE - 1) * r->points;
		r->points += x->state;
	}
}

int rank_order(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	const struct memory *m = a->memory, *o = b->memory;

	if (a->points < b->points || a->points > b->points)
		return a->points < b->points ? 1 : -1;
	if (m->layer != o->layer)
		return m->layer < o->layer ? -1 : 1;
	if (m->created != o->created)
		return m->created < o->created ? 1 : -1;
	return str_cmp(o->id, m->id);
}
