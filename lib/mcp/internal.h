/* internal: what the files of mcp share with each other and with nobody else. */
#ifndef IKM_MCP_INTERNAL_H
#define IKM_MCP_INTERNAL_H

#include "mcp/mcp.h"
#include "mcp/rpc.h"
#include "os/os.h"

struct session;

/* What a worker is asked to do, and who hears what came of it; see os_serve_ops.done. */
struct job {
	void (*done)(struct session *s, struct os_serve *serve, struct job *job, struct str answer,
		     int status);
	struct os_task *task; /* NULL: none is under way */
};

/* A request that is not answered yet. */
struct pending {
	struct job job;
	struct arena *a;
	struct pending *next; /* in its bucket */
	const struct val *id;
	struct str id_text;
	const struct val *token; /* of progress; NULL: none wanted */
	struct str method;
	uint64_t since;
	struct batch *batch;
	size_t looks; /* watches that have not looked yet */
	bool listens; /* it is a subscriptions/listen */
	bool old;     /* of a revision before 2026-07-28 */
};

/* Answers that are told together (2025-03-26). */
struct batch {
	struct arena *a;
	struct buf answers;
	size_t left;
};

#define PENDING_BUCKETS 256

struct session {
	const struct mcp_server *server;
	enum mcp_revision revision;
	bool has_roots;   /* the client can be asked */
	int64_t question; /* the number of the last one about roots; 0: none */
	bool asked;       /* it is not answered yet */
	struct arena *roots_a;
	bool roots_told;
	struct strs roots;
	struct pending *pending[PENDING_BUCKETS];
	size_t tokens; /* pending requests with a token of progress */
	struct watch *watches;
	size_t watching;  /* how many, those that are gone left out */
	size_t listening; /* how many subscriptions/listen are open */
	size_t looking;   /* how many watches are at it */
	uint64_t look_since, look_at;
	bool ended; /* no message will come: nothing is looked at but for answers that are due */
	struct rpc_scan *over; /* of a line that is too long, while it comes */
	struct arena *over_a;
};

/* ---- answers, and who waits for one: pending.c ---- */

/* To the client, or into the batch. */
void mcp_answer(struct os_serve *serve, struct batch *b, struct str line);
void mcp_fail(const struct session *s, struct os_serve *serve, struct batch *b,
	      const struct val *id, const struct rpc_error *e);
/* One request less to wait for; the last one tells them all. */
void mcp_batch_less(struct os_serve *serve, struct batch *b);
/* NULL: there is none. */
struct pending *mcp_pending(const struct session *s, struct str id_text);
struct pending *mcp_wait(struct session *s, struct os_serve *serve, const struct rpc_message *m,
			 struct str id_text, struct batch *b);
void mcp_forget(struct session *s, struct os_serve *serve, struct pending *p);
/* What became of a job when there is no answer to it. */
struct rpc_error mcp_worker_error(struct arena *a, struct str method, int status);
/* Progress is told to who wants it. */
void mcp_progress(struct session *s, struct os_serve *serve);
void mcp_pending_release(struct session *s);

/* ---- subscriptions: watch.c ---- */

/* subscriptions/listen. False, with the answer in *e, when it is wrong. */
bool mcp_listen(struct session *s, struct os_serve *serve, const struct rpc_message *m,
		struct str id_text, struct rpc_error *e);
/* resources/subscribe and resources/unsubscribe; *result stays NULL when a worker is asked
 * first. */
bool mcp_subscribe(struct session *s, struct os_serve *serve, struct arena *a,
		   const struct rpc_message *m, struct str id_text, struct batch *b,
		   struct val **result, struct rpc_error *e);
bool mcp_unsubscribe(struct session *s, struct arena *a, const struct rpc_message *m,
		     struct val **result, struct rpc_error *e);
/* This answer to tools/list has gone to the client. */
void mcp_told_tools(struct session *s, struct os_serve *serve, const struct pending *p,
		    struct str answer);
/* Whoever subscribed with this request does so no more. */
void mcp_unwatch(struct session *s, const struct pending *p);
void mcp_look(struct session *s, struct os_serve *serve, bool behind);
/* The connection ends: so do its subscriptions, and are told so. */
void mcp_close_subscriptions(struct session *s, struct os_serve *serve);
void mcp_watch_release(struct session *s);

/* ---- revisions ---- */

const char *mcp_revision_name(enum mcp_revision r);
/*
 * In what revision this request speaks: its own, or the connection's. False, with the answer in *e,
 * when there is none.
 */
bool mcp_negotiate(const struct session *s, struct arena *a, const struct rpc_message *m,
		   enum mcp_revision *out, struct rpc_error *e);
/* The _meta of a request that we make ourselves; modern: of 2026-07-28. */
struct val *mcp_own_meta(struct arena *a, bool modern);
/* Whether it is one of those, which nobody waits for. */
bool mcp_is_own(const struct val *params);
struct val *mcp_initialize(struct session *s, struct arena *a, const struct val *params);
struct val *mcp_discover(const struct session *s, struct arena *a);
/* What every result has since 2026-07-28; cached: and how long it may be kept. */
void mcp_complete(const struct session *s, struct arena *a, struct val *result, bool cached);

/* ---- the client's roots ---- */

/* Calls wait for the answer: without it they might touch what the client does not want touched. */
#define MCP_ROOTS_WAIT_MS 3000

void mcp_ask_roots(struct session *s, struct os_serve *serve);
/* Whether this is the id of the question that is open. */
bool mcp_is_roots_id(const struct session *s, const struct val *id);
/* The answer; result NULL: it was an error. */
void mcp_roots(struct session *s, struct os_serve *serve, const struct val *result);

/* ---- running methods ---- */

#define MCP_META "io.modelcontextprotocol/"

const struct mcp_method *mcp_method(const struct session *s, struct str name);
/* In a worker: the request's text to the answer's. */
struct str mcp_work(void *ctx, struct arena *a, struct str request);

#endif
