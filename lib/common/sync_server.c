#include "sync_server.h"
#include "audit.h"

/* How often a command tries to connect: with growing waits, about two seconds in all. */
#define TRIES 4

struct err *sync_server(struct call *c, struct pg **out)
{
	struct pg_server s = {.tries = TRIES};

	TRY(app_conf(c));
	s.url = c->conf->sync_url;
	s.connect_ms = c->conf->sync_timeout;
	s.statement_ms = c->conf->sync_timeout;
	return pg_open(c->a, &s, out);
}

struct err *sync_tenant(struct call *c, struct str *out)
{
	TRY(app_conf(c));
	*out = c->conf->sync_tenant;
	if (out->n)
		return NULL;
	return err_help(err_new(E_NOT_CONFIGURED, "the setting sync.tenant names no organisation"),
			"name it: ikm config set sync.tenant NAME");
}

struct remote_share sync_share(struct call *c)
{
	struct remote_share share = {.tenant = c->conf->sync_tenant,
				     .assets = c->conf->sync_assets};

	for (size_t i = 0; i < c->conf->sync_layers.n; i++) {
		int layer = record_choice(memory_layers, c->conf->sync_layers.p[i]);

		if (layer >= 0)
			share.layers |= 1u << layer;
	}
	return share;
}

struct err *sync_exchange(struct call *c, struct memories *m,
			  void (*progress)(void *ctx, const char *phase, uint64_t done), void *ctx,
			  struct remote_done *out)
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
		.events = audit_log(c, m->db),
		.share = sync_share(c),
		.progress = progress,
		.ctx = ctx,
	};
	struct err *e, *noted;

	*out = (struct remote_done){0};
	e = sync_server(c, &ask.pg);
	if (!e)
		return remote_sync(c->a, &ask, out);
	/* The error of the server is the one to tell. */
	noted = remote_note_failure(m->db, ask.share.tenant, e);
	(void)noted;
	return e;
}
