/* hook: puts ikm into Git's hooks, takes it out, tells whether it fires. */
#include "app/app.h"
#include "hook/hook.h"

struct args {
	struct cmd_bits hook;
	bool force, global;
};

/* clang-format off */
#define HOOK                                                                                       \
	PARAM(hook, .choices = hook_names, .meta = "NAME",                                         \
	      .help = "only this hook; may be repeated")
#define GLOBAL                                                                                     \
	PARAM(global, .help = "for all repositories of yours, by the global core.hooksPath")
#define FORCE(what) PARAM(force, .help = what)
/* clang-format on */

static const struct param install_params[] = {
	HOOK,
	FORCE("also where another tool or configuration has its hooks, or one was edited"),
	GLOBAL,
	{0},
};
static const struct param uninstall_params[] = {
	HOOK, FORCE("also one that was edited"), GLOBAL, {0}};
static const struct param status_params[] = {HOOK, GLOBAL, {0}};

static const struct field changed_hook[] = {
	{"name", "the hook", F_STR, .choices = hook_names},
	{"path", "its file", F_STR},
	{"action", "what was done", F_STR, .choices = hook_actions},
	{"previous", "where the hook that was there before is kept", F_STR, OPTIONAL},
	{"previousRuns", "it is executable, and runs first", F_BOOL, OPTIONAL},
	{"why", "why it was left", F_STR, OPTIONAL},
	{0},
};
static const struct field changed[] = {
	{"changed", "anything is different now", F_BOOL},
	{"directory", "where git looks for hooks", F_STR},
	{"hooks", "each hook", F_LIST, .sub = changed_hook},
	{"notes", "what else there is to know", F_STRS},
	{0},
};

static struct hook_options hook_cmd_options(const struct args *args)
{
	return (struct hook_options){args->hook.bits, args->force, args->global};
}

static struct err *install(struct call *c, const void *args, struct val **out)
{
	struct hook_options o = hook_cmd_options(args);

	return hook_install(c->a, c->git, &o, out, &c->negative);
}

static struct err *uninstall(struct call *c, const void *args, struct val **out)
{
	struct hook_options o = hook_cmd_options(args);

	return hook_uninstall(c->a, c->git, &o, out, &c->negative);
}

static void print_previous(struct out *o, const struct val *hook)
{
	const struct val *runs = val_get(hook, "previousRuns");

	if (!runs)
		return;
	out_puts(o, "\n  the hook from before is kept as ");
	out_safe(o, val_get_str(hook, "previous"), false);
	out_puts(o, runs->b ? ", and runs first" : ", and does not run: it is not executable");
}

static void print_why(struct out *o, const struct val *hook)
{
	if (!val_get(hook, "why"))
		return;
	out_puts(o, "\n  ");
	out_safe(o, val_get_str(hook, "why"), false);
}

static void hook_cmd_changed_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "hooks"), hook) {
		out_styled(c->out, OUT_BOLD, val_get_str(hook, "name"));
		out_fmt(c->out, ": %.*s", STR_ARG(val_get_str(hook, "action")));
		print_previous(c->out, hook);
		print_why(c->out, hook);
		out_puts(c->out, "\n");
	}
	VAL_EACH(val_get(r, "notes"), note) {
		out_safe(c->out, note->s, false);
		out_puts(c->out, "\n");
	}
	out_puts(c->out, val_get(r, "changed")->b ? "in " : "nothing to do in ");
	out_safe(c->out, val_get_str(r, "directory"), false);
	out_puts(c->out, "\n");
}

const struct cmd cmd_hook_install = {
	.name = "hook install",
	.summary = "have git ask ikm before each commit and push",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	.args_size = sizeof(struct args),
	.params = install_params,
	.result = changed,
	.run_val = install,
	.text_val = hook_cmd_changed_text,
};

const struct cmd cmd_hook_uninstall = {
	.name = "hook uninstall",
	.summary = "take ikm out of git's hooks, and put back what was there",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	.args_size = sizeof(struct args),
	.params = uninstall_params,
	.result = changed,
	.run_val = uninstall,
	.text_val = hook_cmd_changed_text,
};

static const struct field status_hook[] = {
	{"name", "the hook", F_STR, .choices = hook_names},
	{"path", "where git looks for it", F_STR},
	{"state", "what is there", F_STR, .choices = hook_states},
	{"executable", "git would run it", F_BOOL},
	{"fires", "whether git, when asked, got an answer from ikm", F_STR, .choices = hook_proofs},
	{"program", "the ikm that answered", F_STR, OPTIONAL},
	{"previous", "where the hook that was there before is kept", F_STR, OPTIONAL},
	{"previousRuns", "it is executable, and runs first", F_BOOL, OPTIONAL},
	{"why", "why it does not fire, or is not proven to", F_STR, OPTIONAL},
	{0},
};
static const struct field status_result[] = {
	{"directory", "where git looks for hooks", F_STR},
	{"hooksPath", "core.hooksPath", F_STR, OPTIONAL},
	{"scope", "whose configuration says so", F_STR, OPTIONAL},
	{"manager", "the tool that makes the hooks here", F_STR, OPTIONAL,
	 .choices = hook_managers},
	{"skipped", "IKM_HOOKS=0 is set: hooks are skipped", F_BOOL},
	{"hooks", "each hook", F_LIST, .sub = status_hook},
	{0},
};

static struct err *status(struct call *c, const void *args, struct val **out)
{
	struct hook_options o = hook_cmd_options(args);

	return hook_status(c->a, c->git, &o, out, &c->negative);
}

static void status_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "hooks"), hook) {
		struct str fires = val_get_str(hook, "fires");

		out_styled(c->out, OUT_BOLD, val_get_str(hook, "name"));
		out_puts(c->out, ": ");
		out_styled(c->out, str_is(fires, "yes") ? OUT_GREEN : OUT_YELLOW,
			   str_is(fires, "yes")  ? STR("fires")
			   : str_is(fires, "no") ? STR("does not fire")
						 : STR("not proven"));
		if (val_get(hook, "program")) {
			out_puts(c->out, ", runs ");
			out_safe(c->out, val_get_str(hook, "program"), false);
		}
		print_why(c->out, hook);
		print_previous(c->out, hook);
		out_puts(c->out, "\n");
	}
	out_puts(c->out, "in ");
	out_safe(c->out, val_get_str(r, "directory"), false);
	if (val_get(r, "scope"))
		out_fmt(c->out, " (core.hooksPath, %.*s)", STR_ARG(val_get_str(r, "scope")));
	out_puts(c->out, "\n");
	if (val_get(r, "skipped")->b)
		out_puts(c->out, "IKM_HOOKS=0 is set here: hooks are skipped\n");
}

const struct cmd cmd_hook_status = {
	.name = "hook status",
	.summary = "prove that git's hooks call ikm",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	.args_size = sizeof(struct args),
	.params = status_params,
	.result = status_result,
	.run_val = status,
	.text_val = status_text,
};
