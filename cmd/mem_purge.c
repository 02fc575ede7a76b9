/* mem purge, mem reindex: work on the whole store. */
#include "common/memories.h"

static const struct param params[] = {{0}};

struct nothing {
	char none;
};

static void mem_purge_advance(void *ctx, uint64_t done, uint64_t all)
{
	struct progress *p = ctx;

	p->total = all;
	progress_at(p, done);
}

typedef struct err *work_fn(struct memories *m, struct arena *a,
			    void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx,
			    int64_t *n);

struct result {
	bool success;
	int64_t n;
};

static struct err *mem_purge_work(struct call *c, work_fn *fn, const char *what, struct result *r)
{
	struct memories *m;
	struct progress p;
	struct err *e;

	r->success = true;
	TRY(mem_open(c, &m));
	progress_start(&p, what, 0);
	e = fn(m, c->a, mem_purge_advance, &p, &r->n);
	progress_end(&p);
	return e;
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
	return mem_purge_work(c, memory_purge, "purging", out);
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
	return mem_purge_work(c, memory_reindex, "indexing", out);
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
