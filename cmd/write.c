/* write, append: write the whole content of a file or stored asset, or add text at its end
 * (requirements: assets, file_write; garden, fs.write, fs.append). */
#include "paths/change_common.h"

struct args {
	struct audit audit;
	struct str path, content, text, ifMatch, encoding;
	bool parents, breakLinks, executable;
};

static const struct param write_params[] = {
	PARAM_FILE,
	PARAM(content, .flags = REQUIRED | STDIN | OR_STDIN, .meta = "text",
	      .help = "the whole content"),
	PARAM_ENCODING("the content is"),
	PARAM_IF_MATCH,
	PARAM_PARENTS,
	PARAM_BREAK_LINKS,
	PARAM(executable, .flags = RARE, .letter = 'x', .help = "make a new file executable"),
	PARAMS_AUDIT,
	{0},
};

static const struct param append_params[] = {
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

static const struct field write_result[] = {
	FIELDS_WRITTEN,
	FIELD_LINE_ENDS,
	{0},
};
static const struct field append_result[] = {
	FIELDS_WRITTEN,
	WRITTEN(done.size, "newSize", "the new size in bytes"),
	FIELD_LINE_ENDS,
	{0},
};

static const struct plain write_plain = {.template = PLAIN_WRITTEN PLAIN_LINE_ENDS,
					 .hidden = PLAIN_WRITTEN_HIDDEN};

static unsigned write_flags(const struct args *args)
{
	return (args->parents ? OS_PARENTS : 0) | (args->breakLinks ? OS_BREAK_LINKS : 0) |
	       (args->executable ? OS_EXECUTABLE : 0);
}

/* ---- write ---- */

/* What of the old content the new one keeps without having it, or loses. */
static void write_tell(struct call *c, struct written *w, const struct file_replaced *done,
		       size_t old)
{
	struct strs *warnings = &w->done.warnings;
	struct str path = str_utf8(c->a, w->path);

	if (!w->done.changed)
		return;
	/* A program in front of it in a pipeline may have failed. */
	if (old && !w->done.size && c->face == FACE_ARGV)
		strs_push(c->a, warnings,
			  str_fmt(c->a, "'%.*s' had %zu byte%s, and is empty now", STR_ARG(path),
				  old, PLURAL(old)));
	if (done->ends)
		w->ends = written_ends[done->ends == FILE_ENDS_CRLF];
	if (done->turned)
		strs_push(c->a, warnings,
			  str_fmt(c->a,
				  "%zu line%s of '%.*s' ended with %s, and the new text has %s",
				  done->turned, PLURAL(done->turned), STR_ARG(path),
				  done->to_crlf ? "LF" : "CR LF", done->to_crlf ? "CR LF" : "LF"));
	if (done->mark_kept || done->mark_lost)
		strs_push(c->a, warnings,
			  str_fmt(c->a, "'%.*s' begins with a byte order mark, which %s",
				  STR_ARG(path),
				  done->mark_kept ? "the new text got"
						  : "the new text does not have"));
}

/*
 * A tool's content gets the encoding of the old one, its line ends and its byte order mark. A
 * command writes the bytes that it gets, as a shell script expects.
 */
static struct err *write_in_kind(struct call *c, struct file_change *change,
				 const struct args *args, struct str *bytes,
				 struct file_replaced *done)
{
	bool tool = c->face != FACE_ARGV, verbatim = !tool && !args->encoding.p;
	struct str old = change->old.p ? change->old : STR("");
	struct charset charset;
	struct str text;

	if (written_is_base64(args->encoding))
		return NULL;
	if (!old.n && !verbatim)
		return charset_encode_new_file(change->a, &change->p[0], args->encoding, *bytes,
					       &done->ends, bytes);
	if (verbatim) {
		*bytes = file_content_keep_line_ends(change->a, old, *bytes, false, done);
		return NULL;
	}
	/* The caller may say another encoding than the old one has. */
	if (args->encoding.p && charset_decode(change->a, old, args->encoding, &text, &charset))
		old = STR("");
	TRY(written_decode_old_content(change->a, &change->p[0].ref, args->encoding, old, &old,
				       &charset));
	*bytes = file_content_keep_line_ends(change->a, old, *bytes, tool, done);
	return charset_encode(change->a, &charset, old, *bytes, bytes);
}

static struct err *write_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	const struct file_write w = {
		.op = "write", .if_match = args->ifMatch, .flags = write_flags(args)};
	struct file_replaced replaced = {0};
	struct file_change *change;
	struct file_ref ref;
	struct str bytes;
	size_t old;
	struct err *e;

	r->written.path = args->path;
	TRY(written_decode_param(c, args->encoding, "content", args->content, &bytes));
	TRY(file_ref_resolve(f, args->path, &ref));
	TRY(file_begin(f, &ref, &w, &change));
	e = write_in_kind(c, change, args, &bytes, &replaced);
	if (e)
		return file_abort(change, err_add_context(e, "'%.*s'", STR_ARG(args->path)));
	old = change->old.n;
	TRY(file_commit(change, bytes, &r->written.done));
	write_tell(c, &r->written, &replaced, old);
	if (args->executable && !r->written.done.created) {
		struct str path = str_utf8(c->a, ref.shown);
		struct file_stat st;
		struct err *failed = file_stat(f, &ref, &st);

		/* An existing file keeps its mode. If --executable does not change it, a warning
		 * says so. */
		if (failed)
			strs_push(c->a, &r->written.done.warnings,
				  str_fmt(c->a, "'%.*s' is written, and its mode is not known: %s",
					  STR_ARG(path), err_message(failed)));
		else if (!(st.mode & 0111))
			strs_push(
				c->a, &r->written.done.warnings,
				str_fmt(c->a,
					"'%.*s' existed already and keeps its mode: it is not executable",
					STR_ARG(path)));
	} else if (args->executable && str_starts(args->path, STR(ASSET_SCHEME)))
		strs_push(c->a, &r->written.done.warnings,
			  str_fmt(c->a, "a stored asset has no mode: '%.*s' is not executable",
				  STR_ARG(str_utf8(c->a, args->path))));
	return NULL;
}

static struct err *write_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {.audit = &args->audit, .path = args->path, .run = write_do};

	return files_run_write_tool(c, &w, p, out);
}

const struct cmd cmd_write = {
	.name = "write",
	.tool = "file_write",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_IDEMPOTENT | TOOL_CORE,
	.tool_also = "fs_write",
	.summary = "write a file or stored asset",
	.description = "Write the whole content of a file or stored asset. Give ifMatch to replace "
		       "only the content that you have read.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, write_params),
	CMD_RESULT(struct result, write_result),
	.run = write_run,
	.template = TEMPLATE_LINE_ENDS TEMPLATE_WARNINGS,
	.plain = &write_plain,
};

/* ---- append ---- */

static struct err *append_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	const struct file_write w = {
		.op = "append", .if_match = args->ifMatch, .flags = write_flags(args)};
	bool exact = written_is_base64(args->encoding);
	struct file_change *change;
	struct file_edited edited;
	struct charset charset;
	struct str text, old, new;
	struct file_ref ref;
	struct err *e;

	r->written.path = args->path;
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
	CMD_PARAMS(struct args, append_params),
	CMD_RESULT(struct result, append_result),
	.run = append_run,
	.template = TEMPLATE_LINE_ENDS TEMPLATE_WARNINGS,
	.plain = &write_plain,
};
