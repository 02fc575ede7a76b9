/* The methods of the server, and what they share. */
#pragma once

#include "app/session_cache.h"
#include "mcp/mcp.h"
#include "garden/path.h"

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
/* Runs the command of this name, even if the server does not offer it. */
struct err *server_run_command(const struct server_offer *offer, const struct mcp_call *m,
			       const char *name, struct val *input, struct val **out) MUST_USE;
/* Whether the server offers this tool, a row or a program. For struct client. */
bool server_has_tool(const void *offer, const struct cmd *own, const struct tool *program);
/* Whether tools/list names this row. */
bool server_lists_cmd(const struct server_offer *offer, const struct cmd *cmd);
void server_tools_list(void *ctx, struct mcp_call *m);
void server_tools_call(void *ctx, struct mcp_call *m);

/* ---- the tools that call tools which are not listed ---- */

/* The i-th of them, in the list's order, or NULL: there are no more. A server that lists all its
 * tools has none. */
const struct cmd *server_meta_tool_at(const struct server_offer *offer, size_t i);
/* The one with this name, or NULL. */
const struct cmd *server_relay_tool_named(const struct server_offer *offer, struct str name);
/* Whether tool_call or tool_change may call this row. */
bool server_relay_may_call(const void *offer, const struct cmd *cmd);

/* Stored assets, decisions and the garden's files, which a client reads by their URI. */
#define MCP_ASSET             "ikigai:///"
#define MCP_ASSET_TEMPLATE    MCP_ASSET "{+path}"
#define MCP_DECISION          "knowledge:///"
#define MCP_DECISION_TEMPLATE MCP_DECISION "{id}"
#define MCP_GARDEN            GARDEN_URI
#define MCP_GARDEN_TEMPLATE   MCP_GARDEN "{+path}"

#define MCP_PINS "context:///pinned"
struct pins {
	size_t n;
	struct str text; /* all of them, quoted */
	struct strs uris;
	bool fits; /* the text is short enough for an answer */
};
struct err *server_pinned_assets(const struct server_offer *offer, const struct mcp_call *m,
				 struct pins *out) MUST_USE;
/* The text, or where to find it when it is too long. */
struct str server_pinned_assets_text(struct arena *a, const struct pins *p);

void server_resources_list(void *ctx, struct mcp_call *m);
void server_resources_templates(void *ctx, struct mcp_call *m);
void server_resources_read(void *ctx, struct mcp_call *m);

/*
 * The files of the caller's folder in the garden, without history copies: paths below the folder,
 * and what each is ("part profile"). Empty when there is no garden.
 */
struct err *server_garden_list(const struct server_offer *offer, struct mcp_call *m,
			       struct strs *paths, struct strs *kinds) MUST_USE;
