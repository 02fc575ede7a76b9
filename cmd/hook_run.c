/* hook run: what the hooks call. */
#include "app/app.h"
#include "check/show.h"
#include "hook/hook.h"

struct args {
	int name;
	struct strs args;
	struct str chain;
};

static const struct param params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .choices = hook_names, .help = "the hook"),
	PARAM(args, .flags = ARG, .meta = "ARG", .help = "what git gave the hook"),
	PARAM(chain, .flags = PATHS, .meta = "FILE",
	      .help = "a hook that runs first, if it is there and executable"),
	{0},
};
struct result {
	bool passed, judged;
	struct maybe_int chained;
	const struct check_report *report;
};

static const struct field result[] = {
	FIELD(passed, "git may go on"),
	FIELD(judged, "false when it was skipped, or stopped by the hook that ran first"),
	FIELD(chained, "exit status of the hook that ran first", .flags = OPTIONAL),
	FIELD_RECORD_AT(struct result, report, "report", check_report_fields,
			"as of 'ikm check --json'", .flags = OPTIONAL),
	{0},
};

/* hook_run() tells all that a person needs, on standard error as git's hooks do. */
static struct err *hook_cmd_run_hook(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct hook_call h = {(enum hook_name)args->name, args->chain, args->args, c->set};
	struct hook_outcome o;

	TRY(hook_run(c->a, &h, c->err, &o));
	c->negative = !o.passed;
	*(struct result *)out =
		(struct result){o.passed, o.judged, {o.chained, o.chained >= 0}, o.report};
	return NULL;
}

const struct cmd cmd_hook_run = {
	.name = "hook run",
	.summary = "what a hook calls: judge what git is about to record or push",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = hook_cmd_run_hook,
};
