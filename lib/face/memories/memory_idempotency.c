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
