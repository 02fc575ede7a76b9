/* mem mark: the status of a scratch note, and what somebody says about a memory. */
#include "memories/memories.h"

/* The statuses of scratch notes, in their order, and then: */
#define MARK_VERDICTS(X)        X(MARK_CHECKED, "checked") X(MARK_REJECTED, "rejected")
#define MARK_CHOICES(X)         MEMORY_STATUSES(X) MARK_VERDICTS(X)
#define MARK_MEMBER(name, text) CHOICE_##name,
enum mark { MARK_CHOICES(MARK_MEMBER) };
static const char *const marks[] = {MARK_CHOICES(ENUM_NAME) NULL};

struct args {
	struct audit audit;
	struct str memoryId;
	int status;
};

static const struct param params[] = {
	PARAM_MEMORY(struct args),
	PARAM(status, .flags = ARG | REQUIRED, .choices = marks,
	      .help = "of a scratch note its new status; checked: it still holds, though its "
		      "files have changed; rejected: it is wrong, which only a person can say"),
	PARAMS_AUDIT,
	{0},
};

struct result {
	bool success;
	struct memory memory;
	struct str event;
	struct mem_revived_list revived;
	bool replayed;
};

static const struct field result[] = {
	FIELD(success, "the change is stored"),
	FIELD_RECORD(struct result, memory, "memory", memory_shown, "the memory after the change"),
	FIELD_MEMORY_EVENT(struct result),
	FIELD_REVIVED(struct result),
	FIELD_REPLAYED(replayed),
	{0},
};

static struct err *mem_mark_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct mem_repeat_ask ask = {.audit = &args->audit, .args = p};
	struct result *r = out;
	struct event_replay repeat;
	struct memories *m;
	struct memory one;

	r->success = true;
	TRY(mem_open_change(c, 0, &m));
	TRY(mem_idempotent_begin(c, m, &ask, r, &repeat));
	if (repeat.replayed)
		return NULL;
	TRY(mem_get_for_change(c, m, args->memoryId, false, &one));
	switch (args->status) {
	case CHOICE_MARK_CHECKED: TRY(memory_confirm(m, c->a, one.id, &r->memory)); break;
	case CHOICE_MARK_REJECTED:
		if (c->face != FACE_ARGV)
			return memory_person_decides_error(&one, "reject");
		TRY(memory_reject(m, c->a, one.id, &r->memory));
		TRY(mem_revived_add(c, m, one.supersedes, &r->revived));
		break;
	default:
		if (one.state == MEMORY_REJECTED && args->status == MEMORY_ACTIVE)
			TRY(memory_reject_undo(m, c->a, one.id, &r->memory));
		else
			TRY(memory_set_status(m, c->a, one.id, (enum memory_status)args->status,
					      &r->memory));
		break;
	}
	r->event = m->event;
	/* Whether its files have changed is told of now, and is no part of the answer to a repeat.
	 */
	TRY(mem_idempotent_end(c, m, &repeat, r));
	mem_fill_ties_state(m, c, &r->memory);
	return NULL;
}

const struct cmd cmd_mem_mark = {
	.name = "mem mark",
	.tool = "memory_mark",
	.toolset = SET_MEMORY,
	.traits = TOOL_IDEMPOTENT,
	.summary = "set the status of a scratch note, or say that a memory holds or is wrong",
	.description = "Set the status of a scratch note: pending_review, resolved, archived, or "
		       "active again. A resolved note makes room for other notes. Mark a memory as "
		       "checked when its files have changed and it still holds.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_mark_run,
	.template = "{/memory:" TEMPLATE_MEMORY "}" TEMPLATE_REVIVED,
};
