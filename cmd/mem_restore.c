/* mem restore: takes a deletion back. */
#include "memories/memories.h"

static struct err *mem_restore_run(struct call *c, const void *p, void *out)
{
	const struct mem_args *args = p;
	struct mem_changed *r = out;
	struct memories *m;

	r->success = true;
	TRY(mem_open_change(c, 0, &m));
	TRY(memory_restore_deleted(m, c->a, args->memoryId, &r->memory));
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
	.text = mem_changed_print,
};
