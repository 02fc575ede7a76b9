/* sync tenant: which organisation may have what. */
#include "memories/memories.h"
#include "exchange/sync_common.h"
#include "sync/members.h"

struct args {
	struct strs what;
	bool none, waiting, forget;
};
static const struct param params[] = {
	PARAM(what, .flags = ARG, .meta = "what", .max = 4096,
	      .help = "a layer, or a layer and its identifier, such as project:example.org/web; "
		      "record: the record of changes; assets: stored assets"),
	PARAM(waiting, .letter = 'w', .help = "all that waits for an answer"),
	PARAM(none, .help = "no organisation may have it"),
	PARAM(forget, .help = "take the answer back, so that ikm asks again"),
	{0},
};

struct result {
	bool success;
	struct str tenant;
	struct remote_whats said, waiting;
	int64_t pending;
	struct strs unknown;
};
static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(tenant, "the organisation of sync.tenant"),
	FIELD_RECORDS(struct result, said, "belongs", sync_what_fields,
		      "what belongs to which organisation"),
	FIELD_RECORDS(struct result, waiting, "undecided", sync_what_fields,
		      "what waits for an answer"),
	FIELD(pending, "changes that the next sync sends to the organisation of sync.tenant"),
	FIELD(unknown, "a sentence for each name that no memory here has yet", .flags = IF_ANY),
	{0},
};

static struct err *sync_tenant_run(struct call *c, const void *p, void *out)
{
	struct result *r = out;
	struct remote_status now;
	struct remote_share share;
	const struct args *args = p;
	struct memories *m;
	const char *names[MEMORY_LAYERS_END + 3] = {REMOTE_RECORD, REMOTE_ASSETS};
	struct str tenant;
	struct remote_whats what = {0};

	TRY(ERR_EXCLUSIVE(args->none ? "--none" : NULL, args->forget ? "--forget" : NULL));
	TRY(sync_tenant(c, &r->tenant));
	TRY(mem_open(c, &m));
	share = sync_share_settings(c, m->who.user);
	TRY(remote_status(m->db, c->a, &share, &now));
	r->waiting = now.unsaid;
	tenant = args->none ? STR("") : r->tenant;
	for (size_t i = 0; i < MEMORY_LAYERS_END; i++)
		names[i + 2] = memory_layers[i];
	for (size_t i = 0; i < args->what.n; i++) {
		struct remote_what *one = VEC_PUSH(c->a, &what);
		struct str unknown;

		*one = (struct remote_what){.memories = 0};
		TRY(sync_layer_parse(c->a, "what", names, args->what.p[i], &one->what,
				     &one->whose));
		TRY(remote_check_assignable(m->db, c->a, one, &unknown));
		if (unknown.n)
			strs_push(c->a, &r->unknown, unknown);
	}
	for (size_t i = 0; args->waiting && i < r->waiting.n; i++)
		*VEC_PUSH(c->a, &what) = r->waiting.p[i];
	if (!what.n && (args->none || args->forget))
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("what"),
					      args->none
						      ? "--none needs what no organisation may have"
						      : "--forget needs what has an answer"),
				"'ikm sync tenant' lists what has one, and what waits; --waiting "
				"names all that waits");
	TRY(what.n ? remote_assign_layers_to_tenant(m->db, &what, args->forget ? NULL : &tenant)
		   : NULL);
	TRY(remote_status(m->db, c->a, &share, &now));
	r->waiting = now.unsaid;
	r->pending = now.pending;
	r->success = true;
	return remote_list_tenant_assignments(m->db, c->a, &r->said);
}

static void sync_tenant_text(struct call *c, const void *given, const void *p)
{
	const struct args *args = given;
	const struct result *r = p;

	VEC_EACH(const struct remote_what, w, &r->said) {
		out_safe(c->out, sync_layer_shown(c->a, w->what, w->whose), false);
		out_puts(c->out, "  ");
		out_safe_line(c->out, w->tenant.n ? w->tenant : STR("-"));
	}
	for (size_t i = 0; i < r->unknown.n; i++)
		out_safe_line(c->err, r->unknown.p[i]);
	if ((args->what.n || args->waiting) && r->pending)
		out_fmt(c->err, "the next sync sends %jd %s to '%.*s'\n", (intmax_t)r->pending,
			r->pending == 1 ? "change" : "changes", STR_ARG(r->tenant));
	if (r->waiting.n)
		out_safe(c->err, sync_tenant_question_text(c->a, r->tenant, &r->waiting), true);
	else if (!r->said.n)
		out_puts(c->err, "nothing was pushed yet: nothing belongs to an organisation\n");
}

const struct cmd cmd_sync_tenant = {
	.name = "sync tenant",
	.summary = "say which organisation may have the memories of a project or layer",
	.description = "As long as this home knows one organisation, all that is shared belongs to "
		       "it. After another one was named in sync.tenant, what has no organisation "
		       "yet waits for an answer. With names, they belong to sync.tenant from now "
		       "on; what another one has stays there.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = sync_tenant_run,
	.text = sync_tenant_text,
};
