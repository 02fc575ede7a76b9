/*
 * slash: runs the slash commands that an agent may use (requirements: assets, "Block Budget
 * Enforcement"; external tools, "/refresh Command"). Each slash command is a row of the command
 * table, and runs like a call of that row.
 */
#include "assets/asset_common.h"
#include "reply/plain_for_model.h"

struct args {
	struct str command, name;
};

static struct err *slash_complete(struct call *c, struct str typed);

static const struct param params[] = {
	PARAM(command, .flags = ARG | REQUIRED, .min = 1, .max = 8192, .complete = slash_complete,
	      .help = "the line, such as '/compact blocks/decisions'"),
	PARAM(name, .flags = ARG | CLI_ONLY, .min = 1, .max = 4096, .complete = asset_complete,
	      .help = "the name, if it is a separate word"),
	{0},
};

struct result {
	struct str command, text;
	struct val *result;
};

static const struct field result[] = {
	FIELD(command, "the line"),
	FIELD(text, "the output for a person"),
	FIELD_TREE(struct result, result, "result", F_OBJ, NULL, "the result of the command"),
	{0},
};

static const struct slash {
	const char *name;
	const char *cmd;
	bool takes_name;  /* it takes the name of an asset */
	const char *also; /* a parameter that the slash command sets, and its value */
	const char *value;
} lines[] = {
	{"/blocks", "asset list", false, "category", "block"},
	{"/budget", "asset budget"},
	{"/compact", "compact", true, "yes", NULL},
	{"/pin", "asset pin", true},
	{"/pinned", "asset pinned"},
	{"/refresh", "tool refresh"},
	{"/tool", "tool list"},
	{"/unpin", "asset unpin", true},
};

static struct err *slash_complete(struct call *c, struct str typed)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		cmd_candidate(c->out, typed, str_of(lines[i].name), str_of(lines[i].cmd));
	return NULL;
}

static struct err *slash_bad(struct arena *a, struct str line, const char *what)
{
	struct err *e = err_new(E_BAD_ARGUMENT, "'%.*s': %s", STR_ARG(line), what);
	struct strs all = {0};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		strs_push(a, &all,
			  str_fmt(a, "%s%s", lines[i].name, lines[i].takes_name ? " NAME" : ""));
	err_add_detail(e, "parameter", STR("command"));
	return err_help(e, "slash commands: %.*s", STR_ARG(str_join(a, &all, ", ")));
}

/* Takes one word from the line. Blanks separate words, quotes join them, and a backslash keeps the
 * next character. False when a quote is open at the end. */
static bool slash_take_word(struct arena *a, struct str *rest, struct str *word, bool *found)
{
	struct buf b = buf_in(a);
	char quote = 0;
	size_t i = 0;

	*rest = str_trim(*rest);
	*found = rest->n > 0;
	for (; i < rest->n; i++) {
		char ch = rest->p[i];

		if (!quote && strchr(" \t\r\n\v\f", ch) && ch)
			break;
		if (quote ? ch == quote : ch == '"' || ch == '\'')
			quote = quote ? 0 : ch;
		else if (ch == '\\' && quote != '\'' && i + 1 < rest->n)
			buf_putc(&b, rest->p[++i]);
		else
			buf_putc(&b, ch);
	}
	*rest = str_sub(*rest, i, rest->n);
	*word = buf_as_str(&b);
	return !quote;
}

static struct err *slash_read_line(struct arena *a, const struct args *args,
				   const struct slash **out, struct str *name)
{
	const struct slash *slash = lines;
	struct str line = args->command, rest = line, word;
	struct strs words = {0};
	bool found = true;

	*out = slash;
	*name = STR("");
	while (found) {
		if (!slash_take_word(a, &rest, &word, &found))
			return slash_bad(a, line, "a quote is not closed");
		if (found)
			strs_push(a, &words, word);
	}
	if (args->name.p)
		strs_push(a, &words, args->name);
	while (words.n && slash < lines + ARRAY_SIZE(lines) && !str_is(words.p[0], slash->name))
		slash++;
	if (!words.n || slash == lines + ARRAY_SIZE(lines))
		return slash_bad(a, line, "unknown slash command");
	if (words.n > 1 && !slash->takes_name)
		return slash_bad(a, line, "this command takes no name");
	if (words.n > 2)
		return slash_bad(a, line, "this command takes only one name");
	if (words.n < 2 && slash->takes_name)
		return slash_bad(a, line, "give the name of an asset");
	*out = slash;
	if (words.n > 1)
		*name = words.p[1];
	return NULL;
}

static struct err *slash_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct slash *slash;
	struct result *r = out;
	struct call inner;
	struct val *input;
	struct files *f;
	struct str name, path;
	void *given;

	TRY(slash_read_line(c->a, args, &slash, &name));
	input = val_map(c->a);
	/* A name is always an asset, even if a file has the same name. */
	if (slash->takes_name) {
		TRY(files_open(c, &f));
		TRY(asset_resolve(f->assets, c->a, name, &path));
		val_set(c->a, input, "path", val_str(c->a, asset_uri(c->a, path)));
	}
	if (slash->also)
		val_set(c->a, input, slash->also,
			slash->value ? val_str(c->a, str_of(slash->value)) : val_bool(c->a, true));
	/* One store for both, so that damage is reported with this result. */
	app_store(c);
	inner = *c;
	inner.cmd = cmd_find(str_of(slash->cmd));
	inner.json = true;
	inner.out = inner.err = out_new_in_memory(c->a);
	TRY(cmd_parse_json_new_args(c->a, inner.cmd, input, &given));
	TRY(cmd_run(&inner, given, &r->result));
	c->negative = inner.negative;
	cmd_print_text(&inner);
	r->text = out_text_so_far(inner.out);
	r->command = args->name.p ? str_fmt(c->a, "%.*s %.*s", STR_ARG(args->command),
					    STR_ARG(args->name))
				  : args->command;
	return NULL;
}

/* The result has the same facts as the text, for programs. */
static const struct plain slash_plain = {.body = "text", .hidden = "command result"};

const struct cmd cmd_slash = {
	.name = "slash",
	.tool = "slash_command",
	.toolset = SET_FILES,
	.summary = "run a slash command on stored assets and tools",
	.description = "Run /pin NAME, /unpin NAME, /compact NAME, /pinned, /blocks, /budget, "
		       "/tool or /refresh. Names are stored assets. /compact writes the "
		       "compacted text; the former version is kept.",
	.need = NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = slash_run,
	.template = "{text%b}",
	.plain = &slash_plain,
};
