/* edit: an exact text in a file or stored asset for another (requirement: assets,
 * file_edit). */
#include "common/change_result.h"

struct args {
	struct str path, old, new, ifMatch;
	int encoding;
	bool all, breakLinks;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(old, .flags = REQUIRED | STDIN, .meta = "text", .also = "old_string old_str",
	      .help = "the text to replace, exactly as it is in the file; it must be there once"),
	PARAM(new, .flags = REQUIRED | STDIN, .meta = "text", .also = "new_string new_str",
	      .help = "what takes its place"),
	PARAM(all, .also = "replace_all", .help = "replace it in every place"),
	PARAM_ENCODING("both texts are"),
	PARAM_IF_MATCH,
	PARAM_BREAK_LINKS,
	{0},
};

static const struct field result[] = {
	FIELDS_WRITTEN,
	{"replaced", "in how many places", F_INT},
	FIELD_LINE_ENDS,
	{0},
};

struct job {
	struct file_edit edit;
	struct str path;
	const struct file_ref *r;
	struct files *f;
	struct file_edited edited;
};

static struct err *edit(void *ctx, struct arena *a, const struct str *old, struct str *new)
{
	struct job *j = ctx;
	struct str none;
	struct err *e;

	/* What is not there is told as a read would tell it. */
	if (!old) {
		e = file_read(j->f, a, j->r, FILE_BYTES_MAX, &none);
		return e ? e : err_new(E_CHANGED, "'%.*s' was made meanwhile", STR_ARG(j->path));
	}
	e = file_edit_text(a, *old, &j->edit, new, &j->edited);
	return e ? err_in(e, "'%.*s'", STR_ARG(j->path)) : NULL;
}

static struct err *edit_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct file_write w = {.op = "edit", .if_match = args->ifMatch};
	struct job j = {.path = args->path};
	struct file_done done;
	struct file_ref r;

	w.flags = args->breakLinks ? OS_BREAK_LINKS : 0;
	TRY(written_bytes(c, args->encoding, "old", args->old, &j.edit.old));
	TRY(written_bytes(c, args->encoding, "new", args->new, &j.edit.new));
	j.edit.all = args->all;
	j.edit.exact = args->encoding == ENCODING_BASE64;
	TRY(files_open(c, &j.f));
	TRY(file_ref(j.f, args->path, &r));
	j.r = &r;
	TRY(file_change(j.f, &r, &w, edit, &j, &done));
	written_ended(c, args->path, &j.edited, &done);
	*out = written_result(c, args->path, &done);
	val_set(c->a, *out, "replaced", val_int(c->a, (int64_t)j.edited.count));
	written_put_ends(c, *out, &j.edited);
	return NULL;
}

const struct cmd cmd_edit = {
	.name = "edit",
	.tool = "file_edit",
	.toolset = SET_FILES,
	.traits = TOOL_CORE,
	.tool_also = "fs_edit",
	.summary = "replace a text in a file or stored asset",
	.description = "Replace an exact text in a file, or in a stored asset named by an "
		       "ikigai:/// URI. The text must be there once, unless all is true. Others' "
		       "edits of other places at the same time are kept.",
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = edit_run,
	.text_val = written_text,
};
