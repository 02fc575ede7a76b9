/* mem purge, mem reindex: work on the whole store. */
#include "common/memories.h"

static const struct param params[] = {{0}};

struct nothing {
	char none;
};

struct result {
	bool success;
	int64_t n;
};

static struct err *mem_purge_work(struct call *c,
				  struct err *(*work)(struct memories *, struct arena *, int64_t *),
				  struct result *r)
{
	struct memories *m;

	r->success = true;
	TRY(mem_open(c, &m));
	return work(m, c->a, &r->n);
}

/* ---- mem purge ---- */

static const struct field purge_result[] = {
	FIELD(success, "no byte of the deleted memories is left in the store's files"),
	FIELD_AS(struct result, n, "erased", "the number of memories"),
	{0},
};

static struct err *purge_run(struct call *c, const void *args, void *out)
{
	(void)args;
	return mem_purge_work(c, memory_purge, out);
}

const struct cmd cmd_mem_purge = {
	.name = "mem purge",
	.summary = "erase deleted memories for ever",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct nothing, params),
	CMD_RESULT(struct result, purge_result),
	.run = purge_run,
	.template = "erased {erased} {?erased=1:memory|memories}; no byte of deleted memories is "
		    "left in the store's files\n",
};

/* ---- mem reindex ---- */

static const struct field reindex_result[] = {
	FIELD(success, "always true"),
	FIELD_AS(struct result, n, "indexed", "the number of memories"),
	{0},
};

static struct err *reindex_run(struct call *c, const void *args, void *out)
{
	(void)args;
	return mem_purge_work(c, memory_reindex, out);
}

const struct cmd cmd_mem_reindex = {
	.name = "mem reindex",
	.summary = "rebuild index and vocabulary from the memories",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct nothing, params),
	CMD_RESULT(struct result, reindex_result),
	.run = reindex_run,
	.template = "indexed {indexed} {?indexed=1:memory|memories}\n",
};
