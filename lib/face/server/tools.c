/* tools/list and tools/call, over the command table and the user's programs. */
#include "internal.h"
#include "app/audit_params.h"
#include "app/print_warnings.h"
#include "exchange/sync_common.h"
#include "json/json.h"
#include "paths/read_parts.h"
#include "reply/plain_for_model.h"
#include "reply/result_fit.h"
#include "toolbox/all_tools.h"

#define NAME "maxTokens"
/* A longer answer of a program is sent as text only, because no schema requires an object. */
#define TWICE_MAX ((size_t)16 << 10)
/* The size limit of a picture in bytes. As base64 it must fit into a message. */
#define IMAGE_MAX ((size_t)700 << 10)

/* ---- which tools are listed ---- */

static bool server_has_listed(const struct server_offer *o, const struct cmd *cmd)
{
	bool in = o->sets.given ? o->sets.bits & cmd_toolsets_of(cmd) : cmd->traits & TOOL_CORE;

	return in && (!o->read_only || cmd->traits & TOOL_READS);
}

/* Whether tools/list names this row. */
static bool server_lists_cmd(const struct server_offer *o, const struct cmd *cmd)
{
	return server_has_listed(o, cmd) && !(cmd->traits & TOOL_SYNONYM);
}

/*
 * ---- tools that are not listed ----
 *
 * tool_call and tool_change: they call a tool that the list does not name. Without a choice of
 * toolsets the list is short, because a host gives it to its model with every request.
 *
 * A host asks its user for each tool by name. So neither calls a tool that is listed, nor one that
 * acts beyond this machine: "never allow file_write" must keep its meaning. And tool_call calls
 * only tools that read: "always allow tool_call" gives no right to change anything.
 */

struct args {
	struct str name;
	const struct val *arguments;
};

static const struct param reach_params[] = {
	PARAM(name, .flags = REQUIRED, .min = 1, .max = 64, .tool_help = "", .help = "the tool"),
	PARAM(arguments, .also = "args input parameters", .tool_help = "", .help = "its arguments"),
	{0},
};

/* The answer is that of the called tool, so it has no schema. */
static const struct field reach_result[] = {{0}};
static const struct plain reach_plain = {0};

#define REACH                                                                                      \
	.toolset = SET_TOOLS, .plain = &reach_plain, .result = reach_result,                       \
	CMD_PARAMS(struct args, reach_params)

static const struct cmd reach_cmds[] = {
	{
		.name = "tool call",
		.tool = "tool_call",
		.traits = TOOL_READS,
		.description = "Call a tool of tool_list that only reads.",
		REACH,
	},
	{
		.name = "tool change",
		.tool = "tool_change",
		.description = "Call a tool of tool_list that changes things.",
		REACH,
	},
};

const struct cmd *server_meta_tool_at(const struct server_offer *o, size_t i)
{
	if (o->sets.given || i >= (o->read_only ? 1 : ARRAY_SIZE(reach_cmds)))
		return NULL;
	return &reach_cmds[i];
}

/* The one with this name, or NULL. */
static const struct cmd *server_relay_tool_named(const struct server_offer *o, struct str name)
{
	const struct cmd *c;

	for (size_t i = 0; (c = server_meta_tool_at(o, i)); i++)
		if (cmd_has_tool_name(c, name))
			return c;
	return NULL;
}

bool server_relay_may_call(const void *offer, const struct cmd *cmd)
{
	const struct server_offer *o = offer;

	return !o->sets.given && cmd->tool && cmd->expose == EXPOSE_ALL &&
	       !(cmd->traits & (TOOL_CORE | TOOL_OPEN)) &&
	       (!o->read_only || cmd->traits & TOOL_READS);
}

static struct err *server_reach_refused(const struct server_offer *o, const struct cmd *reach,
					struct str name, const struct cmd *cmd)
{
	if (cmd->traits & TOOL_OPEN)
		return err_new(E_NOT_ALLOWED, "%s runs no programs: it does not call '%.*s'",
			       reach->tool, STR_ARG(name));
	if (server_lists_cmd(o, cmd))
		return err_help(err_new(E_NOT_ALLOWED,
					"%s does not call '%.*s': it is in your list", reach->tool,
					STR_ARG(name)),
				"call %s by its own name", cmd->tool);
	if (o->read_only)
		return err_new(
			E_NOT_ALLOWED,
			"'%.*s' changes things, and this server only reads: a person started "
			"it with --read-only",
			STR_ARG(name));
	return err_help(
		err_new(E_NOT_ALLOWED, "%s does not call '%.*s'", reach->tool, STR_ARG(name)),
		"tool_list names the tools that it calls");
}

/* Replaces a call of one of them by the call that it asks for. Other calls stay as they are. */
static struct err *server_relay_unwrap(struct arena *a, const struct server_offer *o,
				       struct str *name, struct val **input)
{
	const struct cmd *reach = server_relay_tool_named(o, *name), *cmd;
	struct val *none;
	struct args *args;
	void *p;

	if (!reach)
		return NULL;
	TRY(cmd_parse_json_new_args(a, reach, *input, &p));
	args = p;
	cmd = cmd_find_tool(args->name);
	if (cmd && !server_relay_may_call(o, cmd))
		return server_reach_refused(o, reach, args->name, cmd);
	if (!cmd) {
		struct strs names = {0};
		struct str near;

		for (size_t i = 0; cmd_table[i]; i++)
			if (server_relay_may_call(o, cmd_table[i]))
				strs_push(a, &names, str_of(cmd_table[i]->tool));
		near = cmd_tool_meant(args->name, &names);
		return err_help(err_new(E_NO_SUCH_TOOL, "there is no tool '%.*s'%s%.*s%s",
					STR_ARG(args->name), near.n ? "; did you mean '" : "",
					STR_ARG(near), near.n ? "'?" : ""),
				"tool_list names the tools that tool_call and tool_change call");
	}
	if (reach->traits & TOOL_READS && !(cmd->traits & TOOL_READS))
		return err_help(err_new(E_NOT_ALLOWED,
					"'%s' changes things, and %s only calls tools that read",
					cmd->tool, reach->tool),
				"use tool_change, with the same arguments");
	none = val_map(a);
	VAL_EACH(args->arguments, m)
		val_set_key(none, m->key, val_copy_shallow(a, m));
	*name = str_of(cmd->tool);
	*input = none;
	return NULL;
}

/* ---- which tools are offered ---- */

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

/*
 * ---- the answer ----
 *
 * A tool's result, as the content of an answer. No answer is longer than the setting
 * mcp.resultTokens. An answer that was cut names what it lacks, and the parameter to continue with.
 */

struct server_answer {
	const struct fit *fit;
	const struct cmd *cmd;    /* NULL: the answer is a program's */
	const struct val *schema; /* of a program's parameters; may be NULL */
	struct val *input;        /* the arguments of the call */
	bool failed;              /* it is an error's envelope */
	bool structured;          /* for a program: JSON, and structuredContent */
};

static struct val *server_answer_without_copies(struct val *map, struct arena *a,
						const struct field *fields)
{
	struct val *v = val_map(a);
	bool any = false;

	for (const struct field *f = fields; f && f->name; f++)
		any = any || f->flags & COPY;
	if (!any)
		return map;

	VAL_EACH(map, m) {
		const struct field *f = fields;

		while (f->name && !str_is(m->key, f->name))
			f++;
		if (!f->name || !(f->flags & COPY))
			val_set_key(v, m->key, val_copy_shallow(a, m));
	}
	return v;
}

static void server_answer_set_member(struct arena *a, struct val *map, const char *name,
				     struct val *v)
{
	struct val *m = val_get(map, name);

	if (!m) {
		val_set(a, map, name, v);
		return;
	}
	m->type = v->type;
	m->b = v->b;
	m->s = v->s;
}

/* ---- how to get the rest ---- */

/* The parameters that can make an answer shorter. */
static struct str server_answer_other_params(struct arena *a, const struct server_answer *an)
{
	const struct cmd *cmd = an->cmd;
	struct strs names = {0};

	VAL_EACH(val_get(an->schema, "properties"), p)
		strs_push(a, &names, p->key);
	for (const struct param *p = cmd ? cmd->params : NULL; p && p->name; p++)
		if (!(p->flags & (CLI_ONLY | HIDDEN | REQUIRED)) && p->type != P_BOOL)
			strs_push(a, &names, str_of(p->name));
	return str_join(a, &names, ", ");
}

static struct str server_answer_how_to_go_on(struct arena *a, const struct server_answer *an,
					     struct val *v, const struct fit_cut *cut)
{
	const struct param *page = an->cmd ? an->cmd->params : NULL;
	struct str others = server_answer_other_params(a, an);
	const struct val *to;

	while (page && page->name && (!page->page || page->flags & CLI_ONLY))
		page++;
	/* Only a list of the result itself has pages. */
	if (page && page->name && cut->list && val_get_key(v, cut->name) == cut->list &&
	    cut->list->n) {
		if (!page->page[0])
			return str_fmt(a, "call again with \"%s\": %jd for the next", page->name,
				       (intmax_t)(val_get_int(an->input, page->name) +
						  (int64_t)cut->list->n));
		to = val_get(cut->list->last, page->page);
		if (to) {
			server_answer_set_member(a, v, "next", val_copy_shallow(a, to));
			return str_fmt(a, "call again with \"%s\": %.*s for the next", page->name,
				       STR_ARG(json_text(a, to)));
		}
	}
	if (others.n)
		return str_fmt(a, "ask for less with %.*s", STR_ARG(others));
	return STR("ask for less");
}

/* True when it cut something. limit: the number to name. *said describes the cut, and how to
 * continue. */
static bool server_answer_cut(const struct server_answer *an, size_t limit, struct val *v,
			      struct str *said)
{
	struct arena *a = an->fit->a;
	struct fit_cut cut;

	fit_result(an->fit, v, &cut);
	if (!cut.said.n)
		return false;
	*said = str_fmt(a, "cut to about %zu tokens: %.*s; %.*s%s", limit,
			STR_ARG(str_join(a, &cut.said, ", ")),
			STR_ARG(server_answer_how_to_go_on(a, an, v, &cut)),
			an->cmd && limit < FIT_MOST ? ", or give maxTokens" : "");
	if (v->type == VAL_MAP) {
		server_answer_set_member(a, v, "truncated", val_bool(a, true));
		server_answer_set_member(a, v, "more", val_str(a, *said));
	}
	return true;
}

/* A picture becomes image content; one that is too large for a message is left out and named. */
static void server_answer_image(struct arena *a, struct val *v, struct val *content)
{
	struct str base64 = val_get_str(v, "content");
	const char *type = read_image_type(a, base64);
	bool fits = base64.n / 4 * 3 <= IMAGE_MAX;
	struct val *image;

	if (!type)
		return;
	server_answer_set_member(a, v, "content", val_str(a, STR("")));
	server_answer_set_member(a, v, "tokens", val_int(a, 0));
	if (fits) {
		image = val_add(content, val_map(a));
		val_set(a, image, "type", val_str(a, STR("image")));
		val_set(a, image, "data", val_str(a, base64));
		val_set(a, image, "mimeType", val_str(a, str_of(type)));
		val_set(a, v, "image", val_str(a, str_of(type)));
	} else {
		server_answer_set_member(a, v, "truncated", val_bool(a, true));
		server_answer_set_member(
			a, v, "more",
			val_str(a, str_fmt(a,
					   "this %s has %jd bytes; a message carries pictures "
					   "of at most %zu",
					   type, (intmax_t)val_get_int(v, "size"), IMAGE_MAX)));
	}
}

/* ---- its text ---- */

static void server_answer_add_text(struct arena *a, struct val *content, struct str text)
{
	struct val *one = val_add(content, val_map(a));

	val_set(a, one, "type", val_str(a, STR("text")));
	val_set(a, one, "text", val_str(a, text));
}

/* The text of a result, which may be too long. */
static struct str server_answer_plain(const struct server_answer *an, const struct val *v,
				      struct str *body)
{
	struct str rest;

	*body = STR("");
	if (an->failed)
		return plain_error(an->fit->a, v);
	plain_result_text(an->fit->a, an->cmd->plain ? an->cmd->plain : &plain_data,
			  an->cmd->result, v, body, &rest);
	return rest;
}

/*
 * Sets the answer as text, without structuredContent. The JSON of a result is longer than its text,
 * so it may have as much more room when it is cut.
 */
static void server_answer_text(struct mcp_call *m, const struct server_answer *an, struct val *v,
			       struct val *content)
{
	struct fit fit = *an->fit;
	struct server_answer wide = *an;
	struct str body, rest = server_answer_plain(an, v, &body), said;

	for (int tries = 0; tries < 3; tries++) {
		size_t cost = fit_cost(an->fit, rest) + (body.n ? fit_cost(an->fit, body) : 0);

		if (cost <= an->fit->tokens)
			break;
		/* Each try leaves less room, for the estimate of a part is not exact. */
		fit.tokens = an->fit->tokens * fit_cost(an->fit, json_text(m->a, v)) / cost *
			     (size_t)(19 - 4 * tries) / 20;
		wide.fit = &fit;
		if (!server_answer_cut(&wide, an->fit->tokens, v, &said))
			break;
		rest = server_answer_plain(an, v, &body);
	}
	if (body.n)
		server_answer_add_text(m->a, content, body);
	if (rest.n || !content->n)
		server_answer_add_text(m->a, content, rest);
}

/* Sets m->result. Cuts v in place. */
static void server_set_result(struct mcp_call *m, const struct server_answer *an, struct val *v)
{
	struct val *content = val_list(m->a);
	bool failed = an->failed, cut = false;
	struct str text, said = {0};

	if (an->cmd && an->cmd->result && v->type == VAL_MAP && !failed)
		v = server_answer_without_copies(v, m->a, an->cmd->result);
	if (!failed && an->cmd && str_is(val_get_str(v, "encoding"), "base64"))
		server_answer_image(m->a, v, content);
	if (!an->structured && v->type == VAL_MAP && (an->failed || an->cmd)) {
		server_answer_text(m, an, v, content);
		m->result = val_map(m->a);
		val_set(m->a, m->result, "content", content);
		val_set(m->a, m->result, "isError", val_bool(m->a, failed));
		return;
	}
	text = json_text(m->a, v);
	if (!fit_has_room(an->fit, text)) {
		cut = server_answer_cut(an, an->fit->tokens, v, &said);
		text = json_text(m->a, v);
	}
	if (text.n > FIT_BYTES) {
		struct arena *a = an->fit->a;
		struct err *e =
			err_new(E_TOO_BIG, "the answer has %zu bytes and cannot be cut", text.n);
		struct str others = server_answer_other_params(a, an);

		/* The answer for a result that no cut makes small enough, such as a long list of
		 * numbers. */
		if (others.n)
			e = err_help(e, "ask for less with %.*s", STR_ARG(others));
		v = err_envelope(a, e);
		text = json_text(m->a, v);
		failed = true;
	}
	server_answer_add_text(m->a, content, text);
	if (cut && v->type != VAL_MAP)
		server_answer_add_text(m->a, content, said);
	m->result = val_map(m->a);
	val_set(m->a, m->result, "content", content);
	/* Clients validate it with the schema of a successful result. */
	if (!failed && an->structured &&
	    (m->revision == MCP_2026_07_28 ||
	     (m->revision >= MCP_2025_06_18 && v->type == VAL_MAP)) &&
	    (an->cmd || text.n <= TWICE_MAX))
		val_set(m->a, m->result, "structuredContent", val_copy_shallow(m->a, v));
	val_set(m->a, m->result, "isError", val_bool(m->a, failed));
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

/* ---- what an agent should know of them ---- */

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

void server_put_guidance(const struct server_offer *offer, struct buf *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(guidance); i++) {
		struct str tool = str_of(guidance[i].tool);
		const struct cmd *cmd = cmd_find_tool(tool);
		bool reached = cmd && server_relay_may_call(offer, cmd);

		if (reached || (cmd ? server_lists_cmd(offer, cmd)
				    : server_relay_tool_named(offer, tool) != NULL))
			buf_fmt(b, "%s%s%s.", b->n ? " " : "", guidance[i].text,
				reached ? " (both by tool_call)" : "");
	}
}
