/* Translates the steps of an error's help for tools: a command line becomes a tool call. */
#include "cmd/cmd.h"
#include "json/json.h"

static const struct param *step_param(struct arena *a, const struct cmd *c, struct str option)
{
	for (const struct param *p = c->params; p && p->name; p++)
		if (!(p->flags & (ARG | CLI_ONLY)) && str_eq(param_option_name(a, p), option))
			return p;
	return NULL;
}

/* The next positional parameter. A parameter that takes several words is the last. */
static const struct param *step_positional(const struct cmd *c, const struct val *input)
{
	for (const struct param *p = c->params; p && p->name; p++)
		if (p->flags & ARG && !(p->flags & CLI_ONLY) &&
		    (p->type == P_STRS || !val_get(input, p->name)))
			return p;
	return NULL;
}

/* Sets a parameter in the input. False for types that steps never use. */
static bool step_set(struct arena *a, const struct param *p, struct str word, struct val *input)
{
	struct val *list = val_get(input, p->name);
	int64_t n;

	switch (p->type) {
	case P_STR:
	case P_CHOICE: val_set(a, input, p->name, val_str(a, word)); return true;
	case P_INT:
		if (!str_int(word, &n))
			return false;
		val_set(a, input, p->name, val_int(a, n));
		return true;
	case P_STRS:
	case P_CHOICES:
		if (!list)
			list = val_set(a, input, p->name, val_list(a));
		val_add(list, val_str(a, word));
		return true;
	default: return false;
	}
}

/*
 * Makes the tool's input from the words after the command's name. False when a word is no parameter
 * of the tool.
 */
static bool step_input(struct arena *a, const struct cmd *c, const struct strs *words, size_t from,
		       struct val *input)
{
	for (size_t i = from; i < words->n; i++) {
		struct str word = words->p[i];
		bool option = str_starts(word, STR("--"));
		const struct param *p = option ? step_param(a, c, str_sub(word, 2, word.n))
					       : step_positional(c, input);

		if (!p)
			return false;
		if (option && p->type == P_BOOL) {
			val_set(a, input, p->name, val_bool(a, true));
			continue;
		}
		if (option && ++i == words->n)
			return false;
		if (!step_set(a, p, words->p[i], input))
			return false;
	}
	return true;
}

/*
 * Makes "asset_restore with {…}" from "asset restore x.md", or the call that reaches it; empty for
 * other commands, and for a tool that the caller does not have.
 */
static struct str step_call(struct arena *a, struct str line, const struct cmd_reaches *how)
{
	struct strs words = {0};
	struct val *input = val_map(a);
	const struct cmd *c;
	struct str word;
	struct buf b = buf_in(a);
	char **argv;
	enum cmd_reach reach;
	size_t used;
	bool whole;

	while (str_next_part(&line, ' ', &word))
		strs_push(a, &words, word);
	argv = arena_array(a, words.n + 1, sizeof(*argv));
	for (size_t i = 0; i < words.n; i++)
		argv[i] = str_c(a, words.p[i]);
	c = cmd_find_words(argv, words.n, &used);
	if (!c || !c->tool || c->expose != EXPOSE_ALL)
		return STR("");
	/* How the caller calls this tool. */
	reach = how ? how->of(how->ctx, c) : CMD_LISTED;
	if (reach == CMD_NOT_OFFERED)
		return STR("");
	whole = step_input(a, c, &words, used, input) && input->n;
	if (reach == CMD_LISTED) {
		buf_fmt(&b, whole ? "%s with " : "%s", c->tool);
	} else {
		buf_fmt(&b, "%s with {\"name\":\"%s\"",
			c->traits & TOOL_READS ? "tool_call" : "tool_change", c->tool);
		buf_puts(&b, whole ? ",\"arguments\":" : "}");
	}
	if (whole) {
		json_write(&b, input, 0);
		buf_puts(&b, reach == CMD_LISTED ? "" : "}");
	}
	return buf_as_str(&b);
}

/*
 * Names the parameter in place of the option: "--dry-run" becomes "dryRun". A command line that a
 * person is to run stays, as in "a person may: ikm mem edit ID --redaction public".
 */
static struct str step_without_options(struct arena *a, const struct cmd *c, struct str step)
{
	size_t at = 0, command = str_find(step, STR(": ikm "), 0);
	struct buf b = buf_in(a);

	for (;;) {
		size_t from = str_find(step, STR("--"), at), to;
		const struct param *p;

		if (from == SIZE_MAX || from > command)
			break;
		for (to = from + 2;
		     to < step.n && (ascii_is_lower(step.p[to]) || step.p[to] == '-');)
			to++;
		p = step_param(a, c, str_sub(step, from + 2, to));
		buf_put(&b, str_sub(step, at, from));
		if (p)
			buf_fmt(&b, p->type == P_BOOL ? "%s: true" : "%s", p->name);
		else
			buf_put(&b, str_sub(step, from, to));
		at = to;
	}
	buf_put(&b, str_sub(step, at, step.n));
	return buf_as_str(&b);
}

struct str cmd_text_for_tools(struct arena *a, const struct cmd *c, const struct cmd_reaches *how,
			      struct str step)
{
	const struct str begin = STR("'ikm ");
	struct buf b = buf_in(a);
	size_t at = 0;

	for (;;) {
		size_t from = str_find(step, begin, at), to;
		struct str call;

		if (from == SIZE_MAX)
			break;
		to = str_find_char(step, '\'', from + begin.n);
		if (to == SIZE_MAX)
			break;
		call = step_call(a, str_sub(step, from + begin.n, to), how);
		buf_put(&b, str_sub(step, at, from));
		buf_put(&b, call.n ? call : str_sub(step, from, to + 1));
		at = to + 1;
	}
	buf_put(&b, str_sub(step, at, step.n));
	return step_without_options(a, c, buf_as_str(&b));
}

struct step_ctx {
	const struct cmd *cmd;
	const struct cmd_reaches *how;
};

/* A model behind a server has no command line, but it may tell its user about one. */
static struct str step_for_tools(struct arena *a, const void *p, struct str step)
{
	const struct step_ctx *ctx = p;
	struct str said = cmd_text_for_tools(a, ctx->cmd, ctx->how, step);

	if (ctx->how && str_holds(said, "'ikm ") && !str_holds(said, "person"))
		return str_fmt(a, "ask the user: %.*s", STR_ARG(said));
	return said;
}

void cmd_error_name_tools(struct arena *a, const struct cmd *c, const struct cmd_reaches *how,
			  struct err *e)
{
	const struct step_ctx ctx = {c, how};

	err_help_rewrite(e, a, step_for_tools, &ctx);
}
