/* hook run: what the hooks call. */
#include "common/check_result.h"
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
static const struct field result[] = {
	{"passed", "git may go on", F_BOOL},
	{"judged", "false when it was skipped, or stopped by the hook that ran first", F_BOOL},
	{"chained", "exit status of the hook that ran first", F_INT, OPTIONAL},
	{"report", "as of 'ikm check --json'", F_OBJ, OPTIONAL, .sub = report_fields},
	{0},
};

static struct err *hook_cmd_run_hook(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct hook_call h = {(enum hook_name)args->name, args->chain, args->args, c->set};
	struct hook_outcome o;

	TRY(hook_run(c->a, &h, c->err, &o));
	c->negative = !o.passed;
	*out = val_map(c->a);
	val_set(c->a, *out, "passed", val_bool(c->a, o.passed));
	val_set(c->a, *out, "judged", val_bool(c->a, o.judged));
	if (o.chained >= 0)
		val_set(c->a, *out, "chained", val_int(c->a, o.chained));
	if (o.report)
		val_set(c->a, *out, "report", o.report);
	return NULL;
}

/* hook_run() has told all that a person needs, on standard error as git's hooks do. */
static void hook_run_text(struct call *c, const void *args, const struct val *r)
{
	(void)c;
	(void)args;
	(void)r;
}

const struct cmd cmd_hook_run = {
	.name = "hook run",
	.summary = "what a hook calls: judge what git is about to record or push",
	.expose = EXPOSE_PERSON,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = hook_cmd_run_hook,
	.text_val = hook_run_text,
};
