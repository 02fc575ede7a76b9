/* edit: replaces an exact text in a file or stored asset (requirement: assets, file_edit). */
#include "paths/change_common.h"
#include "crypt/crypt.h"

#include "git/git.h"

#define DIFF_MAX ((size_t)4000)    /* bytes of the diff in an answer */
#define DIFF_OF  ((size_t)4 << 20) /* no diff of longer contents, which would be slow */

struct args {
	struct audit audit;
	struct str path, old, new, ifMatch, encoding;
	struct cmd_list edits;
	bool all, dryRun, breakLinks;
};

struct edit_one {
	struct str old, new;
	bool all;
};

#define EDIT_ONE(member, ...) PARAM_OF(struct edit_one, member, __VA_ARGS__)
static const struct param edit_one_params[] = {
	EDIT_ONE(old, .flags = REQUIRED, .also = "oldText old_string old_str", .tool_help = "",
		 .help = "the exact text"),
	EDIT_ONE(new, .flags = REQUIRED, .also = "newText new_string new_str", .tool_help = "",
		 .help = "the new text"),
	EDIT_ONE(all, .also = "replace_all", .tool_help = "", .help = "replace every occurrence"),
	{0},
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(old, .flags = STDIN, .meta = "text", .also = "old_string old_str oldText",
	      .help = "the exact text to replace"),
	PARAM(new, .flags = STDIN, .meta = "text", .also = "new_string new_str newText",
	      .help = "the new text"),
	PARAM(all, .also = "replace_all", .help = "replace every occurrence"),
	PARAM(edits, .flags = JSON_ONLY, .sub = edit_one_params,
	      .sub_size = sizeof(struct edit_one),
	      .help = "several edits, one after the other: all or none"),
	PARAM(dryRun, .letter = 'n', .also = "dry_run", .help = "only show the diff"),
	PARAM_ENCODING("the texts are"),
	PARAM_IF_MATCH_OLD,
	PARAM_BREAK_LINKS,
	PARAMS_AUDIT,
	{0},
};

struct result {
	struct written written;
	size_t replaced;
	struct str diff, tolerated;
	bool dryRun;
};

static const struct field result[] = {
	FIELDS_WRITTEN,
	FIELD(replaced, "the number of replacements"),
	FIELD(tolerated, "what differed between the old text and the file, as indentation",
	      .flags = IF_ANY),
	FIELD(diff,
	      "the changed lines, as a diff without context; cut when it is long; not of bytes or "
	      "over 4 MiB",
	      .flags = IF_ANY),
	FIELD(dryRun, "nothing was written", .flags = IF_ANY),
	FIELD_LINE_ENDS,
	{0},
};

/* The edits of the list, or the single one. */
static struct err *edit_list(struct call *c, const struct args *args, struct cmd_list *out)
{
	struct edit_one *one;
	const char *missing = !args->old.p ? "old" : "new";
	bool person = c->face == FACE_ARGV; /* who has options, and no list of edits */

	*out = args->edits;
	if (args->edits.n && !args->old.p && !args->new.p && !args->all)
		return NULL;
	if (args->edits.n)
		return ERR_EXCLUSIVE("edits", args->old.p ? "old" : args->new.p ? "new" : "all");
	if (args->edits.p)
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("edits"), "edits is empty"),
				"give old and new, or a list of such objects as edits");
	if (!args->old.p || !args->new.p)
		return err_help(err_for_param(E_MISSING_PARAMETER, str_of(missing),
					      "%s%s is missing", person ? "--" : "", missing),
				person ? "give --old and --new, each with a text"
				       : "give old and new, or a list of such objects as edits");
	one = ARENA_NEW(c->a, struct edit_one);
	*one = (struct edit_one){args->old, args->new, args->all};
	*out = (struct cmd_list){one, 1};
	return NULL;
}

/* Each edit finds what the edits before it left. */
static struct err *edit_apply(struct call *c, struct arena *a, const struct args *args,
			      struct str *text, struct file_edited *all)
{
	struct cmd_list list;

	*all = (struct file_edited){0};
	TRY(edit_list(c, args, &list));
	for (size_t i = 0; i < list.n; i++) {
		const struct edit_one *one = (const struct edit_one *)list.p + i;
		struct file_edit edit = {.all = one->all,
					 .exact = written_is_base64(args->encoding)};
		struct file_edited done;
		struct err *e;

		TRY(written_decode_param(c, args->encoding, "old", one->old, &edit.old));
		TRY(written_decode_param(c, args->encoding, "new", one->new, &edit.new));
		e = file_edit_text(a, *text, &edit, text, &done);
		if (e && args->edits.p)
			return err_add_context(e, "edits[%zu]", i);
		TRY(e);
		all->count += done.count;
		all->ends = done.ends ? done.ends : all->ends;
		all->mixed = all->mixed || done.mixed;
		if (done.tolerated.n)
			all->tolerated = str_dup(c->a, done.tolerated);
	}
	return NULL;
}

/* The hunks without the names of the file. */
static struct err *edit_diff(struct call *c, struct str old, struct str new, struct str *out)
{
	struct str diff;
	size_t at, end;

	*out = (struct str){0};
	if (old.n > DIFF_OF || new.n > DIFF_OF || !str_is_text(old) || !str_is_text(new))
		return NULL;
	TRY(git_diff_contents(c->a, "a", old, "b", new, 0, &diff));
	at = str_find(diff, STR("@@"), 0);
	if (at == SIZE_MAX)
		return NULL;
	diff = str_sub(diff, at, diff.n);
	if (diff.n > DIFF_MAX) {
		end = str_rfind_char(str_sub(diff, 0, DIFF_MAX), '\n');
		diff = str_fmt(c->a, "%.*s... %zu more bytes\n",
			       STR_ARG(str_sub(diff, 0, end == SIZE_MAX ? 0 : end + 1)),
			       diff.n - (end == SIZE_MAX ? 0 : end + 1));
	}
	*out = str_dup(c->a, str_utf8(c->a, diff));
	return NULL;
}

static struct err *edit_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct file_write w = {.op = "edit", .if_match = args->ifMatch, .existing = true};
	struct file_change *change;
	struct file_edited edited;
	struct file_ref ref;
	struct charset charset;
	struct str old, new;
	struct err *e;

	r->written.path = args->path;
	w.flags = args->breakLinks ? OS_BREAK_LINKS : 0;
	TRY(file_ref_resolve(f, args->path, &ref));
	TRY(file_begin(f, &ref, &w, &change));
	e = written_decode_old_content(change->a, &ref, args->encoding, change->old, &old,
				       &charset);
	new = old;
	if (!e)
		e = edit_apply(c, change->a, args, &new, &edited);
	if (!e)
		e = edit_diff(c, old, new, &r->diff);
	if (!e)
		e = charset_encode(change->a, &charset, old, new, &new);
	if (e)
		return file_abort(change, err_add_context(e, "'%.*s'", STR_ARG(args->path)));
	r->replaced = edited.count;
	r->tolerated = edited.tolerated;
	if (args->dryRun) {
		r->dryRun = true;
		r->written.done.hash = str_dup(c->a, crypt_content_hash(c->a, new));
		r->written.done.size = new.n;
		r->written.done.changed = !str_eq(change->old, new);
		e = file_abort(change, NULL);
	} else {
		e = file_commit(change, new, &r->written.done);
	}
	TRY(e);
	written_note_line_ends(c, &r->written, &edited);
	written_note_guessed_charset(c, &r->written, &charset);
	return NULL;
}

static const struct plain edit_plain = {
	.template = PLAIN_WRITTEN PLAIN_LINE_ENDS
	"{?tolerated:the file has other {tolerated} than the old text\n}"
	"{diff%b}{?dryRun:[a dry run: nothing was written]\n}",
	.hidden = PLAIN_WRITTEN_HIDDEN " replaced",
};

static struct err *edit_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {.audit = &args->audit, .path = args->path, .run = edit_do};

	return files_run_write_tool(c, &w, p, out);
}

const struct cmd cmd_edit = {
	.name = "edit",
	.tool = "file_edit",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_CORE,
	.tool_also = "fs_edit",
	.summary = "replace a text in a file or stored asset",
	.description =
		"Replace exact texts in a file or stored asset. Each must occur once, unless "
		"all is true.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = edit_run,
	.template =
		"{?@dryRun:{diff%t}}" TEMPLATE_LINE_ENDS
		"{?tolerated:{2:ikm: '{path}' has other {tolerated} than the old text\n}}" TEMPLATE_WARNINGS,
	.plain = &edit_plain,
};
