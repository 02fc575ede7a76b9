/* mem mark: the status of a scratch note, and what somebody says about a memory. */
#include "common/memories.h"

/* The statuses of scratch notes, in their order, and then: */
#define MARK_VERDICTS(X)        X(MARK_CHECKED, "checked") X(MARK_REJECTED, "rejected")
#define MARK_CHOICES(X)         MEMORY_STATUSES(X) MARK_VERDICTS(X)
#define MARK_MEMBER(name, text) CHOICE_##name,
enum mark { MARK_CHOICES(MARK_MEMBER) };
static const char *const marks[] = {MARK_CHOICES(ENUM_NAME) NULL};

struct args {
	struct str memoryId;
	int status;
};

static const struct param params[] = {
	PARAM_MEMORY(struct args),
	PARAM(status, .flags = ARG | REQUIRED, .choices = marks,
	      .help = "of a scratch note its new status; checked: it still holds, though its "
		      "files have changed; rejected: it is wrong, which only a person can say"),
	{0},
};

struct result {
	bool success;
	struct memory memory;
};

static const struct field result[] = {
	FIELD(success, "the change is stored"),
	FIELD_RECORD(struct result, memory, "memory", memory_shown, "the memory after the change"),
	{0},
};

static struct err *mark_person_decides(const struct memory *one, const char *what)
{
	return err_help(err_detail(err_new(E_PERSON_DECIDES,
					   "only a person can %s the memory '%.*s', on a command "
					   "line",
					   what, STR_ARG(one->id)),
				   "requestedId", one->id),
			"ask the person who uses ikm");
}

static struct err *mark_status(struct call *c, struct memories *m, const struct memory *one,
			       enum memory_status status, struct memory *out)
{
	if (one->state != MEMORY_REJECTED || status != MEMORY_ACTIVE)
		return memory_set_status(m, c->a, one->id, status, out);
	if (c->face != FACE_ARGV)
		return mark_person_decides(one, "take back the rejection of");
	return memory_accept(m, c->a, one->id, out);
}

static struct err *mark_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memories *m;
	struct memory one;

	r->success = true;
	TRY(mem_open(c, &m));
	TRY(memory_get(m, c->a, args->memoryId, false, &one));
	switch (args->status) {
	case CHOICE_MARK_CHECKED: TRY(memory_checked(m, c->a, one.id, &r->memory)); break;
	case CHOICE_MARK_REJECTED:
		if (c->face != FACE_ARGV)
			return mark_person_decides(&one, "reject");
		TRY(memory_reject(m, c->a, one.id, &r->memory));
		break;
	default: TRY(mark_status(c, m, &one, (enum memory_status)args->status, &r->memory)); break;
	}
	mem_look(m, c, &r->memory);
	return NULL;
}

static void mark_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	mem_print(c, &r->memory);
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
	.run = mark_run,
	.text = mark_text,
};
