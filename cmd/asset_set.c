/* asset set, asset delete: changes to an asset that only people make. */
#include "assets/asset_common.h"
#include "paths/change_common.h"

/* ---- asset set ---- */

struct set_args {
	struct str path, description;
	int category;
	bool read_only, writable;
};

#define SET(member, ...) PARAM_OF(struct set_args, member, __VA_ARGS__)
static const struct param set_params[] = {
	PARAM_ASSET(struct set_args),
	SET(description, .letter = 'd', .max = 4096, .help = "its purpose"),
	SET(category, .choices = asset_categories, .help = "its category"),
	SET(read_only, .help = "protect it: nobody may change or remove it"),
	SET(writable, .help = "allow changes again"),
	{0},
};

struct set_result {
	struct asset asset;
};

static const struct field set_result[] = {
	FIELD_RECORD(struct set_result, asset, "asset", asset_record, "its properties now"),
	{0},
};

static struct err *asset_set_run(struct call *c, const void *p, void *out)
{
	const struct set_args *args = p;
	struct set_result *r = out;
	struct asset_meta meta = {args->description, args->category,
				  args->read_only  ? 1
				  : args->writable ? 0
						   : -1};
	struct files *f;
	struct str path;

	if (args->read_only && args->writable)
		return ERR_EXCLUSIVE("--read-only", "--writable");
	if (!args->description.p && args->category < 0 && !args->read_only && !args->writable)
		return err_help(err_new(E_MISSING_PARAMETER, "nothing to set"),
				"give --description, --category, --read-only or --writable");
	TRY(asset_open_store(c, args->path, &f, &path));
	return asset_set_description(f->assets, c->a, path, &meta, &r->asset);
}

const struct cmd cmd_asset_set = {
	.name = "asset set",
	.summary = "set an asset's description or category, or protect it",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct set_args, set_params),
	CMD_RESULT(struct set_result, set_result),
	.run = asset_set_run,
	.template = "{/asset:" TEMPLATE_ASSET "}",
};

/* ---- asset delete ---- */

struct args {
	struct str path, ifMatch;
};

static const struct param delete_params[] = {
	PARAM_ASSET(struct args),
	PARAM_IF_MATCH,
	{0},
};

struct delete_result {
	struct str path;
	int64_t version;
};

static const struct field delete_result[] = {
	FIELD_OF(struct delete_result, path, "the removed asset"),
	FIELD_OF(struct delete_result, version, "the number of its kept version, for asset restore",
		 .flags = IF_ANY),
	{0},
};

static struct err *asset_delete_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct file_write w = {.op = "delete", .if_match = args->ifMatch};
	struct delete_result *r = out;
	struct asset_version last;
	struct file_done done;
	struct file_ref ref;
	struct files *f;
	bool kept;

	TRY(asset_open_store(c, args->path, &f, &r->path));
	ref = file_ref_of_asset(f, r->path);
	TRY(file_put(f, &ref, &w, (struct str){0}, &done));
	/* Another process removed the asset after its name was found. */
	if (!done.changed)
		return asset_missing(f->assets, c->a, r->path);
	/* Without kept versions there is no number. */
	TRY(asset_version_by_hash(f->assets, c->a, r->path, done.before, &last, &kept));
	r->version = kept ? last.number : 0;
	return NULL;
}

const struct cmd cmd_asset_delete = {
	.name = "asset delete",
	.summary = "remove an asset, and keep its last version",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct args, delete_params),
	CMD_RESULT(struct delete_result, delete_result),
	.run = asset_delete_run,
	.template = "removed {*path}{?version:; 'ikm asset restore {path}' brings it back}\n",
};
