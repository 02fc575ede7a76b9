/*
 * retirement: whether a commit of a range took a rule away before the range broke it (ikm-check(1),
 * "Changing one's mind"). retirement_commits.c says in which commits to look. Private to history.
 *
 * Let v be a finding of a rule that the base has and the tip has not. A commit R of the range
 * counts when
 *  - the rules of each of its parents find v in the tip, and the rules of R do not;
 *  - the rule was not lost in R, but retired or edited;
 *  - R itself does not break the rule;
 *  - the tree of R does not have v yet;
 *  - no later commit brings the rule back.
 * The rules are compared by what they find, so an item may be renamed, moved, renumbered and edited
 * on the way.
 */
#ifndef IKM_HISTORY_RETIREMENT_H
#define IKM_HISTORY_RETIREMENT_H

#include "git/bases.h"
#include "judge/check.h"
#include "history/sides.h"

/* The findings of a report that count, sorted by place. */
struct mind_findings {
	const struct check_violation **p;
	size_t n;
};

struct mind_commit;
/* Whether another commit has this one in its history. */
struct mind_order {
	const struct mind_commit *commit;
	bool follows;
};
struct mind_commit {
	struct str id;
	struct side side;
	struct strs parents;
	bool readable;               /* its settings and knowledge could be read */
	bool listed;                 /* a range that was walked has it */
	unsigned tried;              /* mind_case.bases of the last walk that tried it */
	struct mind_findings *found; /* of the tip, by rules that the tip has not; NULL: not run */
	struct {
		struct mind_order *p;
		size_t n, cap;
	} later; /* the commits that were compared with this one */
};

/* Why a commit that took the rule away does not count; the last is the nearest miss. */
enum mind_miss { MISS_NONE, MISS_LOST, MISS_BACK, MISS_THERE, MISS_BREAKS };

/* A finding, and what is known of its rule. */
struct mind_case {
	struct check_violation *v;
	unsigned bases; /* bit i: base i has the rule */
	bool done;
	enum mind_miss miss;
	struct str commit; /* of the miss */
};

struct mind {
	struct arena *a;
	const struct judge *j;
	const struct sides *s;
	const struct check_input *in;
	const struct tree_changes *changes;
	const struct limits *limits;
	struct check_report *out;
	bool squash_ok;
	struct {
		struct mind_case *p;
		size_t n, cap;
	} cases;
	struct {
		struct mind_commit **p;
		size_t n, cap;
	} commits; /* that were read, each once */
};

/*
 * Tries the commits for the cases whose rules these bases have. ids: each commit before its
 * parents, so that what a later commit brings back is known.
 */
struct err *mind_walk(struct mind *m, const struct strs *ids, unsigned bases) MUST_USE;
/* Whether no commit was found yet that took the rule of one of these cases away. */
bool mind_is_open(const struct mind *m, unsigned bases);

#endif
