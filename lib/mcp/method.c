/* Methods, in a worker: from the request's text to the answer's. */
#include "mcp/internal.h"
#include "json/json.h"

const struct mcp_method *mcp_method(const struct session *s, struct str name)
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
		if (text.n - i < 3 || !str_hex(str_sub(text, i + 1, i + 3), &code))
			return false;
		buf_putc(&b, (char)code);
		i += 2;
	}
	*out = buf_str(&b);
	return true;
}

void mcp_refuse(struct mcp_call *c, const char *fmt, ...)
{
	struct buf b = buf_in(c->a);
	va_list ap;

	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	c->code = RPC_INVALID_PARAMS;
	c->message = buf_str(&b);
}

void mcp_no_resource(struct mcp_call *c, struct str uri, const char *message)
{
	mcp_refuse(c, "%s", message);
	if (c->revision < MCP_2026_07_28)
		c->code = RPC_NO_RESOURCE;
	c->data = val_map(c->a);
	val_set(c->a, c->data, "uri", val_str(c->a, uri));
}

void mcp_failed(struct mcp_call *c, const struct err *e)
{
	mcp_refuse(c, "%s", err_message(e));
	c->code = RPC_INTERNAL;
	c->data = err_envelope(c->a, e);
}

struct str mcp_work(void *ctx, struct arena *a, struct str request)
{
	const struct session *s = ctx;
	const struct mcp_method *method;
	struct mcp_call c = {.a = a, .roots_told = s->roots_told, .roots = s->roots};
	struct rpc_message m;
	struct rpc_error e;
	struct val *v;

	/* The server has read it before: these cannot fail. */
	if (json_read(a, request, NULL, &v) || !rpc_read(a, v, &m, &e) ||
	    !mcp_negotiate(s, a, &m, &c.revision, &e) || !(method = mcp_method(s, m.method)))
		BUG("a worker got no request");
	c.params = m.params ? m.params : val_map(a);
	c.unasked = mcp_is_own(c.params);
	if (method->list && val_get(c.params, "cursor"))
		mcp_refuse(&c, "no such cursor: lists come as one page");
	else
		method->run(s->server->ctx, &c);
	if (!c.code == !c.result)
		BUG("%s gave neither a result nor an error, or both", method->name);
	if (c.code) {
		e = (struct rpc_error){
			.code = (enum rpc_code)c.code, .message = c.message, .data = c.data};
		return rpc_failure(a, m.id, false, &e);
	}
	if (c.revision == MCP_2026_07_28)
		mcp_complete(s, a, c.result, method->cached);
	return rpc_result(a, m.id, c.result);
}
