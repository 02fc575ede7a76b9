/* Finds the ids of requests in text that is invalid JSON. It follows only brackets, quotes and
 * commas. */
#include "mcp/rpc.h"
#include "json/json.h"

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
