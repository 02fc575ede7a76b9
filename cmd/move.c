/* move: renames a file or stored asset (requirement: garden, fs.move). For maintainers. */
#include "paths/change_common.h"
#include "app/print_warnings.h"

struct args {
	struct audit audit;
	struct str path, newPath, ifMatch;
	bool parents;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(newPath, .flags = ARG | REQUIRED | PATHS | GARDEN_NAMES, .min = 1, .max = OS_PATH_MAX,
	      .also = "new_path", .complete = uri_complete,
	      .help = "its new name, which must not exist yet"),
	PARAM_IF_MATCH,
	PARAM_PARENTS,
	PARAMS_AUDIT,
	{0},
};

struct result {
	bool ok;
	struct file_done done;
	bool replayed;
};

static const struct field result[] = {
	FIELD(ok, "always true"),
	FIELD_AS(struct result, done.event, "event", "the record of the move, for undo",
		 .flags = IF_ANY),
	FIELDS_KEPT(struct result, done),
	FIELD_REPLAYED(replayed),
	FIELD_AS(struct result, done.warnings, "warnings", "file properties that could not be kept",
		 .flags = IF_ANY),
	{0},
};

static struct err *move_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct file_write w = {.op = "move", .if_match = args->ifMatch};
	struct result *r = out;
	struct file_ref from, to;

	TRY(file_ref_resolve(f, args->path, &from));
	TRY(file_ref_resolve(f, args->newPath, &to));
	/* A file may get the other form of its own name. */
	if (str_eq(to.path, from.path) && !str_eq(to.shown, args->newPath)) {
		to.path = to.shown = args->newPath;
		c->notes.n--;
	}
	w.flags = args->parents ? OS_PARENTS : 0;
	r->ok = true;
	return file_move(f, &from, &to, &w, &r->done);
}

static struct err *move_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {.audit = &args->audit, .path = args->path, .run = move_do};

	return files_run_write_tool(c, &w, p, out);
}

static struct err *move_refused(struct call *c, const void *p, struct err *why)
{
	const struct args *args = p;
	const struct saga_attempt q = {.op = "move", .path = args->path, .path_to = args->newPath};

	return files_record_refusal(c, &args->audit, &q, why);
}

const struct cmd cmd_move = {
	.name = "move",
	.tool = "fs_move",
	.toolset = SET_FILES,
	.tool_also = "file_move",
	.summary = "rename a file or stored asset",
	.expose = EXPOSE_MAINTAINER,
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = move_run,
	.refused = move_refused,
	.template = TEMPLATE_WARNINGS,
};
