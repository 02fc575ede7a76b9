/*
 * pushed: judges the commits that a push brings, for pre-push and for pre-receive. Private to
 * history.
 */
#ifndef IKM_HISTORY_PUSHED_H
#define IKM_HISTORY_PUSHED_H

#include "git/bases.h"
#include "history/judged.h"

/* NO_REPOSITORY outside a repository. */
struct err *judge_need_git(const struct judge *j) MUST_USE;

/*
 * Judges a pushed tip. part: local ref, local id, remote ref, remote id, as in a line of pre-push.
 * remote: what the receiver has; its tips are the commits that a new branch may have left.
 */
struct err *judge_tip(struct arena *a, const struct judge *j, const struct remote_state *remote,
		      const struct str *part, struct check_report *out) MUST_USE;

/*
 * Judges the tree of a commit against other commits. first empty: no base. is_branch: it is pushed
 * to a branch or tag that is not the default branch.
 */
struct err *judge_commits(struct arena *a, const struct judge *j, struct str tip, struct str first,
			  const struct base_commits *more, bool is_branch,
			  struct check_report *out) MUST_USE;

/*
 * Compares the rules that the default branch reads from a ref of this repository, before and after
 * the push of out->refs. A rule that the push takes away without a retirement blocks. default_id
 * empty: nothing is done.
 */
struct err *judge_ref_sources(struct arena *a, const struct judge *j, struct str default_id,
			      struct check_report *out) MUST_USE;

/* Whether the id names files: a tag may name a single blob, and git pushes that too. */
struct err *judge_has_tree(struct arena *a, const struct judge *j, struct str id,
			   bool *has) MUST_USE;

#endif
