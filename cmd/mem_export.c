/* mem export: memories as JSON lines. */
#include "common/memories.h"
#include "json/json.h"
#include "memory/transfer.h"

struct args {
	struct cmd_bits layer;
};

static const struct param params[] = {
	PARAM(layer, .letter = 'l', .choices = memory_layers,
	      .help = "only these layers; else all whose identifiers are known"),
	{0},
};

struct result {
	bool success;
	struct val *memories;
};

static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD_TREE(struct result, memories, "memories", F_LIST, NULL,
		   "the lines: memories by id, then what was deleted"),
	{0},
};

static struct err *mem_export_start(struct call *c, struct memories **m)
{
	TRY(mem_open(c, m));
	return mem_need_project(c, *m);
}

/* Something is missing from what was exported: status 1, so that no script takes it for a
 * backup. */
static struct err *mem_export_complete(struct call *c, const struct memories *m)
{
	c->negative = db_damaged(m->db)->n;
	return NULL;
}

/* ---- as one object ---- */

static struct err *mem_export_keep(void *ctx, struct arena *a, const struct field *rows,
				   const struct memory *one)
{
	struct call *c = ctx;
	struct result *r = c->result;

	(void)a;
	val_add(r->memories, record_val_copy(c->a, rows, one));
	return NULL;
}

static struct err *mem_export_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memories *m;

	TRY(mem_export_start(c, &m));
	r->success = true;
	r->memories = val_list(c->a);
	TRY(memory_export(m, args->layer.bits, mem_export_keep, c));
	return mem_export_complete(c, m);
}

/* ---- as lines ---- */

static struct err *mem_export_put(void *ctx, struct arena *a, const struct field *rows,
				  const struct memory *one)
{
	struct out *o = ctx;
	struct buf b = buf_in(a);

	json_write(&b, record_val(a, rows, one), 0);
	buf_putc(&b, '\n');
	out_bytes(o, buf_str(&b));
	return out_failed(o) ? out_flush(o) : NULL;
}

static struct err *mem_export_stream(struct call *c, const void *p)
{
	const struct args *args = p;
	struct memories *m;

	TRY(mem_export_start(c, &m));
	TRY(memory_export(m, args->layer.bits, mem_export_put, c->out));
	return mem_export_complete(c, m);
}

const struct cmd cmd_mem_export = {
	.name = "mem export",
	.summary = "print memories as JSON lines",
	.description = "Print every memory of yours, and which were deleted, as lines that "
		       "'mem import' reads.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.result_size = sizeof(struct result),
	.run = mem_export_run,
	.stream = mem_export_stream,
};
