/*
 * garden_rule_table: every rule of the garden, in one table (requirement: garden, "Contracts and
 * policies"). lib/rules/lint/all_lint_rules.h includes it, so that `ikm lint`, the write tools and
 * the hooks have one list. A row: name in C, id, severity in lint, whether `ikm lint --fix` mends
 * it, its summary, its force, and what to do where no diagnostic of the rule says it better.
 *
 * The force says what a change that breaks the rule meets (ikm-garden(7), POLICY):
 *   NEVER   it is blocked, for everyone
 *   PERSON  tools are blocked; a person passes with a rationale, a maintainer without
 *   TOOL    tools are blocked; people are warned
 *   CAP     tools need a rationale; people are warned
 *   WARN    everyone is warned
 */
#pragma once

/* clang-format off */
#define GARDEN_RULES(X)                                                                            \
	X(GARDEN_RULE_ANCHOR, "garden-anchor", ERROR, false,                                       \
	  "an anchor was removed or altered", PERSON,                                              \
	  "put the anchor back as it was")                                                         \
	X(GARDEN_RULE_ANCHOR_LINE, "garden-anchor-line", WARNING, false,                           \
	  "an anchor does not stand alone on its line, or a copy is none", TOOL,                   \
	  "put the text on a line of its own")                                                     \
	X(GARDEN_RULE_ANCHOR_MISSING, "garden-anchor-missing", WARNING, true,                      \
	  "a canonical section has no anchor, or not its own", WARN,                               \
	  "put the anchor of the section on the line below its heading")                           \
	X(GARDEN_RULE_ANCHOR_MOVED, "garden-anchor-moved", ERROR, false,                           \
	  "an anchor stands under another heading than its own", PERSON,                           \
	  "put it on the line below the heading that it belongs to")                               \
	X(GARDEN_RULE_ANCHOR_TWICE, "garden-anchor-twice", ERROR, false,                           \
	  "an anchor appears twice", NEVER,                                                        \
	  "keep the one below the heading of its section, and remove the others")                  \
	X(GARDEN_RULE_ANCHOR_UNKNOWN, "garden-anchor-unknown", WARNING, false,                     \
	  "an anchor that names no section and stands below no heading of its own", TOOL,          \
	  "remove it, or put it on the line below a heading of its own")                           \
	X(GARDEN_RULE_CHANGE_LOG_FORM, "garden-change-log-form", WARNING, false,                   \
	  "an item of the Change Log is no 'TIME: what and why', or out of order", WARN,           \
	  "write '- 2026-01-31T12:00:00Z: what changed and why'")                                  \
	X(GARDEN_RULE_CHANGE_LOG_GONE, "garden-change-log-gone", ERROR, false,                     \
	  "the Change Log was removed or emptied", PERSON,                                         \
	  "put back its lines; new lines go below the former ones")                                \
	X(GARDEN_RULE_CHANGE_LOG_LINE, "garden-change-log-line", WARNING, false,                   \
	  "a material edit adds no line to the Change Log", WARN,                                  \
	  "add '- TIME: what changed and why', or say why: --rationale WHY, or the line "           \
	  "'Ikm-Rationale: WHY' in the message of a commit")                                       \
	X(GARDEN_RULE_CHANGE_LOG_PAST, "garden-change-log-past", ERROR, false,                     \
	  "former items of the Change Log were changed or removed", PERSON,                        \
	  "keep the former lines as they are, and add new ones")                                   \
	X(GARDEN_RULE_DELETE, "garden-delete", ERROR, false,                                       \
	  "a file was deleted", PERSON,                                                            \
	  "keep the file; a section that is given up gets a tombstone line")                       \
	X(GARDEN_RULE_EMPTY, "garden-empty", ERROR, false,                                         \
	  "a file was emptied", PERSON,                                                            \
	  "keep what it says")                                                                     \
	X(GARDEN_RULE_EVIDENCE_CAP, "garden-evidence-cap", WARNING, false,                         \
	  "an evidence section has more than 7 items", CAP,                                        \
	  "merge or prune items")                                                                  \
	X(GARDEN_RULE_EVIDENCE_TOKEN, "garden-evidence-token", WARNING, false,                     \
	  "evidence has no token 'ev:YYYYMMDDThhmmssZ-ULID', or a malformed one", WARN,            \
	  "write a token as ev:YYYYMMDDThhmmssZ-ULID, the event that it is from")                  \
	X(GARDEN_RULE_FIELD, "garden-field", WARNING, false,                                       \
	  "a field of the front matter is missing, or has a wrong form", WARN,                     \
	  "write the field as ikm-garden(7), \"Front matter\", has it")                            \
	X(GARDEN_RULE_FRONT_MATTER, "garden-front-matter", ERROR, false,                           \
	  "the front matter is missing, broken, or too long", NEVER,                               \
	  "mend the YAML between the lines '---'")                                                 \
	X(GARDEN_RULE_HEADING, "garden-heading", WARNING, true,                                    \
	  "a heading is not canonical, or appears twice", WARN,                                    \
	  "write the heading as the grammar has it, once")                                         \
	X(GARDEN_RULE_HISTORY, "garden-history", ERROR, false,                                     \
	  "a history copy was changed, or is not what a snapshot wrote", NEVER,                    \
	  "leave the copy as it is; md_snapshot_history makes another one")                        \
	X(GARDEN_RULE_ID, "garden-id", WARNING, false,                                             \
	  "a new file has an id in its path that systems or commands may misread", PERSON,         \
	  "choose another id")                                                                     \
	X(GARDEN_RULE_IDENTITY, "garden-identity", ERROR, false,                                   \
	  "id, user_id, participants or schema changed, or disagrees with the path", PERSON,       \
	  "write the field as it was")                                                             \
	X(GARDEN_RULE_OTHER_USER, "garden-other-user", ERROR, false,                               \
	  "a tool wrote in another user's folder", PERSON,                                         \
	  "write in the folder of the user who asks; another user is set with IKM_USER")           \
	X(GARDEN_RULE_PATH, "garden-path", ERROR, false,                                           \
	  "a path that the garden's grammar does not have", PERSON,                                \
	  "use a path of the grammar: ikm-garden(7), \"GRAMMAR\", lists them")                     \
	X(GARDEN_RULE_SECTION_MISSING, "garden-section-missing", INFO, false,                      \
	  "a canonical section is missing", WARN,                                                  \
	  "add its heading and its anchor, in the canonical order")                                \
	X(GARDEN_RULE_SECTION_ORDER, "garden-section-order", WARNING, false,                       \
	  "canonical sections are not in their order", WARN,                                       \
	  "move the whole section, with its anchor")                                               \
	X(GARDEN_RULE_TEXT, "garden-text", ERROR, false,                                           \
	  "the file is no text that can be read as Markdown", NEVER,                               \
	  "write it as UTF-8 text without NUL bytes; keep to the limit that the message names")                                              \
	X(GARDEN_RULE_TITLE, "garden-title", ERROR, false,                                         \
	  "the file has no heading of level 1", NEVER,                                             \
	  "write a line '# NAME' below the front matter")                                          \
	X(GARDEN_RULE_WHITESPACE, "garden-whitespace", WARNING, true,                              \
	  "stray blanks, a byte order mark, two kinds of line ends, or none at the end", WARN,       \
	  "run ikm lint --fix FILE")                                                               \
	X(GARDEN_RULE_WORDS_CAP, "garden-words-cap", WARNING, false,                               \
	  "a narrative section has more than 400 words", CAP,                                      \
	  "shorten it, or move text to the notes")
/* clang-format on */

enum garden_rule {
#define X(c, ...) c,
	GARDEN_RULES(X)
#undef X
		GARDEN_RULE_COUNT
};
