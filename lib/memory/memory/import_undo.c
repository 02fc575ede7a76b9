/*
 * An import is one change: one event records it, and the undo of that event takes back the memories
 * that it added. A memory that was changed since stays, and the undo names it. What the undo
 * deletes is remembered, so that the undo can be undone, and the same input imported again.
 */
#include "json/json.h"
#include "memory/storage_internal.h"
#include "os/os.h"

#define IMPORT_ENTITY "import:"
/*
 * Memories in a transaction. After an interruption the next undo goes on. One more is read, so that
 * the last transaction, which has the event, is never without a memory: the next undo would find
 * none, and make no event.
 */
enum { IMPORT_SOME = 1024 };

struct import_undo {
	struct memories *m;
	struct arena *a; /* of the call; what is kept grows in it */
	struct arena *some;
	const struct event *e;
	struct memory_undone *out;
	int64_t import, doc;
	struct str id;
	bool restore, done;
};

bool memory_event_is_import(const struct event *e)
{
	return str_starts(e->entity_id, STR(IMPORT_ENTITY));
}

/* does: what an undo did, or NULL. */
static struct err *imported_event(struct memories *m, struct arena *a, int64_t import,
				  const char *op, const char *does, struct str from, struct str *id)
{
	struct val *v = val_map(a);
	struct event e = {
		.entity = str_of(event_entities[EVENT_MEMORY]),
		.entity_id = str_fmt(a, IMPORT_ENTITY "%jd", (intmax_t)import),
		.type = EVENT_ACTION,
		.op = str_of(op),
		.undoes = m->undoes,
	};

	if (from.n)
		val_set(a, v, "from", val_str(a, str_utf8(a, from)));
	if (does)
		val_set(a, v, "did", val_str(a, str_of(does)));
	e.change = json_text(a, v);
	m->undoes = (struct str){0};
	TRY(event_record_change(m->events, a, &e, (struct str){0}, id));
	m->event = *id;
	return NULL;
}

struct err *memory_import_begin(struct memories *m, struct arena *a, const char *name,
				int64_t *number)
{
	struct str id;

	*number = 0;
	if (!m->events)
		return NULL;
	TRY(db_number(m->db, Q_IMPORT_BEGIN, number));
	TRY(imported_event(m, a, *number, "import", NULL, str_of(name), &id));
	return db_do(m->db, Q_IMPORT_EVENT, NULL, DB_I(*number), DB_S(id));
}

/* ---- undo ---- */

/* The change of one of them may change the row of another, so each is read again. */
static struct err *imported_delete(struct import_undo *u, struct str id)
{
	struct memory one;

	DB_EACH(rows, u->m->db, Q_MEMORY_POINTER, DB_S(id)) {
		DB_ROW(u->m->db, memory_row(u->m, u->some, rows, &one), return NULL);
		db_reset(rows);
		u->out->deleted++;
		return memory_delete_stored(u->m, u->some, &one, os_now());
	}
	return NULL;
}

static struct err *imported_delete_some(struct import_undo *u)
{
	struct strs ids = {0};

	u->done = true;
	DB_EACH(rows, u->m->db, Q_IMPORT_SAME, DB_I(u->import), DB_I(u->doc),
		DB_I(IMPORT_SOME + 1)) {
		u->done = ids.n < IMPORT_SOME;
		if (!u->done)
			break;
		u->doc = db_column_int(rows, 0);
		strs_push(u->some, &ids, db_column_str(rows, u->some, 1));
	}
	for (size_t i = 0; i < ids.n; i++)
		TRY(imported_delete(u, ids.p[i]));
	return NULL;
}

/* The same statement may have been added since. */
static struct err *imported_restore(struct import_undo *u, struct memory *one)
{
	struct err *e;

	one->import = u->import;
	e = memory_restore_tombstone(u->m, u->some, one);
	if (e && err_reason(e) == E_EXISTS) {
		strs_push(u->a, &u->out->kept, str_dup(u->a, one->id));
		return NULL;
	}
	TRY(e);
	u->out->restored++;
	return NULL;
}

static struct err *imported_restore_some(struct import_undo *u)
{
	struct memory_list all = {0};
	struct memory one;
	size_t n = 0;

	u->done = true;
	DB_EACH(rows, u->m->db, Q_IMPORT_UNDONE, DB_I(u->import), DB_S(u->id),
		DB_I(IMPORT_SOME + 1)) {
		u->done = n++ < IMPORT_SOME;
		if (!u->done)
			break;
		u->id = db_column_str(rows, u->a, 0);
		DB_ROW(u->m->db, memory_tombstone_read(u->m, u->some, rows, &one), continue);
		*VEC_PUSH(u->some, &all) = one;
	}
	for (size_t i = 0; i < all.n; i++)
		TRY(imported_restore(u, &all.p[i]));
	return NULL;
}

/* The last transaction has the event. */
static struct err *imported_end(struct import_undo *u)
{
	struct memory_undone *out = u->out;
	struct str id;

	if (!u->restore)
		DB_EACH(rows, u->m->db, Q_IMPORT_CHANGED, DB_I(u->import))
			strs_push(u->a, &out->kept, db_column_str(rows, u->a, 0));
	DB_EACH(rows, u->m->db, Q_IMPORT_GET, DB_I(u->import))
		out->tombstones = db_column_int(rows, 1);
	out->changed = out->deleted || out->restored;
	if (!out->changed)
		return NULL;
	u->m->undoes = u->e->id;
	return imported_event(u->m, u->a, u->import, "undo", u->restore ? "restore" : "delete",
			      STR(""), &id);
}

static struct err *imported_undo_batch(struct import_undo *u)
{
	struct memories *m = u->m;
	struct events *events = m->events;
	struct db_txn t DB_TXN = {0};
	struct err *e;

	TRY(memory_begin(&t, m, u->a));
	TRY(memory_check_not_undone(m, u->some, u->e));
	/* One event tells of all memories. */
	m->events = NULL;
	m->importing = u->import;
	m->undoing = true;
	e = u->restore ? imported_restore_some(u) : imported_delete_some(u);
	m->importing = 0;
	m->undoing = false;
	m->events = events;
	TRY(e);
	if (u->done)
		TRY(imported_end(u));
	return memory_commit(&t, m, u->some);
}

static struct err *imported_undo_some(struct import_undo *u)
{
	const struct memory_undone was = *u->out;
	struct words *words;
	struct err *e;

	/* They outlive this transaction. */
	TRY(memory_word_splitter(u->m, u->a, &words));
	u->some = arena_new();
	e = imported_undo_batch(u);
	arena_free(u->some);
	if (!e)
		return NULL;
	*u->out = was;
	if (was.deleted || was.restored)
		err_help(e, "%jd memories are undone; undo the same event again for the others",
			 (intmax_t)(was.deleted + was.restored));
	return e;
}

struct err *memory_undo_import(struct memories *m, struct arena *a, const struct event *e,
			       struct memory_undone *out)
{
	struct import_undo u = {.m = m, .a = a, .e = e, .out = out};
	struct str number = str_sub(e->entity_id, strlen(IMPORT_ENTITY), e->entity_id.n);
	struct val *v = NULL;

	out->import = true;
	/* So that a user learns nothing about the imports of another one. */
	if (!str_eq(e->user, m->who.user))
		return err_add_detail(
			err_new(E_NOT_ALLOWED, "the event %.*s is by another user", STR_ARG(e->id)),
			"eventId", e->id);
	if (!str_int(number, &u.import) || u.import < 1)
		return err_new(E_DB_CORRUPT, "the event %.*s names no import", STR_ARG(e->id));
	if (e->change.n && !json_read(a, e->change, NULL, &v) && v->type == VAL_MAP)
		u.restore = str_is(val_get_str(v, "did"), "delete");
	while (!u.done)
		TRY(imported_undo_some(&u));
	return NULL;
}
