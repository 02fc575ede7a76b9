/*
 * gardens: judges the gardens of a repository in a change: in what is staged, and in each commit of
 * a push or a range (ikm-garden(7), HOOKS AND SERVERS). The rules are those of
 * garden_judge_change().
 *
 * A garden is found in two ways. The setting check.garden names its folder, so that a server knows
 * it too. On a user's machine garden.path may name a folder in the working tree. A change is judged
 * by the settings before it and after it, so it cannot switch off its own judge.
 */
#pragma once

#include "garden/garden.h"
#include "git/comparison_bases.h"
#include "history/sides.h"
#include "out/out.h"

/*
 * Adds the folders of the gardens that a commit of the index would be judged by: the user's own,
 * and those of check.garden in HEAD and in the index. "" is the top of the repository. Nothing for
 * a bare repository.
 */
struct err *gardens_here(struct arena *a, struct git *g, const struct strs *args,
			 struct strs *tops) MUST_USE;

/*
 * The value of the last trailer Ikm-Rationale in the last paragraph of a message, or in the last
 * but one when the last has trailers of git only; empty: none. The first paragraph is a subject.
 */
struct str gardens_rationale_of_message(struct arena *a, struct str message);

/* ---- garden_trees.c: the files of gardens that differ between trees ---- */

struct garden_trees {
	struct tree *now;
	/*
	 * What the change is compared with; none: every file is new. All but the first are the
	 * other sides of a merge: what one of them has was judged there. A fault counts when it is
	 * one against every side that has the file.
	 */
	struct VEC(struct tree *) sides;
	struct strs tops;     /* the gardens' folders in the trees: "" or "people/garden" */
	struct str rationale; /* of the trailer Ikm-Rationale */
	bool person;          /* as in struct garden_ask */
};

struct garden_judged_file {
	struct str path;                 /* in the trees */
	struct garden_diagnostics found; /* of the change: what the file had before is left out */
};
struct garden_judged {
	struct garden_judged_file *p; /* files with diagnostics, sorted by path */
	size_t n, cap;
	unsigned files;               /* changed files of the gardens */
	unsigned blocked, overridden; /* diagnostics */
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
void garden_judged_print(struct out *o, const struct garden_judged *j);

/* ---- gardens.c: each adds notes of kind CHECK_GARDEN, and counts the report again ---- */

/*
 * The commit s->now against its parents s->base, by the settings of all of them. commit empty: the
 * change that a commit on top of HEAD would make. Its message is not known, so what a rationale may
 * open is told and does not block.
 */
struct err *gardens_judge_sides(struct sides *s, struct str commit) MUST_USE;
/*
 * Each commit of the range, by its own settings, those of its parents, and those of the bases. A
 * fault does not block when the tip passes against the first base for the same file: a later commit
 * has mended it. A tip that is a tree is judged as one change, and so is a tip that does not follow
 * the first base.
 */
struct err *gardens_judge_range(struct arena *a, const struct judge *j,
				const struct bases_range *range, struct check_report *out) MUST_USE;
