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
	{"name", "the command", F_STR},
	{"tool", "its name as a tool", F_STR, OPTIONAL},
	{"summary", "what it does", F_STR},
	{0},
};

static const struct field result[] = {
	{"commands", "every command", F_LIST, .sub = command},
	{0},
};

static bool help_listed(const struct cmd *cmd)
{
	return cmd->expose != EXPOSE_HIDDEN;
}

static struct err *help_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct val *list = val_list(c->a);
	struct str topic = str_join(c->a, &args->topic, " ");
	struct str noun = str_fmt(c->a, "%.*s ", STR_ARG(topic));

	for (size_t i = 0; cmd_table[i]; i++) {
		const struct cmd *cmd = cmd_table[i];
		struct str name = str_of(cmd->name);
		struct val *v;

		if (!help_listed(cmd) || (topic.n && !str_is(topic, "tools") &&
					  !str_eq(name, topic) && !str_starts(name, noun)))
			continue;
		if (str_is(topic, "tools") && (!cmd->tool || cmd->expose == EXPOSE_PERSON))
			continue;
		v = val_add(list, val_map(c->a));
		val_set(c->a, v, "name", val_str(c->a, name));
		if (cmd->tool)
			val_set(c->a, v, "tool", val_str(c->a, str_of(cmd->tool)));
		val_set(c->a, v, "summary", val_str(c->a, str_of(cmd->summary)));
	}
	if (topic.n && !list->n) {
		size_t blank = str_find_char(topic, ' ', 0);

		return cmd_unknown(c->a, str_sub(topic, 0, blank),
				   blank == SIZE_MAX ? STR("")
						     : str_sub(topic, blank + 1, topic.n));
	}
	*out = val_map(c->a);
	val_set(c->a, *out, "commands", list);
	return NULL;
}

static void help_text(struct call *c, const void *p, const struct val *r)
{
	const struct args *args = p;
	const struct val *list = val_get(r, "commands");
	struct str topic = str_join(c->a, &args->topic, " ");

	if (!topic.n || cmd_is_noun(topic)) {
		cmd_overview(c->out, topic);
		return;
	}
	if (str_is(topic, "tools")) {
		VAL_EACH(list, v)
			out_fmt(c->out, "%.*s\t%.*s\n", STR_ARG(val_get_str(v, "tool")),
				STR_ARG(val_get_str(v, "summary")));
		return;
	}
	VAL_EACH(list, v) {
		cmd_print_help(c->out, cmd_find(val_get_str(v, "name")));
		if (v->next)
			out_puts(c->out, "\n");
	}
}

const struct cmd cmd_help = {
	.name = "help",
	.summary = "list the commands, or explain one",
	.expose = EXPOSE_PERSON,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = help_run,
	.text_val = help_text,
};
