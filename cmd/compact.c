/* compact: shortens a text by rules, or by a program of the person (requirement: assets, "Block
 * Budget Enforcement"). */
#include "app/print_warnings.h"
#include "paths/change_common.h"
#include "reply/prompts.h"
#include "reply/ask_person.h"
#include "compact/compact.h"
#include "crypt/crypt.h"
#include "file/types.h"

struct args {
	struct audit audit;
	struct str path, with;
	bool yes;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(with, .flags = CLI_ONLY, .meta = "command", .min = 1, .max = 65536,
	      .help = "a shell command that reads the text and prints a shorter one"),
	PARAM(yes, .letter = 'y', .help = "write the result; without it ikm only shows the result"),
	PARAMS_AUDIT,
	{0},
};

struct result {
	struct str path;
	size_t beforeTokens, afterTokens, beforeBytes, afterBytes;
	struct str diff, prompt, next;
	bool written;
	struct str hash;
	struct file_done done;
	bool replayed;
};

static const struct field result[] = {
	FIELD(path, "the path that you gave"),
	FIELD(beforeTokens, "tokens before, estimated"),
	FIELD(afterTokens, "tokens of the compacted text"),
	FIELD(beforeBytes, "the size before"),
	FIELD(afterBytes, "bytes of the compacted text"),
	FIELD(diff, "the diff; empty when compacting saves nothing"),
	FIELD(prompt, "when the rules save nothing: what to tell a model that shortens the text",
	      .flags = IF_ANY),
	FIELD(next, "then the way to do so", .flags = IF_ANY),
	FIELD(written, "whether the compacted text was written"),
	FIELD(hash, "sha256 of the current content"),
	FIELD_AS(struct result, done.event, "event",
		 "the record of the change, for 'ikm events undo'", .flags = IF_ANY),
	FIELDS_KEPT(struct result, done),
	FIELD_REPLAYED(replayed),
	FIELD_AS(struct result, done.warnings, "warnings", "file properties that could not be kept",
		 .flags = IF_ANY),
	{0},
};

/* The person's own program: a model, a script, an editor. */
static struct err *ask_program(struct call *c, struct str command, struct str text, struct str *out)
{
	const char *argv[] = {"/bin/sh", "-c", str_c(c->a, command), NULL};
	const struct os_spawn s = {.argv = argv, .cwd = c->cwd, .in = text, .foreground = true};
	struct os_result r;

	TRY(os_run(c->a, &s, &r));
	out_safe(c->err, r.err, true);
	if (r.status)
		return err_help(err_new(E_PROGRAM_FAILED, "the command '%.*s' ended with status %d",
					STR_ARG(command), r.status),
				"nothing was changed; to see why, run it by hand: %.*s <FILE",
				STR_ARG(command));
	if (!str_is_text(r.out))
		return err_help(err_new(E_BAD_COMPACT,
					"the command '%.*s' did not print UTF-8 text",
					STR_ARG(command)),
				"nothing was changed; to see what it prints: %.*s <FILE | iconv -f "
				"UTF-8",
				STR_ARG(command));
	*out = r.out;
	return NULL;
}

/* The rules may remove blanks but save no token. Then compacting has no use. */
static struct err *compacted(struct call *c, const struct args *args, enum token_model model,
			     struct str before, struct str *after)
{
	struct err *e;

	if (!str_is_text(before))
		return err_new(E_NOT_TEXT, "'%.*s' is not UTF-8 text", STR_ARG(args->path));
	if (args->with.p) {
		TRY(ask_program(c, args->with, before, after));
	} else if (!str_starts(args->path, STR(ASSET_SCHEME)) && !file_is_prose(args->path)) {
		e = err_for_param(
			E_BAD_ARGUMENT, STR("path"),
			"'%.*s' is not a Markdown file by its name, and the rules would change "
			"its meaning",
			STR_ARG(args->path));
		return err_help(e,
				"write a shorter text yourself, or use a program: --with COMMAND");
	} else {
		e = compact_text(c->a, before, after);
		if (e)
			return err_add_context(e, "'%.*s'", STR_ARG(args->path));
		if (token_estimate(*after, model) > token_estimate(before, model))
			*after = before;
	}
	return str_eq(before, *after) ? NULL
				      : compact_check_may_replace(c->a, before, *after, model);
}

static void print_preview(struct call *c, const struct result *r)
{
	out_safe(c->out, r->diff, true);
	out_styled(c->out, OUT_BOLD, r->path);
	out_fmt(c->out, ": %zu token%s, %zu when compacted\n", r->beforeTokens,
		PLURAL(r->beforeTokens), r->afterTokens);
}

/* Whether ikm can ask a person. */
static bool asks(const struct call *c, const struct args *args, const struct result *r)
{
	return !args->yes && r->diff.n && confirm_can_ask(c);
}

/* Replaces exactly the content that was read. If somebody changed it since, the error is
 * CHANGED. */
static struct err *compact_cmd_put(struct call *c, struct files *f, const struct file_ref *ref,
				   struct str after, struct result *r)
{
	const struct file_write w = {.op = "compact", .if_match = r->hash};

	/* Record the change on every face, so that undo works: a shorter text has less content. */
	TRY(files_record_on_every_face(c, f, &((const struct args *)c->args)->audit));
	TRY(file_put(f, ref, &w, after, &r->done));
	r->written = true;
	r->hash = r->done.hash;
	return NULL;
}

static struct err *compact_cmd_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	const char *name = str_c(c->a, str_utf8(c->a, args->path));
	struct result *r = out;
	bool yes = args->yes;
	struct file_ref ref;
	struct str before, after;

	TRY(file_ref_resolve(f, args->path, &ref));
	TRY(file_read(f, c->a, &ref, FILE_BYTES_MAX, &before));
	TRY(compacted(c, args, f->assets->model, before, &after));
	if (!str_eq(before, after))
		TRY(git_diff_contents(c->a, name, before, name, after, 3, &r->diff));
	r->path = args->path;
	r->beforeTokens = token_estimate(before, f->assets->model);
	r->afterTokens = token_estimate(after, f->assets->model);
	r->beforeBytes = before.n;
	r->afterBytes = after.n;
	r->hash = crypt_content_hash(c->a, before);
	/* The rules keep all content. Only a model or a person can shorten ordinary prose. */
	if (!r->diff.n) {
		r->prompt = str_fmt(c->a, COMPACT_PROMPT, name);
		r->next = c->face == FACE_ARGV
				  ? str_fmt(c->a,
					    "ikm compact %s --with 'COMMAND', a program that reads "
					    "the text and prints a shorter one",
					    name)
				  : STR("do what prompt says, or take an asset out of the context "
					"with the tool asset_unpin");
	}
	if (asks(c, args, r)) {
		print_preview(c, r);
		TRY(confirm(c, "write the result?", &yes));
	}
	return yes && r->diff.n ? compact_cmd_put(c, f, &ref, after, r) : NULL;
}

static struct err *compact_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {
		.audit = &args->audit, .path = args->path, .run = compact_cmd_do};

	return files_run_write_tool(c, &w, p, out);
}

static void compact_cmd_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	if (!asks(c, args, r))
		print_preview(c, r);
	warnings_print(c, &r->done.warnings);
	if (!r->diff.n) {
		out_puts(c->err, "compacting saves nothing: the rules keep all content, and only a "
				 "model or a person can shorten it\n");
		out_safe(c->err, r->prompt, true);
		out_puts(c->err, "\nnext: ");
		out_safe(c->err, r->next, true);
		out_puts(c->err, "\n");
	} else if (!r->written) {
		out_puts(c->err, "nothing was written; add --yes to write it\n");
	} else if (r->done.event.n) {
		out_fmt(c->err, "to undo: ikm events undo %.*s\n", STR_ARG(r->done.event));
	}
}

const struct cmd cmd_compact = {
	.name = "compact",
	.tool = "compact",
	.toolset = SET_FILES,
	.summary = "make a text smaller without changing its meaning",
	.description = "Shorten a Markdown text by rules: remove comments, blank lines, trailing "
		       "blanks and repeated paragraphs; keep anchors and front matter. Shows the "
		       "diff and the tokens; writes with yes. To shorten the content itself, read "
		       "it and write a shorter text.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = compact_cmd_run,
	.text = compact_cmd_text,
};
