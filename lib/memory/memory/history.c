/* Tells what happened to a memory, from the record of changes and from its row. */
#include "json/json.h"
#include "memory/storage_internal.h"

struct history {
	struct memories *m;
	struct arena *a;
	struct memory_story *out;
	struct event_list events;
};

/* ---- events ---- */

/* The row of a memory names the time `expiresAt`; the parameter and the record say `expires`. */
static const char *history_member(struct str name)
{
	return str_is(name, "expires") ? "expiresAt" : NULL;
}

/* The former values of the changed members. An absent one is null. */
static struct err *history_before(struct history *h, const struct event *e,
				  struct memory_happened *out)
{
	struct val *v = val_map(h->a), *all;
	struct memory former;
	struct str text;
	struct err *err;

	if (!out->changed.n || !e->kept || !h->m->events)
		return NULL;
	err = event_kept_content_by_hash(h->m->events, h->a, e->before, &text);
	/* A purge in between may have removed it. */
	if (err && err_reason(err) == E_NO_FORMER)
		return NULL;
	TRY(err);
	TRY(memory_snapshot_read(h->a, text, &former));
	all = record_val(h->a, memory_record, &former);
	for (size_t i = 0; i < out->changed.n; i++) {
		const char *name = history_member(out->changed.p[i]);
		const struct val *was =
			name ? val_get(all, name) : val_get_key(all, out->changed.p[i]);

		val_set_key(v, out->changed.p[i],
			    was ? val_copy_shallow(h->a, was) : val_null(h->a));
	}
	out->before = json_text(h->a, v);
	return NULL;
}

static struct err *history_event(struct history *h, const struct event *e)
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

	if (e->change.n && !json_read(h->a, e->change, NULL, &v) && v->type == VAL_MAP) {
		VAL_EACH(val_get(v, "changed"), name)
			if (name->type == VAL_STR)
				strs_push(h->a, &one.changed, name->s);
		one.by = val_get_str(v, "by");
		one.supersedes = val_get_str(v, "supersedes");
	}
	TRY(history_before(h, e, &one));
	*VEC_PUSH(h->a, h->out) = one;
	return NULL;
}

/* ---- what no event tells: the memory is older than the record, or undo.days is 0 ---- */

static void history_added(struct history *h)
{
	const struct memory *one = &h->out->memory;
	bool known = h->events.n && !h->events.p[0].before.n;

	if (known || !one->created)
		return;
	*VEC_PUSH(h->a, h->out) = (struct memory_happened){
		.time = one->created,
		.op = one->provenance == MEMORY_BY_IMPORT ? STR("import") : STR("add"),
		.user = one->user,
		.agent = one->agent,
		.session = one->session,
		.supersedes = one->supersedes,
	};
}

static void history_superseded(struct history *h)
{
	const struct memory *one = &h->out->memory;

	if (!one->superseded_by.n)
		return;
	for (size_t i = 0; i < h->out->n; i++)
		if (str_eq(h->out->p[i].by, one->superseded_by))
			return;
	*VEC_PUSH(h->a, h->out) = (struct memory_happened){
		.time = one->superseded, .op = STR(MEMORY_SUPERSEDE), .by = one->superseded_by};
}

static struct err *history_deleted(struct history *h)
{
	const struct memory *one = &h->out->memory;

	if (!one->deleted || (h->events.n && !h->events.p[h->events.n - 1].after.n))
		return NULL;
	DB_EACH(rows, h->m->db, Q_DELETED_WHO, DB_S(one->id))
		*VEC_PUSH(h->a, h->out) =
			(struct memory_happened){.time = one->deleted,
						 .op = STR("delete"),
						 .agent = db_column_str(rows, h->a, 0)};
	return NULL;
}

struct err *memory_history(struct memories *m, struct arena *a, struct str id,
			   struct memory_story *out)
{
	struct history h = {.m = m, .a = a, .out = out};
	struct events log = {.db = m->db};
	struct db_txn t DB_TXN = {0};

	*out = (struct memory_story){.memory = {.id = id}};
	TRY(db_begin_read(&t, m->db));
	TRY(memory_find(m, a, id, &out->memory, &out->purged));
	TRY(event_list_of_memory(&log, a, out->memory.id, &h.events));
	history_added(&h);
	for (size_t i = 0; i < h.events.n; i++)
		TRY(history_event(&h, &h.events.p[i]));
	history_superseded(&h);
	return history_deleted(&h);
}
