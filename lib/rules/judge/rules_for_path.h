/*
 * rules_for_path: the rules and decisions that bind a file, by its name alone: for a person or an
 * agent that is about to change it. The content is not read; lib/rules/judge/judge.h judges it.
 */
#pragma once

#include "knowledge/knowledge.h"
#include "tree/tree.h"

struct check_binding {
	const struct kn_item *item;
	const struct kn_constraint *rule; /* NULL: the item mentions the file */
	enum kn_severity severity;        /* of the rule, after the item's status is applied */
	struct str file;                  /* the first file that it binds */
	struct str why;                   /* a phrase: "it matches src/" */
};
struct check_bindings VEC(struct check_binding);
/*
 * Adds what binds the files, which need not exist; paths: from the top. A rule or item is added
 * once, for the first of its files. Rules of accepted and proposed items count, and mentions in
 * accepted ones.
 */
void check_find_rules_for_paths(struct arena *a, const struct knowledge *k,
				const struct strs *paths, struct check_bindings *out);
/*
 * Rules before mentions, the most severe first, and of these those for some files; else by layer
 * and id.
 */
void check_binds_sort(struct check_bindings *b);
/* The rule, or the decision, as one plain line of few tokens, for a person or an agent. */
struct str check_binding_format_line(struct arena *a, const struct check_binding *b);
/* A text as check_binding_format_line() shows it: its beginning, without marks of Markdown. */
struct str check_binding_strip_markdown(struct arena *a, struct str s);
/* Whether the rule looks at files of that name, and ikm can read what it looks for. */
bool check_rule_can_judge_path(const struct kn_constraint *c, struct str path);
/*
 * Whether the pattern of a rule on imports names a path below a folder of the tree, and the tree
 * has no such path. *other: a path that ends as it does; empty: none.
 */
bool check_pattern_path_missing(struct arena *a, const struct kn_constraint *c,
				const struct strs *paths, struct str *named, struct str *other);
/* Whether a text names the path, or a folder above it, as a path. *what: the name that it has. */
bool check_text_mentions_path(struct str text, struct str path, struct str *what);
/* The sorted paths of a tree, which may be NULL. */
struct err *check_list_tree_paths(struct arena *a, struct tree *t, struct strs *out) MUST_USE;
/*
 * How an active decision holds: by a rule that stops; by rules that warn or inform, or by the name
 * of one of these sorted paths, or of a folder above one, that its text has; by prose alone.
 */
#define CHECK_COVERAGES(X)                                                                         \
	X(COVERAGE_ENFORCED, "enforced")                                                           \
	X(COVERAGE_ADVISED, "advised")                                                             \
	X(COVERAGE_PROSE, "prose")
enum check_coverage { CHECK_COVERAGES(ENUM_MEMBER) };
extern const char *const check_coverages[];
/* *what: the name that the text has, when no rule counts; else empty. */
enum check_coverage check_how_item_covers_paths(const struct kn_item *item,
						const struct strs *paths, struct str *what);
