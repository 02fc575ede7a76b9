/*
 * judge: what a call of `check` or a hook compares with what (ikm-check(1), "What is judged"):
 * picks the two trees, reads the knowledge and settings of both, and lets check decide.
 */
#ifndef IKM_CHECK_JUDGE_H
#define IKM_CHECK_JUDGE_H

#include "check/check.h"
#include "conf/conf.h"
#include "git/git.h"

struct judge {
	struct git *git;   /* NULL outside a repository */
	struct strs args;  /* -c key=value */
	struct strs given; /* --knowledge */
	struct strs items; /* only these items; empty: all */
	struct strs only;  /* only these paths */
	int min_severity;  /* -1: as configured */
	bool want_existing;
};

/* The index, as `git commit` will record it, against HEAD and what of a merge is published. */
struct err *judge_staged(struct arena *a, const struct judge *j, struct check_report *out) MUST_USE;
/* "A..B", "A...B" or "A..": the tree of B (HEAD) against the merge base of A and B. */
struct err *judge_range(struct arena *a, const struct judge *j, struct str range,
			struct check_report *out) MUST_USE;
/*
 * How the active rules of A and B differ, "A..B" or "A.." as they are; "A": against the working
 * tree. Nothing else of the report is set, and nothing is judged.
 */
struct err *judge_rules(struct arena *a, const struct judge *j, struct str range,
			struct check_report *out) MUST_USE;
/* The working tree, against nothing. */
struct err *judge_all(struct arena *a, const struct judge *j, struct check_report *out) MUST_USE;
/*
 * The lines of a pre-push hook's standard input: each pushed tip against what the remote's branch
 * has, else against where it left the remote's branches, and against what it has of the default
 * branch. One report; what two tips share is told once.
 */
struct err *judge_push(struct arena *a, const struct judge *j, const char *remote, struct str lines,
		       struct check_report *out) MUST_USE;
/* Files (NULL: none were given) and dependencies; knowledge of the working tree. */
struct err *judge_input(struct arena *a, const struct judge *j, struct tree *files,
			const struct check_dep *deps, size_t n, bool complete,
			struct check_report *out) MUST_USE;

#endif
