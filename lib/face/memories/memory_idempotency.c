/* Answers repeated calls of commands that change memories (event/idempotency.h). */
#include "memories.h"
#include "json/json.h"

static struct err *mem_repeat_holds(void *ctx, struct arena *a, const struct event *e, bool *holds)
{
	(void)ctx, (void)a, (void)e;
	*holds = true;
	return NULL;
}

static struct err *mem_repeat_settle(void *ctx, struct arena *a, const struct event *e)
{
	(void)ctx, (void)a;
	BUG("the event %.*s of a memory has no outcome", STR_ARG(e->id));
}

/* The process died before it could store its answer. This tells what its event tells. */
static struct err *mem_repeat_told(struct call *c, struct memories *m, const struct event *e,
				   struct val **out)
{
	struct val *v = val_map(c->a), *memory = val_map(c->a);
	struct memory one;
	struct err *err = memory_get(m, c->a, e->entity_id, true, &one);

	if (!err)
		memory = record_val(c->a, memory_record, &one);
	else if (err_reason(err) != E_NO_SUCH_MEMORY)
		return err;
	val_set(c->a, v, "success", val_bool(c->a, true));
	val_set(c->a, v, "memoryId", val_str(c->a, e->entity_id));
	val_set(c->a, v, "message", val_str(c->a, STR("Done before; the first answer is lost")));
	val_set(c->a, v, "memory", memory);
	val_set(c->a, v, "event", val_str(c->a, e->id));
	*out = v;
	return NULL;
}

struct err *mem_idempotent_begin(struct call *c, struct memories *m, const struct mem_repeat_ask *w,
				 void *result, struct event_replay *r)
{
	struct event_replay_ask ask = {.holds = mem_repeat_holds, .settle = mem_repeat_settle};
	struct val *v;
	struct buf b;

	*r = (struct event_replay){0};
	if (!m->events)
		return w->audit->idempotencyKey.n ? audit_no_record_error() : NULL;
	TRY(audit_ids_for_event(c->a, w->audit, &m->events->ids));
	if (!w->audit->idempotencyKey.n)
		return NULL;
	/* The same words by another agent, or in another project, are another call. */
	b = buf_in(c->a);
	for (unsigned i = 0; i < MEMORY_LAYERS_END; i++)
		if (w->layers & 1u << i)
			buf_put(&b, memory_layer_owner(m, c->a, (enum memory_layer)i));
	ask.entity = str_fmt(c->a, "%.*s%.*s", STR_ARG(buf_as_str(&b)), STR_ARG(m->who.agent));
	ask.payload = json_text(c->a, cmd_params_to_compare_calls(c->a, c->cmd->params, w->args));
	TRY(event_idempotent_begin(m->events, c->a, &ask, r));
	if (!r->replayed)
		return NULL;
	if (!r->result.p && w->again) {
		r->replayed = false;
		return NULL;
	}
	if (r->result.p)
		TRY(json_read(c->a, r->result, NULL, &v));
	else
		TRY(mem_repeat_told(c, m, &r->e, &v));
	return audit_answer_replay(c, r, v, result);
}

struct err *mem_idempotent_end(struct call *c, struct memories *m, struct event_replay *r,
			       const void *result)
{
	if (!r->lock)
		return NULL;
	return event_idempotent_end(m->events, r,
				    json_text(c->a, record_val(c->a, c->cmd->result, result)));
}

/*
 * A memory in the layer of an agent or session is found by these identifiers, so a person need not
 * repeat those of the event.
 */
struct err *mem_undo_event(struct call *c, const struct mem_repeat_ask *ask, const struct event *e,
			   void *result, struct mem_undo *out)
{
	bool person = c->face == FACE_ARGV;
	struct memories *m;

	TRY(mem_open_change(c, 0, &m));
	out->m = m;
	if (!m->events)
		return err_help(err_new(E_BAD_ARGUMENT,
					"an undo needs the record of changes, and undo.days is 0"),
				"keep a record: ikm config set undo.days 30");
	TRY(mem_idempotent_begin(c, m, ask, result, &out->repeat));
	if (out->repeat.replayed)
		return NULL;
	TRY(mem_find_current_project(c, m));
	if (person)
		m->who.agent = e->agent;
	if (person && e->session.n)
		m->who.session = e->session;
	return memory_undo_event(m, c->a, e, person ? (struct str){0} : m->events->agent,
				 &out->undone);
}

#define KEPT_SHOWN 20

void mem_import_undone_print(struct call *c, const struct memory_undone *u)
{
	if (u->restored)
		out_fmt(c->out, "restored %jd %s\n", (intmax_t)u->restored,
			u->restored == 1 ? "memory" : "memories");
	else
		out_fmt(c->out, "deleted %jd %s\n", (intmax_t)u->deleted,
			u->deleted == 1 ? "memory" : "memories");
	for (size_t i = 0; i < u->kept.n && i < KEPT_SHOWN; i++)
		out_fmt(c->err, "kept: the memory '%.*s' was changed since\n",
			STR_ARG(u->kept.p[i]));
	if (u->kept.n > KEPT_SHOWN)
		out_fmt(c->err, "kept: %zu more\n", u->kept.n - KEPT_SHOWN);
	if (u->tombstones)
		out_fmt(c->err, "kept: %jd deletion%s that the import took over\n",
			(intmax_t)u->tombstones, PLURAL(u->tombstones));
}
