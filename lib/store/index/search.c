/*
 * Views, each of one state of the index, for several queries that share what was read; and the best
 * documents for some terms. A search reads the newest documents first, in recent rows and in
 * segments. So among equal scores the document that came first is the better one.
 */
#include "index/internal.h"
#include <math.h>

/* ---- a set of keys: which of them a document has ---- */

/* `low` is a filter: it rejects most keys of a document with one lookup. */
struct keys {
	bool low[1024];
	struct key {
		uint64_t key;
		size_t which;
	} * p; /* sorted; a key may occur several times */
	size_t n, cap;
};

static void keys_add(struct keys *k, struct arena *a, uint64_t key, size_t which)
{
	*VEC_PUSH(a, k) = (struct key){key, which};
	k->low[key & 1023] = true;
}

ORDER_OF(key_order, struct key, ORDER_UP(key) || ORDER_UP(which))

static void keys_sort(struct keys *k)
{
	VEC_SORT(k, key_order);
}

/* The index of the first entry with this key; n: none. */
static size_t keys_find(const struct keys *k, uint64_t key)
{
	size_t from = 0;

	BISECT(from, mid, k->n, k->p[mid].key < key);
	return from < k->n && k->p[from].key == key ? from : k->n;
}

static bool keys_may(const struct keys *k, uint64_t key)
{
	return k->low[key & 1023];
}

/* ---- views ---- */

/* The place of a list. */
struct list_place {
	int64_t page;
	size_t at;      /* offset in the page */
	struct entry e; /* docs is 0 when there is no list */
};
/* The places of a key's postings, and the number of documents with the key. */
struct view_list {
	uint64_t key;
	int64_t with;
	struct list_place *places; /* by segment; e.p is a copy of a short list */
};
struct index_view {
	struct db *db;
	struct arena *a;
	struct segments live;
	struct VEC(int64_t) scopes; /* those of them that have documents */
	struct index_stats stats;
	struct VEC(struct row) rows;        /* recent rows, up to a limit of bytes */
	int64_t after;                      /* rows from this number on are read each time */
	struct VEC(struct view_list) lists; /* sorted by key */
};

/*
 * The limits of a view: bytes of recent rows, and the length of a list that it copies. Longer lists
 * are read again.
 */
enum { ROWS = 2 << 20, SHORT = 256 };

/* ---- views: recent rows ---- */

struct filling {
	struct index_view *v;
	size_t left;
};

static struct err *keep_row(void *ctx, const struct row *row)
{
	struct filling *f = ctx;
	struct index_view *v = f->v;
	size_t bytes = (size_t)(row->end - row->terms);
	const unsigned char *copy;
	struct row *kept;

	v->stats.all++;
	if (v->after != INT64_MAX)
		return NULL;
	if (bytes > f->left) {
		v->after = row->doc;
		return NULL;
	}
	f->left -= bytes;
	copy = memcpy(arena_alloc(v->a, bytes), row->terms, bytes);
	kept = VEC_PUSH(v->a, &v->rows);
	*kept = *row;
	kept->terms = copy;
	kept->marks = copy + (row->marks - row->terms);
	kept->counts = copy + (row->counts - row->terms);
	kept->end = copy + bytes;
	return NULL;
}

/* Calls fn for each recent row, in order. */
static struct err *view_each_row(const struct index_view *v,
				 struct err *(*fn)(void *ctx, const struct row *row), void *ctx)
{
	for (size_t i = 0; i < v->rows.n; i++)
		TRY(fn(ctx, &v->rows.p[i]));
	return v->after == INT64_MAX ? NULL : row_each(v->db, v->after, INT64_MAX, fn, ctx);
}

struct err *index_view_new(struct db *db, struct arena *a, const int64_t *scopes, size_t n,
			   struct index_view **out)
{
	struct index_view *v = *out = ARENA_NEW(a, struct index_view);
	struct filling f = {.v = v, .left = ROWS};
	int64_t length = 0;

	v->db = db;
	v->a = a;
	v->after = INT64_MAX;
	TRY(segments_live(db, a, &v->live));
	for (size_t i = 0; i < v->live.n; i++)
		v->stats.all += v->live.p[i].docs;
	TRY(row_each(db, 0, INT64_MAX, keep_row, &f));
	for (size_t i = 0; i < n; i++)
		DB_EACH(rows, v->db, Q_INDEX_SCOPE_GET, DB_I(scopes[i])) {
			if (db_column_int(rows, 0) < 0)
				return index_damaged("too few documents are counted in scope",
						     scopes[i]);
			*VEC_PUSH(v->a, &v->scopes) = scopes[i];
			v->stats.docs += db_column_int(rows, 0);
			length += db_column_int(rows, 1);
		}
	if (v->stats.docs)
		v->stats.length = (double)length / (double)v->stats.docs;
	return NULL;
}

struct index_stats index_view_stats(const struct index_view *v)
{
	return v->stats;
}

const int64_t *index_view_scopes(const struct index_view *v, size_t *n)
{
	*n = v->scopes.n;
	return v->scopes.p;
}

/* ---- views: lists ---- */

ORDER_OF(index_view_by_key, struct view_list, ORDER_UP(key))

static const struct view_list *index_view_find(const struct index_view *v, uint64_t key)
{
	struct view_list it = {.key = key};

	return v->lists.n ? bsearch(&it, v->lists.p, v->lists.n, sizeof(it), index_view_by_key)
			  : NULL;
}

/* A list that was found; valid until more lists are found. */
static const struct view_list *view_get_posting_list(const struct index_view *v, uint64_t key)
{
	const struct view_list *l = index_view_find(v, key);

	if (!l)
		BUG("a key that view_find_posting_lists() was not given");
	return l;
}

/* Finds the list of a key. The list is valid until the caller resets *rows. */
static struct err *posting_list_find(struct db *db, const struct segment *g, uint64_t key,
				     struct db_rows **rows, struct list_place *out)
{
	struct str data;
	struct page p;
	bool more;

	*out = (struct list_place){0};
	TRY(db_ask(db, Q_INDEX_PAGE_FIND, rows, DB_I(g->segment), DB_I((int64_t)key)));
	TRY(db_next(*rows, &more));
	if (!more)
		return NULL;
	out->page = db_column_int(*rows, 0);
	data = db_column_bytes(*rows, 2);
	p = index_page_parse(db_column_int(*rows, 1), data, segment_size(g));
	/* The store orders keys as signed numbers. */
	do
		more = index_page_next_list(&p, &out->e);
	while (more && (int64_t)out->e.key < (int64_t)key);
	if (more && out->e.key == key) {
		out->at = (size_t)(out->e.p - (const unsigned char *)data.p);
		return NULL;
	}
	out->e.docs = 0;
	db_reset(*rows);
	return p.damaged ? index_damaged("page", out->page) : NULL;
}

static struct err *index_view_find_list(struct index_view *v, struct view_list *l)
{
	int64_t gone;

	l->places = arena_array(v->a, v->live.n, sizeof(*l->places));
	for (size_t i = 0; i < v->live.n; i++) {
		struct list_place *place = &l->places[i];
		struct db_rows *rows;

		TRY(posting_list_find(v->db, &v->live.p[i], l->key, &rows, place));
		if (!place->e.docs)
			continue;
		l->with += place->e.docs;
		place->e.p = place->e.n <= SHORT
				     ? memcpy(arena_alloc(v->a, place->e.n), place->e.p, place->e.n)
				     : NULL;
		db_reset(rows);
	}
	if (!l->with)
		return NULL;
	TRY(db_number(v->db, Q_INDEX_GONE_GET, &gone, DB_I((int64_t)l->key)));
	l->with -= gone;
	return NULL;
}

struct counting {
	const struct keys *keys;
	struct view_list *lists; /* by the number of the key */
};

static void count_keys(struct counting *c, const unsigned char *keys, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint64_t key = row_key(keys, i);
		size_t k;

		if (keys_may(c->keys, key) && (k = keys_find(c->keys, key)) < c->keys->n)
			c->lists[k].with++;
	}
}

static struct err *count_row(void *ctx, const struct row *row)
{
	count_keys(ctx, row->terms, row->n_terms);
	count_keys(ctx, row->marks, row->n_marks);
	return NULL;
}

/* Finds the lists of these keys, except the lists that are known already. */
static struct err *view_find_posting_lists(struct index_view *v, const struct keys *keys)
{
	struct keys fresh = {0};
	struct counting c = {.keys = &fresh};

	for (size_t i = 0; i < keys->n; i++)
		if ((!i || keys->p[i].key != keys->p[i - 1].key) &&
		    !index_view_find(v, keys->p[i].key))
			keys_add(&fresh, v->a, keys->p[i].key, fresh.n);
	if (!fresh.n)
		return NULL;
	c.lists = arena_array(v->a, fresh.n, sizeof(*c.lists));
	for (size_t i = 0; i < fresh.n; i++) {
		c.lists[i].key = fresh.p[i].key;
		TRY(index_view_find_list(v, &c.lists[i]));
	}
	TRY(view_each_row(v, count_row, &c));
	for (size_t i = 0; i < fresh.n; i++)
		*VEC_PUSH(v->a, &v->lists) = c.lists[i];
	qsort(v->lists.p, v->lists.n, sizeof(*v->lists.p), index_view_by_key);
	return NULL;
}

static struct err *view_count(struct index_view *v, struct arena *a, const int64_t *scopes,
			      size_t n_scopes, const uint64_t *terms, size_t n, int64_t *out)
{
	struct keys keys = {0};

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n_scopes; k++)
			keys_add(&keys, a, index_key(scopes[k], terms[i]), i);
	keys_sort(&keys);
	TRY(view_find_posting_lists(v, &keys));
	for (size_t i = 0; i < n; i++) {
		out[i] = 0;
		for (size_t k = 0; k < n_scopes; k++)
			out[i] += view_get_posting_list(v, index_key(scopes[k], terms[i]))->with;
	}
	return NULL;
}

struct err *index_view_count_matches(struct index_view *v, struct arena *a, const uint64_t *terms,
				     size_t n, int64_t *out)
{
	return view_count(v, a, v->scopes.p, v->scopes.n, terms, n, out);
}

/* ---- a search ---- */

/* Weights of counts up to this are in a table, if as many documents have the term: else to 1. */
#define COUNTS      4
#define COUNTS_DOCS (COUNTS * CLASSES)

/* A term in one of the view's scopes. */
struct asked {
	uint64_t key;
	const struct view_list *lists;
	double weight;           /* with the idf */
	uint32_t counts;         /* in the table */
	float (*gives)[CLASSES]; /* weight by count - 1 and class of length */
};

/* A recent document that passes the filters and has a term. */
struct found {
	int64_t doc;
	uint8_t class;
	size_t counts; /* index of its first count in search.counts; a count for each of
			  search.asked */
};

struct search {
	struct index_view *view;
	struct db *db;
	struct arena *a;
	const struct index_query *q;
	uint32_t lengths[CLASSES];
	struct asked *asked; /* the scopes of the first term, those of the second, and so on */
	size_t n_asked;
	struct keys terms, marks; /* `which` is the index in asked, or the number of the group */
	bool *has_mark;           /* by group, for the current row */
	struct VEC(struct found) found;
	struct VEC(uint32_t) counts;
	struct index_hits *hits; /* a heap with the worst hit on top */
	/* For one segment at a time, as large as the largest segment. */
	float *scores;
	uint64_t *meant, *group; /* bitmaps */
	int64_t *times;          /* first `happened`, then `recorded` */
};

/* The weight of `count` occurrences of a term in a document of this class of length. */
static float search_gives(const struct search *s, const struct asked *t, uint32_t count,
			  uint8_t class)
{
	return (float)(t->weight * index_weight(count, s->lengths[class], s->view->stats.length));
}

/* ---- the best hits, as a heap ---- */

static bool index_search_worse(struct index_hit x, struct index_hit y)
{
	return x.score != y.score ? x.score < y.score : x.doc < y.doc;
}

static void index_search_swap(struct index_hit *x, struct index_hit *y)
{
	struct index_hit kept = *x;

	*x = *y;
	*y = kept;
}

static void index_search_sink(struct index_hit *p, size_t n)
{
	for (size_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && index_search_worse(p[child + 1], p[child]))
			child++;
		if (!index_search_worse(p[child], p[i]))
			return;
		index_search_swap(&p[i], &p[child]);
	}
}

/* Keeps the document if it is among the best. */
static void search_offer(struct search *s, int64_t doc, double score)
{
	struct index_hits *h = s->hits;
	struct index_hit one = {doc, score};

	if (h->n < s->q->limit) {
		size_t i = h->n;

		*VEC_PUSH(s->a, h) = one;
		for (; i && index_search_worse(h->p[i], h->p[(i - 1) / 2]); i = (i - 1) / 2)
			index_search_swap(&h->p[i], &h->p[(i - 1) / 2]);
	} else if (h->n && index_search_worse(h->p[0], one)) {
		h->p[0] = one;
		index_search_sink(h->p, h->n);
	}
}

/* A document must have a higher score than this to be kept; below 0: every document is kept. */
static double search_least(const struct search *s)
{
	if (!s->q->limit)
		return HUGE_VAL;
	return s->hits->n < s->q->limit ? -1 : s->hits->p[0].score;
}

enum { BLOCK = 64 };

/* ---- filters ---- */

static size_t bitmap_words(const struct segment *g)
{
	return segment_size(g) / 64;
}

static bool any_bit(const uint64_t *bits, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all |= bits[i];
	return all;
}

/* Numbers without a document count as removed. */
static struct err *leave_out_removed(struct search *s, const struct segment *g)
{
	if (g->docs == segment_size(g))
		return NULL;
	DB_EACH(rows, s->db, Q_INDEX_ATTRIBUTE_GET, DB_I(g->segment), DB_S(STR("removed"))) {
		struct str bits = db_column_bytes(rows, 0);
		const unsigned char *p = (const unsigned char *)bits.p;

		if (bits.n != segment_size(g) / 8)
			break;
		for (size_t i = 0; i < bitmap_words(g); i++)
			s->meant[i] &= ~get_u64(p + 8 * i);
		return NULL;
	}
	return index_damaged("removed documents of segment", g->segment);
}

static struct err *filter_add_mark(struct search *s, const struct segment *g, uint64_t mark)
{
	struct list_place l;
	struct db_rows *rows;
	struct postings r;
	struct posting some[POSTINGS_SOME];
	size_t n;

	TRY(posting_list_find(s->db, g, mark, &rows, &l));
	if (!l.e.docs)
		return NULL;
	r = postings_read(&l.e, segment_size(g));
	if (r.p && r.form == FORM_BITS && !r.damaged)
		for (size_t i = 0; i < bitmap_words(g); i++)
			s->group[i] |= get_u64(r.p + 8 * i);
	else
		while ((n = postings_read_some(&r, some)))
			for (size_t i = 0; i < n; i++)
				s->group[some[i].at / 64] |= UINT64_C(1) << some[i].at % 64;
	db_reset(rows);
	return r.damaged ? index_damaged("page", l.page) : NULL;
}

static struct err *filter_by_times(struct search *s, const struct segment *g)
{
	const struct index_query *q = s->q;
	/* [from, to); 0: no limit. least, most: the segment's range, to avoid reading the times. */
	const struct {
		int64_t from, to, least, most;
	} spans[] = {
		{q->happened_from, q->happened_to, g->happened_least, g->happened_most},
		{0, q->recorded_to, g->recorded_least, g->recorded_most},
	};
	bool all[ARRAY_SIZE(spans)], none = false;

	for (size_t k = 0; k < ARRAY_SIZE(spans); k++) {
		int64_t from = spans[k].from, to = spans[k].to;

		all[k] = (!from || spans[k].least >= from) && (!to || spans[k].most < to);
		none |= (from && spans[k].most < from) || (to && spans[k].least >= to);
	}
	if (all[0] && all[1])
		return NULL;
	if (none) {
		memset(s->meant, 0, bitmap_words(g) * 8);
		return NULL;
	}
	if (!s->times)
		s->times = arena_array(s->a, 2 * INDEX_BULK, sizeof(*s->times));
	TRY(segment_times_read(s->db, s->a, g, s->times, all[1] ? NULL : s->times + INDEX_BULK));
	for (size_t k = 0; k < ARRAY_SIZE(spans); k++) {
		const int64_t *times = s->times + k * INDEX_BULK;
		int64_t from = spans[k].from, to = spans[k].to;

		for (uint32_t i = 0; !all[k] && i < segment_size(g); i++)
			if ((from && times[i] < from) || (to && times[i] >= to))
				s->meant[i / 64] &= ~(UINT64_C(1) << i % 64);
	}
	return NULL;
}

static struct err *filter_segment(struct search *s, const struct segment *g)
{
	const struct index_query *q = s->q;
	uint8_t least = importance_byte(q->importance_min);
	struct str data;

	memset(s->meant, 0xff, bitmap_words(g) * 8);
	TRY(leave_out_removed(s, g));
	for (size_t k = 0; k < q->n_groups && any_bit(s->meant, bitmap_words(g)); k++) {
		const struct index_clause *group = &q->groups[k];

		memset(s->group, 0, bitmap_words(g) * 8);
		for (size_t i = 0; i < group->n; i++)
			TRY(filter_add_mark(s, g, group->marks[i]));
		for (size_t i = 0; i < bitmap_words(g); i++)
			s->meant[i] &= group->not ? ~s->group[i] : s->group[i];
	}
	TRY(filter_by_times(s, g));
	if (!least)
		return NULL;
	TRY(attribute_get_of_segment(s->db, s->a, g->segment, "importance", &data));
	if (data.n != segment_size(g))
		return index_damaged("attributes of segment", g->segment);
	for (uint32_t i = 0; i < data.n; i++)
		if ((uint8_t)data.p[i] < least)
			s->meant[i / 64] &= ~(UINT64_C(1) << i % 64);
	return NULL;
}

/* ---- scores ---- */

static void score_add_term(struct search *s, const struct asked *t, struct postings *r,
			   const unsigned char *classes)
{
	struct posting some[POSTINGS_SOME];
	const uint32_t counts = t->counts;
	float *scores = s->scores;
	size_t n;

	while ((n = postings_read_some(r, some)))
		for (size_t i = 0; i < n; i++) {
			uint32_t at = some[i].at, count = some[i].count;
			uint8_t class = classes[at];

			scores[at] += count <= counts ? t->gives[count - 1][class]
						      : search_gives(s, t, count, class);
		}
}

/* Finds the list again at its known place; valid until the caller resets *rows. */
static struct err *posting_list_reread(struct db *db, struct list_place *l, struct db_rows **rows)
{
	struct str data;
	bool more;

	TRY(db_ask(db, Q_INDEX_PAGE_GET, rows, DB_I(l->page)));
	TRY(db_next(*rows, &more));
	if (!more)
		return index_damaged("page", l->page);
	data = db_column_bytes(*rows, 0);
	if (l->at + l->e.n > data.n) {
		db_reset(*rows);
		return index_damaged("page", l->page);
	}
	l->e.p = (const unsigned char *)data.p + l->at;
	return NULL;
}

static struct err *add_terms(struct search *s, size_t segment, const struct segment *g,
			     struct str classes)
{
	if (classes.n != segment_size(g))
		return index_damaged("attributes of segment", g->segment);
	for (size_t i = 0; i < s->n_asked; i++) {
		const struct asked *t = &s->asked[i];
		struct list_place l = t->lists->places[segment];
		struct db_rows *rows = NULL;
		struct postings r;

		if (!l.e.docs)
			continue;
		if (!l.e.p)
			TRY(posting_list_reread(s->db, &l, &rows));
		r = postings_read(&l.e, segment_size(g));
		score_add_term(s, t, &r, (const unsigned char *)classes.p);
		if (rows)
			db_reset(rows);
		if (r.damaged)
			return index_damaged("page", l.page);
	}
	return NULL;
}

/* Counts the documents with a score in a block. *good: one of them may be among the best. */
static int64_t count_found(const float *scores, float least, bool *good)
{
	int found = 0, over = 0;

	for (int i = 0; i < BLOCK; i++) {
		found += scores[i] > 0;
		over |= scores[i] > least;
	}
	*good = over;
	return found;
}

static void offer_scores(struct search *s, const struct segment *g)
{
	float least = (float)search_least(s);
	bool good;

	for (uint32_t from = segment_size(g); from;) {
		float *scores = s->scores + from - BLOCK;
		uint64_t meant = s->meant[from / BLOCK - 1];

		from -= BLOCK;
		if (!meant)
			memset(scores, 0, BLOCK * sizeof(*scores));
		else
			for (uint64_t others = ~meant; others; others &= others - 1)
				scores[__builtin_ctzll(others)] = 0;
		s->hits->matched += count_found(scores, least, &good);
		if (!good)
			continue;
		for (uint32_t i = from + BLOCK; i-- > from;)
			if (s->scores[i] > least && s->scores[i] > 0) {
				search_offer(s, g->first + i, (double)s->scores[i]);
				least = (float)search_least(s);
			}
	}
}

/* Searches all documents of the i-th live segment, the greatest number first. */
static struct err *search_segment(struct search *s, size_t i)
{
	const struct segment *g = &s->view->live.p[i];
	bool there = !s->q->n_terms;

	for (size_t t = 0; t < s->n_asked; t++)
		there |= s->asked[t].lists->places[i].e.docs > 0;
	if (!there)
		return NULL;
	TRY(filter_segment(s, g));
	if (!any_bit(s->meant, bitmap_words(g)))
		return NULL;
	if (s->q->n_terms) {
		memset(s->scores, 0, segment_size(g) * sizeof(*s->scores));
		/* The statement stays open, so the lengths are read in place. */
		DB_EACH(rows, s->db, Q_INDEX_LENGTHS, DB_I(g->segment)) {
			TRY(add_terms(s, i, g, db_column_bytes(rows, 0)));
			offer_scores(s, g);
			return NULL;
		}
		return index_damaged("attributes of segment", g->segment);
	}
	for (size_t k = bitmap_words(g); k-- > 0;) {
		uint64_t left = s->meant[k];

		s->hits->matched += __builtin_popcountll(left);
		while (left && s->hits->n < s->q->limit) {
			int bit = 63 - __builtin_clzll(left);

			search_offer(s, g->first + (int64_t)k * 64 + bit, 0);
			left &= ~(UINT64_C(1) << bit);
		}
	}
	return NULL;
}

/* ---- recent documents ---- */

/* Reads the counts of the terms into `counts`; *any says whether the row has any of the terms. */
static struct err *read_counts(const struct search *s, const struct row *row, uint32_t *counts,
			       bool *any)
{
	const unsigned char *p = row->counts;
	uint64_t count = 0;

	*any = false;
	for (size_t i = 0, at = 0; i < row->n_terms; i++) {
		uint64_t key = row_key(row->terms, i);
		size_t k;

		if (!keys_may(&s->terms, key) || (k = keys_find(&s->terms, key)) == s->terms.n)
			continue;
		for (; at <= i; at++) {
			p = get_varint(p, row->end, &count);
			if (!p)
				return index_damaged("document", row->doc);
		}
		*any = true;
		for (; k < s->terms.n && s->terms.p[k].key == key; k++)
			counts[s->terms.p[k].which] = (uint32_t)count;
	}
	return NULL;
}

static bool matches_query(const struct search *s, const struct row *row)
{
	const struct index_query *q = s->q;

	if ((q->happened_from && row->happened < q->happened_from) ||
	    (q->happened_to && row->happened >= q->happened_to) ||
	    (q->recorded_to && row->recorded >= q->recorded_to) ||
	    row->importance < importance_byte(q->importance_min))
		return false;
	for (size_t i = 0; i < q->n_groups; i++)
		s->has_mark[i] = false;
	for (size_t i = 0; i < row->n_marks; i++) {
		uint64_t key = row_key(row->marks, i);

		if (keys_may(&s->marks, key))
			for (size_t k = keys_find(&s->marks, key);
			     k < s->marks.n && s->marks.p[k].key == key; k++)
				s->has_mark[s->marks.p[k].which] = true;
	}
	for (size_t i = 0; i < q->n_groups; i++)
		if (s->has_mark[i] == q->groups[i].not )
			return false;
	return true;
}

static struct err *index_search_recent_row(void *ctx, const struct row *row)
{
	struct search *s = ctx;
	size_t n = s->n_asked, at = s->counts.n;
	bool any = true;

	while (s->counts.n < at + n)
		*VEC_PUSH(s->a, &s->counts) = 0;
	if (s->q->n_terms)
		TRY(read_counts(s, row, s->counts.p + at, &any));
	if (any && matches_query(s, row))
		*VEC_PUSH(s->a, &s->found) =
			(struct found){row->doc, length_class_of(s->lengths, row->length), at};
	else
		s->counts.n = at;
	return NULL;
}

/* ---- weights ---- */

static void weigh(struct search *s)
{
	const size_t scopes = s->view->scopes.n;
	const int64_t docs = s->view->stats.docs;
	int64_t with = 0;

	for (size_t i = 0; i < s->n_asked; i++) {
		struct asked *t = &s->asked[i];

		/* The documents of all scopes that have the term. */
		if (i % scopes == 0) {
			with = 0;
			for (size_t k = 0; k < scopes; k++)
				with += s->asked[i + k].lists->with;
			/* In the middle of a rebuild the counters lag behind. */
			with = with < docs ? with : docs;
		}
		t->weight = s->q->terms[i / scopes].weight * index_idf(docs, with);
		if (t->lists->with <= 0)
			continue;
		t->counts = t->lists->with < COUNTS_DOCS ? 1 : COUNTS;
		t->gives = arena_array(s->a, t->counts, sizeof(*t->gives));
		for (unsigned count = 1; count <= t->counts; count++)
			for (unsigned class = 0; class < CLASSES; class ++)
				t->gives[count - 1][class] =
					search_gives(s, t, count, (uint8_t) class);
	}
}

static void offer_recent(struct search *s, const struct found *f)
{
	const uint32_t *counts = s->counts.p + f->counts;
	float score = 0;

	for (size_t i = 0; i < s->n_asked; i++)
		if (counts[i] > s->asked[i].counts)
			score += search_gives(s, &s->asked[i], counts[i], f->class);
		else if (counts[i])
			score += s->asked[i].gives[counts[i] - 1][f->class];
	s->hits->matched++;
	search_offer(s, f->doc, (double)score);
}

/* ---- all together ---- */

static void index_search_prepare(struct search *s)
{
	const struct index_query *q = s->q;
	const size_t scopes = s->view->scopes.n;

	doc_length_class_table(s->lengths);
	s->n_asked = q->n_terms * scopes;
	s->asked = arena_array(s->a, s->n_asked, sizeof(*s->asked));
	s->has_mark = arena_array(s->a, q->n_groups, sizeof(*s->has_mark));
	for (size_t i = 0; i < s->n_asked; i++) {
		s->asked[i].key =
			index_key(s->view->scopes.p[i % scopes], q->terms[i / scopes].term);
		keys_add(&s->terms, s->a, s->asked[i].key, i);
	}
	for (size_t i = 0; i < q->n_groups; i++)
		for (size_t k = 0; k < q->groups[i].n; k++)
			keys_add(&s->marks, s->a, q->groups[i].marks[k], i);
	keys_sort(&s->terms);
	keys_sort(&s->marks);
}

struct err *index_view_search(struct index_view *v, struct arena *a, const struct index_query *q,
			      struct index_hits *out)
{
	struct search s = {.view = v, .db = v->db, .a = a, .q = q, .hits = out};
	const struct segments *live = &v->live;
	uint32_t most = 0;
	size_t recent;

	*out = (struct index_hits){0};
	index_search_prepare(&s);
	TRY(view_find_posting_lists(v, &s.terms));
	for (size_t i = 0; i < s.n_asked; i++)
		s.asked[i].lists = view_get_posting_list(v, s.asked[i].key);
	TRY(view_each_row(v, index_search_recent_row, &s));
	for (size_t i = 0; i < live->n; i++)
		most = (uint32_t)size_max(most, segment_size(&live->p[i]));
	s.scores = arena_array(a, most, sizeof(*s.scores));
	s.meant = arena_array(a, most / 64, sizeof(*s.meant));
	s.group = arena_array(a, most / 64, sizeof(*s.group));
	weigh(&s);
	recent = s.found.n;
	for (size_t i = live->n; i-- > 0;) {
		while (recent && s.found.p[recent - 1].doc > live->p[i].last)
			offer_recent(&s, &s.found.p[--recent]);
		TRY(search_segment(&s, i));
	}
	while (recent)
		offer_recent(&s, &s.found.p[--recent]);
	for (size_t n = out->n; n > 1;) {
		index_search_swap(&out->p[0], &out->p[--n]);
		index_search_sink(out->p, n);
	}
	return NULL;
}

/* ---- single queries ---- */

static const int64_t index_scope_none[] = {0};

struct err *index_stats(struct db *db, struct arena *a, const int64_t *scopes, size_t n,
			struct index_stats *out)
{
	struct db_txn t DB_TXN = {0};
	struct index_view *v;

	*out = (struct index_stats){0};
	TRY(db_begin_read(&t, db));
	TRY(index_view_new(db, a, scopes, n, &v));
	*out = v->stats;
	return NULL;
}

struct err *index_count_matches(struct db *db, struct arena *a, const uint64_t *terms, size_t n,
				int64_t *out)
{
	struct db_txn t DB_TXN = {0};
	struct index_view *v;

	TRY(db_begin_read(&t, db));
	TRY(index_view_new(db, a, NULL, 0, &v));
	return view_count(v, a, index_scope_none, 1, terms, n, out);
}

struct err *index_search(struct db *db, struct arena *a, const struct index_query *q,
			 struct index_hits *out)
{
	struct db_txn t DB_TXN = {0};
	struct index_view *v;

	*out = (struct index_hits){0};
	TRY(db_begin_read(&t, db));
	TRY(index_view_new(db, a, q->n_scopes ? q->scopes : index_scope_none,
			   q->n_scopes ? q->n_scopes : 1, &v));
	return index_view_search(v, a, q, out);
}
