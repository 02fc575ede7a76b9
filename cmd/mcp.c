/* mcp: serves tools to agents. */
#include "server/server.h"

struct args {
	struct cmd_bits toolset;
	bool readOnly, structured;
};

static const struct param params[] = {
	PARAM(toolset, .letter = 't', .choices = cmd_toolsets,
	      .help = "offer all tools of this set; may be repeated; default: a few of each set"),
	PARAM(readOnly, .help = "offer only tools that do not change anything"),
	PARAM(structured, .help = "give every result as JSON and structuredContent, for programs; "
				  "default: text where models read text"),
	{0},
};

static struct err *mcp_cmd_serve(struct call *c, const struct cmd_common *common, const void *p,
				 struct val **result)
{
	const struct args *args = p;

	(void)result;
	return server_run(c, common, args->toolset, args->readOnly, args->structured);
}

const struct cmd cmd_mcp = {
	.name = "mcp",
	.summary = "serve tools to agents over the Model Context Protocol",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	.serve = mcp_cmd_serve,
};
