/* mem list, mem show: print memories. */
#include "common/memories.h"

/* ---- mem list ---- */

struct args {
	struct mem_filter filter;
	struct str before;
	bool deleted;
	int64_t limit;
};

static const struct param list_params[] = {
	PARAMS_FILTER(0),
	PARAM(deleted, .help = "the deleted memories that are not purged yet"),
	PARAM(before, .meta = "id", .min = 1, .max = 256, .page = "memoryId",
	      .help = "only memories older than this one (the next page)"),
	PARAM(limit, .letter = 'n', .def = "50", .min = 1, .max = 10000,
	      .help = "maximum number of memories"),
	{0},
};

struct list_result {
	bool success;
	struct memory_list memories;
	struct str next;
};

static const struct field list_result[] = {
	FIELD_OF(struct list_result, success, "always true"),
	FIELD_RECORDS(struct list_result, memories, "memories", memory_record, "newest first"),
	FIELD_OF(struct list_result, next, "pass it as before to get the next page",
		 .flags = OPTIONAL),
	{0},
};

struct listing {
	struct arena *a;
	struct list_result *r;
	size_t limit;
};

static struct err *mem_list_one(void *ctx, struct arena *a, const struct memory *one)
{
	struct listing *l = ctx;

	(void)a;
	if (l->r->memories.n == l->limit)
		l->r->next = l->r->memories.p[l->limit - 1].id;
	else
		*VEC_PUSH(l->a, &l->r->memories) = memory_copy(l->a, one);
	return NULL;
}

static struct err *mem_list_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct memory_filter f = mem_filter_of(&args->filter);
	struct listing l = {.a = c->a, .r = out, .limit = (size_t)args->limit};
	struct memories *m;

	f.deleted = args->deleted;
	f.before = args->before;
	f.limit = (size_t)args->limit + 1;
	TRY(mem_open_layers(c, f.layers, &m));
	l.r->success = true;
	TRY(memory_each(m, &f, mem_list_one, &l));
	c->negative = !l.r->memories.n;
	return NULL;
}

static void mem_list_text(struct call *c, const void *args, const void *p)
{
	const struct list_result *r = p;

	(void)args;
	for (size_t i = 0; i < r->memories.n; i++)
		mem_print(c, &r->memories.p[i]);
	if (!r->memories.n)
		out_puts(c->err, "no memories\n");
	else if (r->next.p)
		out_fmt(c->err, "more memories: add --before %.*s\n", STR_ARG(r->next));
}

const struct cmd cmd_mem_list = {
	.name = "mem list",
	.tool = "memory_list",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "list memories, newest first",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, list_params),
	CMD_RESULT(struct list_result, list_result),
	.run = mem_list_run,
	.text = mem_list_text,
};

/* ---- mem show ---- */

struct show_result {
	bool success;
	struct memory memory;
};

static const struct field show_result[] = {
	FIELD_OF(struct show_result, success, "always true"),
	FIELD_RECORD(struct show_result, memory, "memory", memory_record,
		     "the memory, with all its members"),
	{0},
};

static struct err *mem_list_show_run(struct call *c, const void *p, void *out)
{
	const struct mem_args *args = p;
	struct show_result *r = out;
	struct memories *m;

	r->success = true;
	TRY(mem_open(c, &m));
	return memory_get(m, c->a, args->memoryId, true, &r->memory);
}

static void mem_list_show_text(struct call *c, const void *args, const void *p)
{
	const struct show_result *r = p;

	(void)args;
	mem_print_all(c, &r->memory);
}

const struct cmd cmd_mem_show = {
	.name = "mem show",
	.tool = "memory_show",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "show all facts about a memory",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct mem_args, mem_params),
	CMD_RESULT(struct show_result, show_result),
	.run = mem_list_show_run,
	.text = mem_list_show_text,
};
