/*
 * One connection: the revision of its requests, their methods in workers, the requests without an
 * answer yet, and the answers, which are sent one by one or as a batch.
 */
#include "mcp/internal.h"
#include "json/json.h"

const struct mcp_method *mcp_method_find(const struct session *s, struct str name)
{
	for (const struct mcp_method *m = s->server->methods; m->name; m++)
		if (str_is(name, m->name))
			return m;
	return NULL;
}

/* ---- revisions ---- */

#define LATEST        MCP_2026_07_28
#define LATEST_OF_OLD MCP_2025_11_25
/* Tells clients how long to cache a list. Lists change only with a person's settings, so a minute
 * is short enough. */
#define FRESH_MS 60000

static const char *const names[] = {
	[MCP_2024_11_05] = "2024-11-05",    [MCP_2025_03_26] = "2025-03-26",
	[MCP_2025_06_18] = "2025-06-18",    [MCP_2025_11_25] = "2025-11-25",
	[MCP_2026_07_28] = MCP_LATEST_NAME,
};

/* MCP_NONE for what is unknown. */
static enum mcp_revision mcp_revision_of(struct str name)
{
	for (int r = LATEST; r > MCP_NONE; r--)
		if (str_is(name, names[r]))
			return (enum mcp_revision)r;
	return MCP_NONE;
}

static struct val *mcp_revisions(struct arena *a)
{
	struct val *list = val_list(a);

	for (int r = LATEST; r > MCP_NONE; r--)
		val_add(list, val_str(a, str_of(names[r])));
	return list;
}

/*
 * Gives the revision of this request: the revision in its _meta, or the connection's. False, with
 * the error in *e, when there is none.
 */
static bool mcp_negotiate(const struct session *s, struct arena *a, const struct rpc_message *m,
			  enum mcp_revision *out, struct rpc_error *e)
{
	const struct val *meta = val_get(m->params, "_meta");
	const struct val *version = val_get(meta, MCP_META "protocolVersion"), *can;

	*out = s->revision;
	if (!version) {
		if (s->revision || str_is(m->method, "initialize") || str_is(m->method, "ping"))
			return true;
		return rpc_refuse(e, RPC_INVALID_PARAMS,
				  STR("begin with initialize, or give " MCP_META
				      "protocolVersion in params._meta"));
	}
	if (version->type != VAL_STR)
		return rpc_refuse(e, RPC_INVALID_PARAMS,
				  STR(MCP_META "protocolVersion must be a string"));
	if (mcp_revision_of(version->s) != MCP_2026_07_28) {
		rpc_refuse(e, RPC_BAD_VERSION,
			   str_fmt(a, "unsupported protocol version '%.*s'", STR_ARG(version->s)));
		e->data = val_map(a);
		val_set(a, e->data, "supported", mcp_revisions(a));
		val_set(a, e->data, "requested", val_str(a, version->s));
		return false;
	}
	can = val_get(meta, MCP_META "clientCapabilities");
	if (!can || can->type != VAL_MAP)
		return rpc_refuse(
			e, RPC_INVALID_PARAMS,
			STR("params._meta needs the object " MCP_META "clientCapabilities"));
	*out = MCP_2026_07_28;
	return true;
}

static struct val *info(const struct session *s, struct arena *a)
{
	struct val *v = val_map(a);

	val_set(a, v, "name", val_str(a, str_of(s->server->name)));
	val_set(a, v, "version", val_str(a, str_of(s->server->version)));
	return v;
}

static struct val *capabilities(const struct session *s, struct arena *a, enum mcp_revision r)
{
	/* The revisions from which on ikm can report changes: of the list, and of one resource. */
	static const struct {
		const char *name, *method;
		enum mcp_revision listed, read;
	} all[] = {{"tools", "tools/list", MCP_2024_11_05, MCP_NONE},
		   {"resources", "resources/list", MCP_2026_07_28, MCP_2024_11_05},
		   {"prompts", "prompts/list", MCP_NONE, MCP_NONE},
		   {"completions", "completion/complete", MCP_NONE, MCP_NONE}};
	struct val *v = val_map(a);

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct val *can;

		if (!mcp_method_find(s, str_of(all[i].method)))
			continue;
		can = val_set(a, v, all[i].name, val_map(a));
		if (all[i].read && r >= all[i].read)
			val_set(a, can, "subscribe", val_bool(a, true));
		if (all[i].listed && r >= all[i].listed)
			val_set(a, can, "listChanged", val_bool(a, true));
	}
	return v;
}

static struct val *mcp_initialize(struct session *s, struct arena *a, const struct val *params)
{
	struct val *v = val_map(a);
	enum mcp_revision r = mcp_revision_of(val_get_str(params, "protocolVersion"));

	s->revision = r && r <= LATEST_OF_OLD ? r : LATEST_OF_OLD;
	s->client = str_utf8_head(val_get_str(val_get(params, "clientInfo"), "name"),
				  sizeof(s->client_name));
	memcpy(s->client_name, s->client.n ? s->client.p : "", s->client.n);
	s->client.p = s->client_name;
	s->has_roots = val_get(val_get(params, "capabilities"), "roots") != NULL;
	val_set(a, v, "protocolVersion", val_str(a, str_of(names[s->revision])));
	val_set(a, v, "capabilities", capabilities(s, a, s->revision));
	val_set(a, v, "serverInfo", info(s, a));
	if (s->server->instructions[0])
		val_set(a, v, "instructions", val_str(a, str_of(s->server->instructions)));
	return v;
}

void mcp_result_finish(const struct session *s, struct arena *a, struct val *result, bool cached)
{
	struct val *meta = val_get(result, "_meta");

	val_set(a, result, "resultType", val_str(a, STR("complete")));
	if (!meta)
		meta = val_set(a, result, "_meta", val_map(a));
	val_set(a, meta, MCP_META "serverInfo", info(s, a));
	if (!cached)
		return;
	if (!val_get(result, "ttlMs"))
		val_set(a, result, "ttlMs", val_int(a, FRESH_MS));
	val_set(a, result, "cacheScope", val_str(a, STR("private")));
}

/* ---- what methods use ---- */

bool mcp_unescape(struct arena *a, struct str text, struct str *out)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < text.n; i++) {
		uint32_t code;

		if (text.p[i] != '%') {
			buf_putc(&b, text.p[i]);
			continue;
		}
		if (text.n - i < 3 || !str_parse_hex(str_sub(text, i + 1, i + 3), &code))
			return false;
		buf_putc(&b, (char)code);
		i += 2;
	}
	*out = buf_as_str(&b);
	return true;
}

void mcp_refuse(struct mcp_call *c, const char *fmt, ...)
{
	struct buf b = buf_in(c->a);

	BUF_ARGS(&b, fmt);
	c->code = RPC_INVALID_PARAMS;
	c->message = buf_as_str(&b);
}

void mcp_no_resource(struct mcp_call *c, struct str uri, const char *message)
{
	mcp_refuse(c, "%s", message);
	if (c->revision < MCP_2026_07_28)
		c->code = RPC_NO_RESOURCE;
	c->data = val_map(c->a);
	val_set(c->a, c->data, "uri", val_str(c->a, uri));
}

void mcp_answer_server_error(struct mcp_call *c, const struct err *e)
{
	mcp_refuse(c, "%s", err_message(e));
	c->code = RPC_INTERNAL;
	c->data = err_envelope(c->a, e);
}

/* ---- pages of lists ---- */

/* A cursor is the start of the next page and a hash of the whole list. When the list changes, old
 * cursors become invalid. */
static struct str cursor_of(struct arena *a, size_t at, struct str whole)
{
	return str_fmt(a, "%zu-%016jx", at, (uintmax_t)str_hash(whole));
}

static bool read_cursor(struct str text, size_t *at)
{
	int64_t n;

	if (!str_int(str_sub(text, 0, str_find_char(text, '-', 0)), &n) || n < 1)
		return false;
	*at = (size_t)n;
	return true;
}

/* The result has one member, the list. A page has at least one row, and otherwise at most MCP_PAGE
 * bytes. */
static void give_page(struct mcp_call *c)
{
	const struct val *cursor = val_get(c->params, "cursor");
	struct val *list = c->result->first, *last = NULL;
	struct str whole = json_text(c->a, list);
	size_t at = 0, n = 0, bytes = 0;

	if (!cursor && whole.n <= MCP_PAGE)
		return;
	if (cursor && (cursor->type != VAL_STR || !read_cursor(cursor->s, &at) ||
		       !str_eq(cursor->s, cursor_of(c->a, at, whole)))) {
		c->result = NULL;
		mcp_refuse(c, "unknown cursor, or the list has changed: request the list again "
			      "without a cursor");
		return;
	}
	val_remove_first_n(list, at);
	for (struct val *m = list->first; m; m = m->next) {
		bytes += json_text(c->a, m).n;
		if (n && bytes > MCP_PAGE)
			break;
		last = m;
		n++;
	}
	if (!last || !last->next)
		return;
	last->next = NULL;
	list->last = last;
	list->n = n;
	val_set(c->a, c->result, "nextCursor", val_str(c->a, cursor_of(c->a, at + n, whole)));
}

/* ---- in a worker ---- */

/* Runs in a worker: takes the request's text and gives the answer's text. */
static struct str mcp_worker_handle_request(void *ctx, struct arena *a, struct str request,
					    uint64_t since)
{
	const struct session *s = ctx;
	const struct mcp_method *method;
	struct mcp_call c = {
		.a = a, .since = since, .roots_told = s->roots_told, .roots = s->roots};
	struct rpc_message m;
	struct rpc_error e;
	struct str answer;
	struct val *v;

	/* The server has parsed the same text before, so this cannot fail. */
	if (json_read(a, request, NULL, &v) || !rpc_read(a, v, &m, &e) ||
	    !mcp_negotiate(s, a, &m, &c.revision, &e) || !(method = mcp_method_find(s, m.method)))
		BUG("a worker got no request");
	c.params = m.params ? m.params : val_map(a);
	c.client = c.revision == MCP_2026_07_28
			   ? val_get_str(val_get(val_get(c.params, "_meta"), MCP_META "clientInfo"),
					 "name")
			   : s->client;
	c.unasked = val_get(val_get(c.params, "_meta"), MCP_OWN) != NULL;
	method->run(s->server->ctx, &c);
	if (method->list && c.result)
		give_page(&c);
	if (!c.code == !c.result)
		BUG("%s gave neither a result nor an error, or both", method->name);
	if (c.code) {
		e = (struct rpc_error){
			.code = (enum rpc_code)c.code, .message = c.message, .data = c.data};
		return rpc_failure(a, m.id, false, &e);
	}
	if (c.revision == MCP_2026_07_28)
		mcp_result_finish(s, a, c.result, method->cached);
	answer = rpc_result(a, m.id, c.result);
	if (answer.n <= MCP_MESSAGE_MAX)
		return answer;
	rpc_refuse(&e, RPC_INTERNAL,
		   str_fmt(a,
			   "the answer would have %zu bytes, but a message has at most %zu: "
			   "ask for less",
			   answer.n, MCP_MESSAGE_MAX));
	return rpc_failure(a, m.id, false, &e);
}

/* ---- answers ---- */

void mcp_answer(struct os_serve *serve, struct batch *b, struct str line)
{
	if (!b) {
		os_serve_write_line(serve, line);
		return;
	}
	if (b->answers.n)
		buf_putc(&b->answers, ',');
	buf_put(&b->answers, line);
}

/* Counts one answer of the batch. The last answer sends the whole batch. */
static void mcp_batch_count_answer(struct os_serve *serve, struct batch *b)
{
	if (!b || --b->left)
		return;
	if (b->answers.n)
		os_serve_write_line(serve,
				    str_fmt(b->a, "[%.*s]", STR_ARG(buf_as_str(&b->answers))));
	arena_free(b->a);
}

static void mcp_fail(const struct session *s, struct os_serve *serve, struct batch *b,
		     const struct val *id, const struct rpc_error *e)
{
	struct arena *a ARENA_LOCAL = arena_new();
	/* A revision whose schema allows no error without an id gets "id": null, as in JSON-RPC. */
	bool null = s->revision && s->revision < MCP_2025_11_25;

	mcp_answer(serve, b, rpc_failure(a, id, null, e));
}

void mcp_fail_worker(const struct session *s, struct os_serve *serve, const struct pending *p,
		     int status)
{
	struct rpc_error e = {.code = RPC_INTERNAL};

	e.message = status < 0     ? STR("ikm could not start a process for it; try again")
		    : status > 128 ? str_fmt(p->a, "%.*s was ended by signal %d",
					     STR_ARG(p->method), status - 128)
				   : str_fmt(p->a, "%.*s ended with status %d", STR_ARG(p->method),
					     status);
	mcp_fail(s, serve, p->batch, p->id, &e);
}

/* ---- pending requests ---- */

static struct pending **bucket(const struct session *s, struct str id_text)
{
	return (struct pending **)&s->pending[str_hash(id_text) % PENDING_BUCKETS];
}

/* NULL when no request with this id is pending. */
static struct pending *mcp_pending_find(const struct session *s, struct str id_text)
{
	struct pending *p = *bucket(s, id_text);

	while (p && !str_eq(p->id_text, id_text))
		p = p->next;
	return p;
}

/* A copy of a number or string that owns its memory. */
static const struct val *pending_keep(struct arena *a, const struct val *v)
{
	struct val *own = val_copy_shallow(a, v);

	own->s = str_dup(a, v->s);
	return own;
}

struct pending *mcp_pending_add(struct session *s, struct os_serve *serve,
				const struct rpc_message *m, struct str id_text, struct batch *b)
{
	struct arena *a = arena_new();
	struct pending *p = ARENA_NEW(a, struct pending), **at;
	const struct val *token = val_get(val_get(m->params, "_meta"), "progressToken");
	int64_t n;

	*p = (struct pending){.a = a, .batch = b, .since = os_ticks()};
	p->id_text = str_dup(a, id_text);
	p->method = str_dup(a, m->method);
	p->id = pending_keep(a, m->id);
	if (token && (token->type == VAL_STR || val_as_int(token, &n))) {
		p->token = pending_keep(a, token);
		s->tokens++;
		os_serve_tick_after(serve, 1000);
	}
	if (b)
		b->left++;
	at = bucket(s, p->id_text);
	p->next = *at;
	*at = p;
	return p;
}

void mcp_pending_forget(struct session *s, struct os_serve *serve, struct pending *p)
{
	struct pending **at = bucket(s, p->id_text);
	struct batch *b = p->batch;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	s->tokens -= p->token != NULL;
	arena_free(p->a);
	mcp_batch_count_answer(serve, b);
}

#define SECOND ((uint64_t)1000 * 1000 * 1000)

/* The progress is the seconds since the start, so that the client sees that the work goes on. */
static void tell_progress(const struct session *s, struct os_serve *serve, const struct pending *p,
			  uint64_t now)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct val *v = val_map(a);
	unsigned long long took = now - p->since;

	val_set(a, v, "progressToken", val_copy_shallow(a, p->token));
	val_set(a, v, "progress", val_int(a, (int64_t)(took / (SECOND / 1000))));
	if (s->revision != MCP_2024_11_05)
		val_set(a, v, "message", val_str(a, str_fmt(a, "%llu s", took / SECOND)));
	os_serve_write_line(serve, rpc_notification(a, "notifications/progress", v));
}

static void mcp_progress_send(struct session *s, struct os_serve *serve)
{
	uint64_t now = os_ticks();

	if (!s->tokens)
		return;
	for (size_t i = 0; i < PENDING_BUCKETS; i++)
		for (const struct pending *p = s->pending[i]; p; p = p->next)
			if (p->token && p->job.task && now - p->since >= SECOND)
				tell_progress(s, serve, p, now);
}

/* ---- the client's roots ---- */

/* How long calls wait for the client's roots. A call that does not know them could change files
 * that the client protects. */
#define MCP_ROOTS_WAIT_MS 3000

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

/* ---- events of workers and timers ---- */

static void method_done(struct session *s, struct os_serve *serve, struct job *job,
			struct str answer, int status)
{
	struct pending *p = (struct pending *)job;

	if (answer.p) {
		mcp_answer(serve, p->batch, answer);
		mcp_watch_tools(s, serve, p, answer);
	} else {
		mcp_fail_worker(s, serve, p, status);
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

/* Answers a request that needs no worker: sets *result, or returns false with *e set. Sets *run
 * when a worker must run it. Sets neither when a worker has it already. */
static bool at_once(struct session *s, struct os_serve *serve, struct arena *a,
		    const struct rpc_message *m, enum mcp_revision r, struct str id_text,
		    struct batch *b, struct val **result, bool *run, struct rpc_error *e)
{
	bool old = r != MCP_2026_07_28;
	bool subscribes = old ? mcp_method_find(s, STR("resources/read")) &&
					  (str_is(m->method, "resources/subscribe") ||
					   str_is(m->method, "resources/unsubscribe"))
			      : str_is(m->method, "subscriptions/listen");

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
		struct val *v = *result = val_map(a);

		val_set(a, v, "supportedVersions", mcp_revisions(a));
		val_set(a, v, "capabilities", capabilities(s, a, MCP_2026_07_28));
		if (s->server->instructions[0])
			val_set(a, v, "instructions", val_str(a, str_of(s->server->instructions)));
		mcp_result_finish(s, a, v, true);
	} else if (subscribes) {
		return mcp_subscription_handle(s, serve, a, m, id_text, b, result, e);
	} else if (mcp_method_find(s, m->method)) {
		*run = true;
	} else {
		return rpc_refuse(
			e, RPC_NO_METHOD,
			str_fmt(a, "no method '%.*s' in %s", STR_ARG(m->method), names[r]));
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
		enum mcp_work work = s->server->work(s->server->ctx, m->method, m->params);

		p->old = r != MCP_2026_07_28;
		p->job.done = method_done;
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

static void long_line(struct os_serve *serve, void *ctx, struct str piece, bool end)
{
	const struct rpc_error e = {.code = RPC_INVALID_REQUEST,
				    .message = STR("the message is over 64 MiB")};
	struct session *s = ctx;

	if (!s->over) {
		struct arena *a = arena_new();

		s->over = ARENA_NEW(a, struct rpc_scan);
		rpc_scan_init(s->over, a);
	}
	rpc_scan_feed(s->over, piece);
	if (!end)
		return;
	refuse_found(s, serve, s->over, &e);
	arena_free(s->over->a);
	s->over = NULL;
}

static void session_line(struct os_serve *serve, void *ctx, struct str text)
{
	struct rpc_error bad = {.code = RPC_PARSE_ERROR};
	struct rpc_scan found;
	struct session *s = ctx;
	struct arena *a ARENA_LOCAL = arena_new();
	struct val *v;
	struct err *e = json_read(a, text, NULL, &v);

	if (e) {
		bad.message = str_of(err_message(e));
	} else if (v->type == VAL_LIST && (s->revision != MCP_2025_03_26 || !v->n)) {
		bad.code = RPC_INVALID_REQUEST;
		bad.message = v->n ? STR("batches exist only in revision 2025-03-26")
				   : STR("the batch is empty");
	}
	if (e || bad.message.n) {
		rpc_scan_init(&found, a);
		rpc_scan_feed(&found, text);
		refuse_found(s, serve, &found, &bad);
	} else if (v->type != VAL_LIST) {
		message(s, serve, a, v, text, NULL);
	} else {
		struct arena *own = arena_new();
		struct batch *b = ARENA_NEW(own, struct batch);

		*b = (struct batch){.a = own, .answers = buf_in(own), .left = 1};
		VAL_EACH(v, one)
			message(s, serve, a, one, text, b);
		mcp_batch_count_answer(serve, b);
	}
}

/* More workers than cores, so that a few waiting calls do not block the others. */
#define AT_ONCE_MIN 8
#define AT_ONCE_MAX 16
/* Programs mostly wait for something outside this machine. */
#define AT_ONCE_RUN 32
/* JSON_BYTES_MAX limits the arguments of a call; the rest of the message is short. */
#define LINE_MAX JSON_BYTES_MAX

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

	for (size_t i = 0; i < PENDING_BUCKETS; i++)
		for (struct pending *p = s.pending[i], *next; p; p = next) {
			next = p->next;
			if (p->batch && !--p->batch->left)
				arena_free(p->batch->a);
			arena_free(p->a);
		}
	mcp_watches_release(&s);
	arena_free(s.roots_a);
	arena_free(s.over ? s.over->a : NULL);
	return e;
}
