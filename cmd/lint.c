/* lint: looks for mistakes in knowledge items, and in files of the garden. */
#include "paths/open_files_for_call.h"
#include "paths/split_garden_paths.h"
#include "paths/repo_relative_paths.h"
#include "lint/show.h"
#include "base/build.h"

struct args {
	struct strs paths, rule, disable;
	bool fix, staged, list_rules;
	int severity, format;
	struct strs knowledge;
};

static const char *const formats[] = {"text", "github", "sarif", NULL};
enum { FORMAT_TEXT, FORMAT_GITHUB, FORMAT_SARIF };

static struct err *lint_complete_rule(struct call *c, struct str typed)
{
	for (int i = 0; i < LINT_RULE_COUNT; i++)
		cmd_candidate(c->out, typed, str_of(lint_rules[i].id),
			      str_of(lint_rules[i].summary));
	return NULL;
}

static const struct param params[] = {
	PARAM(paths, .flags = ARG | PATHS | CLI_ONLY | GARDEN_NAMES, .meta = "PATH", .min = 1,
	      .max = OS_PATH_MAX,
	      .help = "only these files, and those in these folders, of decisions or of the garden; "
		      "default: all of the repository"),
	PARAM(fix, .help = "mend what can be mended safely, and report the rest"),
	PARAM(severity, .choices = lint_severities, .def = "warning",
	      .help = "the lowest severity to report"),
	PARAM(rule, .meta = "RULE", .complete = lint_complete_rule,
	      .help = "only this rule; may be repeated"),
	PARAM(disable, .meta = "RULE", .complete = lint_complete_rule,
	      .help = "not this rule; may be repeated; see also the setting lint.disable"),
	PARAM(list_rules, .help = "list all rules"),
	PARAM(staged, .help = "read what is staged, not the working tree"),
	PARAM(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "a further source of knowledge, whose items are read too; may be repeated"),
	PARAM(format, .flags = CLI_ONLY, .choices = formats, .def = "text",
	      .help = "the output format"),
	{0},
};

static struct err *lint_cmd_paths(struct call *c, const struct args *args, struct lint_options *o)
{
	struct strs others;
	struct err *e;

	TRY(garden_split_paths(c, &args->paths, o->of, &o->garden, &others));
	o->garden_only = o->garden.paths.n && (args->paths.n ? !others.n : !c->git);
	/* Paths from the top of the repository, and as given for items of --knowledge. */
	if (!others.n)
		return NULL;
	e = c->git ? paths_from_top(c, &others, &o->paths) : NULL;
	if (e && (!args->knowledge.n || err_reason(e) != E_BAD_PATH))
		return e;
	if (!c->git || e)
		o->paths = others;
	return NULL;
}

static struct err *lint_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct lint_result *r = out;
	struct lint_options o = {.git = c->git,
				 .set = c->set,
				 .given = args->knowledge,
				 .only = args->rule,
				 .disable = args->disable,
				 .least = (enum lint_severity)args->severity,
				 .of = args->staged ? LINT_INDEX : LINT_WORKTREE};
	struct files *f;

	r->success = r->passed = true;
	if (args->list_rules) {
		r->rules.p = lint_rules;
		r->rules.n = LINT_RULE_COUNT;
		return NULL;
	}
	if (args->staged && (!c->git || git_is_bare(c->git)))
		return err_new(E_NO_REPOSITORY, "nothing can be staged here: this is no Git "
						"repository with a working tree");
	TRY(lint_cmd_paths(c, args, &o));
	if (args->fix) {
		r->fixed.p = arena_alloc(c->a, 1);
		r->fixed.failed.p = arena_alloc(c->a, 1);
		TRY(files_open(c, &f));
		TRY(lint_fix(f, &o, &r->fixed));
	}
	TRY(lint_run(c->a, &o, &r->report));
	r->passed = !r->report.errors && !r->fixed.failed.n;
	c->negative = !r->passed;
	return NULL;
}

static void lint_cmd_text(struct call *c, const void *p, const void *result)
{
	const struct args *args = p;
	const struct lint_result *r = result;

	if (args->list_rules) {
		lint_print_rules(c->out);
		return;
	}
	lint_print_failed_fixes(c->err, &r->fixed);
	if (args->format == FORMAT_SARIF) {
		lint_sarif(c->out, &r->report, IKM_VERSION);
		return;
	}
	lint_print_fixes(args->format == FORMAT_TEXT ? c->out : c->err, &r->fixed);
	if (args->format == FORMAT_GITHUB) {
		lint_github(c->out, &r->report);
		return;
	}
	lint_text_out(c->out, &r->report);
	lint_summary_text(c->err, &r->report);
}

const struct cmd cmd_lint = {
	.name = "lint",
	.summary = "look for mistakes in decisions and in files of the garden",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct lint_result, lint_result_fields),
	.run = lint_cmd_run,
	.text = lint_cmd_text,
};
