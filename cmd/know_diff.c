/* know diff: compares the active rules of two revisions. */
#include "decisions/know.h"
#include "history/judge_trees.h"
#include "knowledge/rule_change_text.h"
#include "report/show.h"

struct args {
	struct str range;
	struct strs knowledge;
};

static const struct param diff_params[] = {
	PARAM(range, .flags = ARG | REQUIRED, .meta = "A..B", .min = 1, .max = 4096,
	      .complete = commit_range_complete,
	      .help = "the two revisions; A alone: compare it with the working tree"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct result {
	bool success;
	int64_t rulesBefore, rules;
	struct rule_changes ruleChanges;
};

static const struct field diff_result[] = {
	FIELD(success, "both sides were read"),
	FIELD(rulesBefore, "the number of active rules in A"),
	FIELD(rules, "the number of active rules in B"),
	FIELD_RECORDS(struct result, ruleChanges, "ruleChanges", rule_change_fields,
		      "the differences of the rules and of the settings for checks"),
	{0},
};

static struct err *know_diff_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *res = out;
	struct judge j = {
		.git = c->git, .args = c->set, .given = args->knowledge, .min_severity = -1};
	struct check_report r = {0};

	TRY(judge_compare_rules(c->a, &j, args->range, &r));
	*res = (struct result){
		.success = true,
		.rulesBefore = r.rules_before,
		.rules = r.rules,
		.ruleChanges = r.rule_changes,
	};
	/* The exit status is 1 for a difference, as in diff. A tool's answer has the list
	 * instead. */
	c->negative = r.rule_changes.n && c->face == FACE_ARGV;
	return NULL;
}

static void diff_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	rule_changes_text(c->out, &r->ruleChanges, r->rulesBefore, r->rules, 0);
}

const struct cmd cmd_know_diff = {
	.name = "know diff",
	.tool = "knowledge_diff",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS,
	.summary = "compare the active rules of two revisions",
	.description =
		"Compare the active rules of two revisions of the repository: rules that were "
		"added, edited, retired or lost, and changed settings for checks.",
	.need = MAY_GIT,
	CMD_PARAMS(struct args, diff_params),
	CMD_RESULT(struct result, diff_result),
	.run = know_diff_run,
	.text = diff_text,
};
