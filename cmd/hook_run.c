/* hook run: the command that the shims call. */
#include "agent/agent.h"
#include "app/app.h"
#include "report/show.h"
#include "hook/hook.h"

struct args {
	int name;
	struct strs args;
	struct str chain;
	bool configured;
};

static const struct param params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .choices = hook_names, .help = "the hook"),
	PARAM(args, .flags = ARG, .meta = "ARG", .help = "the arguments from git"),
	PARAM(chain, .flags = PATHS, .meta = "FILE",
	      .help = "a hook to run first, if it exists and is executable"),
	PARAM(configured,
	      .help = "git's configuration calls; nothing to do where the hook's file calls too"),
	{0},
};
struct result {
	bool passed, judged;
	struct maybe_int chained;
	const struct check_report *report;
};

static const struct field result[] = {
	FIELD(passed, "whether git may continue"),
	FIELD(judged, "false: it was skipped, or the earlier hook stopped it"),
	FIELD(chained, "exit status of the earlier hook", .flags = OPTIONAL),
	FIELD_RECORD_AT(struct result, report, "report", check_report_fields,
			"the report, as of 'ikm check --json'", .flags = OPTIONAL),
	{0},
};

/* hook_run() prints the report on standard error, as git's hooks do. */
static struct err *hook_cmd_run_hook(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct hook_call h = {(enum hook_name)args->name, args->chain, args->args, c->set,
			      args->configured};
	struct hook_outcome o;
	struct str ask = {0};

	TRY(hook_run(c->a, &h, c->err, &o));
	c->negative = !o.passed;
	/* A server runs pre-receive, and its environment says nothing of who pushes. */
	if (!o.passed && o.report && h.name != HOOK_PRE_RECEIVE)
		ask = agent_advise_after_blocks(c->a, o.report);
	if (ask.n)
		out_fmt(c->err, "ikm: %.*s\n", STR_ARG(ask));
	*(struct result *)out =
		(struct result){o.passed, o.judged, {o.chained, o.chained >= 0}, o.report};
	return NULL;
}

const struct cmd cmd_hook_run = {
	.name = "hook run",
	.summary = "check a commit or push; the hooks call this",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = hook_cmd_run_hook,
};
