/* Starts the server, and makes calls for its client. */
#include "base/build.h"
#include "server.h"
#include "internal.h"
#include "event/ulid.h"
#include "host/host.h"
#include "request/request.h"
#include <unistd.h>

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

/* The instructions for an agent. A line is left out when the server does not offer its tool. */
static const struct {
	const char *tool, *text;
} guidance[] = {
	{"file_read",
	 "The same tools work on files of the project and on stored assets (ikigai:/// URIs)."},
	{"tool_call", "tool_list names more tools; tool_call calls those that only read."},
	{"tool_change", "tool_change calls the others."},
	{"knowledge_query",
	 "Ask knowledge_query before you decide on a dependency or a design: the "
	 "project's decisions bind."},
	{"knowledge_check", "Run knowledge_check before you commit."},
	{"memory_search", "memory_search finds memories of earlier conversations."},
	{"memory_add", "Store lasting facts with memory_add."},
};

static bool server_guides(const struct server_offer *offer, struct str tool)
{
	const struct cmd *cmd = cmd_find_tool(tool);

	return cmd ? server_lists_cmd(offer, cmd) : server_reach_named(offer, tool) != NULL;
}

static const char *server_instructions(struct arena *a, const struct server_offer *offer)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < ARRAY_SIZE(guidance); i++)
		if (server_guides(offer, str_of(guidance[i].tool)))
			buf_fmt(&b, "%s%s", b.n ? " " : "", guidance[i].text);
	buf_puts(&b, server_pins_instructions(offer, a));
	return buf_c(&b);
}

struct err *server_begin(const struct server_offer *offer, const struct mcp_call *m,
			 struct server_call *call)
{
	struct call *c = &call->c;

	*call = (struct server_call){
		.c = {.a = m->a,
		      .face = FACE_CALL,
		      .json = true,
		      .out = out_memory(m->a),
		      .err = out_new(m->a, STDERR_FILENO, OUT_COLOR_NEVER),
		      .client = &call->client},
		.client = {.has_roots = m->roots_told,
			   .roots = m->roots,
			   .queries = offer->queries,
			   .session = offer->session,
			   .name = m->client,
			   .offers = server_has_tool,
			   .reaches = server_reach_cmd(offer, 0) ? server_reaches : NULL,
			   .offer = offer},
	};
	app_settings(c, offer->common);
	/* Hosts start servers in any folder. The paths that a client sends are relative to its
	 * project. */
	for (size_t i = 0; m->roots_told && i < m->roots.n; i++)
		if (str_starts(m->roots.p[i], STR("/")) && !chdir(str_c(m->a, m->roots.p[i])))
			break;
	return os_cwd(m->a, &c->cwd);
}

struct err *server_query(const struct server_offer *offer, const struct mcp_call *m,
			 const char *name, struct val *input, struct val **out)
{
	const struct cmd *cmd = cmd_find(str_of(name));
	struct server_call call;

	/* The server lists everything: set the limit to its maximum. */
	for (const struct param *p = cmd->params; p && p->name; p++)
		if (!strcmp(p->name, "limit"))
			val_set(m->a, input, "limit", val_int(m->a, p->max));
	TRY(server_begin(offer, m, &call));
	return app_run_json(&call.c, offer->common, cmd, input, out);
}

struct err *server_run(struct call *c, const struct cmd_common *common, struct cmd_bits toolsets,
		       bool read_only, bool structured)
{
	struct session_cache cache = {0};
	struct server_offer offer = {
		.common = common,
		.sets = toolsets,
		.read_only = read_only,
		.structured = structured,
		.cache = &cache,
		.queries = request_cache_new(c->a),
		/* Unique on all machines: the store has it, and a store may be synchronized. */
		.session = str_fmt(c->a, "mcp_%.*s", STR_ARG(ulid_new(c->a, os_now(), STR(""))))};
	struct str session;
	struct mcp_server server = {
		.name = "ikm",
		.version = IKM_VERSION,
		.instructions = server_instructions(c->a, &offer),
		.methods = methods,
		.work = server_work_of,
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
