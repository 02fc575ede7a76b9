/* Queries: BM25 over the items that pass the filter. */
#include "knowledge/read.h"
#include <math.h>

/* How much more a word counts there than in the text. */
#define TITLE   6
#define TAG     4
#define SUMMARY 2

#define K1 1.2
#define B  0.75

struct term {
	uint64_t hash;
	bool stop;
	unsigned items; /* how many have it */
};

struct terms {
	struct arena *a;
	struct term *p;
	size_t n, cap;
};

struct hit {
	const struct kn_item *item;
	double score, length;
	unsigned *counts; /* one a term, weighted */
};

struct counting {
	const struct terms *terms;
	struct hit *hit;
	unsigned weight;
};

static int term_cmp(const void *a, const void *b)
{
	const struct term *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

static void knowledge_query_add_term(void *ctx, uint64_t hash, bool stop)
{
	struct terms *t = ctx;

	*VEC_PUSH(t->a, t) = (struct term){.hash = hash, .stop = stop};
}

/* Sorted, each once. Stop words go, unless there is nothing else ("who are we?"). */
static void read_query(struct terms *t, struct str query)
{
	bool any = false;
	size_t n = 0;

	kn_terms(query, true, knowledge_query_add_term, t);
	if (!t->n)
		return;
	qsort(t->p, t->n, sizeof(*t->p), term_cmp);
	for (size_t i = 0; i < t->n; i++)
		any = any || !t->p[i].stop;
	for (size_t i = 0; i < t->n; i++)
		if (!(any && t->p[i].stop) && !(n && t->p[n - 1].hash == t->p[i].hash))
			t->p[n++] = t->p[i];
	t->n = n;
}

static void count_term(void *ctx, uint64_t hash, bool stop)
{
	struct counting *c = ctx;
	struct term key = {.hash = hash}, *t;

	(void)stop;
	c->hit->length += c->weight;
	t = bsearch(&key, c->terms->p, c->terms->n, sizeof(key), term_cmp);
	if (t)
		c->hit->counts[t - c->terms->p] += c->weight;
}

static void knowledge_query_count(const struct terms *t, struct hit *hit, struct str text,
				  unsigned weight)
{
	struct counting c = {t, hit, weight};

	kn_terms(text, false, count_term, &c);
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

/* By score, best first; then by id, the most specific first, then by path. */
static int hit_cmp(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	int c = (x->score < y->score) - (x->score > y->score);

	if (!c)
		c = str_cmp(x->item->id, y->item->id);
	if (!c)
		c = (x->item->layer < y->item->layer) - (x->item->layer > y->item->layer);
	return c ? c : str_cmp(x->item->shown_path, y->item->shown_path);
}

struct hits {
	struct hit *p;
	size_t n, cap;
};

/* Of one id only the most specific layer's; what does not pass the filter hides nothing. */
static void keep_specific(struct hits *h)
{
	size_t n = 0;

	if (!h->n)
		return;
	qsort(h->p, h->n, sizeof(*h->p), hit_cmp);
	for (size_t i = 0; i < h->n; i++)
		if (!n || !str_eq(h->p[n - 1].item->id, h->p[i].item->id) ||
		    h->p[n - 1].item->layer == h->p[i].item->layer)
			h->p[n++] = h->p[i];
	h->n = n;
}

static void rank(struct arena *a, struct terms *t, struct hits *h)
{
	double total = 0, average;
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++) {
		struct hit *hit = &h->p[i];
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
	for (size_t i = 0; i < h->n; i++) {
		struct hit *hit = &h->p[i];

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
	if (n)
		qsort(h->p, n, sizeof(*h->p), hit_cmp);
}

struct err *knowledge_query(struct arena *a, const struct knowledge *k,
			    const struct knowledge_filter *f, const struct kn_item ***items,
			    size_t *n)
{
	struct arena *scratch = arena_new();
	struct terms t = {.a = scratch};
	struct hits h = {0};

	for (size_t i = 0; i < k->items.n; i++)
		if (passes(&k->items.p[i], f))
			*VEC_PUSH(scratch, &h) = (struct hit){.item = &k->items.p[i]};
	keep_specific(&h);
	if (f->query.n) {
		read_query(&t, f->query);
		if (t.n)
			rank(scratch, &t, &h);
		else
			h.n = 0;
	}
	*items = arena_array(a, h.n, sizeof(**items));
	*n = h.n;
	for (size_t i = 0; i < h.n; i++)
		(*items)[i] = h.p[i].item;
	arena_free(scratch);
	return NULL;
}
