/* sync member add, list, purge, remove: who belongs to the tenant. */
#include "exchange/sync_common.h"
#include "reply/ask_person.h"
#include "sync/members.h"

struct args {
	struct str login;
	struct strs layers;
	bool only, dryRun, yes;
};

#define PARAM_LOGIN                                                                                \
	PARAM(login, .flags = ARG | REQUIRED, .meta = "role", .min = 1, .max = 63,                 \
	      .help = "the person's login role on the server")
static const struct param add_params[] = {
	PARAM_LOGIN,
	PARAM(layers, .letter = 'l', .option = "layer", .meta = "layer[:id]", .max = 256,
	      .help = "a layer that the person shares: project, team, org or company, or one of "
		      "them alone, such as team:web; may be repeated"),
	PARAM(only, .help = "take away the other layers of somebody who belongs to it already"),
	{0},
};
static const struct param remove_params[] = {PARAM_LOGIN, {0}};
static const struct param list_params[] = {{0}};

struct result {
	bool success, changed;
	struct str tenant;
	struct strs layers, before;
	struct sync_member_list members;
	struct sync_purged purged;
	bool dryRun;
};

/* Opens the server for its service role, with a schema that this ikm knows. */
static struct err *sync_member_open(struct call *c, struct pg **pg, struct str *tenant)
{
	struct pg_schema schema;

	TRY(sync_tenant(c, tenant));
	TRY(sync_connect(c, pg));
	return pg_schema_check(*pg, c->a, &schema);
}

/* ---- add ---- */

static const struct field add_result[] = {
	FIELD(success, "always true"),
	FIELD_AS(struct result, changed, "added", "false: the person belonged to it already"),
	FIELD(tenant, "the organisation"),
	FIELD(layers, "the layers that the person shares now"),
	FIELD(before, "those before", .flags = IF_ANY),
	{0},
};

static struct err *sync_member_add_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct pg *pg;

	TRY(sync_member_open(c, &pg, &r->tenant));
	r->success = true;
	TRY(sync_members(pg, c->a, r->tenant, &r->members));
	for (size_t i = 0; i < r->members.n; i++)
		if (str_eq(r->members.p[i].login, args->login))
			r->before = r->members.p[i].layers;
	if (!args->only)
		strs_add_all(c->a, &r->layers, &r->before);
	for (size_t i = 0; i < args->layers.n; i++)
		if (!strs_has(&r->layers, args->layers.p[i]))
			strs_push(c->a, &r->layers, args->layers.p[i]);
	return sync_member_add(pg, c->a, r->tenant, args->login, &r->layers, &r->changed);
}

const struct cmd cmd_sync_member_add = {
	.name = "sync member add",
	.summary = "let a person share memories on the server",
	.description = "Adds a person, or layers of one. Run it as the service role.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, add_params),
	CMD_RESULT(struct result, add_result),
	.run = sync_member_add_run,
	.template = "{@login} belongs to {tenant}, and shares {layers|'no layer'}"
		    "{?!added: (before: {before|'no layer'})}\n",
};

/* ---- remove ---- */

static const struct field remove_result[] = {
	FIELD(success, "the person belonged to it"),
	FIELD(tenant, "the organisation"),
	{0},
};

static struct err *sync_member_remove_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct pg *pg;

	TRY(sync_member_open(c, &pg, &r->tenant));
	TRY(sync_member_remove(pg, c->a, r->tenant, args->login, &r->success));
	c->negative = !r->success;
	return NULL;
}

const struct cmd cmd_sync_member_remove = {
	.name = "sync member remove",
	.summary = "end a person's access to the server",
	.description = "What the person shared stays on the server. Run it as the service role.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, remove_params),
	CMD_RESULT(struct result, remove_result),
	.run = sync_member_remove_run,
	.template = "{@login}{?success: belongs no more to | did not belong to }{tenant}\n",
};

/* ---- purge ---- */

static const struct param purge_params[] = {
	PARAM_LOGIN,
	PARAM(dryRun, .letter = 'n', .help = "erase nothing, and count what would be erased"),
	PARAM(yes, .letter = 'y', .flags = CLI_ONLY,
	      .help = "erase without a question; ikm asks at a terminal only"),
	{0},
};

#define P(member, help) FIELD_AS(struct result, purged.member, #member, help)
static const struct field purge_result[] = {
	FIELD(success, "there was something to erase, and nobody said no"),
	FIELD(tenant, "the organisation"),
	FIELD(dryRun, "nothing was erased", .flags = IF_ANY),
	P(memories, "memories that the server forgets, and the machines of other people erase"),
	P(assets, "stored assets"),
	P(events, "rows of the record of changes"),
	P(machines, "machines of the person"),
	{0},
};
#undef P

static struct err *sync_member_purge_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	bool yes = true;
	struct pg *pg;

	TRY(sync_member_open(c, &pg, &r->tenant));
	if (!args->yes && !args->dryRun && confirm_can_ask(c))
		TRY(confirm(c,
			    str_c(c->a, str_fmt(c->a, "erase all that %.*s has in '%.*s' for ever?",
						STR_ARG(args->login), STR_ARG(r->tenant))),
			    &yes));
	r->dryRun = args->dryRun || !yes;
	TRY(sync_member_purge(pg, c->a, r->tenant, args->login, r->dryRun, &r->purged));
	r->success =
		yes &&
		r->purged.memories + r->purged.assets + r->purged.events + r->purged.machines > 0;
	c->negative = !r->success;
	return NULL;
}

const struct cmd cmd_sync_member_purge = {
	.name = "sync member purge",
	.summary = "erase what somebody who left has on the server",
	.description = "The machines of other people erase their copies with their next sync. Run "
		       "it as the service role, after 'ikm sync member remove'.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, purge_params),
	CMD_RESULT(struct result, purge_result),
	.run = sync_member_purge_run,
	.template =
		"{?dryRun:nothing is erased; there are|erased} {memories} {?memories=1:memory|memories}, "
		"{assets} {?assets=1:asset|assets}, {events} {?events=1:row|rows} of the record and "
		"{machines} {?machines=1:machine|machines} of {@login} in {tenant}\n",
};

/* ---- list ---- */

static const struct field member_fields[] = {
	FIELD_OF(struct sync_member, login, "the login role"),
	FIELD_OF(struct sync_member, layers, "the layers that the person shares"),
	FIELD_TIME(struct sync_member, since, "since", "when the person was added"),
	FIELD_OF(struct sync_member, gone, "the server has no such role any more", .flags = IF_ANY),
	{0},
};
static const struct field list_result[] = {
	FIELD(success, "always true"),
	FIELD(tenant, "the organisation"),
	FIELD_RECORDS(struct result, members, "members", member_fields, "who belongs to it"),
	{0},
};

static struct err *sync_member_list_run(struct call *c, const void *p, void *out)
{
	struct result *r = out;
	struct pg *pg;

	(void)p;
	TRY(sync_member_open(c, &pg, &r->tenant));
	r->success = true;
	return sync_members(pg, c->a, r->tenant, &r->members);
}

const struct cmd cmd_sync_member_list = {
	.name = "sync member list",
	.summary = "list who shares memories on the server",
	.description = "The service role sees all members; a member sees itself.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, list_params),
	CMD_RESULT(struct result, list_result),
	.run = sync_member_list_run,
	.template = "{=members:{;role:{login}}  {;layers:{layers|'-'}}"
		    "{;note%12e:{?gone:  (the server has no such role)}}\n}"
		    "{?!members:{2:nobody belongs to it\n}}",
};
