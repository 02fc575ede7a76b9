/* tools/list and tools/call, over the command table and the user's programs. */
#include "internal.h"
#include "app/print_warnings.h"
#include "app/audit_params.h"
#include "exchange/connect_sync_server.h"
#include "reply/result_fit.h"
#include "toolbox/all_tools.h"
#include "json/json.h"
#include "server/internal.h"

#define NAME "maxTokens"

/* Adds the parameter to the schema of a tool whose answers are often long. */
static void server_limit_schema(struct arena *a, const struct cmd *cmd, struct val *input)
{
	struct val *properties = val_get(input, "properties"), *p;

	if (!(cmd->traits & TOOL_LONG) || !properties)
		return;
	p = val_set(a, properties, NAME, val_map(a));
	val_set(a, p, "type", val_str(a, STR("integer")));
	val_set(a, p, "minimum", val_int(a, FIT_LEAST));
	val_set(a, p, "maximum", val_int(a, FIT_MOST));
	val_set(a, p, "description", val_str(a, STR("limit of the answer")));
}

/* Removes the member behind `last`; NULL: the first one. */
static void server_remove_behind(struct val *list, struct val *last)
{
	struct val *gone = last ? last->next : list->first;

	*(last ? &last->next : &list->first) = gone->next;
	if (list->last == gone)
		list->last = last;
	list->n--;
}

/* Takes the parameter off the input of ikm's own tools. BAD_ARGUMENT when it is out of range. */
static struct err *server_limit_take(struct val *input, struct fit *fit)
{
	const struct val *v = val_get(input, NAME);
	struct val *last = NULL;
	int64_t n;

	if (!v)
		return NULL;
	/* Hosts send null for what the model left out, and numbers as texts. */
	if (v->type != VAL_NULL) {
		if ((v->type != VAL_NUM && v->type != VAL_STR) || !str_int(v->s, &n) ||
		    n < FIT_LEAST || n > FIT_MOST)
			return err_for_param(E_BAD_ARGUMENT, STR(NAME),
					     NAME " must be a whole number from %d to %d",
					     FIT_LEAST, FIT_MOST);
		fit->tokens = (size_t)n;
	}
	for (struct val *m = input->first; m != v; m = m->next)
		last = m;
	server_remove_behind(input, last);
	return NULL;
}

static bool server_has_listed(const struct server_offer *o, const struct cmd *cmd)
{
	bool in = o->sets.given ? o->sets.bits & cmd_toolsets_of(cmd) : cmd->traits & TOOL_CORE;

	return in && (!o->read_only || cmd->traits & TOOL_READS);
}

bool server_lists_cmd(const struct server_offer *o, const struct cmd *cmd)
{
	return server_has_listed(o, cmd) && !(cmd->traits & TOOL_SYNONYM);
}

/* Whether the server offers this row, by its own name or through another. A setting may still
 * switch it off. */
static bool server_has_cmd(const struct server_offer *o, const struct cmd *cmd)
{
	return server_has_listed(o, cmd) || server_relay_may_call(o, cmd);
}

/* A read-only server offers only programs that say of themselves that they only read. A program
 * that replaces one of ikm's tools belongs to the toolset of that tool. */
static bool server_has_program(const struct server_offer *o, const struct tool *t)
{
	const struct cmd *own = t->overrides ? cmd_find_tool(t->name) : NULL;

	if (o->read_only && !(t->traits & TOOL_READS))
		return false;
	return own ? server_lists_cmd(o, own) : !o->sets.given || o->sets.bits & 1u << SET_TOOLS;
}

bool server_has_tool(const void *offer, const struct cmd *own, const struct tool *program)
{
	return own ? server_has_cmd(offer, own) : server_has_program(offer, program);
}

enum mcp_work server_work_kind(void *ctx, struct str method, const struct val *params)
{
	struct str name = val_get_str(params, "name");
	const struct cmd *own;

	if (!str_is(method, "tools/call"))
		return MCP_READS;
	if (server_relay_tool_named(ctx, name))
		name = val_get_str(val_get(params, "arguments"), "name");
	/* The server reads no settings, so it does not know programs that replace ikm's tools. */
	own = cmd_find_tool(name);
	if (!own || own->traits & TOOL_OPEN)
		return MCP_RUNS;
	return own->traits & TOOL_READS ? MCP_READS : MCP_WRITES;
}

/* ---- the list ---- */

/* Leaves out the choices that a call would refuse with these settings. */
static void server_tools_choices(const struct conf *conf, const struct cmd *cmd, struct val *input)
{
	for (const struct param *p = cmd->params; p && p->name; p++) {
		struct val *v = val_get(val_get(input, "properties"), p->name), *list, *last = NULL;
		size_t i = 0;

		if (!p->offers || !v)
			continue;
		list = val_get(val_get(v, "items") ? val_get(v, "items") : v, "enum");
		VAL_EACH(list, choice) {
			if (p->offers(conf, i++))
				last = choice;
			else
				server_remove_behind(list, last);
		}
	}
}

/* A word that is no choice at all, refused with the choices that the schema offers. The other
 * refusals of a parameter are the command's. */
static struct err *server_tools_words(struct arena *a, const struct conf *conf,
				      const struct cmd *cmd, const struct val *input)
{
	for (const struct param *p = cmd->params; p && p->name; p++) {
		const struct val *v = val_get(input, p->name);
		const char **offered;
		size_t n = 0, at = 0;

		if (!p->offers || !v || (v->type != VAL_STR && v->type != VAL_LIST))
			continue;
		while (p->choices[n])
			n++;
		offered = arena_array(a, n + 1, sizeof(*offered));
		for (size_t i = 0, kept = 0; i < n; i++)
			if (p->offers(conf, i))
				offered[kept++] = p->choices[i];
		for (const struct val *w = v->type == VAL_LIST ? v->first : v; w;
		     w = w->next, at++) {
			if (w->type == VAL_STR && record_choice_index(p->choices, w->s) < 0)
				return err_not_in_enum(a,
						       v->type == VAL_LIST
							       ? str_fmt(a, "%s[%zu]", p->name, at)
							       : str_of(p->name),
						       w->s, offered);
			if (w == v)
				break;
		}
	}
	return NULL;
}

static void server_tools_add(const struct server_offer *o, struct mcp_call *m, struct val *list,
			     const struct tool *t, const struct cmd *cmd)
{
	struct tool shown = *t;
	unsigned traits = cmd ? cmd->traits : t->traits;
	struct val *v, *hints;

	if (m->revision < MCP_2025_06_18 || !o->structured)
		shown.once = NULL;
	v = val_copy_shallow(m->a, tool_schema(m->a, &shown, TOOL_MCP, false));
	val_add(list, v);
	if (m->revision < MCP_2025_03_26)
		return;
	hints = val_set(m->a, v, "annotations", val_map(m->a));
	val_set(m->a, hints, "readOnlyHint", val_bool(m->a, traits & TOOL_READS));
	if (!(traits & TOOL_READS)) {
		val_set(m->a, hints, "destructiveHint", val_bool(m->a, !(traits & TOOL_ADDS)));
		val_set(m->a, hints, "idempotentHint", val_bool(m->a, traits & TOOL_IDEMPOTENT));
	}
	val_set(m->a, hints, "openWorldHint", val_bool(m->a, traits & TOOL_OPEN));
}

static struct err *server_tools_fill(const struct server_offer *o, struct mcp_call *m,
				     struct val *list)
{
	const struct conf_input in = {.no_user = true};
	struct tool_settings set;
	struct tools tools;
	struct server_call call;
	struct call *c = &call.c;
	const struct cmd *reach;
	struct err *e;

	TRY(server_call_begin(o, m, NULL, &call));
	e = tools_settings(c, &set);
	/* With broken settings the list holds the tools that need no setting. Each call reports the
	 * error. */
	if (e) {
		print_error_with_steps(c, c->a, e);
		set = (struct tool_settings){0};
		TRY(conf_load(c->a, &in, &set.conf));
	}
	TRY(tools_programs(c, &set, (struct str){0}, &tools));
	if (!m->unasked)
		tools_warn(c, &tools);
	for (size_t i = 0; cmd_table[i]; i++) {
		const struct cmd *cmd = cmd_table[i];
		struct tool own;

		if (!cmd->tool || !server_lists_cmd(o, cmd) || !tools_offers(c, &set, cmd))
			continue;
		own = tools_cmd_as_tool(m->a, cmd);
		own.input = cmd_schema(m->a, cmd, SCHEMA_SHORT);
		server_limit_schema(m->a, cmd, own.input);
		server_tools_choices(set.conf, cmd, own.input);
		server_tools_add(o, m, list, &own, cmd);
	}
	for (size_t i = 0; (reach = server_meta_tool_at(o, i)); i++) {
		struct tool own = tools_cmd_as_tool(m->a, reach);

		own.input = cmd_schema(m->a, reach, SCHEMA_SHORT);
		server_tools_add(o, m, list, &own, reach);
	}
	for (size_t i = 0; i < tools.n; i++)
		if (server_has_program(o, &tools.p[i]))
			server_tools_add(o, m, list, &tools.p[i], NULL);
	return out_flush(c->err);
}

void server_tools_list(void *ctx, struct mcp_call *m)
{
	struct val *list = val_list(m->a);
	struct err *e = server_tools_fill(ctx, m, list);

	if (e) {
		mcp_answer_server_error(m, e);
		return;
	}
	m->result = val_map(m->a);
	val_set(m->a, m->result, "tools", list);
}

/* ---- a call ---- */

/* A model reads the text alone, so it has the code and the end of standard error too. */
static struct err *server_tools_failed(struct arena *a, const struct tool_outcome *o)
{
	struct err *e = tool_outcome_as_error(a, o);
	struct str said = str_trim(o->err);

	if (!e)
		return NULL;
	e = err_add_context(e, "%s", tool_error_code_name(o->code));
	if (said.n > 500)
		said = str_sub(said, said.n - 500, said.n);
	return said.n ? err_help(e, "its standard error ends: %s", str_c(a, str_utf8(a, said))) : e;
}

static struct err *server_tools_run(const struct server_offer *o, struct mcp_call *m,
				    struct server_call *call, struct str name, struct val *input,
				    struct server_answer *an, struct fit *fit, struct val **out)
{
	const struct cmd *cmd = cmd_find_tool(name);
	struct tool_outcome outcome;
	struct tool_picked p;
	struct call *c = &call->c;
	bool reads, memories;

	an->structured = o->structured;
	/* A worker that writes makes only one call, so it keeps nothing. Other tools open files. */
	reads = cmd && cmd->traits & TOOL_READS;
	memories = reads && cmd->toolset == SET_MEMORY && !(cmd->need & NEED_ROOTS);
	TRY(server_call_begin(o, m, memories ? o->store : NULL, call));
	if (reads && session_cache_suffices(cmd))
		call->client.cache = session_cache_refresh(o->cache, c, o->common, m->since);
	TRY(tools_pick_by_name(c, name, &p));
	*fit = fit_from_settings(m->a, p.set.conf);
	call->client.fit = fit;
	an->cmd = p.own;
	an->schema = p.program ? p.program->input : NULL;
	if (!p.own && !p.program) {
		const char *why = err_message(tools_no_such_tool(c, &p));

		mcp_refuse(m, "%s%s", why,
			   str_ends(str_of(why), STR("?")) ? "" : "; tools/list names the tools");
		return NULL;
	}
	if (p.own ? !server_has_cmd(o, p.own) : !server_has_program(o, p.program)) {
		/* The command records the attempt, and refuses it. */
		if (p.own && p.own->refused && !o->common->maintainer)
			(void)!app_run_json(c, o->common, p.own, input, out);
		*out = NULL;
		mcp_refuse(m,
			   "this server does not offer the tool '%.*s'; tools/list names its tools",
			   STR_ARG(name));
		return NULL;
	}
	if (p.own) {
		TRY(server_limit_take(input, fit));
		TRY(server_tools_words(m->a, p.set.conf, p.own, input));
		audit_copy_from_meta(m->a, p.own, val_get(m->params, "_meta"), input);
		TRY(app_run_json(c, o->common, p.own, input, out));
		sync_send_events(c);
		return NULL;
	}
	tools_run(c, &p, json_text(m->a, input), &outcome);
	*out = outcome.result;
	return server_tools_failed(m->a, &outcome);
}

void server_tools_call(void *ctx, struct mcp_call *m)
{
	const struct val *name = val_get(m->params, "name");
	struct val *input = val_get(m->params, "arguments"), *out = NULL;
	/* The limit for an error that occurs before the settings are read. */
	struct fit fit = {.a = m->a, .tokens = 1000};
	struct server_answer an = {.fit = &fit};
	struct server_call made = {0};
	struct str tool;
	struct err *e;

	if (!name || name->type != VAL_STR) {
		mcp_refuse(m, "tools/call needs name, a string");
		return;
	}
	if (input && input->type != VAL_MAP) {
		mcp_refuse(m, "arguments must be an object, not %s", val_type_name(input->type));
		return;
	}
	an.input = input ? input : val_map(m->a);
	tool = name->s;
	e = server_relay_unwrap(m->a, ctx, &tool, &an.input);
	if (!e)
		e = server_tools_run(ctx, m, &made, tool, an.input, &an, &fit, &out);
	an.failed = e != NULL;
	if (e)
		out = err_envelope(m->a, e);
	if (out)
		server_set_result(m, &an, out);
	if (made.client.store)
		db_call_end(made.client.store);
	if (made.c.err)
		(void)!out_flush(made.c.err);
}
