/* rule_change_text: prints changes of the rules as text. */
#pragma once

#include "knowledge/rule_compare.h"
#include "out/out.h"

/*
 * Prints "rules: 4 -> 3; lost 0001-no-mysql (docs/adr/... is not read: ...)" and a line for each
 * further change. Prints nothing when the list is empty. max: lines of each kind; 0: all. Then
 * prints how to retire the lost rules.
 */
void rule_changes_text(struct out *o, const struct rule_changes *list, int64_t before, int64_t now,
		       size_t max);
/* What happened to the rule, as the text has it in parentheses. */
struct str rule_change_sentence(struct arena *a, const struct rule_change *c);
