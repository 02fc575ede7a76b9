#include "tools.h"

struct args {
	struct str tool;
};

static const struct param params[] = {
	PARAM(tool, .flags = ARG | REQUIRED, .complete = tools_complete_call,
	      .help = "the tool's name, as 'ikm help tools' lists it"),
	{0},
};

/* main reads the JSON and runs the tool's own row: a call is a face, not an operation. */
static struct err *call_run(struct call *c, const void *args, struct val **result)
{
	(void)c;
	(void)args;
	(void)result;
	BUG("call has no result of its own");
}

const struct cmd cmd_call = {
	.name = "call",
	.summary = "run one of our tools: JSON in, the bare result or the error out",
	.expose = EXPOSE_PERSON,
	.args_size = sizeof(struct args),
	.params = params,
	.run = call_run,
};
