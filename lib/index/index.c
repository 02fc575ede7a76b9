/* Numbers, adding and removing, and what the index knows of all documents together. */
#include "base/base.h"
#include "index/internal.h"
#include <math.h>

struct err *index_damaged(const char *what, int64_t of)
{
	return err_help(err_new(E_DB_CORRUPT, "the index of memories is damaged: %s %jd", what,
				(intmax_t)of),
			"make it anew from the memories: ikm mem reindex");
}

/* ---- what is kept in a byte ---- */

void class_lengths(uint32_t lengths[CLASSES])
{
	for (uint32_t i = 0; i < CLASSES; i++)
		lengths[i] = i < 96 ? i : lengths[i - 1] + (lengths[i - 1] + 9) / 17;
}

uint8_t class_of(const uint32_t lengths[CLASSES], uint32_t length)
{
	unsigned from = 0, to = CLASSES - 1;

	if (length < 96)
		return (uint8_t)length;
	/* The nearest; what is beyond the last is as the last. */
	while (from < to) {
		unsigned mid = (from + to) / 2;

		if (lengths[mid] + (lengths[mid + 1] - lengths[mid]) / 2 < length)
			from = mid + 1;
		else
			to = mid;
	}
	return (uint8_t)from;
}

uint8_t importance_byte(double importance)
{
	/* NaN is less than everything. */
	return importance > 0 ? (uint8_t)(importance < 1 ? importance * 255 + 0.5 : 255) : 0;
}

/* ---- documents ---- */

struct err *index_next(struct db *db, int64_t *doc)
{
	struct db_rows *rows;
	bool more;

	TRY(db_ask(db, Q_INDEX_TAKE, &rows, DB_I(1)));
	TRY(db_next(rows, &more));
	*doc = more ? db_int(rows, 0) : 0;
	db_reset(rows);
	return more ? NULL : index_damaged("last number after", 0);
}

struct err *index_add(struct db *db, struct arena *a, const struct index_doc *doc)
{
	return db_do(db, Q_INDEX_RECENT_PUT, NULL, DB_I(doc->doc), DB_B(row_make(a, doc)));
}

struct err *index_remove(struct db *db, struct arena *a, const struct index_doc *doc)
{
	int64_t n;

	(void)a;
	TRY(db_do(db, Q_INDEX_RECENT_REMOVE, &n, DB_I(doc->doc)));
	return n ? NULL : index_damaged("there is no document", doc->doc);
}

struct err *index_tend(struct db *db, struct arena *a)
{
	(void)db;
	(void)a;
	return NULL;
}

struct err *index_clear(struct db *db)
{
	return db_do(db, Q_INDEX_CLEAR_RECENT, NULL);
}

/* ---- of all documents ---- */

static struct err *add_lengths(void *ctx, const struct row *row)
{
	struct segment *sum = ctx;

	sum->docs++;
	sum->length += row->length;
	return NULL;
}

struct err *index_stats(struct db *db, struct arena *a, struct index_stats *out)
{
	struct segment sum = {0};

	(void)a;
	*out = (struct index_stats){0};
	TRY(row_each(db, add_lengths, &sum));
	out->docs = sum.docs;
	if (sum.docs)
		out->length = (double)sum.length / (double)sum.docs;
	return NULL;
}

struct counting {
	const struct keys *keys;
	int64_t *out;
};

static void count_keys(struct counting *c, const unsigned char *p, size_t n)
{
	for (; n--; p += 8) {
		uint64_t key = get_u64(p);

		if (keys_may(c->keys, key))
			for (size_t i = keys_find(c->keys, key);
			     i < c->keys->n && c->keys->p[i].key == key; i++)
				c->out[c->keys->p[i].which]++;
	}
}

static struct err *count_row(void *ctx, const struct row *row)
{
	count_keys(ctx, row->terms, row->n_terms);
	count_keys(ctx, row->marks, row->n_marks);
	return NULL;
}

struct err *index_count(struct db *db, struct arena *a, const uint64_t *terms, size_t n,
			int64_t *out)
{
	struct keys keys = {0};
	struct counting c = {&keys, out};

	for (size_t i = 0; i < n; i++) {
		keys_add(&keys, a, terms[i], i);
		out[i] = 0;
	}
	keys_sort(&keys);
	return row_each(db, count_row, &c);
}

double index_idf(int64_t docs, int64_t with)
{
	return log1p(((double)(docs - with) + 0.5) / ((double)with + 0.5));
}

double index_weight(uint32_t count, uint32_t length, double mean_length)
{
	double relative = mean_length > 0 ? (double)length / mean_length : 1, n = count;

	return n * (INDEX_K1 + 1) / (n + INDEX_K1 * (1 - INDEX_B + INDEX_B * relative));
}
