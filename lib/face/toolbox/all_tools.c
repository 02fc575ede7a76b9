#include "all_tools.h"
#include "app/client_info.h"
#include "app/print_warnings.h"

/*
 * Set for a program while ikm asks for its schema. If the program asks ikm for the schema of the
 * tool that it replaces, it must get ikm's own schema. Without the variable two programs could ask
 * each other without end.
 */
#define ASKING "IKM_ASKED_BY_IKM"

static bool tools_is_own(const struct cmd *cmd)
{
	return cmd->tool && cmd->expose != EXPOSE_PERSON && cmd->expose != EXPOSE_HIDDEN;
}

static struct strs tools_own_names(struct arena *a)
{
	struct strs names = {0};

	for (size_t i = 0; cmd_table[i]; i++)
		if (tools_is_own(cmd_table[i]))
			strs_push(a, &names, str_of(cmd_table[i]->tool));
	return names;
}

/* A typing error in the setting would leave the original tool in place, so it is an error. */
struct err *tools_check_override_names(struct call *c, const struct strs *names)
{
	for (size_t i = 0; i < names->n; i++) {
		const struct cmd *own = cmd_find_tool(names->p[i]);

		if (!own || !tools_is_own(own)) {
			struct strs all = tools_own_names(c->a);
			struct tools none = {0};
			struct tool_outcome o;

			tool_not_found(c->a, &none, names->p[i], &all, &o);
			return err_add_context(tool_outcome_as_error(c->a, &o),
					       "the setting tools.override");
		}
	}
	return NULL;
}

struct err *tools_settings(struct call *c, struct tool_settings *out)
{
	*out = (struct tool_settings){0};
	TRY(app_person_conf(c, &out->conf));
	out->asked = os_env(ASKING) != NULL;
	out->external = out->conf->tools_external;
	TRY(tools_check_override_names(c, &out->conf->tools_override));
	if (!out->asked)
		out->overrides = out->conf->tools_override;
	out->timeout_ms = (unsigned)out->conf->tools_timeout;
	return NULL;
}

/* Whether the client of a server may call this tool: ikm's own, or a program. */
static bool tools_client_may_call(const struct call *c, const struct cmd *own,
				  const struct tool *program)
{
	return !c->client || c->client->offers(c->client->offer, own, program);
}

bool tools_offers(const struct call *c, const struct tool_settings *set, const struct cmd *cmd)
{
	return tools_is_own(cmd) && cmd->expose != EXPOSE_MAINTAINER &&
	       tools_client_may_call(c, cmd, NULL) &&
	       !strs_has(&set->overrides, str_of(cmd->tool)) &&
	       (c->face == FACE_ARGV || !cmd->setting || conf_is_on(set->conf, cmd->setting));
}

struct tool tools_cmd_as_tool(struct arena *a, const struct cmd *cmd)
{
	struct val *document = cmd_schema(a, cmd, SCHEMA_IKIGAI);

	return (struct tool){
		.name = str_of(cmd->tool),
		.description = val_get_str(document, "description"),
		.document = document,
		.input = cmd_schema(a, cmd, SCHEMA_JSON_SCHEMA),
		.output = val_get(document, "returns"),
		.once = cmd_result_schema(a, cmd),
	};
}

static struct tool_setup tools_setup(struct call *c, const struct tool_settings *set)
{
	static const char *const env[] = {ASKING "=1", NULL};
	return (struct tool_setup){
		.home = os_ikigai_home(c->a),
		.self = os_self(c->a),
		.own = tools_own_names(c->a),
		.overrides = set->overrides,
		.env = env,
		.remembered = set->remembered,
		.patience_ms = set->timeout_ms,
	};
}

struct err *tools_forget_schemas(struct call *c)
{
	struct tool_settings set = {0};
	struct tool_setup s = tools_setup(c, &set);

	return tools_cache_clear(&s);
}

struct err *tools_programs(struct call *c, const struct tool_settings *set, struct str only,
			   struct tools *out)
{
	bool all = c->face == FACE_ARGV || set->external;
	struct tool_setup s;

	*out = (struct tools){0};
	if (set->asked ||
	    (!all && (!set->overrides.n || (only.p && !strs_has(&set->overrides, only)))))
		return NULL;
	s = tools_setup(c, set);
	TRY(tools_discover(c->a, &s, only, out));
	if (!all) {
		size_t n = 0;

		/* Keeps only the programs in tools.override, for a face without tools.external. */
		for (size_t i = 0; i < out->n; i++)
			if (out->p[i].overrides)
				out->p[n++] = out->p[i];
		out->n = n;
	}
	return NULL;
}

struct err *tools_pick_by_name(struct call *c, struct str name, struct tool_picked *out)
{
	const struct cmd *own;

	/* The author may know the tool by its file name. */
	name = tool_name_of_file(c->a, name);
	own = cmd_find_tool(name);
	*out = (struct tool_picked){.name = name};
	TRY(tools_settings(c, &out->set));
	if (own && tools_is_own(own)) {
		out->name = str_of(own->tool);
		/* If the replacement is missing, ikm's own tool does not take its place: the user
		 * replaced it for a reason. */
		if (!strs_has(&out->set.overrides, out->name)) {
			out->own = own;
			return NULL;
		}
	}
	TRY(tools_programs(c, &out->set, out->name, &out->tools));
	out->program = tools_get(&out->tools, out->name);
	return NULL;
}

void tools_run(struct call *c, const struct tool_picked *p, struct str input,
	       struct tool_outcome *out)
{
	const char *env[] = {NULL, NULL};
	struct tool_start start = {.input = input, .env = env, .timeout_ms = p->set.timeout_ms};

	if (p->program->overrides) {
		struct strs rest = {0};

		/* The program may call the tool that it replaces; that call must not run the
		 * program again. */
		for (size_t i = 0; i < p->set.overrides.n; i++)
			if (!str_eq(p->set.overrides.p[i], p->name))
				strs_push(c->a, &rest, p->set.overrides.p[i]);
		if (!rest.n)
			strs_push(c->a, &rest, STR("[]"));
		env[0] = str_fmt(c->a, "IKM_TOOLS_OVERRIDE=%.*s",
				 STR_ARG(str_join(c->a, &rest, ",")))
				 .p;
	}
	tool_run(c->a, p->program, &start, out);
}

void tools_warn(struct call *c, const struct tools *tools)
{
	struct strs lines = tools->notes;

	for (size_t i = 0; i < tools->skipped.n; i++)
		if (!tools->skipped.p[i].quiet)
			strs_push(c->a, &lines, tool_skipped_line(c->a, &tools->skipped.p[i]));
	warnings_print(c, &lines);
}

struct err *tools_read_input(struct call *c, struct str *out)
{
	struct err *e = cmd_stdin(c->a, "the input of the tool as JSON", out);

	if (!e && !str_trim(*out).n)
		*out = STR("{}");
	return e;
}

/* ---- all names ---- */

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
