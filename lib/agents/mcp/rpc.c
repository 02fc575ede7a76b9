#include "mcp/rpc.h"
#include "json/json.h"

bool rpc_refuse(struct rpc_error *e, enum rpc_code code, struct str message)
{
	*e = (struct rpc_error){.code = code, .message = message};
	return false;
}

bool rpc_read(struct arena *a, const struct val *v, struct rpc_message *out, struct rpc_error *e)
{
	const struct val *id, *method, *params;
	int64_t n;

	*out = (struct rpc_message){0};
	if (v->type != VAL_MAP)
		return rpc_refuse(
			e, RPC_INVALID_REQUEST,
			str_fmt(a, "a message must be an object, not %s", val_type_name(v->type)));
	id = val_get(v, "id");
	method = val_get(v, "method");
	params = val_get(v, "params");
	if (id && (id->type == VAL_STR || val_as_int(id, &n)))
		out->id = id;
	if (!str_is(val_get_str(v, "jsonrpc"), "2.0"))
		return rpc_refuse(e, RPC_INVALID_REQUEST,
				  STR("the member jsonrpc must be \"2.0\""));
	/* An error response to an unreadable message has no id. */
	if (id && !out->id && (method || id->type != VAL_NULL))
		return rpc_refuse(e, RPC_INVALID_REQUEST,
				  STR("an id must be a string or an integer"));
	if (!method) {
		const struct val *error = val_get(v, "error");

		out->kind = RPC_RESPONSE;
		out->result = val_get(v, "result");
		if (!out->result == !error)
			return rpc_refuse(e, RPC_INVALID_REQUEST,
					  STR("a message needs a method, or a result or an error"));
		return true;
	}
	if (method->type != VAL_STR)
		return rpc_refuse(e, RPC_INVALID_REQUEST, STR("method must be a string"));
	if (params && params->type != VAL_MAP)
		return rpc_refuse(e, RPC_INVALID_PARAMS, STR("params must be an object"));
	out->kind = out->id ? RPC_REQUEST : RPC_NOTIFICATION;
	out->method = method->s;
	out->params = params;
	return true;
}

static struct buf rpc_begin(struct arena *a)
{
	struct buf b = buf_in(a);

	buf_puts(&b, "{\"jsonrpc\":\"2.0\"");
	return b;
}

static struct str rpc_end(struct buf *b)
{
	buf_putc(b, '}');
	return buf_as_str(b);
}

static void rpc_put(struct buf *b, const char *key, const struct val *v)
{
	buf_fmt(b, ",\"%s\":", key);
	json_write(b, v, 0);
}

struct str rpc_result(struct arena *a, const struct val *id, const struct val *result)
{
	struct buf b = rpc_begin(a);

	rpc_put(&b, "id", id);
	rpc_put(&b, "result", result);
	return rpc_end(&b);
}

struct str rpc_failure(struct arena *a, const struct val *id, bool null, const struct rpc_error *e)
{
	struct buf b = rpc_begin(a);
	struct val *v = val_map(a);

	if (id)
		rpc_put(&b, "id", id);
	else if (null)
		buf_puts(&b, ",\"id\":null");
	val_set(a, v, "code", val_int(a, e->code));
	val_set(a, v, "message", val_str(a, e->message));
	if (e->data)
		val_set(a, v, "data", e->data);
	rpc_put(&b, "error", v);
	return rpc_end(&b);
}

struct str rpc_notification(struct arena *a, const char *method, const struct val *params)
{
	return rpc_request(a, NULL, method, params);
}

struct str rpc_request(struct arena *a, const struct val *id, const char *method,
		       const struct val *params)
{
	struct buf b = rpc_begin(a);

	if (id)
		rpc_put(&b, "id", id);
	buf_fmt(&b, ",\"method\":\"%s\"", method);
	if (params)
		rpc_put(&b, "params", params);
	return rpc_end(&b);
}
