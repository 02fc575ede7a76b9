/* bash: runs one shell command to its end (requirement: external tools, "Error Handling - Two
 * Layers"). */
#include "reply/plain_for_model.h"
#include "reply/result_fit.h"
#include "toolbox/all_tools.h"

/* The kernel accepts no longer argument, and the argument ends with a NUL. */
#define COMMAND_MAX 131071
#define OUT_KEEP    ((size_t)4 << 20)

struct args {
	struct str command, cwd;
	int64_t timeout_ms;
};

static const struct param params[] = {
	PARAM(command, .flags = ARG | REQUIRED, .min = 1, .max = COMMAND_MAX,
	      .help = "the command, in the language of bash"),
	PARAM(cwd, .meta = "DIR", .flags = PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the folder to run it in"),
	PARAM(timeout_ms, .meta = "MS", .min = 1, .max = 86400000,
	      .help = "the time limit in milliseconds; default: the setting tools.timeout",
	      .tool_help = "default: the setting tools.timeout"),
	{0},
};

struct result {
	/* stdout and stderr are macros of <stdio.h>, so these members have other names. */
	struct str out, err;
	int64_t exit_code;
	struct str output;
	bool timed_out;
	size_t lost_bytes;
	bool truncated;
	struct str more;
	bool replaced;
};

static const struct field result[] = {
	FIELD_AS(struct result, out, "stdout", "the command's standard output", .flags = COPY),
	FIELD_AS(struct result, err, "stderr", "the command's standard error", .flags = COPY),
	FIELD(exit_code, "its exit status; 128 + N when signal N ended it"),
	FIELD(output, "both outputs, in the order of writing"),
	FIELD(timed_out, "true: it was stopped at the time limit", .flags = IF_ANY),
	FIELD(lost_bytes, "bytes of output beyond 4 MiB each, which were dropped", .flags = IF_ANY),
	FIELD(truncated, "true when the middle of the output was left out", .flags = IF_ANY),
	FIELD(more, "the part that was left out, and how to get it", .flags = OPTIONAL),
	FIELD(replaced, "true when bytes that are not UTF-8 were replaced", .flags = IF_ANY),
	{0},
};

/* Keeps the beginning and the end of a long output, which say most. False when nothing was cut. */
static bool cut_middle(struct call *c, struct str *output, struct str *more)
{
	const struct fit *fit = answer_limit_of_call(c);
	size_t room = fit_room(fit), head, tail, lines = 0;
	struct str gone;

	if (!fit || fit_str_cost(fit, *output) <= room)
		return false;
	head = fit_head(fit, *output, room / 2);
	tail = fit_tail(fit, str_sub(*output, head, output->n), room / 2);
	gone = str_sub(*output, head, output->n - tail);
	for (size_t at = 0; (at = str_find_char(gone, '\n', at)) != SIZE_MAX; at++)
		lines++;
	*more = str_fmt(c->a,
			"%zu bytes (%zu lines) of %zu are left out from the middle of the output; "
			"write the output to a file and read it in parts, or filter it",
			gone.n, lines, output->n);
	*output = str_fmt(c->a, "%.*s[... %zu bytes (%zu lines) left out ...]\n%.*s",
			  STR_ARG(str_sub(*output, 0, head)), gone.n, lines,
			  STR_ARG(str_sub(*output, output->n - tail, output->n)));
	return true;
}

/* A person sees the output while the command runs. JSON has all of it at the end. */
static struct err *bash_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const char *argv[] = {"/bin/bash", "-c", str_c(c->a, args->command), NULL};
	bool kept = !cmd_emits_text(c);
	struct os_spawn s = {
		.argv = argv,
		.out_keep = OUT_KEEP,
		.err_keep = OUT_KEEP,
		.both = kept,
		.inherit_out = !kept,
		.contain = true,
	};
	struct result *done = out;
	struct tool_settings set;
	struct os_result r;
	struct err *e;

	TRY(tools_settings(c, &set));
	if (str_has_nul(args->command) || str_has_nul(args->cwd))
		return err_help(err_new(E_BAD_ARGUMENT, "a command or folder cannot hold a NUL"),
				"leave it out; the command may print one: printf '\\0'");
	if (args->cwd.p)
		s.cwd = str_c(c->a, args->cwd);
	s.timeout_ms = args->timeout_ms ? (unsigned)args->timeout_ms : set.timeout_ms;
	e = os_run(c->a, &s, &r);
	done->timed_out = e && err_reason(e) == E_TOOK_TOO_LONG;
	if (e && !done->timed_out)
		return e;
	c->negative = r.status != 0;
	if (!kept)
		return done->timed_out
			       ? err_help(err_new(E_TOOK_TOO_LONG,
						  "the command was stopped at the time limit"),
					  "raise the limit with --timeout-ms, or with the setting "
					  "tools.timeout")
			       : NULL;
	done->out = r.out;
	done->err = r.err;
	done->exit_code = r.status;
	done->output = str_utf8(c->a, r.both);
	done->replaced = !str_is_utf8(r.both);
	done->truncated = cut_middle(c, &done->output, &done->more);
	done->lost_bytes = r.out_lost + r.err_lost;
	return NULL;
}

static const struct plain bash_plain = {
	.template = "{output%n}{?timed_out:[stopped at the time limit]\n|"
		    "{?exit_code:[exit code {exit_code}]\n|{?!output:[exit code 0]\n}}}",
	.hidden = "stdout stderr truncated",
};

const struct cmd cmd_bash = {
	.name = "bash",
	.tool = "bash",
	.toolset = SET_FILES,
	.traits = TOOL_OPEN | TOOL_CORE | TOOL_LONG,
	.summary = "run a shell command to its end",
	.description = "Run a command with bash and wait for its end. Background processes that it "
		       "started are ended too. Gives its standard output, its standard error, both "
		       "in order, and the exit code.",
	.setting = &conf_settings[CONF_ID_tools_bash],
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = bash_run,
	.plain = &bash_plain,
};
