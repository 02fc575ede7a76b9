/* The methods of the server, and what they share. */
#pragma once

#include "app/session_cache.h"
#include "mcp/mcp.h"

/* The tools that this server offers, by its command line. */
struct server_offer {
	const struct cmd_common *common;
	/* Not given: the tools with TOOL_CORE, and two tools that reach those of all sets. */
	struct cmd_bits sets;
	bool read_only;
	bool structured; /* programs read the answers: every result comes as structuredContent */
	struct session_cache *cache;   /* a worker's, from call to call */
	struct request_cache *queries; /* the same */
	struct db *store;              /* the same; open only behind a call that reads memories */
	struct str session;            /* names the connection */
};

/* A call that the server makes for its client. */
struct server_call {
	struct call c;
	struct client client;
};

/*
 * Sets the call's arena, roots and folder. store: that of the offer, for a call that keeps it open;
 * NULL: closes it, because the call may open any file.
 */
struct err *server_call_begin(const struct server_offer *offer, const struct mcp_call *m,
			      struct db *store, struct server_call *call) MUST_USE;

/* For mcp_server.work. */
enum mcp_work server_work_kind(void *ctx, struct str method, const struct val *params);
/* Whether the server offers this tool, a row or a program. For struct client. */
bool server_has_tool(const void *offer, const struct cmd *own, const struct tool *program);
void server_tools_list(void *ctx, struct mcp_call *m);
void server_tools_call(void *ctx, struct mcp_call *m);
/* Adds the instructions for an agent about the tools that are offered. */
void server_put_guidance(const struct server_offer *offer, struct buf *b);

/* ---- the tools that call tools which are not listed ---- */

/* The i-th of them, in the list's order, or NULL: there are no more. A server that lists all its
 * tools has none. */
const struct cmd *server_meta_tool_at(const struct server_offer *offer, size_t i);
/* Whether tool_call or tool_change may call this row. */
bool server_relay_may_call(const void *offer, const struct cmd *cmd);
