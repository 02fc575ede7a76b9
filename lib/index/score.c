/*
 * Searches one segment: a bit for each document says whether it passes the filters, and a number is
 * its score. The terms are added one by one. Scores are compared in blocks of 64, which the
 * compiler vectorizes.
 */
#include "index/search.h"

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
		struct str bits = db_bytes(rows, 0);
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

	TRY(list_find(s->db, g, mark, &rows, &l));
	if (!l.e.docs)
		return NULL;
	r = postings_read(&l.e, segment_size(g));
	if (r.p && r.form == FORM_BITS && !r.damaged)
		for (size_t i = 0; i < bitmap_words(g); i++)
			s->group[i] |= get_u64(r.p + 8 * i);
	else
		while ((n = postings_some(&r, some)))
			for (size_t i = 0; i < n; i++)
				s->group[some[i].at / 64] |= UINT64_C(1) << some[i].at % 64;
	db_reset(rows);
	return r.damaged ? index_damaged("page", l.page) : NULL;
}

static struct err *filter_by_clause(struct search *s, const struct segment *g,
				    const struct index_clause *group)
{
	memset(s->group, 0, bitmap_words(g) * 8);
	for (size_t i = 0; i < group->n; i++)
		TRY(filter_add_mark(s, g, group->marks[i]));
	for (size_t i = 0; i < bitmap_words(g); i++)
		s->meant[i] &= group->not ? ~s->group[i] : s->group[i];
	return NULL;
}

/* [from, to); 0: no limit. */
struct span_of {
	int64_t from, to;
	int64_t least, most; /* the segment's range, to avoid reading the times */
};

static bool is_all(const struct span_of *t)
{
	return (!t->from || t->least >= t->from) && (!t->to || t->most < t->to);
}

static bool is_none(const struct span_of *t)
{
	return (t->from && t->most < t->from) || (t->to && t->least >= t->to);
}

static void filter_by_span(struct search *s, const struct segment *g, const struct span_of *t,
			   const int64_t *times)
{
	for (uint32_t i = 0; i < segment_size(g); i++)
		if ((t->from && times[i] < t->from) || (t->to && times[i] >= t->to))
			s->meant[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static struct err *filter_by_times(struct search *s, const struct segment *g)
{
	const struct index_query *q = s->q;
	struct span_of happened = {q->happened_from, q->happened_to, g->happened_least,
				   g->happened_most};
	struct span_of recorded = {0, q->recorded_to, g->recorded_least, g->recorded_most};

	if (is_all(&happened) && is_all(&recorded))
		return NULL;
	if (is_none(&happened) || is_none(&recorded)) {
		memset(s->meant, 0, bitmap_words(g) * 8);
		return NULL;
	}
	if (!s->times)
		s->times = arena_array(s->a, 2 * INDEX_BULK, sizeof(*s->times));
	TRY(times_get(s->db, s->a, g, s->times, is_all(&recorded) ? NULL : s->times + INDEX_BULK));
	if (!is_all(&happened))
		filter_by_span(s, g, &happened, s->times);
	if (!is_all(&recorded))
		filter_by_span(s, g, &recorded, s->times + INDEX_BULK);
	return NULL;
}

static struct err *filter_by_importance(struct search *s, const struct segment *g)
{
	uint8_t least = importance_byte(s->q->importance_min);
	struct str data;

	if (!least)
		return NULL;
	TRY(attribute_get(s->db, s->a, g->segment, "importance", &data));
	if (data.n != segment_size(g))
		return index_damaged("attributes of segment", g->segment);
	for (uint32_t i = 0; i < data.n; i++)
		if ((uint8_t)data.p[i] < least)
			s->meant[i / 64] &= ~(UINT64_C(1) << i % 64);
	return NULL;
}

static struct err *filter_segment(struct search *s, const struct segment *g)
{
	const struct index_query *q = s->q;

	memset(s->meant, 0xff, bitmap_words(g) * 8);
	TRY(leave_out_removed(s, g));
	for (size_t i = 0; i < q->n_groups && any_bit(s->meant, bitmap_words(g)); i++)
		TRY(filter_by_clause(s, g, &q->groups[i]));
	TRY(filter_by_times(s, g));
	return filter_by_importance(s, g);
}

/* ---- scores ---- */

static void score_add_term(struct search *s, const struct asked *t, struct postings *r,
			   const unsigned char *classes)
{
	struct posting some[POSTINGS_SOME];
	const uint32_t counts = t->counts;
	float *scores = s->scores;
	size_t n;

	while ((n = postings_some(r, some)))
		for (size_t i = 0; i < n; i++) {
			uint32_t at = some[i].at, count = some[i].count;
			uint8_t class = classes[at];

			scores[at] += count <= counts ? t->gives[count - 1][class]
						      : search_gives(s, t, count, class);
		}
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
			TRY(list_again(s->db, &l, &rows));
		r = postings_read(&l.e, segment_size(g));
		score_add_term(s, t, &r, (const unsigned char *)classes.p);
		if (rows)
			db_reset(rows);
		if (r.damaged)
			return index_damaged("page", l.page);
	}
	return NULL;
}

static void clear_other_scores(float *scores, uint64_t meant)
{
	if (!meant)
		memset(scores, 0, 64 * sizeof(*scores));
	else
		for (uint64_t others = ~meant; others; others &= others - 1)
			scores[__builtin_ctzll(others)] = 0;
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
		from -= BLOCK;
		if (~s->meant[from / BLOCK])
			clear_other_scores(s->scores + from, s->meant[from / BLOCK]);
		s->hits->matched += count_found(s->scores + from, least, &good);
		if (!good)
			continue;
		for (uint32_t i = from + BLOCK; i-- > from;)
			if (s->scores[i] > least && s->scores[i] > 0) {
				search_offer(s, g->first + i, (double)s->scores[i]);
				least = (float)search_least(s);
			}
	}
}

static struct err *index_score_segment(struct search *s, size_t i, const struct segment *g)
{
	memset(s->scores, 0, segment_size(g) * sizeof(*s->scores));
	/* The statement stays open, so the lengths are read in place. */
	DB_EACH(rows, s->db, Q_INDEX_LENGTHS, DB_I(g->segment)) {
		TRY(add_terms(s, i, g, db_bytes(rows, 0)));
		offer_scores(s, g);
		return NULL;
	}
	return index_damaged("attributes of segment", g->segment);
}

static void offer_all(struct search *s, const struct segment *g)
{
	for (size_t i = bitmap_words(g); i-- > 0;) {
		uint64_t left = s->meant[i];

		s->hits->matched += __builtin_popcountll(left);
		while (left && s->hits->n < s->q->limit) {
			int bit = 63 - __builtin_clzll(left);

			search_offer(s, g->first + (int64_t)i * 64 + bit, 0);
			left &= ~(UINT64_C(1) << bit);
		}
	}
}

struct err *search_segment(struct search *s, size_t i)
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
	if (s->q->n_terms)
		return index_score_segment(s, i, g);
	offer_all(s, g);
	return NULL;
}
