/*
 * Records changes of memories (ikm-design(7), "The record of changes"), tells what happened to one,
 * and undoes events ("Undo"). An event has the hashes of the memory's state before and after. The
 * state has a salt of its own, so that nobody can find a short content by guessing; a purge erases
 * the salt. The former state is kept for undo, which never overwrites a later change.
 */
#include "crypt/crypt.h"
#include "json/json.h"
#include "memory/storage_internal.h"
#include "os/os.h"

#define SALT_BYTES 16

struct kept {
	struct str salt;
	struct memory memory;
};
static const struct field kept_fields[] = {
	FIELD_OF(struct kept, salt, "random"),
	FIELD_RECORD(struct kept, memory, "memory", memory_record, "the memory"),
	{0},
};

/* The state of a memory as JSON, with its salt, and its hash. EXPIRED counts as CURRENT. */
struct memory_state_text {
	struct str text, hash;
};

static struct err *memory_snapshot_make(struct memories *m, struct arena *a,
					const struct memory *one, struct memory_state_text *out)
{
	struct kept k = {.memory = *one};
	unsigned char random[SALT_BYTES];

	/* Without what follows from the time, from the tokenizer, and from the change itself. */
	k.memory.deleted = k.memory.superseded = k.memory.tokens = 0;
	k.memory.updated = k.memory.created;
	k.memory.owner = (struct str){0};
	if (k.memory.state == MEMORY_EXPIRED)
		k.memory.state = MEMORY_CURRENT;
	DB_EACH(rows, m->db, Q_MEMORY_SALT, DB_S(one->id))
		k.salt = db_column_str(rows, a, 0);
	if (!k.salt.p) {
		os_random(random, sizeof(random));
		k.salt = crypt_hex(a, random, sizeof(random));
		TRY(db_do(m->db, Q_MEMORY_SALT_PUT, NULL, DB_S(one->id), DB_S(k.salt)));
	}
	out->text = json_text(a, record_val(a, kept_fields, &k));
	out->hash = crypt_content_hash(a, out->text);
	return NULL;
}

/* Reads such a text. DB_CORRUPT when it is none. */
static struct err *memory_snapshot_read(struct arena *a, struct str text, struct memory *out)
{
	struct val *v;

	*out = (struct memory){0};
	if (!json_read(a, text, NULL, &v) && val_get(v, "memory") &&
	    !memory_from_json(a, val_get(v, "memory"), out))
		return NULL;
	return err_help(err_new(E_DB_CORRUPT, "the former state of the memory is damaged"),
			"'ikm doctor' finds all damage");
}

struct err *memory_log_change(struct memories *m, struct arena *a, const struct memory_log *l)
{
	const struct memory *one = l->now ? l->now : l->was;
	struct memory_state_text before = {0}, after = {0};
	struct event e = {
		.entity = str_of(event_entities[EVENT_MEMORY]),
		.entity_id = one->id,
		.type = EVENT_ACTION,
		.op = m->undoes.n && !l->follows ? STR("undo") : str_of(l->op),
	};
	struct str id;
	struct val *v;
	struct strs changed = {0};

	if (!m->events)
		return NULL;
	if (l->was)
		TRY(memory_snapshot_make(m, a, l->was, &before));
	if (l->now)
		TRY(memory_snapshot_make(m, a, l->now, &after));
	e.before = before.hash;
	e.after = after.hash;
	/* Names only: an event is kept for ever, and a purge could not remove a value from it. */
	v = val_map(a);
	if (l->was && l->now)
		changed = memory_changed_members(a, l->was, l->now);
	if (changed.n)
		val_set(a, v, "changed", val_list_of_strs(a, &changed));
	if (l->by.n)
		val_set(a, v, "by", val_str(a, l->by));
	if (l->now && !l->was && l->now->supersedes.n)
		val_set(a, v, "supersedes", val_str(a, l->now->supersedes));
	e.change = v->n ? json_text(a, v) : STR("");
	if (!l->follows) {
		e.undoes = m->undoes;
		m->undoes = (struct str){0};
	}
	/* The tombstone is the former state of a deleted memory. */
	if (!l->now)
		before.text = (struct str){0};
	TRY(event_record_change(m->events, a, &e, before.text, &id));
	/* One call has one record of its repeat. */
	m->events->replay = NULL;
	if (!l->follows)
		m->event = id;
	return NULL;
}

struct err *memory_history_erase(struct memories *m, struct str id)
{
	TRY(db_do(m->db, Q_CONFLICT_ERASE, NULL, DB_S(id)));
	TRY(db_do(m->db, Q_MEMORY_FORMER_REMOVE, NULL, DB_S(id)));
	TRY(db_do(m->db, Q_REPLAY_ERASE_MEMORY, NULL, DB_S(id)));
	return db_do(m->db, Q_MEMORY_SALT_REMOVE, NULL, DB_S(id));
}

/* ---- what happened to a memory, from the record of changes and from its row ---- */

/* The former values of the changed members. An absent one is null. */
static struct err *history_before(struct memories *m, struct arena *a, const struct event *e,
				  struct memory_happened *out)
{
	struct val *v = val_map(a), *all;
	struct memory former;
	struct str text;
	struct err *err;

	if (!out->changed.n || !e->kept || !m->events)
		return NULL;
	err = event_kept_content_by_hash(m->events, a, e->before, &text);
	/* A purge in between may have removed it. */
	if (err && err_reason(err) == E_NO_FORMER)
		return NULL;
	TRY(err);
	TRY(memory_snapshot_read(a, text, &former));
	all = record_val(a, memory_record, &former);
	for (size_t i = 0; i < out->changed.n; i++) {
		struct str name = out->changed.p[i];
		/* The row has `expiresAt`; the parameter and the record say `expires`. */
		const struct val *was = str_is(name, "expires") ? val_get(all, "expiresAt")
								: val_get_key(all, name);

		val_set_key(v, name, was ? val_copy_shallow(a, was) : val_null(a));
	}
	out->before = json_text(a, v);
	return NULL;
}

static struct err *history_event(struct memories *m, struct arena *a, const struct event *e,
				 struct memory_story *out)
{
	struct memory_happened one = {
		.time = e->time,
		.op = e->op,
		.event = e->id,
		.user = e->user,
		.agent = e->agent,
		.session = e->session,
		.tool = e->tool,
		.undoes = e->undoes,
		.rationale = e->rationale,
	};
	struct val *v = NULL;

	if (e->change.n && !json_read(a, e->change, NULL, &v) && v->type == VAL_MAP) {
		VAL_EACH(val_get(v, "changed"), name)
			if (name->type == VAL_STR)
				strs_push(a, &one.changed, name->s);
		one.by = val_get_str(v, "by");
		one.supersedes = val_get_str(v, "supersedes");
	}
	TRY(history_before(m, a, e, &one));
	*VEC_PUSH(a, out) = one;
	return NULL;
}

struct err *memory_history(struct memories *m, struct arena *a, struct str id,
			   struct memory_story *out)
{
	struct event_list events;
	struct events log = {.db = m->db};
	struct db_txn t DB_TXN = {0};
	const struct memory *one;
	bool known;

	*out = (struct memory_story){.memory = {.id = id}};
	TRY(db_begin_read(&t, m->db));
	TRY(memory_find(m, a, id, &out->memory, &out->purged));
	TRY(event_list_of_memory(&log, a, out->memory.id, &events));
	one = &out->memory;
	/* What no event tells: the memory is older than the record, or undo.days is 0. */
	if (one->created && !(events.n && !events.p[0].before.n))
		*VEC_PUSH(a, out) = (struct memory_happened){
			.time = one->created,
			.op = one->provenance == MEMORY_BY_IMPORT ? STR("import") : STR("add"),
			.user = one->user,
			.agent = one->agent,
			.session = one->session,
			.supersedes = one->supersedes,
		};
	for (size_t i = 0; i < events.n; i++)
		TRY(history_event(m, a, &events.p[i], out));
	known = !one->superseded_by.n;
	for (size_t i = 0; i < out->n && !known; i++)
		known = str_eq(out->p[i].by, one->superseded_by);
	if (!known)
		*VEC_PUSH(a, out) = (struct memory_happened){.time = one->superseded,
							     .op = STR(MEMORY_SUPERSEDE),
							     .by = one->superseded_by};
	if (!one->deleted || (events.n && !events.p[events.n - 1].after.n))
		return NULL;
	DB_EACH(rows, m->db, Q_DELETED_WHO, DB_S(one->id))
		*VEC_PUSH(a, out) = (struct memory_happened){.time = one->deleted,
							     .op = STR("delete"),
							     .agent = db_column_str(rows, a, 0)};
	return NULL;
}

/* ---- undo ---- */

struct undo {
	struct memories *m;
	struct arena *a;
	const struct event *e;
	struct memory_undone *out;
	bool person;
};

/* ---- whether it can be undone ---- */

/* UNDONE_ALREADY names the event that undid it. If the undo was undone, the change is in place, and
 * can be undone again. */
static struct err *memory_check_not_undone(struct memories *m, struct arena *a,
					   const struct event *event)
{
	struct str at = event->id, by, first = STR("");
	bool undone = false;
	struct err *e;

	for (;;) {
		TRY(event_undone_by(m->events, a, at, &by));
		if (!by.n)
			break;
		first = first.n ? first : by;
		undone = !undone;
		at = by;
	}
	if (!undone)
		return NULL;
	e = err_new(E_UNDONE_ALREADY, "the event %.*s is undone already, by %.*s",
		    STR_ARG(event->id), STR_ARG(first));
	return err_help(err_add_detail(e, "undoneBy", first), "to restore its change, undo %.*s",
			STR_ARG(first));
}

static struct err *undo_changed_since(const struct undo *u, struct str now)
{
	const struct event *e = u->e;
	struct err *err =
		err_new(E_CHANGED_SINCE, "the memory '%.*s' was %s since the event %.*s",
			STR_ARG(e->entity_id), now.n ? "changed" : "deleted", STR_ARG(e->id));

	err_add_detail(err, "memoryId", e->entity_id);
	err_add_detail(err, "beforeHash", e->before);
	err_add_detail(err, "afterHash", e->after);
	err_add_detail(err, "currentHash", now);
	return err_help(err,
			"undo the later events first, newest first: 'ikm mem history %.*s' lists "
			"them",
			STR_ARG(e->entity_id));
}

/* ---- restoring what was deleted ---- */

/* Within a transaction. Errors: those of memory_restore_deleted(). */
static struct err *memory_restore_tombstone(struct memories *m, struct arena *a, struct memory *one)
{
	one->deleted = 0;
	one->updated = os_now();
	/* A restored memory meets the same limits as a new one. */
	TRY(memory_check_no_repeat(m, a, one));
	TRY(memory_make_room(m, a, one));
	TRY(db_do(m->db, Q_DELETED_TAKE, NULL, DB_S(one->id)));
	TRY(memory_put(m, a, one));
	TRY(memory_log_change(m, a, &(struct memory_log){.op = "restore", .now = one}));
	return memory_revive_superseded_undo(m, a, one);
}

struct err *memory_restore_deleted(struct memories *m, struct arena *a, struct str id,
				   struct memory *out)
{
	struct db_txn t DB_TXN = {0};

	TRY(memory_begin(&t, m, a));
	TRY(memory_get(m, a, id, true, out));
	if (!out->deleted)
		return err_help(err_add_detail(err_new(E_EXISTS, "the memory '%.*s' is not deleted",
						       STR_ARG(out->id)),
					       "requestedId", out->id),
				"nothing is to be restored; 'ikm mem show %.*s' shows it",
				STR_ARG(out->id));
	TRY(memory_restore_tombstone(m, a, out));
	return memory_commit(&t, m, a);
}

/* ---- restoring members ---- */

static bool undo_of_verdict(const struct memory *former, const struct memory *now)
{
	return (former->state == MEMORY_REJECTED) != (now->state == MEMORY_REJECTED);
}

/* Content, kind and the like never change; a former state has those of the memory. */
static void undo_members(const struct memory *former, struct memory *now)
{
	now->layer = former->layer;
	now->tags = former->tags;
	now->metadata = former->metadata;
	now->source = former->source;
	now->importance = former->importance;
	now->confidence = former->confidence;
	now->redaction = former->redaction;
	now->status = former->status;
	now->supersedes = former->supersedes;
	now->expires = former->expires;
	now->files = former->files;
	now->repository = former->repository;
	now->commit = former->commit;
	now->branch = former->branch;
	now->change = former->change;
	if (now->state == MEMORY_EXPIRED)
		now->state = MEMORY_CURRENT;
	if (undo_of_verdict(former, now))
		now->state = former->state;
}

static struct err *undo_edit(struct undo *u, const struct memory *was)
{
	struct memory former, now = *was;
	struct str text;
	struct err *e = event_kept_content_by_hash(u->m->events, u->a, u->e->before, &text);

	if (e && err_reason(e) == E_NO_FORMER)
		return err_help(
			err_add_detail(err_add_context(e, "the memory '%.*s'", STR_ARG(was->id)),
				       "memoryId", was->id),
			"a purge removes former states too");
	TRY(e);
	TRY(memory_snapshot_read(u->a, text, &former));
	undo_members(&former, &now);
	TRY(memory_check(u->a, &now, MEMORY_CONTENT_MAX, &former));
	TRY(memory_scope_of_layer(u->m, u->a, now.layer, true, &now.scope));
	if (undo_of_verdict(was, &now)) {
		if (!u->person)
			return memory_person_decides_error(was, "undo a verdict about");
		u->out->memory = now;
		return memory_store_verdict(u->m, u->a, "edit", was, &u->out->memory);
	}
	TRY(memory_check_scope_change(u->m, u->a, was, &now));
	if (now.status == MEMORY_ACTIVE && was->status != MEMORY_ACTIVE)
		TRY(memory_make_room(u->m, u->a, &now));
	TRY(memory_change(u->m, u->a, was, &now));
	TRY(memory_log_change(u->m, u->a,
			      &(struct memory_log){.op = "edit", .was = was, .now = &now}));
	u->out->memory = now;
	/* The merge made it supersede another one. */
	return str_eq(was->supersedes, now.supersedes) ? NULL
						       : memory_revive_superseded(u->m, u->a, was);
}

/* Within a transaction. */
static struct err *undo_event(struct undo *u)
{
	struct memory *one = &u->out->memory, was;
	struct memory_state_text now = {0};
	struct event_list list;
	bool again = false, undone;

	/* First, so that a user learns nothing about the memories of another one. */
	TRY(memory_get(u->m, u->a, u->e->entity_id, true, one));
	TRY(memory_check_not_undone(u->m, u->a, u->e));
	if (!one->deleted)
		TRY(memory_snapshot_make(u->m, u->a, one, &now));
	if (str_eq(now.hash, u->e->before))
		return NULL;
	/* Somebody may have changed it since, and then given it the same state again. */
	TRY(event_list_of_memory(u->m->events, u->a, u->e->entity_id, &list));
	VEC_EACH(const struct event, e, &list) {
		if (e->seq <= u->e->seq || e->undoes.n || str_eq(e->before, e->after) ||
		    !str_eq(e->before, u->e->after))
			continue;
		TRY(event_is_undone(u->m->events, u->a, e->id, &undone));
		again = again || !undone;
	}
	if (again || !str_eq(now.hash, u->e->after))
		return undo_changed_since(u, now.hash);
	u->out->changed = true;
	u->m->undoes = u->e->id;
	if (!u->e->after.n)
		return memory_restore_tombstone(u->m, u->a, one);
	was = *one;
	if (u->e->before.n)
		return undo_edit(u, &was);
	one->deleted = os_now();
	return memory_delete_stored(u->m, u->a, &was, one->deleted);
}

/* ---- imports ---- */

/*
 * An import is one change: one event records it, and the undo of that event takes back the memories
 * that it added. A memory that was changed since stays, and the undo names it. What the undo
 * deletes is remembered, so that the undo can be undone, and the same input imported again.
 */
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

static struct err *imported_delete_some(struct import_undo *u)
{
	struct strs ids = {0};
	struct memory one;

	u->done = true;
	DB_EACH(rows, u->m->db, Q_IMPORT_SAME, DB_I(u->import), DB_I(u->doc),
		DB_I(IMPORT_SOME + 1)) {
		u->done = ids.n < IMPORT_SOME;
		if (!u->done)
			break;
		u->doc = db_column_int(rows, 0);
		strs_push(u->some, &ids, db_column_str(rows, u->some, 1));
	}
	/* The change of one of them may change the row of another, so each is read again. */
	for (size_t i = 0; i < ids.n; i++)
		DB_EACH(rows, u->m->db, Q_MEMORY_POINTER, DB_S(ids.p[i])) {
			DB_ROW(u->m->db, memory_row(u->m, u->some, rows, &one), break);
			db_reset(rows);
			u->out->deleted++;
			TRY(memory_delete_stored(u->m, u->some, &one, os_now()));
			break;
		}
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
	for (size_t i = 0; i < all.n; i++) {
		struct err *e;

		all.p[i].import = u->import;
		e = memory_restore_tombstone(u->m, u->some, &all.p[i]);
		/* The same statement may have been added since. */
		if (e && err_reason(e) == E_EXISTS) {
			strs_push(u->a, &u->out->kept, str_dup(u->a, all.p[i].id));
			continue;
		}
		TRY(e);
		u->out->restored++;
	}
	return NULL;
}

static struct err *imported_undo_batch(struct import_undo *u)
{
	struct memories *m = u->m;
	struct events *events = m->events;
	struct memory_undone *out = u->out;
	struct db_txn t DB_TXN = {0};
	struct err *e;
	struct str id;

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
	if (!u->done)
		return memory_commit(&t, m, u->some);
	/* The last transaction has the event. */
	if (!u->restore)
		DB_EACH(rows, m->db, Q_IMPORT_CHANGED, DB_I(u->import))
			strs_push(u->a, &out->kept, db_column_str(rows, u->a, 0));
	DB_EACH(rows, m->db, Q_IMPORT_GET, DB_I(u->import))
		out->tombstones = db_column_int(rows, 1);
	out->changed = out->deleted || out->restored;
	if (out->changed) {
		m->undoes = u->e->id;
		TRY(imported_event(m, u->a, u->import, "undo", u->restore ? "restore" : "delete",
				   STR(""), &id));
	}
	return memory_commit(&t, m, u->some);
}

static struct err *memory_undo_import(struct memories *m, struct arena *a, const struct event *e,
				      struct memory_undone *out)
{
	struct import_undo u = {.m = m, .a = a, .e = e, .out = out};
	struct str number = str_sub(e->entity_id, strlen(IMPORT_ENTITY), e->entity_id.n);
	struct words *words;
	struct err *failed;
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
	while (!u.done) {
		const struct memory_undone was = *out;

		/* They outlive this transaction. */
		TRY(memory_word_splitter(m, a, &words));
		u.some = arena_new();
		failed = imported_undo_batch(&u);
		arena_free(u.some);
		if (!failed)
			continue;
		*out = was;
		if (was.deleted || was.restored)
			err_help(
				failed,
				"%jd memories are undone; undo the same event again for the others",
				(intmax_t)(was.deleted + was.restored));
		return failed;
	}
	return NULL;
}

/* ---- any event ---- */

struct err *memory_undo_event(struct memories *m, struct arena *a, const struct event *e,
			      struct str agent, struct memory_undone *out)
{
	struct undo u = {.m = m, .a = a, .e = e, .out = out, .person = !agent.p};
	struct str by = STR("");
	struct val *v = NULL;
	struct db_txn t DB_TXN = {0};

	*out = (struct memory_undone){0};
	if (agent.p && !str_eq(agent, e->agent))
		return err_help(err_new(E_NOT_ALLOWED, "the event %.*s is by agent '%.*s'",
					STR_ARG(e->id), STR_ARG(e->agent)),
				"a person may undo it: ikm events undo %.*s", STR_ARG(e->id));
	/* An import may be all that a person has. */
	if (memory_event_is_import(e) && agent.p)
		return err_help(err_new(E_PERSON_DECIDES,
					"the event %.*s is an import, which only a "
					"person may undo",
					STR_ARG(e->id)),
				"ask the person to run: ikm events undo %.*s", STR_ARG(e->id));
	if (memory_event_is_import(e))
		return memory_undo_import(m, a, e, out);
	/* The change of a memory that another one superseded follows from the change of that one.
	 */
	if (str_is(e->op, MEMORY_SUPERSEDE) || str_is(e->op, MEMORY_REVIVE)) {
		if (e->change.n && !json_read(a, e->change, NULL, &v) && v->type == VAL_MAP)
			by = val_get_str(v, "by");
		return err_help(
			err_for_param(E_BAD_ARGUMENT, STR("eventId"),
				      "the event %.*s follows from a change of the memory '%.*s'",
				      STR_ARG(e->id), STR_ARG(by)),
			"undo that change; 'ikm mem history %.*s' lists it", STR_ARG(by));
	}
	if (!e->before.n && !e->after.n)
		return err_for_param(E_BAD_ARGUMENT, STR("eventId"),
				     "the event %.*s records no change of a memory",
				     STR_ARG(e->id));
	TRY(memory_begin(&t, m, a));
	TRY(undo_event(&u));
	return memory_commit(&t, m, a);
}
