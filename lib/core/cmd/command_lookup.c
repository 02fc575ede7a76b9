/* Finds commands in the table, and makes the errors for words that name no command. */
#include "cmd/value.h"

/*
 * Words from other programs. The second word of a row is a verb or a whole command. A row counts
 * only when such a command exists, so it may name a verb that only some nouns have.
 */
/* clang-format off */
static const struct {
	const char *word, *command;
} synonyms[] = {
	{"adr", "know list"},    {"assets", "asset"},     {"cat", "read"},      {"cat", "show"},
	{"change", "edit"},      {"copy", "read"},        {"cp", "read"},       {"create", "add"},
	{"create", "write"},     {"del", "delete"},       {"diff", "events query"}, {"dir", "list"},
	{"drop", "delete"},      {"enable", "hook install"}, {"erase", "delete"}, {"event", "events"},
	{"find", "query"},       {"find", "search"},      {"forget", "mem delete"}, {"get", "read"},
	{"get", "show"},         {"history", "events query"}, {"hooks", "hook"}, {"init", "hook install"},
	{"insert", "append"},    {"install", "hook install"}, {"knowledge", "know"}, {"log", "events query"},
	{"lookup", "search"},    {"ls", "list"},          {"memory", "mem"},    {"mv", "move"},
	{"new", "add"},          {"new", "write"},        {"print", "read"},    {"print", "show"},
	{"query", "search"},     {"remember", "mem add"}, {"remove", "delete"}, {"rename", "move"},
	{"replace", "edit"},     {"revert", "events undo"}, {"rm", "delete"},   {"search", "query"},
	{"setup", "hook install"}, {"status", "hook status"}, {"tools", "tool"}, {"uninstall", "hook uninstall"},
	{"update", "edit"},      {"view", "read"},        {"view", "show"},     {"delete", "rule"},
	{"remove", "rule"},      {"rm", "rule"},          {"remove", "uninstall"}, {"deprecate", "status"},
	{"retire", "status"},    {"correct", "edit"},
};
/* clang-format on */

#define SUGGESTED_MAX 3

static bool suggest_is_command(struct str name)
{
	const struct cmd *c = cmd_find(name);

	return (c && c->expose != EXPOSE_HIDDEN) || cmd_is_noun(name);
}

static void suggest_add(struct arena *a, struct strs *found, struct str name)
{
	if (found->n < SUGGESTED_MAX && !strs_has(found, name))
		strs_push(a, found, name);
}

static struct str suggest_join(struct arena *a, struct str noun, struct str verb)
{
	return noun.n ? str_fmt(a, "%.*s %.*s", STR_ARG(noun), STR_ARG(verb)) : verb;
}

/* Appends at most three commands that the word may mean. noun is empty for a first word. */
static void cmd_suggest(struct arena *a, struct str noun, struct str word, struct strs *found)
{
	struct strs names = {0};
	struct str near;
	bool known;

	/* The names that could replace the word: verbs of the noun, or else first words. */
	for (size_t i = 0; cmd_table[i]; i++) {
		struct str name = str_of(cmd_table[i]->name);
		size_t blank = str_find_char(name, ' ', 0);

		if (cmd_table[i]->expose == EXPOSE_HIDDEN)
			continue;
		if (noun.n && cmd_has_noun(cmd_table[i], noun))
			strs_push(a, &names, str_sub(name, noun.n + 1, name.n));
		else if (!noun.n)
			strs_push(a, &names, str_sub(name, 0, blank));
	}
	for (size_t i = 0; i < ARRAY_SIZE(synonyms); i++) {
		struct str name = str_of(synonyms[i].command);

		name = suggest_join(a, noun, name);
		if (str_is(word, synonyms[i].word) && suggest_is_command(name))
			suggest_add(a, found, name);
	}
	known = found->n > 0;
	/* Commands for a verb without its noun: 'events undo' for "undo". */
	for (size_t i = 0; !noun.n && !known && cmd_table[i]; i++) {
		struct str name = str_of(cmd_table[i]->name);
		size_t blank = str_find_char(name, ' ', 0);

		if (blank != SIZE_MAX && cmd_table[i]->expose != EXPOSE_HIDDEN &&
		    str_eq(str_sub(name, blank + 1, name.n), word))
			suggest_add(a, found, name);
	}
	for (size_t i = 0; i < names.n && !found->n; i++)
		if (word.n > 1 && str_starts(names.p[i], word))
			suggest_add(a, found, suggest_join(a, noun, names.p[i]));
	/* In a word of two letters one typing error says too little. */
	near = word.n > 2 && !found->n ? str_nearest(word, &names) : STR("");
	if (near.n)
		suggest_add(a, found, suggest_join(a, noun, near));
}

const char *const cmd_toolsets[] = {CMD_TOOLSETS(ENUM_NAME) NULL};

const struct cmd *cmd_find(struct str name)
{
	for (size_t i = 0; cmd_table[i]; i++)
		if (str_is(name, cmd_table[i]->name))
			return cmd_table[i];
	return NULL;
}

struct str cmd_tool_meant(struct str name, const struct strs *names)
{
	const struct cmd *c = cmd_find(name);

	return c && c->tool && strs_has(names, str_of(c->tool)) ? str_of(c->tool)
								: str_nearest(name, names);
}

const struct cmd *cmd_find_tool(struct str tool)
{
	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_has_tool_name(cmd_table[i], tool))
			return cmd_table[i];
	return NULL;
}

unsigned cmd_toolsets_of(const struct cmd *c)
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

		while (same && str_next_part(&rest, ' ', &part))
			same = k < n && str_is(part, words[k++]);
		if (same && k > *used) {
			best = cmd_table[i];
			*used = k;
		}
	}
	return best;
}

bool cmd_has_noun(const struct cmd *c, struct str noun)
{
	struct str name = str_of(c->name);

	return noun.n && c->expose != EXPOSE_HIDDEN && str_starts(name, noun) && name.n > noun.n &&
	       name.p[noun.n] == ' ';
}

bool cmd_is_noun(struct str noun)
{
	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_has_noun(cmd_table[i], noun))
			return true;
	return false;
}

static struct err *no_such_command(struct arena *a, struct str noun, struct str word)
{
	struct str what = noun.n ? str_fmt(a, "%.*s %.*s", STR_ARG(noun), STR_ARG(word)) : word;
	struct strs near = {0};
	struct buf choice = buf_in(a);
	struct err *e;

	cmd_suggest(a, noun, word, &near);
	/* "'x'", "'x' or 'y'" or "'x', 'y' or 'z'" */
	for (size_t i = 0; i < near.n; i++)
		buf_fmt(&choice, "%s'%.*s'",
			!i                ? ""
			: i + 1 == near.n ? " or "
					  : ", ",
			STR_ARG(near.p[i]));
	e = err_new(E_UNKNOWN_COMMAND, "'%.*s': no such command%s%.*s%s", STR_ARG(what),
		    near.n ? "; did you mean " : "", STR_ARG(buf_as_str(&choice)),
		    near.n ? "?" : "");
	return err_add_detail(e, "requestedCommand", what);
}

struct err *cmd_unknown(struct arena *a, struct str first, struct str second)
{
	struct strs verbs = {0};
	struct err *e;

	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_has_noun(cmd_table[i], first))
			strs_push(a, &verbs, str_of(cmd_table[i]->name + first.n + 1));
	if (!verbs.n)
		return err_help(no_such_command(a, STR(""), first), "run 'ikm help' for the list");
	if (second.n) {
		e = no_such_command(a, first, second);
	} else {
		e = err_new(E_UNKNOWN_COMMAND, "'%.*s' needs a second word", STR_ARG(first));
		err_add_detail(e, "requestedCommand", first);
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
	       .complete = cmd_complete_setting_pair,
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

const struct param *param_find(const struct param *params, struct str key)
{
	for (const struct param *p = params; p && p->name; p++) {
		if (p->flags & (CLI_ONLY | REST))
			continue;
		if (str_is(key, p->name))
			return p;
		for (struct str all = str_of(p->also), one; str_next_part(&all, ' ', &one);)
			if (str_eq(key, one))
				return p;
	}
	return NULL;
}
