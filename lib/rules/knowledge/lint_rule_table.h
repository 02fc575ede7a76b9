/*
 * lint_rule_table: what can be wrong with a knowledge item, as far as the reader of items and the
 * check see it. One row a rule: name in C, the id that ikm lint and ikm check print, its severity,
 * whether `ikm lint --fix` mends it, and its summary. lib/rules/lint/all_lint_rules.h has the rules
 * that only lint knows.
 *
 * A mistake that loses rules, or may lose them, is an error whatever its row says: see KN_BROKEN.
 */
#pragma once

/* clang-format off */
#define KN_READ_RULES(X)                                                                           \
	X(KN_RULE_CONSTRAINT, "constraint", ERROR, false,                                          \
	  "a member of a constraint is missing or wrong")                                          \
	X(KN_RULE_CONSTRAINT_KEY, "constraint-key", ERROR, false,                                  \
	  "a constraint has a member that ikm does not know")                                      \
	X(KN_RULE_DATE, "date", WARNING, false, "a date is not understood")                        \
	X(KN_RULE_DUPLICATE_ID, "duplicate-id", WARNING, false,                                    \
	  "two items of one layer have the same id")                                               \
	X(KN_RULE_ENCODING, "encoding", ERROR, false, "the file is UTF-16, or has NUL bytes")      \
	X(KN_RULE_EXAMPLE, "example-fails", ERROR, false,                                          \
	  "a rule does not judge one of its own examples as the example says")                     \
	X(KN_RULE_FILE_NAME, "file-name", WARNING, false,                                          \
	  "a file has rules, and its name says that it is no item")                                \
	X(KN_RULE_FOLDER, "folder", WARNING, false,                                                \
	  "an item's type or layer differs from what its folder says")                             \
	X(KN_RULE_FRONT_MATTER, "front-matter", ERROR, false,                                      \
	  "the front matter cannot be read, or does not begin on line 1")                          \
	X(KN_RULE_FRONT_MATTER_KEY, "front-matter-key", WARNING, false,                            \
	  "a key of the front matter is almost a key of ikm's")                                    \
	X(KN_RULE_FRONT_MATTER_VALUE, "front-matter-value", WARNING, false,                        \
	  "a member of the front matter has a value that is not allowed")                          \
	X(KN_RULE_ID, "id", WARNING, false, "the id in the front matter is no valid id")           \
	X(KN_RULE_MARKDOWN, "markdown", WARNING, false, "the Markdown cannot be read")             \
	X(KN_RULE_NOT_A_FILE, "not-a-file", WARNING, false,                                        \
	  "a link or a submodule stands where an item is expected")                                \
	X(KN_RULE_PATTERN, "pattern", ERROR, false,                                                \
	  "a pattern or a glob of a constraint cannot be compiled")                                \
	X(KN_RULE_RULES_UNREAD, "rules-unread", WARNING, false,                                    \
	  "rules stand at a place where ikm does not read them")                                   \
	X(KN_RULE_SOURCE, "source", WARNING, false,                                                \
	  "a source has no item, or passes over whole folders")                                    \
	X(KN_RULE_STATUS_MISSING, "status-missing", WARNING, false,                                \
	  "an item has rules and no status, so the rules do not apply")                            \
	X(KN_RULE_STATUS_PARTLY, "status-partly", WARNING, false,                                  \
	  "an item is partly superseded: all of its rules still apply")                            \
	X(KN_RULE_STATUS_UNKNOWN, "status-unknown", WARNING, false,                                \
	  "the word of the status is unknown, so the item counts as draft; or it has two")                        \
	X(KN_RULE_SUPERSEDE_CYCLE, "supersede-cycle", WARNING, false,                              \
	  "items supersede each other, so that none retires another")                              \
	X(KN_RULE_SUPERSEDE_DANGLING, "supersede-dangling", WARNING, false,                        \
	  "a superseded or superseding item is named that no source has")                          \
	X(KN_RULE_SUPERSEDE_IGNORED, "supersede-ignored", WARNING, false,                          \
	  "an item supersedes another one that stays in force")                                    \
	X(KN_RULE_UNREADABLE, "unreadable", ERROR, false,                                          \
	  "the file is too big, or cannot be opened")                                              \
	X(KN_RULE_UTF8, "utf-8", WARNING, false, "some bytes of the file are not UTF-8")
/* clang-format on */

enum kn_rule {
#define X(c, ...) c,
	KN_READ_RULES(X)
#undef X
		KN_RULES
};
