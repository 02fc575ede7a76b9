/* asset restore: a former version is the text again. */
#include "common/asset_result.h"
#include "common/change_result.h"

struct args {
	struct str path, ifMatch;
	int64_t version;
};

static const struct param params[] = {
	PARAM_ASSET(struct args),
	PARAM(version, .flags = ARG, .min = 1, .max = CMD_INT_MAX,
	      .help = "which one; without it, what it was before its last change"),
	PARAM_IF_MATCH,
	{0},
};

static const struct field result[] = {
	{"version", "the version that it is again", F_INT},
	FIELDS_WRITTEN,
	{0},
};

struct restore {
	struct call *c;
	const struct args *args;
	struct files *f;
	struct str path;
	struct asset_version v;
	struct file_done done;
};

/* In one transaction: what the latest version is, and the change. */
static struct err *restore(void *ctx)
{
	struct restore *r = ctx;
	struct file_write w = {.op = "restore", .if_match = r->args->ifMatch};
	struct asset_versions all = {0};
	int64_t version = r->args->version;
	struct file_ref ref;

	TRY(asset_former(r->c, r->f->assets, r->args->path, &r->path, &all));
	if (!version && !all.n)
		return err_new(E_NO_SUCH_VERSION,
			       "the asset '%.*s' was never changed, or its former "
			       "versions are not kept any more",
			       STR_ARG(r->path));
	if (!version)
		version = all.p[0].number;
	TRY(asset_version(r->f->assets, r->c->a, r->path, version, &r->v));
	TRY(file_ref(r->f, asset_uri(r->c->a, r->path), &ref));
	return file_change(r->f, &ref, &w, file_replace, &r->v.content, &r->done);
}

static struct err *asset_restore_run(struct call *c, const void *p, struct val **out)
{
	struct restore r = {.c = c, .args = p};
	struct val *v;

	TRY(files_open(c, &r.f));
	TRY(db_write(r.f->assets->db, restore, &r));
	v = written_result(c, r.path, &r.done);
	val_set(c->a, v, "version", val_int(c->a, r.v.number));
	*out = v;
	return NULL;
}

static void asset_restore_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_styled(c->out, OUT_BOLD, val_get_str(r, "path"));
	out_fmt(c->out,
		val_get(r, "changed")->b ? " is version %jd again\n"
					 : " has the text of version %jd already\n",
		(intmax_t)val_get_int(r, "version"));
}

const struct cmd cmd_asset_restore = {
	.name = "asset restore",
	.tool = "asset_restore",
	.toolset = SET_FILES,
	.summary = "make a former version of an asset its text again",
	.description = "Make a former version of a stored asset its text again, also of one that "
		       "was removed. What it is now becomes a version, so this can be taken back.",
	.need = NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = asset_restore_run,
	.text_val = asset_restore_text,
};
