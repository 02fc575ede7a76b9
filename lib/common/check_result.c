/* The report of a check: the members of knowledge_check, and more (requirement: memory and
 * knowledge, knowledge_check). */
#include "check_result.h"
#include "check/check.h"
#include "check/rulechange.h"
#include "knowledge/knowledge.h"

static const struct field constraint[] = {
	{"operator", "what is asked", F_STR, .choices = kn_operators},
	{"target", "of what", F_STR, .choices = kn_targets},
	{"pattern", "the pattern", F_STR},
	{"appliesTo", "globs of the files it is about", F_STRS, OPTIONAL},
	{"version", "the versions it is about", F_STR, OPTIONAL},
	{0},
};

static const struct field location[] = {
	{"file", "path from the top of the repository", F_STR},
	{"line", "from 1", F_INT, OPTIONAL},
	{"column", "from 1, in bytes", F_INT, OPTIONAL},
	{0},
};

static const struct field violation[] = {
	{"knowledgeItemId", "the item that has the rule", F_STR},
	{"knowledgeItemTitle", "its title", F_STR},
	{"constraint", "the rule", F_OBJ, .sub = constraint},
	{"severity", "how severe it is", F_STR, .choices = kn_severities},
	{"message", "why, for people", F_STR},
	{"location", "where", F_OBJ, OPTIONAL, .sub = location},
	{"found", "the package, text or path", F_STR, OPTIONAL},
	{"useInstead", "what to use instead", F_STR, OPTIONAL},
	{"layer", "the item's layer", F_STR, .choices = kn_layers},
	{"knowledgeItemSummary", "the decision in short", F_STR, OPTIONAL},
	{"knowledgeItemPath", "the item's file", F_STR},
	{"fingerprint", "names this finding; for 'ikm why'", F_STR},
	{"existing", "it was there before; not counted", F_BOOL},
	{"fromBase", "the rule is one that the change takes away", F_BOOL},
	{0},
};

static const struct field summary[] = {
	{"info", "how many", F_INT},
	{"warn", "how many", F_INT},
	{"block", "how many", F_INT},
	{0},
};

static const struct field checked[] = {
	{"files", "files that were looked at", F_INT},
	{"manifests", "of them, dependency manifests and lockfiles", F_INT},
	{"items", "knowledge items read", F_INT},
	{"activeItems", "of them, with rules that judge", F_INT},
	{"constraints", "rules that judge", F_INT},
	{"broken", "items that could not be read", F_INT},
	{"existing", "violations that were there before", F_INT},
	{"notJudged", "rules that need more than was given, or are not supported", F_INT},
	{"unsupported", "of them, rules on a target that is not supported yet", F_INT},
	{"unresolved", "dependencies whose package is not known", F_INT},
	{"unjudged", "how much is listed in unjudged", F_INT},
	{"data", "files that are no text, as pictures and archives", F_INT},
	{"noKnowledge", "nothing is configured to judge by", F_BOOL},
	{"rules", "rules that are active, of every severity", F_INT},
	{"rulesBefore", "the same in what it was compared with", F_INT, OPTIONAL},
	{0},
};

static const struct field skipped[] = {
	{"file", "a file that was not looked into", F_STR},
	{"why", "binary, too_big, generated, link, submodule, unreadable or knowledge", F_STR},
	{"detail", "more about it", F_STR},
	{"blocking", "a blocking rule applies to it", F_BOOL},
	{"added", "what exempts it is new in this change", F_BOOL},
	{0},
};

static const struct field unjudged_rule[] = {
	{"knowledgeItemId", "the item that has the rule", F_STR},
	{"constraint", "which of its constraints, from 1", F_INT},
	{0},
};

static const struct field unjudged[] = {
	{"path", "the file, submodule or link; of a rule, its item's file", F_STR},
	{"line", "from 1", F_INT, OPTIONAL},
	{"column", "from 1, in bytes", F_INT, OPTIONAL},
	{"reason", "why it was not judged", F_STR, .choices = check_reasons},
	{"name", "the package, the quoted text, the submodule's commit or the link's target", F_STR,
	 OPTIONAL},
	{"message", "why, for people", F_STR},
	{"rules", "the rules that could not look into it, the strictest first", F_LIST,
	 .sub = unjudged_rule},
	{"severity", "of the strictest of them", F_STR, .choices = kn_severities},
	{"blocks", "it counts in summary.block", F_BOOL},
	{0},
};

static const struct field note[] = {
	{"kind",
	 "broken (knowledge that does not parse), unreadable (a manifest that rules apply to), "
	 "not_judged (a rule) or warning",
	 F_STR},
	{"file", "where", F_STR},
	{"line", "from 1", F_INT, OPTIONAL},
	{"message", "what is wrong", F_STR},
	{"blocks", "it counts in summary.block", F_BOOL},
	{0},
};

const struct field rule_change_fields[] = {
	{"item", "the item that has the rule, or the setting", F_STR},
	{"constraint", "the rule's number within the item", F_INT, OPTIONAL},
	{"change", "what happened to it", F_STR, .choices = rule_change_kinds},
	{"why", "why, in a sentence; may be empty", F_STR},
	{"before", "the rule or value that was", F_STR, OPTIONAL},
	{"after", "the rule or value that is", F_STR, OPTIONAL},
	{"commit", "the commit that did it, where several are judged", F_STR, OPTIONAL},
	{"path", "the item's file", F_STR},
	{"severity", "how severe the rule is", F_STR, .choices = kn_severities},
	{"blocks", "it counts in summary.block", F_BOOL},
	{"deleted", "lost, because its file was deleted", F_BOOL, OPTIONAL},
	{0},
};

const struct field report_fields[] = {
	{"success", "the check ran", F_BOOL},
	{"passed", "nothing blocks", F_BOOL},
	{"violations", "what breaks a rule", F_LIST, .sub = violation},
	{"summary", "counts by severity", F_OBJ, .sub = summary},
	{"checked", "what was done", F_OBJ, .sub = checked},
	{"unjudged",
	 "what rules apply to and could not look into: of a change, what it touches and "
	 "a blocking rule applies to; with --all everything",
	 F_LIST, .sub = unjudged},
	{"skipped", "files that were not looked into", F_LIST, .sub = skipped},
	{"notes", "what else there is to know", F_LIST, .sub = note},
	{"ruleChanges", "how the active rules and the judge's settings differ", F_LIST,
	 .sub = rule_change_fields},
	{0},
};
