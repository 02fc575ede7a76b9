/* The list of segments, and the attributes of their documents. */
#include "index/internal.h"
#include "os/os.h"

#define SMALL_BITS 12

struct blocks index_block_sizes(void)
{
	int64_t bits = SMALL_BITS;
#ifdef IKM_TEST
	const char *set = os_env("IKM_INDEX_BITS");

	if (set && (!str_int(str_of(set), &bits) || bits < 6 || bits > SMALL_BITS))
		BUG("IKM_INDEX_BITS=%s is not 6 to %d", set, SMALL_BITS);
#endif
	/* Four pages fit into one page of SQLite. */
	return (struct blocks){INT64_C(1) << bits, INT64_C(16) << bits, (size_t)980 >> (12 - bits)};
}

/* True when the row's sizes are valid, so damaged data cannot cause a wrong size. */
static bool is_sound(const struct segment *g)
{
	return g->first >= 0 && g->last >= g->first && g->last - g->first < INDEX_BULK &&
	       (g->last - g->first + 1) % 64 == 0 && g->docs >= 0 && g->length >= 0 &&
	       g->docs <= g->last - g->first + 1;
}

struct err *segments_read(struct db *db, struct arena *a, struct segments *out)
{
	*out = (struct segments){0};
	DB_EACH(rows, db, Q_INDEX_SEGMENTS_EACH) {
		struct segment g = {
			.segment = db_column_int(rows, 0),
			.live = db_column_int(rows, 1),
			.building = db_column_int(rows, 2),
			.first = db_column_int(rows, 3),
			.last = db_column_int(rows, 4),
			.docs = db_column_int(rows, 5),
			.length = db_column_int(rows, 6),
			.removals = db_column_int(rows, 7),
			.swept = db_column_int(rows, 8),
			.happened_least = db_column_int(rows, 9),
			.happened_most = db_column_int(rows, 10),
			.recorded_least = db_column_int(rows, 11),
			.recorded_most = db_column_int(rows, 12),
		};

		if (g.live && !is_sound(&g))
			return index_damaged("segment", g.segment);
		*VEC_PUSH(a, out) = g;
	}
	return NULL;
}

struct err *segments_live(struct db *db, struct arena *a, struct segments *out)
{
	size_t n = 0;

	TRY(segments_read(db, a, out));
	for (size_t i = 0; i < out->n; i++)
		if (out->p[i].live)
			out->p[n++] = out->p[i];
	out->n = n;
	/* A search takes the segments as one ascending range of numbers. */
	for (size_t i = 1; i < n; i++)
		if (out->p[i].first <= out->p[i - 1].last)
			return index_damaged("segment", out->p[i].segment);
	return NULL;
}

/* ---- attributes ---- */

struct err *attribute_get_of_segment(struct db *db, struct arena *a, int64_t segment,
				     const char *attribute, struct str *out)
{
	*out = (struct str){0};
	DB_EACH(rows, db, Q_INDEX_ATTRIBUTE_GET, DB_I(segment), DB_S(str_of(attribute)))
		*out = str_dup(a, db_column_bytes(rows, 0));
	return NULL;
}

struct err *attribute_put_in_segment(struct db *db, int64_t segment, const char *attribute,
				     struct str data)
{
	return db_do(db, Q_INDEX_ATTRIBUTE_PUT, NULL, DB_I(segment), DB_S(str_of(attribute)),
		     DB_B(data));
}

struct err *removed_bitmap_read(struct db *db, struct arena *a, const struct segment *g,
				unsigned char **out)
{
	struct str bits;

	*out = NULL;
	if (g->docs == segment_size(g))
		return NULL;
	TRY(attribute_get_of_segment(db, a, g->segment, "removed", &bits));
	if (bits.n != segment_size(g) / 8)
		return index_damaged("removed documents of segment", g->segment);
	*out = (unsigned char *)bits.p;
	return NULL;
}

/*
 * ---- times: each is coded as the difference to the time before, with the sign in the lowest bit.
 * `recorded` codes the time since `happened`, which is mostly constant. ----
 */

static struct str times_make(struct arena *a, const int64_t *times, const int64_t *since,
			     uint32_t n)
{
	unsigned char *data = arena_array(a, n, VARINT_MAX), *p = data;
	uint64_t before = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t time = (uint64_t)times[i] - (since ? (uint64_t)since[i] : 0);
		int64_t step = (int64_t)(time - before);

		p = put_varint(p, (uint64_t)step << 1 ^ (uint64_t)(step >> 63));
		before = time;
	}
	return (struct str){(const char *)data, (size_t)(p - data)};
}

static struct err *times_read(struct db *db, struct arena *a, const struct segment *g,
			      const char *attribute, const int64_t *since, int64_t *out)
{
	const unsigned char *p, *end;
	uint64_t time = 0, step;
	struct str data;

	TRY(attribute_get_of_segment(db, a, g->segment, attribute, &data));
	p = (const unsigned char *)data.p;
	end = p + data.n;
	for (uint32_t i = 0; i < segment_size(g); i++) {
		p = get_varint(p, end, &step);
		if (!p)
			return index_damaged("times of segment", g->segment);
		time += step >> 1 ^ -(step & 1);
		out[i] = (int64_t)(time + (since ? (uint64_t)since[i] : 0));
	}
	return p == end ? NULL : index_damaged("times of segment", g->segment);
}

struct err *segment_times_read(struct db *db, struct arena *a, const struct segment *g,
			       int64_t *happened, int64_t *recorded)
{
	TRY(times_read(db, a, g, "happened", NULL, happened));
	return recorded ? times_read(db, a, g, "recorded", happened, recorded) : NULL;
}

struct err *segment_times_write(struct db *db, struct arena *a, int64_t segment,
				const int64_t *happened, const int64_t *recorded, uint32_t n)
{
	TRY(attribute_put_in_segment(db, segment, "happened", times_make(a, happened, NULL, n)));
	return attribute_put_in_segment(db, segment, "recorded",
					times_make(a, recorded, happened, n));
}
