/* The protocol's revisions: their names, the revision of a request, and the server's description of
 * itself. */
#include "mcp/internal.h"

#define META          MCP_META
#define OWN           "ikm/look"
#define LATEST        MCP_2026_07_28
#define LATEST_OF_OLD MCP_2025_11_25
/* Tells clients how long to cache a list. Lists change only with a person's settings, so a minute
 * is short enough. */
#define FRESH_MS 60000

static const char *const names[] = {
	[MCP_2024_11_05] = "2024-11-05", [MCP_2025_03_26] = "2025-03-26",
	[MCP_2025_06_18] = "2025-06-18", [MCP_2025_11_25] = "2025-11-25",
	[MCP_2026_07_28] = "2026-07-28",
};

const char *mcp_revision_name(enum mcp_revision r)
{
	return names[r];
}

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

bool mcp_negotiate(const struct session *s, struct arena *a, const struct rpc_message *m,
		   enum mcp_revision *out, struct rpc_error *e)
{
	const struct val *meta = val_get(m->params, "_meta");
	const struct val *version = val_get(meta, META "protocolVersion"), *can;

	*out = s->revision;
	if (!version) {
		if (s->revision || str_is(m->method, "initialize") || str_is(m->method, "ping"))
			return true;
		return rpc_refuse(e, RPC_INVALID_PARAMS,
				  STR("begin with initialize, or give " META
				      "protocolVersion in params._meta"));
	}
	if (version->type != VAL_STR)
		return rpc_refuse(e, RPC_INVALID_PARAMS,
				  STR(META "protocolVersion must be a string"));
	if (mcp_revision_of(version->s) != MCP_2026_07_28) {
		rpc_refuse(e, RPC_BAD_VERSION,
			   str_fmt(a, "unsupported protocol version '%.*s'", STR_ARG(version->s)));
		e->data = val_map(a);
		val_set(a, e->data, "supported", mcp_revisions(a));
		val_set(a, e->data, "requested", val_str(a, version->s));
		return false;
	}
	can = val_get(meta, META "clientCapabilities");
	if (!can || can->type != VAL_MAP)
		return rpc_refuse(e, RPC_INVALID_PARAMS,
				  STR("params._meta needs the object " META "clientCapabilities"));
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

struct val *mcp_own_request_meta(struct arena *a, bool modern)
{
	struct val *v = val_map(a);

	val_set(a, v, OWN, val_bool(a, true));
	if (modern) {
		val_set(a, v, META "protocolVersion", val_str(a, str_of(names[MCP_2026_07_28])));
		val_set(a, v, META "clientCapabilities", val_map(a));
	}
	return v;
}

bool mcp_request_is_own(const struct val *params)
{
	return val_get(val_get(params, "_meta"), OWN) != NULL;
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

struct val *mcp_initialize(struct session *s, struct arena *a, const struct val *params)
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

struct val *mcp_discover_result(const struct session *s, struct arena *a)
{
	struct val *v = val_map(a);

	val_set(a, v, "supportedVersions", mcp_revisions(a));
	val_set(a, v, "capabilities", capabilities(s, a, MCP_2026_07_28));
	if (s->server->instructions[0])
		val_set(a, v, "instructions", val_str(a, str_of(s->server->instructions)));
	mcp_result_finish(s, a, v, true);
	return v;
}

void mcp_result_finish(const struct session *s, struct arena *a, struct val *result, bool cached)
{
	struct val *meta = val_get(result, "_meta");

	val_set(a, result, "resultType", val_str(a, STR("complete")));
	if (!meta)
		meta = val_set(a, result, "_meta", val_map(a));
	val_set(a, meta, META "serverInfo", info(s, a));
	if (!cached)
		return;
	if (!val_get(result, "ttlMs"))
		val_set(a, result, "ttlMs", val_int(a, FRESH_MS));
	val_set(a, result, "cacheScope", val_str(a, STR("private")));
}
