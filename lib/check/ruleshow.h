/* ruleshow: prints changes of the rules as JSON, text and GitHub annotations. */
#ifndef IKM_CHECK_RULESHOW_H
#define IKM_CHECK_RULESHOW_H

#include "check/check.h"
#include "out/out.h"

/* The list ruleChanges[]. */
struct val *rule_changes_val(struct arena *a, const struct rule_changes *list);
/*
 * Prints "rules: 4 -> 3; lost 0001-no-mysql (docs/adr/... is not read: ...)" and a line for each
 * further change, from the list of rule_changes_val(). Prints nothing when the list is empty. max:
 * lines of each kind; 0: all. Then prints how to retire the lost rules.
 */
void rule_changes_text(struct out *o, const struct val *list, int64_t before, int64_t now,
		       size_t max);
/* Annotations: lost rules that block are errors, other lost rules warnings, the rest notices. */
void rule_changes_github(struct out *o, const struct val *list, size_t told[3], size_t max,
			 size_t *cut);

#endif
