/* know_test: the result of 'ikm know test': what the rules of a decision stop. */
#ifndef IKM_COMMON_KNOW_TEST_H
#define IKM_COMMON_KNOW_TEST_H

#include "history/ruletest.h"
#include "cmd/cmd.h"

/* A text that a rule was tried on. */
struct know_tried {
	struct str text, found, message;
	int expect; /* 1: the example is to be stopped, 0: to pass; -1: it is no example */
	bool stopped, ok;
	struct place at;
};
/* A rule, and what was tried. */
struct know_tested {
	struct kn_constraint rule;
	struct {
		struct know_tried *p;
		size_t n, cap;
	} tried;
	struct ruletest_found found;
};
struct know_test_result {
	bool success, passed;
	struct kn_item item;
	struct {
		struct know_tested *p;
		size_t n, cap;
	} rules;
	int64_t failed;
	struct maybe_int files, unjudged, judged;
	struct str cut;
	struct {
		struct ruletest_commit *p;
		size_t n;
	} commits;
};

extern const struct field know_test_fields[];

/* Prints the result for people. texts: only texts of the command line were tried. */
void know_test_text(struct out *o, const struct know_test_result *r, bool texts);

#endif
