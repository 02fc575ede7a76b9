#include "app/app.h"
#include "base/build.h"

struct result {
	const char *name, *version;
};

static const struct field result[] = {
	FIELD(name, "the program"),
	FIELD(version, "the version of ikm"),
	{0},
};

static struct err *version_run(struct call *c, const void *args, void *out)
{
	(void)c;
	(void)args;
	*(struct result *)out = (struct result){"ikm", IKM_VERSION};
	return NULL;
}

const struct cmd cmd_version = {
	.name = "version",
	.tool = "version",
	.toolset = SET_TOOLS,
	.traits = TOOL_READS,
	.summary = "print the version",
	CMD_RESULT(struct result, result),
	.run = version_run,
	.template = "{name} {version}\n",
};
