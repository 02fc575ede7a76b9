/*
 * asset_transfer: stored assets as files of a folder, and back. The file ".ikm-assets" beside them
 * keeps what files do not have: description, category, protection.
 */
#pragma once

#include "app/print_warnings.h"
#include "asset_common.h"

struct asset_transfer_args {
	struct str dir, folder;
	bool overwrite;
};
#define TRANSFER_PARAM(member, ...) PARAM_OF(struct asset_transfer_args, member, __VA_ARGS__)
#define TRANSFER_FOLDER                                                                            \
	TRANSFER_PARAM(folder, .flags = ARG, .min = 1, .max = OS_PATH_MAX,                         \
		       .help = "only assets below this folder, such as blocks")

struct asset_transfer {
	struct strs written, unchanged, kept, warnings;
};
extern const struct field asset_transfer_fields[];

/* An existing file or asset with another content is kept, unless overwrite is set. */
struct err *asset_transfer_out(struct call *c, const struct asset_transfer_args *args,
			       struct asset_transfer *out) MUST_USE;
/* A file that cannot be stored is named in warnings, and the others go on. */
struct err *asset_import_folder(struct call *c, const struct asset_transfer_args *args,
				struct asset_transfer *out) MUST_USE;
#define TEMPLATE_TRANSFER                                                                          \
	"{#written} written, {#unchanged} unchanged\n{/kept:{2:kept, for it differs: {.}\n}}"      \
	"{?kept:{2:--overwrite replaces them\n}}"
