/* The rows of a report: the JSON of knowledge_check (requirement: memory and knowledge,
 * knowledge_check). */
#include "report/show.h"
#include "knowledge/show.h"

/* Whether a row has a member that not every row has. */
#define GIVEN(name, type, condition)                                                               \
	static bool name(const void *row)                                                          \
	{                                                                                          \
		const struct type *x = row;                                                        \
                                                                                                   \
		return x->condition;                                                               \
	}
GIVEN(violation_has_file, check_violation, file.n > 0)
GIVEN(violation_is_retired, check_violation, retired)
GIVEN(rule_change_is_lost, rule_change, kind == RULE_LOST)
GIVEN(rule_change_has_findings, rule_change, reinstated || x->findings)
GIVEN(report_verifies, check_report, verifies)
GIVEN(report_is_compared, check_report, compared)
GIVEN(report_has_judged, check_report, nothing.n == 0)
GIVEN(report_has_baseline, check_report, baseline.file.n > 0)

#define R struct check_violation
#define ITEM(member, name, help, ...)                                                              \
	FIELD_AS(struct kn_item, member, name, help, FIELD_VIA(R, item), __VA_ARGS__)
static const struct field location_fields[] = {
	FIELD_OF(R, file, "path from the top of the repository"),
	FIELD_OF(R, line, "from 1", .flags = IF_ANY),
	FIELD_OF(R, column, "from 1, in bytes", .flags = IF_ANY),
	{0},
};

static const struct field retired_by_fields[] = {
	FIELD_AS(R, retired_by, "commit", "the full id"),
	{0},
};

#define W struct waiver
const struct field exception_fields[] = {
	FIELD_OF(W, item, "the item, as the exception names it"),
	FIELD_OF(W, constraint, "the number of the rule; without it all rules of the item",
		 .flags = IF_ANY),
	FIELD_OF(W, paths, "globs of the files"),
	FIELD_OF(W, found, "the packages or texts that it covers", .flags = IF_ANY),
	FIELD_OF(W, reason, "why"),
	FIELD_OF(W, owner, "the person or team that answers for it", .flags = IF_ANY),
	FIELD_OF(W, expires, "the last day, in UTC"),
	FIELD_OF(W, file, ".ikm/waivers.yaml, or the file with the comment"),
	FIELD_OF(W, line, "from 1"),
	FIELD_AS(W, is_new, "new", "the change adds it", .flags = IF_ANY),
	{0},
};
#undef W

static const struct field violation_fields[] = {
	ITEM(id, "knowledgeItemId", "the item that has the rule"),
	ITEM(title, "knowledgeItemTitle", "its title"),
	FIELD_RECORD_AT(R, constraint, "constraint", knowledge_constraint_fields, "the rule"),
	FIELD_NAMED(R, severity, "severity", kn_severities, "how severe it is"),
	FIELD_OF(R, message, "why, for people"),
	FIELD_GROUP("location", location_fields, "where", .flags = OPTIONAL,
		    .given = violation_has_file),
	FIELD_OF(R, found, "the package, text or path", .flags = IF_ANY),
	FIELD_AS(struct kn_constraint, use_instead, "useInstead", "what to use instead",
		 FIELD_VIA(R, constraint), .flags = IF_ANY),
	FIELD_NAMED(struct kn_item, layer, "layer", kn_layers, "the item's layer",
		    FIELD_VIA(R, item)),
	ITEM(summary, "knowledgeItemSummary", "the decision in short", .flags = IF_ANY),
	ITEM(shown_path, "knowledgeItemPath", "the item's file"),
	FIELD_OF(R, fingerprint, "names this finding; for 'ikm why'"),
	FIELD_OF(R, existing, "it was there before; not counted"),
	FIELD_AS(R, from_base, "fromBase", "the change removes this rule"),
	FIELD_OF(R, retired,
		 "a commit of the change removed this rule before the change broke it: it does not "
		 "block"),
	FIELD_GROUP("retiredBy", retired_by_fields, "that commit", .flags = OPTIONAL,
		    .given = violation_is_retired),
	FIELD_OF(R, next, "what to do, when neither a mend nor an exception is the way on",
		 .flags = IF_ANY),
	FIELD_RECORD_AT(R, waiver, "waiver", exception_fields,
			"the exception that covers it; in violations it does not count, and the "
			"message says why",
			.flags = OPTIONAL),
	{0},
};
#undef R

#define R struct check_skipped
static const struct field skipped_fields[] = {
	FIELD_OF(R, file, "a file that rules did not read"),
	FIELD_OF(R, why, "binary, too_big, generated, link, submodule, unreadable or knowledge"),
	FIELD_OF(R, detail, "more about it"),
	FIELD_OF(R, blocking, "a blocking rule applies to it"),
	FIELD_OF(R, added, "this change adds the reason why rules skip it"),
	{0},
};
#undef R

static const struct field unjudged_rule_fields[] = {
	FIELD_AS(struct kn_item, id, "knowledgeItemId", "the item that has the rule",
		 FIELD_VIA(struct check_rule, item)),
	FIELD_AS(struct kn_constraint, index, "constraint",
		 "the number of the rule within the item, from 1",
		 FIELD_VIA(struct check_rule, constraint)),
	{0},
};

#define R struct check_unjudged
static const struct field unjudged_fields[] = {
	FIELD_OF(R, path, "the file, submodule or link; of a rule, its item's file"),
	FIELD_OF(R, line, "from 1", .flags = IF_ANY),
	FIELD_OF(R, column, "from 1, in bytes", .flags = IF_ANY),
	FIELD_NAMED(R, reason, "reason", check_reasons, "why it was not judged"),
	FIELD_OF(R, name,
		 "the package, the quoted text, the submodule's commit or the link's target",
		 .flags = IF_ANY),
	FIELD_OF(R, message, "why, for people"),
	FIELD_RECORDS(R, rules, "rules", unjudged_rule_fields,
		      "the rules that could not judge it, the strictest first"),
	FIELD_NAMED(R, severity, "severity", kn_severities,
		    "the severity of the strictest of these rules"),
	FIELD_OF(R, blocks, "it is included in summary.block"),
	{0},
};
#undef R

#define R struct check_note
static const struct field note_fields[] = {
	FIELD_NAMED(R, kind, "kind", check_note_kinds,
		    "broken knowledge, an unreadable manifest that rules apply to, a rule that is "
		    "not judged, a warning, a change of the garden that breaks its policy, or what "
		    "there is to say about an exception"),
	FIELD_AS(R, path, "file", "where"),
	FIELD_OF(R, line, "from 1", .flags = IF_ANY),
	FIELD_OF(R, message, "what is wrong"),
	FIELD_OF(R, blocks, "it is included in summary.block"),
	FIELD_OF(R, rule, "the rule of 'ikm lint' that says so", .flags = OPTIONAL),
	FIELD_OF(R, commit, "the commit that it is about", .flags = IF_ANY),
	{0},
};
#undef R

#define R struct rule_change
const struct field rule_change_fields[] = {
	FIELD_OF(R, item, "the item that has the rule, or the setting"),
	FIELD_OF(R, constraint, "the rule's number within the item", .flags = IF_ANY),
	FIELD_NAMED(R, kind, "change", rule_change_kinds, "what happened to it"),
	FIELD_OF(R, why, "why, in a sentence; may be empty"),
	FIELD_OF(R, before, "the old rule or value", .flags = IF_ANY),
	FIELD_OF(R, after, "the new rule or value", .flags = IF_ANY),
	FIELD_OF(R, commit, "the commit that made the change, when several commits are judged",
		 .flags = IF_ANY),
	FIELD_OF(R, path, "the item's file"),
	FIELD_NAMED(R, severity, "severity", kn_severities, "how severe the rule is"),
	FIELD_OF(R, blocks, "it is included in summary.block"),
	FIELD_OF(R, deleted, "lost, because its file was deleted", .flags = OPTIONAL,
		 .given = rule_change_is_lost),
	FIELD_OF(
		R, findings,
		"what an added rule finds in the whole tree, when it is not 0 or the item was retired",
		.flags = OPTIONAL, .given = rule_change_has_findings),
	{0},
};
#undef R

#define R struct check_ref
static const struct field ref_fields[] = {
	FIELD_OF(R, ref, "the branch or tag"),
	FIELD_OF(R, old, "its id before the push; zeros: it is new"),
	FIELD_OF(R, new, "its id after the push; zeros: it is deleted"),
	FIELD_NAMED(R, action, "action", check_ref_actions, "what ikm did"),
	FIELD_OF(R, why, "why it was not judged", .flags = IF_ANY),
	FIELD_AS(R, is_default, "default", "it is the default branch"),
	FIELD_OF(R, block, "everything that blocks in it"),
	{0},
};
#undef R

#define R struct check_commit
static const struct field commit_fields[] = {
	FIELD_OF(R, id, "the commit"),
	FIELD_OF(R, subject, "the first line of its message"),
	FIELD_OF(R, author, "its author"),
	FIELD_OF(R, email, "the author's address"),
	FIELD_TIME(R, time, "date", "when the author wrote it", .flags = OPTIONAL),
	FIELD_NAMED(R, verdict, "verdict", check_verdicts, "what ikm found"),
	FIELD_OF(R, block, "everything that blocks"),
	FIELD_RECORDS(R, violations, "violations", violation_fields, "findings that break a rule"),
	FIELD_OF(R, reasons, "what else blocks, or why it was not judged"),
	{0},
};
#undef R

#define R struct check_report
static const struct field verified_fields[] = {
	FIELD_AS(R, verified.commits, "commits", "commits that were verified"),
	FIELD_AS(R, verified.broken, "broken", "commits that broke a rule"),
	FIELD_AS(R, verified.retired, "retired", "commits that retired a rule and broke it"),
	FIELD_AS(R, verified.not_judged, "notJudged", "commits that could not be judged"),
	{0},
};
#undef R

#define R struct baseline_entry
static const struct field gone_fields[] = {
	FIELD_OF(R, fingerprint, "of the finding"),
	FIELD_OF(R, item, "the item that had the rule"),
	FIELD_OF(R, path, "the file, as the baseline has it"),
	FIELD_OF(R, line, "the line of the baseline"),
	{0},
};
#undef R

#define R struct check_report
static const struct field baseline_fields[] = {
	FIELD_AS(R, baseline.file, "file", "the file"),
	FIELD_AS(R, baseline.entries, "entries", "the number of its findings"),
	FIELD_AS(R, baseline.matched, "matched", "of them, findings that are there"),
	FIELD_AS(R, baseline.added, "added", "findings that were added to it"),
	FIELD_RECORDS(R, baseline.gone, "gone", gone_fields, "its findings that are gone"),
	{0},
};

static const struct field summary_fields[] = {
	FIELD_OF(R, info, "findings of severity info"),
	FIELD_OF(R, warn, "findings of severity warn"),
	FIELD_OF(R, block, "everything that blocks"),
	{0},
};

static const struct field checked_fields[] = {
	FIELD_OF(R, files, "files that were checked"),
	FIELD_OF(R, manifests, "of these, dependency manifests and lockfiles"),
	FIELD_OF(R, garden, "changes of files of a garden that were judged by its policy"),
	FIELD_OF(R, items, "knowledge items read"),
	FIELD_AS(R, active, "activeItems", "of these, items with active rules"),
	FIELD_OF(R, constraints, "active rules"),
	FIELD_OF(R, broken, "items that could not be read"),
	FIELD_OF(R, existing, "violations that were there before"),
	FIELD_AS(R, waived_count, "waived", "violations with an exception"),
	FIELD_AS(R, not_judged, "notJudged", "rules that need more than was given"),
	FIELD_OF(R, unresolved, "dependencies whose package is not known"),
	FIELD_AS(R, named.n, "unjudged", "the number of entries in unjudged"),
	FIELD_OF(R, data, "files that are no text, such as pictures and archives"),
	FIELD_AS(R, no_knowledge, "noKnowledge", "no knowledge is configured"),
	FIELD_OF(R, rules, "rules that are active, of every severity"),
	FIELD_AS(R, rules_before, "rulesBefore", "the same number in the base", .flags = OPTIONAL,
		 .given = report_is_compared),
	{0},
};

const struct field check_report_fields[] = {
	FIELD_AS(R, nothing, "nothingJudged", "why nothing was judged", .flags = IF_ANY),
	FIELD_OF(R, success, "the check ran"),
	FIELD_OF(R, passed, "nothing blocks; missing when nothing was judged", .flags = OPTIONAL,
		 .given = report_has_judged),
	FIELD_RECORDS(R, violations, "violations", violation_fields, "findings that break a rule"),
	FIELD_RECORDS(R, waived, "waived", violation_fields,
		      "findings with an exception that counts; not in summary"),
	FIELD_GROUP("summary", summary_fields, "counts by severity"),
	FIELD_GROUP("checked", checked_fields, "what the check covered"),
	FIELD_GROUP("baseline", baseline_fields, "with a baseline: what it has", .flags = OPTIONAL,
		    .given = report_has_baseline),
	FIELD_RECORDS(R, rule_changes, "ruleChanges", rule_change_fields,
		      "how the active rules and the judge's settings differ"),
	FIELD_RECORDS(
		R, named, "unjudged", unjudged_fields,
		"files and names that rules could not judge: for a change, those that it touches "
		"and a blocking rule applies to; with --all, every one"),
	FIELD_RECORDS(R, skipped, "skipped", skipped_fields, "files that rules did not read"),
	FIELD_RECORDS(R, all_notes, "notes", note_fields, "further messages"),
	FIELD_RECORDS(R, refs, "refs", ref_fields, "with --receive: the refs of the push",
		      .flags = OPTIONAL),
	FIELD_GROUP("verified", verified_fields, "with --verify: counts of commits",
		    .flags = OPTIONAL, .given = report_verifies),
	FIELD_RECORDS(R, commits, "commits", commit_fields,
		      "with --verify: the commits that did not pass", .flags = OPTIONAL,
		      .given = report_verifies),
	{0},
};
#undef R
