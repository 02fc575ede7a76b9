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

static struct err *append_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct file_write w = {.op = "append", .if_match = args->ifMatch};
	bool exact = args->encoding == ENCODING_BASE64;
	struct file_change *change;
	struct file_edited edited;
	struct file_done done;
	struct str text, new;
	struct files *f;
	struct file_ref r;

	w.flags = (args->parents ? OS_PARENTS : 0) | (args->breakLinks ? OS_BREAK_LINKS : 0);
	TRY(written_bytes(c, args->encoding, "text", args->text, &text));
	TRY(files_open(c, &f));
	TRY(file_ref(f, args->path, &r));
	TRY(file_begin(f, &r, &w, &change));
	new = file_append_text(change->a, change->old.p ? change->old : STR(""), text, exact,
			       &edited);
	TRY(file_commit(change, new, &done));
	written_ended(c, args->path, &edited, &done);
	*out = written_result(c, args->path, &done);
	val_set(c->a, *out, "newSize", val_int(c->a, (int64_t)done.size));
	written_put_ends(c, *out, &edited);
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
