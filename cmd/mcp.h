/* mcp: ikm's tools, stored assets and decisions over the Model Context Protocol. For cmd/ only. */
#ifndef IKM_CMD_MCP_H
#define IKM_CMD_MCP_H

#include "app.h"
#include "mcp/mcp.h"

/* What this server offers, by its command line. */
struct mcp_offer {
	struct app *app;
	struct cmd_bits sets; /* not given: the tools with TOOL_CORE */
	bool read_only;
};

/* `ikm mcp`: until the client leaves. */
struct err *mcp_face(struct app *app, const void *args) MUST_USE;

/* A call on behalf of the client: its arena, roots and folder. */
struct err *mcp_begin(const struct mcp_offer *offer, const struct mcp_call *m,
		      struct call *c) MUST_USE;

/* Whether this request only reads (mcp_server.keeps). */
bool mcp_keeps(void *ctx, struct str method, const struct val *params);
void mcp_tools_list(void *ctx, struct mcp_call *m);
void mcp_tools_call(void *ctx, struct mcp_call *m);

#endif
