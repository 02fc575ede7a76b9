/* rpc: reads and writes JSON-RPC 2.0 messages. Only lib/agents/mcp uses it. */
#pragma once

#include "base/base.h"

enum rpc_code {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_NO_METHOD = -32601,
	RPC_INVALID_PARAMS = -32602,
	RPC_INTERNAL = -32603,
	RPC_NO_RESOURCE = -32002, /* before 2026-07-28 */
	RPC_BAD_VERSION = -32022, /* since then */
};

struct rpc_error {
	enum rpc_code code;
	struct str message;
	struct val *data; /* NULL: none */
};

enum rpc_kind { RPC_REQUEST, RPC_NOTIFICATION, RPC_RESPONSE };
struct rpc_message {
	enum rpc_kind kind;
	const struct val *id;     /* a string or an integer; NULL in a notification */
	struct str method;        /* in a request or notification */
	const struct val *params; /* an object, or NULL */
	const struct val *result; /* in a response; NULL when the response is an error */
};

/* Reads one JSON value as a message. False when it is no message: *e gives the reason. Then out->id
 * is the id of the request that it seems to be, or NULL. */
bool rpc_read(struct arena *a, const struct val *v, struct rpc_message *out, struct rpc_error *e);
/* Sets *e, without data. Returns false. */
bool rpc_refuse(struct rpc_error *e, enum rpc_code code, struct str message);
/* Give one line without a line end. id is NULL when the request could not be read; null says to
 * write `"id": null` then, else no id. */
struct str rpc_result(struct arena *a, const struct val *id, const struct val *result);
struct str rpc_failure(struct arena *a, const struct val *id, bool null, const struct rpc_error *e);
/* params may be NULL. */
struct str rpc_notification(struct arena *a, const char *method, const struct val *params);
struct str rpc_request(struct arena *a, const struct val *id, const char *method,
		       const struct val *params);
/*
 * Finds the ids of the requests in a line that is invalid JSON, or too long. ikm sends the error to
 * the callers with these ids.
 *
 * The scan looks for the members "id" and "method" of the outermost object, or of each object in an
 * outermost list. It ignores an object that has two different ids.
 */
struct rpc_scan {
	struct arena *a;
	struct VEC(const struct val *) ids; /* after rpc_scan_end(): strings and integers */
	/* The state between two bytes. */
	size_t depth, base, token_n;
	char token[256];
	int member;
	bool object, string, escaped, value, method, unsure;
	struct str id;
};
void rpc_scan_init(struct rpc_scan *s, struct arena *a);
/* The caller may pass the line in pieces. */
void rpc_scan_feed(struct rpc_scan *s, struct str piece);
void rpc_scan_end(struct rpc_scan *s);
