#include "sync_server.h"

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
