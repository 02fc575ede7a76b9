/* know export: keeps a block of AGENTS.md or CLAUDE.md equal to the active decisions. */
#include "decisions/know_write_common.h"
#include "knowledge/agentsmd.h"
#include "suggest/linter_bans.h"

static const char *const export_formats[] = {"eslint", "pnpm", NULL};
enum { EXPORT_ESLINT, EXPORT_PNPM };

struct args {
	struct str file;
	bool agentsMd, check, stdOut;
	int format;
	struct strs knowledge;
};

static const struct param export_params[] = {
	PARAM(file, .flags = ARG | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the file; default: AGENTS.md, or CLAUDE.md when only that exists"),
	PARAM(agentsMd, .help = "write the decisions for agents, into a marked block of the file"),
	PARAM(format, .flags = CLI_ONLY, .choices = export_formats,
	      .help = "print the packages and modules that rules forbid, for this program"),
	PARAM(check, .help = "write nothing; exit 1 when the block is stale"),
	PARAM(stdOut, .option = "stdout", .help = "print the block, and write nothing"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct result {
	bool success, changed, stale;
	struct str path, block;
	size_t decisions;
	struct strs notes;
};

static const struct field export_result[] = {
	FIELD(success, "the file was read"),
	FIELD(path, "the file", .flags = IF_ANY),
	FIELD(decisions, "the number of active decisions"),
	FIELD(stale, "the block differed from the decisions"),
	FIELD(changed, "the file was written"),
	FIELD(block, "the block, with --stdout; the text of --format", .flags = IF_ANY),
	FIELD(notes, "rules that --format cannot carry over", .flags = IF_ANY),
	{0},
};

/* The named file; else AGENTS.md of the top, or CLAUDE.md when only that is there. */
static struct err *export_path(struct call *c, const struct args *args, const char **out)
{
	const char *top = c->git && git_top(c->git) ? git_top(c->git) : c->cwd;

	if (args->file.n) {
		*out = app_absolute_path(c, args->file);
		return NULL;
	}
	for (size_t i = 0; agentsmd_names[i]; i++) {
		struct os_stat st;

		*out = os_join(c->a, top, agentsmd_names[i]);
		TRY(os_stat(*out, true, &st));
		if (st.kind != OS_NONE)
			return NULL;
	}
	*out = os_join(c->a, top, agentsmd_names[0]);
	return NULL;
}

static struct err *export_compare(struct call *c, const struct knowledge *k, struct str text,
				  const char *path, struct agentsmd *m)
{
	struct err *e = agentsmd_compare(c->a, k, text, m);

	return e ? err_add_context(e, "'%s'", path) : NULL;
}

static struct err *export_write(struct call *c, const struct knowledge *k, const char *path,
				struct result *r)
{
	struct file_write w = {.op = "know export"};
	struct file_change *change;
	struct file_done done;
	struct agentsmd m;
	struct files *f;
	struct file_ref ref;
	struct str old;
	struct err *e;

	TRY(files_open(c, &f));
	TRY(file_ref_resolve(f, str_of(path), &ref));
	TRY(file_begin(f, &ref, &w, &change));
	old = change->old.p ? change->old : STR("");
	e = str_has_nul(old) ? err_new(E_NOT_TEXT, "'%s' is no text", path)
			     : export_compare(c, k, old, path, &m);
	if (e)
		return file_abort(change, e);
	r->stale = m.stale;
	r->decisions = m.decisions;
	/* Without a decision no block is added, and one that is there says so. */
	if (!m.stale)
		return file_abort(change, NULL);
	TRY(file_commit(change, agentsmd_put_block(c->a, old, &m), &done));
	r->changed = done.changed;
	return NULL;
}

static struct err *know_export_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct str text = {"", 0};
	struct knowledge *k;
	struct agentsmd m;
	struct os_stat st;
	const char *path;

	if (args->agentsMd == (args->format >= 0))
		return err_help(
			err_for_param(E_MISSING_PARAMETER, STR("agentsMd"),
				      "know export needs to know what to write: --agents-md, "
				      "or --format alone"),
			"ikm know export --agents-md");
	if (args->format >= 0) {
		TRY(know_load(c, &args->knowledge, &k));
		r->success = true;
		r->block = args->format == EXPORT_PNPM
				   ? bans_to_pnpm(c->a, k, &r->notes)
				   : bans_to_eslint(c->a, k, c->git ? git_top(c->git) : NULL,
						    &r->notes);
		return NULL;
	}
	if (args->check && args->stdOut)
		return ERR_EXCLUSIVE("--check", "--stdout");
	TRY(export_path(c, args, &path));
	TRY(know_load(c, &args->knowledge, &k));
	r->success = true;
	r->path = str_of(path);
	if (!args->check && !args->stdOut)
		return export_write(c, k, path, r);
	TRY(os_stat(path, true, &st));
	if (st.kind != OS_NONE)
		TRY(os_read_path(c->a, path, FILE_BYTES_MAX, &text));
	TRY(export_compare(c, k, text, path, &m));
	r->stale = m.stale;
	r->decisions = m.decisions;
	if (args->stdOut)
		r->block = m.block;
	c->negative = args->check && r->stale;
	return NULL;
}

static void export_text(struct call *c, const void *p, const void *result)
{
	const struct args *args = p;
	const struct result *r = result;
	struct str path = r->path.n ? know_path_for_shell(c, str_c(c->a, r->path)) : STR("");
	struct os_stat st;

	know_print_notes(c, &r->notes);
	if (args->stdOut || args->format >= 0) {
		/* The bytes of the file, CR included, where a program reads them. */
		if (out_is_terminal(c->out))
			out_safe(c->out, r->block, true);
		else
			out_bytes_unchanged(c->out, r->block);
		return;
	}
	out_safe(args->check && r->stale ? c->err : c->out, path, false);
	if (args->check && r->stale)
		out_fmt(c->err,
			" is stale: run 'ikm know export --agents-md%s%.*s', and commit the file\n",
			args->file.n ? " " : "", STR_ARG(args->file.n ? path : STR("")));
	else if (!r->decisions && !os_stat(str_c(c->a, r->path), true, &st) && st.kind == OS_NONE)
		out_puts(c->out,
			 "  is not made: no decision is active; 'ikm know list' shows all\n");
	else
		out_fmt(c->out, "  %s, %zu decision%s\n", r->changed ? "written" : "is current",
			r->decisions, PLURAL(r->decisions));
}

const struct cmd cmd_know_export = {
	.name = "know export",
	.summary = "keep a block of AGENTS.md equal to the decisions, or print bans for a linter",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, export_params),
	CMD_RESULT(struct result, export_result),
	.run = know_export_run,
	.text = export_text,
};
