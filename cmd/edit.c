/* edit: replaces an exact text in a file or stored asset (requirement: assets, file_edit). */
#include "common/change_result.h"

struct args {
	struct audit audit;
	struct str path, old, new, ifMatch;
	int encoding;
	bool all, breakLinks;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(old, .flags = REQUIRED | STDIN, .meta = "text", .also = "old_string old_str",
	      .help = "the exact text to replace; it must occur once"),
	PARAM(new, .flags = REQUIRED | STDIN, .meta = "text", .also = "new_string new_str",
	      .help = "the new text"),
	PARAM(all, .also = "replace_all", .help = "replace every occurrence"),
	PARAM_ENCODING("both texts are"),
	PARAM_IF_MATCH,
	PARAM_BREAK_LINKS,
	PARAMS_AUDIT,
	{0},
};

struct result {
	struct written written;
	size_t replaced;
};

static const struct field result[] = {
	FIELDS_WRITTEN,
	FIELD(replaced, "the number of replacements"),
	FIELD_LINE_ENDS,
	{0},
};

static struct err *edit_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct file_write w = {.op = "edit", .if_match = args->ifMatch, .existing = true};
	struct file_edit edit = {.all = args->all, .exact = args->encoding == ENCODING_BASE64};
	struct file_change *change;
	struct file_edited edited;
	struct file_ref ref;
	struct str new;
	struct err *e;

	r->written.path = args->path;
	w.flags = args->breakLinks ? OS_BREAK_LINKS : 0;
	TRY(written_bytes(c, args->encoding, "old", args->old, &edit.old));
	TRY(written_bytes(c, args->encoding, "new", args->new, &edit.new));
	TRY(file_ref(f, args->path, &ref));
	TRY(file_begin(f, &ref, &w, &change));
	e = file_edit_text(change->a, change->old, &edit, &new, &edited);
	if (e)
		return file_drop(change, err_in(e, "'%.*s'", STR_ARG(args->path)));
	TRY(file_commit(change, new, &r->written.done));
	written_set_ends(c, &r->written, &edited);
	r->replaced = edited.count;
	return NULL;
}

static struct err *edit_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {.audit = &args->audit, .path = args->path, .run = edit_do};

	return files_write(c, &w, p, out);
}

const struct cmd cmd_edit = {
	.name = "edit",
	.tool = "file_edit",
	.toolset = SET_FILES,
	.traits = TOOL_CORE,
	.tool_also = "fs_edit",
	.summary = "replace a text in a file or stored asset",
	.description = "Replace an exact text in a file, or in a stored asset named by an "
		       "ikigai:/// URI. The text must occur once, unless all is true. Edits that "
		       "others make elsewhere in it at the same time are kept.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = edit_run,
	.text = written_text,
};
