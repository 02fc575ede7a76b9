/* mkdir: a folder, if it is not there (requirement: garden, fs.ensure_dir). */
#include "common/change_result.h"

struct args {
	struct str path;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the folder; missing ones above it are made too", .also = "file_path"),
	{0},
};

static const struct field result[] = {
	{"path", "the folder, as it was named", F_STR},
	{"created", "false when it was there already", F_BOOL},
	{0},
};

static struct err *mkdir_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct files *f;
	struct file_ref r;
	bool made;

	TRY(files_open(c, &f));
	TRY(file_ref(f, args->path, &r));
	TRY(file_mkdir(f, &r, &made));
	*out = val_map(c->a);
	val_set(c->a, *out, "path", val_str(c->a, str_utf8(c->a, args->path)));
	val_set(c->a, *out, "created", val_bool(c->a, made));
	return NULL;
}

const struct cmd cmd_mkdir = {
	.name = "mkdir",
	.tool = "fs_ensure_dir",
	.toolset = SET_FILES,
	.traits = TOOL_ADDS | TOOL_IDEMPOTENT,
	.tool_also = "file_mkdir",
	.summary = "make a folder and those above it",
	.description = "Make a folder, with those above it, if it is not there. Stored assets need "
		       "none.",
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run = mkdir_run,
	.text = written_text,
};
