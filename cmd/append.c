/* append: adds text at the end of a file or stored asset (requirement: garden, fs.append). */
#include "paths/change_common.h"

struct args {
	struct audit audit;
	struct str path, text, ifMatch, encoding;
	bool parents, breakLinks;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(text, .flags = REQUIRED | STDIN | OR_STDIN, .also = "content",
	      .help = "the text to add"),
	PARAM_ENCODING("the text is"),
	PARAM_IF_MATCH,
	PARAM_PARENTS,
	PARAM_BREAK_LINKS,
	PARAMS_AUDIT,
	{0},
};

struct result {
	struct written written;
};

static const struct field result[] = {
	FIELDS_WRITTEN,
	WRITTEN(done.size, "newSize", "the new size in bytes"),
	FIELD_LINE_ENDS,
	{0},
};

static struct err *append_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct file_write w = {.op = "append", .if_match = args->ifMatch};
	bool exact = written_is_base64(args->encoding);
	struct file_change *change;
	struct file_edited edited;
	struct charset charset;
	struct str text, old, new;
	struct file_ref ref;
	struct err *e;

	r->written.path = args->path;
	w.flags = (args->parents ? OS_PARENTS : 0) | (args->breakLinks ? OS_BREAK_LINKS : 0);
	TRY(written_decode_param(c, args->encoding, "text", args->text, &text));
	TRY(file_ref_resolve(f, args->path, &ref));
	TRY(file_begin(f, &ref, &w, &change));
	old = change->old.p ? change->old : STR("");
	e = written_decode_old_content(change->a, &ref, args->encoding, old, &old, &charset);
	if (!e && !old.n && !exact) {
		edited = (struct file_edited){0};
		e = charset_encode_new_file(change->a, &change->p[0], args->encoding, text,
					    &edited.ends, &new);
	} else if (!e) {
		new = file_content_append(change->a, old, text, exact, &edited);
		e = charset_encode(change->a, &charset, old, new, &new);
	}
	if (e)
		return file_abort(change, err_add_context(e, "'%.*s'", STR_ARG(args->path)));
	TRY(file_commit(change, new, &r->written.done));
	written_note_guessed_charset(c, &r->written, &charset);
	written_note_line_ends(c, &r->written, &edited);
	return NULL;
}

static struct err *append_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {.audit = &args->audit, .path = args->path, .run = append_do};

	return files_run_write_tool(c, &w, p, out);
}

static const struct plain append_plain = {.template = PLAIN_WRITTEN PLAIN_LINE_ENDS,
					  .hidden = PLAIN_WRITTEN_HIDDEN};

const struct cmd cmd_append = {
	.name = "append",
	.tool = "fs_append",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_ADDS,
	.tool_also = "file_append",
	.summary = "add text at the end of a file or stored asset",
	.description = "Add text at the end of a file, or of a stored asset named by an ikigai:/// "
		       "URI, on a new line. Creates the file if it does not exist.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = append_run,
	.template = TEMPLATE_LINE_ENDS TEMPLATE_WARNINGS,
	.plain = &append_plain,
};
