/*
 * garden_trees: judges the files of a garden that differ between two trees, in one call: for the
 * hooks (a commit, a push) and for checks. The rules are those of garden_policy().
 */
#ifndef IKM_HISTORY_GARDEN_TREES_H
#define IKM_HISTORY_GARDEN_TREES_H

#include "garden/garden.h"
#include "out/out.h"
#include "tree/tree.h"

struct garden_trees {
	struct tree *before; /* NULL: there was nothing, every file is new */
	struct tree *now;
	/*
	 * The other sides of a merge. What one of them has was judged there. A fault counts when it
	 * is one against every side that has the file.
	 */
	struct tree *const *others;
	size_t others_n;
	/* tree_diff() of both, with or without renames; NULL: it is computed here */
	const struct tree_changes *changes;
	struct str top;       /* the garden's folder in the trees: "" or "people/garden" */
	struct str user;      /* as in struct garden_ask, like the members below */
	struct str rationale; /* of the trailer Ikm-Rationale */
	bool person, maintainer;
};

struct garden_judged_file {
	struct str path;                 /* in the trees */
	struct garden_diagnostics found; /* of the change: what the file had before is left out */
};
struct garden_judged {
	struct garden_judged_file *p; /* files with diagnostics, sorted by path */
	size_t n, cap;
	unsigned files;                       /* changed files of the garden */
	unsigned blocked, overridden, warned; /* diagnostics */
};
/*
 * A renamed file is one that was deleted and one that is new. A link, and a submodule, is no file
 * of the garden: GARDEN_RULE_PATH. Neither may stand in the place of the garden's folders. Errors:
 * those of reading the trees; those of garden_rationale_check().
 */
struct err *garden_judge_trees(struct arena *a, const struct garden_trees *q,
			       struct garden_judged *out) MUST_USE;
/*
 * "PATH:LINE:COLUMN: SEVERITY RULE: MESSAGE; FIX", one diagnostic a line, those that block first.
 * When something blocks, the last lines tell a person what opens it.
 */
void garden_judged_text(struct out *o, const struct garden_judged *j);

#endif
