#include "app/app.h"
#include "cmd/groups.h"
#include "os/os.h"

struct args {
	struct strs topic;
};

/* A group may have the name of a command, and a topic that of a group. */
static void help_offer(struct call *c, struct strs *offered, const char *name, struct str typed)
{
	if (!str_starts(str_of(name), typed) || strs_has(offered, str_of(name)))
		return;
	strs_push(c->a, offered, str_of(name));
	out_fmt(c->out, "%s\n", name);
}

static struct err *help_complete(struct call *c, struct str typed)
{
	struct strs offered = {0};

	for (size_t i = 0; cmd_table[i]; i++)
		if (cmd_table[i]->expose != EXPOSE_HIDDEN && !strchr(cmd_table[i]->name, ' '))
			help_offer(c, &offered, cmd_table[i]->name, typed);
	for (const struct cmd_group *g = cmd_groups; g->name; g++)
		help_offer(c, &offered, g->name, typed);
	for (const struct cmd_topic *t = cmd_topics; t->name; t++)
		help_offer(c, &offered, t->name, typed);
	return NULL;
}

static const struct param params[] = {
	PARAM(topic, .flags = ARG, .meta = "COMMAND|GROUP|TOPIC", .complete = help_complete,
	      .help = "a command, a group of commands, a page of the manual, or 'tools' for the "
		      "tools' names"),
	{0},
};

static const struct field command[] = {
	FIELD_OF(struct cmd, name, "the command"),
	FIELD_OF(struct cmd, tool, "its tool name", .flags = OPTIONAL),
	FIELD_OF(struct cmd, summary, "what it does"),
	{0},
};

static const struct field result[] = {
	FIELD_EMITTED("commands", F_LIST, command, "every command"),
	{0},
};

static bool help_is_about(const struct cmd *cmd, struct str topic)
{
	if (cmd->expose == EXPOSE_HIDDEN)
		return false;
	if (str_is(topic, "tools"))
		return cmd->tool && cmd->expose != EXPOSE_PERSON;
	return !topic.n || str_is(topic, cmd->name) || cmd_has_noun(cmd, topic) ||
	       (cmd_group_find(topic) && cmd_group_has(cmd_group_find(topic), cmd));
}

static const struct cmd_topic *help_topic(struct str name)
{
	for (const struct cmd_topic *t = cmd_topics; t->name; t++)
		if (str_is(name, t->name))
			return t;
	return NULL;
}

/* ---- a word that names nothing: what speaks of it ---- */

/* The name, the summary, or an option. */
static bool help_is_near(const struct cmd *cmd, struct str word)
{
	if (cmd->expose == EXPOSE_HIDDEN)
		return false;
	for (const struct param *p = cmd->params; p && p->name; p++)
		if (str_is(word, p->option ? p->option : p->name))
			return true;
	return cmd_text_has_word(str_of(cmd->name), word) ||
	       cmd_text_has_word(str_of(cmd->summary), word);
}

static bool help_is_none(struct str topic)
{
	return topic.n && !str_is(topic, "tools") && !help_topic(topic) && !cmd_find(topic) &&
	       !cmd_is_noun(topic) && !cmd_group_find(topic);
}

static struct err *help_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct str topic = str_join(c->a, &args->topic, " ");
	size_t n = 0, blank = str_find_char(topic, ' ', 0);
	bool near = help_is_none(topic) && blank == SIZE_MAX;

	(void)out;
	cmd_emit_begin_list(c, "commands");
	for (size_t i = 0; cmd_table[i]; i++)
		if (help_is_about(cmd_table[i], topic) ||
		    (near && help_is_near(cmd_table[i], topic))) {
			TRY(cmd_emit_row(c, cmd_table[i]));
			n++;
		}
	for (const struct cmd_topic *t = cmd_topics; t->name && near; t++)
		n += cmd_text_has_word(str_of(t->about), topic);
	if (n || !topic.n || help_topic(topic))
		return NULL;
	return cmd_unknown(c->a, str_sub(topic, 0, blank),
			   blank == SIZE_MAX ? STR("") : str_sub(topic, blank + 1, topic.n));
}

static struct err *help_row(struct call *c, const void *p, const void *row)
{
	const struct args *args = p;
	const struct cmd *cmd = row;
	struct str topic = str_join(c->a, &args->topic, " ");

	if (str_is(topic, "tools"))
		out_fmt(c->out, "%s\t%s\n", cmd->tool, cmd->summary);
	else if (str_is(topic, cmd->name) && !cmd_is_noun(topic) && !cmd_group_find(topic))
		cmd_print_help(c->out, cmd);
	else if (help_is_none(topic))
		out_fmt(c->out, "%s: ikm %s --help\n", cmd->summary, cmd->name);
	return NULL;
}

static void help_text(struct call *c, const void *p, const void *r)
{
	const struct args *args = p;
	struct str topic = str_join(c->a, &args->topic, " ");
	bool none = help_is_none(topic);

	(void)r;
	if (!topic.n)
		cmd_print_front_page(c->out);
	else if (cmd_group_find(topic))
		cmd_group_print(c->out, cmd_group_find(topic));
	else if (cmd_is_noun(topic))
		cmd_noun_print_verbs(c->out, topic);
	for (const struct cmd_topic *t = cmd_topics; t->name; t++)
		if (none ? cmd_text_has_word(str_of(t->about), topic)
			 : str_is(topic, t->name) && !str_is(topic, "tools"))
			out_fmt(c->out, "%s: man %s ikm-%s\n", t->about, t->section, t->name);
}

const struct cmd cmd_help = {
	.name = "help",
	.summary = "list the commands, or explain a command, group or topic",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	.result = result,
	.run = help_run,
	.row = help_row,
	.text = help_text,
};
