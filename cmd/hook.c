/* hook: installs ikm in Git's hooks, removes it, and shows whether the hooks call it. */
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
	PARAM(global, .help = "for all your repositories, with the global core.hooksPath")
#define FORCE(what) PARAM(force, .help = what)
#define PREVIOUS(object)                                                                           \
	FIELD_AS(object, previous.path, "previous",                                                \
		 "the path of the earlier hook", .flags = OPTIONAL),                               \
	FIELD_AS(object, previous.runs, "previousRuns", "whether the earlier hook is executable, " \
							"and so runs first",                       \
		 .flags = OPTIONAL)
/* clang-format on */

static const struct param install_params[] = {
	HOOK,
	FORCE("also replace edited hooks, and hooks of other tools or configurations"),
	GLOBAL,
	{0},
};
static const struct param uninstall_params[] = {
	HOOK, FORCE("also remove edited hooks"), GLOBAL, {0}};
static const struct param status_params[] = {HOOK, GLOBAL, {0}};

#define R struct hook_change
static const struct field changed_hook[] = {
	FIELD_NAMED(R, name, "name", hook_names, "the hook"),
	FIELD_OF(R, path, "its file"),
	FIELD_NAMED(R, action, "action", hook_actions, "the action"),
	FIELD_OF(R, why, "why ikm did not change it", .flags = OPTIONAL),
	PREVIOUS(R),
	{0},
};
#undef R
#define R struct hook_changes
static const struct field changed[] = {
	FIELD_OF(R, changed, "whether anything changed"),
	FIELD_OF(R, directory, "where git looks for hooks"),
	FIELD_RECORDS(R, hooks, "hooks", changed_hook, "the hooks"),
	FIELD_OF(R, notes, "further information"),
	{0},
};
#undef R

static struct hook_options hook_cmd_options(const struct args *args)
{
	return (struct hook_options){args->hook.bits, args->force, args->global};
}

static struct err *hook_cmd_install(struct call *c, const void *args, void *out)
{
	struct hook_options o = hook_cmd_options(args);

	return hook_install(c->a, c->git, &o, out, &c->negative);
}

static struct err *hook_cmd_uninstall(struct call *c, const void *args, void *out)
{
	struct hook_options o = hook_cmd_options(args);

	return hook_uninstall(c->a, c->git, &o, out, &c->negative);
}

static void hook_cmd_print_previous(struct out *o, const struct hook_previous *p)
{
	if (!p->path)
		return;
	out_puts(o, "\n  the earlier hook is kept as ");
	out_safe(o, str_of(p->path), false);
	out_puts(o, p->runs.b ? ", and runs first" : ", and does not run: it is not executable");
}

static void hook_cmd_print_why(struct out *o, struct str why)
{
	if (!why.p)
		return;
	out_puts(o, "\n  ");
	out_safe(o, why, false);
}

static void hook_cmd_changed_text(struct call *c, const void *args, const void *p)
{
	const struct hook_changes *r = p;

	(void)args;
	for (size_t i = 0; i < r->hooks.n; i++) {
		const struct hook_change *h = &r->hooks.p[i];

		out_styled(c->out, OUT_BOLD, str_of(hook_names[h->name]));
		out_fmt(c->out, ": %s", hook_actions[h->action]);
		hook_cmd_print_previous(c->out, &h->previous);
		hook_cmd_print_why(c->out, h->why);
		out_puts(c->out, "\n");
	}
	for (size_t i = 0; i < r->notes.n; i++) {
		out_safe(c->out, r->notes.p[i], false);
		out_puts(c->out, "\n");
	}
	out_puts(c->out, r->changed ? "in " : "nothing to do in ");
	out_safe(c->out, str_of(r->directory), false);
	out_puts(c->out, "\n");
}

const struct cmd cmd_hook_install = {
	.name = "hook install",
	.summary = "make git run ikm before each commit and push",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, install_params),
	CMD_RESULT(struct hook_changes, changed),
	.run = hook_cmd_install,
	.text = hook_cmd_changed_text,
};

const struct cmd cmd_hook_uninstall = {
	.name = "hook uninstall",
	.summary = "remove ikm from git's hooks, and restore the earlier hooks",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, uninstall_params),
	CMD_RESULT(struct hook_changes, changed),
	.run = hook_cmd_uninstall,
	.text = hook_cmd_changed_text,
};

#define R struct hook_found
static const struct field status_hook[] = {
	FIELD_NAMED(R, name, "name", hook_names, "the hook"),
	FIELD_OF(R, path, "the path where git looks for it"),
	FIELD_NAMED(R, state, "state", hook_states, "the file at this path"),
	FIELD_OF(R, executable, "whether git would run it"),
	PREVIOUS(R),
	FIELD_OF(R, program, "the ikm that answered", .flags = OPTIONAL),
	FIELD_OF(R, why, "why git does not call ikm, or why this is not proven", .flags = OPTIONAL),
	FIELD_NAMED(R, fires, "fires", hook_proofs, "whether git got an answer from ikm"),
	{0},
};
#undef R
#define R struct hook_report
static const struct field status_result[] = {
	FIELD_OF(R, directory, "where git looks for hooks"),
	FIELD_AS(R, hooks_path, "hooksPath", "core.hooksPath", .flags = OPTIONAL),
	FIELD_OF(R, scope, "the scope of core.hooksPath", .flags = OPTIONAL),
	FIELD_NAMED(R, manager, "manager", hook_managers, "the tool that manages the hooks here",
		    .flags = OPTIONAL),
	FIELD_OF(R, skipped, "IKM_HOOKS=0 is set: the hooks skip ikm"),
	FIELD_RECORDS(R, hooks, "hooks", status_hook, "the hooks"),
	{0},
};
#undef R

static struct err *hook_cmd_status(struct call *c, const void *args, void *out)
{
	struct hook_options o = hook_cmd_options(args);

	return hook_status(c->a, c->git, &o, out, &c->negative);
}

static void hook_cmd_status_text(struct call *c, const void *args, const void *p)
{
	static const char *const says[] = {
		[HOOK_FIRES] = "fires",
		[HOOK_FIRES_NOT] = "does not fire",
		[HOOK_UNPROVEN] = "not proven",
	};
	const struct hook_report *r = p;

	(void)args;
	for (size_t i = 0; i < r->hooks.n; i++) {
		const struct hook_found *h = &r->hooks.p[i];

		out_styled(c->out, OUT_BOLD, str_of(hook_names[h->name]));
		out_puts(c->out, ": ");
		out_styled(c->out, h->fires == HOOK_FIRES ? OUT_GREEN : OUT_YELLOW,
			   str_of(says[h->fires]));
		if (h->program.p) {
			out_puts(c->out, ", runs ");
			out_safe(c->out, h->program, false);
		}
		hook_cmd_print_why(c->out, h->why);
		hook_cmd_print_previous(c->out, &h->previous);
		out_puts(c->out, "\n");
	}
	out_puts(c->out, "in ");
	out_safe(c->out, str_of(r->directory), false);
	if (r->scope.p)
		out_fmt(c->out, " (core.hooksPath, %.*s)", STR_ARG(r->scope));
	out_puts(c->out, "\n");
	if (r->skipped)
		out_puts(c->out, "IKM_HOOKS=0 is set here: hooks are skipped\n");
}

const struct cmd cmd_hook_status = {
	.name = "hook status",
	.summary = "test whether git's hooks call ikm",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, status_params),
	CMD_RESULT(struct hook_report, status_result),
	.run = hook_cmd_status,
	.text = hook_cmd_status_text,
};
