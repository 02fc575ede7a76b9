/* Starts the server, and makes calls for its client. */
#include "base/build.h"
#include "event/ulid.h"
#include "fuzzy/fuzzy.h"
#include "host/host.h"
#include "internal.h"
#include "request/request.h"
#include "server.h"
#include "server/internal.h"
#include <unistd.h>

#define SHOWN 100 /* the protocol's limit */

/* The command whose result has the candidates. */
struct wanted {
	const char *list;          /* the command */
	const char *member, *name; /* the list in its result, and the member to offer */
	struct str before;         /* is put before each value */
	bool garden;               /* no command: the files of the garden */
};

static const struct wanted decision = {"know list", "items", "id", {0}};
static const struct wanted asset = {"asset list", "assets", "path", {0}};
static const struct wanted garden = {.garden = true};

static bool server_complete_wrong(struct mcp_call *m, const char *of, struct str name,
				  const char *want)
{
	mcp_refuse(m, "%s has no argument '%.*s'%s%s", of, STR_ARG(name), want ? "; it has " : "",
		   want ? want : "");
	return false;
}

static bool server_complete_prompt(struct mcp_call *m, struct str name, struct str argument,
				   struct str *value, struct wanted *out)
{
	const char *has;

	if (!server_prompt_argument(name, &has)) {
		mcp_refuse(m, "unknown prompt '%.*s'; prompts/list names all prompts",
			   STR_ARG(name));
		return false;
	}
	if (!has || !str_is(argument, has))
		return server_complete_wrong(m, str_c(m->a, name), argument, has);
	*out = asset;
	/* The prompt takes URIs, too. */
	if (str_starts(*value, STR(MCP_ASSET))) {
		out->before = STR(MCP_ASSET);
		*value = str_sub(*value, out->before.n, value->n);
	}
	return true;
}

static bool server_complete_template(struct mcp_call *m, struct str uri, struct str argument,
				     struct wanted *out)
{
	bool is_asset = str_is(uri, MCP_ASSET_TEMPLATE);
	bool is_garden = str_is(uri, MCP_GARDEN_TEMPLATE);
	const char *has = is_asset || is_garden ? "path" : "id";

	if (!is_asset && !is_garden && !str_is(uri, MCP_DECISION_TEMPLATE)) {
		mcp_refuse(m,
			   "no resource template '%.*s'; there are " MCP_ASSET_TEMPLATE
			   ", " MCP_DECISION_TEMPLATE " and " MCP_GARDEN_TEMPLATE,
			   STR_ARG(uri));
		return false;
	}
	if (!str_is(argument, has))
		return server_complete_wrong(m, str_c(m->a, uri), argument, has);
	*out = is_asset ? asset : is_garden ? garden : decision;
	return true;
}

static struct err *server_complete_value(void *ctx, struct mcp_call *m, const struct wanted *w,
					 struct str value)
{
	struct val *values = val_list(m->a), *completion = val_map(m->a);
	struct strs names = {0}, all = {0}, kinds;
	struct fuzzy_hits hits;
	struct val *r;

	if (w->garden) {
		TRY(server_garden_list(ctx, m, &names, &kinds));
	} else {
		TRY(server_run_command(ctx, m, w->list, val_map(m->a), &r));
		VAL_EACH(val_get(r, w->member), v)
			strs_push(m->a, &all, val_get_str(v, w->name));
		strs_sort(&all);
	}
	/* Each name once: a decision's id may occur in several layers. */
	for (size_t i = 0; i < all.n; i++)
		if (!i || !str_eq(all.p[i], all.p[i - 1]))
			strs_push(m->a, &names, all.p[i]);
	TRY(fuzzy_rank(m->a, value, &names, 0, &hits));
	for (size_t i = 0; i < hits.n && i < SHOWN; i++)
		val_add(values, val_str(m->a, str_fmt(m->a, "%.*s%.*s", STR_ARG(w->before),
						      STR_ARG(names.p[hits.p[i].index]))));
	val_set(m->a, completion, "values", values);
	val_set(m->a, completion, "total", val_int(m->a, (int64_t)hits.n));
	val_set(m->a, completion, "hasMore", val_bool(m->a, hits.n > SHOWN));
	m->result = val_map(m->a);
	val_set(m->a, m->result, "completion", completion);
	return NULL;
}

static void server_completion(void *ctx, struct mcp_call *m)
{
	const struct val *ref = val_get(m->params, "ref"),
			 *argument = val_get(m->params, "argument");
	const struct val *given = val_get(argument, "value");
	struct str type = val_get_str(ref, "type"), name = val_get_str(argument, "name"), value;
	struct wanted w = {0};
	struct err *e;

	if (!given || given->type != VAL_STR ||
	    (!str_is(type, "ref/resource") && !str_is(type, "ref/prompt"))) {
		mcp_refuse(m, "completion/complete needs ref, a ref/prompt or ref/resource, and "
			      "argument, with name and value");
		return;
	}
	value = given->s;
	if (str_is(type, "ref/prompt")
		    ? !server_complete_prompt(m, val_get_str(ref, "name"), name, &value, &w)
		    : !server_complete_template(m, val_get_str(ref, "uri"), name, &w))
		return;
	e = server_complete_value(ctx, m, &w, value);
	if (e && err_code(e) == CODE_INVALID_INPUT)
		mcp_refuse(m, "%s", err_message(e));
	else if (e)
		mcp_answer_server_error(m, e);
}

static const struct mcp_method methods[] = {
	{"tools/list", server_tools_list, .list = true, .cached = true},
	{"tools/call", server_tools_call},
	{"resources/list", server_resources_list, .list = true, .cached = true},
	{"resources/templates/list", server_resources_templates, .list = true, .cached = true},
	{"resources/read", server_resources_read, .cached = true},
	{"prompts/list", server_prompts_list, .list = true, .cached = true},
	{"prompts/get", server_prompts_get},
	{"completion/complete", server_completion},
	{0},
};

/*
 * The instructions for an agent. A line is left out when the server does not offer its tool. Each
 * gets its full stop, with how to call a tool that is not listed.
 */
static const struct {
	const char *tool, *text;
} guidance[] = {
	{"file_read",
	 "The same tools work on files of the project and on stored assets (ikigai:/// URIs)"},
	{"tool_call", "tool_list names more tools; tool_call calls those that only read"},
	{"tool_change", "tool_change calls the others"},
	{"knowledge_query",
	 "Ask knowledge_query before you decide on a dependency or a design: the "
	 "project's decisions bind"},
	{"knowledge_for", "Before you change files, ask knowledge_for what binds them, and "
			  "knowledge_why for the reasons"},
	{"knowledge_check", "Run knowledge_check before you commit"},
	{"memory_search", "memory_search finds memories of earlier conversations"},
	{"memory_add", "Store lasting facts with memory_add"},
};

static const char *server_instructions(struct arena *a, const struct server_offer *offer)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < ARRAY_SIZE(guidance); i++) {
		struct str tool = str_of(guidance[i].tool);
		const struct cmd *cmd = cmd_find_tool(tool);
		bool reached = cmd && server_relay_may_call(offer, cmd);

		if (reached || (cmd ? server_lists_cmd(offer, cmd)
				    : server_relay_tool_named(offer, tool) != NULL))
			buf_fmt(&b, "%s%s%s.", b.n ? " " : "", guidance[i].text,
				reached ? " (both by tool_call)" : "");
	}
	buf_puts(&b, server_pinned_asset_instructions(offer, a));
	return buf_as_cstr(&b);
}

/*
 * Hosts start servers in any folder. The paths that a client sends are relative to its project: the
 * first of its folders that is open, which becomes the first of the roots.
 */
static bool server_enter(struct client *client, struct arena *a, bool refused)
{
	const struct strs roots = client->roots;
	const char *real;

	for (size_t i = 0; i < roots.n; i++) {
		if (!str_starts(roots.p[i], STR("/")) ||
		    (!refused && roots_refusal_reason(a, roots.p[i], &real)) ||
		    chdir(str_c(a, roots.p[i])))
			continue;
		client->roots = (struct strs){0};
		strs_push(a, &client->roots, roots.p[i]);
		for (size_t k = 0; k < roots.n; k++)
			if (k != i)
				strs_push(a, &client->roots, roots.p[k]);
		return true;
	}
	return false;
}

struct err *server_call_begin(const struct server_offer *offer, const struct mcp_call *m,
			      struct db *store, struct server_call *call)
{
	struct call *c = &call->c;

	if (offer->store && !store)
		db_close(offer->store);
	*call = (struct server_call){
		.c = {.a = m->a,
		      .face = FACE_CALL,
		      .json = true,
		      .out = out_new_in_memory(m->a),
		      .err = out_new(m->a, STDERR_FILENO, OUT_COLOR_NEVER),
		      .client = &call->client},
		.client = {.has_roots = m->roots_told,
			   .roots = m->roots,
			   .store = store,
			   .queries = offer->queries,
			   .session = offer->session,
			   .name = m->client,
			   .offers = server_has_tool,
			   .reaches = server_meta_tool_at(offer, 0) ? server_relay_may_call : NULL,
			   .offer = offer},
	};
	app_settings_from_options(c, offer->common);
	if (m->roots_told && !server_enter(&call->client, m->a, false))
		(void)server_enter(&call->client, m->a, true);
	return os_cwd(m->a, &c->cwd);
}

struct err *server_run_command(const struct server_offer *offer, const struct mcp_call *m,
			       const char *name, struct val *input, struct val **out)
{
	const struct cmd *cmd = cmd_find(str_of(name));
	struct server_call call;

	/* The server lists everything: set the limit to its maximum. */
	for (const struct param *p = cmd->params; p && p->name; p++)
		if (!strcmp(p->name, "limit"))
			val_set(m->a, input, "limit", val_int(m->a, p->max));
	TRY(server_call_begin(offer, m, NULL, &call));
	return app_run_json(&call.c, offer->common, cmd, input, out);
}

struct err *server_run(struct call *c, const struct cmd_common *common, struct cmd_bits toolsets,
		       bool read_only, bool structured)
{
	const char *home = os_ikigai_home(c->a);
	struct session_cache cache = {0};
	struct server_offer offer = {
		.common = common,
		.sets = toolsets,
		.read_only = read_only,
		.structured = structured,
		.cache = &cache,
		.queries = request_result_cache_new(c->a),
		.store = home ? db_new(c->a, os_join(c->a, home, "ikm.db")) : NULL,
		/* Unique on all machines: the store has it, and a store may be synchronized. */
		.session = str_fmt(c->a, "mcp_%.*s", STR_ARG(ulid_new(c->a, os_now(), STR(""))))};
	struct str session;
	struct mcp_server server = {
		.name = "ikm",
		.version = IKM_VERSION,
		.instructions = server_instructions(c->a, &offer),
		.methods = methods,
		.work = server_work_kind,
		.roots = !common->root.n,
		.ctx = &offer,
	};

	host_running(&session);
	if (session.n && session.n <= 256 && str_is_text(session))
		offer.session = session;
	if (isatty(STDIN_FILENO))
		out_puts(c->err, "ikm: waits for a client's JSON-RPC on standard input; see 'man 7 "
				 "ikm-mcp' for how to configure a host\n");
	TRY(out_flush(c->err));
	return mcp_serve(STDIN_FILENO, STDOUT_FILENO, &server);
}
