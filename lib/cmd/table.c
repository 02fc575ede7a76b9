#include "cmd/cmd.h"

const struct cmd *cmd_find(struct str name)
{
	for (size_t i = 0; cmd_table[i]; i++)
		if (str_is(name, cmd_table[i]->name))
			return cmd_table[i];
	return NULL;
}

const struct cmd *cmd_find_tool(struct str tool)
{
	for (size_t i = 0; cmd_table[i]; i++) {
		const struct cmd *c = cmd_table[i];

		if (c->tool && (str_is(tool, c->tool) ||
				(c->tool_also && str_is(tool, c->tool_also))))
			return c;
	}
	return NULL;
}

const struct cmd *cmd_find_words(char *const *words, size_t n, size_t *used)
{
	const struct cmd *best = NULL;

	*used = 0;
	for (size_t i = 0; cmd_table[i]; i++) {
		struct str rest = str_of(cmd_table[i]->name), part;
		size_t k = 0;
		bool same = true;

		while (same && str_split(&rest, ' ', &part))
			same = k < n && str_is(part, words[k++]);
		if (same && k > *used) {
			best = cmd_table[i];
			*used = k;
		}
	}
	return best;
}

bool cmd_is_of(const struct cmd *c, struct str noun)
{
	struct str name = str_of(c->name);

	return noun.n && c->expose != EXPOSE_HIDDEN && str_starts(name, noun) && name.n > noun.n &&
	       name.p[noun.n] == ' ';
}

bool cmd_is_noun(struct str noun)
{
	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_is_of(cmd_table[i], noun))
			return true;
	return false;
}

static struct err *no_such_command(struct arena *a, struct str what)
{
	struct strs names = {0};
	struct str near;
	struct err *e;

	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_table[i]->expose != EXPOSE_HIDDEN)
			strs_push(a, &names, str_of(cmd_table[i]->name));
	near = str_nearest(what, &names);
	e = err_new(E_UNKNOWN_COMMAND, "no such command '%.*s'%s%.*s%s", STR_ARG(what),
		    near.n ? "; did you mean '" : "", STR_ARG(near), near.n ? "'?" : "");
	err_detail(e, "requestedCommand", what);
	return err_help(e, "run 'ikm help' for the list");
}

struct err *cmd_unknown(struct arena *a, struct str what)
{
	struct strs verbs = {0};
	struct err *e;

	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_is_of(cmd_table[i], what))
			strs_push(a, &verbs, str_of(cmd_table[i]->name + what.n + 1));
	if (!verbs.n)
		return no_such_command(a, what);
	e = err_new(E_UNKNOWN_COMMAND, "'%.*s' is several commands; say which", STR_ARG(what));
	err_detail(e, "requestedCommand", what);
	return err_help(err_help(e, "%.*s", STR_ARG(str_join(a, &verbs, ", "))),
			"run 'ikm %.*s --help' for what they do", STR_ARG(what));
}

static const char *const colors[] = {"auto", "always", "never", NULL};

#define COMMON(member, ...) PARAM_OF(struct cmd_common, member, __VA_ARGS__)
const struct param cmd_common_params[] = {
	COMMON(help, .letter = 'h', .help = "show usage and options, and exit"),
	COMMON(json, .help = "print the result, or the error, as one JSON object"),
	COMMON(dir, .letter = 'C', .option = "directory", .meta = "DIR", .flags = PATHS,
	       .help = "run as if started in DIR"),
	COMMON(set, .letter = 'c', .option = "config", .meta = "KEY=VALUE",
	       .help = "set a configuration value for this run; may be repeated"),
	COMMON(root, .meta = "DIR", .flags = PATHS,
	       .help = "allow files below DIR only; may be repeated"),
	COMMON(color, .meta = "WHEN", .choices = colors, .def = "auto",
	       .help = "colour the output"),
	COMMON(agent, .meta = "ID", .help = "who is asking: whose pins and budget count"),
	COMMON(user, .meta = "ID", .help = "who is asking, else the login name"),
	COMMON(session, .meta = "ID", .help = "the conversation that changes belong to"),
	COMMON(maintainer, .help = "allow what only a maintainer should do"),
	{0},
};
