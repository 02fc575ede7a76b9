/* mem delete (requirement: memory and knowledge, memory_delete), mem restore. */
#include "common/memories.h"

/* ---- mem delete ---- */

struct delete_result {
	bool success;
	const char *message;
	struct str memoryId, content;
};

#define DELETED(member, help) FIELD_OF(struct delete_result, member, help)
static const struct field delete_result[] = {
	DELETED(success, "the memory is deleted"),
	DELETED(message, "the result as a sentence"),
	DELETED(memoryId, "the id of the deleted memory"),
	DELETED(content, "the beginning of its content"),
	{0},
};

#define SHOWN_MAX 200 /* bytes of the content in the result */

/* A model may shorten an id by mistake. It must not delete another memory then. */
static struct err *need_whole_id(const struct call *c, struct str given, const struct memory *one)
{
	struct err *e;

	if (c->face == FACE_ARGV || str_eq(given, one->id))
		return NULL;
	e = err_param(
		E_BAD_ARGUMENT, STR("memoryId"),
		"'%.*s' is only the beginning of a memory's id; a tool must give the whole id",
		STR_ARG(given));
	return err_help(err_detail(e, "memoryId", one->id),
			"if you mean this memory, give memoryId '%.*s': %.*s", STR_ARG(one->id),
			STR_ARG(str_utf8_head(one->content, SHOWN_MAX)));
}

static struct err *mem_delete_run(struct call *c, const void *p, void *out)
{
	const struct mem_args *args = p;
	struct delete_result *r = out;
	struct memories *m;
	struct memory one;

	TRY(mem_open(c, &m));
	TRY(memory_get(m, c->a, args->memoryId, false, &one));
	TRY(need_whole_id(c, args->memoryId, &one));
	TRY(memory_delete(m, c->a, one.id));
	*r = (struct delete_result){
		.success = true,
		.message = "Memory deleted successfully",
		.memoryId = one.id,
		.content = str_utf8_head(one.content, SHOWN_MAX),
	};
	return NULL;
}

static void mem_delete_text(struct call *c, const void *args, const void *p)
{
	const struct delete_result *r = p;
	struct str text = r->content, line = text;

	(void)args;
	out_puts(c->out, "deleted ");
	out_styled(c->out, OUT_BOLD, r->memoryId);
	out_fmt(c->out, "; to undo, before any 'ikm mem purge': ikm mem restore %.*s\n",
		STR_ARG(r->memoryId));
	str_line(&text, &line);
	out_puts(c->out, "  ");
	out_safe(c->out, line, false);
	out_puts(c->out, "\n");
}

const struct cmd cmd_mem_delete = {
	.name = "mem delete",
	.tool = "memory_delete",
	.toolset = SET_MEMORY,
	.traits = TOOL_IDEMPOTENT,
	.summary = "remove a memory",
	.description = "Delete a memory that is no longer relevant or was stored incorrectly. Use "
		       "this sparingly: memories usually remain valuable for context.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct mem_args, mem_params),
	CMD_RESULT(struct delete_result, delete_result),
	.run = mem_delete_run,
	.text = mem_delete_text,
};

/* ---- mem restore ---- */

struct changed_result {
	bool success;
	struct memory memory;
};

static const struct field changed_result[] = {
	FIELD_OF(struct changed_result, success, "the change is stored"),
	FIELD_RECORD(struct changed_result, memory, "memory", memory_record,
		     "the memory after the change"),
	{0},
};

static void mem_delete_changed_text(struct call *c, const void *args, const void *p)
{
	const struct changed_result *r = p;

	(void)args;
	mem_print(c, &r->memory);
}

static struct err *restore_run(struct call *c, const void *p, void *out)
{
	const struct mem_args *args = p;
	struct changed_result *r = out;
	struct memories *m;

	r->success = true;
	TRY(mem_open(c, &m));
	return memory_restore(m, c->a, args->memoryId, &r->memory);
}

const struct cmd cmd_mem_restore = {
	.name = "mem restore",
	.summary = "restore a deleted memory",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct mem_args, mem_params),
	CMD_RESULT(struct changed_result, changed_result),
	.run = restore_run,
	.text = mem_delete_changed_text,
};
