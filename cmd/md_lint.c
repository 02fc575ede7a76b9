/*
 * md lint: judges one file of the garden as it is (requirement: garden, md.lint and lint.check).
 * `ikm lint` is the same for many files, with formats for other programs.
 */
#include "paths/open_files_for_call.h"
#include "paths/split_garden_paths.h"
#include "garden/garden.h"

struct args {
	struct str path;
};

static const struct param params[] = {
	PARAM_FILE,
	{0},
};

struct result {
	struct strs warnings;
	bool blocked;
	struct strs blockedReasons;
	struct garden_diagnostics diagnostics;
};

static const struct field result[] = {
	FIELD(warnings, "faults that block nothing"),
	FIELD(blocked, "a write that made this text anew would be blocked"),
	FIELD(blockedReasons, "why", .flags = IF_ANY),
	FIELD_RECORDS(struct result, diagnostics, "diagnostics", garden_diagnostic_fields,
		      "the same with rule and place, and hints"),
	{0},
};

static struct err *md_lint_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct file_ref ref;
	struct files *f;
	struct str text, path;
	bool inside = false;

	TRY(files_open(c, &f));
	TRY(file_ref_resolve(f, args->path, &ref));
	TRY(file_read(f, c->a, &ref, FILE_BYTES_MAX, &text));
	if (!str_starts(args->path, STR("ikigai:")))
		TRY(garden_path_of(c, args->path, &path, &inside));
	if (!inside)
		return err_help(err_new(E_BAD_PATH, "'%.*s' is not in the garden's users/",
					STR_ARG(args->path)),
				"for a decision: ikm lint '%.*s'; the garden is ~/.ikigai/garden, "
				"or the folder that garden.path names",
				STR_ARG(args->path));
	garden_lint_text(c->a, path, text, &r->diagnostics);
	VEC_EACH(struct garden_diagnostic, d, &r->diagnostics) {
		struct str line = garden_diagnostic_text(c->a, d);

		d->blocks = d->severity == GARDEN_ERROR;
		if (d->blocks)
			strs_push(c->a, &r->blockedReasons, line);
		else if (d->severity == GARDEN_WARNING)
			strs_push(c->a, &r->warnings, line);
	}
	r->blocked = r->blockedReasons.n > 0;
	c->negative = r->blocked;
	return NULL;
}

const struct cmd cmd_md_lint = {
	.name = "md lint",
	.tool = "md_lint",
	.tool_also = "lint_check",
	.toolset = SET_GARDEN,
	.traits = TOOL_READS,
	.summary = "judge one file of the garden by its rules",
	.description =
		"Judge a file of the garden as it is: warnings, what a write would be blocked "
		"for, and every fault with its rule, line and fix. Run it after a write "
		"whose answer has warnings.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = md_lint_run,
	.template = "{/blockedReasons:error: {.}\n}{/warnings:warning: {.}\n}",
};
