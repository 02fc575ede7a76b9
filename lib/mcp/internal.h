/* internal: what the files of mcp share with each other and with nobody else. */
#ifndef IKM_MCP_INTERNAL_H
#define IKM_MCP_INTERNAL_H

#include "mcp/mcp.h"
#include "mcp/rpc.h"
#include "os/os.h"

/* A request that is not answered yet. */
struct pending {
	struct arena *a;
	struct pending *next;
	const struct val *id;
	struct str id_text;
	const struct val *token; /* of progress; NULL: none wanted */
	struct str method;
	uint64_t since;
	struct os_task *task; /* NULL: it stays open until it is cancelled */
	struct batch *batch;
};

/* Answers that are told together (2025-03-26). */
struct batch {
	struct arena *a;
	struct buf answers;
	size_t left;
};

struct session {
	const struct mcp_server *server;
	struct arena *a; /* what lives as long as the connection */
	enum mcp_revision revision;
	bool has_roots; /* the client can be asked */
	struct str roots_id; /* of the question that is open; empty: none */
	int64_t questions;
	struct arena *roots_a;
	bool roots_told;
	struct strs roots;
	struct pending *first;
};

/* ---- revisions ---- */

const char *mcp_revision_name(enum mcp_revision r);
/* MCP_NONE for what is unknown. */
enum mcp_revision mcp_revision_of(struct str name);
struct val *mcp_revisions(struct arena *a);
/*
 * In what revision this request speaks: its own, or the connection's. False, with the answer in *e,
 * when there is none.
 */
bool mcp_negotiate(const struct session *s, struct arena *a, const struct rpc_message *m,
		   enum mcp_revision *out, struct rpc_error *e);
struct val *mcp_initialize(struct session *s, struct arena *a, const struct val *params);
struct val *mcp_discover(const struct session *s, struct arena *a);
/* What every result has since 2026-07-28; cached: and how long it may be kept. */
void mcp_complete(const struct session *s, struct arena *a, struct val *result, bool cached);

/* ---- the client's roots ---- */

void mcp_ask_roots(struct session *s, struct os_serve *serve);
/* The answer; result NULL: there is none. */
void mcp_roots(struct session *s, struct os_serve *serve, const struct val *result);

/* ---- running methods ---- */

const struct mcp_method *mcp_method(const struct session *s, struct str name);
/* In a worker: the request's text to the answer's. */
struct str mcp_work(void *ctx, struct arena *a, struct str request);

#endif
