/* Parameters, fields and functions that the asset commands share. */
#include "asset_common.h"

const struct param asset_params[] = {
	PARAM_ASSET(struct asset_args),
	{0},
};

struct err *asset_open_store(struct call *c, struct str text, struct files **f, struct str *path)
{
	TRY(files_open(c, f));
	return asset_resolve((*f)->assets, c->a, text, path);
}

struct err *asset_resolve_with_versions(struct call *c, struct assets *s, struct str text,
					struct str *path, struct asset_versions *all)
{
	struct err *e = asset_resolve(s, c->a, text, path);

	if (!e)
		return asset_history(s, c->a, *path, all);
	if (err_reason(e) != E_NO_SUCH_ASSET)
		return e;
	TRY(asset_path_read(c->a, text, true, path));
	TRY(asset_find_removed(s, c->a, *path, path, all));
	return all->n ? NULL : e;
}
