/*
 * agree: two reports made one. Private to check.
 */
#ifndef IKM_CHECK_AGREE_H
#define IKM_CHECK_AGREE_H

#include "check/check.h"

/* Adds what another pushed tip has, each fact once. */
void reports_merge(struct arena *a, struct check_report *to, const struct check_report *from);
/*
 * The same tip against another base: what that base had is existing, and blocks nothing. Both must
 * list every finding (check_input.list_all). Returns how many findings became existing.
 */
unsigned reports_agree(struct arena *a, struct check_report *r, const struct check_report *other,
		       bool want_existing);
/* Counts anew what counts, and whether it passed. */
void reports_count(struct check_report *r);

#endif
