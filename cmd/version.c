#include "app/app.h"
#include "base/build.h"
#include "pg/pg.h"

struct result {
	const char *name, *version;
	struct str lacks;
};

static const struct field result[] = {
	FIELD(name, "the program"),
	FIELD(version, "the version of ikm"),
	FIELD(lacks, "what this program cannot do", .flags = IF_ANY),
	{0},
};

static struct err *version_run(struct call *c, const void *args, void *out)
{
	struct result *r = out;
	struct os_stat proc;
	struct strs lacks = {0};

	(void)args;
	if (!pg_is_possible())
		strs_push(c->a, &lacks, STR("a static program: it cannot sync with a server"));
	TRY(os_stat(OS_PROC_SELF, true, &proc));
	if (proc.kind == OS_NONE)
		strs_push(c->a, &lacks,
			  STR("without /proc: what a tool leaves behind goes on running"));
	*r = (struct result){"ikm", IKM_VERSION, str_join(c->a, &lacks, "; ")};
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
	.template = "{name} {version}\n{?lacks:{lacks}\n}",
};
