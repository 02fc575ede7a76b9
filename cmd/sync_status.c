/* sync status: when sync ran, what failed, what is pending (requirement: memory and knowledge,
 * sync_status). */
#include "common/sync_sources.h"

struct nothing {
	char none;
};
static const struct param params[] = {{0}};

struct result {
	bool success, healthy;
	struct str last, since;
	int64_t failedItems;
	struct {
		int64_t runs, changes;
		double average;
	} stats;
	struct sync_counts pending;
	struct sync_failures failed;
	struct sync_known_list sources;
};

#define STAT(member, name, help) FIELD_AS(struct result, stats.member, name, help)
static const struct field stat_fields[] = {
	STAT(runs, "totalSyncs", "how often sync ran here"),
	STAT(changes, "totalItemsSynced", "pointers that all syncs added, updated or deleted"),
	STAT(average, "avgSyncDurationMs", "how long a sync took on average"),
	{0},
};

#define PENDING(member, help) FIELD_AS(struct result, pending.member, #member, help)
static const struct field pending_fields[] = {
	PENDING(added, "items without a pointer"),
	PENDING(updated, "items that differ from their pointer"),
	PENDING(deleted, "pointers whose item is gone"),
	PENDING(failures, "items that would fail"),
	{0},
};

static const struct field source_fields[] = {
	FIELD_OF(struct sync_known, source, "its repository and folder"),
	FIELD_AS(struct sync_known, commit, "lastKnowledgeCommit",
		 "the commit up to which no item failed", .flags = IF_ANY),
	{0},
};

static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(healthy, "no item failed, and the last sync is less than a day old"),
	FIELD_AS(struct result, last, "lastSyncAt", "when sync ran last", .flags = NULLABLE),
	FIELD_AS(struct result, since, "timeSinceSync", "how long ago that was"),
	FIELD(failedItems, "items that failed in the last sync"),
	FIELD_GROUP("stats", stat_fields, "all syncs here"),
	FIELD_GROUP("pending", pending_fields, "what a sync would do now"),
	FIELD_RECORDS(struct result, failed, "failed", sync_failure_fields, "the items that failed",
		      .flags = IF_ANY),
	FIELD_RECORDS(struct result, sources, "sources", source_fields,
		      "the sources that were synced", .flags = IF_ANY),
	{0},
};

static struct err *sync_status_run(struct call *c, const void *p, void *out)
{
	struct result *r = out;
	struct sync_history h;
	struct sync_done pending;
	struct sync_ask ask;
	int64_t now = os_now();

	(void)p;
	TRY(sync_open(c, &ask));
	ask.dry = true;
	TRY(sync_knowledge(c->a, &ask, &pending));
	TRY(sync_history(ask.m->db, ask.place, &h));
	TRY(sync_failures_of(ask.m->db, c->a, ask.place, &r->failed));
	TRY(sync_known(ask.m->db, c->a, ask.place, &r->sources));
	r->success = true;
	r->pending = pending.counts;
	r->failedItems = (int64_t)r->failed.n;
	r->stats.runs = h.runs;
	r->stats.changes = h.changes;
	if (h.runs)
		r->stats.average = (double)h.duration_ms / (double)h.runs;
	if (h.last)
		r->last = os_time_text(c->a, h.last, true);
	r->since = sync_since(c->a, h.last, now);
	r->healthy = h.last && now - h.last < DAY_MS && !r->failedItems;
	c->negative = !r->healthy;
	return NULL;
}

static void sync_status_pending(struct call *c, const struct sync_counts *n)
{
	if (!n->added && !n->updated && !n->deleted && !n->failures) {
		out_puts(c->out, "pending: nothing\n");
		return;
	}
	out_fmt(c->out, "pending: %jd to add, %jd to update, %jd to delete", (intmax_t)n->added,
		(intmax_t)n->updated, (intmax_t)n->deleted);
	if (n->failures)
		out_fmt(c->out, ", %jd would fail", (intmax_t)n->failures);
	out_puts(c->out, "\n");
}

static void sync_status_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	out_styled(c->out, r->healthy ? OUT_GREEN : OUT_RED,
		   r->healthy ? STR("healthy") : STR("not healthy"));
	out_fmt(c->out, ": last sync %.*s%s, %jd failed\n", STR_ARG(r->since),
		!r->last.n || str_is(r->since, "just now") ? "" : " ago", (intmax_t)r->failedItems);
	sync_status_pending(c, &r->pending);
	sync_print_failures(c, &r->failed);
	if (!r->last.n)
		out_puts(c->err, "'ikm sync now' syncs\n");
}

const struct cmd cmd_sync_status = {
	.name = "sync status",
	.tool = "sync_status",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS,
	.summary = "tell when sync ran, what failed and what is pending",
	.description = "Check whether memories are up to date with knowledge: the last sync, "
		       "pending changes, and items that failed.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct nothing, params),
	CMD_RESULT(struct result, result),
	.run = sync_status_run,
	.text = sync_status_text,
};
