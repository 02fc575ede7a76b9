/* Runs a tool, and says how the tool broke the protocol (requirement: external tools, "Execution
 * Protocol"). */
#include "tool/tool.h"
#include "cmd/cmd.h"
#include "json/json.h"
#include "os/os.h"

#define ERRORS_MAX ((size_t)64 * 1024)
/* The part of a failed tool's output that the answer includes. More would only fill an agent's
 * context. */
#define TOLD_MAX ((size_t)16 * 1024)

static void fail(struct tool_outcome *o, enum tool_code code, struct str error)
{
	o->code = code;
	o->error = error;
}

static void tool_run_judge(struct arena *a, const struct tool *t, unsigned timeout_ms,
			   struct err *e, struct tool_outcome *o)
{
	struct str text = str_trim(o->out);

	if (e && err_reason(e) == E_TOOK_TOO_LONG) {
		fail(o, TOOL_TIMEOUT,
		     str_fmt(a, "Tool '%.*s' did not end within %u ms and was stopped",
			     STR_ARG(t->name), timeout_ms));
		o->steps = STR("if it needs longer, a person can raise the setting tools.timeout");
	} else if (e && err_reason(e) == E_TOO_BIG) {
		fail(o, INVALID_OUTPUT,
		     str_fmt(a, "Tool '%.*s' wrote more than %zu bytes and was stopped",
			     STR_ARG(t->name), TOOL_OUT_MAX));
	} else if (e) {
		fail(o, TOOL_CRASHED,
		     str_fmt(a, "Tool '%.*s' could not be run: %s", STR_ARG(t->name),
			     err_message(e)));
	} else if (o->exit_code) {
		fail(o, TOOL_CRASHED,
		     str_fmt(a, "Tool '%.*s' crashed with exit code %d", STR_ARG(t->name),
			     o->exit_code));
	} else {
		e = text.n ? json_read(a, o->out, NULL, &o->result)
			   : err_new(E_BAD_JSON, "it wrote nothing");
		if (e)
			fail(o, INVALID_OUTPUT,
			     str_fmt(a, "Tool '%.*s' wrote no valid JSON: %s", STR_ARG(t->name),
				     err_message(e)));
	}
}

bool tool_input_parse(struct arena *a, struct str input, struct val **out, struct tool_outcome *o)
{
	struct err *e = json_read(a, input, NULL, out);

	*o = (struct tool_outcome){0};
	if (e)
		fail(o, INVALID_PARAMS, str_fmt(a, "The parameters: %s", err_message(e)));
	else if ((*out)->type != VAL_MAP)
		fail(o, INVALID_PARAMS,
		     str_fmt(a, "The parameters must be a JSON object, not %s",
			     val_type_name((*out)->type)));
	return o->code == TOOL_OK;
}

void tool_run(struct arena *a, const struct tool *t, const struct tool_start *start,
	      struct tool_outcome *out)
{
	const char *argv[] = {t->path, NULL};
	struct os_spawn s = {
		.argv = argv,
		.cwd = start->cwd,
		.env = start->env,
		.in = start->input,
		.timeout_ms = start->timeout_ms,
		.out_max = TOOL_OUT_MAX,
		.err_keep = ERRORS_MAX,
		.contain = true,
	};
	struct os_stat st;
	struct os_result r;
	struct val *params;
	struct err *e;

	if (!tool_input_parse(a, start->input, &params, out))
		return;
	e = os_run(a, &s, &r);
	if (e && err_reason(e) == E_NO_PROGRAM && !os_stat(t->path, true, &st) &&
	    st.kind == OS_NONE) {
		fail(out, TOOL_NOT_FOUND,
		     str_fmt(a, "Tool '%.*s' is not there any more: '%s'", STR_ARG(t->name),
			     t->path));
		out->steps = STR("a person can run 'ikm tool refresh'");
		return;
	}
	out->ran = !e || err_reason(e) == E_TOOK_TOO_LONG || err_reason(e) == E_TOO_BIG;
	out->exit_code = r.status;
	out->out = r.out;
	out->err = r.err;
	tool_run_judge(a, t, start->timeout_ms, e, out);
}

void tool_not_found(struct arena *a, const struct tools *known, struct str name,
		    const struct strs *names, struct tool_outcome *out)
{
	const struct tool_skipped *why = NULL;
	struct str near = {0};

	*out = (struct tool_outcome){0};
	for (size_t i = 0; name.n && i < known->skipped.n; i++)
		if (str_eq(known->skipped.p[i].name, name))
			why = &known->skipped.p[i];
	if (!why)
		near = cmd_tool_meant(name, names);
	/* The tool may lie in a folder that was not searched. */
	for (size_t i = 0; !why && !near.n && i < known->skipped.n; i++)
		if (known->skipped.p[i].folder)
			why = &known->skipped.p[i];
	fail(out, TOOL_NOT_FOUND,
	     why      ? str_fmt(a, "Tool '%.*s' not found: '%s' was skipped: %.*s", STR_ARG(name),
				why->path, STR_ARG(why->why))
	     : near.n ? str_fmt(a, "Tool '%.*s' not found; did you mean '%.*s'?", STR_ARG(name),
				STR_ARG(near))
		      : str_fmt(a, "Tool '%.*s' not found", STR_ARG(name)));
	out->steps = STR("run 'ikm tool list' for the tools");
}

/* ---- the wrapper and the error ---- */

const char *tool_error_code_name(enum tool_code code)
{
	static const char *const names[] = {
		[TOOL_OK] = "",
		[TOOL_TIMEOUT] = "TOOL_TIMEOUT",
		[TOOL_CRASHED] = "TOOL_CRASHED",
		[INVALID_OUTPUT] = "INVALID_OUTPUT",
		[INVALID_PARAMS] = "INVALID_PARAMS",
		[TOOL_NOT_FOUND] = "TOOL_NOT_FOUND",
	};

	return names[code];
}

/* Another member gives the full length. */
static void tell_output(struct arena *a, struct val *v, const char *member, const char *bytes,
			struct str s)
{
	struct str head = str_utf8_head(s, TOLD_MAX);

	val_set(a, v, member, val_str(a, str_utf8(a, head)));
	if (head.n < s.n)
		val_set(a, v, bytes, val_int(a, (int64_t)s.n));
}

struct val *tool_outcome_wrap(struct arena *a, const struct tool_outcome *o)
{
	struct val *v = val_map(a), *details, *help;

	val_set(a, v, "tool_success", val_bool(a, o->code == TOOL_OK));
	if (o->code == TOOL_OK) {
		val_set(a, v, "result", val_copy_shallow(a, o->result));
		return v;
	}
	val_set(a, v, "error", val_str(a, str_utf8(a, o->error)));
	val_set(a, v, "error_code", val_str(a, str_of(tool_error_code_name(o->code))));
	if (o->ran) {
		details = val_set(a, v, "details", val_map(a));
		val_set(a, details, "exit_code", val_int(a, o->exit_code));
		tell_output(a, details, "stdout", "stdout_bytes", o->out);
		tell_output(a, details, "stderr", "stderr_bytes", o->err);
	}
	if (o->steps.n) {
		help = val_set(a, v, "help", val_map(a));
		val_add(val_set(a, help, "steps", val_list(a)), val_str(a, o->steps));
	}
	return v;
}

struct err *tool_outcome_as_error(struct arena *a, const struct tool_outcome *o)
{
	static const enum err_reason reasons[] = {
		[TOOL_TIMEOUT] = E_TOOK_TOO_LONG,    [TOOL_CRASHED] = E_PROGRAM_FAILED,
		[INVALID_OUTPUT] = E_PROGRAM_FAILED, [INVALID_PARAMS] = E_BAD_JSON,
		[TOOL_NOT_FOUND] = E_NO_SUCH_TOOL,
	};
	struct err *e;

	if (o->code == TOOL_OK)
		return NULL;
	e = err_new(reasons[o->code], "%s", str_c(a, str_utf8(a, o->error)));
	err_add_detail(e, "tool_error", str_of(tool_error_code_name(o->code)));
	if (o->ran) {
		err_detail_int(e, "exit_code", o->exit_code);
		err_add_detail(e, "stderr", str_utf8(a, str_sub(str_trim(o->err), 0, 500)));
	}
	return o->steps.n ? err_help(e, "%.*s", STR_ARG(o->steps)) : e;
}
