/* Reads all rows of all users, for ikm-doctor(1). */
#include "memory/internal.h"

struct verify {
	struct memories *m;
	struct arena *a;
	struct memory_verified *out;
	struct db_damaged_rows *damaged;
};

static struct err *verify_memory(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct memory one;

	return memory_row(ctx, a, rows, &one);
}

static struct err *verify_tombstone(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct memory one;

	return memory_tombstone(ctx, a, rows, &one);
}

static struct err *verify_tagless(struct verify *v)
{
	DB_EACH(rows, v->m->db, Q_VERIFY_TAGLESS)
		v->out->tagless = db_int(rows, 0);
	return NULL;
}

static struct err *verify_all(void *ctx)
{
	struct verify *v = ctx;
	const struct db_verify live = {Q_VERIFY_MEMORIES, "memories", "doc", 0,
				       verify_memory,     v->m};
	const struct db_verify dead = {
		Q_VERIFY_DELETED, "deleted_memories", "id", 0, verify_tombstone, v->m};
	struct index_stats stats;

	TRY(db_verify(v->m->db, v->a, &live, v->damaged, &v->out->memories));
	TRY(db_verify(v->m->db, v->a, &dead, v->damaged, &v->out->deleted));
	TRY(verify_tagless(v));
	v->out->index = index_stats(v->m->db, v->a, &stats);
	v->out->indexed = v->out->index ? 0 : stats.docs;
	return NULL;
}

struct err *memory_verify(struct memories *m, struct arena *a, struct memory_verified *out,
			  struct db_damaged_rows *damaged)
{
	struct verify v = {.m = m, .a = a, .out = out, .damaged = damaged};

	*out = (struct memory_verified){0};
	return db_read(m->db, verify_all, &v);
}
