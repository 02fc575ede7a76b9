/* mem purge, mem reindex: work on the whole store, or erase some memories. */
#include "reply/ask_person.h"
#include "memories/memories.h"

/* ---- mem purge ---- */

struct args {
	struct strs memoryIds;
	bool yes;
};

static const struct param params[] = {
	PARAM(memoryIds, .flags = ARG, .meta = "id", .min = 1, .max = 256,
	      .complete = memory_ids_complete,
	      .help = "ids of deleted memories, or unique prefixes; without them ikm erases all "
		      "memories that were deleted or have expired, of all users"),
	PARAM(yes, .letter = 'y', .flags = CLI_ONLY,
	      .help = "erase all without a question; ikm asks at a terminal only"),
	{0},
};

struct result {
	bool success;
	int64_t n, matches;
};

static const struct field purge_result[] = {
	FIELD(success, "no byte of the erased memories is left in the store's files"),
	FIELD_AS(struct result, n, "erased", "the number of memories"),
	FIELD(matches, "how many memories a purge would erase; the answer was no", .flags = IF_ANY),
	{0},
};

static struct err *mem_purge_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memories *m;
	bool yes = true;

	TRY(mem_open(c, &m));
	if (!args->yes && !args->memoryIds.n && confirm_can_ask(c)) {
		TRY(memory_purgeable_count(m, &r->matches));
		if (r->matches)
			TRY(confirm(
				c,
				str_c(c->a,
				      str_fmt(c->a,
					      "erase %jd deleted or expired %s of all users for "
					      "ever?",
					      (intmax_t)r->matches,
					      r->matches == 1 ? "memory" : "memories")),
				&yes));
		if (yes)
			r->matches = 0;
	}
	r->success = !r->matches;
	c->negative = !r->success;
	return r->success ? memory_purge(m, c->a, &args->memoryIds, &r->n) : NULL;
}

const struct cmd cmd_mem_purge = {
	.name = "mem purge",
	.summary = "erase deleted memories for ever",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, purge_result),
	.run = mem_purge_run,
	.template = "{?matches:nothing is erased|erased {erased} {?erased=1:memory|memories}; no "
		    "byte of {?erased=1:it|them} is left in the store's files}\n",
};

/* ---- mem reindex ---- */

static const struct field reindex_result[] = {
	FIELD(success, "always true"),
	FIELD_AS(struct result, n, "indexed", "the number of memories"),
	{0},
};

static struct err *mem_reindex_run(struct call *c, const void *args, void *out)
{
	struct result *r = out;
	struct memories *m;

	(void)args;
	r->success = true;
	TRY(mem_open(c, &m));
	return memory_reindex(m, c->a, &r->n);
}

const struct cmd cmd_mem_reindex = {
	.name = "mem reindex",
	.summary = "rebuild index and vocabulary from the memories",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_RESULT(struct result, reindex_result),
	.run = mem_reindex_run,
	.template = "indexed {indexed} {?indexed=1:memory|memories}\n",
};
