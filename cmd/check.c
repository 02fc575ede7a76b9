/* check: the judge (requirement: memory and knowledge, knowledge_check). */
#include "paths/repo_relative_paths.h"
#include "report/formats.h"
#include "decisions/know.h"
#include "memories/memories.h"
#include "history/judge_trees.h"
#include "hook/hook.h"
#include "report/show.h"
#include "deps/deps.h"

/* A report with more of them is printed as it comes. */
#define VIOLATIONS_IN_TREE 1000

struct args {
	struct strs paths;
	bool staged, all, existing, receive, waived, update_baseline;
	struct str range, verify, baseline;
	struct cmd_list files, dependencies;
	int minSeverity, format;
	struct strs knowledgeItemIds;
	struct strs knowledge, output;
	bool complete;
	int64_t require_checked;
};

struct file {
	struct str path, content;
};

static const struct param file_params[] = {
	PARAM_OF(struct file, path, .flags = REQUIRED, .min = 1, .max = OS_PATH_MAX,
		 .help = "from the top of the repository"),
	PARAM_OF(struct file, content, .flags = REQUIRED, .help = "the whole content"),
	{0},
};

static const struct param dependency_params[] = {
	PARAM_OF(struct check_dep, name, .flags = REQUIRED, .min = 1, .max = OS_PATH_MAX,
		 .help = "the package"),
	PARAM_OF(struct check_dep, version, .tool_help = "", .help = "its version"),
	/* Other usual names are accepted, and in no schema. */
	PARAM_OF(struct check_dep, ecosystem, .choices = deps_ecosystems + 1,
		 .help = "the package manager"),
	{0},
};

static struct err *check_complete_output(struct call *c, struct str typed)
{
	for (size_t i = 0; check_formats[i]; i++)
		cmd_candidate(c->out, typed, str_fmt(c->a, "%s:", check_formats[i]),
			      str_of(check_format_readers[i]));
	return NULL;
}

static const struct param params[] = {
	PARAM(paths, .flags = ARG | PATHS | CLI_ONLY, .meta = "PATH", .min = 1, .max = OS_PATH_MAX,
	      .help = "check these files or folders of the working tree"),
	PARAM(staged, .flags = CLI_ONLY,
	      .help = "check the staged content, as git commit will record it"),
	PARAM(range, .flags = CLI_ONLY, .meta = "A..B", .complete = commit_range_complete,
	      .help = "check the changes from the merge base of A and B to B"),
	PARAM(verify, .flags = CLI_ONLY, .meta = "RANGE", .complete = commit_range_complete,
	      .help = "check every commit of A..B against its parent, by the rules of its time"),
	PARAM(receive, .flags = CLI_ONLY,
	      .help = "check what a push brings: lines of OLD NEW REF on standard input"),
	PARAM(all, .flags = CLI_ONLY, .help = "check the whole working tree"),
	PARAM(existing, .flags = CLI_ONLY, .help = "also show violations that existed before"),
	PARAM(waived, .flags = CLI_ONLY, .help = "also show violations that an exception waives"),
	PARAM(baseline, .flags = CLI_ONLY | PATHS, .meta = "FILE", .min = 1, .max = OS_PATH_MAX,
	      .help = "with --all or PATH: findings of this file existed before"),
	PARAM(update_baseline, .flags = CLI_ONLY,
	      .help = "with --all --baseline: write what is found into that file"),
	PARAM(files, .flags = JSON_ONLY, .sub = file_params, .sub_size = sizeof(struct file),
	      .help = "planned files"),
	PARAM(dependencies, .flags = JSON_ONLY, .sub = dependency_params,
	      .sub_size = sizeof(struct check_dep), .help = "planned dependencies"),
	PARAM(minSeverity, .choices = kn_severities, .def = CONF_MIN_SEVERITY,
	      .flags = RARE | CONFIGURED,
	      .help = "the lowest severity to show; default: the setting check.minSeverity"),
	PARAM(knowledgeItemIds, .flags = RARE, .option = "item", .meta = "ID",
	      .complete = know_complete,
	      .help = "only apply these knowledge items; may be repeated"),
	PARAM(complete, .flags = RARE | JSON_ONLY,
	      .help = "the input is the complete project: also apply rules about missing things"),
	PARAM(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "a further source of knowledge; may be repeated"),
	PARAM(format, .flags = CLI_ONLY, .choices = check_formats, .def = "text",
	      .help = "the output format"),
	PARAM(output, .flags = CLI_ONLY, .meta = "FORMAT:FILE", .min = 1, .max = OS_PATH_MAX,
	      .complete = check_complete_output,
	      .help = "also write the report to a file; may be repeated"),
	PARAM(require_checked, .flags = CLI_ONLY, .meta = "N", .min = 0, .max = INT32_MAX,
	      .def = "0",
	      .help = "fail if fewer files than this were checked, or nothing was judged"),
	{0},
};

static struct err *check_cmd_given(struct call *c, const struct args *args, struct judge *j,
				   struct check_report *r)
{
	struct tree_mem_file *files = arena_array(c->a, args->files.n + 1, sizeof(*files));
	const struct file *in = args->files.p;
	struct strs paths = {0};
	struct tree *t = NULL;

	for (size_t i = 0; i < args->files.n; i++) {
		files[i] = (struct tree_mem_file){{0}, in[i].content, TREE_FILE};
		TRY(path_of_input(c, i, in[i].path, &files[i].path));
		strs_push(c->a, &paths, files[i].path);
	}
	TRY(paths_check_unique(&paths));
	TRY(check_validate_given_deps(c->a, args->dependencies.p, args->dependencies.n));
	/* If no files were given, rules about files are reported as not checked. */
	if (in)
		t = tree_mem(c->a, STR("the input"), files, args->files.n);
	return judge_planned_changes(c->a, j, t, args->dependencies.p, args->dependencies.n,
				     args->complete, r);
}

/* Judges what the arguments of a command line name. */
static struct err *check_cmd_judge(struct call *c, const struct args *args, struct judge *j,
				   struct check_report *r)
{
	struct str lines;
	struct err *e;

	TRY(ERR_EXCLUSIVE(args->staged ? "--staged" : NULL, args->range.p ? "--range" : NULL,
			  args->verify.p ? "--verify" : NULL, args->receive ? "--receive" : NULL,
			  args->all ? "--all" : NULL, args->paths.n ? "PATH" : NULL));
	if (args->verify.p)
		return judge_each_commit(c->a, j, args->verify, r);
	if (args->receive) {
		TRY(cmd_stdin(c->a, "lines OLD NEW REF, as git gives a pre-receive hook", &lines));
		return judge_receive(c->a, j, lines, r);
	}
	if (args->staged)
		return judge_staged(c->a, j, r);
	if (args->range.p)
		return judge_range(c->a, j, args->range, r);
	if (!args->all && !args->paths.n)
		return judge_worktree(c->a, j, r);
	e = paths_from_top(c, &args->paths, &j->only);
	for (size_t i = 0; e && i < args->paths.n; i++) {
		struct str path = args->paths.p[i];
		size_t dots = str_find(path, STR(".."), 0);

		if (dots && dots < path.n && path.p[dots - 1] != '/' && !str_holds(path, "../"))
			return err_help(e, "of a range of commits: ikm check --range %.*s",
					STR_ARG(str_shell_word(c->a, path)));
	}
	TRY(e);
	return judge_all(c->a, j, r);
}

/* The formats of a command line, before anything is judged. */
static struct err *check_cmd_formats(struct call *c, const struct args *args,
				     struct check_outputs *outputs)
{
	if (c->json && args->format != CHECK_AS_TEXT && args->format != CHECK_AS_JSON)
		return err_help(err_new(E_BAD_ARGUMENT,
					"--json and --format %s cannot be used together",
					check_formats[args->format]),
				"write one of them to a file: --output json:FILE");
	c->json |= args->format == CHECK_AS_JSON;
	return check_outputs_parse_option(c->a, &args->output, outputs);
}

static struct err *check_cmd_write(struct call *c, const struct args *args,
				   const struct check_outputs *outputs,
				   const struct check_report *r)
{
	bool github = args->format == CHECK_AS_GITHUB;
	struct err *e;

	for (size_t i = 0; i < outputs->n; i++)
		github |= outputs->p[i].format == CHECK_AS_GITHUB;
	e = github ? check_summary_append(c->a, r) : NULL;
	/* The verdict matters more than its summary. */
	if (e)
		out_fmt(c->err, "ikm: the summary of the job was not written: %s\n",
			err_message(e));
	return check_outputs_write(outputs, r, args->existing);
}

/* Whether the text can stand in an address as it is. */
static bool check_cmd_is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alnum(s.p[i]) && (!s.p[i] || !strchr("._~/-", s.p[i])))
			return false;
	return true;
}

/* The address of the repository at its host, for a format that has links. */
static struct err *check_cmd_web(struct call *c, struct check_report *r)
{
	const char *url = NULL;
	struct str id, host;

	if (c->git)
		TRY(git_setting(c->git, c->a, "remote.origin.url", &url));
	id = url ? mem_repo_id_of_remote_url(c->a, str_of(url)) : STR("");
	/* A folder of this machine has no dot in its first part. */
	if (check_cmd_is_plain(id) && str_next_part(&id, '/', &host) &&
	    str_find_char(host, '.', 0) != SIZE_MAX)
		r->web = str_fmt(c->a, "https://%.*s/%.*s", STR_ARG(host), STR_ARG(id));
	return NULL;
}

/* Why a check that found nothing has judged nothing; empty: it has judged. */
static struct str check_cmd_nothing(struct call *c, const struct args *args,
				    const struct check_report *r)
{
	struct str why = know_why_nothing_to_judge(c, !r->no_knowledge, r->items, r->constraints);

	if (why.n || c->face == FACE_ARGV)
		return why.n ? why : r->nothing;
	if (!args->files.n && !args->dependencies.n)
		return STR("files and dependencies are empty lists");
	return r->not_judged == r->constraints
		       ? STR("no rule is about what was given: each needs other files")
		       : why;
}

static struct err *check_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct check_report *r = out;
	struct check_outputs outputs = {0};
	struct str lost = {"", 0};
	struct judge j = {.asker = c->face == FACE_ARGV ? JUDGE_PERSON : JUDGE_AGENT,
			  .git = c->git,
			  .args = c->set,
			  .given = args->knowledge,
			  .items = args->knowledgeItemIds,
			  .min_severity = args->minSeverity,
			  .want_existing = args->existing};

	TRY(baseline_open(c->a, args->baseline, args->all, args->paths.n, args->update_baseline,
			  &j.baseline));
	if (c->face != FACE_ARGV) {
		if (!args->files.p && !args->dependencies.p)
			return err_help(
				err_new(E_MISSING_PARAMETER,
					"nothing to check: files and dependencies are missing"),
				"pass files: [{path, content}] or dependencies: [{name}]");
		TRY(check_cmd_given(c, args, &j, r));
	} else {
		TRY(check_cmd_formats(c, args, &outputs));
		TRY(check_cmd_judge(c, args, &j, r));
		if (c->git && !args->receive)
			lost = hook_lost(c->a, c->git);
		if (lost.n)
			check_warn(c->a, r, false, STR("hooks"), lost);
	}
	if (r->passed && !r->violations.n && !r->garden && !r->verifies)
		r->nothing = check_cmd_nothing(c, args, r);
	if (args->require_checked && r->nothing.n)
		return err_help(err_new(E_NOTHING_CHECKED,
					"nothing was judged, but --require-checked is %lld: %.*s",
					(long long)args->require_checked, STR_ARG(r->nothing)),
				r->constraints ? "name files that Git tracks, or stage files (git "
						 "add)"
					       : "'ikm know list' shows the decisions and their "
						 "rules");
	if ((int64_t)r->files < args->require_checked)
		return err_help(err_new(E_NOTHING_CHECKED,
					"%u files were checked, but --require-checked is %lld",
					r->files, (long long)args->require_checked),
				args->all
					? "give a lower number, or look what .gitignore leaves out"
					: "stage more files (git add), name them, or give a "
					  "lower number");
	if (args->update_baseline)
		TRY(os_write(str_c(c->a, j.baseline->file), j.baseline->text, 0));
	c->negative = !r->passed;
	check_report_finish(c->a, r);
	TRY(check_cmd_web(c, r));
	TRY(check_cmd_write(c, args, &outputs, r));
	/* The value tree of a result needs 4 kB for each finding. */
	if (c->face == FACE_ARGV && c->json && !out_is_terminal(c->out) &&
	    r->violations.n > VIOLATIONS_IN_TREE) {
		check_print_report(CHECK_AS_JSON, c->out, r, args->existing);
		c->result = NULL;
	}
	return NULL;
}

static void check_cmd_text(struct call *c, const void *p, const void *report)
{
	const struct args *args = p;

	if (args->waived && args->format == CHECK_AS_TEXT)
		check_waived_text(c->out, report);
	check_print_report((enum check_format)args->format, c->out, report, args->existing);
}

const struct cmd cmd_check = {
	.name = "check",
	.tool = "knowledge_check",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_EVERY_ROOT | TOOL_CORE,
	.summary = "check files and dependencies against your decisions",
	.description =
		"Check planned changes against the organisation's decisions, before you add a "
		"dependency, create a file or change the architecture. Names the broken "
		"decision and what to use instead.",
	.need = MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct check_report, check_report_fields),
	.run = check_cmd_run,
	.text = check_cmd_text,
};
