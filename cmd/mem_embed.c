/* mem embed: computes embeddings of memories that have none, with the program of
 * memory.embedder. */
#include "memories/memories.h"

struct args {
	int64_t batch, timeout;
};

static const struct param params[] = {
	PARAM(batch, .letter = 'b', .meta = "N", .def = "64", .min = 1, .max = 1000,
	      .help = "the number of memories in one request to the program"),
	PARAM(timeout, .meta = "SECONDS", .def = "60", .min = 1, .max = 86400,
	      .help = "the time limit of one request, in seconds"),
	{0},
};

struct result {
	bool success;
	struct vector_filled filled;
};

#define FILLED(member, name, help) FIELD_AS(struct result, filled.member, name, help)
static const struct field result[] = {
	FIELD(success, "true"),
	FILLED(embedded, "embedded", "memories that got an embedding in this run"),
	FILLED(all, "total", "memories with an embedding of this model"),
	FILLED(model, "model", "the model's name, from the program"),
	FILLED(version, "version", "the model's version, or empty"),
	FILLED(dimension, "dimension", "the numbers in one embedding"),
	{0},
};

static struct err *mem_embed_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memories *m;
	struct vectors v;

	TRY(mem_open(c, &m));
	v = m->vectors ? *m->vectors : (struct vectors){.db = m->db};
	/* Unlike a search, this run may take longer. */
	v.timeout_ms = (unsigned)args->timeout * 1000;
	r->success = true;
	return vector_fill(&v, c->a, (size_t)args->batch, &r->filled);
}

const struct cmd cmd_mem_embed = {
	.name = "mem embed",
	.summary = "compute embeddings for memories that have none",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_embed_run,
	.template = "embedded {embedded} of {total}: {*model}, {dimension} numbers each\n",
};
