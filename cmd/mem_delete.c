/* mem delete (requirement: memory and knowledge, memory_delete), mem restore, mem mark: what
 * becomes of one memory. */
#include "common/memories.h"

/* ---- mem delete ---- */

static const struct field delete_result[] = {
	{"success", "it is gone", F_BOOL},
	{"message", "what was done", F_STR},
	{"memoryId", "the id of the deleted memory", F_STR},
	{"content", "the beginning of its content", F_STR},
	{0},
};

#define SHOWN_MAX 200 /* bytes of the content */

/* A model that lost the end of an id must not delete another memory. */
static struct err *need_whole_id(const struct call *c, struct str given, const struct memory *one)
{
	struct err *e;

	if (c->face == FACE_ARGV || str_eq(given, one->id))
		return NULL;
	e = err_new(E_BAD_ARGUMENT,
		    "'%.*s' is only the beginning of a memory's id; a tool deletes by "
		    "the whole id",
		    STR_ARG(given));
	err_detail(e, "parameter", STR("memoryId"));
	return err_help(err_detail(e, "memoryId", one->id),
			"give memoryId '%.*s' if that memory is meant: %.*s", STR_ARG(one->id),
			STR_ARG(str_utf8_head(one->content, SHOWN_MAX)));
}

static struct err *mem_delete_run(struct call *c, const void *p, struct val **out)
{
	const struct mem_args *args = p;
	struct memories *m;
	struct memory one;

	TRY(mem_open(c, &m));
	TRY(memory_get(m, c->a, args->memoryId, false, &one));
	TRY(need_whole_id(c, args->memoryId, &one));
	TRY(memory_delete(m, c->a, one.id));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	val_set(c->a, *out, "message", val_str(c->a, STR("Memory deleted successfully")));
	val_set(c->a, *out, "memoryId", val_str(c->a, one.id));
	val_set(c->a, *out, "content", val_str(c->a, str_utf8_head(one.content, SHOWN_MAX)));
	return NULL;
}

static void mem_delete_text(struct call *c, const void *p, const struct val *r)
{
	struct str id = val_get_str(r, "memoryId"), text = val_get_str(r, "content"), line = text;

	(void)p;
	out_puts(c->out, "deleted ");
	out_styled(c->out, OUT_BOLD, id);
	out_fmt(c->out, "; 'ikm mem restore %.*s' brings it back until 'ikm mem purge'\n",
		STR_ARG(id));
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
	.args_size = sizeof(struct mem_args),
	.params = mem_params,
	.result = delete_result,
	.run_val = mem_delete_run,
	.text_val = mem_delete_text,
};

/* ---- mem restore, mem mark ---- */

static const struct field changed_result[] = {
	{"success", "it is done", F_BOOL},
	{"memory", "as it is now", F_OBJ, .sub = mem_fields},
	{0},
};

static struct val *changed(struct arena *a, const struct memory *one)
{
	struct val *v = val_map(a);

	val_set(a, v, "success", val_bool(a, true));
	val_set(a, v, "memory", memory_val(a, one));
	return v;
}

static void mem_delete_changed_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	mem_print(c->out, val_get(r, "memory"));
}

static struct err *restore_run(struct call *c, const void *p, struct val **out)
{
	const struct mem_args *args = p;
	struct memories *m;
	struct memory one;

	TRY(mem_open(c, &m));
	TRY(memory_restore(m, c->a, args->memoryId, &one));
	*out = changed(c->a, &one);
	return NULL;
}

const struct cmd cmd_mem_restore = {
	.name = "mem restore",
	.summary = "take the deletion of a memory back",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct mem_args),
	.params = mem_params,
	.result = changed_result,
	.run_val = restore_run,
	.text_val = mem_delete_changed_text,
};

struct args {
	struct str memoryId;
	int status;
};

static const struct param mark_params[] = {
	PARAM_MEMORY(struct args),
	PARAM(status, .flags = ARG | REQUIRED, .choices = mem_statuses,
	      .help = "what it is from now on"),
	{0},
};

static struct err *mark_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct memories *m;
	struct memory one;

	TRY(mem_open(c, &m));
	TRY(memory_set_status(m, c->a, args->memoryId, (enum memory_status)args->status, &one));
	*out = changed(c->a, &one);
	return NULL;
}

const struct cmd cmd_mem_mark = {
	.name = "mem mark",
	.tool = "memory_mark",
	.toolset = SET_MEMORY,
	.traits = TOOL_IDEMPOTENT,
	.summary = "say what became of a scratch note",
	.description = "Set the status of a scratch note: pending_review, resolved, archived, or "
		       "active again. What is resolved makes room for other notes.",
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct args),
	.params = mark_params,
	.result = changed_result,
	.run_val = mark_run,
	.text_val = mem_delete_changed_text,
};
