/* Runs a method in a worker: the text of a request in, the text of the answer out. */
#include "mcp/internal.h"
#include "json/json.h"

const struct mcp_method *mcp_method_find(const struct session *s, struct str name)
{
	for (const struct mcp_method *m = s->server->methods; m->name; m++)
		if (str_is(name, m->name))
			return m;
	return NULL;
}

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

struct str mcp_worker_handle_request(void *ctx, struct arena *a, struct str request, uint64_t since)
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
	c.unasked = mcp_request_is_own(c.params);
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
