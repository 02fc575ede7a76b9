/* asset import: store the files of a folder as assets. */
#include "assets/asset_transfer.h"

static const struct param params[] = {
	TRANSFER_PARAM(dir, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
		       .help = "the folder with the files"),
	TRANSFER_FOLDER,
	TRANSFER_PARAM(overwrite, .letter = 'f',
		       .help = "replace assets that differ; their versions stay"),
	{0},
};

static struct err *asset_import_run(struct call *c, const void *args, void *out)
{
	return asset_import_folder(c, args, out);
}

const struct cmd cmd_asset_import = {
	.name = "asset import",
	.summary = "store the files of a folder as assets",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct asset_transfer_args, params),
	CMD_RESULT(struct asset_transfer, asset_transfer_fields),
	.run = asset_import_run,
	.template = TEMPLATE_TRANSFER TEMPLATE_WARNINGS,
};
