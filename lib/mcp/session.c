/* One connection: messages in, answers out. */
#include "mcp/internal.h"
#include "json/json.h"

/* More than cores: a few calls that only wait must not keep reads from running. */
#define AT_ONCE_MIN 8
/* A call's arguments are limited by JSON_BYTES_MAX; around them is a little more. */
#define LINE_MAX    JSON_BYTES_MAX

/* ---- what comes of workers and of time ---- */

static void method_done(struct session *s, struct os_serve *serve, struct job *job,
			struct str answer, int status)
{
	struct pending *p = (struct pending *)job;

	if (answer.p) {
		mcp_answer(serve, p->batch, answer);
		mcp_told_tools(s, serve, p, answer);
	} else {
		struct rpc_error e = mcp_worker_error(p->a, p->method, status);

		mcp_fail(s, serve, p->batch, p->id, &e);
	}
	mcp_forget(s, serve, p);
}

static void done(struct os_serve *serve, void *ctx, void *what, struct str answer, int status)
{
	struct job *job = what;

	job->done(ctx, serve, job, answer, status);
}

static void tick(struct os_serve *serve, void *ctx, bool behind)
{
	struct session *s = ctx;

	if (!behind)
		mcp_progress(s, serve);
	if (s->tokens)
		os_serve_wake(serve, 1000);
	mcp_look(s, serve, behind);
}

/* The roots that are still to be told count from then on. */
static void waited(struct os_serve *serve, void *ctx)
{
	(void)serve;
	(void)ctx;
}

static void ended(struct os_serve *serve, void *ctx)
{
	/* What the client has not told of its roots it will not tell any more. */
	os_serve_hold(serve, 0);
	mcp_close_subscriptions(ctx, serve);
}

/* ---- notifications ---- */

static void cancel(struct session *s, struct os_serve *serve, struct arena *a,
		   const struct val *params)
{
	const struct val *id = val_get(params, "requestId");
	struct pending *p = id ? mcp_pending(s, rpc_id(a, id)) : NULL;

	if (!p)
		return;
	if (p->job.task)
		os_serve_cancel(serve, p->job.task);
	mcp_unwatch(s, p);
	mcp_forget(s, serve, p);
}

static void notified(struct session *s, struct os_serve *serve, struct arena *a,
		     const struct rpc_message *m)
{
	if (str_is(m->method, "notifications/cancelled"))
		cancel(s, serve, a, m->params);
	else if (s->revision && (str_is(m->method, "notifications/initialized") ||
				 str_is(m->method, "notifications/roots/list_changed")))
		mcp_ask_roots(s, serve);
	/* Others are none of ours, and a notification is never answered. */
}

/* ---- requests ---- */

static bool initialize(struct session *s, struct os_serve *serve, struct arena *a,
		       const struct rpc_message *m, struct val **result, struct rpc_error *e)
{
	const struct val *version = val_get(m->params, "protocolVersion");

	e->code = RPC_INVALID_PARAMS;
	if (s->revision) {
		e->code = RPC_INVALID_REQUEST;
		e->message = STR("this connection was initialized before");
		return false;
	}
	if (!version || version->type != VAL_STR) {
		e->message = STR("initialize needs protocolVersion, a string");
		return false;
	}
	*result = mcp_initialize(s, a, m->params);
	os_serve_renew(serve);
	return true;
}

/* Whether a worker is to run it. */
static bool is_served(const struct session *s, struct str method, bool old)
{
	return mcp_method(s, method) ||
	       (old && mcp_method(s, STR("resources/read")) &&
		(str_is(method, "resources/subscribe") || str_is(method, "resources/unsubscribe")));
}

/*
 * What is answered at once: the result, or false with the error. Neither: a worker has it, or gets
 * it when *run says so.
 */
static bool at_once(struct session *s, struct os_serve *serve, struct arena *a,
		    const struct rpc_message *m, enum mcp_revision r, struct str id_text,
		    struct batch *b, struct val **result, bool *run, struct rpc_error *e)
{
	bool old = r != MCP_2026_07_28;

	if (old && str_is(m->method, "initialize"))
		return initialize(s, serve, a, m, result, e);
	if (old && str_is(m->method, "ping")) {
		*result = val_map(a);
	} else if (!old && str_is(m->method, "server/discover")) {
		*result = mcp_discover(s, a);
	} else if (!old && str_is(m->method, "subscriptions/listen")) {
		return mcp_listen(s, serve, m, id_text, e);
	} else if (!is_served(s, m->method, old)) {
		e->code = RPC_NO_METHOD;
		e->message = str_fmt(a, "no method '%.*s' in %s", STR_ARG(m->method),
				     mcp_revision_name(r));
		return false;
	} else if (str_is(m->method, "resources/subscribe")) {
		return mcp_subscribe(s, serve, a, m, id_text, b, result, e);
	} else if (str_is(m->method, "resources/unsubscribe")) {
		return mcp_unsubscribe(s, a, m, result, e);
	} else {
		*run = true;
	}
	return true;
}

static void requested(struct session *s, struct os_serve *serve, struct arena *a,
		      const struct rpc_message *m, struct str text, struct batch *b)
{
	struct str id_text = rpc_id(a, m->id);
	struct rpc_error e = {0};
	struct val *result = NULL;
	enum mcp_revision r;
	bool run = false;

	if (mcp_pending(s, id_text)) {
		e.code = RPC_INVALID_REQUEST;
		e.message = STR("a request with this id is not answered yet");
		mcp_fail(s, serve, b, m->id, &e);
	} else if (!mcp_negotiate(s, a, m, &r, &e) ||
		   !at_once(s, serve, a, m, r, id_text, b, &result, &run, &e)) {
		mcp_fail(s, serve, b, m->id, &e);
	} else if (result) {
		mcp_answer(serve, b, rpc_result(a, m->id, result));
		/* Its roots come before anything else of it is done. */
		if (str_is(m->method, "initialize") && s->has_roots && s->server->roots)
			os_serve_hold(serve, 3000);
	} else if (run) {
		struct pending *p = mcp_wait(s, serve, m, id_text, b);

		p->old = r != MCP_2026_07_28;
		p->job.done = method_done;
		p->job.task =
			os_serve_work(serve, text, &p->job,
				      s->server->keeps(s->server->ctx, m->method, m->params));
	}
}

static void message(struct session *s, struct os_serve *serve, struct arena *a,
		    const struct val *v, struct str line, struct batch *b)
{
	struct rpc_message m;
	struct rpc_error e;

	if (!rpc_read(a, v, &m, &e)) {
		mcp_fail(s, serve, b, m.id, &e);
		return;
	}
	if (m.kind == RPC_REQUEST)
		requested(s, serve, a, &m, str_sub(line, v->at.from, v->at.to), b);
	else if (m.kind == RPC_NOTIFICATION)
		notified(s, serve, a, &m);
	else if (mcp_is_roots_id(s, m.id))
		mcp_roots(s, serve, m.result);
}

static void refuse_line(struct session *s, struct os_serve *serve, enum rpc_code code,
			struct str why)
{
	struct rpc_error e = {.code = code, .message = why};

	mcp_fail(s, serve, NULL, NULL, &e);
}

static void all(struct session *s, struct os_serve *serve, struct arena *a, const struct val *list,
		struct str text)
{
	struct arena *own = arena_new();
	struct batch *b = ARENA_NEW(own, struct batch);

	*b = (struct batch){.a = own, .answers = buf_in(own), .left = 1};
	VAL_EACH(list, v)
		message(s, serve, a, v, text, b);
	mcp_batch_less(serve, b);
}

static void line(struct os_serve *serve, void *ctx, struct str text, bool over)
{
	struct session *s = ctx;
	struct arena *a;
	struct val *v;
	struct err *e;

	if (over) {
		refuse_line(s, serve, RPC_INVALID_REQUEST, STR("the message is over 64 MiB"));
		return;
	}
	a = arena_new();
	e = json_read(a, text, NULL, &v);
	if (e)
		refuse_line(s, serve, RPC_PARSE_ERROR, str_of(err_message(e)));
	else if (v->type != VAL_LIST)
		message(s, serve, a, v, text, NULL);
	else if (s->revision != MCP_2025_03_26)
		refuse_line(s, serve, RPC_INVALID_REQUEST,
			    STR("batches are of revision 2025-03-26 only"));
	else if (!v->n)
		refuse_line(s, serve, RPC_INVALID_REQUEST, STR("the batch is empty"));
	else
		all(s, serve, a, v, text);
	arena_free(a);
}

struct err *mcp_serve(int in, int out, const struct mcp_server *server)
{
	struct session s = {.server = server};
	const struct os_serve_ops ops = {
		.line_max = LINE_MAX,
		.at_once = (unsigned)size_max(AT_ONCE_MIN, os_cores()),
		.line = line,
		.work = mcp_work,
		.done = done,
		.tick = tick,
		.waited = waited,
		.ended = ended,
	};
	struct err *e = os_serve_run(in, out, &ops, &s);

	mcp_pending_release(&s);
	mcp_watch_release(&s);
	arena_free(s.roots_a);
	return e;
}
