/* sync status: when sync ran, what failed (requirement: memory and knowledge, sync_status). */
#include "exchange/sync_common.h"
#include "cmd/result_template.h"

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
	struct remote_shown {
		struct str tenant;
		struct strs layers;
		bool assets, noServer;
		struct str synced, failed;
		struct remote_status now;
	} * remote; /* NULL: no server is configured */
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

#define W struct remote_waiting
static const struct field waiting_fields[] = {
	FIELD_OF(W, id, "the memory's id"),
	FIELD_OF(W, pulled, "it comes from the server; false: it is to go there"),
	FIELD_OF(W, reason, "why, as in an error's details"),
	FIELD_OF(W, message, "what is wrong"),
	FIELD_TIME(W, first, "firstAt", "when it waited first"),
	FIELD_OF(W, tries, "how many syncs tried"),
	{0},
};
#undef W
#define T struct remote_layer
static const struct field table_fields[] = {
	FIELD_OF(T, layer, "the layer, with the part of it that your role may not write"),
	FIELD_OF(T, memories, "how many"),
	FIELD_OF(
		T, why,
		"there: the server has them; pending: the next sync offers them; and why they stay "
		"here: sensitive, layer, role, foreign, others, tenant, unsaid"),
	{0},
};
#undef T
#define M struct remote_machine
static const struct field machine_fields[] = {
	FIELD_OF(M, machine, "its id, as in the record of changes"),
	FIELD_OF(M, name, "its name, as the system has it; empty: an older ikm"),
	FIELD_TIME(M, synced, "lastSyncAt",
		   "when it had read all, and erased what it had to; absent: not known",
		   .flags = IF_ANY),
	FIELD_OF(M, here, "this machine", .flags = IF_ANY),
	{0},
};
#undef M
#define R struct remote_shown
static const struct field withheld_fields[] = {
	FIELD_AS(R, now.sensitive, "sensitive", "memories that are sensitive"),
	FIELD_AS(R, now.elsewhere, "otherLayers", "memories of layers that sync.layers lacks"),
	FIELD_AS(R, now.foreign, "otherPeoples", "changes of memories of other people"),
	FIELD_AS(R, now.others, "ofOthers",
		 "memories of other people, which did not come from this server"),
	FIELD_AS(R, now.unwritable, "role", "memories of layers that your role may not write"),
	FIELD_AS(R, now.elsewhose, "otherTenants", "memories that another organisation has"),
	{0},
};
static const struct field remote_fields[] = {
	FIELD_OF(R, tenant, "the organisation"),
	FIELD_OF(R, layers, "the layers that leave this machine"),
	FIELD_OF(R, assets, "stored assets leave it, too"),
	FIELD_OF(R, noServer, "sync.url names no server", .flags = IF_ANY),
	FIELD_AS(R, synced, "lastSyncAt", "when an exchange with the server was complete",
		 .flags = NULLABLE),
	FIELD_AS(R, failed, "failedAt", "when the exchange failed; null: the last one did not",
		 .flags = NULLABLE),
	FIELD_AS(R, now.reason, "reason", "why it failed", .flags = IF_ANY),
	FIELD_AS(R, now.message, "message", "the same in words", .flags = IF_ANY),
	FIELD_AS(R, now.pending, "pending", "changes that the next sync pushes"),
	FIELD_RECORDS(R, now.table, "memories", table_fields, "the memories of each layer"),
	FIELD_GROUP("withheld", withheld_fields, "what stays on this machine"),
	FIELD_RECORDS(R, now.unsaid, "undecided", sync_what_fields,
		      "what waits until 'ikm sync tenant' says which organisation it belongs to",
		      .flags = IF_ANY),
	FIELD_RECORDS(R, now.machines, "machines", machine_fields,
		      "your machines, as this one saw them last"),
	FIELD_AS(R, now.erasing, "erasing",
		 "a log of the store still has what was erased here, as another program reads it"),
	FIELD_AS(R, now.unpushed, "unpushed",
		 "how often sync.events could not send the record since the last sync",
		 .flags = IF_ANY),
	FIELD_AS(R, now.conflicts, "conflicts", "versions that lost"),
	FIELD_RECORDS(R, now.waiting, "waiting", waiting_fields,
		      "rows that could not be exchanged"),
	{0},
};
#undef R

static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(healthy,
	      "no item failed, the last sync is less than a day old, the server had no error, "
	      "and all that may go there is there"),
	FIELD_AS(struct result, last, "lastSyncAt", "when sync ran last", .flags = NULLABLE),
	FIELD_AS(struct result, since, "timeSinceSync", "how long ago that was"),
	FIELD(failedItems, "items that failed in the last sync"),
	FIELD_GROUP("stats", stat_fields, "all syncs here"),
	FIELD_GROUP("pending", pending_fields, "what a sync would do now"),
	FIELD_RECORD_AT(struct result, remote, "remote", remote_fields,
			"the server; absent: none is configured", .flags = OPTIONAL),
	FIELD_RECORDS(struct result, failed, "failed", sync_failure_fields, "the items that failed",
		      .flags = IF_ANY),
	FIELD_RECORDS(struct result, sources, "sources", source_fields,
		      "the sources that were synced", .flags = IF_ANY),
	{0},
};

static struct err *sync_status_remote(struct call *c, const struct memories *m, struct result *r)
{
	const struct remote_share share = sync_share_settings(c, m->who.user);
	struct remote_shown *shown;
	struct str tenant;

	if (!sync_is_set_up(c))
		return NULL;
	TRY(sync_tenant(c, &tenant));
	r->remote = shown = ARENA_NEW(c->a, struct remote_shown);
	shown->tenant = share.tenant;
	shown->layers = c->conf->sync_layers;
	shown->assets = share.assets;
	shown->noServer = !c->conf->sync_url.n;
	TRY(remote_status(m->db, c->a, &share, &shown->now));
	if (shown->now.synced)
		shown->synced = os_time_text(c->a, shown->now.synced, true);
	if (shown->now.failed)
		shown->failed = os_time_text(c->a, shown->now.failed, true);
	r->healthy = !shown->now.failed && !shown->now.waiting.n && !shown->now.unsaid.n &&
		     !shown->now.pending;
	return NULL;
}

static struct err *sync_status_run(struct call *c, const void *p, void *out)
{
	struct result *r = out;
	struct sync_history h;
	struct sync_done pending;
	struct sync_ask ask;
	int64_t now = os_now();

	(void)p;
	TRY(sync_open_sources(c, &ask));
	ask.dry = true;
	TRY(sync_knowledge_into_store(c->a, &ask, &pending));
	TRY(sync_history_read(ask.m->db, ask.place, &h));
	TRY(sync_failures_of(ask.m->db, c->a, ask.place, &r->failed));
	TRY(sync_known_sources(ask.m->db, c->a, ask.place, &r->sources));
	r->success = true;
	r->pending = pending.counts;
	r->failedItems = (int64_t)r->failed.n;
	r->stats.runs = h.runs;
	r->stats.changes = h.changes;
	if (h.runs)
		r->stats.average = (double)h.duration_ms / (double)h.runs;
	r->healthy = true;
	TRY(sync_status_remote(c, ask.m, r));
	/* Without knowledge to sync, the exchange with the server is the sync. */
	if (r->remote && r->remote->now.synced > h.last && !r->pending.added && !r->pending.updated)
		h.last = r->remote->now.synced;
	if (h.last)
		r->last = os_time_text(c->a, h.last, true);
	r->since = sync_time_ago(c->a, h.last, now);
	r->healthy = r->healthy && h.last && now - h.last < DAY_MS && !r->failedItems;
	c->negative = !r->healthy;
	return NULL;
}

static void sync_status_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	if (r->remote) {
		const struct remote_status *now = &r->remote->now;

		template_print_record(
			c,
			"{=memories:{;layer:{layer%-12}}  {;memories%>:{memories%6}}  {;where%20e:{?why='there':on the server|{?why='pending':waits: "
			"ikm sync now|{?why='sensitive':stays here: sensitive: ikm mem edit ID --redaction "
			"internal|{?why='layer':stays here: ikm config set --add sync.layers {layer}|"
			"{?why='role':stays here: your role may not write it; an administrator: ikm sync member "
			"add ROLE --layer {layer}|{?why='foreign':another person's, changed here: the change "
			"stays|{?why='others':stays here: of other people|{?why='tenant':stays here: another "
			"organisation has it: ikm sync tenant|waits: ikm sync tenant}}}}}}}}}\n}"
			"server: {?noServer:sync.url names none|{?lastSyncAt:last exchange {lastSyncAt}|no "
			"exchange yet}}, {pending} pending\n{?noServer:{2:name it: ikm config set sync.url "
			"postgresql://ROLE@HOST/DATABASE\n}}{?message:{2:{~'failed'} {failedAt}: {message}\n}}"
			"{=machines:{;machine:{name|machine%-12}}  {;synced:{?^lastSyncAt:last exchange {lastSyncAt}|last exchange not known}}{;here%5e:{?here:  here}}\n}"
			"{?#machines>1:{2:what was erased since is still on those machines; no sync reaches backups and exports\n}}"
			"{?withheld.ofOthers:{2:if other people's names are former ones of yours: ikm "
			"config set sync.users NAME\n}}",
			remote_fields, r->remote);
		if (now->unsaid.n)
			out_safe(c->err,
				 sync_tenant_question_text(c->a, r->remote->tenant, &now->unsaid),
				 true);
		for (size_t i = 0; i < now->waiting.n && i < 10; i++) {
			out_styled(c->err, OUT_YELLOW, STR("waiting"));
			out_fmt(c->err, " %.*s: ", STR_ARG(now->waiting.p[i].id));
			out_safe_line(c->err, now->waiting.p[i].message);
		}
		if (now->waiting.n > 10)
			out_fmt(c->err, "%zu more wait; --json lists all\n", now->waiting.n - 10);
		if (now->unpushed)
			out_fmt(c->err,
				"the record could not be sent %jd time%s: 'ikm sync now' sends it\n",
				(intmax_t)now->unpushed, PLURAL(now->unpushed));
		if (now->erasing)
			out_puts(
				c->err,
				"what other machines erased is still in the log of the store: another "
				"program reads it; sync again when it has ended\n");
		if (now->conflicts)
			out_fmt(c->err, "%jd conflict%s; 'ikm sync conflicts' lists %s\n",
				(intmax_t)now->conflicts, PLURAL(now->conflicts),
				now->conflicts == 1 ? "it" : "them");
	} else
		out_puts(
			c->out,
			"server: none is set up, so memories stay on this machine: man 7 ikm-sync\n");
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
	CMD_RESULT(struct result, result),
	.run = sync_status_run,
	.template = "{?healthy:{+'healthy'}|{!'not healthy'}}: last sync {timeSinceSync}"
		    "{?lastSyncAt&!timeSinceSync='just now': ago}, {failedItems} failed\n"
		    "{?!pending.added&!pending.updated&!pending.deleted&!pending.failures:pending:"
		    " nothing\n|pending: {pending.added} to add, {pending.updated} to update, "
		    "{pending.deleted} to delete{?pending.failures:, {pending.failures} would "
		    "fail}\n}" TEMPLATE_FAILURES,
	.text = sync_status_text,
};
