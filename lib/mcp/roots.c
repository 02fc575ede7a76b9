/* The client's roots. Revisions that begin with `initialize` let the server ask for them; ikm keeps
 * the paths. */
#include "mcp/internal.h"

static struct str mcp_roots_id_of(struct arena *a, const struct session *s)
{
	return str_fmt(a, "roots-%lld", (long long)s->question);
}

void mcp_ask_roots(struct session *s, struct os_serve *serve)
{
	struct arena *a ARENA_LOCAL = NULL;

	if (!s->has_roots || !s->server->roots)
		return;
	a = arena_new();
	s->question++;
	s->asked = true;
	os_serve_put(serve, rpc_request(a, val_str(a, mcp_roots_id_of(a, s)), "roots/list", NULL));
	os_serve_hold(serve, MCP_ROOTS_WAIT_MS);
}

bool mcp_is_roots_id(const struct session *s, const struct val *id)
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

void mcp_roots(struct session *s, struct os_serve *serve, const struct val *result)
{
	const struct val *list = val_get(result, "roots");

	s->asked = false;
	os_serve_hold(serve, 0);
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
	os_serve_renew(serve);
}
