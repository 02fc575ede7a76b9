/* One connection: messages in, answers out, and who is waiting for one. */
#include "mcp/internal.h"
#include "json/json.h"

/* More than cores: a few calls that only wait must not keep reads from running. */
#define AT_ONCE_MIN 8
/* A call's arguments are limited by JSON_BYTES_MAX; around them is a little more. */
#define LINE_MAX    JSON_BYTES_MAX
#define SECOND      ((uint64_t)1000 * 1000 * 1000)

/* ---- answers ---- */

static void answer(struct os_serve *serve, struct batch *b, struct str line)
{
	if (!b) {
		os_serve_put(serve, line);
		return;
	}
	if (b->answers.n)
		buf_putc(&b->answers, ',');
	buf_put(&b->answers, line);
}

/* One request less to wait for; the last one tells them all. */
static void batch_less(struct os_serve *serve, struct batch *b)
{
	if (!b || --b->left)
		return;
	if (b->answers.n)
		os_serve_put(serve, str_fmt(b->a, "[%.*s]", STR_ARG(buf_str(&b->answers))));
	arena_free(b->a);
}

static void fail(const struct session *s, struct os_serve *serve, struct batch *b,
		 const struct val *id, const struct rpc_error *e)
{
	struct arena *a = arena_new();
	/* Where the schema of a revision has no message without an id, there is JSON-RPC's own. */
	bool null = s->revision && s->revision < MCP_2025_11_25;

	answer(serve, b, rpc_failure(a, id, null, e));
	arena_free(a);
}

/* ---- who waits ---- */

static struct pending **find(struct session *s, const struct val *id)
{
	struct arena *a = arena_new();
	struct str text = rpc_id(a, id);
	struct pending **at = &s->first;

	while (*at && !str_eq((*at)->id_text, text))
		at = &(*at)->next;
	arena_free(a);
	return at;
}

static struct pending *wait_for(struct session *s, const struct rpc_message *m, struct batch *b)
{
	struct arena *a = arena_new();
	struct pending *p = ARENA_NEW(a, struct pending);
	const struct val *token = val_get(val_get(m->params, "_meta"), "progressToken");
	int64_t n;

	*p = (struct pending){.a = a, .next = s->first, .batch = b, .since = os_ticks()};
	p->id_text = rpc_id(a, m->id);
	p->method = str_dup(a, m->method);
	p->id = val_copy(a, m->id);
	((struct val *)p->id)->s = str_dup(a, m->id->s);
	if (token && (token->type == VAL_STR || val_as_int(token, &n))) {
		struct val *own = val_copy(a, token);

		own->s = str_dup(a, token->s);
		p->token = own;
	}
	s->first = p;
	return p;
}

static void forget(struct session *s, struct os_serve *serve, struct pending *p)
{
	struct pending **at = &s->first;
	struct batch *b = p->batch;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	arena_free(p->a);
	batch_less(serve, b);
}

static void done(struct os_serve *serve, void *ctx, void *what, struct str text, int status)
{
	struct session *s = ctx;
	struct pending *p = what;
	struct rpc_error e = {.code = RPC_INTERNAL};

	if (text.p) {
		answer(serve, p->batch, text);
	} else {
		e.message = status < 0 ? STR("no process could be started for it; try again")
			: status > 128 ? str_fmt(p->a, "%.*s was ended by signal %d",
						 STR_ARG(p->method), status - 128)
				       : str_fmt(p->a, "%.*s ended with status %d",
						 STR_ARG(p->method), status);
		fail(s, serve, p->batch, p->id, &e);
	}
	forget(s, serve, p);
}

/* Seconds count as progress: who waits sees that it goes on. */
static void tick(struct os_serve *serve, void *ctx)
{
	struct session *s = ctx;
	uint64_t now = os_ticks();

	for (struct pending *p = s->first; p; p = p->next) {
		struct arena *a;
		struct val *v;

		if (!p->token || !p->task || now - p->since < SECOND)
			continue;
		a = arena_new();
		v = val_map(a);
		val_set(a, v, "progressToken", val_copy(a, p->token));
		val_set(a, v, "progress", val_int(a, (int64_t)((now - p->since) / (SECOND / 1000))));
		if (s->revision != MCP_2024_11_05)
			val_set(a, v, "message",
				val_str(a, str_fmt(a, "%llu s",
						   (unsigned long long)((now - p->since) / SECOND))));
		os_serve_put(serve, rpc_notification(a, "notifications/progress", v));
		arena_free(a);
	}
}

static void waited(struct os_serve *serve, void *ctx)
{
	mcp_roots(ctx, serve, NULL);
}

/* ---- notifications ---- */

static void cancel(struct session *s, struct os_serve *serve, const struct val *params)
{
	const struct val *id = val_get(params, "requestId");
	struct pending *p = id ? *find(s, id) : NULL;

	if (!p)
		return;
	if (p->task)
		os_serve_cancel(serve, p->task);
	forget(s, serve, p);
}

static void notified(struct session *s, struct os_serve *serve, const struct rpc_message *m)
{
	if (str_is(m->method, "notifications/cancelled"))
		cancel(s, serve, m->params);
	else if (s->revision && (str_is(m->method, "notifications/initialized") ||
				 str_is(m->method, "notifications/roots/list_changed")))
		mcp_ask_roots(s, serve);
	/* Others are none of ours, and a notification is never answered. */
}

/* ---- requests ---- */

/* Nothing here changes while it is served, so of what was asked for nothing is promised. */
static void listen(struct session *s, struct os_serve *serve, struct arena *a,
		   const struct rpc_message *m)
{
	struct val *params = val_map(a), *meta = val_set(a, params, "_meta", val_map(a));

	val_set(a, meta, "io.modelcontextprotocol/subscriptionId", val_copy(a, m->id));
	val_set(a, params, "notifications", val_map(a));
	os_serve_put(serve,
		     rpc_notification(a, "notifications/subscriptions/acknowledged", params));
	wait_for(s, m, NULL);
}

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

/* What is answered at once: the result, or false with the error. Neither: a worker has it. */
static bool at_once(struct session *s, struct os_serve *serve, struct arena *a,
		    const struct rpc_message *m, enum mcp_revision r, struct val **result,
		    struct rpc_error *e)
{
	bool old = r != MCP_2026_07_28;

	if (old && str_is(m->method, "initialize"))
		return initialize(s, serve, a, m, result, e);
	if (old && str_is(m->method, "ping"))
		*result = val_map(a);
	else if (!old && str_is(m->method, "server/discover"))
		*result = mcp_discover(s, a);
	else if (!old && str_is(m->method, "subscriptions/listen"))
		listen(s, serve, a, m);
	else if (!mcp_method(s, m->method)) {
		e->code = RPC_NO_METHOD;
		e->message = str_fmt(a, "no method '%.*s' in %s", STR_ARG(m->method),
				     mcp_revision_name(r));
		return false;
	}
	return true;
}

static void requested(struct session *s, struct os_serve *serve, struct arena *a,
		      const struct rpc_message *m, struct str text, struct batch *b)
{
	struct rpc_error e = {0};
	struct val *result = NULL;
	enum mcp_revision r;

	if (*find(s, m->id)) {
		e.code = RPC_INVALID_REQUEST;
		e.message = STR("a request with this id is not answered yet");
		fail(s, serve, b, m->id, &e);
	} else if (!mcp_negotiate(s, a, m, &r, &e) ||
		   !at_once(s, serve, a, m, r, &result, &e)) {
		fail(s, serve, b, m->id, &e);
	} else if (result) {
		answer(serve, b, rpc_result(a, m->id, result));
		/* Its roots come before anything else of it is done. */
		if (str_is(m->method, "initialize") && s->has_roots && s->server->roots)
			os_serve_hold(serve, 3000);
	} else if (mcp_method(s, m->method)) {
		struct pending *p = wait_for(s, m, b);

		if (b)
			b->left++;
		p->task = os_serve_work(serve, text, p,
					s->server->keeps(s->server->ctx, m->method, m->params));
	}
}

static void message(struct session *s, struct os_serve *serve, struct arena *a,
		    const struct val *v, struct str line, struct batch *b)
{
	struct rpc_message m;
	struct rpc_error e;

	if (!rpc_read(a, v, &m, &e)) {
		fail(s, serve, b, m.id, &e);
		return;
	}
	if (m.kind == RPC_REQUEST)
		requested(s, serve, a, &m, str_sub(line, v->at.from, v->at.to), b);
	else if (m.kind == RPC_NOTIFICATION)
		notified(s, serve, &m);
	else if (s->roots_id.n && m.id && m.id->type == VAL_STR && str_eq(m.id->s, s->roots_id))
		mcp_roots(s, serve, m.result);
}

static void refuse_line(struct session *s, struct os_serve *serve, enum rpc_code code,
			struct str why)
{
	struct rpc_error e = {.code = code, .message = why};

	fail(s, serve, NULL, NULL, &e);
}

static void all(struct session *s, struct os_serve *serve, struct arena *a, const struct val *list,
		struct str text)
{
	struct arena *own = arena_new();
	struct batch *b = ARENA_NEW(own, struct batch);

	*b = (struct batch){.a = own, .answers = buf_in(own), .left = 1};
	VAL_EACH(list, v)
		message(s, serve, a, v, text, b);
	batch_less(serve, b);
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
	struct session s = {.server = server, .a = arena_new()};
	const struct os_serve_ops ops = {
		.line_max = LINE_MAX,
		.at_once = (unsigned)size_max(AT_ONCE_MIN, os_cores()),
		.line = line,
		.work = mcp_work,
		.done = done,
		.tick = tick,
		.waited = waited,
	};
	struct err *e = os_serve_run(in, out, &ops, &s);

	while (s.first) {
		struct pending *p = s.first;

		s.first = p->next;
		if (p->batch && !--p->batch->left)
			arena_free(p->batch->a);
		arena_free(p->a);
	}
	arena_free(s.roots_a);
	arena_free(s.a);
	return e;
}
