/* mem list, mem show: print memories. */
#include "memories/memories.h"

/* ---- mem list ---- */

struct args {
	struct mem_filter filter;
	struct str before;
	bool deleted, stale;
	int64_t limit;
};

static const struct param list_params[] = {
	PARAMS_FILTER(0),
	PARAM(stale, .help = "only memories that speak of a file that has changed since"),
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
	int64_t unknown;
};

static const struct field list_result[] = {
	FIELD_OF(struct list_result, success, "always true"),
	FIELD_RECORDS(struct list_result, memories, "memories", memory_shown, "newest first"),
	FIELD_OF(struct list_result, next, "pass it as before to get the next page",
		 .flags = OPTIONAL),
	FIELD_OF(struct list_result, unknown,
		 "with stale: memories that are not listed, because ikm cannot tell: their files "
		 "are in another repository, or cannot be read",
		 .flags = IF_ANY),
	{0},
};

struct listing {
	struct call *c;
	struct memories *m;
	struct list_result *r;
	size_t limit;
	bool stale;
};

/* Whether nothing can be told about some file, and no other file has changed. */
static bool mem_list_is_unknown(const struct memory_ties *t)
{
	for (size_t i = 0; t && !t->stale && i < t->files.n; i++)
		if (t->files.p[i].state == MEMORY_FILE_UNKNOWN)
			return true;
	return false;
}

static struct err *mem_list_one(void *ctx, struct arena *a, const struct memory *one)
{
	struct listing *l = ctx;
	struct memory shown =
		memory_copy(l->c->a, one); /* what is told of its files points into it */

	(void)a;
	if (l->stale)
		mem_fill_ties_state(l->m, l->c, &shown);
	if (l->stale && mem_list_is_unknown(shown.ties))
		l->r->unknown++;
	if (l->stale && !(shown.ties && shown.ties->stale))
		return NULL;
	if (l->r->memories.n == l->limit)
		l->r->next = l->r->memories.p[l->limit - 1].id;
	else
		*VEC_PUSH(l->c->a, &l->r->memories) = shown;
	return NULL;
}

static struct err *mem_list_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct memory_filter f = mem_filter_of(&args->filter);
	struct listing l = {.c = c, .r = out, .limit = (size_t)args->limit, .stale = args->stale};
	struct memories *m;

	f.deleted = args->deleted;
	f.before = args->before;
	f.has_files = args->stale;
	f.limit = args->stale ? 0 : (size_t)args->limit + 1;
	TRY(mem_open_layers(c, f.layers, &m));
	l.m = m;
	l.r->success = true;
	TRY(memory_each(m, &f, mem_list_one, &l));
	if (!args->stale)
		mem_fill_ties_state_all(m, c, &l.r->memories);
	return NULL;
}

static const struct plain mem_list_plain = {
	.template = PLAIN_MEMORIES("memories", ""),
	.hidden = "success",
};

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
	.template =
		"{=memories:" TEMPLATE_MEMORY
		"}{?unknown:{2:ikm: {unknown} {?unknown=1:memory is not listed: its files are|memories are not listed: "
		"their files are} in another repository, or cannot be read\n}}{?!memories:{2:no memories\n}"
		"|{?^next:{2:more memories: add --before {next}\n}}}",
	.plain = &mem_list_plain,
};

/* ---- mem show ---- */

struct show_result {
	bool success;
	struct memory memory;
};

static const struct field show_result[] = {
	FIELD_OF(struct show_result, success, "always true"),
	FIELD_RECORD(struct show_result, memory, "memory", memory_shown,
		     "the memory, with all its members"),
	{0},
};

static struct err *mem_show_run(struct call *c, const void *p, void *out)
{
	const struct mem_args *args = p;
	struct show_result *r = out;
	struct memories *m;

	r->success = true;
	TRY(mem_open(c, &m));
	TRY(memory_get(m, c->a, args->memoryId, true, &r->memory));
	mem_fill_ties_state(m, c, &r->memory);
	return NULL;
}

static void mem_list_show_text(struct call *c, const void *args, const void *p)
{
	const struct show_result *r = p;

	(void)args;
	mem_print_details(c, &r->memory);
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
	.run = mem_show_run,
	.text = mem_list_show_text,
};
