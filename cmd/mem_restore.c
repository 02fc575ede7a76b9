/* mem restore, mem mark: change the state of one memory. */
#include "common/memories.h"

static struct err *mem_restore_run(struct call *c, const void *p, void *out)
{
	const struct mem_args *args = p;
	struct mem_changed *r = out;
	struct memories *m;

	r->success = true;
	TRY(mem_open_change(c, 0, &m));
	TRY(memory_restore(m, c->a, args->memoryId, &r->memory));
	r->event = m->event;
	return NULL;
}

const struct cmd cmd_mem_restore = {
	.name = "mem restore",
	.summary = "restore a deleted memory",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct mem_args, mem_params),
	CMD_RESULT(struct mem_changed, mem_changed_fields),
	.run = mem_restore_run,
	.text = mem_changed_text,
};

struct args {
	struct audit audit;
	struct str memoryId;
	int status;
};

static const struct param mark_params[] = {
	PARAM_MEMORY(struct args),
	PARAM(status, .flags = ARG | REQUIRED, .choices = memory_statuses,
	      .help = "the new status"),
	PARAMS_AUDIT,
	{0},
};

static struct err *mem_mark_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct mem_repeat_ask ask = {.audit = &args->audit, .args = p};
	struct mem_changed *r = out;
	struct event_replay repeat;
	struct memories *m;

	r->success = true;
	TRY(mem_open_change(c, 0, &m));
	TRY(mem_repeat_begin(c, m, &ask, r, &repeat));
	if (repeat.replayed)
		return NULL;
	TRY(mem_get_whole(c, m, args->memoryId, false, &r->memory));
	TRY(memory_set_status(m, c->a, r->memory.id, (enum memory_status)args->status, &r->memory));
	r->event = m->event;
	return mem_repeat_end(c, m, &repeat, r);
}

const struct cmd cmd_mem_mark = {
	.name = "mem mark",
	.tool = "memory_mark",
	.toolset = SET_MEMORY,
	.traits = TOOL_IDEMPOTENT,
	.summary = "set the status of a scratch note",
	.description = "Set the status of a scratch note: pending_review, resolved, archived, or "
		       "active again. A resolved note makes room for other notes.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, mark_params),
	CMD_RESULT(struct mem_changed, mem_changed_fields),
	.run = mem_mark_run,
	.text = mem_changed_text,
};
