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

/* ---- the ids in text that is invalid JSON: only brackets, quotes and commas are followed ---- */

#define IDS_MAX 1024

enum member { MEMBER_OTHER, MEMBER_ID, MEMBER_METHOD };

void rpc_scan_init(struct rpc_scan *s, struct arena *a)
{
	*s = (struct rpc_scan){.a = a};
}

/* A token is a string with its quotes, or a word. Keep only its first bytes, because ids and names
 * are short. */
static void scan_token_byte(struct rpc_scan *s, char c)
{
	if (s->token_n < sizeof(s->token))
		s->token[s->token_n] = c;
	s->token_n++;
}

static void scan_token_end(struct rpc_scan *s)
{
	struct str token = {s->token, s->token_n > sizeof(s->token) ? 0 : s->token_n};

	if (!s->token_n)
		return;
	if (!s->value) {
		s->member = str_is(token, "\"id\"")       ? MEMBER_ID
			    : str_is(token, "\"method\"") ? MEMBER_METHOD
							  : MEMBER_OTHER;
	} else if (s->member == MEMBER_METHOD) {
		s->method = true;
	} else if (s->member == MEMBER_ID) {
		/* With two different ids, neither is certain. */
		s->unsure = s->unsure || !token.n || (s->id.p && !str_eq(s->id, token));
		s->id = str_dup(s->a, token);
	}
	s->token_n = 0;
}

static void scan_object_end(struct rpc_scan *s)
{
	int64_t n;
	struct val *v;

	if (s->id.n && s->method && !s->unsure && s->ids.n < IDS_MAX &&
	    !json_read(s->a, s->id, NULL, &v) && (v->type == VAL_STR || val_as_int(v, &n)))
		*VEC_PUSH(s->a, &s->ids) = v;
	s->id = (struct str){0};
	s->method = s->unsure = s->value = false;
}

static void scan_byte(struct rpc_scan *s, char c)
{
	bool here = s->object && s->depth == s->base;

	if (s->string) {
		if (here)
			scan_token_byte(s, c);
		if (s->escaped)
			s->escaped = false;
		else if (c == '\\')
			s->escaped = true;
		else if (c == '"')
			s->string = false;
		return;
	}
	if (here && (c == ',' || c == ':' || c == '{' || c == '[' || c == '}' || c == ']'))
		scan_token_end(s);
	if (c == '"')
		s->string = true;
	if (c == '{' || c == '[') {
		s->depth++;
		if (s->depth == 1)
			s->base = c == '{' ? 1 : 2;
		if (s->depth == s->base) {
			s->object = c == '{';
			s->value = false;
			s->member = MEMBER_OTHER;
		}
	} else if (c == '}' || c == ']') {
		if (s->depth == s->base && s->object) {
			scan_object_end(s);
			s->object = false;
		}
		s->depth -= s->depth > 0;
	} else if (here && (c == ':' || c == ',')) {
		s->value = c == ':';
	} else if (here && c != ' ' && c != '\t' && c != '\r') {
		scan_token_byte(s, c);
	}
}

void rpc_scan_feed(struct rpc_scan *s, struct str piece)
{
	for (size_t i = 0; i < piece.n; i++)
		scan_byte(s, piece.p[i]);
}

void rpc_scan_end(struct rpc_scan *s)
{
	if (!s->object)
		return;
	if (s->depth == s->base && !s->string)
		scan_token_end(s);
	scan_object_end(s);
}
