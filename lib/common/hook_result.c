#include "hook_result.h"

/* clang-format off */
#define PREVIOUS(object)                                                                           \
	FIELD_AS(object, previous.path, "previous",                                                \
		 "the path of the earlier hook", .flags = OPTIONAL),                               \
	FIELD_AS(object, previous.runs, "previousRuns", "whether the earlier hook is executable, " \
							"and so runs first",                       \
		 .flags = OPTIONAL)
/* clang-format on */

#define R struct hook_change
const struct field hook_change_fields[] = {
	FIELD_NAMED(R, name, "name", hook_names, "the hook"),
	FIELD_OF(R, path, "its file, or its section of git's configuration"),
	FIELD_OF(R, configuration,
		 "the scope of git's configuration, local or global; absent: it is a file",
		 .flags = OPTIONAL),
	FIELD_NAMED(R, action, "action", hook_actions, "the action"),
	FIELD_OF(R, why, "why ikm did not change it, or git does not run it", .flags = OPTIONAL),
	PREVIOUS(R),
	{0},
};
#undef R
#define R struct hook_found
const struct field hook_found_fields[] = {
	FIELD_NAMED(R, name, "name", hook_names, "the hook"),
	FIELD_OF(R, path, "the path where git looks for it"),
	FIELD_NAMED(R, state, "state", hook_states, "the file at this path"),
	FIELD_OF(R, executable, "whether git would run it"),
	PREVIOUS(R),
	FIELD_OF(R, configured, "the scope of git's configuration that calls ikm",
		 .flags = OPTIONAL),
	FIELD_OF(R, program, "the ikm that answered", .flags = OPTIONAL),
	FIELD_OF(R, why, "why git does not call ikm, or why this is not proven", .flags = OPTIONAL),
	FIELD_NAMED(R, fires, "fires", hook_proofs, "whether git got an answer from ikm"),
	{0},
};
#undef R

void hook_print_previous(struct out *o, const struct hook_previous *p)
{
	if (!p->path)
		return;
	out_puts(o, "\n  the earlier hook is kept as ");
	out_safe(o, str_of(p->path), false);
	out_puts(o, p->runs.b ? ", and runs first" : ", and does not run: it is not executable");
}

void hook_print_why(struct out *o, struct str why)
{
	if (!why.p)
		return;
	out_puts(o, "\n  ");
	out_safe(o, why, false);
}

void hook_notes_print(struct out *o, const struct strs *notes)
{
	for (size_t i = 0; i < notes->n; i++) {
		out_safe(o, notes->p[i], false);
		out_puts(o, "\n");
	}
}

void hook_changes_print(struct out *o, const struct hook_changes *r)
{
	for (size_t i = 0; i < r->hooks.n; i++) {
		const struct hook_change *h = &r->hooks.p[i];

		out_styled(o, OUT_BOLD, str_of(hook_names[h->name]));
		out_fmt(o, ": %s", hook_actions[h->action]);
		if (h->configuration)
			out_fmt(o, ", as %s in git's %s configuration", h->path, h->configuration);
		hook_print_previous(o, &h->previous);
		hook_print_why(o, h->why);
		out_puts(o, "\n");
	}
	hook_notes_print(o, &r->notes);
	out_puts(o, r->changed ? "" : "nothing to do");
	if (r->directory) {
		out_puts(o, r->changed ? "in " : " in ");
		out_safe(o, str_of(r->directory), false);
	}
	if (r->directory || !r->changed)
		out_puts(o, "\n");
}

void hook_report_print(struct out *o, const struct hook_report *r)
{
	static const char *const says[] = {
		[HOOK_FIRES] = "fires",
		[HOOK_FIRES_NOT] = "does not fire",
		[HOOK_UNPROVEN] = "not proven",
	};

	for (size_t i = 0; i < r->hooks.n; i++) {
		const struct hook_found *h = &r->hooks.p[i];

		out_styled(o, OUT_BOLD, str_of(hook_names[h->name]));
		out_puts(o, ": ");
		out_styled(o, h->fires == HOOK_FIRES ? OUT_GREEN : OUT_YELLOW,
			   str_of(says[h->fires]));
		if (h->program.p) {
			out_puts(o, ", runs ");
			out_safe(o, h->program, false);
		}
		if (h->configured.p)
			out_fmt(o, "%s git's %.*s configuration%s",
				h->state == HOOK_IS_OURS ? "\n " : ", in", STR_ARG(h->configured),
				h->state == HOOK_IS_OURS
					? " calls ikm too, and leaves it to the file"
					: "");
		hook_print_why(o, h->why);
		hook_print_previous(o, &h->previous);
		out_puts(o, "\n");
	}
	out_puts(o, "in ");
	out_safe(o, str_of(r->directory), false);
	if (r->scope.p)
		out_fmt(o, " (core.hooksPath, %.*s)", STR_ARG(r->scope));
	out_puts(o, "\n");
	if (r->skipped)
		out_puts(o, "IKM_HOOKS=0 is set here: hooks are skipped\n");
	hook_notes_print(o, &r->notes);
}
