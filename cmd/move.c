/* move: another name for a file or stored asset (requirement: garden, fs.move). For
 * maintainers. */
#include "common/change_result.h"

struct args {
	struct str path, newPath, ifMatch;
	bool parents;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(newPath, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .also = "new_path", .help = "its new name; nothing may be there yet"),
	PARAM_IF_MATCH,
	PARAM_PARENTS,
	{0},
};

static const struct field result[] = {
	{"ok", "always true", F_BOOL},
	{"event", "the record of the move, for undo", F_STR, OPTIONAL},
	{0},
};

static struct err *move_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct file_write w = {.op = "move", .if_match = args->ifMatch};
	struct file_done done;
	struct files *f;
	struct file_ref from, to;

	TRY(files_open(c, &f));
	TRY(file_ref(f, args->path, &from));
	TRY(file_ref(f, args->newPath, &to));
	w.flags = args->parents ? OS_PARENTS : 0;
	TRY(file_move(f, &from, &to, &w, &done));
	*out = val_map(c->a);
	val_set(c->a, *out, "ok", val_bool(c->a, true));
	if (done.event.n)
		val_set(c->a, *out, "event", val_str(c->a, done.event));
	return NULL;
}

const struct cmd cmd_move = {
	.name = "move",
	.tool = "fs_move",
	.toolset = SET_FILES,
	.tool_also = "file_move",
	.summary = "give a file or stored asset another name",
	.expose = EXPOSE_MAINTAINER,
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = move_run,
	.text_val = written_text,
};
