/*
 * The best documents for some terms. It reads the newest documents first, in recent rows and in
 * segments. So among equal scores the document that came first is the better one.
 */
#include "index/search.h"
#include <math.h>

/* ---- the best so far ---- */

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

void search_offer(struct search *s, int64_t doc, double score)
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

double search_least(const struct search *s)
{
	if (!s->q->limit)
		return HUGE_VAL;
	return s->hits->n < s->q->limit ? -1 : s->hits->p[0].score;
}

static void sort_hits(struct index_hits *h)
{
	for (size_t n = h->n; n > 1;) {
		index_search_swap(&h->p[0], &h->p[--n]);
		index_search_sink(h->p, n);
	}
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
			(struct found){row->doc, class_of(s->lengths, row->length), at};
	else
		s->counts.n = at;
	return NULL;
}

/* ---- scores ---- */

float search_gives(const struct search *s, const struct asked *t, uint32_t count, uint8_t class)
{
	return (float)(t->weight * index_weight(count, s->lengths[class], s->view->stats.length));
}

/* The documents of all scopes that have a term; `first`: its place in asked. */
static int64_t search_with(const struct search *s, size_t first)
{
	int64_t with = 0;

	for (size_t k = 0; k < s->view->scopes.n; k++)
		with += s->asked[first + k].lists->with;
	/* In the middle of a rebuild the counters lag behind. */
	return with < s->view->stats.docs ? with : s->view->stats.docs;
}

static void weigh(struct search *s)
{
	const size_t scopes = s->view->scopes.n;
	const int64_t docs = s->view->stats.docs;
	int64_t with = 0;

	for (size_t i = 0; i < s->n_asked; i++) {
		struct asked *t = &s->asked[i];

		if (i % scopes == 0)
			with = search_with(s, i);
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

	class_lengths(s->lengths);
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

static void index_search_make_room(struct search *s)
{
	const struct segments *live = &s->view->live;
	uint32_t most = 0;

	for (size_t i = 0; i < live->n; i++)
		most = (uint32_t)size_max(most, segment_size(&live->p[i]));
	s->scores = arena_array(s->a, most, sizeof(*s->scores));
	s->meant = arena_array(s->a, most / 64, sizeof(*s->meant));
	s->group = arena_array(s->a, most / 64, sizeof(*s->group));
}

struct err *index_view_search(struct index_view *v, struct arena *a, const struct index_query *q,
			      struct index_hits *out)
{
	struct search s = {.view = v, .db = v->db, .a = a, .q = q, .hits = out};
	const struct segments *live = &v->live;
	size_t recent;

	*out = (struct index_hits){0};
	index_search_prepare(&s);
	TRY(view_lists(v, &s.terms));
	for (size_t i = 0; i < s.n_asked; i++)
		s.asked[i].lists = view_list(v, s.asked[i].key);
	TRY(view_rows(v, index_search_recent_row, &s));
	index_search_make_room(&s);
	weigh(&s);
	recent = s.found.n;
	for (size_t i = live->n; i-- > 0;) {
		while (recent && s.found.p[recent - 1].doc > live->p[i].last)
			offer_recent(&s, &s.found.p[--recent]);
		TRY(search_segment(&s, i));
	}
	while (recent)
		offer_recent(&s, &s.found.p[--recent]);
	sort_hits(out);
	return NULL;
}
