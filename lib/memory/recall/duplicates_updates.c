/* Compares the memories that a search found: near-duplicates, and which state anew what others
 * state. */
#include "meaning/meaning.h"
#include "memory/alike.h"
#include "recall/rank.h"

/*
 * UPDATES: the best hits that are compared for updates. UPDATE_WORDS: longer texts state more than
 * one thing.
 */
enum { UPDATES = 20, UPDATE_WORDS = 30 };
/* The best hits that may be doubted, and how long they may be. */
enum { DOUBTED = 10, DOUBT_BYTES = 200 };
#define VALUES_ALIKE 0.5 /* cosine: "Lisbon" and "Porto" */
/* The newer one has at least this part of the older one's points; one that denies it has fewer. */
#define UPDATE_POINTS 0.6
/*
 * The newer one has what the older one has of the question, but for this part of the question.
 * Otherwise it is about another thing: "the search service stores" does not update "the gateway
 * service stores", if the question asks for the gateway.
 */
#define UPDATE_LACKS 0.05

struct terms VEC(uint64_t);

static bool terms_have(const struct terms *terms, uint64_t term)
{
	for (size_t i = 0; i < terms->n; i++)
		if (terms->p[i] == term)
			return true;
	return false;
}

/* ---- statements that may not hold any more ---- */

/* Words that say that something is no longer as it was, folded. */
static const char change_words[] =
	"now|moved|relocated|changed|switched|renamed|replaced|migrated|upgraded|longer|"
	"anymore|instead|became|jetzt|umgezogen|geandert|verschoben|gewechselt|ersetzt|"
	"neuerdings|теперь|переехал|переехала|перенесен|перенесена|сменил|сменила|"
	"заменен|maintenant|desormais|demenage|deplace|deplacee|remplace|ahora|mudo|"
	"trasladado|cambio|reemplazo|现在|改为|搬到|今は|変更|raised|lowered|increased|decreased|"
	"reduced|cut|extended|shortened|stopped|quit|postponed|rescheduled|sold|erhoht|gesenkt|"
	"verlangert|verkurzt";

/* The words of a text that are no stop words, each term once, in their order. */
struct fact {
	struct arena *a;
	struct terms terms;
	struct strs words; /* of the terms */
	size_t changes; /* the place of the word that says that something changed, from 1; 0: none
			 */
};

static void fact_add(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct fact *s = ctx;

	if (extra)
		return;
	if (!s->changes && word_is_listed(word, change_words))
		s->changes = s->terms.n + 1;
	if (word_is_stop(word) || terms_have(&s->terms, term))
		return;
	*VEC_PUSH(s->a, &s->terms) = term;
	strs_push(s->a, &s->words, str_dup(s->a, word));
}

static struct fact fact_read(struct words *w, struct arena *a, struct str text)
{
	struct fact out = {.a = a};

	words_each_with_sieve(w, text, NULL, fact_add, &out);
	return out;
}

/* Whether two words can be values of one thing: numbers, names, or words of like meaning. */
static bool values_alike(struct str x, struct str y)
{
	const signed char *one = meaning_vector_of_word(x), *other = meaning_vector_of_word(y);

	if (date_word_is_number(x) || date_word_is_number(y))
		return date_word_is_number(x) && date_word_is_number(y);
	return one && other ? meaning_cosine(one, other) >= VALUES_ALIKE : !one && !other;
}

/*
 * Whether what one text says and the other lacks can be another value, and does not tell of
 * something narrower: "Ben's sister is 14" gives no other age of Ben. As many words have another
 * value, or the first one is a value for a value of the other.
 */
static bool fact_gives_value(const struct fact *one, const struct fact *other)
{
	size_t lacks = 0, others = 0, first = 0;
	bool alike = false;

	for (size_t i = one->terms.n; i-- > 0;)
		if (!terms_have(&other->terms, one->terms.p[i]) &&
		    !date_word_names_time(one->words.p[i], false)) {
			lacks++;
			first = i;
		}
	for (size_t k = 0; k < other->terms.n; k++)
		if (!terms_have(&one->terms, other->terms.p[k]) &&
		    !date_word_names_time(other->words.p[k], false)) {
			others++;
			alike = alike ||
				(lacks && values_alike(one->words.p[first], other->words.p[k]));
		}
	return alike || !lacks || !others || lacks == others;
}

#define SUBJECT_SAME 0.6
/*
 * Whether two statements have most words in common: SUBJECT_SAME of the words of the shorter, which
 * has at least half as many words as the longer; and one of them begins with a word of the other,
 * or they speak of two things: "Ann drinks coffee", "Bo drinks coffee".
 */
static bool subject_is_same(const struct fact *x, const struct fact *y)
{
	const struct terms *left = &x->terms, *right = &y->terms;
	size_t least = size_min(left->n, right->n), both = 0;

	for (size_t i = 0; i < left->n; i++)
		both += terms_have(right, left->p[i]);
	return least >= 2 && size_max(left->n, right->n) <= 2 * least &&
	       (terms_have(left, right->p[0]) || terms_have(right, left->p[0])) &&
	       (double)both >= SUBJECT_SAME * (double)least &&
	       (x->changes || (fact_gives_value(x, y) && fact_gives_value(y, x)));
}

/*
 * Whether a text is about a time that the other does not name: "the report of March". What stands
 * behind a word such as "moved", or just before it, is no subject.
 */
static bool fact_is_of_time(const struct fact *one, const struct fact *other)
{
	for (size_t i = 0; i < one->terms.n && !(one->changes && i + 2 >= one->changes); i++) {
		struct str w = one->words.p[i];
		const bool year =
			w.n == 4 && (str_starts(w, STR("19")) || str_starts(w, STR("20")));

		if ((year || date_word_names_time(w, false)) &&
		    !terms_have(&other->terms, one->terms.p[i]))
			return true;
	}
	return false;
}

/* Whether the newer text may give another value of what the older one is about. */
static bool statement_doubts(const struct fact *newer, const struct fact *older)
{
	size_t shared = 0;

	if (!newer->terms.n || !older->terms.n ||
	    (!newer->changes && !subject_is_same(newer, older)) ||
	    (fact_is_of_time(newer, older) && fact_is_of_time(older, newer)) ||
	    (!terms_have(&newer->terms, older->terms.p[0]) &&
	     !terms_have(&older->terms, newer->terms.p[0])))
		return false;
	for (size_t i = 0; i < older->terms.n; i++)
		shared += terms_have(&newer->terms, older->terms.p[i]);
	if (newer->changes && 2 * shared > older->terms.n)
		return true;
	for (size_t i = 0; i < older->terms.n; i++)
		for (size_t k = 0; k < newer->terms.n; k++)
			if (!terms_have(&newer->terms, older->terms.p[i]) &&
			    !terms_have(&older->terms, newer->terms.p[k]) &&
			    values_alike(older->words.p[i], newer->words.p[k]))
				return true;
	return false;
}

/* ---- lists in the order of rank_order() ---- */

static const struct memory_shingles *ranked_shingles(struct words *w, struct arena *a,
						     struct ranked *r)
{
	if (!r->shingles)
		r->shingles = memory_shingles(w, a, r->memory->content);
	return r->shingles;
}

static bool ranked_alike(struct words *w, struct arena *a, struct ranked *x, struct ranked *y)
{
	return !text_sketches_differ(&x->outline, &y->outline) &&
	       shingles_are_near_duplicates(ranked_shingles(w, a, x), ranked_shingles(w, a, y)) &&
	       memory_same_statement(w, x->memory->content, y->memory->content);
}

/* Whether x stays, of two near-duplicates: what no longer holds is no copy of what does. */
static bool ranked_holds_more(const struct ranked *x, const struct ranked *y)
{
	const bool holds = x->state == MEMORY_CURRENT;

	return holds != (y->state == MEMORY_CURRENT) ? holds : x->memory->layer < y->memory->layer;
}

void ranked_drop_alike(struct words *w, struct arena *a, struct ranked_list *best)
{
	size_t kept = 0;

	for (size_t i = 0; i < best->n; i++) {
		struct ranked *one = &best->p[i];
		size_t k = 0;

		while (k < kept && !ranked_alike(w, a, &best->p[k], one))
			k++;
		if (k == kept) {
			best->p[kept++] = *one;
		} else if (ranked_holds_more(one, &best->p[k])) {
			one->points = best->p[k].points;
			best->p[k] = *one;
		}
	}
	best->n = kept;
}

/* Whether x holds, and may state anew what y stated before. */
static bool ranked_may_replace(const struct ranked *x, const struct ranked *y)
{
	const struct memory *a = x->memory, *b = y->memory;

	return x->state == MEMORY_CURRENT && a->scope == b->scope &&
	       memory_kind_rules[a->kind].merges && memory_kind_rules[b->kind].merges &&
	       (a->happened != b->happened ? a->happened > b->happened : a->created > b->created);
}

static bool ranked_updates(struct words *w, const struct ranked *x, const struct ranked *y)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct fact newer, older;

	if (x->outline.n > UPDATE_WORDS || y->outline.n > UPDATE_WORDS ||
	    x->points < UPDATE_POINTS * y->points || x->covered < y->covered - UPDATE_LACKS ||
	    !ranked_may_replace(x, y))
		return false;
	newer = fact_read(w, a, x->memory->content);
	older = fact_read(w, a, y->memory->content);
	return subject_is_same(&newer, &older);
}

void ranked_put_newer_fact_first(struct words *w, struct ranked_list *best)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct fact all[DOUBTED] = {0};
	size_t n;

	for (size_t i = 1; i < best->n && i < UPDATES; i++)
		for (size_t k = 0; k < i; k++) {
			struct ranked newer = best->p[i];

			if (!ranked_updates(w, &newer, &best->p[k]))
				continue;
			newer.parts.state += best->p[k].points - newer.points;
			newer.points = best->p[k].points;
			newer.found = fmax(newer.found, best->p[k].found);
			memmove(&best->p[k + 1], &best->p[k], (i - k) * sizeof(*best->p));
			best->p[k] = newer;
			break;
		}
	n = size_min(best->n, DOUBTED);
	for (size_t i = 0; i < n; i++)
		if (best->p[i].memory->content.n <= DOUBT_BYTES)
			all[i] = fact_read(w, a, best->p[i].memory->content);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n && !best->p[i].doubted_by; k++)
			if (best->p[i].state == MEMORY_CURRENT &&
			    ranked_may_replace(&best->p[k], &best->p[i]) &&
			    statement_doubts(&all[k], &all[i]))
				best->p[i].doubted_by = best->p[k].memory;
}
