/*
 * Records changes of memories (ikm-design(7), "The record of changes"). An event has the hashes of
 * the memory's state before and after. The state has a salt of its own, so that nobody can find a
 * short content by guessing; a purge erases the salt. The former state is kept for undo.
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

struct err *memory_snapshot_make(struct memories *m, struct arena *a, const struct memory *one,
				 struct memory_state_text *out)
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

struct err *memory_snapshot_read(struct arena *a, struct str text, struct memory *out)
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
