/* What the methods of the server share. */
#ifndef IKM_SERVER_INTERNAL_H
#define IKM_SERVER_INTERNAL_H

#include "app/session_cache.h"
#include "mcp/mcp.h"

/* What this server offers, by its command line. */
struct server_offer {
	const struct cmd_common *common;
	struct cmd_bits sets; /* not given: the tools with TOOL_CORE */
	bool read_only;
	struct session_cache *cache; /* a worker's, from call to call */
};

/* A call on behalf of the client, and what it knows of the client. */
struct server_call {
	struct call c;
	struct client client;
};

/* Begins one: its arena, roots and folder. */
struct err *server_begin(const struct server_offer *offer, const struct mcp_call *m,
			 struct server_call *call) MUST_USE;

/* For mcp_server.work. */
enum mcp_work server_work_of(void *ctx, struct str method, const struct val *params);
/* The command of this name, whatever is offered: its result for this input. */
struct err *server_query(const struct server_offer *offer, const struct mcp_call *m,
			 const char *name, struct val *input, struct val **out) MUST_USE;
/* Whether this row is in what is offered; not whether settings have it switched on. */
bool server_has_cmd(const struct server_offer *offer, const struct cmd *cmd);
/* The same of either kind of tool, for struct call. */
bool server_has_tool(const void *offer, const struct cmd *own, const struct tool *program);
void server_tools_list(void *ctx, struct mcp_call *m);
void server_tools_call(void *ctx, struct mcp_call *m);

/* Stored assets and decisions, to be read by who has their URI. */
#define MCP_ASSET             "ikigai:///"
#define MCP_ASSET_TEMPLATE    MCP_ASSET "{+path}"
#define MCP_DECISION          "knowledge:///"
#define MCP_DECISION_TEMPLATE MCP_DECISION "{id}"
void server_resources_list(void *ctx, struct mcp_call *m);
void server_resources_templates(void *ctx, struct mcp_call *m);
void server_resources_read(void *ctx, struct mcp_call *m);
void server_completion(void *ctx, struct mcp_call *m);

/* Guidance for agents (requirement: assets, "System Prompt Guidance"). */
void server_prompts_list(void *ctx, struct mcp_call *m);
void server_prompts_get(void *ctx, struct mcp_call *m);
/* Whether there is such a prompt; *argument is what it takes, NULL: nothing. */
bool server_prompt_argument(struct str name, const char **argument);

#endif
