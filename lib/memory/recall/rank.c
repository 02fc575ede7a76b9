/* Measures texts against a plan, and adds up their points. */
#include "recall/rank.h"
#include "index/index.h"

/*
 * NEAR: words at most this far apart stand together. PASSAGE: words of a passage. A long text has
 * many words of a question by chance; a passage that answers has them near each other.
 */
enum { NEAR = 3, PASSAGE = 20 };

enum { AGAINST = 20 }; /* words of a text so short that a "not" in it is about all of it */

/* A fact or a document: neither a turn nor an entry of a log. */
static bool rank_alone(const struct memory *one)
{
	return !rank_is_conversation_turn(one) && !rank_is_log_entry(one);
}

/* The state of measuring one text. */
struct ranking {
	struct plan *plan;
	struct words *words;
	uint32_t *counts, length; /* counts: per term; length: words that are not extra */
	bool *tagged;             /* only a tag has the term */
	bool *named;              /* a tag has the slot */
	uint32_t *times;          /* per slot */
	double *has;              /* the best weight of each slot so far */
	double *worth;            /* the weight of each slot where it was last seen */
	double passage;           /* the sum of weights in the best passage so far */
	double lead;              /* the same in the first PASSAGE words and the tags */
	size_t *last;             /* the last position of each slot, from 1 */
	bool *found;              /* the slot stands together with the slot before it */
	bool asks_not, says_not;  /* the question, and the text, have a word such as "not" */
	struct ranked *r;
};

/* Words that deny, folded. "t" ends "don't". */
static bool rank_denies(struct str w)
{
	static const char *const words[] = {
		"not",     "no",      "never",  "none",   "nobody", "nothing", "neither", "nor",
		"without", "cannot",  "t",      "nicht",  "nie",    "niemals", "niemand", "kein",
		"keine",   "keinen",  "keinem", "keiner", "ohne",   "не",      "нет",     "никогда",
		"никто",   "без",     "pas",    "jamais", "aucun",  "aucune",  "sans",    "nunca",
		"ningun",  "ninguna", "nadie",  "sin",    "不",     "没",      "沒",      "未",
		"無",      "无",      "ない",   "せん"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i][0] == *w.p && str_is(w, words[i]))
			return true;
	return false;
}

struct ranking *ranking_new(struct arena *a, struct words *w, struct plan *p)
{
	struct ranking *m = ARENA_NEW(a, struct ranking);
	size_t slots = p->slots.n;

	m->plan = p;
	m->words = w;
	m->counts = arena_array(a, p->terms.n, sizeof(*m->counts));
	m->tagged = arena_array(a, p->terms.n, sizeof(*m->tagged));
	m->named = arena_array(a, slots, sizeof(*m->named));
	m->times = arena_array(a, slots, sizeof(*m->times));
	m->has = arena_array(a, slots, sizeof(*m->has));
	m->worth = arena_array(a, slots, sizeof(*m->worth));
	m->last = arena_array(a, slots, sizeof(*m->last));
	m->found = arena_array(a, slots, sizeof(*m->found));
	for (size_t i = 0; i < p->words.n; i++)
		m->asks_not = m->asks_not || rank_denies(p->words.p[i].text);
	return m;
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

static void rank_see(struct ranking *m, size_t slot, double worth)
{
	const struct plan *p = m->plan;
	size_t left, right = slot + 1, at = m->length, since = at > PASSAGE ? at - PASSAGE : 0;
	double sum = 0; /* of the weights of the slots that were seen in the last PASSAGE words */

	m->last[slot] = at;
	m->worth[slot] = worth;
	for (size_t i = 0; i < p->slots.n; i++)
		sum += m->last[i] > since ? m->worth[i] : 0;
	m->passage = fmax(m->passage, sum);
	if (at <= PASSAGE)
		m->lead = m->passage;
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
		m->r->tells_time = date_word_names_time(word, true);
	if (m->length < AGAINST && !m->says_not)
		m->says_not = rank_denies(word);
	if (!extra) {
		m->length++;
		text_sketch_add_word(&m->r->outline, word);
	}
	if (!term)
		return;
	t = search_plan_find_term(p, term, &n);
	for (size_t k = 0; k < n; k++) {
		m->counts[t + k - p->terms.p]++;
		if (!extra)
			rank_see(m, t[k].slot, t[k].weight * t[k].idf);
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
	t = search_plan_find_term(m->plan, term, &n);
	for (size_t k = 0; k < n; k++) {
		size_t i = (size_t)(t + k - m->plan->terms.p);

		if (m->counts[i])
			continue;
		m->counts[i] = 1;
		m->tagged[i] = true;
		m->named[t[k].slot] = true;
	}
}

/* BM25's weight of a word that occurs so often in the text, from 0 to 1, without idf. */
static double rank_saturation(const struct ranking *m, uint32_t count)
{
	double mean = m->plan->mean_length, relative = mean > 0 ? m->length / mean : 1;

	return rank_alone(m->r->memory)
		       ? count / (count +
				  RANK_ALONE_K1 * (1 - RANK_ALONE_B + RANK_ALONE_B * relative))
		       : count / (count + RANK_K1 * (1 - INDEX_B + INDEX_B * relative));
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
		m->times[t->slot] += m->counts[i];
		m->has[t->slot] = fmax(m->has[t->slot], weight);
	}
	for (size_t i = 0; i < p->slots.n; i++)
		if (m->times[i])
			r->words += m->has[i] * rank_saturation(m, m->times[i]);
	r->length = m->length;
	/* Words of tags, and words that repeat others, stand nowhere. A tag is like a title. */
	r->coverage = m->passage;
	for (size_t i = 0; i < p->slots.n; i++) {
		double most = p->slots.p[i].weight * p->slots.p[i].idf;

		if (m->last[i])
			continue;
		r->coverage += fmin(m->has[i], most);
		m->lead += m->named[i] ? fmin(m->has[i], most) : 0;
	}
	for (size_t i = 0; i < p->slots.n; i++) {
		const double most = p->slots.p[i].weight * p->slots.p[i].idf;

		if (m->has[i] <= 0 || p->slots.p[i].extra)
			continue;
		r->found += fmin(m->has[i] / most, 1);
		r->covered += fmin(m->has[i], most);
	}
	if (p->most > 0) {
		r->covered /= p->most;
		r->words = fmin(r->words / p->most, 1);
		r->coverage = fmin(r->coverage / p->most, 1);
		r->lead = fmin(m->lead / p->most, 1);
	}
}

void rank_set_features(struct ranking *m, struct ranked *r)
{
	const struct plan *p = m->plan;
	uint64_t speaker;
	const size_t slots = p->slots.n;

	m->r = r;
	m->says_not = false;
	m->length = 0;
	m->passage = 0;
	m->lead = 0;
	memset(m->counts, 0, p->terms.n * sizeof(*m->counts));
	memset(m->tagged, 0, p->terms.n * sizeof(*m->tagged));
	memset(m->named, 0, slots * sizeof(*m->named));
	memset(m->times, 0, slots * sizeof(*m->times));
	memset(m->has, 0, slots * sizeof(*m->has));
	memset(m->last, 0, slots * sizeof(*m->last));
	memset(m->found, 0, slots * sizeof(*m->found));
	words_each_with_sieve(m->words, r->memory->content, &p->sieve, rank_read_word, m);
	for (size_t i = 0; i < r->memory->tags.n; i++)
		words_each_with_sieve(m->words, r->memory->tags.p[i], &p->sieve, read_tag, m);
	rank_count(m, r);
	if (r->words > 0)
		r->phrase = phrase_of(m);
	if (p->n_speakers && r->memory->speaker.n) {
		speaker = memory_index_mark_of_speaker(r->memory->speaker);
		for (size_t k = 0; k < p->n_speakers; k++)
			r->speaks = r->speaks || speaker == p->speakers[k];
	}
	r->asks = str_find_char(r->memory->content, '?', 0) != SIZE_MAX;
	r->against = m->length <= AGAINST && m->says_not != m->asks_not;
}

/*
 * As `recall-fit answers` prints them. "at" follows from its table of cross-validation: it hides
 * 0.012 of R@10; of short facts 0.015, because below that a store of a few facts has an answer to
 * nearly everything. "sure" and "has" are those of `recall-fit sure`. A higher "sure" of facts
 * would cost German and Russian facts more than it saves.
 */
const struct rank_answer rank_answer[RANK_GROUPS] = {
	[RANK_TURNS] = {{-2.52, 0.90, 1.15, -6.03, -2.50}, -1.5, 0.78, 0},
	[RANK_FACTS] = {{-3.03, 0.66, 1.01, -2.84, 0.56}, -2, RANK_REACHED, 0.7},
	[RANK_TEXTS] = {{-1.91, 0.13, 0.87, -1.57, -0.04}, -1.75, 0.85, 0},
};

enum rank_group rank_group_of(const struct ranked *r)
{
	if (r->length >= RANK_LONG)
		return RANK_TEXTS;
	return rank_alone(r->memory) ? RANK_FACTS : RANK_TURNS;
}

/* Whether it has no word of the question, and stands beside none that has. */
static bool rank_only_vector(const struct ranked *r)
{
	return r->found <= 0 && r->points <= r->parts.vector;
}

static double rank_by_words(const struct plan *p, const struct ranked *r)
{
	return r->points - r->parts.vector - (p->only_time ? r->parts.date : 0);
}

void rank_answer_features(const struct plan *p, const struct ranked *r, double *terms)
{
	const enum rank_group group = rank_group_of(r);

	terms[0] = 1;
	terms[1] = rank_by_words(p, r);
	terms[2] = r->found;
	terms[3] = group == RANK_TEXTS ? p->missing : p->asked > 0 ? p->missing / p->asked : 0;
	terms[4] = group == RANK_TEXTS ? p->most * (1 - r->coverage) : r->coverage;
}

/* Whether the best memory answers the question, from 0 to 1. */
static double rank_answers(const struct plan *p, const struct ranked *best)
{
	const struct rank_answer *by = &rank_answer[rank_group_of(best)];
	double terms[RANK_ANSWER_TERMS], sum = -by->at;

	rank_answer_features(p, best, terms);
	if (terms[1] <= 0)
		return RANK_NEAR;
	for (size_t i = 0; i < RANK_ANSWER_TERMS; i++)
		sum += by->terms[i] * terms[i];
	return fmin(1 / (1 + exp(-RANK_SLOPE * sum) * (1 - RANK_REACHED) / RANK_REACHED),
		    RANK_MOST);
}

enum memory_relevance rank_relevance(const struct ranked *r)
{
	if (r->timely > 0 && (!r->sure || r->score <= RANK_REACHED * r->timely))
		return MEMORY_DATED;
	if (r->sure && r->score >= RANK_REACHED)
		return MEMORY_ANSWERS;
	return rank_only_vector(r) ? MEMORY_RELATED : MEMORY_WEAK;
}

ORDER_OF(rank_by_score, struct ranked,
	 ORDER_DOWN(score) || ORDER_DOWN(timely) ||
		 (a->timely > 0 && ORDER_DOWN(memory->happened)) || (c = rank_order(a, b)))

const struct ranked *rank_scores(const struct plan *p, struct ranked_list *sorted)
{
	const struct ranked *by_words = sorted->p;
	const struct rank_answer *by;
	double best;
	bool sure;

	if (!sorted->n)
		return NULL;
	/* The nearest vector can be another memory than the one that is best by its words. */
	for (size_t i = 1; i < sorted->n; i++)
		if (rank_by_words(p, &sorted->p[i]) > rank_by_words(p, by_words))
			by_words = &sorted->p[i];
	by = &rank_answer[rank_group_of(by_words)];
	best = rank_answers(p, by_words);
	sure = best >= by->sure;
	/* A turn beside the best may say the answer without a word of the question. */
	for (size_t i = 0; i < sorted->n; i++)
		sorted->p[i].sure = sure && (sorted->p[i].found > 0 ||
					     (rank_is_conversation_turn(sorted->p[i].memory) &&
					      !rank_only_vector(&sorted->p[i])));
	if (p->only_time) {
		const double most = rank_by_words(p, by_words);

		/* Words give what they would give without the time; the time gives RANK_REACHED. */
		for (size_t i = 0; i < sorted->n; i++) {
			struct ranked *r = &sorted->p[i];
			double part = most > 0 ? fmax(rank_by_words(p, r), 0) / most : 0;

			r->score = best >= RANK_REACHED && part > 0
					   ? RANK_REACHED + (best - RANK_REACHED) * part
					   : best * part;
			r->score = fmax(r->score, RANK_REACHED * r->timely);
		}
		qsort(sorted->p, sorted->n, sizeof(*sorted->p), rank_by_score);
		return NULL;
	}
	for (size_t i = 0; i < sorted->n; i++) {
		struct ranked *r = &sorted->p[i];
		double part = sorted->p[0].points > 0 ? r->points / sorted->p[0].points : 0;

		r->score = best >= RANK_REACHED ? RANK_REACHED + (best - RANK_REACHED) * part
						: best * part;
		/* What only a vector finds is no company of an answer, and stands behind it. */
		if (rank_only_vector(r))
			r->score = fmin(i ? r[-1].score : 1, RANK_NEAR * r->near);
	}
	return by_words;
}

bool rank_is_conversation_turn(const struct memory *one)
{
	return memory_kind_rules[one->kind].has_turns && one->session.n;
}

bool rank_is_log_entry(const struct memory *one)
{
	return memory_kind_rules[one->kind].append_only && !rank_is_conversation_turn(one);
}

static bool rank_same_log(const struct memory *one, const struct memory *other)
{
	return one->scope == other->scope && one->kind == other->kind &&
	       str_eq(one->session, other->session);
}

static bool rank_close(const struct memory *one, const struct memory *other)
{
	return llabs(one->happened - other->happened) <= RANK_CLOSE;
}

bool rank_continues_log(const struct memory *one, const struct memory *other)
{
	return rank_same_log(one, other) && rank_close(one, other);
}

ORDER_OF_POINTERS(by_session, struct ranked, ORDER_UP(memory->scope) || ORDER_STR(memory->session))

ORDER_OF_POINTERS(by_session_and_place, struct ranked,
		  ORDER_UP(memory->scope) || ORDER_STR(memory->session) || ORDER_UP(place))

/* The part of the other memory's BM25 that counts for this one; 0 if it is not beside it. */
static double rank_beside(const struct ranked *x, const struct ranked *y)
{
	const struct memory *one = x->memory, *other = y->memory;
	int64_t places = llabs(x->place - y->place);

	if (places > RANK_BESIDE || !rank_same_log(one, other))
		return 0;
	return pow(RANK_FADES, (double)places) *
	       (rank_is_conversation_turn(one) || rank_close(one, other) ? 1 : RANK_LATER);
}

/* v: the memories of a session by place. Returns the best that stands beside the one at `of`. */
static double rank_best_beside(struct ranked *const *v, size_t n, size_t of)
{
	const struct ranked *r = v[of];
	double best = 0;

	for (size_t i = of; i-- > 0 && r->place - v[i]->place <= RANK_BESIDE;)
		best = fmax(best, rank_beside(r, v[i]) * v[i]->words);
	for (size_t i = of + 1; i < n && v[i]->place - r->place <= RANK_BESIDE; i++)
		best = fmax(best, rank_beside(r, v[i]) * v[i]->words);
	return best;
}

/*
 * Sets parts.session: to the points of the best in the conversation, of the best beside it in the
 * conversation or the log, or its own. A long entry of a log is its own context.
 */
static void sessions(struct arena *scratch, struct ranked_list *all)
{
	struct ranked **sorted = arena_array(scratch, all->n, sizeof(struct ranked *));
	size_t to;

	for (size_t i = 0; i < all->n; i++)
		sorted[i] = &all->p[i];
	qsort(sorted, all->n, sizeof(*sorted), by_session_and_place);
	for (size_t from = 0; from < all->n; from = to) {
		double best = 0;

		for (to = from; to < all->n && !by_session(&sorted[from], &sorted[to]); to++)
			if (rank_is_conversation_turn(sorted[to]->memory))
				best = fmax(best, sorted[to]->words);
		for (size_t i = from; i < to; i++) {
			struct ranked *r = sorted[i];
			double around = r->words;

			if (rank_is_conversation_turn(r->memory))
				around = fmax(around, RANK_TOGETHER * best);
			if (rank_is_conversation_turn(r->memory) ||
			    (rank_is_log_entry(r->memory) && r->length < RANK_LONG))
				around = fmax(around,
					      rank_best_beside(sorted + from, to - from, i - from));
			r->parts.session = RANK_SESSION * around;
		}
	}
}

/* Of an entry of a log: "Ada" of "Ada: yes". */
static struct str rank_speaker(const struct memory *m)
{
	struct str line = str_trim(m->content);
	size_t colon;

	if (m->speaker.n || !rank_is_log_entry(m))
		return m->speaker;
	colon = str_find_char(line, ':', 0);
	return colon <= RANK_NAME ? str_sub(line, 0, colon) : STR("");
}

/*
 * The turn or entry before, if it asks, or another speaker says it. A speaker who goes on does not
 * answer, and a text of one speaker may hold question and answer. An entry of a log may begin with
 * no name at all.
 */
static const struct ranked *rank_before(const struct ranked_list *all, const struct ranked *r)
{
	const struct ranked *b = r && r->before != RANK_NONE ? &all->p[r->before] : NULL;
	struct str one, other;

	if (!b)
		return NULL;
	if (str_ends(str_trim(b->memory->content), STR("?")))
		return b;
	one = rank_speaker(b->memory);
	other = rank_speaker(r->memory);
	if (rank_is_log_entry(r->memory) ? !one.n || !other.n : !one.n && !other.n)
		return NULL;
	return str_eq(one, other) ? NULL : b;
}

void rank_all(const struct plan *p, struct arena *scratch, struct ranked_list *all)
{
	double not_against = 0; /* the most of the question that one has which is not */

	sessions(scratch, all);
	for (size_t i = 0; i < all->n; i++)
		if (!all->p[i].against)
			not_against = fmax(not_against, all->p[i].coverage);
	for (size_t i = 0; i < all->n; i++) {
		struct ranked *r = &all->p[i];
		const struct ranked *b = rank_before(all, r), *bb = rank_before(all, b);
		struct memory_parts *x = &r->parts;
		const bool alone = rank_alone(r->memory);

		/* What denies the question answers it, if nothing else does. */
		const bool denied =
			alone && r->against && not_against >= RANK_AGAINST * r->coverage;
		const double counts = denied ? RANK_AGAINST : 1;
		double gate; /* a speaker and a date alone prove nothing */
		/* A fact or a document begins with what it is about, a session with a greeting. */
		x->words = RANK_WORDS * r->words +
			   (alone ? RANK_ALONE_COVERAGE * r->coverage + RANK_ALONE_LEAD * r->lead
				  : RANK_COVERAGE * r->coverage);
		x->words *= counts;
		x->session *= counts;
		x->phrase = counts * r->phrase *
			    (alone || r->length >= RANK_LONG ? RANK_PHRASES : RANK_PHRASE);
		x->neighbours = (b ? (RANK_BEFORE + (b->asks ? RANK_ANSWER : 0)) * b->words : 0) +
				(bb ? RANK_BEFORE2 * bb->words : 0);
		gate = fmin((x->words + x->phrase + x->neighbours + x->session) / RANK_GATE, 1);
		/* A question that only names a time, and perhaps a speaker, asks for all of it. */
		r->timely = 0;
		if (p->only_time && (!p->n_speakers || r->speaks || r->found > 0))
			r->timely = dates_match_score_unweighted(&p->dates, r->memory->happened);
		x->speaker = fmax(gate, r->timely) * (r->speaks ? RANK_SPEAKER : 0);
		x->date = p->only_time
				  ? RANK_DATE * r->timely
				  : gate * (RANK_DATE * dates_match_score(&p->dates,
									  r->memory->happened) +
					    (r->tells_time ? RANK_WHEN : 0));
		x->vector = RANK_VECTOR * r->near;
		r->points = x->words + x->phrase + x->neighbours + x->session + x->speaker +
			    x->date + x->vector;
		x->state = r->state == MEMORY_CURRENT ? 0 : (RANK_STATE - 1) * r->points;
		r->points += x->state;
	}
}

int rank_order(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	int c = rank_only_vector(a) - rank_only_vector(b);

	return c || ORDER_DOWN(points) || ORDER_UP(memory->layer) || ORDER_DOWN(memory->created)
		       ? c
		       : str_cmp(b->memory->id, a->memory->id);
}
