/* mem list, mem show: what is remembered. */
#include "common/memories.h"

/* ---- mem list ---- */

struct args {
	struct cmd_bits layer, kind;
	struct strs tags;
	struct str type, session, agent, before;
	int status, state;
	bool deleted;
	int64_t limit;
};

static const struct param list_params[] = {
	PARAM(layer, .letter = 'l', .choices = mem_layers,
	      .help = "of these layers; else of all whose identifiers are known"),
	PARAM(kind, .letter = 'k', .choices = mem_kinds, .help = "of these kinds"),
	PARAM(tags, .letter = 't', .option = "tag", .meta = "tag", .max = MEMORY_TAG_MAX,
	      .help = "with all of these tags"),
	PARAM(type, .meta = "word", .min = 1, .max = MEMORY_NAME_MAX, .help = "of this type"),
	PARAM(session, .option = "in-session", .meta = "id", .min = 1, .max = 256,
	      .help = "of this conversation"),
	PARAM(agent, .option = "by-agent", .meta = "id", .min = 1, .max = 256,
	      .help = "made by this agent"),
	PARAM(status, .choices = mem_statuses, .help = "scratch notes of this status"),
	PARAM(state, .choices = mem_states, .help = "in this state"),
	PARAM(deleted, .help = "what was deleted and not yet purged"),
	PARAM(before, .meta = "id", .min = 1, .max = 256, .page = "memoryId",
	      .help = "older than this memory: the next page"),
	PARAM(limit, .letter = 'n', .def = "50", .min = 1, .max = 10000, .help = "how many"),
	{0},
};

static const struct field list_result[] = {
	{"success", "always true", F_BOOL},
	{"memories", "newest first", F_LIST, .sub = mem_fields},
	{"next", "give it as before to get the next page", F_STR, OPTIONAL},
	{0},
};

struct listing {
	struct call *c;
	struct val *list, *last;
	size_t limit;
	bool more;
};

static struct err *mem_list_one(void *ctx, struct arena *a, const struct memory *one)
{
	struct listing *l = ctx;
	struct memory kept;

	(void)a;
	l->more = l->list->n == l->limit;
	if (l->more)
		return NULL;
	kept = memory_copy(l->c->a, one);
	l->last = val_add(l->list, memory_val(l->c->a, &kept));
	return NULL;
}

static struct err *mem_list_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct memory_filter f = {
		.layers = args->layer.bits,
		.kinds = args->kind.bits,
		.tags = args->tags,
		.type = args->type,
		.session = args->session,
		.agent = args->agent,
		.status = args->status,
		.state = args->state,
		.deleted = args->deleted,
		.before = args->before,
		.limit = (size_t)args->limit + 1,
	};
	struct listing l = {.c = c, .limit = (size_t)args->limit};
	struct memories *m;

	TRY(mem_open_layers(c, args->layer.bits, &m));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	l.list = val_set(c->a, *out, "memories", val_list(c->a));
	TRY(memory_each(m, &f, mem_list_one, &l));
	c->negative = !l.list->n;
	if (l.more)
		val_set(c->a, *out, "next", val_str(c->a, val_get_str(l.last, "memoryId")));
	return NULL;
}

static void mem_list_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "memories"), v)
		mem_print(c->out, v);
	if (!val_get(r, "memories")->n)
		out_puts(c->err, "no memories\n");
	else if (val_get(r, "next"))
		out_fmt(c->err, "there are more: --before %.*s\n", STR_ARG(val_get_str(r, "next")));
}

const struct cmd cmd_mem_list = {
	.name = "mem list",
	.tool = "memory_list",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "list memories, newest first",
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct args),
	.params = list_params,
	.result = list_result,
	.run_val = mem_list_run,
	.text_val = mem_list_text,
};

/* ---- mem show ---- */

static const struct field show_result[] = {
	{"success", "always true", F_BOOL},
	{"memory", "all that is known of it", F_OBJ, .sub = mem_fields},
	{0},
};

static struct err *mem_list_show_run(struct call *c, const void *p, struct val **out)
{
	const struct mem_args *args = p;
	struct memories *m;
	struct memory one;

	TRY(mem_open(c, &m));
	TRY(memory_get(m, c->a, args->memoryId, true, &one));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	val_set(c->a, *out, "memory", memory_val(c->a, &one));
	return NULL;
}

static void mem_list_show_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	mem_print_all(c->out, val_get(r, "memory"));
}

const struct cmd cmd_mem_show = {
	.name = "mem show",
	.tool = "memory_show",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "show a memory and all that is known of it",
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct mem_args),
	.params = mem_params,
	.result = show_result,
	.run_val = mem_list_show_run,
	.text_val = mem_list_show_text,
};
