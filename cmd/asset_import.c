/*
 * asset export, asset import: stored assets as files of a folder, and back. The file ".ikm-assets"
 * beside them keeps what files do not have: description, category, protection.
 */
#include "app/print_warnings.h"
#include "assets/asset_common.h"
#include "crypt/crypt.h"
#include "json/json.h"

#define LIST_NAME ".ikm-assets"
#define LIST_MAX  ((size_t)64 << 20)

struct args {
	struct str dir, folder;
	bool overwrite;
};

#define TRANSFER_PARAMS(dir_help, overwrite_help)                                                  \
	PARAM(dir, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,                  \
	      .help = dir_help),                                                                   \
		PARAM(folder, .flags = ARG, .min = 1, .max = OS_PATH_MAX,                          \
		      .help = "only assets below this folder, such as blocks"),                    \
		PARAM(overwrite, .letter = 'f', .help = overwrite_help)
static const struct param export_params[] = {
	TRANSFER_PARAMS("the folder for the files; it is made if it is missing",
			"replace files that differ"),
	{0},
};
static const struct param import_params[] = {
	TRANSFER_PARAMS("the folder with the files",
			"replace assets that differ; their versions stay"),
	{0},
};

struct result {
	struct strs written, unchanged, kept, warnings;
};

static const struct field result[] = {
	FIELD(written, "the paths of the assets that were written"),
	FIELD(unchanged, "those that were there already, with this content"),
	FIELD(kept, "those that differ and were not replaced: give overwrite"),
	FIELD(warnings, "what could not be taken", .flags = IF_ANY),
	{0},
};

struct meta {
	struct str path, description;
	int category;
	bool readOnly;
};
static const struct field meta_fields[] = {
	FIELD_OF(struct meta, path, "the asset"),
	FIELD_OF(struct meta, description, "its description", .flags = IF_ANY),
	FIELD_NAMED(struct meta, category, "category", asset_categories, "its category"),
	FIELD_OF(struct meta, readOnly, "it is protected", .flags = IF_ANY),
	{0},
};
struct metas {
	struct VEC(struct meta) assets;
};
static const struct field metas_fields[] = {
	FIELD_RECORDS(struct metas, assets, "assets", meta_fields, "every asset of the folder"),
	{0},
};

/* Writes one content, unless the place has it already or another one. */
static struct err *transfer_put(struct call *c, struct files *f, const struct args *args,
				const struct file_ref *to, struct str path, struct str content,
				struct result *r)
{
	struct file_write w = {.op = "write", .flags = OS_PARENTS, .if_match = STR("none")};
	struct file_done done;
	struct file_stat st;
	struct str old;

	TRY(file_stat(f, to, &st));
	if (st.kind != OS_NONE) {
		TRY(file_read(f, c->a, to, FILE_BYTES_MAX, &old));
		if (str_eq(old, content) || !args->overwrite) {
			strs_push(c->a, str_eq(old, content) ? &r->unchanged : &r->kept, path);
			return NULL;
		}
		w.if_match = crypt_content_hash(c->a, old);
	}
	TRY(file_put(f, to, &w, content, &done));
	strs_push(c->a, &r->written, path);
	strs_add_all(c->a, &r->warnings, &done.warnings);
	return NULL;
}

static struct err *transfer_folder(struct call *c, const struct args *args, struct str *out)
{
	struct str folder = args->folder;

	*out = STR("");
	if (str_ends(folder, STR("/")))
		folder = str_sub(folder, 0, folder.n - 1);
	return folder.p ? asset_path_read(c->a, folder, true, out) : NULL;
}

static struct err *asset_export_run(struct call *c, const void *p, void *r)
{
	const struct args *args = p;
	const char *dir = str_c(c->a, args->dir);
	struct result list = {0};
	struct args list_args = {.overwrite = true};
	struct asset_list all = {0};
	struct metas metas = {0};
	struct str folder;
	struct buf b = buf_in(c->a);
	struct file_ref to;
	struct files *f;

	TRY(files_open(c, &f));
	TRY(transfer_folder(c, args, &folder));
	TRY(asset_list_by_prefix(f->assets, c->a, folder, &all));
	VEC_EACH(const struct asset, it, &all) {
		struct asset whole;
		bool found;

		TRY(asset_get(f->assets, c->a, it->path, true, &whole, &found));
		if (!found)
			continue;
		TRY(file_ref_resolve(f, str_of(os_join(c->a, dir, str_c(c->a, it->path))), &to));
		TRY(transfer_put(c, f, args, &to, it->path, whole.content, r));
		*VEC_PUSH(c->a, &metas.assets) =
			(struct meta){it->path, it->description, (int)it->category, it->read_only};
	}
	TRY(file_ref_resolve(f, str_of(os_join(c->a, dir, LIST_NAME)), &to));
	json_write(&b, record_val(c->a, metas_fields, &metas), 2);
	buf_putc(&b, '\n');
	return transfer_put(c, f, &list_args, &to, STR(LIST_NAME), buf_as_str(&b), &list);
}

#define TEMPLATE_TRANSFER                                                                          \
	"{#written} written, {#unchanged} unchanged\n{/kept:{2:kept, for it differs: {.}\n}}"      \
	"{?kept:{2:--overwrite replaces them\n}}"
const struct cmd cmd_asset_export = {
	.name = "asset export",
	.summary = "write stored assets as files of a folder",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct args, export_params),
	CMD_RESULT(struct result, result),
	.run = asset_export_run,
	.template = TEMPLATE_TRANSFER TEMPLATE_WARNINGS,
};

struct import {
	struct call *c;
	struct files *f;
	const struct args *args;
	struct str folder;
	struct file_ref from; /* the folder */
	struct metas metas;
	struct result *r;
};

static struct err *import_read_metas(struct import *j)
{
	const struct record_reader how = {
		.what = LIST_NAME, .unknown = RECORD_IGNORED, .partial = true};
	struct file_ref at;
	struct str text;
	struct val *v;
	struct err *e;

	TRY(file_ref_resolve(
		j->f, str_of(os_join(j->c->a, str_c(j->c->a, j->args->dir), LIST_NAME)), &at));
	e = file_read(j->f, j->c->a, &at, LIST_MAX, &text);
	if (e)
		return err_reason(e) == E_FILE_NOT_FOUND ? NULL : e;
	e = json_read(j->c->a, text, NULL, &v);
	if (!e)
		e = record_from_val(j->c->a, &how, metas_fields, v, &j->metas);
	return e ? err_add_context(e, "'%s'", str_c(j->c->a, at.shown)) : NULL;
}

static struct err *import_add(void *ctx, const struct tree_file *file)
{
	struct import *j = ctx;
	struct arena *a = j->c->a;
	struct str path, content;
	struct file_ref from, to;
	size_t before = j->r->written.n;
	const struct meta *meta = NULL;
	struct err *e;

	if (str_is(file->path, LIST_NAME))
		return NULL;
	e = asset_path_read(a, file->path, true, &path);
	if (!e && j->folder.n && !str_starts(path, str_fmt(a, "%.*s/", STR_ARG(j->folder))))
		return NULL;
	path = str_dup(a, e ? file->path : path);
	TRY(file_ref_resolve(j->f, str_of(os_join(a, str_c(a, j->args->dir), str_c(a, file->path))),
			     &from));
	if (!e)
		e = file_read(j->f, a, &from, FILE_BYTES_MAX, &content);
	to = file_ref_of_asset(j->f, path);
	if (!e)
		e = transfer_put(j->c, j->f, j->args, &to, path, content, j->r);
	for (size_t i = 0; i < j->metas.assets.n && !meta; i++)
		if (str_eq(j->metas.assets.p[i].path, path))
			meta = &j->metas.assets.p[i];
	if (!e && meta && j->r->written.n > before) {
		const struct asset_meta set = {meta->description, meta->category, meta->readOnly};
		struct asset out;

		e = asset_set_description(j->f->assets, j->c->a, path, &set, &out);
	}
	/* One bad file does not spoil the others. */
	if (e)
		strs_push(a, &j->r->warnings,
			  str_fmt(a, "'%.*s' was not taken: %s", STR_ARG(str_utf8(a, path)),
				  err_message(e)));
	return NULL;
}

static void import_trouble(void *ctx, struct str path, const struct err *e)
{
	struct import *j = ctx;

	(void)path;
	strs_push(j->c->a, &j->r->warnings, str_fmt(j->c->a, "%s", err_message(e)));
}

/* A file that cannot be stored is named in warnings, and the others go on. */
static struct err *asset_import_run(struct call *c, const void *p, void *r)
{
	const struct args *args = p;
	struct import j = {.c = c, .args = args, .r = r};
	struct file_walk walk = {.all = true, .trouble = import_trouble, .ctx = &j};
	struct tree *t;
	bool file;

	TRY(files_open(c, &j.f));
	TRY(transfer_folder(c, args, &j.folder));
	TRY(import_read_metas(&j));
	TRY(file_ref_or_folder(j.f, args->dir, &j.from));
	TRY(file_tree(j.f, &j.from, &walk, &t, &file));
	if (file)
		return err_help(
			err_new(E_NOT_A_FILE, "'%.*s' is not a folder", STR_ARG(args->dir)),
			"name a folder; to import one file: ikm write ikigai:///NAME <FILE");
	TRY(tree_foreach(t, STR(""), import_add, &j));
	c->negative = j.r->warnings.n;
	return NULL;
}

const struct cmd cmd_asset_import = {
	.name = "asset import",
	.summary = "store the files of a folder as assets",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct args, import_params),
	CMD_RESULT(struct result, result),
	.run = asset_import_run,
	.template = TEMPLATE_TRANSFER TEMPLATE_WARNINGS,
};
