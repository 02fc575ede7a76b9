/* asset edit: opens an asset in a person's editor, and saves it if it changed. */
#include "assets/asset_common.h"
#include "paths/change_common.h"
#include "reply/ask_person.h"
#include <errno.h>

struct args {
	struct str path;
	bool create;
};

static const struct param params[] = {
	PARAM_ASSET(struct args),
	PARAM(create, .option = "new", .help = "create an asset of this name"),
	{0},
};

struct result {
	struct written written;
};

static const struct field result[] = {
	FIELDS_WRITTEN,
	{0},
};

struct edit {
	struct call *c;
	struct files *f;
	struct str path, before, hash, after;
	bool there;
	const char *dir, *file; /* the file that the editor opens */
};

/* Writes the text to a private folder. The file name shows its type to the editor. */
static struct err *asset_edit_put_file(struct edit *d)
{
	const char *tmp = os_env("TMPDIR");
	struct str name = str_base(d->path);
	char *dir = str_c(d->c->a, str_fmt(d->c->a, "%s/ikm-edit.XXXXXX", tmp ? tmp : "/tmp"));

	if (!mkdtemp(dir))
		return err_errno(errno, "make a temporary folder '%s'", dir);
	d->dir = dir;
	d->file = os_join(d->c->a, dir, str_c(d->c->a, name));
	return os_write(d->file, d->before, 0);
}

static struct err *asset_edit_save(struct edit *d, struct file_done *done)
{
	struct file_write w = {.op = "edit", .if_match = STR_INIT("none")};
	struct file_ref ref = file_ref_of_asset(d->f, d->path);

	TRY(editor_run(d->c->a, d->file));
	TRY(os_read_path(d->c->a, d->file, FILE_BYTES_MAX, &d->after));
	*done = (struct file_done){.hash = d->hash, .size = d->before.n};
	if (str_eq(d->before, d->after))
		return NULL;
	if (d->there)
		w.if_match = d->hash;
	return file_put(d->f, &ref, &w, d->after, done);
}

/* An error never discards the person's text. */
static struct err *asset_edit_keep_text(struct edit *d, struct err *e)
{
	struct str now;
	struct err *unread = os_read_path(d->c->a, d->file, FILE_BYTES_MAX, &now);

	if (!unread && str_eq(now, d->before))
		return e;
	d->dir = NULL;
	return err_add_context(err_add_detail(e, "kept", str_of(d->file)),
			       "your text is kept in '%s'", d->file);
}

static struct err *asset_edit_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct edit d = {.c = c};
	struct assets *s;
	struct asset it;
	struct err *e;

	TRY(files_open(c, &d.f));
	s = d.f->assets;
	TRY(args->create ? asset_path_read(c->a, args->path, true, &d.path)
			 : asset_resolve(s, c->a, args->path, &d.path));
	TRY(asset_get(s, c->a, d.path, true, &it, &d.there));
	if (!d.there && !args->create)
		return asset_missing(s, c->a, d.path);
	/* Check before the person writes a text that cannot be saved. */
	if (it.read_only)
		return asset_protected_error(d.path);
	d.before = d.there ? it.content : STR("");
	d.hash = d.there ? it.hash : STR("");
	e = asset_edit_put_file(&d);
	if (!e) {
		e = asset_edit_save(&d, &r->written.done);
		if (e)
			e = asset_edit_keep_text(&d, e);
	}
	if (d.dir && (os_remove(d.file) || os_remove(d.dir)))
		out_fmt(c->err, "ikm: '%s' could not be removed\n", d.dir);
	r->written.path = d.path;
	return e;
}

const struct cmd cmd_asset_edit = {
	.name = "asset edit",
	.summary = "edit an asset in your editor",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = asset_edit_run,
	.template = "{?changed:saved |nothing changed in }{*path}\n",
};
