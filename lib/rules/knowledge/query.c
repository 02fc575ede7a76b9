/* Queries: BM25 over the items that pass the filter. */
#include "knowledge/read.h"
#include "words/words.h"
#include <math.h>

/* The weight of a word in each field; in the text it is 1. */
#define TITLE   6
#define TAG     4
#define SUMMARY 2

#define K1 1.2
#define B  0.75

struct term {
	uint64_t term;
	unsigned items; /* number of items that have it */
};

struct terms {
	struct words *words;
	struct words_sieve sieve;
	struct term *p;
	size_t n, cap;
};

struct hit {
	const struct kn_item *item;
	double score, length;
	unsigned *counts; /* one per term, weighted */
};

struct counting {
	const struct terms *terms;
	struct hit *hit;
	unsigned weight;
};

ORDER_OF(term_cmp, struct term, ORDER_UP(term))

/* Removes leading zeros of a number: the query "adr 7" must find adr-0007. */
static struct str number_trim(struct str word)
{
	size_t digits = 0, zeros = 0;

	while (digits < word.n && ascii_is_digit(word.p[digits]))
		digits++;
	if (digits == word.n)
		while (zeros + 1 < word.n && word.p[zeros] == '0')
			zeros++;
	return str_sub(word, zeros, word.n);
}

/*
 * Makes the query's terms, sorted and unique. Stop words are dropped, unless the query has nothing
 * else ("who are we?").
 */
static void query_terms(struct terms *t, struct arena *a, struct str query)
{
	struct word_list list;
	bool any = false;
	size_t n = 0;

	words_read(t->words, a, query, &list);
	for (size_t i = 0; i < list.n; i++)
		any = any || !list.p[i].stop;
	VEC_EACH(const struct word, w, &list) {
		struct str number = number_trim(w->text);

		if (any && w->stop)
			continue;
		words_sieve_add(t->words, &t->sieve, number);
		*VEC_PUSH(a, t) = (struct term){
			.term = number.n < w->text.n ? words_term_of_stem(t->words, number)
						     : w->term};
	}
	VEC_SORT(t, term_cmp);
	for (size_t i = 0; i < t->n; i++)
		if (!n || t->p[n - 1].term != t->p[i].term)
			t->p[n++] = t->p[i];
	t->n = n;
}

static void count_term(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct counting *c = ctx;
	struct term *t;

	c->hit->length += extra ? 0 : c->weight;
	/* A number of the item is looked up without its leading zeros, as the query's numbers are.
	 */
	if (word.p[0] == '0')
		term = words_term_of_stem(c->terms->words, number_trim(word));
	if (!term || !c->terms->n)
		return;
	t = bsearch(&(struct term){.term = term}, c->terms->p, c->terms->n, sizeof(*t), term_cmp);
	if (t)
		c->hit->counts[t - c->terms->p] += c->weight;
}

static void knowledge_query_count(const struct terms *t, struct hit *hit, struct str text,
				  unsigned weight)
{
	struct counting c = {t, hit, weight};

	words_each_with_sieve(t->words, text, &t->sieve, count_term, &c);
}

static bool has_tags(const struct kn_item *item, const struct strs *tags)
{
	for (size_t i = 0; i < tags->n; i++) {
		size_t j = 0;

		while (j < item->tags.n && !str_ieq(item->tags.p[j], tags->p[i]))
			j++;
		if (j == item->tags.n)
			return false;
	}
	return true;
}

static bool passes(const struct kn_item *item, const struct knowledge_filter *f)
{
	return (f->type < 0 || (int)item->type == f->type) &&
	       (f->layer < 0 || (int)item->layer == f->layer) &&
	       (f->statuses & 1u << item->status) && has_tags(item, &f->tags);
}

/* Best score first; then by id, most specific layer first; then by path. */
ORDER_OF(hit_cmp, struct hit,
	 ORDER_DOWN(score) || ORDER_STR(item->id) || ORDER_DOWN(item->layer) ||
		 ORDER_STR(item->shown_path))

struct hits VEC(struct hit);

static struct err *rank(struct arena *a, struct terms *t, struct str query, struct hits *h)
{
	double total = 0, average;
	size_t n = 0;

	TRY(words_new(a, &t->words));
	query_terms(t, a, query);
	VEC_EACH(struct hit, hit, h) {
		const struct kn_item *item = hit->item;

		hit->counts = arena_array(a, t->n, sizeof(*hit->counts));
		knowledge_query_count(t, hit, item->id, TITLE);
		knowledge_query_count(t, hit, item->title, TITLE);
		for (size_t j = 0; j < item->tags.n; j++)
			knowledge_query_count(t, hit, item->tags.p[j], TAG);
		knowledge_query_count(t, hit, item->summary, SUMMARY);
		knowledge_query_count(t, hit, item->content, 1);
		total += hit->length;
		for (size_t j = 0; j < t->n; j++)
			t->p[j].items += hit->counts[j] > 0;
	}
	average = h->n && total > 0 ? total / (double)h->n : 1;
	VEC_EACH(struct hit, hit, h) {
		for (size_t j = 0; j < t->n; j++) {
			double tf = hit->counts[j], df = t->p[j].items;
			double idf = log(1 + ((double)h->n - df + 0.5) / (df + 0.5));
			double norm = K1 * (1 - B + B * hit->length / average);

			hit->score += tf > 0 ? idf * tf * (K1 + 1) / (tf + norm) : 0;
		}
		if (hit->score > 0)
			h->p[n++] = *hit;
	}
	h->n = n;
	VEC_SORT(h, hit_cmp);
	return NULL;
}

struct err *knowledge_query(struct arena *a, const struct knowledge *k,
			    const struct knowledge_filter *f, const struct kn_item ***items,
			    size_t *n)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct terms t = {0};
	struct hits h = {0};
	struct err *e = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < k->items.n; i++)
		if (passes(&k->items.p[i], f))
			*VEC_PUSH(scratch, &h) = (struct hit){.item = &k->items.p[i]};
	/* Keep the most specific layer's items of each id. What the filter removed hides nothing.
	 */
	VEC_SORT(&h, hit_cmp);
	for (size_t i = 0; i < h.n; i++)
		if (!kept || !str_eq(h.p[kept - 1].item->id, h.p[i].item->id) ||
		    h.p[kept - 1].item->layer == h.p[i].item->layer)
			h.p[kept++] = h.p[i];
	h.n = kept;
	if (f->query.n)
		e = rank(scratch, &t, f->query, &h);
	*items = arena_array(a, h.n, sizeof(**items));
	*n = h.n;
	for (size_t i = 0; i < h.n; i++)
		(*items)[i] = h.p[i].item;
	return e;
}
