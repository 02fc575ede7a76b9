/* Reads all rows of all users, for ikm-doctor(1). */
#include "memory/storage_internal.h"

/* What a scope of the index has, counted anew. words: a sum over the vocabulary. */
struct verify_counts {
	int64_t scope, docs, length;
	uint64_t words;
};

struct verify {
	struct memories *m;
	struct arena *a;
	struct memory_verified *out;
	struct db_damaged_rows *damaged;
	struct VEC(struct verify_counts) scopes;
	/* hash table: a scope to its index + 1 in scopes; a power of two, half empty */
	size_t *slots, n_slots;
	uint64_t postings;
};

static size_t *verify_slot(const struct verify *v, int64_t scope)
{
	size_t at = (size_t)((uint64_t)scope * UINT64_C(0x9E3779B97F4A7C15) >> 20);

	for (;; at++) {
		size_t *slot = &v->slots[at & (v->n_slots - 1)];

		if (!*slot || v->scopes.p[*slot - 1].scope == scope)
			return slot;
	}
}

/* Each session is a scope, so there may be as many as memories. */
static struct verify_counts *verify_scope(struct verify *v, int64_t scope)
{
	size_t *slot;

	if (v->scopes.n * 2 >= v->n_slots) {
		v->n_slots = size_max(v->n_slots * 2, 1024);
		v->slots = arena_array(v->a, v->n_slots, sizeof(*v->slots));
		for (size_t i = 0; i < v->scopes.n; i++)
			*verify_slot(v, v->scopes.p[i].scope) = i + 1;
	}
	slot = verify_slot(v, scope);
	if (!*slot) {
		*VEC_PUSH(v->a, &v->scopes) = (struct verify_counts){.scope = scope};
		*slot = v->scopes.n;
	}
	return &v->scopes.p[*slot - 1];
}

static struct err *verify_memory(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct verify *v = ctx;
	struct verify_counts *c;
	struct strs uses = {0};
	struct index_doc doc;
	struct memory one;

	TRY(memory_row(v->m, a, rows, &one));
	TRY(memory_index_doc(v->m, a, &one, &doc, &uses));
	c = verify_scope(v, doc.scope);
	c->docs++;
	c->length += doc.length;
	v->postings += index_postings_sum_of(&doc);
	for (size_t i = 0; i < uses.n; i++)
		c->words += words_term_hash('w', uses.p[i]);
	return NULL;
}

static struct err *verify_tombstone(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct memory one;

	return memory_tombstone_read(ctx, a, rows, &one);
}

static struct err *verify_index(struct verify *v)
{
	struct index_stats stats;
	uint64_t postings;
	bool counts;

	TRY(index_stats(v->m->db, v->a, NULL, 0, &stats));
	v->out->indexed = stats.all;
	/* A rebuild counts anew. */
	TRY(index_removal_must_be_counted(v->m->db, 0, &counts));
	if (!counts || v->damaged->n || v->out->stale)
		return NULL;
	TRY(index_postings_checksum(v->m->db, v->a, &postings));
	v->out->postings = postings == v->postings;
	/* Compares the counters with what was counted. */
	DB_EACH(rows, v->m->db, Q_VERIFY_SCOPES) {
		struct verify_counts *c = verify_scope(v, db_column_int(rows, 0));

		c->docs -= db_column_int(rows, 1);
		c->length -= db_column_int(rows, 2);
	}
	DB_EACH(rows, v->m->db, Q_VERIFY_WORDS)
		verify_scope(v, db_column_int(rows, 0))->words -=
			words_term_hash('w', db_column_bytes(rows, 1)) *
			(uint64_t)db_column_int(rows, 2);
	for (size_t i = 0; i < v->scopes.n; i++) {
		const struct verify_counts *c = &v->scopes.p[i];

		v->out->miscounted += c->docs || c->length || c->words;
	}
	return NULL;
}

struct err *memory_verify_all(struct memories *m, struct arena *a, struct memory_verified *out,
			      struct db_damaged_rows *damaged)
{
	struct verify v = {.m = m, .a = a, .out = out, .damaged = damaged};
	const struct db_verify live = {Q_VERIFY_MEMORIES, "memories", "doc", 0, verify_memory, &v};
	const struct db_verify dead = {
		Q_VERIFY_DELETED, "deleted_memories", "id", 0, verify_tombstone, m};
	struct db_txn t DB_TXN = {0};
	struct words *w;

	*out = (struct memory_verified){.postings = true};
	TRY(db_begin_read(&t, m->db));
	TRY(memory_word_splitter(m, a, &w));
	TRY(db_verify(m->db, a, &live, damaged, &out->memories));
	TRY(db_verify(m->db, a, &dead, damaged, &out->deleted));
	TRY(index_stale(m->db, &out->stale));
	out->index = verify_index(&v);
	return NULL;
}
