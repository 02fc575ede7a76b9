/* all_tools: joins ikm's own tools and the user's programs, by the user's settings. */
#pragma once

#include "app/app.h"
#include "tool/tool.h"

/* Only a person can set these settings, so the repository's configuration is not read. */
struct tool_settings {
	struct conf *conf;
	struct strs overrides; /* names of ikm's tools that programs replace */
	bool external;         /* tool faces offer the user's programs */
	bool asked;            /* ikm asked for a schema: offer only ikm's own tools */
	bool remembered;       /* start no program to ask for its schema */
	unsigned timeout_ms;
};
/* Whether each of these may be in tools.override: NO_SUCH_TOOL if not. */
struct err *tools_check_override_names(struct call *c, const struct strs *names) MUST_USE;
struct err *tools_settings(struct call *c, struct tool_settings *out) MUST_USE;

/* Whether this row is a tool that this face and these settings offer, and no program replaces
 * it. */
bool tools_offers(const struct call *c, const struct tool_settings *set, const struct cmd *cmd);
/* A row of the table as a tool. */
struct tool tools_cmd_as_tool(struct arena *a, const struct cmd *cmd);
/*
 * Finds the user's programs that this face offers; `only` limits them to one name (p NULL: all). A
 * command line offers all of them. Tool faces offer those that replace a tool of ikm, and, with
 * tools.external, the others too.
 */
struct err *tools_programs(struct call *c, const struct tool_settings *set, struct str only,
			   struct tools *out) MUST_USE;

/* The tool that a name stands for on this face. At most one of own and program is set. */
struct tool_picked {
	struct tool_settings set;
	struct str name;
	const struct cmd *own;
	const struct tool *program;
	struct tools tools; /* the programs that were found and skipped, to explain a failure */
};
struct err *tools_pick_by_name(struct call *c, struct str name, struct tool_picked *out) MUST_USE;
/* The names of all these tools, sorted. */
struct strs tools_names(const struct call *c, const struct tool_settings *set,
			const struct tools *programs);
/* Reports a tool that does not exist, with the reason or the most similar name.
 * tools_no_such_tool() makes it the error NO_SUCH_TOOL. */
void tools_report_not_found(struct call *c, const struct tool_picked *p, struct tool_outcome *out);
struct err *tools_no_such_tool(struct call *c, const struct tool_picked *p) MUST_USE;
/* Runs p->program with this JSON in the current folder. A program that replaces a tool of ikm may
 * call that tool. */
void tools_run(struct call *c, const struct tool_picked *p, struct str input,
	       struct tool_outcome *out);

/* Reads a tool's parameters as JSON from standard input. Empty input stands for {}. */
struct err *tools_read_input(struct call *c, struct str *out) MUST_USE;

/* Empties the cache of schemas, so that the next search asks the programs again. */
struct err *tools_forget_schemas(struct call *c) MUST_USE;
/* Warns on standard error, a line each, about skipped programs and programs whose schema has
 * another name. */
void tools_warn(struct call *c, const struct tools *tools);

/* For the shell's completion: names of tools. No program is started. */
struct err *tools_complete(struct call *c, struct str typed) MUST_USE;
