#include "sync_common.h"
#include "app/audit_params.h"
#include "decisions/know.h"
#include "memories/memories.h"
#include "os/os.h"
#include "sync/members.h"

/* How often a command tries to connect: with growing waits, about two seconds in all. */
#define TRIES 4
/* After a lost connection the server may be restarting: these waits are up to eleven seconds. */
#define TRIES_AGAIN 8
/* How often an exchange loses its connection before it gives up. */
#define LOSSES 4

/* ---- the server ---- */

static struct err *server_open(struct call *c, struct arena *a, unsigned tries, struct pg **out)
{
	struct pg_server s = {.tries = tries};

	TRY(app_load_conf(c));
	s.url = c->conf->sync_url;
	s.connect_ms = c->conf->sync_timeout;
	s.statement_ms = c->conf->sync_timeout;
	return pg_open(a, &s, out);
}

struct err *sync_connect(struct call *c, struct pg **out)
{
	return server_open(c, c->a, TRIES, out);
}

bool sync_is_set_up(const struct call *c)
{
	return c->conf->sync_tenant.n || c->conf->sync_url.n;
}

struct err *sync_tenant(struct call *c, struct str *out)
{
	TRY(app_load_conf(c));
	*out = c->conf->sync_tenant;
	if (out->n)
		return NULL;
	return err_help(err_new(E_NOT_CONFIGURED, "the setting sync.tenant names no organisation"),
			"name it: ikm config set sync.tenant NAME");
}

struct remote_share sync_share_settings(struct call *c, struct str user)
{
	struct remote_share share = {.tenant = c->conf->sync_tenant,
				     .assets = c->conf->sync_assets};

	strs_push(c->a, &share.users, user);
	strs_add_all(c->a, &share.users, &c->conf->sync_users);
	for (size_t i = 0; i < c->conf->sync_layers.n; i++) {
		int layer = record_choice_index(memory_layers, c->conf->sync_layers.p[i]);

		if (layer >= 0)
			share.layers |= 1u << layer;
	}
	return share;
}

#define W struct remote_what
const struct field sync_what_fields[] = {
	FIELD_OF(W, what, "a layer; record: the record of changes; assets: stored assets"),
	FIELD_OF(W, whose, "the identifiers of the layer, as a JSON list; absent: all of it",
		 .flags = IF_ANY),
	FIELD_OF(W, tenant, "the organisation; absent: none may have it", .flags = IF_ANY),
	FIELD_OF(W, memories, "how many memories wait", .flags = IF_ANY),
	{0},
};
#undef W

struct str sync_tenant_question_text(struct arena *a, struct str tenant,
				     const struct remote_whats *what)
{
	struct buf words = buf_in(a);
	struct buf b = buf_in(a);
	int64_t n = 0;

	for (size_t i = 0; i < what->n; i++) {
		struct str one = sync_layer_shown(a, what->p[i].what, what->p[i].whose);

		n += what->p[i].memories;
		buf_fmt(&words, " %.*s", STR_ARG(str_shell_word(a, one)));
	}
	buf_fmt(&b,
		"%jd memor%s wait: does this belong to '%.*s'?%.*s\n"
		"  yes:             ikm sync tenant%.*s\n"
		"  to another one:  ikm -c sync.tenant=NAME sync tenant%.*s\n"
		"  to none:         ikm sync tenant --none%.*s\n",
		(intmax_t)n, n == 1 ? "y" : "ies", STR_ARG(tenant), STR_ARG(buf_as_str(&words)),
		STR_ARG(buf_as_str(&words)), STR_ARG(buf_as_str(&words)),
		STR_ARG(buf_as_str(&words)));
	return buf_as_str(&b);
}

/* The connection lives as long as one attempt. */
static struct err *exchange_once(struct call *c, unsigned tries, struct remote_ask *ask,
				 struct remote_done *out)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct err *e, *noted;

	ask->pg = NULL;
	e = server_open(c, a, tries, &ask->pg);
	if (!e)
		return remote_sync(c->a, ask, out);
	/* The error of the server is the one to tell. */
	noted = remote_note_failure(ask->m->db, ask->share.tenant, e);
	(void)noted;
	return e;
}

/* Two syncs of one home at once would look to the server like a home and its copy. */
static struct err *exchange_lock(struct call *c, int64_t ms, struct os_lock **out)
{
	const char *home = os_ikigai_home(c->a), *dir;
	struct err *e;

	*out = NULL;
	/* Without a home the store has an error of its own. */
	if (!home)
		return NULL;
	dir = os_join(c->a, home, "locks/sync");
	TRY(os_mkdirs(dir, 0700));
	e = os_lock_dir(c->a, dir, (unsigned)ms, out);
	return e && err_reason(e) == E_LOCKED ? err_add_context(e, "another sync of this home runs")
					      : e;
}

struct err *sync_exchange(struct call *c, struct memories *m,
			  void (*progress)(void *ctx, const char *phase, uint64_t done,
					   uint64_t all),
			  void *ctx, struct remote_done *out)
{
	struct assets assets = {
		.db = m->db,
		.agent = c->conf->agent_id,
		.budget = c->conf->assets_budget,
		.keep_versions = c->conf->assets_keep_versions,
		.keep_days = c->conf->assets_keep_days,
		.model = c->conf->tokens_model,
	};
	struct remote_ask ask = {
		.m = m,
		.assets = &assets,
		.events = audit_events_new(c, m->db),
		.share = sync_share_settings(c, m->who.user),
		.progress = progress,
		.ctx = ctx,
	};
	struct os_lock *lock;
	struct err *e;

	*out = (struct remote_done){0};
	TRY(exchange_lock(c, c->conf->sync_timeout, &lock));
	e = exchange_once(c, TRIES, &ask, out);
	/* Each batch is stored on its own, so the next attempt continues behind the last one. */
	for (unsigned lost = 1; e && ask.pg && pg_is_lost(e) && lost < LOSSES; lost++) {
		if (progress)
			progress(ctx, "reconnect", lost, 0);
		pg_pause(lost);
		e = exchange_once(c, TRIES_AGAIN, &ask, out);
		out->reconnected += ask.pg != NULL;
	}
	if (e && out->reconnected)
		err_help(e,
			 "the connection was lost, and made again, %jd times; changes wait for "
			 "the next sync",
			 (intmax_t)out->reconnected);
	if (lock)
		os_unlock(lock);
	return e;
}

/* ---- the record, as it grows ---- */

/* All of it, for a command must not wait longer. A test must not fail because the machine is busy.
 */
#ifdef IKM_TEST
#define RECORD_MS (60 * 1000)
#else
#define RECORD_MS 200
#endif

static struct err *record_push(struct call *c, struct arena *a)
{
	const struct pg_server s = {.url = c->conf->sync_url,
				    .connect_ms = RECORD_MS,
				    .statement_ms = RECORD_MS,
				    .total_ms = RECORD_MS,
				    .tries = 1};
	struct memories *m;
	struct remote_ask ask = {0};

	TRY(mem_open(c, &m));
	ask.m = m;
	ask.events = audit_events_new(c, m->db);
	ask.share = sync_share_settings(c, m->who.user);
	TRY(pg_open(a, &s, &ask.pg));
	return remote_push_events(a, &ask);
}

void sync_send_events(struct call *c)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct os_lock *lock = NULL;
	struct err *e, *noted;
	bool waits;

	if (!c->store || !c->conf || c->conf->sync_events != CONF_RECORD_AUTO ||
	    !c->conf->sync_tenant.n || !c->cmd || c->cmd->traits & TOOL_READS ||
	    cmd_has_noun(c->cmd, STR("sync")) ||
	    remote_has_unsent_events(c->store, a, c->conf->sync_tenant, &waits) || !waits)
		return;
	/* Another process that syncs takes the rows along. */
	if (exchange_lock(c, 1, &lock))
		return;
	e = record_push(c, a);
	noted = e ? remote_note_events_failure(c->store, a, c->conf->sync_tenant, e) : NULL;
	(void)noted;
	if (lock)
		os_unlock(lock);
}

/* ---- sources of knowledge: every machine gives them the same name ---- */

struct err *sync_open_sources(struct call *c, struct sync_ask *out)
{
	const struct strs given = {0};
	const char *repo = NULL; /* one that several sources share is opened once */
	struct str id = {0};
	struct git *git = NULL;
	struct knowledge *k;

	*out = (struct sync_ask){.began = os_ticks()};
	TRY(know_load_list_missing(c, &given, &out->missing, &k));
	out->k = k;
	TRY(mem_open(c, &out->m));
	TRY(mem_find_current_project(c, out->m));
	if (c->git)
		out->place = str_of(git_common_dir(c->git));
	for (size_t i = 0; i < k->configured.n; i++) {
		const struct kn_source *s = k->configured.p[i];
		struct sync_source *one = VEC_PUSH(c->a, &out->sources);

		*one = (struct sync_source){.source = s};
		if (!s->repo) {
			one->key = str_fmt(c->a, "file:%s", s->folder ? s->folder : "");
			continue;
		}
		if (!repo || strcmp(repo, s->repo) != 0) {
			TRY(git_open(c->a, s->repo, &git));
			TRY(mem_git_repository_id(c->a, git, app_store(c), &id));
			repo = s->repo;
		}
		if (id.n)
			one->key = str_fmt(c->a, "%.*s:%.*s", STR_ARG(id), STR_ARG(s->prefix));
		else
			one->key = str_fmt(c->a, "file:%s/%.*s", s->repo, STR_ARG(s->prefix));
		/* Before the first commit there is none. */
		if (git_rev_id(git, c->a, s->ref ? s->ref : "HEAD", &one->commit))
			one->commit = STR("");
	}
	return NULL;
}

/* ---- failures ---- */

#define F struct sync_failure
const struct field sync_failure_fields[] = {
	FIELD_OF(F, item, "the item's id", .flags = IF_ANY),
	FIELD_AS(F, path, "file", "its file, or the source"),
	FIELD_NAMED(F, layer, "layer", kn_layers, "the item's layer", .flags = OPTIONAL),
	FIELD_NAMED(F, type, "type", kn_types, "the item's type", .flags = OPTIONAL),
	FIELD_OF(F, reason, "why, as in an error's details"),
	FIELD_OF(F, message, "what is wrong"),
	{0},
};
#undef F
