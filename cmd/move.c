/* move: another name for a file or stored asset (seed 001, fs.move: for maintainers). */
#include "files.h"

struct args {
	struct str path, newPath;
	bool parents;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the file, or a stored asset as ikigai:///NAME", .also = "file_path"),
	PARAM(newPath, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .also = "new_path", .help = "its new name; nothing may be there yet"),
	PARAM(parents, .letter = 'p', .help = "make missing folders"),
	{0},
};

static const struct field result[] = {
	{"ok", "always true", F_BOOL},
	{0},
};

static struct err *run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct files *f;
	struct file_ref from, to;

	TRY(files_open(c, &f));
	TRY(file_ref(f, args->path, &from));
	TRY(file_ref(f, args->newPath, &to));
	TRY(file_move(f, &from, &to, args->parents ? OS_PARENTS : 0));
	*out = val_map(c->a);
	val_set(c->a, *out, "ok", val_bool(c->a, true));
	return NULL;
}

static void text(struct call *c, const void *args, const struct val *r)
{
	(void)c;
	(void)args;
	(void)r;
}

const struct cmd cmd_move = {
	.name = "move",
	.tool = "fs_move",
	.tool_also = "file_move",
	.summary = "give a file or stored asset another name",
	.expose = EXPOSE_MAINTAINER,
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run = run,
	.text = text,
};
