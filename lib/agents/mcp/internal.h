/* internal: declarations that only the files of mcp share. */
#pragma once

#include "mcp/mcp.h"
#include "mcp/rpc.h"
#include "os/os.h"

struct session;

/* A job in a worker, and the function that gets its result; see os_serve_ops.done. */
struct job {
	void (*done)(struct session *s, struct os_serve *serve, struct job *job, struct str answer,
		     int status);
	struct os_task *task; /* NULL: no worker has the job */
};

/* A request without an answer yet. */
struct pending {
	struct job job;
	struct arena *a;
	struct pending *next; /* in the same hash bucket */
	const struct val *id;
	struct str id_text;
	const struct val *token; /* the progress token; NULL: the client wants no progress */
	struct str method;
	uint64_t since;
	struct batch *batch;
	size_t looks; /* the number of watches that have no first answer yet */
	bool listens; /* the method is subscriptions/listen */
	bool old;     /* the revision is older than 2026-07-28 */
};

/* Answers that are sent together (2025-03-26). */
struct batch {
	struct arena *a;
	struct buf answers;
	size_t left;
};

#define PENDING_BUCKETS 256

struct session {
	const struct mcp_server *server;
	enum mcp_revision revision;
	struct str client; /* of initialize: clientInfo.name, or empty */
	char client_name[256];
	bool has_roots;   /* the client announced roots: ikm can ask for them */
	int64_t question; /* the number of the last roots/list request; 0: none */
	bool asked;       /* that request has no answer yet */
	struct arena *roots_a;
	bool roots_told;
	struct strs roots;
	struct pending *pending[PENDING_BUCKETS];
	size_t tokens; /* pending requests with a progress token */
	struct watch *watches;
	size_t watching;  /* the number of watches that are not gone */
	size_t listening; /* the number of open subscriptions/listen requests */
	size_t looking;   /* the number of watches that a worker polls now */
	uint64_t look_since, look_at;
	bool ended;            /* the input has ended: only finish the answers that are due */
	struct rpc_scan *over; /* scans a line that is too long, while it arrives; in its arena */
};

/* ---- answers and pending requests: connection.c ---- */

/* Sends the line to the client, or adds it to the batch. */
void mcp_answer(struct os_serve *serve, struct batch *b, struct str line);
struct pending *mcp_pending_add(struct session *s, struct os_serve *serve,
				const struct rpc_message *m, struct str id_text, struct batch *b);
void mcp_pending_forget(struct session *s, struct os_serve *serve, struct pending *p);
/* Sends the error of a request whose worker ended without an answer. */
void mcp_fail_worker(const struct session *s, struct os_serve *serve, const struct pending *p,
		     int status);

/* ---- subscriptions: watch.c ---- */

/*
 * Handles subscriptions/listen, resources/subscribe and resources/unsubscribe. False, with the
 * error in *e, when the request is wrong. *result stays NULL when the answer comes later.
 */
bool mcp_subscription_handle(struct session *s, struct os_serve *serve, struct arena *a,
			     const struct rpc_message *m, struct str id_text, struct batch *b,
			     struct val **result, struct rpc_error *e);
/* Remembers this answer to tools/list. ikm tells the client when the list changes later. */
void mcp_watch_tools(struct session *s, struct os_serve *serve, const struct pending *p,
		     struct str answer);
/* Ends the subscriptions of this request. */
void mcp_unsubscribe_request(struct session *s, const struct pending *p);
/* Polls the watched resources and lists in workers, when a poll is due. behind: the client reads
 * too slowly, so it gets no new polls. */
void mcp_watches_poll(struct session *s, struct os_serve *serve, bool behind);
/* Ends all subscriptions and tells the client, because the connection ends. */
void mcp_close_subscriptions(struct session *s, struct os_serve *serve);
void mcp_watches_release(struct session *s);

/* ---- revisions and methods: connection.c ---- */

#define MCP_META        "io.modelcontextprotocol/"
#define MCP_LATEST_NAME "2026-07-28"
/* In the _meta of requests that ikm makes itself, to look for changes. */
#define MCP_OWN "ikm/look"

const struct mcp_method *mcp_method_find(const struct session *s, struct str name);
/* Adds the members that every result has since 2026-07-28. cached: also how long the client may
 * cache the result. */
void mcp_result_finish(const struct session *s, struct arena *a, struct val *result, bool cached);
