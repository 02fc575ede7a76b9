/*
 * all_lint_rules: every rule of ikm lint, in one table: those that reading an item notes
 * (knowledge/lint_rule_table.h), those that only lint looks for, and those of the garden
 * (garden/garden_rule_table.h). Another kind of file adds a list of its own here. A row: name in C,
 * id, severity, whether --fix mends it, and its summary; rows of the garden have one member more.
 */
#pragma once

#include "garden/garden_rule_table.h"
#include "knowledge/lint_rule_table.h"

/* clang-format off */
#define LINT_ITEM_RULES(X)                                                                         \
	X(LINT_APPLIES_TO_IDLE, "applies-to-idle", WARNING, false,                                 \
	  "a glob of appliesTo matches no file that the rule can judge")                          \
	X(LINT_DISABLE, "disable-unknown", WARNING, false,                                         \
	  "a comment switches off a rule that does not exist")                                     \
	X(LINT_FINAL_NEWLINE, "final-newline", WARNING, true,                                      \
	  "the last line does not end")                                                            \
	X(LINT_HEADING_LEVELS, "heading-levels", INFO, false,                                      \
	  "a heading skips a level, or a second title begins")                                     \
	X(LINT_LINE_ENDS, "line-ends", WARNING, true, "some lines end in CR LF and some in LF")    \
	X(LINT_LINK, "link-dangling", WARNING, false, "a link leads to a file that is not there")  \
	X(LINT_PATTERN_ASCII, "pattern-ascii", WARNING, false,                                     \
	  "a pattern looks for a word boundary beside a letter beyond ASCII")                      \
	X(LINT_PATTERN_IDLE, "pattern-idle", WARNING, false,                                       \
	  "a pattern on imports names a path that the repository has elsewhere")                   \
	X(LINT_PATTERN_LANGUAGE, "pattern-language", WARNING, false,                               \
	  "a glob stands where a regular expression belongs, or the reverse")                      \
	X(LINT_RELATED, "related-dangling", WARNING, false,                                        \
	  "relatedItems names an item that no source has")                                         \
	X(LINT_STATUS_FORM, "status-form", INFO, true,                                             \
	  "the status in the front matter has markup or an emoji")                                 \
	X(LINT_SUPERSEDE_ONE_SIDED, "supersede-one-sided", INFO, false,                            \
	  "one of two items says that one supersedes the other, and the other does not")           \
	X(LINT_SUPERSEDE_STATUS, "supersede-status", WARNING, false,                               \
	  "the status of a superseded item does not say so")                                       \
	X(LINT_TITLE, "title-missing", WARNING, false, "the item has no title")                    \
	X(LINT_TRAILING_BLANKS, "trailing-blanks", INFO, true, "lines end in blanks")
/* clang-format on */

/* All rules, in the order of enum lint_rule. */
#define LINT_RULES(X) KN_READ_RULES(X) LINT_ITEM_RULES(X) GARDEN_RULES(X)

/*
 * Continues enum kn_rule, whose values are rules of lint too. A rule of enum garden_rule is
 * LINT_GARDEN + rule.
 */
enum lint_rule {
	LINT_BEFORE_ITEM_RULES = KN_RULES - 1,
#define X(c, ...) c,
	LINT_ITEM_RULES(X)
#undef X
		LINT_GARDEN,
	LINT_RULE_COUNT = LINT_GARDEN + GARDEN_RULE_COUNT
};
