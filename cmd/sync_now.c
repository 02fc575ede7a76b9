/* sync now: knowledge into memory (requirement: memory and knowledge, sync_now). */
#include "common/sync_sources.h"

struct args {
	bool force, progress;
	struct cmd_bits types, layers;
};

static const struct param params[] = {
	PARAM(force, .letter = 'f', .help = "store every pointer again, changed or not"),
	PARAM(types, .letter = 't', .option = "types", .choices = kn_types,
	      .help = "only knowledge of these types"),
	PARAM(layers, .letter = 'l', .option = "layers", .choices = kn_layers,
	      .help = "only knowledge of these layers"),
	PARAM(progress, .flags = CLI_ONLY,
	      .help = "with --json: also print a line of JSON for each step"),
	{0},
};

struct result {
	bool success;
	struct sync_done done;
	struct str message;
};

#define COUNT(member, help) FIELD_AS(struct result, done.counts.member, #member, help)
static const struct field count_fields[] = {
	COUNT(added, "pointers that are new"),
	COUNT(updated, "pointers that were stored again"),
	COUNT(deleted, "pointers whose item is gone"),
	COUNT(unchanged, "pointers that were as they should be"),
	COUNT(failures, "items that failed"),
	{0},
};

static const struct field result[] = {
	FIELD(success, "no item failed"),
	FIELD_GROUP("result", count_fields, "what was done"),
	FIELD_AS(struct result, done.duration_ms, "durationMs", "how long it took"),
	FIELD(message, "the same in words"),
	FIELD_RECORDS(struct result, done.failed, "failed", sync_failure_fields,
		      "items that failed; the next sync tries again", .flags = IF_ANY),
	{0},
};

struct showing {
	struct call *c;
	struct progress progress;
	bool lines, started;
};

static void sync_now_show(void *ctx, uint64_t done, uint64_t all)
{
	struct showing *s = ctx;
	struct val *v = val_map(s->c->a), *line = val_map(s->c->a);

	if (!s->started)
		progress_start(&s->progress, "items synced", all);
	s->started = true;
	progress_at(&s->progress, done);
	if (!s->lines)
		return;
	val_set(s->c->a, v, "phase", val_str(s->c->a, STR("knowledge")));
	val_set(s->c->a, v, "done", val_int(s->c->a, (int64_t)done));
	val_set(s->c->a, v, "all", val_int(s->c->a, (int64_t)all));
	val_set(s->c->a, line, "progress", v);
	out_json(s->c->out, line);
}

static struct str sync_now_message(struct arena *a, const struct sync_ask *ask,
				   const struct sync_counts *n)
{
	struct buf b = buf_in(a);

	buf_fmt(&b, "%jd added, %jd updated, %jd deleted, %jd unchanged", (intmax_t)n->added,
		(intmax_t)n->updated, (intmax_t)n->deleted, (intmax_t)n->unchanged);
	if (n->failures)
		buf_fmt(&b, ", %jd failed: the next sync tries again", (intmax_t)n->failures);
	else if (!ask->k->sources)
		buf_puts(&b, ": no knowledge is configured");
	return buf_str(&b);
}

static struct err *sync_now_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct showing s = {.c = c, .lines = args->progress && c->json};
	struct sync_ask ask;
	struct err *e;

	TRY(sync_open(c, &ask));
	ask.force = args->force;
	ask.types = args->types.bits;
	ask.layers = args->layers.bits;
	ask.progress = sync_now_show;
	ask.ctx = &s;
	e = sync_knowledge(c->a, &ask, &r->done);
	if (s.started)
		progress_end(&s.progress);
	TRY(e);
	r->success = !r->done.counts.failures;
	r->message = sync_now_message(c->a, &ask, &r->done.counts);
	c->negative = !r->success;
	return NULL;
}

static void sync_now_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	out_fmt(c->out, "%.*s\n", STR_ARG(r->message));
	sync_print_failures(c, &r->done.failed);
}

const struct cmd cmd_sync_now = {
	.name = "sync now",
	.tool = "sync_now",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_IDEMPOTENT,
	.summary = "keep one memory for each knowledge item",
	.description = "Bring memories up to date with knowledge: one memory points to each "
		       "decision, so that memory_search finds decisions too. Use it after "
		       "knowledge has changed, or when memories seem to be out of date.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = sync_now_run,
	.text = sync_now_text,
};
