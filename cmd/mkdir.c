/* mkdir: a folder, if it is not there (requirement: garden, fs.ensure_dir). */
#include "common/files.h"

struct args {
	struct str path;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the folder; missing ones above it are made too", .also = "file_path"),
	{0},
};

struct result {
	struct str path;
	bool created;
};

static const struct field result[] = {
	FIELD(path, "the folder, as it was named"),
	FIELD(created, "false when it was there already"),
	{0},
};

static struct err *mkdir_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct files *f;
	struct file_ref ref;

	r->path = args->path;
	TRY(files_open(c, &f));
	TRY(file_ref(f, args->path, &ref));
	return file_mkdir(f, &ref, &r->created);
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
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mkdir_run,
};
