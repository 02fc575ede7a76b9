/* asset set, asset delete: what only people do to an asset. */
#include "common/asset_result.h"
#include "common/change_result.h"

/* ---- asset set ---- */

struct set_args {
	struct str path, description;
	int category;
	bool read_only, writable;
};

#define SET(member, ...) PARAM_OF(struct set_args, member, __VA_ARGS__)
static const struct param set_params[] = {
	PARAM_ASSET(struct set_args),
	SET(description, .letter = 'd', .max = 4096, .help = "what it is for"),
	SET(category, .choices = asset_categories, .help = "what it is"),
	SET(read_only, .help = "nobody may change or remove it"),
	SET(writable, .help = "it may be changed again"),
	{0},
};

static const struct field set_result[] = {
	{"asset", "what is known of it now", F_OBJ, .sub = asset_fields},
	{0},
};

static struct err *set_run(struct call *c, const void *p, struct val **out)
{
	const struct set_args *args = p;
	struct asset_meta meta = {args->description, args->category,
				  args->read_only  ? 1
				  : args->writable ? 0
						   : -1};
	struct files *f;
	struct str path;
	struct asset it;

	if (args->read_only && args->writable)
		return err_new(E_BAD_ARGUMENT, "--read-only and --writable exclude each other");
	if (!args->description.p && args->category < 0 && !args->read_only && !args->writable)
		return err_help(err_new(E_MISSING_PARAMETER, "there is nothing to set"),
				"give --description, --category, --read-only or --writable");
	TRY(asset_open(c, args->path, &f, &path));
	TRY(asset_describe(f->assets, c->a, path, &meta, &it));
	*out = val_map(c->a);
	val_set(c->a, *out, "asset", asset_val(c->a, &it));
	return NULL;
}

static void asset_change_set_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	asset_print(c->out, val_get(r, "asset"));
}

const struct cmd cmd_asset_set = {
	.name = "asset set",
	.summary = "describe an asset, say what it is, or protect it",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	.args_size = sizeof(struct set_args),
	.params = set_params,
	.result = set_result,
	.run_val = set_run,
	.text_val = asset_change_set_text,
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

static const struct field delete_result[] = {
	{"path", "the asset that is gone", F_STR},
	{"version", "the number under which its text is kept, for asset restore", F_INT, OPTIONAL},
	{0},
};

static struct err *asset_change_delete_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct file_write w = {.op = "delete", .if_match = args->ifMatch};
	struct asset_version last;
	struct file_done done;
	struct file_ref ref;
	struct files *f;
	struct str path;
	bool kept;

	TRY(asset_open(c, args->path, &f, &path));
	ref = file_asset(f, path);
	TRY(file_put(f, &ref, &w, (struct str){0}, &done));
	/* Somebody else removed it since it was found. */
	if (!done.changed)
		return asset_missing(f->assets, c->a, path);
	/* Where no versions are kept, there is none. */
	TRY(asset_version_of(f->assets, c->a, path, done.before, &last, &kept));
	*out = val_map(c->a);
	val_set(c->a, *out, "path", val_str(c->a, path));
	if (kept)
		val_set(c->a, *out, "version", val_int(c->a, last.number));
	return NULL;
}

static void asset_change_delete_text(struct call *c, const void *args, const struct val *r)
{
	struct str path = val_get_str(r, "path");

	(void)args;
	out_puts(c->out, "removed ");
	out_styled(c->out, OUT_BOLD, path);
	if (val_get(r, "version")) {
		out_puts(c->out, "; 'ikm asset restore ");
		out_safe(c->out, path, false);
		out_puts(c->out, "' brings it back");
	}
	out_puts(c->out, "\n");
}

const struct cmd cmd_asset_delete = {
	.name = "asset delete",
	.summary = "remove an asset, and keep its last version",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	.args_size = sizeof(struct args),
	.params = delete_params,
	.result = delete_result,
	.run_val = asset_change_delete_run,
	.text_val = asset_change_delete_text,
};
