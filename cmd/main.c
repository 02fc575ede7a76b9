/* The table of commands, and the main function. It prints the answer or the error of a call, and
 * sets the exit status. No other file exits. */
#include "app/app.h"
#include "cmd/groups.h"
#include "cmd/result_template.h"
#include "reply/plain_for_model.h"
#include "deps/deps.h"
#include "imports/imports.h"
#include "lint/show.h"
#include "app/print_warnings.h"
#include "exchange/sync_common.h"
#include <signal.h>
#include <unistd.h>

#define CMD(name) extern const struct cmd cmd_##name;
#include "list.h"
#undef CMD

const struct cmd *const cmd_table[] = {
#define CMD(name) &cmd_##name,
#include "list.h"
#undef CMD
	NULL,
};

static struct call *main_call;
static bool main_json; /* asked for, by words that are not parsed yet */

/* Prints the JSON error when memory ends. Drops what is not written yet of another answer. */
static void print_out_of_memory(void)
{
	static const char error[] = "{\"success\":false,\"errorCode\":\"PROVIDER_ERROR\","
				    "\"message\":\"out of memory\","
				    "\"details\":{\"reason\":\"OUT_OF_MEMORY\"},"
				    "\"retryable\":true,\"error\":\"out of memory\","
				    "\"error_code\":\"PROVIDER_ERROR\",\"help\":{\"steps\":["
				    "\"end other programs, or allow more: ulimit -v\"]}}\n";
	const struct cmd *cmd = main_call->cmd;
	bool rows = main_call->emitted.open; /* the error ends their object */

	if (cmd ? !main_call->json || (cmd->serve && !cmd->prints_json) : !main_json)
		return;
	if (rows)
		(void)!out_flush(main_call->out);
	if (rows)
		(void)!os_write_fd(STDOUT_FILENO, "standard output", STR("],"));
	(void)!os_write_fd(STDOUT_FILENO, "standard output", str_of(error + rows));
}

static void print_error(struct app *app, const struct err *e)
{
	struct call *c = &app->call;

	if (c->json)
		cmd_print_json(c, err_envelope(c->a, e));
	/* A person who sees both streams has read it. */
	if (!c->json || !out_is_terminal(c->out) || !out_is_terminal(c->err))
		print_error_with_steps(c, c->a, e);
}

#define STATUS_PIPE (128 + SIGPIPE)

/*
 * Returns the exit status: 0 for success, else the status of the error's code. Output that cannot
 * be written is an error too. STATUS_PIPE: the reader of standard output left early, as `head`
 * does, and nothing else failed.
 */
static int main_finish(struct app *app, struct err *e)
{
	struct call *c = &app->call;
	struct err *lost;
	int status = 0;

	if (e && err_reason(e) == E_CLOSED_PIPE && out_failed(c->out))
		return STATUS_PIPE;
	if (e) {
		app_test_note_error(e);
		status = c->face == FACE_LIBEXEC ? 0 : err_exit(err_code(e));
		print_error(app, e);
	} else if (c->negative && c->face != FACE_LIBEXEC) {
		status = 1;
		out_release(c->out);
	} else {
		status = c->status;
	}
	lost = out_paging_end(c->out);
	if (lost && err_reason(lost) == E_CLOSED_PIPE) {
		if (!e)
			return STATUS_PIPE;
	} else if (lost) {
		status = err_exit(err_code(lost));
		c->json = false;
		if (!e)
			err_help(lost, "the command is done; only its answer is lost");
		/* A command that prints rows has ended with the same error. */
		if (!e || strcmp(err_message(e), err_message(lost)) != 0)
			print_error(app, lost);
	}
	if (out_flush(c->err) && !status)
		status = err_exit(CODE_PROVIDER_ERROR);
	return status;
}

static struct err *main_complete(struct app *app, char **argv, size_t n)
{
	struct call *c = &app->call;
	const struct param *p = NULL;
	int64_t index = 0;

	if (n > 3 && str_int(str_of(argv[2]), &index) && index >= 0)
		p = cmd_complete(c->out, argv + 3, n - 3, (size_t)index);
	if (!p)
		return NULL;
	for (int64_t i = 0; i < index; i++)
		strs_push(c->a, &c->words, str_of(argv[3 + i]));
	return p->complete(c, str_of((size_t)index < n - 3 ? argv[3 + index] : ""));
}

/* Tries every branch of every template: a member that no row has ends the program with a BUG. */
static void main_templates(struct call *c)
{
	for (const struct cmd *const *p = cmd_table; *p; p++) {
		c->cmd = *p;
		if ((*p)->template)
			template_try_all_branches(c);
		if ((*p)->plain && (*p)->plain->template)
			template_used_fields(c->a, (*p)->plain->template, (*p)->result);
		if ((*p)->template || ((*p)->plain && (*p)->plain->template))
			out_fmt(c->out, "%s\n", (*p)->name);
	}
}

int main(int argc, char **argv)
{
	struct app app = {0};
	struct call *c = main_call = &app.call;
	struct err *e;
	int status;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		main_json |= !strcmp(argv[i], "--json");
	out_of_memory_first = print_out_of_memory;
	c->a = arena_new();
	e = os_standard_fds();
	/* Without this, a closed pipe would end ikm before it can say so or clean up. */
	signal(SIGPIPE, SIG_IGN);
	/* And a limit on the size of files would end it; so the write fails with EFBIG. */
	signal(SIGXFSZ, SIG_IGN);
	/* Our parent may ignore SIGCHLD; then we could not wait for children. */
	signal(SIGCHLD, SIG_DFL);
	c->out = out_new(c->a, STDOUT_FILENO, OUT_COLOR_AUTO);
	c->err = out_new(c->a, STDERR_FILENO, OUT_COLOR_AUTO);
	if (e)
		; /* nothing may be opened */
	else if (argc > 2 && !strcmp(argv[1], "--complete"))
		e = main_complete(&app, argv, (size_t)argc);
	else if (argc == 3 && !strcmp(argv[1], "--mdoc"))
		e = cmd_mdoc(c->out, str_of(argv[2]));
	else if (argc == 2 && !strcmp(argv[1], "--mdoc-errors"))
		cmd_mdoc_errors(c->out);
	else if (argc == 2 && !strcmp(argv[1], "--mdoc-commands"))
		cmd_mdoc_commands(c->out);
	else if (argc == 2 && !strcmp(argv[1], "--mdoc-options"))
		cmd_mdoc_global_options(c->out);
	else if (argc == 2 && !strcmp(argv[1], "--mdoc-settings"))
		cmd_mdoc_settings(c->out);
	else if (argc == 2 && !strcmp(argv[1], "--templates"))
		main_templates(c);
	else if (argc == 2 && !strcmp(argv[1], "--mdoc-rules"))
		lint_print_rules_mdoc(c->out);
	else if (argc == 2 && !strcmp(argv[1], "--mdoc-manifests"))
		deps_mdoc_formats(c->out);
	else if (argc == 2 && !strcmp(argv[1], "--mdoc-languages"))
		imports_print_languages_mdoc(c->out);
	else if (argc == 2 && !strcmp(argv[1], "--mdoc-pages"))
		cmd_mdoc_see_also(c->out);
	else
		e = app_run_argv(&app, argv, (size_t)(argc > 0 ? argc : 0));
	if (!e && app.result)
		cmd_print_json(c, app.result);
	else if (!e)
		cmd_print_text(c);
	progress_clear(false);
	status = main_finish(&app, e);
	out_of_memory_first = NULL;
	if (!e)
		sync_send_events(c);
	arena_free(c->a);
	/* After the cleanup, end by SIGPIPE as other filters do, so that the shell knows. */
	if (status == STATUS_PIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return status;
}
