/*
 * mcp: the Model Context Protocol on two descriptors. Revisions 2024-11-05 to 2025-11-25, which
 * begin with `initialize`, and 2026-07-28, in which every request says what it is, on one
 * connection.
 *
 * Its user gives the methods that are served; this module runs no tool and reads no file. It
 * answers by itself: initialize, ping, server/discover, subscriptions, cancellation, progress, the
 * client's roots, and what is no message. Subscriptions are to tools/list, resources/list and
 * resources/read, where these are served: a worker is asked them again, and another answer is a
 * change. Methods are run in workers, so that one that hangs, is cancelled or aborts does not touch
 * the others; they are answered as they finish.
 */
#ifndef IKM_MCP_H
#define IKM_MCP_H

#include "base/base.h"

enum mcp_revision {
	MCP_NONE, /* not negotiated yet */
	MCP_2024_11_05,
	MCP_2025_03_26,
	MCP_2025_06_18,
	MCP_2025_11_25,
	MCP_2026_07_28,
};

/* Bytes of an answer: clients end the connection at some ten times as many. */
#define MCP_MESSAGE_MAX ((size_t)1 << 20)
/* Of a page of a list, unless one row has more. */
#define MCP_PAGE ((size_t)256 << 10)

/* One request, in a worker. */
struct mcp_call {
	struct arena *a;
	enum mcp_revision revision;
	const struct val *params; /* an object */
	/* What the client says we may touch; absolute paths. Not told: it said nothing, or none. */
	bool roots_told;
	struct strs roots;
	bool unasked; /* a look for changes: what was said on standard error before is not said
			 again */
	struct val *result; /* to be set: an object */
	int code;           /* or by mcp_refuse() */
	struct str message;
	struct val *data;
};
/* A protocol error, for what is wrong with the request itself. */
void mcp_refuse(struct mcp_call *c, const char *fmt, ...) PRINTF(2, 3);
/* The same, when there is no such resource. */
void mcp_no_resource(struct mcp_call *c, struct str uri, const char *message);
/* The same, when it is the server that failed. */
void mcp_failed(struct mcp_call *c, const struct err *e);

/* A part of a URI with %XX as the bytes that they stand for; false: a % is not such a one. */
bool mcp_unescape(struct arena *a, struct str text, struct str *out) MUST_USE;

struct mcp_method {
	const char *name; /* "tools/call" */
	void (*run)(void *ctx, struct mcp_call *c);
	bool list;   /* the result is one list, which comes in pages when it is long */
	bool cached; /* the result is one that may be cached: it says for how long */
};

/*
 * What a request does: it reads, and leaves nothing behind in its worker, which does another then;
 * or it may wait for a lock; or it runs programs. None of the three kinds waits for another kind.
 */
enum mcp_work { MCP_READS, MCP_WRITES, MCP_RUNS };

struct mcp_server {
	const char *name, *version, *instructions; /* instructions: for the model, or empty */
	const struct mcp_method *methods; /* ended by {0}; their names say what is served */
	enum mcp_work (*work)(void *ctx, struct str method, const struct val *params);
	bool roots; /* the client's roots are wanted */
	void *ctx;
};

/* Until the client leaves; see os_serve_run(). */
struct err *mcp_serve(int in, int out, const struct mcp_server *server) MUST_USE;

#endif
