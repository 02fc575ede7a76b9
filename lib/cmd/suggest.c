/*
 * Suggests commands for words that name no command. It tries, in this order: synonyms, prefixes of
 * names, and typing errors.
 */
#include "cmd/cmd.h"

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
	{"update", "edit"},      {"view", "read"},        {"view", "show"},
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
	for (size_t i = 0; i < found->n; i++)
		if (str_eq(found->p[i], name))
			return;
	if (found->n < SUGGESTED_MAX)
		strs_push(a, found, name);
}

static struct str suggest_join(struct arena *a, struct str noun, struct str verb)
{
	return noun.n ? str_fmt(a, "%.*s %.*s", STR_ARG(noun), STR_ARG(verb)) : verb;
}

static void suggest_synonyms(struct arena *a, struct str noun, struct str word, struct strs *found)
{
	for (size_t i = 0; i < ARRAY_SIZE(synonyms); i++) {
		struct str name = str_of(synonyms[i].command);

		if (!str_is(word, synonyms[i].word))
			continue;
		name = suggest_join(a, noun, name);
		if (suggest_is_command(name))
			suggest_add(a, found, name);
	}
}

/* Collects the names that could replace the word: verbs of the noun, or else first words. */
static void suggest_names(struct arena *a, struct str noun, struct strs *names)
{
	for (size_t i = 0; cmd_table[i]; i++) {
		struct str name = str_of(cmd_table[i]->name);
		size_t blank = str_find_char(name, ' ', 0);

		if (cmd_table[i]->expose == EXPOSE_HIDDEN)
			continue;
		if (noun.n && cmd_is_of(cmd_table[i], noun))
			strs_push(a, names, str_sub(name, noun.n + 1, name.n));
		else if (!noun.n)
			strs_push(a, names, str_sub(name, 0, blank));
	}
}

/* Suggests commands for a verb without its noun: 'events undo' for "undo". */
static void suggest_nouns(struct arena *a, struct str verb, struct strs *found)
{
	for (size_t i = 0; cmd_table[i]; i++) {
		struct str name = str_of(cmd_table[i]->name);
		size_t blank = str_find_char(name, ' ', 0);

		if (blank != SIZE_MAX && cmd_table[i]->expose != EXPOSE_HIDDEN &&
		    str_eq(str_sub(name, blank + 1, name.n), verb))
			suggest_add(a, found, name);
	}
}

void cmd_suggest(struct arena *a, struct str noun, struct str word, struct strs *found)
{
	struct strs names = {0};
	struct str near;

	suggest_names(a, noun, &names);
	suggest_synonyms(a, noun, word, found);
	if (!found->n && !noun.n)
		suggest_nouns(a, word, found);
	for (size_t i = 0; i < names.n && !found->n; i++)
		if (word.n > 1 && str_starts(names.p[i], word))
			suggest_add(a, found, suggest_join(a, noun, names.p[i]));
	/* In a word of two letters one typing error says too little. */
	near = word.n > 2 && !found->n ? str_nearest(word, &names) : STR("");
	if (near.n)
		suggest_add(a, found, suggest_join(a, noun, near));
}
