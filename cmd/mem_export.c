/* mem export: memories as JSON lines. */
#include "memories/memories.h"
#include "memory/import_export.h"

struct args {
	struct cmd_bits layer;
	bool all;
};

static const struct param params[] = {
	PARAM(layer, .letter = 'l', .choices = memory_layers,
	      .help = "only these layers; default: all layers whose identifiers are known"),
	PARAM(all, .help = "the memories of all projects, agents, conversations and users of the "
			   "store, too"),
	{0},
};

struct result {
	bool success;
};

static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD_EMITTED("memories", F_LIST, NULL, "the lines: memories by id, then deletions"),
	{0},
};

static struct err *mem_export_row(void *ctx, struct arena *a, const struct field *rows,
				  const struct memory *one)
{
	(void)a;
	return cmd_emit_row_as(ctx, rows, one);
}

static struct err *mem_export_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memories *m;
	int64_t others;

	TRY(mem_open(c, &m));
	if (!args->all)
		TRY(mem_find_current_project(c, m));
	r->success = true;
	cmd_emit_begin_list(c, "memories");
	TRY(memory_export(m, args->layer.bits, args->all, mem_export_row, c, &others));
	if (others)
		strs_push(
			c->a, &c->notes,
			str_fmt(c->a,
				"%jd %s of other projects, agents, conversations or users %s left "
				"out; to print all of them: ikm mem export --all; to keep whose "
				"each one is: ikm backup",
				(intmax_t)others, others == 1 ? "memory" : "memories",
				others == 1 ? "is" : "are"));
	/* When something is missing the status is 1, so that no script takes it for a backup. */
	c->negative = db_damage_so_far(m->db)->n;
	return NULL;
}

const struct cmd cmd_mem_export = {
	.name = "mem export",
	.summary = "print memories as JSON lines",
	.description = "Print all your memories and deletions as lines that 'mem import' reads.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_export_run,
};
