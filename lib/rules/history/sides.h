/*
 * sides: the judged tree and its bases, each with its own settings and knowledge. Private to
 * history.
 */
#pragma once

#include "git/comparison_bases.h"
#include "history/judge_trees.h"

struct side {
	struct tree *tree;
	const char *ref; /* the commit; NULL: an index, a working tree, or nothing */
	struct conf *conf;
	struct knowledge *knowledge;
	struct strs *emptied;        /* as in struct knowledge_place */
	struct tree_changes changes; /* of a base: from it to the judged tree */
	/*
	 * For a base: its merge base with the first base, or NULL. decides: its rule changes since
	 * then are published, so a change that merges them does not make them.
	 */
	struct side *fork;
	bool decides;
	/*
	 * Its rules and settings judge, and nothing else of it counts: the first base has its
	 * commits already.
	 */
	bool rules_only;
	/* The change's history left the default branch here: other exceptions are not merged yet.
	 */
	bool is_fork;
};

/* The strictest values of all sides, so a change cannot reduce what ikm reads or reports. */
struct limits {
	bool lost_blocks;
	bool retire_merged; /* only what the base has retired counts */
	size_t min_rules;
};

/* One judgement. The caller names the trees; the rest is read by them. */
struct sides {
	struct arena *a;
	const struct judge *judge;
	struct check_report *out;
	struct check_input in;
	struct limits limits;
	struct side now;
	/*
	 * Where settings and knowledge are kept; NULL: in the arena of the judgement. A base that
	 * has both already is not read again.
	 */
	struct arena *keep;
	/*
	 * The first base is the state before the change; the others are published commits that the
	 * change contains.
	 */
	struct side *base;
	size_t base_n;
	bool everything;      /* judge the whole working tree: --all, PATH */
	bool first_of_branch; /* the first commit, or the first push, of a branch */
	/*
	 * The commits that hold the change: the judged tip, or the heads that a commit merges.
	 * Empty: the change is not committed yet.
	 */
	struct strs tips;
	/*
	 * The first base is a branch that is not merged yet: what it retired is no decision of the
	 * default branch.
	 */
	bool is_branch;
	/* The default branch, when its rules judge a history that shares no commit with it. */
	struct str foreign_to;
	bool is_apart; /* the change shares no history with the default branch */
};

/*
 * Reads the settings and knowledge of both sides and runs check against every base. A violation
 * counts when it is new against each base. Reports how the rules differ, and what the change does
 * to the sources of knowledge.
 */
struct err *sides_judge(struct sides *s) MUST_USE;

/* Compares the rules with those of the bases; judges nothing. */
struct err *sides_compare_rules_with_bases(struct sides *s) MUST_USE;

/*
 * find_retiring_commit.c: finds, for each rule that only bases have, the commit of the range that
 * retired it (ikm-check(1), "Changing one's mind"). Its findings become `retired`; those of every
 * other such rule get their next step. Reads and corrects out->rule_changes, and counts what the
 * tree already has against rules that come back.
 */
struct err *retirement_mark_findings(struct sides *s) MUST_USE;

/*
 * Loads the settings of s->tree, unless it has some, and its knowledge. *missing names what cannot
 * be read; missing NULL: that is an error.
 */
struct err *side_load_knowledge(struct arena *a, const struct judge *j, struct side *s,
				struct strs *missing) MUST_USE;

/* ---- ranges and pushed commits ---- */

struct judge_range {
	struct str one, two; /* ids; two: HEAD when it is left out */
	bool has_two;        /* "A..B"; else `two` is all that was given, and `one` is empty */
	bool parted;         /* "A...B" */
};
/* A check needs both ends; a comparison of rules takes no "A...B". */
enum judge_range_for { RANGE_CHECK, RANGE_RULES, RANGE_VERIFY };
/* Errors: BAD_REVISION for what is no such range, and those of git_rev_id(). */
struct err *judge_range_resolve(struct arena *a, const struct judge *j, enum judge_range_for what,
				struct str range, struct judge_range *out) MUST_USE;

/* NO_REPOSITORY outside a repository. */
struct err *judge_need_git(const struct judge *j) MUST_USE;

/*
 * Judges the tree of a commit against other commits. first empty: no base. is_branch: it is pushed
 * to a branch or tag that is not the default branch.
 */
struct err *judge_commit_against(struct arena *a, const struct judge *j, struct str tip,
				 struct str first, const struct base_commits *more, bool is_branch,
				 struct check_report *out) MUST_USE;
