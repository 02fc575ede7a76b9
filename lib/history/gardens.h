/*
 * gardens: judges the gardens of a repository in a change: in what is staged, and in each commit of
 * a push or a range (ikm-garden(7), HOOKS AND SERVERS). The rules are those of garden_policy().
 *
 * A garden is found in two ways. The setting check.garden names its folder, so that a server knows
 * it too. On a user's machine garden.path may name a folder in the working tree. A change is judged
 * by the settings before it and after it, so it cannot switch off its own judge.
 */
#ifndef IKM_HISTORY_GARDENS_H
#define IKM_HISTORY_GARDENS_H

#include "git/bases.h"
#include "history/garden_trees.h"
#include "history/sides.h"

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
struct str gardens_rationale(struct arena *a, struct str message);

/*
 * Each adds notes of kind CHECK_GARDEN, and counts the report again.
 *
 * next: the change that a commit on top of HEAD would make, with the settings of the sides. Its
 * message is not known, so what a rationale may open is told and does not block.
 */
struct err *gardens_judge_next(struct arena *a, const struct judge *j, const struct sides *s,
			       struct check_report *out) MUST_USE;
/* The commit s->now against its parents s->base, by the settings of all of them. */
struct err *gardens_judge_commit(struct arena *a, const struct judge *j, struct str id,
				 const struct sides *s, struct check_report *out) MUST_USE;
/*
 * Each commit of the range, by its own settings, those of its parents, and those of the bases. A
 * fault does not block when the tip passes against the first base for the same file: a later commit
 * has mended it. A tip that is a tree is judged as one change, and so is a tip that does not follow
 * the first base.
 */
struct err *gardens_judge_range(struct arena *a, const struct judge *j,
				const struct bases_range *range, struct check_report *out) MUST_USE;

#endif
