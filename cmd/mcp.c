/* mcp: the server's command line. */
#include "mcp.h"
#include <unistd.h>

struct args {
	struct cmd_bits toolset;
	bool readOnly;
};

static const char *const toolsets[] = CMD_TOOLSETS;

static const struct param params[] = {
	PARAM(toolset, .letter = 't', .choices = toolsets,
	      .help = "offer all tools of this set; may be repeated; without it a few of each"),
	PARAM(readOnly, .help = "offer only tools that change nothing"),
	{0},
};

static const struct mcp_method methods[] = {
	{"tools/list", mcp_tools_list, .list = true, .cached = true},
	{"tools/call", mcp_tools_call},
	{"resources/list", mcp_resources_list, .list = true, .cached = true},
	{"resources/templates/list", mcp_resources_templates, .list = true, .cached = true},
	{"resources/read", mcp_resources_read, .cached = true},
	{"prompts/list", mcp_prompts_list, .list = true, .cached = true},
	{"prompts/get", mcp_prompts_get},
	{"completion/complete", mcp_completion},
	{0},
};

/* What an agent is told at first, as far as it has the tools. */
static const struct {
	const struct cmd *cmd;
	const char *text;
} guidance[] = {
	{&cmd_read,
	 "The same tools take files of the project and stored assets (ikigai:/// URIs)."},
	{&cmd_know_query, "Ask knowledge_query before you decide on a dependency or a design: the "
			  "project's decisions bind."},
	{&cmd_check, "Run knowledge_check before you commit."},
	{&cmd_mem_search, "memory_search finds what earlier conversations left."},
	{&cmd_mem_add, "What should outlive this one goes to memory_add."},
};

static const char *instructions(struct arena *a, const struct mcp_offer *offer)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < ARRAY_SIZE(guidance); i++)
		if (mcp_offers(offer, guidance[i].cmd))
			buf_fmt(&b, "%s%s", b.n ? " " : "", guidance[i].text);
	return buf_c(&b);
}

struct err *mcp_begin(const struct mcp_offer *offer, const struct mcp_call *m, struct call *c)
{
	*c = (struct call){
		.a = m->a,
		.face = FACE_CALL,
		.json = true,
		.out = out_memory(m->a),
		.err = out_new(m->a, STDERR_FILENO, OUT_COLOR_NEVER),
		.client_told = m->roots_told,
		.client_roots = m->roots,
		.offers = mcp_call_offers,
		.offer = offer,
	};
	app_settings(c, &offer->app->common);
	/* Hosts start servers anywhere; what a client calls "src/a.c" is in its project. */
	if (m->roots_told && m->roots.n)
		(void)!chdir(str_c(m->a, m->roots.p[0]));
	return os_cwd(m->a, &c->cwd);
}

struct err *mcp_ask(const struct mcp_offer *offer, const struct mcp_call *m, const struct cmd *cmd,
		    struct val *input, struct val **out)
{
	struct call c;

	/* What is listed here is listed as a whole. */
	for (const struct param *p = cmd->params; p && p->name; p++)
		if (!strcmp(p->name, "limit"))
			val_set(m->a, input, "limit", val_int(m->a, p->max));
	TRY(mcp_begin(offer, m, &c));
	return mcp_own(offer, &c, cmd, input, out);
}

static bool offers_any(const struct mcp_offer *o)
{
	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_table[i]->tool && mcp_offers(o, cmd_table[i]))
			return true;
	return false;
}

/* An empty list would not tell why. */
static struct err *warn_of_empty_sets(struct app *app, const struct mcp_offer *offer)
{
	struct out *err = app->call.err;

	for (size_t set = 0; offer->sets.given && toolsets[set]; set++) {
		const struct mcp_offer one = {.sets = {.given = true, .bits = 1u << set},
					      .read_only = offer->read_only};

		if (offer->sets.bits & 1u << set && !offers_any(&one))
			out_fmt(err, "ikm: the toolset %s has no tools%s\n", toolsets[set],
				offer->read_only ? " that change nothing" : " in this version");
	}
	if (isatty(STDIN_FILENO))
		out_puts(err, "ikm: waits for a client's JSON-RPC on standard input; "
			      "'man 7 ikm-mcp' says how hosts are told of it\n");
	return out_flush(err);
}

struct err *mcp_face(struct app *app, const void *p)
{
	const struct args *args = p;
	struct ground ground = {0};
	struct mcp_offer offer = {
		.app = app, .sets = args->toolset, .read_only = args->readOnly, .ground = &ground};
	struct mcp_server server = {
		.name = "ikm",
		.version = IKM_VERSION,
		.instructions = instructions(app->call.a, &offer),
		.methods = methods,
		.work = mcp_work_of,
		.roots = !app->common.root.n,
		.ctx = &offer,
	};

	TRY(warn_of_empty_sets(app, &offer));
	return mcp_serve(STDIN_FILENO, STDOUT_FILENO, &server);
}

/* The face does it: a server is no operation. */
static struct err *mcp_cmd_run(struct call *c, const void *args, struct val **result)
{
	(void)c;
	(void)args;
	(void)result;
	BUG("mcp has no result of its own");
}

const struct cmd cmd_mcp = {
	.name = "mcp",
	.summary = "serve tools to agents over the Model Context Protocol",
	.expose = EXPOSE_PERSON,
	.args_size = sizeof(struct args),
	.params = params,
	.run = mcp_cmd_run,
};
