/* sync migrate: makes the schema on the server, or brings it up to date. */
#include "exchange/sync_common.h"

struct result {
	bool success;
	int64_t from, to;
	struct str role;
};
static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(from, "the version of the schema before; 0: there was none"),
	FIELD(to, "its version now"),
	FIELD(role, "who did it, and in which database"),
	{0},
};

static struct err *sync_migrate_run(struct call *c, const void *p, void *out)
{
	struct result *r = out;
	struct pg *pg;

	(void)p;
	TRY(sync_connect(c, &pg));
	TRY(pg_migrate(pg, c->a, &r->from));
	r->success = true;
	r->to = pg_schema_known_version();
	r->role = pg_role_and_database(pg);
	return NULL;
}

const struct cmd cmd_sync_migrate = {
	.name = "sync migrate",
	.summary = "make the server's schema, or bring it up to date",
	.description = "Run it as the service role, which owns the schema. Running it again "
		       "changes nothing.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_RESULT(struct result, result),
	.run = sync_migrate_run,
	.template = "{?from=to:the schema is version {to} already|{?from:the schema was version "
		    "{from}, and is version {to} now|made the schema, version {to}}}\n",
};
