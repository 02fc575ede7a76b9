/* asset restore: restores a former version of an asset. */
#include "assets/asset_common.h"
#include "paths/change_common.h"

struct args {
	struct audit audit;
	struct str path, ifMatch;
	int64_t version;
};

static const struct param params[] = {
	PARAM_ASSET(struct args),
	PARAM(version, .flags = ARG, .min = 1, .max = CMD_INT_MAX,
	      .help = "the version; default: the text before the last change"),
	PARAM_IF_MATCH,
	PARAMS_AUDIT,
	{0},
};

struct result {
	struct written written;
	int64_t version;
};

static const struct field result[] = {
	FIELD(version, "the version that was restored"),
	FIELDS_WRITTEN,
	{0},
};

/* The requested version; 0: the latest. It runs within the change, so that the version is still
 * kept. */
static struct err *asset_restore_version(struct call *c, struct assets *s, struct str path,
					 int64_t number, struct asset_version *out)
{
	struct asset_versions all = {0};

	if (!number)
		TRY(asset_history(s, c->a, path, &all));
	if (!number && !all.n)
		return err_help(
			err_new(E_NO_SUCH_VERSION, "the asset '%.*s' has no former version",
				STR_ARG(path)),
			"write it anew: ikm write ikigai:///%.*s; or copy it from a backup: "
			"IKIGAI_HOME=NEW_FOLDER ikm restore BACKUP",
			STR_ARG(path));
	return asset_version(s, c->a, path, number ? number : all.p[0].number, out);
}

static struct err *asset_restore_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	const struct file_write w = {.op = "restore", .if_match = args->ifMatch, .verbatim = true};
	struct asset_versions all = {0};
	struct file_change *change;
	struct asset_version v;
	struct file_ref ref;
	struct err *e;

	TRY(asset_resolve_with_versions(c, f->assets, args->path, &r->written.path, &all));
	ref = file_ref_of_asset(f, r->written.path);
	TRY(file_begin(f, &ref, &w, &change));
	e = asset_restore_version(c, f->assets, r->written.path, args->version, &v);
	if (e)
		return file_abort(change, e);
	r->version = v.number;
	return file_commit(change, v.content, &r->written.done);
}

/* The name of an asset is no path, so only a key makes a repeat. */
static struct err *asset_restore_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {.audit = &args->audit, .run = asset_restore_do};

	return files_run_write_tool(c, &w, p, out);
}

const struct cmd cmd_asset_restore = {
	.name = "asset restore",
	.tool = "asset_restore",
	.toolset = SET_FILES,
	.summary = "restore a former version of an asset",
	.description = "Restore a former version of a stored asset, even if the asset was removed. "
		       "The current text becomes a version, so the restore can be undone.",
	.need = NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = asset_restore_run,
	.template = "{*path}{?changed: is version {version} again| has the text of version "
		    "{version} already}\n",
};
