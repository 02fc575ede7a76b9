/* move, delete: rename or remove a file or stored asset. For maintainers (requirement: garden,
 * fs.move): tools never delete ("Contracts and policies"). */
#include "app/print_warnings.h"
#include "paths/change_common.h"

struct args {
	struct audit audit;
	struct str path, newPath, ifMatch;
	bool parents;
};

struct result {
	bool ok;
	struct file_done done;
	bool replayed;
};

#define FIELDS_DONE(event_help, warnings_help)                                                     \
	FIELD(ok, "always true"),                                                                  \
		FIELD_AS(struct result, done.event, "event", event_help, .flags = IF_ANY),         \
		FIELDS_KEPT(struct result, done), FIELD_REPLAYED(replayed),                        \
		FIELD_AS(struct result, done.warnings, "warnings", warnings_help, .flags = IF_ANY)

/* ---- move ---- */

static const struct param move_params[] = {
	PARAM_FILE,
	PARAM(newPath, .flags = ARG | REQUIRED | PATHS | GARDEN_NAMES, .min = 1, .max = OS_PATH_MAX,
	      .also = "new_path", .complete = uri_complete,
	      .help = "its new name, which must not exist yet"),
	PARAM_IF_MATCH,
	PARAM_PARENTS,
	PARAMS_AUDIT,
	{0},
};

static const struct field move_result[] = {
	FIELDS_DONE("the record of the move, for undo", "file properties that could not be kept"),
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
	CMD_PARAMS(struct args, move_params),
	CMD_RESULT(struct result, move_result),
	.run = move_run,
	.refused = move_refused,
	.template = TEMPLATE_WARNINGS,
};

/* ---- delete ---- */

static const struct param delete_params[] = {
	PARAM_FILE,
	PARAM_IF_MATCH,
	PARAMS_AUDIT,
	{0},
};

static const struct field delete_result[] = {
	FIELDS_DONE("the record of the removal, for undo", "what else there is to know"),
	{0},
};

static struct err *delete_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	const struct file_write w = {.op = "remove", .if_match = args->ifMatch, .existing = true};
	struct result *r = out;
	struct file_ref ref;

	/* Outside the garden too: without a record nothing could be undone. */
	TRY(files_record_on_every_face(c, f, &args->audit));
	TRY(file_ref_resolve(f, args->path, &ref));
	r->ok = true;
	return file_put(f, &ref, &w, (struct str){0}, &r->done);
}

static struct err *delete_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {.audit = &args->audit, .path = args->path, .run = delete_do};

	return files_run_write_tool(c, &w, p, out);
}

static struct err *delete_refused(struct call *c, const void *p, struct err *why)
{
	const struct args *args = p;
	const struct saga_attempt q = {.op = "remove", .path = args->path};

	return files_record_refusal(c, &args->audit, &q, why);
}

const struct cmd cmd_delete = {
	.name = "delete",
	.summary = "remove a file or stored asset",
	.expose = EXPOSE_MAINTAINER,
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, delete_params),
	CMD_RESULT(struct result, delete_result),
	.run = delete_run,
	.refused = delete_refused,
	.template =
		TEMPLATE_WARNINGS "{?event:{2:to undo: ikm events undo --maintainer {event}\n}}",
};
