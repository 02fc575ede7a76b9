#include "app/app.h"
#include "os/os.h"

struct args {
	struct strs topic;
};

static const struct param params[] = {
	PARAM(topic, .flags = ARG, .meta = "COMMAND",
	      .help = "a command, or 'tools' for the tools' names"),
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
	return !topic.n || str_is(topic, cmd->name) || cmd_is_of(cmd, topic);
}

static struct err *help_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct str topic = str_join(c->a, &args->topic, " ");
	size_t n = 0, blank = str_find_char(topic, ' ', 0);

	(void)out;
	cmd_emit_to(c, "commands");
	for (size_t i = 0; cmd_table[i]; i++)
		if (help_is_about(cmd_table[i], topic)) {
			TRY(cmd_emit(c, cmd_table[i]));
			n++;
		}
	if (n || !topic.n)
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
	else if (str_is(topic, cmd->name) && !cmd_is_noun(topic))
		cmd_print_help(c->out, cmd);
	return NULL;
}

static void help_text(struct call *c, const void *p, const void *r)
{
	const struct args *args = p;
	struct str topic = str_join(c->a, &args->topic, " ");

	(void)r;
	if (!topic.n || cmd_is_noun(topic))
		cmd_overview(c->out, topic);
}

const struct cmd cmd_help = {
	.name = "help",
	.summary = "list the commands, or explain one",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	.result = result,
	.run = help_run,
	.row = help_row,
	.text = help_text,
};
