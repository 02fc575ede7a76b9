/* Starts the server, makes calls for its client, and gives it prompts and completions. */
#include "server.h"
#include "assets/asset_common.h"
#include "base/build.h"
#include "event/ulid.h"
#include "fuzzy/fuzzy.h"
#include "host/host.h"
#include "internal.h"
#include "reply/prompts.h"
#include "request/request.h"
#include <unistd.h>

#define SHOWN 100 /* the protocol's limit */
#define MISSING                                                                                      \
	"The stored asset %s does not exist: %s.\n\n"                                                \
	"Find the intended asset with fs_list on ikigai:///, or ask the user. Then make that asset " \
	"smaller."

/* ---- prompts: one explains when to use stored assets or files, one makes an asset smaller ---- */

static const struct {
	const char *name, *description, *argument;
} prompts[] = {
	{"assets", "when to use stored assets or files, and how the budget works", NULL},
	{"pinned", "the text of your pinned assets", NULL},
	{"compact", "shorten a stored asset without losing anything important", "asset"},
};

/* The index of the prompt, or the number of prompts. */
static size_t server_prompts_find(struct str name)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(prompts) && !str_is(name, prompts[i].name))
		i++;
	return i;
}

/* Whether this prompt exists. *argument is the name of its argument, or NULL. */
static bool server_prompt_argument(struct str name, const char **argument)
{
	size_t i = server_prompts_find(name);

	*argument = i < ARRAY_SIZE(prompts) ? prompts[i].argument : NULL;
	return i < ARRAY_SIZE(prompts);
}

static void server_prompts_list(void *ctx, struct mcp_call *m)
{
	struct val *list = val_list(m->a);

	(void)ctx;
	for (size_t i = 0; i < ARRAY_SIZE(prompts); i++) {
		struct val *v = val_add(list, val_map(m->a)), *arguments, *one;

		val_set(m->a, v, "name", val_str(m->a, str_of(prompts[i].name)));
		val_set(m->a, v, "description", val_str(m->a, str_of(prompts[i].description)));
		if (!prompts[i].argument)
			continue;
		arguments = val_set(m->a, v, "arguments", val_list(m->a));
		one = val_add(arguments, val_map(m->a));
		val_set(m->a, one, "name", val_str(m->a, str_of(prompts[i].argument)));
		val_set(m->a, one, "description",
			val_str(m->a, STR("its path, such as blocks/decisions.md")));
		val_set(m->a, one, "required", val_bool(m->a, true));
	}
	m->result = val_map(m->a);
	val_set(m->a, m->result, "prompts", list);
}

static struct err *server_prompts_text(const struct server_offer *o, struct mcp_call *m,
				       bool compact, bool pinned, struct str *out)
{
	struct str asset = val_get_str(val_get(m->params, "arguments"), "asset"), path;
	struct files *f;
	struct err *e;
	struct server_call call;
	struct pins pins;

	*out = STR(GUIDANCE);
	if (pinned) {
		TRY(server_pinned_assets(o, m, &pins));
		*out = server_pinned_assets_text(m->a, &pins);
	}
	if (!compact)
		return NULL;
	TRY(server_call_begin(o, m, NULL, &call));
	call.c.cmd = cmd_find(STR("asset show"));
	TRY(app_load_conf(&call.c));
	e = asset_open_store(&call.c, asset, &f, &path);
	/* A model can correct a mistyped name; an error would only end the prompt. */
	if (e && err_reason(e) == E_NO_SUCH_ASSET) {
		path = str_starts(asset, STR("ikigai:"))
			       ? asset
			       : str_fmt(m->a, "ikigai:///%.*s", STR_ARG(asset));
		*out = str_fmt(m->a, MISSING, str_c(m->a, path), err_message(e));
		return NULL;
	}
	TRY(e);
	*out = str_fmt(m->a, COMPACT_PROMPT,
		       str_fmt(m->a, "the stored asset %s", asset_uri(m->a, path).p).p);
	return NULL;
}

static void server_prompts_get(void *ctx, struct mcp_call *m)
{
	struct str name = val_get_str(m->params, "name"), text;
	struct val *messages = val_list(m->a), *one, *content;
	size_t i = server_prompts_find(name);
	const char *takes;
	struct err *e;

	if (i == ARRAY_SIZE(prompts)) {
		mcp_refuse(m, "unknown prompt '%.*s'; prompts/list names all prompts",
			   STR_ARG(name));
		return;
	}
	takes = prompts[i].argument;
	if (takes && !val_get_str(val_get(m->params, "arguments"), takes).n) {
		mcp_refuse(m, "the prompt '%.*s' needs the argument %s, a string", STR_ARG(name),
			   takes);
		return;
	}
	e = server_prompts_text(ctx, m, takes != NULL, !strcmp(prompts[i].name, "pinned"), &text);
	if (e) {
		mcp_refuse(m, "asset: %s", err_message(e));
		return;
	}
	one = val_add(messages, val_map(m->a));
	val_set(m->a, one, "role", val_str(m->a, STR("user")));
	content = val_set(m->a, one, "content", val_map(m->a));
	val_set(m->a, content, "type", val_str(m->a, STR("text")));
	val_set(m->a, content, "text", val_str(m->a, text));
	m->result = val_map(m->a);
	val_set(m->a, m->result, "description", val_str(m->a, str_of(prompts[i].description)));
	val_set(m->a, m->result, "messages", messages);
}

/* ---- completion ---- */

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
	struct arena *own ARENA_LOCAL = arena_new();
	struct mcp_call m = {.a = own};
	struct buf b = buf_in(a);
	struct pins pins;

	for (size_t i = 0; i < ARRAY_SIZE(guidance); i++) {
		struct str tool = str_of(guidance[i].tool);
		const struct cmd *cmd = cmd_find_tool(tool);
		bool reached = cmd && server_relay_may_call(offer, cmd);

		if (reached || (cmd ? server_lists_cmd(offer, cmd)
				    : server_relay_tool_named(offer, tool) != NULL))
			buf_fmt(&b, "%s%s%s.", b.n ? " " : "", guidance[i].text,
				reached ? " (both by tool_call)" : "");
	}
	/* A broken store is reported by each call that uses it. */
	if (!server_pinned_assets(offer, &m, &pins) && pins.n)
		buf_fmt(&b, "\n\nPinned assets, from " MCP_PINS ":\n%.*s",
			STR_ARG(server_pinned_assets_text(own, &pins)));
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
