/* tools: ikm's own tools and the user's programs as one, by the user's settings. */
#ifndef IKM_COMMON_TOOLS_H
#define IKM_COMMON_TOOLS_H

#include "app/app.h"
#include "tool/tool.h"

/* Only a person can set these, so the repository's configuration is not looked for. */
struct tool_settings {
	struct conf *conf;
	struct strs overrides; /* names of ikm's own that a program replaces */
	bool external;         /* tool faces have the user's programs */
	bool asked;            /* by ikm, for a schema: there are ikm's own tools only */
	bool remembered;       /* no program is started to be asked */
	unsigned timeout_ms;
};
struct err *tools_settings(struct call *c, struct tool_settings *out) MUST_USE;

/* Whether the client of a server may call this tool: ikm's own, or a program. */
bool tools_in_offer(const struct call *c, const struct cmd *own, const struct tool *program);
/* Whether this row is a tool that this face and these settings offer, and no program replaces
 * it. */
bool tools_offers(const struct call *c, const struct tool_settings *set, const struct cmd *cmd);
/* A row of the table as a tool. */
struct tool tools_own(struct arena *a, const struct cmd *cmd);
/*
 * The user's programs that this face offers, or of the name `only` (p NULL: all). On a command line
 * these are all; on tool faces those that replace one of ikm's, and the others with tools.external.
 */
struct err *tools_programs(struct call *c, const struct tool_settings *set, struct str only,
			   struct tools *out) MUST_USE;

/* What a name stands for on this face: one of both, or neither. */
struct tool_picked {
	struct tool_settings set;
	struct str name;
	const struct cmd *own;
	const struct tool *program;
	struct tools tools; /* what was looked through: why there is none */
};
struct err *tools_pick(struct call *c, struct str name, struct tool_picked *out) MUST_USE;
/* Of all these, in order. */
struct strs tools_names(const struct call *c, const struct tool_settings *set,
			const struct tools *programs);
/* There is no such tool, and why, or which may be meant; as an error NO_SUCH_TOOL. */
void tools_not_found(struct call *c, const struct tool_picked *p, struct tool_outcome *out);
struct err *tools_none(struct call *c, const struct tool_picked *p) MUST_USE;
/* p->program with this JSON, where we stand. One that replaces ours may call ours. */
void tools_run(struct call *c, const struct tool_picked *p, struct str input,
	       struct tool_outcome *out);

/* The parameters of a tool on standard input, as JSON; nothing stands for {}. */
struct err *tools_read_input(struct call *c, struct str *out) MUST_USE;

/* What programs answered is asked again at the next look. */
struct err *tools_ask_again(struct call *c) MUST_USE;
/* Warnings of what was skipped and what calls itself otherwise: a line each on standard error. */
void tools_warn(struct call *c, const struct tools *tools);

/* For the shell's completion: names of tools. No program is started. */
struct err *tools_complete(struct call *c, struct str typed) MUST_USE;

#endif
