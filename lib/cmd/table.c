/* Finds commands in the table, and makes the errors for words that name no command. */
#include "cmd/cmd.h"

const char *const cmd_toolsets[] = {CMD_TOOLSETS(ENUM_NAME) NULL};

const struct cmd *cmd_find(struct str name)
{
	for (size_t i = 0; cmd_table[i]; i++)
		if (str_is(name, cmd_table[i]->name))
			return cmd_table[i];
	return NULL;
}

const struct cmd *cmd_find_tool(struct str tool)
{
	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_is_tool(cmd_table[i], tool))
			return cmd_table[i];
	return NULL;
}

unsigned cmd_sets(const struct cmd *c)
{
	return 1u << c->toolset | c->more_toolsets;
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

/* Returns "'x'", "'x' or 'y'" or "'x', 'y' or 'z'". */
static struct str quoted_choice(struct arena *a, const struct strs *names)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < names->n; i++)
		buf_fmt(&b, "%s'%.*s'",
			!i                  ? ""
			: i + 1 == names->n ? " or "
					    : ", ",
			STR_ARG(names->p[i]));
	return buf_str(&b);
}

static struct err *no_such_command(struct arena *a, struct str noun, struct str word)
{
	struct str what = noun.n ? str_fmt(a, "%.*s %.*s", STR_ARG(noun), STR_ARG(word)) : word;
	struct strs near = {0};
	struct str choice;
	struct err *e;

	cmd_suggest(a, noun, word, &near);
	choice = quoted_choice(a, &near);
	e = err_new(E_UNKNOWN_COMMAND, "'%.*s': no such command%s%.*s%s", STR_ARG(what),
		    near.n ? "; did you mean " : "", STR_ARG(choice), near.n ? "?" : "");
	return err_detail(e, "requestedCommand", what);
}

struct err *cmd_unknown(struct arena *a, struct str first, struct str second)
{
	struct strs verbs = {0};
	struct err *e;

	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_is_of(cmd_table[i], first))
			strs_push(a, &verbs, str_of(cmd_table[i]->name + first.n + 1));
	if (!verbs.n)
		return err_help(no_such_command(a, STR(""), first), "run 'ikm help' for the list");
	if (second.n) {
		e = no_such_command(a, first, second);
	} else {
		e = err_new(E_UNKNOWN_COMMAND, "'%.*s' needs a second word", STR_ARG(first));
		err_detail(e, "requestedCommand", first);
	}
	return err_help(err_help(e, "one of: %.*s", STR_ARG(str_join(a, &verbs, ", "))),
			"run 'ikm %.*s --help' for their descriptions", STR_ARG(first));
}

static const char *const colors[] = {"auto", "always", "never", NULL};

#define COMMON(member, ...) PARAM_OF(struct cmd_common, member, __VA_ARGS__)
const struct param cmd_common_params[] = {
	COMMON(help, .letter = 'h', .help = "show usage and options, and exit"),
	COMMON(json, .help = "print the result, or the error, as one JSON object"),
	COMMON(dir, .letter = 'C', .option = "directory", .meta = "DIR", .flags = PATHS,
	       .help = "run as if started in DIR"),
	COMMON(set, .letter = 'c', .option = "config", .meta = "KEY=VALUE",
	       .complete = cmd_complete_setting,
	       .help = "set a configuration value for this run; may be repeated"),
	COMMON(root, .meta = "DIR", .flags = PATHS,
	       .help = "allow files below DIR only; may be repeated"),
	COMMON(color, .meta = "WHEN", .choices = colors, .def = "auto",
	       .help = "colour the output"),
	COMMON(pager, .def = "true",
	       .help = "show text that is longer than the terminal in a pager"),
	COMMON(quiet, .letter = 'q',
	       .help = "print no text, except for a negative answer; the exit status remains"),
	COMMON(agent, .meta = "ID",
	       .help = "the agent that uses ikm; its pins and its budget apply"),
	COMMON(user, .meta = "ID",
	       .help = "the person who uses ikm; the default is the login name"),
	COMMON(session, .meta = "ID",
	       .help = "the identifier of the conversation that changes belong to"),
	COMMON(maintainer,
	       .help = "allow operations that tools may not use: move, rename and delete files"),
	{0},
};
