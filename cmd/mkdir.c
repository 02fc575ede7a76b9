/* mkdir: makes a folder, unless it exists (requirement: garden, fs.ensure_dir). */
#include "paths/open_files_for_call.h"

struct args {
	struct audit audit;
	struct str path;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | REQUIRED | PATHS | GARDEN_NAMES, .min = 1, .max = OS_PATH_MAX,
	      .help = "the folder; missing parent folders are made too", .also = "file_path"),
	PARAMS_AUDIT,
	{0},
};

struct result {
	struct str path;
	bool created;
};

static const struct field result[] = {
	FIELD(path, "the path that you gave"),
	FIELD(created, "false: it existed already"),
	{0},
};

static struct err *mkdir_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct file_ref ref;

	(void)c;
	r->path = args->path;
	TRY(file_ref_resolve(f, args->path, &ref));
	return file_mkdir(f, &ref, &r->created);
}

/* A folder has no event, so a repeat finds the folder rather than a record. */
static struct err *mkdir_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {
		.audit = &args->audit, .path = args->path, .by_key = true, .run = mkdir_do};

	return files_run_write_tool(c, &w, p, out);
}

const struct cmd cmd_mkdir = {
	.name = "mkdir",
	.tool = "fs_ensure_dir",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_ADDS | TOOL_IDEMPOTENT,
	.tool_also = "file_mkdir",
	.summary = "make a folder and its parents",
	.description = "Make a folder and its parents, unless it exists. Stored assets need none.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mkdir_run,
};
