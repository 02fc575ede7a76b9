/* asset export: write stored assets as files of a folder. */
#include "assets/asset_transfer.h"

static const struct param params[] = {
	TRANSFER_PARAM(dir, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
		       .help = "the folder for the files; it is made if it is missing"),
	TRANSFER_FOLDER,
	TRANSFER_PARAM(overwrite, .letter = 'f', .help = "replace files that differ"),
	{0},
};

static struct err *asset_export_run(struct call *c, const void *args, void *out)
{
	return asset_transfer_out(c, args, out);
}

const struct cmd cmd_asset_export = {
	.name = "asset export",
	.summary = "write stored assets as files of a folder",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct asset_transfer_args, params),
	CMD_RESULT(struct asset_transfer, asset_transfer_fields),
	.run = asset_export_run,
	.template = TEMPLATE_TRANSFER TEMPLATE_WARNINGS,
};
