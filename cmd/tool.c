/* tool list, tool refresh: the available tools: ikm's own, and programs (requirement: external
 * tools, "Tool Discovery"). */
#include "reply/plain_for_model.h"
#include "toolbox/all_tools.h"
#include "app/client_info.h"

struct list_args {
	struct str name;
};

#define LIST_ARG(member, ...) PARAM_OF(struct list_args, member, __VA_ARGS__)
static const struct param list_params[] = {
	LIST_ARG(name, .flags = ARG, .complete = tools_complete, .min = 1, .max = 512,
		 .help = "only this tool; several with commas: a,b"),
	{0},
};

struct listed {
	struct str name, description;
	struct strs needs;
	const struct val *parameters;
	const char *path;
	bool late;
};

static const struct field listed[] = {
	FIELD_OF(struct listed, name, "the tool's name"),
	FIELD_OF(struct listed, description, "its purpose"),
	FIELD_OF(struct listed, needs, "the parameters that it cannot do without", .flags = IF_ANY),
	FIELD_OF(struct listed, path, "the program; a tool of ikm has none", .flags = OPTIONAL),
	FIELD_OF(struct listed, late, "true: it did not answer in time; a call asks it again",
		 .flags = IF_ANY),
	FIELD_TREE(struct listed, parameters, "parameters", F_OBJ, NULL,
		   "JSON Schema of its parameters, if it was named", .flags = OPTIONAL),
	{0},
};

static const struct field skipped[] = {
	FIELD_OF(struct tool_skipped, path, "the program"),
	FIELD_AS(struct tool_skipped, why, "reason", "why it is not a tool"),
	{0},
};

struct list_result {
	struct VEC(struct listed) tools;
	struct VEC(struct tool_skipped) skipped;
};

static const struct field list_result[] = {
	FIELD_RECORDS(struct list_result, tools, "tools", listed, "every tool, by name"),
	FIELD_RECORDS(struct list_result, skipped, "skipped", skipped,
		      "programs that could not be used as tools", .flags = IF_ANY),
	{0},
};

/* A model that reaches tools through another one already knows those that are listed. */
static bool tool_cmd_is_other(const struct call *c, const struct cmd *own)
{
	return !c->client || !c->client->reaches ||
	       (own && !(own->traits & TOOL_SYNONYM) && c->client->reaches(c->client->offer, own));
}

/* The tool of this name, and its parameters. */
static struct err *tool_cmd_list_one(struct call *c, struct str name, struct list_result *r)
{
	struct tool_picked p;
	struct tool t;

	TRY(tools_pick_by_name(c, name, &p));
	if (!p.own && !p.program)
		return tools_no_such_tool(c, &p);
	t = p.own ? tools_cmd_as_tool(c->a, p.own) : *p.program;
	if (p.own && c->client)
		t.input = cmd_schema(c->a, p.own, SCHEMA_SHORT);
	*VEC_PUSH(c->a, &r->tools) = (struct listed){.name = t.name,
						     .description = t.description,
						     .parameters = t.input,
						     .path = t.path,
						     .late = t.late};
	return NULL;
}

/* Sorts all tools by name. The table is sorted by command, and programs come in between. */
static struct err *tool_cmd_list_run(struct call *c, const void *args, void *out)
{
	struct list_result *r = out;
	struct tool_settings set;
	struct tools tools;
	struct str asked = args ? ((const struct list_args *)args)->name : (struct str){0}, name;
	struct strs names;

	if (asked.p) {
		while (str_next_part(&asked, ',', &name))
			TRY(tool_cmd_list_one(c, str_trim(name), r));
		return NULL;
	}
	TRY(tools_settings(c, &set));
	TRY(tools_programs(c, &set, (struct str){0}, &tools));
	tools_warn(c, &tools);
	names = tools_names(c, &set, &tools);
	for (size_t i = 0; i < names.n; i++) {
		const struct tool *program = tools_get(&tools, names.p[i]);

		const struct cmd *own = program ? NULL : cmd_find_tool(names.p[i]);
		struct listed *one;

		if (!tool_cmd_is_other(c, own))
			continue;
		one = VEC_PUSH(c->a, &r->tools);
		one->name = names.p[i];
		if (program) {
			one->description = program->description;
			one->path = program->path;
			one->late = program->late;
		} else {
			one->description = c->client && c->client->reaches
						   ? str_of(own->summary)
						   : cmd_description(c->a, own);
			for (const struct param *p = own->params; p && p->name; p++)
				if (p->flags & REQUIRED && !(p->flags & (CLI_ONLY | HIDDEN)))
					strs_push(c->a, &one->needs, str_of(p->name));
		}
	}
	for (size_t i = 0; i < tools.skipped.n; i++)
		if (!tools.skipped.p[i].quiet)
			*VEC_PUSH(c->a, &r->skipped) = tools.skipped.p[i];
	return NULL;
}

static const struct plain tool_cmd_plain = {
	.template =
		"{/tools:{name}{?needs:({needs})}: {description}\n{?^parameters:arguments: {parameters}\n}}",
};

const struct cmd cmd_tool_list = {
	.name = "tool list",
	.tool = "tool_list",
	.toolset = SET_TOOLS,
	.traits = TOOL_READS | TOOL_CORE,
	.summary = "list the tools",
	.description = "List further tools: undo, patches, garden, assets, pins, "
		       "decisions. With name (a, or a,b): their parameters.",
	CMD_PARAMS(struct list_args, list_params),
	CMD_RESULT(struct list_result, list_result),
	.run = tool_cmd_list_run,
	.template = "{=tools:{;tool:{*name}}\n{;description%20e:{description%2w}}}",
	.plain = &tool_cmd_plain,
};

/* ---- tool refresh ---- */

struct refresh_result {
	size_t available;
	struct str message;
};

static const struct field refresh_result[] = {
	FIELD_OF(struct refresh_result, available, "the number of tools now"),
	FIELD_OF(struct refresh_result, message, "the same as a sentence"),
	{0},
};

static struct err *tool_refresh_run(struct call *c, const void *args, void *out)
{
	struct refresh_result *r = out;
	struct list_result all = {0};

	TRY(tools_forget_schemas(c));
	(void)args;
	TRY(tool_cmd_list_run(c, NULL, &all));
	r->available = all.tools.n;
	r->message = str_fmt(c->a, "Tools refreshed. %zu tool%s available.", r->available,
			     PLURAL(r->available));
	return NULL;
}

const struct cmd cmd_tool_refresh = {
	.name = "tool refresh",
	.summary = "read the schemas of all programs again",
	.expose = EXPOSE_PERSON,
	CMD_RESULT(struct refresh_result, refresh_result),
	.run = tool_refresh_run,
	.template = "{message%b}\n",
};
