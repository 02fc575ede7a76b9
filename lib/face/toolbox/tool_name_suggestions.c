/* Names of tools: all names, the most similar name, and the names for the shell's completion. */
#include "all_tools.h"

struct strs tools_names(const struct call *c, const struct tool_settings *set,
			const struct tools *programs)
{
	struct strs names = {0};

	for (size_t i = 0; cmd_table[i]; i++)
		if (tools_offers(c, set, cmd_table[i]))
			strs_push(c->a, &names, str_of(cmd_table[i]->tool));
	for (size_t i = 0; i < programs->n; i++)
		if (tools_client_may_call(c, NULL, &programs->p[i]))
			strs_push(c->a, &names, programs->p[i].name);
	strs_sort(&names);
	return names;
}

/* The programs whose schema is cached; no program is started. */
static struct err *tools_remembered(struct call *c, struct tool_settings *set,
				    struct tools *programs)
{
	TRY(tools_settings(c, set));
	set->remembered = true;
	return tools_programs(c, set, (struct str){0}, programs);
}

/* ---- the most similar name ---- */

static struct strs tools_known_names(struct call *c)
{
	struct tool_settings set;
	struct tools programs;

	if (tools_remembered(c, &set, &programs))
		return (struct strs){0};
	return tools_names(c, &set, &programs);
}

void tools_report_not_found(struct call *c, const struct tool_picked *p, struct tool_outcome *out)
{
	struct strs names = tools_known_names(c);

	tool_not_found(c->a, &p->tools, p->name, &names, out);
}

/* Whether tools.external would offer a program of this name. */
static bool tools_is_external(struct call *c, const struct tool_picked *p)
{
	struct tool_settings set = p->set;
	struct tools programs;

	set.external = set.remembered = true;
	if (p->set.external || !p->name.n || tools_programs(c, &set, p->name, &programs))
		return false;
	for (size_t i = 0; i < programs.skipped.n; i++)
		if (str_eq(programs.skipped.p[i].name, p->name))
			return true;
	return tools_get(&programs, p->name);
}

struct err *tools_no_such_tool(struct call *c, const struct tool_picked *p)
{
	struct strs names = tools_known_names(c);
	struct str words = str_dup(c->a, p->name);
	const struct cmd *cmd;
	struct tool_outcome o;
	struct err *e;

	tool_not_found(c->a, &p->tools, p->name, &names, &o);
	e = tool_outcome_as_error(c->a, &o);
	err_add_detail(e, "requestedTool", str_utf8(c->a, p->name));
	for (size_t i = 0; i < words.n; i++)
		if (words.p[i] == '_')
			((char *)words.p)[i] = ' ';
	cmd = cmd_find(words);
	if (cmd && cmd->tool && strs_has(&names, str_of(cmd->tool)))
		err_help(e, "the tool of 'ikm %s' is %s", cmd->name, cmd->tool);
	if (c->face != FACE_ARGV && tools_is_external(c, p))
		err_help(e,
			 "to offer the user's programs here, a person must set tools.external to "
			 "true in ~/.ikigai/config.json");
	return err_detail_list(e, "tools", &names);
}

/* ---- completion ---- */

struct err *tools_complete(struct call *c, struct str typed)
{
	struct tool_settings set;
	struct tools programs;
	struct strs names;

	TRY(tools_remembered(c, &set, &programs));
	names = tools_names(c, &set, &programs);
	for (size_t i = 0; i < names.n; i++) {
		const struct tool *program = tools_get(&programs, names.p[i]);

		cmd_candidate(c->out, typed, names.p[i],
			      program ? program->description
				      : str_of(cmd_find_tool(names.p[i])->summary));
	}
	return NULL;
}
