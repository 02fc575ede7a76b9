/* append: text at the end of a file or stored asset (requirement: garden, fs.append). */
#include "common/change_result.h"

struct args {
	struct str path, text, ifMatch;
	int encoding;
	bool parents, breakLinks;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(text, .flags = REQUIRED | STDIN | OR_STDIN, .also = "content", .help = "what to add"),
	PARAM_ENCODING("the text is"),
	PARAM_IF_MATCH,
	PARAM_PARENTS,
	PARAM_BREAK_LINKS,
	{0},
};

static const struct field result[] = {
	FIELDS_WRITTEN,
	{"newSize", "its size, as bytes", F_INT},
	FIELD_LINE_ENDS,
	{0},
};

struct job {
	struct str text;
	bool exact;
	struct file_edited edited;
};

static struct err *append(void *ctx, struct arena *a, const struct str *old, struct str *new)
{
	struct job *j = ctx;

	*new = file_append_text(a, old ? *old : STR(""), j->text, j->exact, &j->edited);
	return NULL;
}

static struct err *append_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct file_write w = {.op = "append", .if_match = args->ifMatch};
	struct file_done done;
	struct files *f;
	struct file_ref r;
	struct job j = {.exact = args->encoding == ENCODING_BASE64};

	w.flags = (args->parents ? OS_PARENTS : 0) | (args->breakLinks ? OS_BREAK_LINKS : 0);
	TRY(written_bytes(c, args->encoding, "text", args->text, &j.text));
	TRY(files_open(c, &f));
	TRY(file_ref(f, args->path, &r));
	TRY(file_change(f, &r, &w, append, &j, &done));
	written_ended(c, args->path, &j.edited, &done);
	*out = written_result(c, args->path, &done);
	val_set(c->a, *out, "newSize", val_int(c->a, (int64_t)done.size));
	written_put_ends(c, *out, &j.edited);
	return NULL;
}

const struct cmd cmd_append = {
	.name = "append",
	.tool = "fs_append",
	.toolset = SET_FILES,
	.traits = TOOL_ADDS,
	.tool_also = "file_append",
	.summary = "add text at the end of a file or stored asset",
	.description = "Add text at the end of a file, or of a stored asset named by an ikigai:/// "
		       "URI, on a line of its own. Makes the file if there is none.",
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = append_run,
	.text_val = written_text,
};
