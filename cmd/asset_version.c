/* asset history, asset restore: what an asset was, and making it so again. */
#include "asset.h"
#include "written.h"

struct args {
	struct str path, ifMatch;
	int64_t version;
};

/* What a bare name means, also of what was removed: then it is known by its versions. */
static struct err *find(struct call *c, struct assets *s, struct str text, struct str *path,
			struct asset_versions *all)
{
	struct err *e = asset_resolve(s, c->a, text, path);

	if (!e)
		return asset_history(s, c->a, *path, all);
	if (err_reason(e) != E_NO_SUCH_ASSET)
		return e;
	TRY(asset_path(c->a, text, true, path));
	TRY(asset_history(s, c->a, *path, all));
	if (all->n)
		return NULL;
	*path = str_fmt(c->a, "%.*s.md", STR_ARG(*path));
	TRY(asset_history(s, c->a, *path, all));
	return all->n ? NULL : e;
}

/* ---- asset history ---- */

static const struct param history_params[] = {
	PARAM(path, .flags = ARG | REQUIRED, .min = 1, .max = OS_PATH_MAX, .help = ASSET_HELP),
	PARAM(version, .flags = ARG, .min = 1, .max = INT64_MAX,
	      .help = "give the text of this version"),
	{0},
};

static const struct field version_fields[] = {
	{"version", "its number, counted from 1 for each asset and never given twice", F_INT},
	{"savedAt", "when it was replaced", F_STR},
	{"op", "by what", F_STR},
	{"agent", "by whom", F_STR},
	{"tokens", "as they were estimated then", F_INT},
	{"size", "bytes", F_INT},
	{"hash", "sha256 of its content", F_STR},
	{0},
};
static const struct field history_result[] = {
	{"path", "the asset", F_STR},
	{"versions", "what it was before, the latest first", F_LIST, .sub = version_fields},
	{"content", "the text of the version that was asked for", F_STR, OPTIONAL},
	{0},
};

static struct err *history_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct asset_versions all = {0};
	struct asset_version one;
	struct files *f;
	struct str path;
	struct val *list;

	TRY(files_open(c, &f));
	TRY(find(c, f->assets, args->path, &path, &all));
	*out = val_map(c->a);
	val_set(c->a, *out, "path", val_str(c->a, path));
	list = val_set(c->a, *out, "versions", val_list(c->a));
	for (size_t i = 0; i < all.n; i++) {
		const struct asset_version *v = &all.p[i];
		struct val *to = val_add(list, val_map(c->a));

		val_set(c->a, to, "version", val_int(c->a, v->number));
		val_set(c->a, to, "savedAt", val_str(c->a, os_time_text(c->a, v->saved, true)));
		val_set(c->a, to, "op", val_str(c->a, v->op));
		val_set(c->a, to, "agent", val_str(c->a, v->agent));
		val_set(c->a, to, "tokens", val_int(c->a, v->tokens));
		val_set(c->a, to, "size", val_int(c->a, v->size));
		val_set(c->a, to, "hash", val_str(c->a, v->hash));
	}
	if (!args->version)
		return NULL;
	TRY(asset_version(f->assets, c->a, path, args->version, &one));
	val_set(c->a, *out, "content", val_str(c->a, one.content));
	return NULL;
}

static void history_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	if (val_get(r, "content")) {
		out_bytes(c->out, val_get_str(r, "content"));
		return;
	}
	VAL_EACH(val_get(r, "versions"), v) {
		out_fmt(c->out, "%5jd  %s  %7jd tokens %9jd bytes  %-8s  ",
			(intmax_t)asset_int(v, "version"), val_get_str(v, "savedAt").p,
			(intmax_t)asset_int(v, "tokens"), (intmax_t)asset_int(v, "size"),
			str_c(c->a, val_get_str(v, "op")));
		out_safe(c->out, val_get_str(v, "agent"), false);
		out_puts(c->out, "\n");
	}
	if (!val_get(r, "versions")->n)
		out_puts(c->err, "it was never changed, or its versions are not kept any more\n");
}

const struct cmd cmd_asset_history = {
	.name = "asset history",
	.tool = "asset_history",
	.summary = "list what an asset was before, or print one such version",
	.need = NEED_CONF,
	.args_size = sizeof(struct args),
	.params = history_params,
	.result = history_result,
	.run = history_run,
	.text = history_text,
};

/* ---- asset restore ---- */

static const struct param restore_params[] = {
	PARAM(path, .flags = ARG | REQUIRED, .min = 1, .max = OS_PATH_MAX, .help = ASSET_HELP),
	PARAM(version, .flags = ARG, .min = 1, .max = INT64_MAX,
	      .help = "which one; without it, what it was before its last change"),
	PARAM_IF_MATCH,
	{0},
};

static const struct field restore_result[] = {
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

static struct err *former(void *ctx, struct arena *a, const struct str *old, struct str *new)
{
	(void)a;
	(void)old;
	*new = ((struct restore *)ctx)->v.content;
	return NULL;
}

static struct err *same(void *ctx, struct arena *a, const struct asset *old, struct str *new)
{
	(void)ctx;
	(void)a;
	*new = old->content;
	return NULL;
}

/* In one transaction: what the latest version is, the change, and what a removed one was called. */
static struct err *restore(void *ctx)
{
	struct restore *r = ctx;
	struct file_write w = {.op = "restore", .if_match = r->args->ifMatch};
	struct asset_versions all = {0};
	struct asset_meta meta = {.read_only = -1};
	int64_t version = r->args->version;
	struct file_ref ref;

	TRY(find(r->c, r->f->assets, r->args->path, &r->path, &all));
	if (!version && !all.n)
		return err_new(E_NO_SUCH_VERSION, "the asset '%.*s' was never changed, or its former "
						  "versions are not kept any more", STR_ARG(r->path));
	if (!version)
		version = all.p[0].number;
	TRY(asset_version(r->f->assets, r->c->a, r->path, version, &r->v));
	TRY(file_ref(r->f, asset_uri(r->c->a, r->path), &ref));
	TRY(file_change(r->f, &ref, &w, former, r, &r->done));
	if (!r->done.created)
		return NULL;
	meta.description = r->v.description;
	meta.category = (int)r->v.category;
	return asset_change(r->f->assets, r->c->a, r->path, w.op, &meta, same, NULL, NULL);
}

static struct err *restore_run(struct call *c, const void *p, struct val **out)
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

static void restore_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_styled(c->out, OUT_BOLD, val_get_str(r, "path"));
	out_fmt(c->out, val_get(r, "changed")->b ? " is version %jd again\n"
						 : " has the text of version %jd already\n",
		(intmax_t)asset_int(r, "version"));
}

const struct cmd cmd_asset_restore = {
	.name = "asset restore",
	.tool = "asset_restore",
	.summary = "make a former version of an asset its text again",
	.description = "Make a former version of a stored asset its text again, also of one that "
		       "was removed. What it is now becomes a version, so this can be taken back.",
	.need = NEED_CONF,
	.args_size = sizeof(struct args),
	.params = restore_params,
	.result = restore_result,
	.run = restore_run,
	.text = restore_text,
};
