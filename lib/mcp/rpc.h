/* rpc: JSON-RPC 2.0 messages, read and written. For lib/mcp only. */
#ifndef IKM_MCP_RPC_H
#define IKM_MCP_RPC_H

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
	const struct val *id;     /* a string or an integer; NULL for a notification */
	struct str method;        /* of a request or notification */
	const struct val *params; /* an object, or NULL */
	const struct val *result; /* of a response: NULL when it is an error */
};

/*
 * What one value of the wire says. False when it is no message: then *e says why, and out->id is
 * the id of what seems to be a request, or NULL.
 */
bool rpc_read(struct arena *a, const struct val *v, struct rpc_message *out, struct rpc_error *e);
/* One line without its end. id NULL: of what could not be read; `null` then, or left out. */
struct str rpc_result(struct arena *a, const struct val *id, const struct val *result);
struct str rpc_failure(struct arena *a, const struct val *id, bool null, const struct rpc_error *e);
/* params NULL: none. */
struct str rpc_notification(struct arena *a, const char *method, const struct val *params);
struct str rpc_request(struct arena *a, const struct val *id, const char *method,
		       const struct val *params);
/*
 * Finds the ids of the requests in a line that is no JSON, or too long, so that the error can be
 * told to the caller that waits: members "id" and "method" of the outermost object, or of each
 * object in the outermost list. An id that appears twice with different values does not count.
 */
struct rpc_scan {
	struct arena *a;
	struct {
		const struct val **p;
		size_t n, cap;
	} ids; /* after rpc_scan_end(): strings and integers */
	/* The state between two bytes. */
	size_t depth, base, token_n;
	char token[256];
	int member;
	bool object, string, escaped, value, method, unsure;
	struct str id;
};
void rpc_scan_init(struct rpc_scan *s, struct arena *a);
/* The line may come in pieces. */
void rpc_scan_feed(struct rpc_scan *s, struct str piece);
void rpc_scan_end(struct rpc_scan *s);
/* The id as it is on the wire: 1 and "1" are two. */
struct str rpc_id(struct arena *a, const struct val *id);

#endif
