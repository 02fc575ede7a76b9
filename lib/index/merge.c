/*
 * Merging, in steps that are a short transaction each. What is due is read from the tables in each
 * step, and a large segment that is being built is as far as its last posting: so any process may
 * do the next step, several may take turns, and one that dies leaves nothing to clean up.
 */
#include "base/base.h"
#include "index/internal.h"
#include <limits.h>

/*
 * Steps of large merges that one call does: they go on with the next calls, so that nobody waits
 * for a whole one.
 */
#define STEPS 8
/* Of rows of postings that are read at once from each of the small segments. */
#define STEP_ROWS(blocks) ((blocks).small / 16)
/* Bytes of recent rows whose postings are made in one pass. */
#define PASS_BYTES (64 << 20)

enum due { NOTHING, SMALL, LARGE, DROPPED };

struct merge {
	struct db *db;
	struct arena *a;
	struct blocks blocks;
	struct segments all;
	int64_t last, oldest; /* numbers: the last given, the least in index_recent or 0 */
	enum due due;
	int64_t first;  /* of the block; the segment to be dropped */
	bool begun;     /* a large one */
	unsigned large; /* how many are due */
};

static int64_t large_of(const struct merge *m, const struct segment *g)
{
	return g->first - g->first % m->blocks.large;
}

/* ---- what is due ---- */

static struct err *read_numbers(struct merge *m)
{
	struct db_rows *rows;
	bool more;

	m->last = m->oldest = 0;
	TRY(db_ask(m->db, Q_INDEX_LAST, &rows));
	TRY(db_next(rows, &more));
	if (more) {
		m->last = db_int(rows, 0);
		m->oldest = db_int(rows, 1);
	}
	db_reset(rows);
	return NULL;
}

static void find_large(struct merge *m)
{
	int64_t before = -1;

	for (size_t i = 0; i < m->all.n; i++) {
		const struct segment *g = &m->all.p[i];
		int64_t first = large_of(m, g);

		if (g->building) {
			m->begun = true;
			m->first = first;
			m->due = LARGE;
		} else if (g->live && !segment_is_large(g->segment) && first + m->blocks.large <= m->last &&
			   first != before) {
			m->large++;
			before = first;
			if (!m->begun) {
				m->first = m->due == LARGE ? m->first : first;
				m->due = LARGE;
			}
		}
	}
}

/* A block is due when a greater number was given: then nobody adds to it any more. */
static struct err *plan(struct merge *m)
{
	m->due = NOTHING;
	m->begun = false;
	m->large = 0;
	TRY(read_numbers(m));
	TRY(segments_read(m->db, m->a, &m->all));
	if (m->oldest && m->oldest - m->oldest % m->blocks.small + m->blocks.small <= m->last) {
		m->due = SMALL;
		m->first = m->oldest - m->oldest % m->blocks.small;
		return NULL;
	}
	find_large(m);
	for (size_t i = 0; i < m->all.n && m->due == NOTHING; i++)
		if (!m->all.p[i].live && !m->all.p[i].building) {
			m->due = DROPPED;
			m->first = m->all.p[i].segment;
		}
	return NULL;
}

/* ---- a small segment, from rows ---- */

struct pass {
	struct build *b;
	struct lists lists;
	int64_t from, to; /* keys */
	bool first;       /* the one that sees to what is no posting */
};

static struct err *add_keys(struct pass *p, const struct row *row, uint32_t at, bool marks)
{
	const unsigned char *keys = marks ? row->marks : row->terms;
	uint32_t n = marks ? row->n_marks : row->n_terms;
	const unsigned char *counts = row->counts;
	uint64_t count = 1;

	for (uint32_t i = 0; i < n; i++) {
		int64_t key = (int64_t)row_key(keys, i);

		if (!marks)
			counts = get_varint(counts, row->end, &count);
		if (!counts || !count || count > UINT32_MAX)
			return index_damaged("document", row->doc);
		if (key >= p->from && key <= p->to &&
		    !lists_add(&p->lists, (uint64_t)key, at, (uint32_t)count))
			return index_damaged("document", row->doc);
	}
	return NULL;
}

static struct err *add_row(void *ctx, const struct row *row)
{
	struct pass *p = ctx;
	uint32_t at = (uint32_t)(row->doc - p->b->segment.first);

	if (p->first)
		build_doc(p->b, at, row->length, row->happened, row->recorded, row->importance);
	TRY(add_keys(p, row, at, false));
	return add_keys(p, row, at, true);
}

static struct err *merge_small(struct merge *m)
{
	struct pass p = {.first = true, .from = INT64_MIN};
	int64_t first = m->first, end = first + m->blocks.small, greatest, bytes;
	int64_t segment = segment_number(&m->blocks, first, false);
	struct db_rows *rows;
	uint64_t passes;
	bool more;

	TRY(db_ask(m->db, Q_INDEX_RECENT_SIZE, &rows, DB_I(first), DB_I(end - 1)));
	TRY(db_next(rows, &more));
	if (!more)
		return NULL;
	greatest = db_int(rows, 0);
	bytes = db_int(rows, 1);
	db_reset(rows);
	passes = (uint64_t)bytes / PASS_BYTES + 1;
	p.b = build_new(m->a, segment, first, (uint32_t)(greatest - first + 64) / 64 * 64);
	TRY(db_do(m->db, Q_INDEX_SEGMENT_PUT, NULL, DB_I(segment), DB_I(first)));
	for (uint64_t i = 0; i < passes; i++, p.first = false, p.from = p.to + 1) {
		struct err *e;

		p.lists = (struct lists){.a = arena_new()};
		p.to = i + 1 < passes ? p.from + (int64_t)(UINT64_MAX / passes) : INT64_MAX;
		e = row_each(m->db, first, end - 1, add_row, &p);
		if (!e)
			e = lists_put(&p.lists, m->db, segment, p.b->size);
		arena_free(p.lists.a);
		TRY(e);
	}
	TRY(build_finish(p.b, m->db));
	return db_do(m->db, Q_INDEX_RECENT_REMOVE_ALL, NULL, DB_I(first), DB_I(end - 1));
}

/* ---- a large segment, from small ones ---- */

static struct err *one_term(struct db *db, enum db_query query, int64_t segment, int64_t from,
			    int64_t offset, int64_t *out, bool *found)
{
	struct db_rows *rows;

	if (query == Q_INDEX_POSTING_LAST)
		TRY(db_ask(db, query, &rows, DB_I(segment)));
	else
		TRY(db_ask(db, query, &rows, DB_I(segment), DB_I(from), DB_I(offset)));
	TRY(db_next(rows, found));
	if (*found)
		*out = db_int(rows, 0);
	db_reset(rows);
	return NULL;
}

/* Adds the lists of a range of keys to those of a segment that begins `base` numbers earlier. */
static struct err *add_range(struct db *db, const struct segment *g, int64_t from, int64_t to,
			     uint32_t base, struct lists *lists)
{
	struct db_rows *rows;
	bool more;

	TRY(db_ask(db, Q_INDEX_POSTING_RANGE, &rows, DB_I(g->segment), DB_I(from), DB_I(to)));
	for (;;) {
		struct postings r;
		uint32_t at, count;
		uint64_t key;

		TRY(db_next(rows, &more));
		if (!more)
			return NULL;
		key = (uint64_t)db_int(rows, 0);
		r = postings_read(db_bytes(rows, 1), segment_size(g));
		while (postings_next(&r, &at, &count) && lists_add(lists, key, base + at, count))
			;
		if (r.damaged || r.p != r.end) {
			db_reset(rows);
			return index_damaged("postings of segment", g->segment);
		}
	}
}

static bool is_part(const struct merge *m, const struct segment *g)
{
	return g->live && !segment_is_large(g->segment) && large_of(m, g) == m->first;
}

static struct err *add_attributes(struct merge *m, struct build *b, const struct segment *g)
{
	const char *const names[] = {"length", "importance", "happened", "recorded"};
	uint32_t base = (uint32_t)(g->first - m->first), size = segment_size(g);
	struct str data[ARRAY_SIZE(names)];
	struct segment *sum = &b->segment;
	unsigned char *removed;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		TRY(attribute_get(m->db, m->a, g->segment, names[i], &data[i]));
	if (data[0].n != size || data[1].n != size)
		return index_damaged("attributes of segment", g->segment);
	memcpy(b->length + base, data[0].p, size);
	memcpy(b->importance + base, data[1].p, size);
	TRY(times_read(g, data[2], b->happened + base));
	TRY(times_read(g, data[3], b->recorded + base));
	TRY(removed_get(m->db, m->a, g, &removed));
	if (removed)
		memcpy(b->removed + base / 8, removed, size / 8);
	else
		memset(b->removed + base / 8, 0, size / 8);
	if (!sum->docs || g->happened_least < sum->happened_least)
		sum->happened_least = g->happened_least;
	if (!sum->docs || g->happened_most > sum->happened_most)
		sum->happened_most = g->happened_most;
	if (!sum->docs || g->recorded_least < sum->recorded_least)
		sum->recorded_least = g->recorded_least;
	if (!sum->docs || g->recorded_most > sum->recorded_most)
		sum->recorded_most = g->recorded_most;
	sum->docs += g->docs;
	sum->length += g->length;
	/* What was removed is in the postings still: it was copied with the rest. */
	sum->removals += g->removals - g->swept;
	return NULL;
}

static struct err *finish_large(struct merge *m, int64_t segment, uint32_t size)
{
	struct build *b = build_new(m->a, segment, m->first, size);

	for (size_t i = 0; i < m->all.n; i++)
		if (is_part(m, &m->all.p[i])) {
			TRY(add_attributes(m, b, &m->all.p[i]));
			TRY(db_do(m->db, Q_INDEX_SEGMENT_DROP, NULL, DB_I(m->all.p[i].segment)));
		}
	return build_finish(b, m->db);
}

static struct err *merge_large(struct merge *m)
{
	int64_t segment = segment_number(&m->blocks, m->first, true), from = INT64_MIN;
	int64_t to = INT64_MAX, term = 0;
	struct lists lists = {.a = m->a};
	bool found = false;
	uint32_t size = 0;

	if (!m->begun)
		TRY(db_do(m->db, Q_INDEX_SEGMENT_PUT, NULL, DB_I(segment), DB_I(m->first)));
	else
		TRY(one_term(m->db, Q_INDEX_POSTING_LAST, segment, 0, 0, &term, &found));
	if (found && term < INT64_MAX)
		from = term + 1;
	for (size_t i = 0; i < m->all.n; i++)
		if (is_part(m, &m->all.p[i])) {
			size = (uint32_t)(m->all.p[i].last - m->first + 1);
			TRY(one_term(m->db, Q_INDEX_POSTING_AFTER, m->all.p[i].segment, from,
				     STEP_ROWS(m->blocks), &term, &found));
			if (found && term <= to)
				to = term - 1;
		}
	for (size_t i = 0; i < m->all.n; i++)
		if (is_part(m, &m->all.p[i]))
			TRY(add_range(m->db, &m->all.p[i], from, to,
				      (uint32_t)(m->all.p[i].first - m->first), &lists));
	TRY(lists_put(&lists, m->db, segment, size));
	return to == INT64_MAX ? finish_large(m, segment, size) : NULL;
}

static struct err *drop(struct merge *m)
{
	TRY(db_do(m->db, Q_INDEX_POSTING_REMOVE, NULL, DB_I(m->first), DB_I(INT64_MIN),
		  DB_I(INT64_MAX)));
	TRY(db_do(m->db, Q_INDEX_ATTRIBUTE_REMOVE, NULL, DB_I(m->first)));
	return db_do(m->db, Q_INDEX_SEGMENT_REMOVE, NULL, DB_I(m->first));
}

/* ---- steps ---- */

static struct err *step(void *ctx)
{
	struct merge *m = ctx;

	/* Again: another process may have done it since. */
	TRY(plan(m));
	switch (m->due) {
	case SMALL:
		return merge_small(m);
	case LARGE:
		return merge_large(m);
	case DROPPED:
		return drop(m);
	case NOTHING:
	default:
		return NULL;
	}
}

/* At most so many steps, or more as long as the index is behind. */
static struct err *merge_some(struct db *db, unsigned steps)
{
	for (unsigned n = 0;; n++) {
		struct merge m = {.db = db, .a = arena_new(), .blocks = blocks_now()};
		struct err *e = plan(&m);
		bool go_on = !e && m.due != NOTHING && (n < steps || m.due == SMALL || m.large > 1);

		if (go_on)
			e = db_write(db, step, &m);
		arena_free(m.a);
		if (e || !go_on)
			return e;
	}
}

struct err *merge_all(struct db *db)
{
	return merge_some(db, UINT_MAX);
}

struct err *index_tend(struct db *db, struct arena *a)
{
	struct segments all;
	struct err *e = merge_some(db, STEPS);

	if (!e)
		e = segments_live(db, a, &all);
	/* What was removed costs time until it is out of the postings. */
	for (size_t i = 0; !e && i < all.n; i++)
		if (all.p[i].removals - all.p[i].swept > all.p[i].docs)
			e = sweep_segment(db, all.p[i].segment);
	/* Who keeps us from it writes, and so will tend it himself. */
	return e && err_reason(e) == E_LOCKED ? NULL : e;
}
