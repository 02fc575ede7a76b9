/* Answers a question: ranks its candidates, and picks the hits among them. */
#include "recall/search.h"
#include "meaning/meaning.h"
#include "recall/candidates.h"
#include "memory/storage_internal.h"
#include "recall/rank.h"
#include "memory/repository_ties.h"
#include "os/os.h"

const char *const memory_relevances[] = {MEMORY_RELEVANCES(ENUM_NAME) NULL};

/* A memory of a branch that was not merged may be wrong here: it loses a part of its points. */
static void rank_behind_merged(struct memory_ground *ground, struct arena *a,
			       struct ranked_list *all)
{
	const struct memory **placed;
	size_t n = 0;

	if (!ground)
		return;
	placed = arena_array(a, all->n, sizeof(*placed));
	for (size_t i = 0; i < all->n; i++)
		if (all->p[i].meant && all->p[i].memory->commit.n)
			placed[n++] = all->p[i].memory;
	memory_ties_preload_history(ground, placed, n);
	for (size_t i = 0; i < all->n && n; i++) {
		struct ranked *r = &all->p[i];
		double points = r->points;

		if (!r->meant || !memory_ties_commit_elsewhere(ground, r->memory))
			continue;
		r->points *= RANK_BRANCH;
		r->parts.state += r->points - points;
	}
}

/* How far a chain of replacements is followed. STEPS: through memories that are no candidates. */
enum { REPLACED = 8, STEPS = 64 };

/* Results below the threshold that have a word of the question, and that have none: so many each.
 */
enum { NEAREST = 5 };

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

			if (!recall_memory_is_replaced(&s->about, old->memory) || !old->meant)
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
			new->replaced = old->replaced ? old->replaced : old->memory;
			changed = true;
		}
	}
}

/* The place of the nearest memory in the list that replaced this one, directly or not; n: none. */
static struct err *memory_search_successor(struct search *s, const struct ranked_list *best,
					   const struct memory *old, size_t *at)
{
	struct str id =
		recall_memory_is_replaced(&s->about, old) ? old->superseded_by : (struct str){0};

	*at = best->n;
	for (unsigned step = 0; id.n && step < STEPS; step++) {
		struct str by = {0};

		for (size_t i = 0; i < best->n; i++)
			if (str_eq(best->p[i].memory->id, id)) {
				*at = i;
				return NULL;
			}
		DB_EACH(rows, s->m->db, Q_SEARCH_REPLACED, DB_S(id), DB_I(s->about.now))
			by = db_column_str(rows, s->a, 0);
		id = by;
	}
	return NULL;
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
			struct ranked newer = best->p[at], *old = &best->p[i];

			/* Its score must not be below that of the memory behind it. */
			newer.parts.state += fmax(old->points - newer.points, 0);
			newer.points = fmax(newer.points, old->points);
			newer.score = fmax(newer.score, old->score);
			newer.timely = fmax(newer.timely, old->timely);
			newer.sure = newer.sure || old->sure;
			memmove(old + 1, old, (at - i) * sizeof(*old));
			*old = newer;
			lifts--;
		} else {
			i++;
		}
	}
	return NULL;
}

/*
 * GATE: meaning gives the order only if no memory has a score of GATE_SCORE, and none of the
 * GATE_FIRST best has the part GATE_COVERED of the question. With 0.25, shapes of t/perf/recall.c
 * whose questions have other words gain half as much; with 0.45 and 0.55 none gains more. ALIKE: a
 * cosine below it says nothing of two words. NEAR, ALIKE_MEMORIES: words of the table for each word
 * of the question, and memories that the index finds by them. WORDS: a memory begins with what it
 * is about.
 */
#define GATE_SCORE   0.9
#define GATE_COVERED 0.35
#define GATE_FIRST   10
#define ALIKE        0.4
enum { NEAR = 40, ALIKE_MEMORIES = 100, WORDS = 200 };

/* ---- other words: the gate ---- */

/* Whether a program can tell the meaning of the question, and was not asked yet. */
static bool may_embed(const struct search *s)
{
	return !s->embedded && s->m->vectors && s->m->vectors->command.n && str_trim(s->q->query).n;
}

/*
 * Whether meaning may help: the question has words of the table, and no memory of the list, which
 * is in order, has much of the question.
 */
static bool related_helps(const struct search *s, const struct ranked_list *best)
{
	const struct plan *p = &s->plan;
	const enum rank_group group = best->n ? rank_group_of(&best->p[0]) : RANK_FACTS;
	bool known = s->vector.n || may_embed(s);

	/*
	 * A time in the question finds turns and entries of a log. A long memory has words of every
	 * kind, and its words are near those of any question.
	 */
	if (p->only_time || group == RANK_TEXTS || (group == RANK_TURNS && p->dates.n))
		return false;
	for (size_t i = 0; i < best->n; i++)
		if (best->p[i].score >= GATE_SCORE ||
		    (i < GATE_FIRST && best->p[i].covered >= GATE_COVERED))
			return false;
	for (size_t i = 0; i < p->slots.n && !known; i++)
		known = p->slots.p[i].meaning;
	return known;
}

/* ---- other words: candidates ---- */

static double related_part(double cosine)
{
	return fmin(fmax(0, (cosine - ALIKE) / (1 - ALIKE)), 1);
}

struct related_term {
	uint64_t term;
	double weight;
};
struct related_terms VEC(struct related_term);

ORDER_OF(related_by_number, struct related_term, ORDER_UP(term))

/* The words like those of the question, by term, each term once: the weights are added. */
static void related_terms(const struct search *s, struct related_terms *out)
{
	const struct plan *p = &s->plan;
	size_t kept = 0;

	for (size_t i = 0; i < p->slots.n; i++) {
		const signed char *row = p->slots.p[i].meaning;
		struct meaning_nears near = {0};

		if (row)
			meaning_nearest_words(s->a, row, ALIKE, NEAR, &near);
		for (size_t k = 0; k < near.n; k++)
			if (!word_is_stop(near.p[k].word))
				*VEC_PUSH(s->a, out) = (struct related_term){
					words_term_of_stem(s->m->words, near.p[k].word),
					p->slots.p[i].weight * p->slots.p[i].idf *
						related_part(near.p[k].cosine)};
	}
	if (out->n)
		qsort(out->p, out->n, sizeof(*out->p), related_by_number);
	for (size_t i = 0; i < out->n; i++)
		if (kept && out->p[kept - 1].term == out->p[i].term)
			out->p[kept - 1].weight += out->p[i].weight;
		else
			out->p[kept++] = out->p[i];
	out->n = kept;
}

static struct err *related_candidates(struct search *s, const struct index_query *asked)
{
	const struct index_stats stats = index_view_stats(s->plan.view);
	struct related_terms all = {0};
	struct index_query q = *asked;
	struct index_hits hits = {0};
	uint64_t *terms;
	int64_t *counts;
	size_t at;

	related_terms(s, &all);
	terms = arena_array(s->a, all.n, sizeof(*terms));
	counts = arena_array(s->a, all.n, sizeof(*counts));
	for (size_t i = 0; i < all.n; i++)
		terms[i] = all.p[i].term;
	TRY(index_view_count_matches(s->plan.view, s->a, terms, all.n, counts));
	q.terms = arena_array(s->a, all.n, sizeof(*q.terms));
	q.n_terms = 0;
	q.limit = ALIKE_MEMORIES;
	for (size_t i = 0; i < all.n; i++) {
		if (!counts[i])
			continue;
		q.terms[q.n_terms].term = terms[i];
		q.terms[q.n_terms++].weight = all.p[i].weight / index_idf(stats.docs, counts[i]);
	}
	if (q.n_terms)
		TRY(index_view_search(s->plan.view, s->a, &q, &hits));
	for (size_t i = 0; i < hits.n; i++)
		TRY(memory_search_add(s, hits.p[i].doc, true, &at));
	return NULL;
}

/* ---- other words: the meaning of a memory ---- */

/* A word of a memory that the table has, or that the question has. */
struct related_word {
	size_t of; /* in s->all */
	uint64_t term;
	const signed char *row;
	double idf;
};
struct related {
	struct search *s;
	size_t of, n_words;
	struct VEC(struct related_word) words;
	bool number, time, unit, cause; /* the memory at hand has one that the question has not */
	double *parts;                  /* of the slots, of the memory at hand */
	struct str *texts;              /* the word that gave the part, to explain it; or NULL */
};

/* They tell how long something lasts. */
static const char unit_words[] =
	"always|annee|annees|ano|anos|ans|bis|day|days|decade|decades|depuis|desde|dia|dias|forever|"
	"fortnight|hasta|heure|heures|hora|horas|hour|hours|immer|jahr|jahre|jahren|jour|jours|"
	"jusqu|mes|meses|minute|minuten|minutes|minuto|minutos|mois|monat|monate|monaten|month|"
	"months|overnight|permanently|second|seconds|seit|semaine|semaines|semana|semanas|since|"
	"stunde|stunden|tag|tage|tagen|toujours|until|week|weeks|woche|wochen|year|years";
/* They tell why. */
static const char cause_words[] =
	"afin|allows|as|aufgrund|avoid|because|by|car|cause|caused|causes|da|damit|denn|deshalb|due|"
	"else|for|grund|otherwise|owing|parce|pour|puisque|reason|since|so|sonst|therefore|to|um|"
	"wegen|weil|zu|za|за|из|поскольку|потому|чтобы";

static bool asks(const struct plan *p, struct str word)
{
	for (size_t i = 0; i < p->words.n; i++)
		if (str_eq(p->words.p[i].text, word))
			return true;
	return false;
}

static void related_word(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct related *r = ctx;
	const struct plan *p = &r->s->plan;
	const signed char *row;
	struct plan_term *t;
	size_t n;

	if (!extra && r->n_words++ >= WORDS && !r->texts)
		return;
	t = search_plan_find_term(p, term, &n);
	r->unit = r->unit || (!n && word_is_listed(word, unit_words));
	r->cause = r->cause || (word_is_listed(word, cause_words) && !asks(p, word));
	if (word_is_stop(word))
		return;
	r->number = r->number || (!n && date_word_is_number(word));
	r->time = r->time || (!n && date_word_names_time(word, false));
	for (size_t i = 0; i < n; i++)
		if (!t[i].stand_in || r->texts) {
			r->parts[t[i].slot] = 1;
			if (r->texts)
				r->texts[t[i].slot] =
					t[i].stand_in ? str_dup(r->s->a, word) : STR("");
		}
	row = extra ? NULL : meaning_vector_of_word(word);
	if (!row)
		return;
	*VEC_PUSH(r->s->a, &r->words) = (struct related_word){r->of, term, row, 0};
	for (size_t i = 0; i < p->slots.n; i++) {
		const signed char *asked = p->slots.p[i].meaning;
		double part = asked ? related_part(meaning_cosine(asked, row)) : 0;

		if (part <= r->parts[i])
			continue;
		r->parts[i] = part;
		if (r->texts)
			r->texts[i] = str_dup(r->s->a, word);
	}
}

static struct related related_new(struct search *s)
{
	return (struct related){.s = s,
				.parts = arena_array(s->a, s->plan.slots.n, sizeof(double))};
}

static void related_read(struct related *r, const struct memory *m)
{
	r->n_words = 0;
	words_each_with_sieve(r->s->m->words, m->content, NULL, related_word, r);
	for (size_t i = 0; i < m->tags.n; i++)
		words_each_with_sieve(r->s->m->words, m->tags.p[i], NULL, related_word, r);
}

static const char people_words[] =
	"admin|administrator|agency|aunt|board|boss|brother|captain|caretaker|chair|children|coach|"
	"colleague|committee|company|contractor|dad|daughter|department|doctor|everybody|everyone|"
	"family|father|firm|friend|grandma|grandpa|group|he|her|him|his|husband|i|intern|manager|"
	"me|member|members|mother|mum|my|neighbor|neighbour|neighbours|nephew|niece|nobody|nurse|"
	"our|owner|parents|partner|people|porter|secretary|she|sister|somebody|someone|son|staff|"
	"supplier|support|teacher|team|their|them|they|trainer|treasurer|uncle|us|volunteers|we|"
	"wife";

/* In the table names of persons are like each other, and like nothing else; it has few of them. */
static bool is_like_name(struct str word)
{
	static const char *const names[] = {"ali", "david", "maria"};
	const signed char *row = meaning_vector_of_word(word);

	for (size_t i = 0; row && i < ARRAY_SIZE(names); i++)
		if (meaning_cosine(row, meaning_vector_of_word(str_of(names[i]))) >= 0.24)
			return true;
	return !row;
}

/*
 * Whether it has a person whom the question does not name: who speaks, a name, or "the nurse". A
 * text without capitals may have any name.
 */
static bool tells_who(struct search *s, const struct memory *m)
{
	struct word_list words = {0};
	bool capitals = false;
	size_t n;

	words_read(s->m->words, s->a, m->content, &words);
	for (size_t i = 0; i < words.n; i++) {
		const struct word *w = &words.p[i];

		capitals = capitals || w->capital;
		if (!w->extra && !date_word_names_time(w->text, true) &&
		    ((w->capital && !w->stop && is_like_name(w->text)) ||
		     word_is_listed(w->text, people_words)) &&
		    !search_plan_find_term(&s->plan, w->term, &n))
			return true;
	}
	return m->speaker.n || !capitals;
}

/*
 * Adds up how much of the question a short memory has; plan_slot.sought says what each word counts.
 * A memory that lacks a word can be about another thing: the port of another database.
 */
static double related_has(struct search *s, const struct ranked *best)
{
	const struct plan *p = &s->plan;
	struct related r = related_new(s);
	double sought = 0, got = 0;
	const bool timely = dates_match_score(&p->dates, best->memory->happened) > 0;
	bool named = true, lacks = false;
	size_t next = SIZE_MAX; /* the place behind a name */

	r.texts = arena_array(s->a, p->slots.n, sizeof(*r.texts));
	related_read(&r, best->memory);
	if (best->replaced)
		related_read(&r, best->replaced);
	for (size_t i = 0; i < p->slots.n; i++) {
		const struct plan_slot *slot = &p->slots.p[i];
		const bool very = r.parts[i] >= 1;
		/* Where another memory has the very word, one with a like word is a neighbour. */
		const bool has = very || (slot->dated && timely) ||
				 (slot->best <= 0 && !slot->dated && !slot->proper &&
				  !slot->definite && r.parts[i] >= related_part(PLAN_ALIKE));

		if (slot->extra)
			continue;
		/* A number has no other words; on another day another thing happens. */
		lacks = lacks ||
			(!slot->dated        ? !has && slot->number
			 : slot->weight >= 1 ? !very && (r.time || (slot->number && r.number))
					     : false);
		if (slot->proper && slot->place != next &&
		    !(slot->place &&
		      word_is_listed(p->words.p[slot->place - 1].text, "o|oder|or|ou|или"))) {
			lacks = lacks || !named;
			named = false;
		}
		if (slot->proper) {
			named = named || (very && !r.texts[i].n);
			next = slot->place + 1;
		}
		/* What another memory says of "the small van" is no answer about the big one. */
		sought += (!has && slot->definite && !slot->dated && slot->best > 0 ? 2 : 1) *
			  slot->sought;
		got += has ? slot->sought : 0;
	}
	/* "GitHub API" is one name of two words; one of them is enough. */
	if (lacks || !named || (p->measured && !r.number) || (p->lasting && !r.number && !r.unit) ||
	    (p->why && !r.cause) || (p->who && !tells_who(s, best->memory)))
		return 0;
	return sought > 0 ? got / sought : 1;
}

/* The part of the question whose words, or words like them, the memory has. */
static double related_words(const struct related *r)
{
	const struct plan *p = &r->s->plan;
	double sum = 0;

	for (size_t i = 0; i < p->slots.n; i++)
		if (!p->slots.p[i].extra)
			sum += p->slots.p[i].weight * p->slots.p[i].idf * r->parts[i];
	return p->most > 0 ? sum / p->most : 0;
}

ORDER_OF_POINTERS(related_by_term, struct related_word, ORDER_UP(term))

/* How rare each word is in what the search covers. */
static struct err *related_count(struct related *r)
{
	struct search *s = r->s;
	const struct index_stats stats = index_view_stats(s->plan.view);
	struct related_word **sorted = arena_array(s->a, r->words.n, sizeof(*sorted));
	uint64_t *terms = arena_array(s->a, r->words.n, sizeof(*terms));
	int64_t *counts = arena_array(s->a, r->words.n, sizeof(*counts));
	size_t n = 0;

	for (size_t i = 0; i < r->words.n; i++)
		sorted[i] = &r->words.p[i];
	if (r->words.n)
		qsort(sorted, r->words.n, sizeof(*sorted), related_by_term);
	for (size_t i = 0; i < r->words.n; i++)
		if (!i || sorted[i]->term != sorted[i - 1]->term)
			terms[n++] = sorted[i]->term;
	TRY(index_view_count_matches(s->plan.view, s->a, terms, n, counts));
	for (size_t i = 0, k = 0; i < r->words.n; i++) {
		k += i && sorted[i]->term != sorted[i - 1]->term;
		sorted[i]->idf = index_idf(stats.docs, counts[k]);
	}
	return NULL;
}

struct sum {
	double v[MEANING_NUMBERS];
};

static void related_add(struct sum *to, const signed char *row, double weight)
{
	for (size_t i = 0; i < MEANING_NUMBERS; i++)
		to->v[i] += weight * row[i];
}

static double related_cosine(const struct sum *x, const struct sum *y)
{
	double xx = 0, yy = 0, xy = 0;

	for (size_t i = 0; i < MEANING_NUMBERS; i++) {
		xx += x->v[i] * x->v[i];
		yy += y->v[i] * y->v[i];
		xy += x->v[i] * y->v[i];
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

/*
 * Adds the memories that have words like those of the question to s->all, and sets the meaning of
 * all memories there. q: what the index was asked for.
 */
static struct err *related_find(struct search *s, const struct index_query *q)
{
	const struct plan *p = &s->plan;
	struct related r = related_new(s);
	struct sum asked = {0};
	struct vector_hits by_table = {0};

	TRY(related_candidates(s, q));
	for (size_t i = 0; i < s->all.n; i++) {
		r.of = i;
		memset(r.parts, 0, p->slots.n * sizeof(*r.parts));
		related_read(&r, s->all.p[i].memory);
		s->all.p[i].meaning = related_words(&r) / 2;
	}
	TRY(related_count(&r));
	for (size_t i = 0; i < p->slots.n; i++)
		if (p->slots.p[i].meaning)
			related_add(&asked, p->slots.p[i].meaning,
				    p->slots.p[i].weight * p->slots.p[i].idf);
	for (size_t i = 0, k = 0; i < s->all.n; i++) {
		struct sum sum = {0};

		for (; k < r.words.n && r.words.p[k].of == i; k++)
			related_add(&sum, r.words.p[k].row, r.words.p[k].idf);
		s->all.p[i].meaning += fmax(related_cosine(&asked, &sum), 0) / 2;
		*VEC_PUSH(s->a, &by_table) = (struct vector_hit){.cosine = s->all.p[i].meaning};
	}
	/*
	 * A model knows more than a table of words, but not the turns around a turn, nor what has
	 * no embedding yet. What stands out by the one is compared with what stands out by the
	 * other.
	 */
	vector_stand_out(&by_table);
	for (size_t i = 0; i < s->all.n && s->vector.n; i++) {
		struct ranked *one = &s->all.p[i];
		int64_t embedded = one->near > 0;

		if (rank_is_conversation_turn(one->memory))
			embedded = false;
		else if (!embedded)
			TRY(db_number(s->m->db, Q_VECTOR_HAS, &embedded, DB_I(one->memory->doc),
				      DB_I(s->vector.model)));
		one->meaning = embedded ? one->near : by_table.p[i].near;
	}
	return NULL;
}

ORDER_OF(related_by_meaning, struct ranked, ORDER_DOWN(meaning) || (c = rank_order(a, b)))

/* ---- the result ---- */

/* Words of a fact so short that a "not" in it denies what it says of the question. */
enum { DENIES = 10 };

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
		DB_ROW(s->m->db, memory_row_complete(s->m, s->a, rows, out), return NULL);
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
	hit->doubted_by = r->doubted_by ? r->doubted_by->id : STR("");
	hit->relates = memory_search_relates(r);
	hit->relevance = rank_relevance(r);
	if (hit->relevance == MEMORY_ANSWERS && r->score < s->q->threshold)
		hit->relevance = MEMORY_WEAK;
	if (s->q->explain) {
		const struct plan *p = &s->plan;
		struct related at = related_new(s);

		/* The words of the question that it has, has as "parcel ~ shipment", and lacks. */
		at.texts = arena_array(s->a, p->slots.n, sizeof(*at.texts));
		related_read(&at, r->memory);
		for (size_t i = 0; i < p->slots.n; i++) {
			struct str asked = p->slots.p[i].text, text = at.texts[i];
			const bool has = at.parts[i] >= 1, like = text.n && (has || r->meaning > 0);

			if (like)
				asked = str_fmt(s->a, "%.*s ~ %.*s", STR_ARG(asked), STR_ARG(text));
			if (!p->slots.p[i].extra)
				strs_push(s->a,
					  has    ? &hit->has
					  : like ? &hit->pairs
						 : &hit->lacks,
					  asked);
		}
	}
	hit->points = r->points > 0 ? 1 - exp(-r->points / RANK_SCALE) : 0;
	return NULL;
}

static void tell_left_out(struct search *s)
{
	struct memory_found *out = s->out;

	if (s->plan.left_out)
		out->note = str_fmt(
			s->a, "%.*s%sthe query is long: its %zu rarest words count, %zu do not",
			STR_ARG(out->note), out->note.n ? "; " : "", s->plan.slots.n,
			s->plan.left_out);
	if (s->stale)
		out->note = str_fmt(s->a, "%.*s%sleft out %zu %s of files that have changed",
				    STR_ARG(out->note), out->note.n ? "; " : "", s->stale,
				    s->stale == 1 ? "memory that speaks" : "memories that speak");
}

/* Puts the memories that pass in the order of their points, and gives them scores. */
static void memory_search_rank(struct search *s, struct ranked_list *best)
{
	const struct ranked *by_words;
	bool timely;
	double least; /* the part of the question that an answer must have */

	rank_all(&s->plan, s->a, &s->all);
	rank_behind_merged(s->m->ground, s->a, &s->all);
	behind_replacements(s);
	*best = (struct ranked_list){.cap = s->all.n};
	best->p = arena_array(s->a, best->cap, sizeof(*best->p));
	for (size_t i = 0; i < s->all.n; i++)
		if (s->all.p[i].meant == MEANT_HIT &&
		    (s->all.p[i].points > 0 || s->all.p[i].meaning > 0))
			*VEC_PUSH(s->a, best) = s->all.p[i];
	if (best->n)
		qsort(best->p, best->n, sizeof(*best->p), rank_order);
	ranked_drop_alike(s->m->words, s->a, best);
	ranked_put_newer_fact_first(s->m->words, best);
	by_words = rank_scores(&s->plan, best);
	least = by_words && by_words->length <= RANK_ONE_THING
			? rank_answer[rank_group_of(by_words)].has
			: 0;
	s->out->has = least > 0 ? related_has(s, by_words) : 1;
	timely = by_words && dates_match_score(&s->plan.dates, by_words->memory->happened) > 0;
	for (size_t i = 0; i < best->n; i++)
		best->p[i].sure = best->p[i].sure && s->out->has >= least &&
				  (!s->plan.past || timely) &&
				  !(s->plan.which && by_words && by_words->against &&
				    by_words->length <= DENIES);
}

/*
 * Nothing reaches the threshold: tells the best memory. If meaning gave the order, it tells the
 * first memories: those that share a word with the question, and those that are only related.
 */
static struct err *memory_search_tell_best(struct search *s, const struct ranked_list *best)
{
	const size_t most = !s->ordered ? 1 : s->vector.n ? 2 * NEAREST : NEAREST;
	size_t left[] = {most, most};

	VEC_EACH(const struct ranked, r, best) {
		bool sound, related = rank_relevance(r) == MEMORY_RELATED;

		if (!left[related] || s->out->n == s->q->limit)
			continue;
		TRY(memory_search_tell(s, r, &sound));
		left[related] -= sound;
		if (sound && !s->ordered)
			break;
	}
	s->out->below_threshold = s->out->n;
	return NULL;
}

static struct err *memory_search_answer(struct search *s, const struct index_query *q)
{
	struct ranked_list best;
	struct memory_found *out = s->out;
	bool helps;

	out->only_time = s->plan.only_time;
	memory_search_rank(s, &best);
	helps = related_helps(s, &best);
	if (helps && may_embed(s)) {
		s->asks_embedder = true;
		return NULL;
	}
	if (helps && s->q->best_anyway) {
		TRY(related_find(s, q));
		memory_search_rank(s, &best);
		if (best.n)
			qsort(best.p, best.n, sizeof(*best.p), related_by_meaning);
		/* Where the gate is open, nothing is an answer. No result has the score 0. */
		for (size_t i = 0; i < best.n; i++)
			best.p[i].score = fmax(best.p[i].score * RANK_REACHED / GATE_SCORE,
					       RANK_NEAR * best.p[i].meaning);
		s->ordered = true;
	}
	TRY(memory_search_replaced_last(s, &best));
	/* Tells the memories that reach the threshold. */
	for (size_t i = 0; i < best.n; i++) {
		bool sound = true;

		if (best.p[i].score < s->q->threshold)
			continue;
		if (s->out->n < s->q->limit)
			TRY(memory_search_tell(s, &best.p[i], &sound));
		s->out->total += sound;
	}
	s->stale = out->n || !s->q->best_anyway ? s->stale : 0;
	if (!out->n && s->q->best_anyway)
		TRY(memory_search_tell_best(s, &best));
	for (size_t slot = 0; slot < s->plan.slots.n; slot++)
		for (size_t i = 0; i < s->plan.terms.n; i++)
			if (s->plan.terms.p[i].slot == slot && s->plan.terms.p[i].seen)
				strs_push(s->a, &s->out->words, s->plan.terms.p[i].text);
	tell_left_out(s);
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
		const size_t known = s->all.n;

		TRY(memory_search_add(s, hits.p[i].doc, true, &at));
		/* A candidate of the words was judged above. Only what is new is looked at here. */
		if (at == RANK_NONE || at < known || s->all.p[at].meant != MEANT_HIT)
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
	TRY(memory_search_candidates(s, &q));
	TRY(memory_search_answer(s, &q));
	if (s->asks_embedder)
		return NULL;
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
	int64_t lacks = 0;

	s->embedded = true;
	strs_push(s->a, &texts, str_utf8(s->a, s->q->query));
	e = vector_any(s->m->vectors, &any);
	if (!e && any)
		e = vector_embed(s->m->vectors, s->a, &texts, &s->vector);
	/* mem embed goes from old to new, so the newest memory is the last to get a vector. */
	for (size_t i = 0; !e && i < s->about.scopes.n && s->vector.n && !lacks; i++)
		e = db_number(s->m->db, Q_VECTOR_NEWEST_LACKS, &lacks,
			      DB_I(s->about.scopes.p[i].scope), DB_I(s->vector.model));
	if (lacks)
		s->out->note = str_fmt(s->a,
				       "memories have no embedding of the model '%.*s' with %zu "
				       "numbers: 'ikm mem embed' makes what is missing",
				       STR_ARG(s->vector.name), s->vector.dimension);
	if (e) {
		s->vector.n = 0;
		s->out->note = str_fmt(s->a, "found by words alone: %s", err_message(e));
	}
}

struct err *memory_search(struct memories *m, struct arena *a, const struct memory_search *q,
			  struct memory_found *out)
{
	struct search s = {.m = m, .a = a, .q = q, .out = out}, with_vector;

	s.about = (struct meant){.a = a, .q = q, .now = q->as_of ? q->as_of : os_now()};
	*out = (struct memory_found){0};
	if (q->query.n > MEMORY_QUERY_MAX)
		return err_help(err_for_param(E_TOO_LONG, STR("query"),
					      "query has %zu bytes; %d are allowed", q->query.n,
					      MEMORY_QUERY_MAX),
				"give a shorter query: only the question");
	if (!(q->threshold >= 0 && q->threshold <= 1))
		return err_for_param(E_OUT_OF_RANGE, STR("threshold"),
				     "threshold is %g; 0 to 1 are allowed", q->threshold);
	if (q->scopes)
		s.about.scopes = *q->scopes;
	else
		TRY(memory_scopes(m, a, q->layers, &s.about.scopes));
	out->searched = s.about.scopes.layers;
	if (s.about.scopes.n && !db_is_writing(m->db))
		TRY(memory_index_upgrade(m, a));
	with_vector = s;
	TRY(memory_search_run(&s));
	if (!s.asks_embedder)
		return NULL;
	/* Where words alone find little, a second time, with the vector of the question. */
	embed(&with_vector);
	return memory_search_run(&with_vector);
}
