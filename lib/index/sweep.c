/*
 * Takes removed documents out of postings where they are, in short transactions: each changes some
 * rows and what index_gone subtracts for them, so that every count is right in between.
 */
#include "base/base.h"
#include "index/internal.h"

/* Of rows that are looked at, and bytes that are written, in one transaction. */
enum { SWEEP_ROWS = 4096, SWEEP_BYTES = 1 << 20 };

struct change {
	int64_t key, gone;
	struct list list;
};

struct sweep {
	struct db *db;
	struct arena *a; /* of a step */
	int64_t segment, from; /* the next key */
	int64_t removals; /* when it began: the ones that it takes out for sure */
	bool begun, done;
	struct segment g;
	unsigned char *removed;
	struct {
		struct change *p;
		size_t n, cap;
	} changes;
	size_t bytes;
};

/* What is live, and not being copied into a large one in this moment. */
static struct err *find(struct sweep *s)
{
	struct segments all;

	TRY(segments_read(s->db, s->a, &all));
	s->done = true;
	for (size_t i = 0; i < all.n; i++)
		if (all.p[i].segment == s->segment && all.p[i].live) {
			s->g = all.p[i];
			s->done = false;
		}
	for (size_t i = 0; i < all.n; i++)
		if (all.p[i].building && !segment_is_large(s->segment) &&
		    s->g.first / blocks_now().large == all.p[i].first / blocks_now().large)
			s->done = true;
	return NULL;
}

static struct err *look_at(struct sweep *s, int64_t key, struct str data)
{
	struct postings r = postings_read(data, segment_size(&s->g));
	struct list list = {.key = (uint64_t)key};
	uint32_t at, count;
	int64_t gone = 0;

	while (postings_next(&r, &at, &count))
		gone += s->removed[at / 8] >> at % 8 & 1;
	if (!gone && !r.damaged)
		return NULL;
	r = postings_read(data, segment_size(&s->g));
	while (postings_next(&r, &at, &count))
		if (!(s->removed[at / 8] >> at % 8 & 1))
			list_add(&list, s->a, at, count);
	if (r.damaged)
		return index_damaged("postings of segment", s->segment);
	*VEC_PUSH(s->a, &s->changes) = (struct change){key, gone, list};
	s->bytes += data.n;
	return NULL;
}

static struct err *look(struct sweep *s)
{
	struct db_rows *rows;
	struct err *e = NULL;
	int64_t key = s->from;
	bool more = true;

	TRY(db_ask(s->db, Q_INDEX_POSTING_RANGE, &rows, DB_I(s->segment), DB_I(s->from),
		   DB_I(INT64_MAX)));
	for (int n = 0; !e && n < SWEEP_ROWS && s->bytes < SWEEP_BYTES; n++) {
		e = db_next(rows, &more);
		if (e || !more)
			break;
		key = db_int(rows, 0);
		e = look_at(s, key, db_bytes(rows, 1));
	}
	db_reset(rows);
	s->done = !more || key == INT64_MAX;
	s->from = s->done ? key : key + 1;
	return e;
}

static struct err *change(struct sweep *s)
{
	struct buf data = buf_in(s->a);

	for (size_t i = 0; i < s->changes.n; i++) {
		const struct change *c = &s->changes.p[i];

		TRY(db_do(s->db, Q_INDEX_GONE_ADD, NULL, DB_I(c->key), DB_I(-c->gone)));
		list_bytes(&c->list, segment_size(&s->g), &data);
		if (c->list.docs)
			TRY(db_do(s->db, Q_INDEX_POSTING_CHANGE, NULL, DB_I(s->segment),
				  DB_I(c->key), DB_I(c->list.docs), DB_B(buf_str(&data))));
		else
			TRY(db_do(s->db, Q_INDEX_POSTING_REMOVE, NULL, DB_I(s->segment),
				  DB_I(c->key), DB_I(c->key)));
	}
	return NULL;
}

static struct err *change_bytes(struct sweep *s, const char *attribute)
{
	struct str bytes;

	TRY(attribute_get(s->db, s->a, s->segment, attribute, &bytes));
	if (bytes.n != segment_size(&s->g))
		return index_damaged("attributes of segment", s->segment);
	for (uint32_t i = 0; i < bytes.n; i++)
		if (s->removed[i / 8] >> i % 8 & 1)
			((char *)bytes.p)[i] = 0;
	return attribute_put(s->db, s->segment, attribute, bytes);
}

static struct err *change_times(struct sweep *s, const char *attribute)
{
	uint32_t n = segment_size(&s->g);
	int64_t *times = arena_array(s->a, n, sizeof(*times));
	struct str bytes;

	TRY(attribute_get(s->db, s->a, s->segment, attribute, &bytes));
	TRY(times_read(&s->g, bytes, times));
	for (uint32_t i = 0; i < n; i++)
		if (s->removed[i / 8] >> i % 8 & 1)
			times[i] = i ? times[i - 1] : 0;
	return attribute_put(s->db, s->segment, attribute, times_make(s->a, times, n));
}

static struct err *finish(struct sweep *s)
{
	TRY(db_do(s->db, Q_INDEX_GONE_TIDY, NULL));
	if (!s->g.docs && s->g.removals == s->removals) {
		TRY(db_do(s->db, Q_INDEX_ATTRIBUTE_REMOVE, NULL, DB_I(s->segment)));
		return db_do(s->db, Q_INDEX_SEGMENT_REMOVE, NULL, DB_I(s->segment));
	}
	TRY(change_bytes(s, "length"));
	TRY(change_bytes(s, "importance"));
	TRY(change_times(s, "happened"));
	TRY(change_times(s, "recorded"));
	return db_do(s->db, Q_INDEX_SEGMENT_SWEPT, NULL, DB_I(s->segment), DB_I(s->removals));
}

static struct err *step(void *ctx)
{
	struct sweep *s = ctx;

	TRY(find(s));
	if (s->done)
		return NULL;
	if (!s->begun)
		s->removals = s->g.removals;
	s->begun = true;
	TRY(removed_get(s->db, s->a, &s->g, &s->removed));
	if (!s->removed)
		return index_damaged("removed documents of segment", s->segment);
	TRY(look(s));
	TRY(change(s));
	return s->done ? finish(s) : NULL;
}

struct err *sweep_segment(struct db *db, int64_t segment)
{
	struct sweep s = {.db = db, .segment = segment, .from = INT64_MIN};

	while (!s.done) {
		struct err *e;

		s.a = arena_new();
		s.changes.n = s.changes.cap = s.bytes = 0;
		e = db_write(db, step, &s);
		arena_free(s.a);
		TRY(e);
	}
	return NULL;
}

/* What is removed while this runs may keep a segment from being clean; but not for ever. */
enum { ROUNDS = 8 };

struct err *index_sweep(struct db *db, struct arena *a,
			void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct segments all;
		size_t n = 0, done = 0;

		TRY(merge_all(db));
		TRY(segments_live(db, a, &all));
		for (size_t i = 0; i < all.n; i++)
			n += all.p[i].removals > all.p[i].swept;
		if (!n)
			return NULL;
		for (size_t i = 0; i < all.n; i++)
			if (all.p[i].removals > all.p[i].swept) {
				TRY(sweep_segment(db, all.p[i].segment));
				if (progress)
					progress(ctx, ++done, n);
			}
	}
	return err_help(err_new(E_LOCKED, "others remove memories all the time"), "try again");
}
