/* mem embed: embeddings for what has none yet, by the program that memory.embedder names. */
#include "common/memories.h"

struct args {
	int64_t batch, timeout;
};

static const struct param params[] = {
	PARAM(batch, .letter = 'b', .meta = "N", .def = "64", .min = 1, .max = 1000,
	      .help = "how many memories the program is given at once"),
	PARAM(timeout, .meta = "SECONDS", .def = "60", .min = 1, .max = 86400,
	      .help = "how long it may take for them"),
	{0},
};

static const struct field result[] = {
	{"success", "true", F_BOOL},
	{"embedded", "memories that have one now and had none of this model", F_INT},
	{"total", "memories that have one of this model", F_INT},
	{"model", "what the program says it is", F_STR},
	{"version", "the same, or empty", F_STR},
	{"dimension", "numbers in an embedding", F_INT},
	{0},
};

static void progress(void *ctx, uint64_t done, uint64_t all)
{
	struct progress *p = ctx;

	p->total = all;
	progress_at(p, done);
}

static struct err *mem_embed_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct vector_fill how = {.batch = (size_t)args->batch, .progress = progress};
	struct vector_filled filled;
	struct progress shown;
	struct memories *m;
	struct vectors v;
	struct err *e;

	TRY(mem_open(c, &m));
	v = m->vectors ? *m->vectors : (struct vectors){.db = m->db};
	/* Here nobody waits for an answer, as a search does. */
	v.timeout_ms = (unsigned)args->timeout * 1000;
	how.ctx = &shown;
	progress_start(&shown, "embedding memories", 0);
	e = vector_fill(&v, c->a, &how, &filled);
	progress_end(&shown);
	TRY(e);
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	val_set(c->a, *out, "embedded", val_int(c->a, filled.embedded));
	val_set(c->a, *out, "total", val_int(c->a, filled.all));
	val_set(c->a, *out, "model", val_str(c->a, filled.model));
	val_set(c->a, *out, "version", val_str(c->a, filled.version));
	val_set(c->a, *out, "dimension", val_int(c->a, (int64_t)filled.dimension));
	return NULL;
}

static void mem_embed_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_fmt(c->out, "embedded %jd of %jd: ", (intmax_t)val_get_int(r, "embedded"),
		(intmax_t)val_get_int(r, "total"));
	out_styled(c->out, OUT_BOLD, val_get_str(r, "model"));
	out_fmt(c->out, ", %jd numbers each\n", (intmax_t)val_get_int(r, "dimension"));
}

const struct cmd cmd_mem_embed = {
	.name = "mem embed",
	.summary = "make embeddings for memories that have none",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = mem_embed_run,
	.text_val = mem_embed_text,
};
