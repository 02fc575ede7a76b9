/* Lists memories, newest first, row by row, so that the use of memory does not grow. */
#include "json/json.h"
#include "memory/storage_internal.h"
#include "os/os.h"

#define BATCH 64
/*
 * Up to this many matches are found with the index. With more, a scan from the newest memory finds
 * enough soon.
 */
#define FEW ((int64_t)2048)

struct each {
	struct memories *m;
	struct arena *a;
	const struct memory_filter *f;
	struct err *(*fn)(void *ctx, struct arena *a, const struct memory *one);
	void *ctx;
	struct memory from;
};

/* Checks the whole filter again: SQL compares tags as text, and does not filter tombstones. */
static bool memory_each_wanted(const struct memory_filter *f, const struct memory *one)
{
	for (size_t i = 0; i < f->tags.n; i++)
		if (!strs_has(&one->tags, f->tags.p[i]))
			return false;
	/* Only who asks for them sees them. */
	if (one->state == MEMORY_REJECTED && f->state < 0 && !f->deleted)
		return false;
	if (f->has_files && !(one->files && one->files->n))
		return false;
	return (!f->kinds || f->kinds & 1u << one->kind) &&
	       (!f->type.n || str_eq(f->type, one->type)) &&
	       (!f->session.n || str_eq(f->session, one->session)) &&
	       (!f->agent.n || str_eq(f->agent, one->agent)) &&
	       (f->status < 0 ||
		(memory_kind_rules[one->kind].has_status && f->status == (int)one->status)) &&
	       (f->state < 0 || f->state == (int)one->state);
}

/* Tells the memories of the rows. It frees the arena after every BATCH rows. */
static struct err *memory_each_walk(struct each *t, struct db_rows *rows)
{
	struct arena *batch ARENA_LOCAL = arena_new();
	size_t n = 0, all = 0;

	DB_REST(rows) {
		struct memory one;
		struct err *e = t->f->deleted ? memory_tombstone_read(t->m, batch, rows, &one)
					      : memory_row(t->m, batch, rows, &one);

		if (!db_skip_damaged_row(t->m->db, e)) {
			TRY(e);
			if (memory_each_wanted(t->f, &one)) {
				TRY(t->fn(t->ctx, batch, &one));
				all++;
			}
		}
		if (t->f->limit && all == t->f->limit)
			break;
		if (++n % BATCH)
			continue;
		arena_free(batch);
		batch = arena_new();
	}
	return NULL;
}

/* The marks that every match has in the index. Expired memories have no mark. */
static size_t marks_of(const struct memory_filter *f, uint64_t *marks)
{
	size_t n = 0;

	for (size_t i = 0; i < f->tags.n && i < MEMORY_TAGS_MAX; i++)
		marks[n++] = memory_mark_of_text(MARK_TAG, f->tags.p[i]);
	if (f->has_files)
		marks[n++] = memory_mark_of_text(MARK_FILES, STR(""));
	if (f->type.n)
		marks[n++] = memory_mark_of_text(MARK_TYPE, f->type);
	if (f->session.n)
		marks[n++] = memory_mark_of_text(MARK_SESSION, f->session);
	if (f->agent.n)
		marks[n++] = memory_mark_of_text(MARK_AGENT, f->agent);
	if (f->status >= 0)
		marks[n++] = memory_mark_of_text(MARK_STATUS, str_of(memory_statuses[f->status]));
	if (f->state >= 0 && f->state != MEMORY_CURRENT && f->state != MEMORY_EXPIRED)
		marks[n++] = memory_mark_of_text(MARK_STATE, str_of(memory_states[f->state]));
	return n;
}

/* The numbers of the matches as a JSON list, if there are few; else p is NULL. */
static struct err *memory_each_few(struct each *t, struct str *out)
{
	uint64_t *marks = arena_array(t->a, MEMORY_MARKS_MAX, sizeof(*marks));
	int64_t *counts = arena_array(t->a, MEMORY_MARKS_MAX, sizeof(*counts));
	struct index_query q = {.limit = (size_t)FEW};
	struct index_clause rarest = {.n = 1};
	struct index_hits hits = {0};
	struct val *list = val_list(t->a);
	size_t n = marks_of(t->f, marks), least = 0;
	bool stale;

	*out = (struct str){0};
	if (!n)
		return NULL;
	/* An older version made the index. The rows say the same. */
	TRY(index_stale(t->m->db, &stale));
	if (stale)
		return NULL;
	TRY(index_count_matches(t->m->db, t->a, marks, n, counts));
	for (size_t i = 1; i < n; i++)
		if (counts[i] < counts[least])
			least = i;
	if (counts[least] > FEW)
		return NULL;
	rarest.marks = &marks[least];
	q.groups = &rarest;
	q.n_groups = 1;
	TRY(index_search(t->m->db, t->a, &q, &hits));
	if (hits.matched > FEW)
		return NULL;
	for (size_t i = 0; i < hits.n; i++)
		val_add(list, val_int(t->a, hits.p[i].doc));
	*out = json_text(t->a, list);
	return NULL;
}

static struct err *ask_live(struct each *t, struct str scopes, struct db_rows **rows)
{
	const struct memory_filter *f = t->f;
	struct strs kinds = {0};
	struct db_arg from = t->from.id.n ? DB_I(t->from.created) : DB_N;
	struct str docs;

	TRY(memory_each_few(t, &docs));
	if (docs.p)
		return db_ask(t->m->db, Q_MEMORY_EACH_OF, rows, DB_S(docs), DB_S(scopes), from,
			      DB_I(t->from.doc));
	for (unsigned i = 0; i < MEMORY_KINDS_END; i++)
		if (f->kinds & 1u << i)
			strs_push(t->a, &kinds, str_of(memory_kinds[i]));
	return db_ask(t->m->db, Q_MEMORY_EACH, rows, DB_S(scopes),
		      kinds.n ? DB_S(json_text(t->a, val_list_of_strs(t->a, &kinds))) : DB_N,
		      f->tags.n ? DB_S(json_text(t->a, val_str(t->a, f->tags.p[0]))) : DB_N,
		      db_text_or_null(f->type), db_text_or_null(f->session),
		      db_text_or_null(f->agent),
		      f->status < 0 ? DB_N : DB_S(str_of(memory_statuses[f->status])),
		      f->state < 0 ? DB_N : DB_S(str_of(memory_states[f->state])), DB_I(os_now()),
		      from, DB_I(t->from.doc));
}

struct err *memory_each(struct memories *m, const struct memory_filter *f,
			struct err *(*fn)(void *ctx, struct arena *a, const struct memory *one),
			void *ctx)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct each t = {.m = m, .a = a, .f = f, .fn = fn, .ctx = ctx};
	struct db_txn txn DB_TXN = {0};
	struct db_rows *rows;
	struct str scopes;

	TRY(db_begin_read(&txn, m->db));
	/* A memory that was deleted meanwhile keeps its place; else paging would end. */
	if (f->before.n)
		TRY(memory_get(m, a, f->before, true, &t.from));
	/*
	 * Its number is unknown: showing others of the same millisecond twice is better than not at
	 * all.
	 */
	if (t.from.deleted)
		t.from.doc = INT64_MAX;
	TRY(memory_scopes_text(m, a, f->layers, &scopes));
	if (f->deleted)
		TRY(db_ask(m->db, Q_DELETED_EACH, &rows, DB_S(scopes), db_text_or_null(t.from.id)));
	else
		TRY(ask_live(&t, scopes, &rows));
	return memory_each_walk(&t, rows);
}
