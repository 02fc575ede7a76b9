/*
 * rule_compare: compares the active rules of two sides (ikm-check(1), "The set of rules"): which
 * rules a change adds, edits, retires or loses, and which settings of the judge it changes. Only
 * reads both sides; the caller decides what follows.
 */
#pragma once

#include "knowledge/knowledge.h"
#include "conf/conf.h"
#include "tree/tree.h"

/* Every kind of change once. */
#define RULE_CHANGES(X)                                                                            \
	X(RULE_LOST, "lost")       /* a rule is gone, and its decision was not retired */          \
	X(RULE_SETTING, "setting") /* a check.* or knowledge.* setting changed */                  \
	X(RULE_RETIRED, "retired") /* the decision became deprecated or superseded */              \
	X(RULE_EDITED, "edited")   /* both sides have the decision, with different rules */        \
	X(RULE_ADDED, "added")
enum rule_change_kind { RULE_CHANGES(ENUM_MEMBER) };
extern const char *const rule_change_kinds[];

struct rule_change {
	enum rule_change_kind kind;
	const struct conf_setting *setting; /* RULE_SETTING */
	struct str
		item; /* the id of the item, on the side that has the rule; the key of a setting */
	unsigned constraint; /* number of the rule within its item; the number in the base if the
				base has it */
	struct str why;      /* a short sentence, or empty */
	struct str before,
		after;   /* the rule as rulechange_text() prints it, or the value; empty: none */
	struct str path; /* the file of the item as shown; empty for a setting */
	struct str tree_path; /* the same path from the top of the tree; empty: outside */
	struct str commit;    /* the commit that made the change; empty: unknown */
	enum kn_severity
		severity; /* the severity in the base; for an added rule the new severity */
	bool blocks;      /* the change is stopped */
	bool deleted;     /* lost, because the file was deleted */
	bool reinstated;  /* added, because a retired decision is accepted again */
	size_t findings;  /* added: what the tree has against it without this change; 0: or unknown
			   */
	/* The compared items and rules; NULL on the side that lacks them. */
	const struct kn_item *old_item, *new_item;
	const struct kn_constraint *old_rule, *new_rule;
};
struct rule_changes VEC(struct rule_change);

/* A tree with its knowledge and settings. */
struct rulechange_side {
	const struct knowledge *knowledge;
	const struct conf *conf;
	struct tree *tree; /* NULL: nothing is said about files */
};

/* The effective severity: a rule of a proposed item only informs. */
enum kn_severity rule_severity(const struct kn_item *item, const struct kn_constraint *c);
/* The rules of knowledge that are in force, one after the other; begins as {.k}. */
struct rule_at {
	const struct knowledge *k; /* NULL: there are none */
	const struct kn_item *item;
	const struct kn_constraint *c;
	enum kn_severity severity;
	size_t next_item, next_c;
};
bool rule_next(struct rule_at *at);
/*
 * An order of rules by what they find and by severity, in whichever item they stand; two rules that
 * are equal in it are the same.
 */
int rule_cmp(const struct kn_constraint *x, enum kn_severity xs, const struct kn_constraint *y,
	     enum kn_severity ys);
bool rule_same(const struct kn_constraint *x, enum kn_severity xs, const struct kn_constraint *y,
	       enum kn_severity ys);
/* Whether the list has an equal change. */
bool rule_changes_has(const struct rule_changes *list, const struct rule_change *c);
/* The number of rules that judge. */
unsigned rulechange_count_judging_rules(const struct knowledge *k);

/*
 * The differences, sorted by kind, item, constraint. renames: tree_diff() and tree_find_renames()
 * of the two trees; NULL: no renames. lost_blocks: a lost rule of severity block stops the change.
 */
struct err *rulechange_diff_sides(struct arena *a, const struct rulechange_side *base,
				  const struct rulechange_side *now,
				  const struct tree_changes *renames, bool lost_blocks,
				  struct rule_changes *out) MUST_USE;

/* The setting's value as text; of a list all its parts. */
struct str rulechange_setting_value_text(struct arena *a, const struct conf *conf,
					 const struct conf_setting *setting);

/* Whether a side has an equal rule; for merges of published commits. */
bool rulechange_side_has_rule(const struct knowledge *k, const struct kn_constraint *c,
			      enum kn_severity s);
