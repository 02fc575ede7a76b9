/* know_rule_change: writes rules into the file of a decision, or takes one back. */
#pragma once

#include "know_test.h"

struct rules VEC(struct kn_constraint);
struct rule_result {
	struct know_test_result tested;
	struct kn_constraint rule; /* that was removed */
	struct str removed;
	struct strs staged, notes;
};
extern const struct field rule_result[];

/*
 * Writes the rules into the item's file if their examples hold, stages the file unless it has other
 * changes, and shows what the rules stop. Without rules the one of the number `remove` is removed.
 * given: --knowledge.
 */
struct err *know_edit_item_rules(struct call *c, const struct strs *given, struct str id,
				 const struct rules *rules, int64_t remove, bool stage,
				 struct rule_result *r) MUST_USE;
/* What people read of it. */
void know_rules_change_print(struct call *c, const struct rule_result *r);
