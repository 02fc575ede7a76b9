/* Every row of everybody, as doctor wants it: which are damaged, and out of the way with them. */
#include "base/base.h"
#include "memory/internal.h"

#define VERIFY_BATCH 64

struct damaged_row {
	const char *table, *key;
	int64_t doc;
	struct str id; /* of a deleted one, as it is in the store */
	struct str why;
};

struct verify {
	struct memories *m;
	struct arena *a;
	struct memory_verified *out;
	struct {
		struct damaged_row *p;
		size_t n, cap;
	} damaged;
};

static void verify_note(struct verify *v, struct db_rows *rows, bool deleted, const struct err *e)
{
	*VEC_PUSH(v->a, &v->damaged) = (struct damaged_row){
		.table = deleted ? "deleted_memories" : "memories",
		.key = deleted ? "id" : "doc",
		.doc = deleted ? 0 : db_int(rows, 0),
		.id = deleted ? db_str(rows, v->a, 0) : STR(""),
		.why = str_dup(v->a, str_of(err_message(e))),
	};
	v->out->damaged++;
}

static struct err *verify_rows(struct verify *v, enum db_query query, bool deleted, int64_t *n)
{
	struct arena *a = arena_new();
	struct db_rows *rows;
	struct err *e = db_ask(v->m->db, query, &rows);
	bool more = !e;

	while (!e) {
		struct memory one;
		struct err *bad;

		e = db_next(rows, &more);
		if (e || !more)
			break;
		bad = deleted ? memory_tombstone(v->m, a, rows, &one)
			      : memory_row(v->m, a, rows, &one);
		if (bad) {
			verify_note(v, rows, deleted, bad);
			if (!db_pass_over(v->m->db, bad))
				e = bad;
		}
		if (++*n % VERIFY_BATCH)
			continue;
		arena_free(a);
		a = arena_new();
	}
	if (e && more)
		db_reset(rows);
	arena_free(a);
	return e;
}

static struct err *verify_tagless(struct verify *v)
{
	struct db_rows *rows;
	bool more;

	TRY(db_ask(v->m->db, Q_VERIFY_TAGLESS, &rows));
	TRY(db_next(rows, &more));
	if (!more)
		return NULL;
	v->out->tagless = db_int(rows, 0);
	db_reset(rows);
	return NULL;
}

static struct err *verify_all(void *ctx)
{
	struct verify *v = ctx;
	struct index_stats stats;

	TRY(verify_rows(v, Q_VERIFY_MEMORIES, false, &v->out->memories));
	TRY(verify_rows(v, Q_VERIFY_DELETED, true, &v->out->deleted));
	TRY(verify_tagless(v));
	v->out->index = index_stats(v->m->db, v->a, &stats);
	v->out->indexed = v->out->index ? 0 : stats.docs;
	return NULL;
}

struct err *memory_verify(struct memories *m, struct arena *a, struct memory_verified *out)
{
	struct verify v = {.m = m, .a = a, .out = out};

	*out = (struct memory_verified){0};
	return db_read(m->db, verify_all, &v);
}

static struct err *set_aside(void *ctx)
{
	struct verify *v = ctx;

	TRY(verify_rows(v, Q_VERIFY_MEMORIES, false, &v->out->memories));
	TRY(verify_rows(v, Q_VERIFY_DELETED, true, &v->out->deleted));
	for (size_t i = 0; i < v->damaged.n; i++) {
		const struct damaged_row *row = &v->damaged.p[i];

		TRY(db_set_aside(v->m->db, row->table, row->key,
				 row->id.n ? DB_S(row->id) : DB_I(row->doc),
				 str_c(v->a, row->why)));
	}
	return NULL;
}

struct err *memory_set_aside(struct memories *m, struct arena *a, int64_t *moved)
{
	struct memory_verified out = {0};
	struct verify v = {.m = m, .a = a, .out = &out};

	TRY(db_write(m->db, set_aside, &v));
	*moved = out.damaged;
	return NULL;
}
