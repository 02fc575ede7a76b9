/*
 * mcp: the Model Context Protocol on two file descriptors. One connection serves the revisions
 * 2024-11-05 to 2025-11-25, which begin with `initialize`, and 2026-07-28, where every request
 * carries its revision.
 *
 * The caller gives the methods. This module runs no tool and reads no file. It answers initialize,
 * ping, server/discover, subscriptions and cancellation itself. It also sends progress, asks for
 * the client's roots, and refuses text that is no message.
 *
 * A client can subscribe to tools/list, resources/list and resources/read, if the caller serves
 * them. A worker repeats the request, and another answer is a change.
 *
 * Methods run in worker processes. A method that hangs, is cancelled or aborts does not disturb the
 * others. Answers are sent in the order in which they are ready.
 */
#pragma once

#include "base/base.h"

enum mcp_revision {
	MCP_NONE, /* no revision is negotiated yet */
	MCP_2024_11_05,
	MCP_2025_03_26,
	MCP_2025_06_18,
	MCP_2025_11_25,
	MCP_2026_07_28,
};

/* The limit of an answer in bytes. Clients end the connection at about ten times as many. */
#define MCP_MESSAGE_MAX ((size_t)1 << 20)
/* The limit of one page of a list, unless a single row is longer. */
#define MCP_PAGE ((size_t)256 << 10)

/* One request, as a worker sees it. */
struct mcp_call {
	struct arena *a;
	enum mcp_revision revision;
	const struct val *params; /* an object */
	uint64_t since;           /* when the server got the request, in os_ticks() */
	/* The absolute paths that the client lets us use. roots_told is false when the client named
	 * none. */
	bool roots_told;
	struct strs roots;
	struct str client;  /* the client's name, as it says itself; or empty */
	bool unasked;       /* a poll for changes: do not repeat messages on standard error */
	struct val *result; /* the method sets this to an object, */
	int code;           /* or calls mcp_refuse() */
	struct str message;
	struct val *data;
};
/* Answers with a protocol error: the request itself is wrong. */
void mcp_refuse(struct mcp_call *c, const char *fmt, ...) PRINTF(2, 3);
/* Answers with the protocol error for a resource that does not exist. */
void mcp_no_resource(struct mcp_call *c, struct str uri, const char *message);
/* Answers with the protocol error for a failure of the server. */
void mcp_answer_server_error(struct mcp_call *c, const struct err *e);

/* Decodes %XX in a part of a URI. False when a % has no two hexadecimal digits behind it. */
bool mcp_unescape(struct arena *a, struct str text, struct str *out) MUST_USE;

struct mcp_method {
	const char *name; /* "tools/call" */
	void (*run)(void *ctx, struct mcp_call *c);
	bool list;   /* the result is one list; a long list is sent in pages */
	bool cached; /* clients may cache the result; it says for how long */
};

/* The kinds of work. MCP_READS leaves nothing behind in its worker, which serves more requests.
 * MCP_WRITES may wait for a lock. MCP_RUNS starts programs. No kind waits for another kind. */
enum mcp_work { MCP_READS, MCP_WRITES, MCP_RUNS };

struct mcp_server {
	const char *name, *version, *instructions; /* instructions: for the model; may be empty */
	const struct mcp_method *methods;          /* ended by {0}; clients see their names */
	enum mcp_work (*work)(void *ctx, struct str method, const struct val *params);
	bool roots; /* ask the client for its roots */
	void *ctx;
};

/* Serves until the client leaves; see os_serve_run(). */
struct err *mcp_serve(int in, int out, const struct mcp_server *server) MUST_USE;
