/*
 * rulechange: compares the active rules of two sides (ikm-check(1), "The set of rules"): which
 * rules a change adds, edits, retires or loses, and which settings of the judge it changes. It
 * reads both sides only; what follows from a difference is the caller's to decide.
 */
#ifndef IKM_CHECK_RULECHANGE_H
#define IKM_CHECK_RULECHANGE_H

#include "knowledge/knowledge.h"
#include "conf/conf.h"
#include "tree/tree.h"

/* Every kind of change once: name in C, in JSON and in text. */
#define RULE_CHANGES(X)                                                                            \
	X(LOST, "lost")       /* a rule went, and nobody retired its decision */                   \
	X(SETTING, "setting") /* a check.* or knowledge.* setting changed */                       \
	X(RETIRED, "retired") /* the decision became deprecated or superseded */                   \
	X(EDITED, "edited")   /* the decision holds on both sides, and says something else */      \
	X(ADDED, "added")
#define X(c, name) RULE_##c,
enum rule_change_kind { RULE_CHANGES(X) };
#undef X
/* NULL-ended, in the order of the enum. */
extern const char *const rule_change_kinds[];

struct rule_change {
	enum rule_change_kind kind;
	struct str item;          /* the item's id on the side that has the rule; a setting's key */
	unsigned constraint;      /* its number within the item, as in the base if that has it */
	struct str why;           /* a short sentence, or empty */
	struct str before, after; /* the rule as rulechange_text(), or the value; empty: none */
	struct str path;          /* the item's file as shown; empty for a setting */
	struct str tree_path;     /* the same from the top of the tree; empty: outside */
	struct str commit;        /* the commit that made the change; empty: not known */
	enum kn_severity severity; /* as it counted before, of an added one as it counts now */
	bool blocks;               /* it stops the change */
	bool deleted;              /* lost, because the file was deleted */
	/* The compared items and rules; NULL on the side that lacks them. */
	const struct kn_item *old_item, *new_item;
	const struct kn_constraint *old_rule, *new_rule;
};
struct rule_changes {
	struct rule_change *p;
	size_t n, cap;
};

/* A tree with the knowledge and settings that count for it. */
struct rulechange_side {
	const struct knowledge *knowledge;
	const struct conf *conf;
	struct tree *tree; /* NULL: nothing is told of files */
};

/* As it counts: a proposed item's rule informs. */
enum kn_severity rule_severity(const struct kn_item *item, const struct kn_constraint *c);
/* Two rules that find the same, as severely, are one, whichever item they are in. */
bool rule_same(const struct kn_constraint *x, enum kn_severity xs, const struct kn_constraint *y,
	       enum kn_severity ys);
/* Whether the list has a change that says the same. */
bool rule_changes_has(const struct rule_changes *list, const struct rule_change *c);
/* How many rules judge. */
unsigned rulechange_count(const struct knowledge *k);
/* "must_not_use dependency mysql2? version <3 in web/ (block)": all of a rule that judges. */
struct str rulechange_text(struct arena *a, const struct kn_constraint *c, enum kn_severity s);

/*
 * What differs, in order of kind, item, constraint. renames: tree_diff() and tree_find_renames() of
 * the two trees; NULL: nothing was renamed. lost_blocks: a lost rule of severity block stops.
 */
struct err *rulechange_find(struct arena *a, const struct rulechange_side *base,
			    const struct rulechange_side *now, const struct tree_changes *renames,
			    bool lost_blocks, struct rule_changes *out) MUST_USE;

/* The setting's value as text; of a list all its parts. An unknown key is a BUG. */
void rulechange_setting(struct arena *a, const struct conf *conf, struct str key, struct str *out);

/* Whether the knowledge of a side has a rule that is the same; for merges of what is published. */
bool rulechange_has(const struct knowledge *k, const struct kn_constraint *c, enum kn_severity s);

#endif
