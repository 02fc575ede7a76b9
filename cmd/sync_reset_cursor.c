/* sync reset-cursor: the next sync offers and reads everything again. */
#include "memories/memories.h"
#include "exchange/sync_common.h"

struct result {
	bool success;
	struct str tenant;
};
static const struct field result[] = {
	FIELD(success, "false: there was no sync with that organisation"),
	FIELD(tenant, "the organisation"),
	{0},
};

static struct err *sync_reset_cursor_run(struct call *c, const void *p, void *out)
{
	struct result *r = out;
	struct memories *m;

	(void)p;
	TRY(sync_tenant(c, &r->tenant));
	TRY(mem_open(c, &m));
	TRY(remote_reset(m->db, r->tenant, &r->success));
	c->negative = !r->success;
	return NULL;
}

const struct cmd cmd_sync_reset_cursor = {
	.name = "sync reset-cursor",
	.summary = "let the next sync offer and read everything again",
	.description = "What is the same on both sides stays as it is, so this is safe at any "
		       "time.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_RESULT(struct result, result),
	.run = sync_reset_cursor_run,
	.template = "{?success:the next sync offers and reads everything again\n"
		    "|{2:there was no sync yet: nothing to reset\n}}",
};
