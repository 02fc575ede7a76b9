/* A view of one state of the index, for several queries that share what was read. */
#include "index/internal.h"

/*
 * The limits of a view: bytes of recent rows, and the length of a list that it copies. Longer lists
 * are read again.
 */
enum { ROWS = 2 << 20, SHORT = 256 };

/* ---- recent rows ---- */

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

struct err *view_each_row(const struct index_view *v,
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

/* ---- lists ---- */

ORDER_OF(index_view_by_key, struct view_list, ORDER_UP(key))

static const struct view_list *index_view_find(const struct index_view *v, uint64_t key)
{
	struct view_list it = {.key = key};

	return v->lists.n ? bsearch(&it, v->lists.p, v->lists.n, sizeof(it), index_view_by_key)
			  : NULL;
}

const struct view_list *view_get_posting_list(const struct index_view *v, uint64_t key)
{
	const struct view_list *l = index_view_find(v, key);

	if (!l)
		BUG("a key that view_find_posting_lists() was not given");
	return l;
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

struct err *view_find_posting_lists(struct index_view *v, const struct keys *keys)
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
