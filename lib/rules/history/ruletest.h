/*
 * ruletest: shows what the rules of one item find, in a whole tree and in past commits. check_run()
 * judges; the rules count as in force, whatever the status of the item, so that a decision can be
 * tried before it is accepted.
 */
#pragma once

#include "judge/judge.h"
#include "git/git.h"

#define RULETEST_PLACES 10 /* places of a rule that are kept; the others are counted */

struct ruletest {
	struct git *git;
	const struct knowledge *knowledge; /* of now: its files may quote what a rule forbids */
	const struct kn_item *item;
	/* The rules to test: those of the item, or copies with another pattern. */
	const struct kn_constraint *rules;
	size_t rules_n;
	size_t max_file; /* check.maxFileSize */
};

/* The findings of a rule. */
struct ruletest_place {
	struct str file, found, message;
	size_t line, column; /* 0: none */
};
struct ruletest_found {
	unsigned rule;           /* kn_constraint.index */
	size_t looks;            /* of the tree: the number of files that it can judge */
	struct str lacks, other; /* check_pattern_path_missing() */
	enum kn_severity severity;
	size_t total;
	struct VEC(struct ruletest_place) places;
};
struct ruletest_all {
	struct ruletest_found *p; /* one for each rule, in their order */
	size_t n;
	size_t paths;           /* of the tree */
	size_t files, unjudged; /* files judged; entries that a rule could not judge */
};
/* Judges the whole tree, without a base. */
struct err *ruletest_run_on_tree(struct arena *a, const struct ruletest *t, struct tree *tree,
				 struct ruletest_all *out) MUST_USE;

/* A commit in which a rule finds something that its first parent did not have. */
struct ruletest_commit {
	struct str id, subject;
	bool blocks;                             /* a finding is of severity block */
	struct VEC(struct ruletest_found) found; /* only rules that find something */
};
struct ruletest_history {
	size_t judged;
	struct str cut; /* the commit where a shallow clone ends, which was not judged; or empty */
	struct VEC(struct ruletest_commit) commits; /* newest first */
};
/*
 * Judges the last `max` commits of HEAD, each against its first parent, and follows first parents
 * only: a merge shows what its branch brought. A branch without a commit has no history.
 */
struct err *ruletest_commits(struct arena *a, const struct ruletest *t, size_t max,
			     struct ruletest_history *out) MUST_USE;
