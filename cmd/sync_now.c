/* sync now: knowledge into memory, and memories of other machines (requirement: memory and
 * knowledge, sync_now). */
#include "exchange/sync_common.h"

enum part { PART_KNOWLEDGE, PART_REMOTE };
static const char *const parts[] = {"knowledge", "remote", NULL};

struct args {
	bool dryRun, force, progress;
	int only;
	struct cmd_bits types, layers;
};

static const struct param params[] = {
	PARAM(dryRun, .letter = 'n',
	      .help = "tell what a sync would do, without the server, and store nothing"),
	PARAM(force, .letter = 'f', .help = "store every pointer again, changed or not"),
	PARAM(types, .letter = 't', .option = "types", .choices = kn_types,
	      .help = "only knowledge of these types"),
	PARAM(layers, .letter = 'l', .option = "layers", .choices = kn_layers,
	      .help = "only knowledge of these layers"),
	PARAM(only, .choices = parts,
	      .help = "one part: knowledge into memory, or the exchange with the server"),
	PARAM(progress, .flags = CLI_ONLY,
	      .help = "with --json: also print a line of JSON for each step"),
	{0},
};

struct result {
	bool success, dryRun;
	int64_t pending;
	struct sync_done done;
	struct remote_done *remote; /* NULL: no server was asked */
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

#define REMOTE_ROW(member, help) FIELD_OF(struct remote_done, member, help),
static const struct field remote_fields[] = {
	REMOTE_COUNTS(REMOTE_ROW) FIELD_OF(struct remote_done, restarted,
					   "the server was restored or is another one, so all was "
					   "offered again"),
	FIELD_OF(struct remote_done, renamed,
		 "this home is a copy of another one, and is a machine of its own now"),
	{0},
};

static const struct field result[] = {
	FIELD(success, "no item failed"),
	FIELD(dryRun, "nothing was stored or sent", .flags = IF_ANY),
	FIELD_GROUP("result", count_fields, "what was done"),
	FIELD_AS(struct result, done.duration_ms, "durationMs", "how long it took"),
	FIELD(message, "the same in words"),
	FIELD_RECORD_AT(struct result, remote, "remote", remote_fields,
			"the exchange with the server; absent: none was asked", .flags = OPTIONAL),
	FIELD(pending, "dryRun: changes that would go to the server", .flags = IF_ANY),
	FIELD_RECORDS(struct result, done.failed, "failed", sync_failure_fields,
		      "items that failed; the next sync tries again", .flags = IF_ANY),
	{0},
};

struct showing {
	struct call *c;
	struct progress progress;
	const char *phase;
	bool lines;
};

static void sync_now_show(struct showing *s, const char *phase, const char *what, uint64_t done,
			  uint64_t all)
{
	struct val *v = val_map(s->c->a), *line = val_map(s->c->a);

	if (s->phase && strcmp(s->phase, phase) != 0)
		progress_end(&s->progress);
	if (!s->phase || strcmp(s->phase, phase) != 0)
		s->progress = progress_start(what, all);
	s->phase = phase;
	s->progress.total = all;
	progress_at(&s->progress, done);
	if (!s->lines)
		return;
	val_set(s->c->a, v, "phase", val_str(s->c->a, str_of(phase)));
	val_set(s->c->a, v, "done", val_int(s->c->a, (int64_t)done));
	if (all)
		val_set(s->c->a, v, "all", val_int(s->c->a, (int64_t)all));
	val_set(s->c->a, line, "progress", v);
	out_json(s->c->out, line);
}

static void sync_now_item(void *ctx, uint64_t done, uint64_t all)
{
	sync_now_show(ctx, parts[PART_KNOWLEDGE], "items synced", done, all);
}

static void sync_now_rows(void *ctx, const char *phase, uint64_t done, uint64_t all)
{
	sync_now_show(ctx, phase, "rows exchanged", done, all);
}

static void sync_now_message(struct call *c, struct result *r, bool configured)
{
	const struct sync_counts *n = &r->done.counts;
	const struct remote_done *d = r->remote;
	struct buf b = buf_in(c->a);

	if (r->dryRun)
		buf_puts(&b, "a dry run: ");
	buf_fmt(&b, "pointers to decisions: %jd added, %jd updated, %jd deleted, %jd unchanged",
		(intmax_t)n->added, (intmax_t)n->updated, (intmax_t)n->deleted,
		(intmax_t)n->unchanged);
	if (n->failures)
		buf_fmt(&b, ", %jd failed: the next sync tries again", (intmax_t)n->failures);
	else if (!configured)
		buf_puts(&b, ": no knowledge is configured");
	if (!sync_is_set_up(c))
		buf_puts(&b, "; no server is set up");
	if (r->dryRun && c->conf->sync_tenant.n)
		buf_fmt(&b,
			"; server, not asked: %jd to push; 'ikm sync status' tells what stays here",
			(intmax_t)r->pending);
	if (d) {
		buf_fmt(&b, "; server: %jd pushed, %jd withdrawn, %jd pulled, %jd removed here",
			(intmax_t)d->pushed, (intmax_t)d->withdrawn, (intmax_t)d->pulled,
			(intmax_t)d->removed);
		if (d->assetsPushed || d->assetsPulled)
			buf_fmt(&b, ", assets: %jd pushed, %jd pulled", (intmax_t)d->assetsPushed,
				(intmax_t)d->assetsPulled);
		if (d->eventsPushed || d->eventsPulled)
			buf_fmt(&b, ", record: %jd pushed, %jd pulled", (intmax_t)d->eventsPushed,
				(intmax_t)d->eventsPulled);
		if (d->unwritable)
			buf_fmt(&b,
				", %jd stay here, because your role may not write their layer: "
				"'ikm sync status' lists them",
				(intmax_t)d->unwritable);
		if (d->erased)
			buf_fmt(&b, ", %jd erased here, as their owner wants", (intmax_t)d->erased);
		if (d->hidden)
			buf_fmt(&b, ", %jd sensitive here, as you made them private elsewhere",
				(intmax_t)d->hidden);
		if (d->conflicts)
			buf_fmt(&b, ", %jd conflict%s: 'ikm sync conflicts' lists %s",
				(intmax_t)d->conflicts, PLURAL(d->conflicts),
				d->conflicts == 1 ? "it" : "them");
		if (d->reconnected)
			buf_fmt(&b, ", %jd times the connection was lost and made again",
				(intmax_t)d->reconnected);
		if (d->undecided)
			buf_fmt(&b,
				", %jd wait until you say to which organisation they belong: "
				"'ikm sync tenant' asks",
				(intmax_t)d->undecided);
		if (d->otherTenants)
			buf_fmt(&b,
				", %jd stay here, because another organisation has them: "
				"'ikm sync tenant' lists whose they are",
				(intmax_t)d->otherTenants);
		if (d->waiting)
			buf_fmt(&b, ", %jd waiting: 'ikm sync status' tells why",
				(intmax_t)d->waiting);
	}
	r->message = buf_as_str(&b);
}

static struct err *sync_now_remote(struct call *c, struct memories *m, struct showing *s,
				   struct result *r)
{
	struct str tenant;

	TRY(sync_tenant(c, &tenant));
	if (r->dryRun) {
		const struct remote_share share = sync_share_settings(c, m->who.user);
		struct remote_status now;

		TRY(remote_status(m->db, c->a, &share, &now));
		r->pending = now.pending;
		return NULL;
	}
	r->remote = ARENA_NEW(c->a, struct remote_done);
	return sync_exchange(c, m, sync_now_rows, s, r->remote);
}

static struct err *sync_now_parts(struct call *c, const struct args *args, struct showing *s,
				  struct result *r)
{
	struct sync_ask ask;
	struct err *e = NULL;

	TRY(sync_open_sources(c, &ask));
	if (args->only != PART_REMOTE) {
		ask.dry = args->dryRun;
		ask.force = args->force;
		ask.types = args->types.bits;
		ask.layers = args->layers.bits;
		ask.progress = sync_now_item;
		ask.ctx = s;
		TRY(sync_knowledge_into_store(c->a, &ask, &r->done));
	}
	if (args->only == PART_REMOTE || (args->only < 0 && sync_is_set_up(c)))
		e = sync_now_remote(c, ask.m, s, r);
	if (e && args->only < 0 && !args->dryRun)
		err_help(e, "knowledge was synced; 'ikm sync now --only remote' tries the server "
			    "again");
	sync_now_message(c, r, args->only == PART_REMOTE || ask.k->sources);
	return e;
}

static struct err *sync_now_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct showing s = {.c = c, .lines = args->progress && c->json};
	struct err *e;

	r->dryRun = args->dryRun;
	e = sync_now_parts(c, args, &s, r);
	if (s.phase)
		progress_end(&s.progress);
	TRY(e);
	r->success = !r->done.counts.failures;
	c->negative = !r->success;
	return NULL;
}

const struct cmd cmd_sync_now = {
	.name = "sync now",
	.tool = "sync_now",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_IDEMPOTENT,
	.summary = "keep one memory for each knowledge item, and share memories over a server",
	.description = "Bring memories up to date with knowledge: one memory points to each "
		       "decision, so that memory_search finds decisions too. Use it after "
		       "knowledge has changed, or when memories seem to be out of date. If a "
		       "server is configured, memories of other machines and people come, too.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = sync_now_run,
	.template = "{message}\n" TEMPLATE_FAILURES,
};
