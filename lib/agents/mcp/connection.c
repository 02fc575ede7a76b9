/* One connection: reads messages, sends answers. */
#include "mcp/internal.h"
#include "json/json.h"

static struct str mcp_roots_id_of(struct arena *a, const struct session *s)
{
	return str_fmt(a, "roots-%lld", (long long)s->question);
}

static void mcp_ask_roots(struct session *s, struct os_serve *serve)
{
	struct arena *a ARENA_LOCAL = NULL;

	if (!s->has_roots || !s->server->roots)
		return;
	a = arena_new();
	s->question++;
	s->asked = true;
	os_serve_write_line(serve,
			    rpc_request(a, val_str(a, mcp_roots_id_of(a, s)), "roots/list", NULL));
	os_serve_pause_jobs(serve, MCP_ROOTS_WAIT_MS);
}

/* Whether id is the id of the open roots/list request. */
static bool mcp_is_roots_id(const struct session *s, const struct val *id)
{
	struct arena *a ARENA_LOCAL = arena_new();

	return s->asked && id && id->type == VAL_STR && str_eq(id->s, mcp_roots_id_of(a, s));
}

/* "file:///a%20b" and "file://localhost/a" are local. False for other URIs. */
static bool path_of(struct arena *a, struct str uri, struct str *out)
{
	struct str rest = str_sub(uri, 7, uri.n);

	if (!str_starts(uri, STR("file://")))
		return false;
	if (str_starts(rest, STR("localhost/")))
		rest = str_sub(rest, 9, rest.n);
	if (!str_starts(rest, STR("/")))
		return false;
	return mcp_unescape(a, rest, out) && !str_has_nul(*out);
}

/* Takes the client's answer; result is NULL when the answer is an error. */
static void mcp_roots(struct session *s, struct os_serve *serve, const struct val *result)
{
	const struct val *list = val_get(result, "roots");

	s->asked = false;
	os_serve_pause_jobs(serve, 0);
	/* An error does not revoke the roots of an earlier answer. */
	if (!result && s->roots_told)
		return;
	arena_free(s->roots_a);
	s->roots_a = arena_new();
	s->roots = (struct strs){0};
	s->roots_told = list && list->type == VAL_LIST && list->n;
	VAL_EACH(s->roots_told ? list : NULL, root) {
		struct str uri = val_get_str(root, "uri"), path;

		/* ikm keeps a URI that is no path: it opens nothing, and messages name it. */
		strs_push(s->roots_a, &s->roots,
			  path_of(s->roots_a, uri, &path) ? path : str_dup(s->roots_a, uri));
	}
	os_serve_renew_workers(serve);
}

/* More workers than cores, so that a few waiting calls do not block the others. */
#define AT_ONCE_MIN 8
#define AT_ONCE_MAX 16
/* Programs mostly wait for something outside this machine. */
#define AT_ONCE_RUN 32
/* JSON_BYTES_MAX limits the arguments of a call; the rest of the message is short. */
#define LINE_MAX JSON_BYTES_MAX

/* ---- events of workers and timers ---- */

static void method_done(struct session *s, struct os_serve *serve, struct job *job,
			struct str answer, int status)
{
	struct pending *p = (struct pending *)job;

	if (answer.p) {
		mcp_answer(serve, p->batch, answer);
		mcp_watch_tools(s, serve, p, answer);
	} else {
		struct rpc_error e = mcp_worker_error(p->a, p->method, status);

		mcp_fail(s, serve, p->batch, p->id, &e);
	}
	mcp_pending_forget(s, serve, p);
}

static void session_done(struct os_serve *serve, void *ctx, void *what, struct str answer,
			 int status)
{
	struct job *job = what;

	job->done(ctx, serve, job, answer, status);
}

static void tick(struct os_serve *serve, void *ctx, bool behind)
{
	struct session *s = ctx;

	if (!behind)
		mcp_progress_send(s, serve);
	if (s->tokens)
		os_serve_tick_after(serve, 1000);
	mcp_watches_poll(s, serve, behind);
}

static void ended(struct os_serve *serve, void *ctx)
{
	/* The input has ended, so the client's roots will not arrive. */
	os_serve_pause_jobs(serve, 0);
	mcp_close_subscriptions(ctx, serve);
}

/* ---- notifications ---- */

static void cancel(struct session *s, struct os_serve *serve, struct arena *a,
		   const struct val *params)
{
	const struct val *id = val_get(params, "requestId");
	struct pending *p = id ? mcp_pending_find(s, json_text(a, id)) : NULL;

	if (!p)
		return;
	if (p->job.task)
		os_serve_cancel(serve, p->job.task);
	mcp_unsubscribe_request(s, p);
	mcp_pending_forget(s, serve, p);
}

/* ---- requests ---- */

/* Whether a worker runs this method. */
static bool is_served(const struct session *s, struct str method, bool old)
{
	return mcp_method_find(s, method) ||
	       (old && mcp_method_find(s, STR("resources/read")) &&
		(str_is(method, "resources/subscribe") || str_is(method, "resources/unsubscribe")));
}

/* Answers a request that needs no worker: sets *result, or returns false with *e set. Sets *run
 * when a worker must run it. Sets neither when a worker has it already. */
static bool at_once(struct session *s, struct os_serve *serve, struct arena *a,
		    const struct rpc_message *m, enum mcp_revision r, struct str id_text,
		    struct batch *b, struct val **result, bool *run, struct rpc_error *e)
{
	bool old = r != MCP_2026_07_28;

	if (old && str_is(m->method, "initialize")) {
		const struct val *version = val_get(m->params, "protocolVersion");

		if (s->revision)
			return rpc_refuse(e, RPC_INVALID_REQUEST,
					  STR("this connection was initialized before"));
		if (!version || version->type != VAL_STR)
			return rpc_refuse(e, RPC_INVALID_PARAMS,
					  STR("initialize needs protocolVersion, a string"));
		*result = mcp_initialize(s, a, m->params);
		os_serve_renew_workers(serve);
	} else if (old && str_is(m->method, "ping")) {
		*result = val_map(a);
	} else if (!old && str_is(m->method, "server/discover")) {
		*result = mcp_discover_result(s, a);
	} else if (!old && str_is(m->method, "subscriptions/listen")) {
		return mcp_subscriptions_listen(s, serve, m, id_text, e);
	} else if (!is_served(s, m->method, old)) {
		return rpc_refuse(e, RPC_NO_METHOD,
				  str_fmt(a, "no method '%.*s' in %s", STR_ARG(m->method),
					  mcp_revision_name(r)));
	} else if (str_is(m->method, "resources/subscribe")) {
		return mcp_subscribe(s, serve, a, m, id_text, b, result, e);
	} else if (str_is(m->method, "resources/unsubscribe")) {
		return mcp_unsubscribe(s, a, m, result, e);
	} else {
		*run = true;
	}
	return true;
}

static const enum os_pool pools[] = {
	[MCP_READS] = OS_POOL_READ, [MCP_WRITES] = OS_POOL_WRITE, [MCP_RUNS] = OS_POOL_RUN};

static void requested(struct session *s, struct os_serve *serve, struct arena *a,
		      const struct rpc_message *m, struct str text, struct batch *b)
{
	struct str id_text = json_text(a, m->id);
	struct rpc_error e;
	struct val *result = NULL;
	enum mcp_revision r;
	bool run = false;

	if (mcp_pending_find(s, id_text)) {
		rpc_refuse(&e, RPC_INVALID_REQUEST,
			   STR("a request with this id is not answered yet"));
		mcp_fail(s, serve, b, m->id, &e);
	} else if (!mcp_negotiate(s, a, m, &r, &e) ||
		   !at_once(s, serve, a, m, r, id_text, b, &result, &run, &e)) {
		mcp_fail(s, serve, b, m->id, &e);
	} else if (result) {
		mcp_answer(serve, b, rpc_result(a, m->id, result));
		/* Hold later requests until the client has sent its roots. */
		if (str_is(m->method, "initialize") && s->has_roots && s->server->roots)
			os_serve_pause_jobs(serve, MCP_ROOTS_WAIT_MS);
	} else if (run) {
		struct pending *p = mcp_pending_add(s, serve, m, id_text, b);

		p->old = r != MCP_2026_07_28;
		p->job.done = method_done;
		enum mcp_work work = s->server->work(s->server->ctx, m->method, m->params);

		p->job.task =
			os_serve_add_job(serve, text, &p->job, pools[work], work == MCP_READS);
	}
}

static void message(struct session *s, struct os_serve *serve, struct arena *a, const struct val *v,
		    struct str line, struct batch *b)
{
	struct rpc_message m;
	struct rpc_error e;

	if (!rpc_read(a, v, &m, &e)) {
		mcp_fail(s, serve, b, m.id, &e);
		return;
	}
	if (m.kind == RPC_REQUEST) {
		requested(s, serve, a, &m, str_sub(line, v->at.from, v->at.to), b);
	} else if (m.kind == RPC_NOTIFICATION) {
		/* Ignore other notifications: JSON-RPC forbids an answer. */
		if (str_is(m.method, "notifications/cancelled"))
			cancel(s, serve, a, m.params);
		else if (s->revision && (str_is(m.method, "notifications/initialized") ||
					 str_is(m.method, "notifications/roots/list_changed")))
			mcp_ask_roots(s, serve);
	} else if (mcp_is_roots_id(s, m.id)) {
		mcp_roots(s, serve, m.result);
	}
}

/* Sends the error of an unreadable line to each request id that the scan found. */
static void refuse_found(struct session *s, struct os_serve *serve, struct rpc_scan *found,
			 const struct rpc_error *e)
{
	size_t told = 0;

	rpc_scan_end(found);
	for (size_t i = 0; i < found->ids.n; i++) {
		const struct val *id = found->ids.p[i];

		/* The client would take the error for the answer to the pending request. */
		if (mcp_pending_find(s, json_text(found->a, id)))
			continue;
		mcp_fail(s, serve, NULL, id, e);
		told++;
	}
	if (!told)
		mcp_fail(s, serve, NULL, NULL, e);
}

static void refuse_text(struct session *s, struct os_serve *serve, struct arena *a, struct str text,
			const struct rpc_error *e)
{
	struct rpc_scan found;

	rpc_scan_init(&found, a);
	rpc_scan_feed(&found, text);
	refuse_found(s, serve, &found, e);
}

static void long_line(struct os_serve *serve, void *ctx, struct str piece, bool end)
{
	const struct rpc_error e = {.code = RPC_INVALID_REQUEST,
				    .message = STR("the message is over 64 MiB")};
	struct session *s = ctx;

	if (!s->over) {
		s->over_a = arena_new();
		s->over = ARENA_NEW(s->over_a, struct rpc_scan);
		rpc_scan_init(s->over, s->over_a);
	}
	rpc_scan_feed(s->over, piece);
	if (!end)
		return;
	refuse_found(s, serve, s->over, &e);
	arena_free(s->over_a);
	s->over = NULL;
	s->over_a = NULL;
}

static void session_line(struct os_serve *serve, void *ctx, struct str text)
{
	struct rpc_error bad = {.code = RPC_PARSE_ERROR};
	struct session *s = ctx;
	struct arena *a ARENA_LOCAL = arena_new();
	struct val *v;
	struct err *e = json_read(a, text, NULL, &v);

	if (e) {
		bad.message = str_of(err_message(e));
		refuse_text(s, serve, a, text, &bad);
	} else if (v->type != VAL_LIST) {
		message(s, serve, a, v, text, NULL);
	} else if (s->revision != MCP_2025_03_26 || !v->n) {
		bad.code = RPC_INVALID_REQUEST;
		bad.message = v->n ? STR("batches exist only in revision 2025-03-26")
				   : STR("the batch is empty");
		refuse_text(s, serve, a, text, &bad);
	} else {
		struct arena *own = arena_new();
		struct batch *b = ARENA_NEW(own, struct batch);

		*b = (struct batch){.a = own, .answers = buf_in(own), .left = 1};
		VAL_EACH(v, one)
			message(s, serve, a, one, text, b);
		mcp_batch_count_answer(serve, b);
	}
}

struct err *mcp_serve(int in, int out, const struct mcp_server *server)
{
	struct session s = {.server = server};
	const unsigned quick = (unsigned)size_min(size_max(AT_ONCE_MIN, os_cores()), AT_ONCE_MAX);
	const struct os_serve_ops ops = {
		.line_max = LINE_MAX,
		.at_once = {[OS_POOL_READ] = quick,
			    [OS_POOL_WRITE] = quick,
			    [OS_POOL_RUN] = AT_ONCE_RUN},
		.line = session_line,
		.long_line = long_line,
		.work = mcp_worker_handle_request,
		.done = session_done,
		.tick = tick,
		.ended = ended,
	};
	struct err *e = os_serve_run(in, out, &ops, &s);

	mcp_pending_release(&s);
	mcp_watches_release(&s);
	arena_free(s.roots_a);
	arena_free(s.over_a);
	return e;
}
