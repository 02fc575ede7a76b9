/* merge: merges two reports into one. */
#ifndef IKM_JUDGE_MERGE_H
#define IKM_JUDGE_MERGE_H

#include "judge/check.h"

/* Adds the findings of another pushed tip, each fact once. */
void reports_merge(struct arena *a, struct check_report *to, const struct check_report *from);
/*
 * Both reports judge the same tip, against two bases. A finding that the other base had becomes
 * existing and blocks nothing. Both reports must list every finding (check_input.list_all). Returns
 * how many findings became existing.
 */
unsigned reports_agree(struct arena *a, struct check_report *r, const struct check_report *other,
		       bool want_existing);
/* Counts the findings again, and sets whether the check passed. */
void reports_count(struct check_report *r);

#endif
