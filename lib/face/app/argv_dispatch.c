/* The faces: finds the command that the words or the program's name ask for, and reads its
 * parameters. */
#include "app.h"
#include "print_warnings.h"
#include "tool/tool.h"
#include <errno.h>
#include <unistd.h>

/* Reads the words behind the command's name, and applies the options that every command has. */
static struct err *face_parse(struct app *app, const struct cmd *cmd, char *const *argv, size_t n)
{
	struct call *c = &app->call;

	c->cmd = cmd;
	app->args = arena_alloc(c->a, size_max(cmd->args_size, 1));
	TRY(cmd_defaults(c->a, cmd_common_params, &app->common));
	if (cmd->params)
		TRY(cmd_defaults(c->a, cmd->params, app->args));
	/* When the words contain --json, errors about the arguments are JSON too. */
	c->json = cmd->prints_json;
	for (size_t i = 0; i < n && strcmp(argv[i], "--"); i++)
		c->json = c->json || !strcmp(argv[i], "--json");
	TRY(cmd_parse_argv(c->a, cmd, argv, n, app->args, &app->common));
	c->json = app->common.json || cmd->prints_json;
	if (app->common.color != OUT_COLOR_AUTO) {
		c->out = out_new(c->a, STDOUT_FILENO, (enum out_color)app->common.color);
		c->err = out_new(c->a, STDERR_FILENO, (enum out_color)app->common.color);
	}
	if (app->common.pager && !c->json && !cmd->serve)
		out_paging_begin(c->out);
	if (app->common.quiet && !c->json && !cmd->serve && !app->common.help)
		out_hold(c->out);
	if (app->common.help) {
		c->json = false;
		cmd_print_help(c->out, cmd);
		return NULL;
	}
	if (app->common.dir.p && chdir(str_c(c->a, app->common.dir)))
		return errno == EACCES
			       ? err_errno(errno, "change to the folder '%.*s'",
					   STR_ARG(app->common.dir))
			       : err_help(err_new(E_BAD_ARGUMENT,
						  "cannot change to the folder '%.*s': %s",
						  STR_ARG(app->common.dir), strerror(errno)),
					  "name a folder that exists after -C");
	return NULL;
}

/* Runs the command with these words. */
static struct err *face_run(struct app *app, const struct cmd *cmd, char *const *argv, size_t n)
{
	struct err *e = face_parse(app, cmd, argv, n);

	if (!e && !app->common.help && cmd->serve) {
		app_test_note_command(cmd);
		e = cmd->serve(&app->call, &app->common, app->args, &app->result);
	} else if (!e && !app->common.help) {
		e = app_run_command(&app->call, &app->common, app->args, &app->result);
	}
	return warnings_add_step_to_error(&app->call, e);
}

/* Whether the word is an option of every command that takes the next word as its value. */
static bool face_takes_word(struct arena *a, const char *word)
{
	for (const struct param *p = cmd_common_params; p->name; p++) {
		char letter[3] = {'-', p->letter, 0};

		if (p->type != P_BOOL &&
		    ((p->letter && !strcmp(word, letter)) ||
		     str_is(str_fmt(a, "--%.*s", STR_ARG(param_option_name(a, p))), word)))
			return true;
	}
	return false;
}

/* "-C" as "--directory": behind a command's name, a letter may be an option of the command. */
static char *face_long_option(struct arena *a, char *word)
{
	for (const struct param *p = cmd_common_params; p->name; p++) {
		struct str option = param_option_name(a, p);

		if (!p->letter || word[0] != '-' || word[1] != p->letter)
			continue;
		return str_c(a, word[2] ? str_fmt(a, "--%.*s=%s", STR_ARG(option), word + 2)
					: str_fmt(a, "--%.*s", STR_ARG(option)));
	}
	return word;
}

static struct err *face_dispatch(struct app *app, char **argv, size_t n)
{
	struct call *c = &app->call;
	size_t at = 1, used, words = 0;
	const struct cmd *cmd;
	char **rest;

	/* Options such as --json may precede the command's name. */
	while (at < n && argv[at][0] == '-' && argv[at][1])
		at += face_takes_word(c->a, argv[at]) ? 2 : 1;
	at = size_min(at, n);
	cmd = cmd_find_words(argv + at, n - at, &used);
	rest = arena_array(c->a, n + 1, sizeof(*rest));
	if (!cmd && at < n) {
		for (size_t i = 1; i < n; i++) {
			c->json = c->json || !strcmp(argv[i], "--json");
			if ((!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) &&
			    cmd_is_noun(str_of(argv[at]))) {
				c->json = false;
				cmd_noun_print_verbs(c->out, str_of(argv[at]));
				return NULL;
			}
		}
		return cmd_unknown(c->a, str_of(argv[at]),
				   at + 1 < n && argv[at + 1][0] != '-' ? str_of(argv[at + 1])
									: STR(""));
	}
	if (!cmd) {
		/* Without a command, --version runs "ikm version" and the rest "ikm help". */
		cmd = cmd_find(STR("help"));
		for (size_t i = 1; i < n; i++) {
			if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "-V"))
				cmd = cmd_find(STR("version"));
			else if (strcmp(argv[i], "--help") && strcmp(argv[i], "-h"))
				rest[words++] = argv[i];
		}
		return face_run(app, cmd, rest, words);
	}
	/* Options before the command's name have the same effect as behind it. */
	for (size_t i = 1; i < at; i++) {
		bool next = face_takes_word(c->a, argv[i]);

		rest[words++] = face_long_option(c->a, argv[i]);
		if (next && i + 1 < at)
			rest[words++] = argv[++i];
	}
	for (size_t i = at + used; i < n; i++)
		rest[words++] = argv[i];
	return face_run(app, cmd, rest, words);
}

/* Whether a command begins with these words: ikm-linux-amd64 is ikm under another name. */
static bool face_is_link(struct str words)
{
	struct str rest = words, first;

	str_next_part(&rest, '-', &first);
	return cmd_find(words) || cmd_find(first) || cmd_is_noun(first);
}

/* ikm-know-query is ikm know query; git-ikm is ikm; file-read in libexec is the tool file_read. */
struct err *app_run_argv(struct app *app, char **argv, size_t n)
{
	struct call *c = &app->call;
	struct str name = str_base(str_of(argv[0])), tool;
	char **words = arena_array(c->a, n + name.n + 4, sizeof(*words));
	size_t k = 0;

	if (str_is(name, "ikm") || str_is(name, "git-ikm"))
		return face_dispatch(app, argv, n);
	if (str_starts(name, STR("ikm-")) && face_is_link(str_sub(name, 4, name.n))) {
		struct str rest = str_sub(name, 4, name.n), part;

		words[k++] = argv[0];
		/* Some names contain a hyphen. */
		if (cmd_find(rest)) {
			words[k++] = str_c(c->a, rest);
			rest.n = 0;
		}
		while (str_next_part(&rest, '-', &part))
			words[k++] = str_c(c->a, part);
		for (size_t i = 1; i < n; i++)
			words[k++] = argv[i];
		return face_dispatch(app, words, k);
	}
	tool = tool_name_of_file(c->a, name);
	if (!cmd_find_tool(tool))
		return face_dispatch(app, argv, n);
	c->face = FACE_LIBEXEC;
	c->json = true;
	if (n > 1 && strcmp(argv[1], "--schema") != 0)
		return err_help(
			err_new(E_BAD_ARGUMENT, "the tool %.*s takes no arguments", STR_ARG(tool)),
			"give it JSON on standard input, or --schema");
	words[k++] = str_c(c->a, tool);
	if (n > 1)
		words[k++] = argv[1];
	return face_run(app, cmd_find(STR("call")), words, k);
}
