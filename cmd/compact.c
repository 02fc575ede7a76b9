/* compact: makes a text smaller, by rules or by a person's program (requirement: assets,
 * "Block Budget Enforcement"). */
#include "common/change_result.h"
#include "compact/compact.h"
#include "crypt/crypt.h"
#include "file/types.h"
#include <unistd.h>

struct args {
	struct str path, with;
	bool yes;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(with, .flags = CLI_ONLY, .meta = "command", .min = 1, .max = 65536,
	      .help = "a shell command that reads the text and prints a shorter one"),
	PARAM(yes, .letter = 'y', .help = "write it; without this it is only shown"),
	{0},
};

static const struct field result[] = {
	{"path", "the file, as it was named", F_STR},
	{"beforeTokens", "estimated, of what was there", F_INT},
	{"afterTokens", "of the compacted text", F_INT},
	{"beforeBytes", "the size of what was there", F_INT},
	{"afterBytes", "of the compacted text", F_INT},
	{"diff", "from the one to the other; empty when there is nothing to gain", F_STR},
	{"written", "the compacted text took its place", F_BOOL},
	{"hash", "sha256 of what is there now", F_STR},
	{"event", "the record of the change: 'ikm events undo' puts it back", F_STR, OPTIONAL},
	{"warnings", "what of the file could not be kept", F_STRS, OPTIONAL},
	{0},
};

/* A person's own program: a model, a script, an editor. */
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
				"nothing was changed");
	if (!str_is_text(r.out))
		return err_new(E_BAD_COMPACT, "the command '%.*s' printed no UTF-8 text",
			       STR_ARG(command));
	*out = r.out;
	return NULL;
}

/* Rules may win blanks and no token; then there is nothing to gain. */
static struct err *compacted(struct call *c, const struct args *args, enum token_model model,
			     struct str before, struct str *after)
{
	struct err *e;

	if (!str_is_text(before))
		return err_new(E_NOT_TEXT, "'%.*s' is no UTF-8 text", STR_ARG(args->path));
	if (args->with.p) {
		TRY(ask_program(c, args->with, before, after));
	} else if (!str_starts(args->path, STR(ASSET_SCHEME)) && !file_is_prose(args->path)) {
		e = err_new(E_BAD_ARGUMENT,
			    "'%.*s' is no Markdown by its name: the rules would "
			    "change what it says",
			    STR_ARG(args->path));
		return err_help(err_detail(e, "parameter", STR("path")),
				"write a shorter text, or let a command do it: --with COMMAND");
	} else {
		e = compact_text(c->a, before, after);
		if (e)
			return err_in(e, "'%.*s'", STR_ARG(args->path));
		if (token_estimate(*after, model) > token_estimate(before, model))
			*after = before;
	}
	return str_eq(before, *after) ? NULL : compact_check(c->a, before, *after, model);
}

static void print_preview(struct call *c, const struct val *r)
{
	out_safe(c->out, val_get_str(r, "diff"), true);
	out_styled(c->out, OUT_BOLD, val_get_str(r, "path"));
	out_fmt(c->out, ": %jd tokens, %jd when compacted\n",
		(intmax_t)val_get_int(r, "beforeTokens"), (intmax_t)val_get_int(r, "afterTokens"));
}

/* Whether there is somebody to ask. */
static bool asks(const struct call *c, const struct args *args, const struct val *r)
{
	return !args->yes && c->face == FACE_ARGV && !c->json && val_get_str(r, "diff").n &&
	       isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

static struct err *compact_cmd_ask(struct call *c, const struct val *r, bool *yes)
{
	char answer = 0, p;

	print_preview(c, r);
	TRY(out_flush(c->out));
	out_puts(c->err, "write it? [y/N] ");
	TRY(out_flush(c->err));
	for (size_t n = 0; read(STDIN_FILENO, &p, 1) == 1 && p != '\n'; n++)
		answer = n ? answer : p;
	*yes = answer == 'y' || answer == 'Y';
	return NULL;
}

/* What was read is what is replaced: somebody's change in between is CHANGED. */
static struct err *compact_cmd_put(struct call *c, struct files *f, const struct file_ref *ref,
				   struct str after, struct val *r)
{
	const struct file_write w = {.op = "compact", .if_match = val_get_str(r, "hash")};
	struct file_done done;

	/* There is a way back on every face: a shorter text says less. */
	if (!f->events && c->conf->undo_days)
		f->events = files_events(c, f);
	TRY(file_put(f, ref, &w, after, &done));
	val_get(r, "written")->b = true;
	val_get(r, "hash")->s = done.hash;
	if (done.event.n)
		val_set(c->a, r, "event", val_str(c->a, done.event));
	if (done.warnings.n)
		val_set(c->a, r, "warnings", val_strs(c->a, &done.warnings));
	return NULL;
}

static struct err *compact_cmd_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	const char *name = str_c(c->a, str_utf8(c->a, args->path));
	bool yes = args->yes;
	struct file_ref ref;
	struct files *f;
	struct str before, after, diff = STR("");
	struct val *r = val_map(c->a);

	TRY(files_open(c, &f));
	TRY(file_ref(f, args->path, &ref));
	TRY(file_read(f, c->a, &ref, FILE_BYTES_MAX, &before));
	TRY(compacted(c, args, f->assets->model, before, &after));
	if (!str_eq(before, after))
		TRY(git_diff_text(c->a, name, before, name, after, 3, &diff));
	val_set(c->a, r, "path", val_str(c->a, str_of(name)));
	val_set(c->a, r, "beforeTokens",
		val_int(c->a, (int64_t)token_estimate(before, f->assets->model)));
	val_set(c->a, r, "afterTokens",
		val_int(c->a, (int64_t)token_estimate(after, f->assets->model)));
	val_set(c->a, r, "beforeBytes", val_int(c->a, (int64_t)before.n));
	val_set(c->a, r, "afterBytes", val_int(c->a, (int64_t)after.n));
	val_set(c->a, r, "diff", val_str(c->a, diff));
	val_set(c->a, r, "written", val_bool(c->a, false));
	val_set(c->a, r, "hash", val_str(c->a, crypt_content_hash(c->a, before)));
	*out = r;
	if (asks(c, args, r))
		TRY(compact_cmd_ask(c, r, &yes));
	return yes && diff.n ? compact_cmd_put(c, f, &ref, after, r) : NULL;
}

static void compact_cmd_text(struct call *c, const void *p, const struct val *r)
{
	if (!asks(c, p, r))
		print_preview(c, r);
	written_text(c, p, r);
	if (!val_get_str(r, "diff").n)
		out_puts(c->err, "there is nothing to gain\n");
	else if (!val_get(r, "written")->b)
		out_puts(c->err, "nothing was written: --yes does\n");
	else if (val_get(r, "event"))
		out_fmt(c->err, "'ikm events undo %.*s' puts it back\n",
			STR_ARG(val_get_str(r, "event")));
}

const struct cmd cmd_compact = {
	.name = "compact",
	.tool = "compact",
	.toolset = SET_FILES,
	.summary = "make a text smaller, and keep what it says",
	.description = "Make a Markdown text smaller by rules: comments, blank lines, trailing "
		       "blanks and repeated paragraphs go, anchors and front matter stay. Shows "
		       "the diff and the tokens; writes with yes. To compress what it says, read "
		       "it and write a shorter text.",
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = compact_cmd_run,
	.text_val = compact_cmd_text,
};
