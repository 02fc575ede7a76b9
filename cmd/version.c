#include "app/app.h"
#include "base/build.h"

static const struct field result[] = {
	{"name", "the program", F_STR},
	{"version", "of ikm", F_STR},
	{0},
};

static struct err *version_run(struct call *c, const void *args, struct val **out)
{
	(void)args;
	*out = val_map(c->a);
	val_set(c->a, *out, "name", val_str(c->a, STR("ikm")));
	val_set(c->a, *out, "version", val_str(c->a, STR(IKM_VERSION)));
	return NULL;
}

static void version_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_fmt(c->out, "ikm %.*s\n", STR_ARG(val_get_str(r, "version")));
}

const struct cmd cmd_version = {
	.name = "version",
	.tool = "version",
	.toolset = SET_TOOLS,
	.traits = TOOL_READS,
	.summary = "print the version",
	.result = result,
	.run_val = version_run,
	.text_val = version_text,
};
