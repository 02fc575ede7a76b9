/* mem export: memories as JSON lines. */
#include "common/memories.h"
#include "json/json.h"
#include "memory/transfer.h"

struct args {
	struct cmd_bits layer;
};

static const struct param params[] = {
	PARAM(layer, .letter = 'l', .choices = mem_layers,
	      .help = "only these layers; else all whose identifiers are known"),
	{0},
};

static const struct field result[] = {
	{"success", "always true", F_BOOL},
	{"memories", "the lines: memories by id, then what was deleted", F_LIST},
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

/* The line's own memory is given back soon. */
static struct val *copy(struct arena *a, const struct val *v)
{
	struct val *out = val_copy(a, v);

	out->first = out->last = NULL;
	out->n = 0;
	out->s = str_dup(a, v->s);
	out->key = str_dup(a, v->key);
	VAL_EACH(v, it)
		val_add(out, copy(a, it));
	return out;
}

struct all {
	struct arena *a;
	struct val *list;
};

static struct err *mem_export_keep(void *ctx, struct arena *a, const struct val *line)
{
	struct all *all = ctx;

	(void)a;
	val_add(all->list, copy(all->a, line));
	return NULL;
}

static struct err *mem_export_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct all all = {.a = c->a};
	struct memories *m;

	TRY(mem_export_start(c, &m));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	all.list = val_set(c->a, *out, "memories", val_list(c->a));
	TRY(memory_export(m, args->layer.bits, mem_export_keep, &all));
	return mem_export_complete(c, m);
}

/* ---- as lines ---- */

static struct err *mem_export_put(void *ctx, struct arena *a, const struct val *line)
{
	struct out *o = ctx;
	struct buf b = buf_in(a);

	json_write(&b, line, 0);
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
	.run_val = mem_export_run,
	.stream = mem_export_stream,
};
