/* know_test: tries rules of a decision, for the commands that show or prove what they stop. */
#pragma once

#include "know.h"
#include "history/ruletest.h"

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
	struct VEC(struct know_tried) tried;
	struct ruletest_found found;
	struct str never; /* why the rule can find nothing anywhere, or empty */
};
struct know_test_result {
	bool success, passed;
	struct kn_item item;
	struct VEC(struct know_tested) rules;
	int64_t failed;
	struct maybe_int files, unjudged, judged;
	size_t paths; /* of the tree */
	struct str cut;
	struct {
		struct ruletest_commit *p;
		size_t n;
	} commits;
};

extern const struct field know_test_rule_fields[], know_test_commit_fields[];
/* Rows of a struct know_test_result that is the member `at` of `object`. */
#define KNOW_TEST_FIELDS(object, at)                                                               \
	FIELD_AS(object, at success, "success", "the rules were tried"),                           \
		FIELD_AS(object, at passed, "passed", "no example fails, and each rule was read"), \
		FIELD_AS(object, at item.id, "id", "the item"),                                    \
		FIELD_AS(object, at item.title, "title", "its title"),                             \
		FIELD_NAMED(object, at item.status, "status", kn_statuses, "its status"),          \
		FIELD_AS(object, at item.shown_path, "path", "its file"),                          \
		FIELD_AS(object, at failed, "failed", "the number of examples that fail"),         \
		FIELD_RECORDS(object, at rules, "rules", know_test_rule_fields, "its rules"),      \
		FIELD_AS(object, at files, "files", "files of the tree that were judged",          \
			 .flags = OPTIONAL),                                                       \
		FIELD_AS(object, at unjudged, "unjudged",                                          \
			 "files and names that a rule could not judge", .flags = OPTIONAL),        \
		FIELD_AS(object, at judged, "judgedCommits", "commits that were judged",           \
			 .flags = OPTIONAL),                                                       \
		FIELD_AS(object, at cut, "shallowAt", "the commit where a shallow clone ends",     \
			 .flags = IF_ANY),                                                         \
		FIELD_RECORDS(object, at commits, "commits", know_test_commit_fields,              \
			      "commits in which a rule finds something new, newest first",         \
			      .flags = OPTIONAL)

/*
 * Tries the rules of r: the given texts, or without any the examples, the working tree and the last
 * `commits` commits. r->item and r->rules are set.
 */
struct err *know_test_rules(struct call *c, const struct knowledge *k, const struct kn_item *item,
			    const struct strs *texts, int64_t commits,
			    struct know_test_result *r) MUST_USE;
/* What a rule finds in the tree now: the number, and the first places. */
void know_test_print_now(struct out *o, const struct ruletest_found *f, size_t most);
/* What people read of it. texts: only texts were tried. */
void know_test_print(struct out *o, const struct know_test_result *r, bool texts);
