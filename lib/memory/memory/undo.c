/* Undoes an event about a memory (ikm-design(7), "Undo"). It never overwrites a later change. */
#include "json/json.h"
#include "memory/storage_internal.h"
#include "os/os.h"

struct undo {
	struct memories *m;
	struct arena *a;
	const struct event *e;
	struct memory_undone *out;
	bool person;
};

/* ---- whether it can be undone ---- */

/* NOT_ALLOWED when the event is of another agent; p NULL: a person, any agent. */
static struct err *memory_undo_agent(const struct event *e, struct str agent)
{
	if (!agent.p || str_eq(agent, e->agent))
		return NULL;
	return err_help(err_new(E_NOT_ALLOWED, "the event %.*s is by agent '%.*s'", STR_ARG(e->id),
				STR_ARG(e->agent)),
			"a person may undo it: ikm events undo %.*s", STR_ARG(e->id));
}

/* The change of a memory that another one superseded follows from the change of that one. */
static struct err *undo_follows(const struct undo *u)
{
	const struct event *e = u->e;
	struct val *v = NULL;
	struct str by = STR("");

	if (!str_is(e->op, MEMORY_SUPERSEDE) && !str_is(e->op, MEMORY_REVIVE))
		return NULL;
	if (e->change.n && !json_read(u->a, e->change, NULL, &v) && v->type == VAL_MAP)
		by = val_get_str(v, "by");
	return err_help(err_for_param(E_BAD_ARGUMENT, STR("eventId"),
				      "the event %.*s follows from a change of the memory '%.*s'",
				      STR_ARG(e->id), STR_ARG(by)),
			"undo that change; 'ikm mem history %.*s' lists it", STR_ARG(by));
}

/* If the undo was undone, the change is in place, and can be undone again. */
struct err *memory_check_not_undone(struct memories *m, struct arena *a, const struct event *event)
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

/* Somebody may have changed it since, and then given it the same state again. */
static struct err *undo_came_back(const struct undo *u, bool *out)
{
	struct event_list list;
	bool undone;

	*out = false;
	TRY(event_list_of_memory(u->m->events, u->a, u->e->entity_id, &list));
	VEC_EACH(const struct event, one, &list) {
		if (one->seq <= u->e->seq || one->undoes.n || str_eq(one->before, one->after) ||
		    !str_eq(one->before, u->e->after))
			continue;
		TRY(event_is_undone(u->m->events, u->a, one->id, &undone));
		*out = *out || !undone;
	}
	return NULL;
}

/* ---- restoring ---- */

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
	bool again;

	/* First, so that a user learns nothing about the memories of another one. */
	TRY(memory_get(u->m, u->a, u->e->entity_id, true, one));
	TRY(memory_check_not_undone(u->m, u->a, u->e));
	if (!one->deleted)
		TRY(memory_snapshot_make(u->m, u->a, one, &now));
	if (str_eq(now.hash, u->e->before))
		return NULL;
	TRY(undo_came_back(u, &again));
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

/* An import may be all that a person has. */
static struct err *undo_import_by_person(const struct event *e)
{
	return err_help(err_new(E_PERSON_DECIDES,
				"the event %.*s is an import, which only a "
				"person may undo",
				STR_ARG(e->id)),
			"ask the person to run: ikm events undo %.*s", STR_ARG(e->id));
}

struct err *memory_undo_event(struct memories *m, struct arena *a, const struct event *e,
			      struct str agent, struct memory_undone *out)
{
	struct undo u = {.m = m, .a = a, .e = e, .out = out, .person = !agent.p};
	struct db_txn t DB_TXN = {0};

	*out = (struct memory_undone){0};
	TRY(memory_undo_agent(e, agent));
	if (memory_event_is_import(e))
		return agent.p ? undo_import_by_person(e) : memory_undo_import(m, a, e, out);
	TRY(undo_follows(&u));
	if (!e->before.n && !e->after.n)
		return err_for_param(E_BAD_ARGUMENT, STR("eventId"),
				     "the event %.*s records no change of a memory",
				     STR_ARG(e->id));
	TRY(memory_begin(&t, m, a));
	TRY(undo_event(&u));
	return memory_commit(&t, m, a);
}
