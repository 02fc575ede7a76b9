#include "cmd/groups.h"

const struct cmd_group cmd_groups[] = {
	{"decisions", "what you have decided, and what breaks it", "check hook know lint why",
	 "ikm-knowledge(5)"},
	{"files", "files of a working tree, and stored assets",
	 "append delete edit find glob grep hash list mkdir move patch propose read refs search "
	 "write",
	 NULL},
	{"assets", "texts that agents keep, and prompts made of them",
	 "asset compact context expand slash", NULL},
	{"memories", "long-term memories, and what tools may read of them",
	 "bench manifest mem memory-tool trace", "ikm-memory(7)"},
	{"garden", "Markdown that agents edit, and the record of changes", "events md",
	 "ikm-garden(7)"},
	{"agents", "tools for agents, and your own programs as tools", "bash call mcp tool",
	 "ikm-mcp(7)"},
	{"care", "set-up, settings, backup, several machines",
	 "backup completion config doctor help init restore sync version", NULL},
	{0},
};

/* First words with several verbs. */
static const struct {
	const char *noun, *about;
} nouns[] = {
	{"asset", "keep, describe, pin and restore stored assets"},
	{"config", "read and change settings"},
	{"events", "list, verify and undo what tools changed"},
	{"hook", "make Git's hooks and agents' hosts ask ikm"},
	{"know", "find, write, test and waive decisions and their rules"},
	{"manifest", "show and check which memories each tool may read"},
	{"md", "read and change Markdown files section by section"},
	{"mem", "keep, find, query and move memories"},
	{"sync", "share memories over a server, and settle conflicts"},
	{"tool", "find, describe, trust and run tools"},
};

/* What a newcomer needs, in this order. */
static const char *const first[] = {"init", "know", "check", "hook", "mem", "mcp"};

const struct cmd_topic cmd_topics[] = {
	{"start", "7", "the first hour"},
	{"team", "7", "the same decisions for a team"},
	{"ci", "7", "pull requests and pushes in CI"},
	{"agents", "7", "hooks, tools and memories for agents"},
	{"machines", "7", "backup, a new laptop, and how to remove ikm"},
	{"knowledge", "5", "decisions such as an ADR, their rules and exceptions"},
	{"formats", "5", "files that ikm reads and writes"},
	{"garden", "7", "Markdown that agents edit, and its record"},
	{"mcp", "7", "hosts of the Model Context Protocol"},
	{"memory", "7", "how memories are kept and found"},
	{"security", "7", "what ikm guards against, and what not"},
	{"sync", "7", "a server for several machines"},
	{"tools", "7", "your own programs as tools"},
	{"design", "7", "why ikm is as it is"},
	{"hacking", "7", "how to change ikm"},
	{0},
};

const struct cmd_group *cmd_group_find(struct str name)
{
	for (const struct cmd_group *g = cmd_groups; g->name; g++)
		if (str_is(name, g->name))
			return g;
	return NULL;
}

struct str cmd_noun(const struct cmd *c)
{
	struct str name = str_of(c->name);

	return str_sub(name, 0, str_find_char(name, ' ', 0));
}

bool cmd_group_has(const struct cmd_group *g, const struct cmd *c)
{
	struct str rest = str_of(g->nouns), noun;

	while (str_next_part(&rest, ' ', &noun))
		if (str_eq(noun, cmd_noun(c)))
			return c->expose != EXPOSE_HIDDEN;
	return false;
}

#define GROUP_WORD_LEAST 4 /* of two words that begin alike, such as "waiver" and "waive" */

static bool group_word_is(struct str one, struct str two)
{
	size_t n = size_min(one.n, two.n);

	return str_ieq(one, two) ||
	       (n >= GROUP_WORD_LEAST && str_ieq(str_sub(one, 0, n), str_sub(two, 0, n)));
}

bool cmd_text_has_word(struct str text, struct str word)
{
	size_t from = 0;

	for (size_t i = 0; i <= text.n; i++) {
		if (i < text.n && ascii_is_alnum(text.p[i]))
			continue;
		if (i > from && group_word_is(str_sub(text, from, i), word))
			return true;
		from = i + 1;
	}
	return false;
}

struct str cmd_noun_about(struct str noun)
{
	const struct cmd *c = cmd_find(noun);

	for (size_t i = 0; i < ARRAY_SIZE(nouns); i++)
		if (str_is(noun, nouns[i].noun))
			return str_of(nouns[i].about);
	return c ? str_of(c->summary) : STR("");
}

static void group_print_row(struct out *o, unsigned width, struct str name, struct str text)
{
	out_puts(o, "  ");
	out_styled(o, OUT_BOLD, name);
	out_fmt(o, "%*s  ", (int)(width - name.n), "");
	out_wrapped_behind(o, width + 4, text);
}

#define GROUP_COLUMNS 9

static struct str group_list(struct arena *a, const struct cmd_group *g)
{
	struct strs names = {0};
	struct str rest = str_of(g->nouns), noun;

	while (str_next_part(&rest, ' ', &noun))
		strs_push(a, &names, noun);
	return str_join(a, &names, ", ");
}

void cmd_print_front_page(struct out *o)
{
	struct arena *a ARENA_LOCAL = arena_new();

	out_puts(o, "ikm stops commits that break your decisions, and gives agents, scripts\n"
		    "and people one set of tools for files, memories and decisions.\n\n"
		    "Start here: ikm COMMAND [OPTION...] [ARGUMENT...]\n");
	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		group_print_row(o, GROUP_COLUMNS, str_of(first[i]),
				cmd_noun_about(str_of(first[i])));
	out_puts(o, "\nAll commands, by purpose:\n");
	for (const struct cmd_group *g = cmd_groups; g->name; g++)
		group_print_row(o, GROUP_COLUMNS, str_of(g->name), group_list(a, g));
	out_puts(o, "'ikm COMMAND --help' explains a command, 'ikm help GROUP' a group.\n"
		    "The manual: man ikm; on topics: ikm help");
	for (const struct cmd_topic *t = cmd_topics; t - cmd_topics < 4; t++)
		out_fmt(o, " %s%s", t->name, t - cmd_topics < 3 ? "," : " ...\n");
}

/* The commands with their summaries: of a group, or of a noun when g is NULL. */
static void group_print_commands(struct out *o, const struct cmd_group *g, struct str noun)
{
	size_t width = 0;

	for (size_t i = 0; cmd_table[i]; i++)
		if (g ? cmd_group_has(g, cmd_table[i]) : cmd_has_noun(cmd_table[i], noun))
			width = size_max(width, strlen(cmd_table[i]->name));
	for (size_t i = 0; cmd_table[i]; i++)
		if (g ? cmd_group_has(g, cmd_table[i]) : cmd_has_noun(cmd_table[i], noun))
			group_print_row(o, (unsigned)width, str_of(cmd_table[i]->name),
					str_of(cmd_table[i]->summary));
}

void cmd_noun_print_verbs(struct out *o, struct str noun)
{
	out_fmt(o, "usage: ikm %.*s VERB [OPTION...] [ARGUMENT...]\n\n", STR_ARG(noun));
	group_print_commands(o, NULL, noun);
	out_fmt(o, "\n'ikm %.*s VERB --help' lists a verb's options; the manual: man ikm-%.*s\n",
		STR_ARG(noun), STR_ARG(noun));
}

void cmd_group_print(struct out *o, const struct cmd_group *g)
{
	out_styled(o, OUT_BOLD, str_of(g->name));
	out_fmt(o, ": %s\n\n", g->about);
	group_print_commands(o, g, STR(""));
	out_fmt(o, "\n'ikm COMMAND --help' lists the options of a command%s%s\n",
		g->page ? "; more in " : "", g->page ? g->page : "");
}

void cmd_mdoc_commands(struct out *o)
{
	for (const struct cmd_group *g = cmd_groups; g->name; g++) {
		out_fmt(o, ".Ss %c%s: %s\n.Bl -tag -width \"hook uninstall\" -compact\n",
			ascii_upper(g->name[0]), g->name + 1, g->about);
		for (size_t i = 0; cmd_table[i]; i++)
			if (cmd_group_has(g, cmd_table[i]))
				out_fmt(o, ".It Cm %s\n%s\n", cmd_table[i]->name,
					cmd_table[i]->summary);
		out_puts(o, ".El\n");
	}
}
