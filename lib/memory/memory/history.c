/* Tells what happened to a memory, from the record of changes and from its row. */
#include "json/json.h"
#include "memory/storage_internal.h"

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
