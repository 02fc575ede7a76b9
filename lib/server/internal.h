/* What the methods of the server share. */
#ifndef IKM_SERVER_INTERNAL_H
#define IKM_SERVER_INTERNAL_H

#include "app/session_cache.h"
#include "mcp/mcp.h"

/* What this server offers, by its command line. */
struct mcp_offer {
	const struct cmd_common *common;
	struct cmd_bits sets; /* not given: the tools with TOOL_CORE */
	bool read_only;
	struct session_cache *cache; /* a worker's, from call to call */
};

/* A call on behalf of the client, and the session that it points to. */
struct server_call {
	struct call c;
	struct session session;
};

/* Begins one: its arena, roots and folder. */
struct err *mcp_begin(const struct mcp_offer *offer, const struct mcp_call *m,
		      struct server_call *call) MUST_USE;

/* For mcp_server.work. */
enum mcp_work mcp_work_of(void *ctx, struct str method, const struct val *params);
/* The command of this name, whatever is offered: its result for this input. */
struct err *mcp_ask(const struct mcp_offer *offer, const struct mcp_call *m, const char *name,
		    struct val *input, struct val **out) MUST_USE;
/* Whether this row is in what is offered; not whether settings have it switched on. */
bool mcp_offers(const struct mcp_offer *offer, const struct cmd *cmd);
/* The same of either kind of tool, for struct call. */
bool mcp_call_offers(const void *offer, const struct cmd *own, const struct tool *program);
void mcp_tools_list(void *ctx, struct mcp_call *m);
void mcp_tools_call(void *ctx, struct mcp_call *m);

/* Stored assets and decisions, to be read by who has their URI. */
#define MCP_ASSET             "ikigai:///"
#define MCP_ASSET_TEMPLATE    MCP_ASSET "{+path}"
#define MCP_DECISION          "knowledge:///"
#define MCP_DECISION_TEMPLATE MCP_DECISION "{id}"
void mcp_resources_list(void *ctx, struct mcp_call *m);
void mcp_resources_templates(void *ctx, struct mcp_call *m);
void mcp_resources_read(void *ctx, struct mcp_call *m);
void mcp_completion(void *ctx, struct mcp_call *m);

/* Guidance for agents (requirement: assets, "System Prompt Guidance"). */
void mcp_prompts_list(void *ctx, struct mcp_call *m);
void mcp_prompts_get(void *ctx, struct mcp_call *m);
/* Whether there is such a prompt; *argument is what it takes, NULL: nothing. */
bool mcp_prompt(struct str name, const char **argument);

#endif
