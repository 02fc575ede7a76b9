/* Which face was called, the answer or the error on it, and the exit status. Nothing else prints
 * errors or exits. */
#include "app.h"
#include "json/json.h"
#include <signal.h>
#include <unistd.h>

struct app {
	struct call call;
	struct cmd_common common;
	void *args;
	struct val *result;
};

static void print_error(struct app *app, const struct err *e)
{
	struct call *c = &app->call;
	struct val *envelope = err_envelope(c->a, e), *help = val_get(envelope, "help");

	if (c->json)
		out_json(c->out, envelope);
	out_styled(c->err, OUT_RED, STR("ikm"));
	out_puts(c->err, ": ");
	out_safe(c->err, str_of(err_message(e)), !c->json);
	out_puts(c->err, "\n");
	if (!c->json && help)
		VAL_EACH(val_get(help, "steps"), step) {
			out_puts(c->err, "  ");
			out_safe(c->err, step->s, false);
			out_puts(c->err, "\n");
		}
}

/* 0 when all is well; else the code's exit status. What was printed must have arrived. */
static int finish(struct app *app, struct err *e)
{
	struct call *c = &app->call;
	struct err *lost;
	int status = 0;

	if (e) {
		status = c->face == FACE_LIBEXEC ? 0 : err_exit(err_code(e));
		print_error(app, e);
	} else if (c->negative && c->face != FACE_LIBEXEC) {
		status = 1;
	}
	lost = out_flush(c->out);
	if (lost) {
		status = err_exit(err_code(lost));
		c->json = false;
		print_error(app, lost);
	}
	if (out_flush(c->err) && !status)
		status = err_exit(CODE_PROVIDER_ERROR);
	return status;
}

static void print_result(struct app *app)
{
	struct call *c = &app->call;

	if (!app->result)
		return;
	if (c->json || !c->cmd->text)
		out_json(c->out, app->result);
	else
		c->cmd->text(c, app->args, app->result);
}

/* A row of the table from parsed words. */
static struct err *run_argv(struct app *app, const struct cmd *cmd, char *const *argv, size_t n)
{
	struct call *c = &app->call;

	c->cmd = cmd;
	app->args = arena_alloc(c->a, size_max(cmd->args_size, 1));
	TRY(cmd_defaults(c->a, cmd_common_params, &app->common));
	if (cmd->params)
		TRY(cmd_defaults(c->a, cmd->params, app->args));
	/* Even the error about the arguments is JSON when that is asked for. */
	for (size_t i = 0; i < n && strcmp(argv[i], "--"); i++)
		c->json = c->json || !strcmp(argv[i], "--json");
	TRY(cmd_parse_argv(c->a, cmd, argv, n, app->args, &app->common));
	c->json = app->common.json || cmd == &cmd_call;
	if (app->common.color != OUT_COLOR_AUTO) {
		c->out = out_new(c->a, STDOUT_FILENO, (enum out_color)app->common.color);
		c->err = out_new(c->a, STDERR_FILENO, (enum out_color)app->common.color);
	}
	if (app->common.help) {
		c->json = false;
		cmd_print_help(c->out, cmd);
		return NULL;
	}
	if (app->common.dir.p && chdir(str_c(c->a, app->common.dir)))
		return err_new(E_BAD_ARGUMENT, "cannot change to the folder '%.*s'",
			       STR_ARG(app->common.dir));
	return NULL;
}

/* Where the command's name begins: behind the options of every command. */
static size_t command_at(struct arena *a, char *const *argv, size_t n)
{
	size_t i = 1;

	while (i < n && argv[i][0] == '-' && argv[i][1]) {
		bool takes = false;

		for (const struct param *p = cmd_common_params; p->name; p++) {
			char letter[3] = {'-', p->letter, 0};
			struct str option = str_fmt(a, "--%.*s", STR_ARG(param_option(a, p)));

			if (p->type != P_BOOL && ((p->letter && !strcmp(argv[i], letter)) ||
						  str_is(option, argv[i])))
				takes = true;
		}
		i += takes ? 2 : 1;
	}
	return i < n ? i : n;
}

/* The tool's JSON on standard input; a row of the table by its tool name. */
static struct err *run_json(struct app *app, struct str tool)
{
	struct call *c = &app->call;
	struct str text;
	struct val *input;
	struct err *e;

	c->json = true;
	c->cmd = cmd_find_tool(tool);
	if (!c->cmd || c->cmd->expose == EXPOSE_PERSON || c->cmd->expose == EXPOSE_HIDDEN)
		return cmd_unknown_tool(c->a, tool);
	app->args = arena_alloc(c->a, size_max(c->cmd->args_size, 1));
	TRY(os_read_fd(c->a, STDIN_FILENO, "standard input", JSON_BYTES_MAX, &text));
	if (!str_trim(text).n)
		text = STR("{}");
	if (c->cmd->params)
		TRY(cmd_defaults(c->a, c->cmd->params, app->args));
	e = json_read(c->a, text, NULL, &input);
	if (e)
		return err_in(e, "the input of %s", c->cmd->tool);
	TRY(cmd_parse_json(c->a, c->cmd, input, app->args));
	return app_run(c, &app->common, app->args, &app->result);
}

static void complete(struct app *app, char **argv, size_t n)
{
	int64_t index = 0;

	if (n > 3 && str_int(str_of(argv[2]), &index) && index >= 0)
		cmd_complete(app->call.out, argv + 3, n - 3, (size_t)index);
}

static struct err *dispatch(struct app *app, char **argv, size_t n)
{
	struct call *c = &app->call;
	size_t at = command_at(c->a, argv, n), used, words = 0;
	const struct cmd *cmd = cmd_find_words(argv + at, n - at, &used);
	char **rest;

	if (!cmd) {
		bool version = false;

		for (size_t i = 1; i < n; i++) {
			version = version || (i < at && !strcmp(argv[i], "--version"));
			c->json = c->json || !strcmp(argv[i], "--json");
		}
		if (at < n)
			return cmd_unknown(c->a, str_of(argv[at]));
		cmd = version ? &cmd_version : &cmd_help;
		if (n > 1 && !version && strcmp(argv[1], "--help") && strcmp(argv[1], "-h"))
			return cmd_unknown(c->a, str_of(argv[1]));
		TRY(run_argv(app, cmd, NULL, 0));
		return app_run(c, &app->common, app->args, &app->result);
	}
	/* Options before the command's name count as if they stood behind it. */
	rest = arena_array(c->a, n + 1, sizeof(*rest));
	for (size_t i = 1; i < at; i++)
		rest[words++] = argv[i];
	for (size_t i = at + used; i < n; i++)
		rest[words++] = argv[i];
	TRY(run_argv(app, cmd, rest, words));
	if (app->common.help)
		return NULL;
	if (cmd == &cmd_call) {
		c->face = FACE_CALL;
		return run_json(app, *(struct str *)app->args);
	}
	return app_run(c, &app->common, app->args, &app->result);
}

/* ikm-know-query is ikm know query; git-ikm is ikm; file-read in libexec is the tool file_read. */
static struct err *by_name(struct app *app, char **argv, size_t n)
{
	struct call *c = &app->call;
	struct str name = str_of(argv[0]);
	size_t slash = str_rfind_char(name, '/');
	char *tool, **words;
	size_t k = 0;

	if (slash != SIZE_MAX)
		name = str_sub(name, slash + 1, name.n);
	if (str_is(name, "ikm") || str_is(name, "git-ikm"))
		return dispatch(app, argv, n);
	if (str_starts(name, STR("ikm-"))) {
		struct str rest = str_sub(name, 4, name.n), part;

		words = arena_array(c->a, n + rest.n + 2, sizeof(*words));
		words[k++] = argv[0];
		while (str_split(&rest, '-', &part))
			words[k++] = str_c(c->a, part);
		for (size_t i = 1; i < n; i++)
			words[k++] = argv[i];
		return dispatch(app, words, k);
	}
	tool = str_c(c->a, name);
	for (char *p = tool; *p; p++)
		if (*p == '-')
			*p = '_';
	if (!cmd_find_tool(str_of(tool)))
		return dispatch(app, argv, n);
	c->face = FACE_LIBEXEC;
	c->json = true;
	if (n > 1 && !strcmp(argv[1], "--schema")) {
		app->result = cmd_schema(c->a, cmd_find_tool(str_of(tool)), SCHEMA_IKIGAI);
		return NULL;
	}
	if (n > 1)
		return err_help(err_new(E_BAD_ARGUMENT, "the tool %s takes no arguments", tool),
				"give it JSON on standard input, or --schema");
	return run_json(app, str_of(tool));
}

int main(int argc, char **argv)
{
	struct app app = {.call = {.a = arena_new()}};
	struct call *c = &app.call;
	struct err *e = NULL;
	int status;

	/* Without this, a closed pipe would end ikm before it can say so or clean up. */
	signal(SIGPIPE, SIG_IGN);
	c->out = out_new(c->a, STDOUT_FILENO, OUT_COLOR_AUTO);
	c->err = out_new(c->a, STDERR_FILENO, OUT_COLOR_AUTO);
	if (argc > 2 && !strcmp(argv[1], "--complete"))
		complete(&app, argv, (size_t)argc);
	else if (argc == 3 && !strcmp(argv[1], "--mdoc"))
		e = cmd_mdoc(c->out, str_of(argv[2]));
	else
		e = by_name(&app, argv, (size_t)(argc > 0 ? argc : 0));
	if (!e)
		print_result(&app);
	status = finish(&app, e);
	arena_free(c->a);
	return status;
}
