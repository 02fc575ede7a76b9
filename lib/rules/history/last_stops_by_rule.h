/*
 * last_stops_by_rule: when each rule last stopped somebody in a clone: a commit, a push, or an
 * agent's edit. The record of a clone is one file in the home's folder "stops", because a check
 * writes nothing into the repository. It only informs: a rule that cannot be noted stops all the
 * same, and without a home nothing is noted.
 */
#pragma once

#include "judge/judge.h"
#include "git/git.h"

/* A rule is known by its item and by what it says, so it may move within its file. */
struct stop {
	struct str rule; /* its item, operator, target and pattern */
	int64_t at;      /* milliseconds since 1970 */
	int64_t times;
};
struct stops {
	struct stop *p;
	size_t n, cap;
};

/* Notes each rule that blocks in the report. Errors have no consequence. */
void stops_note(struct arena *a, struct git *g, const struct check_report *r);
/*
 * Reads the stops of the clone. A record that is missing or damaged gives no stops. Returns why
 * nothing is counted, for people; empty: it is.
 */
struct str stops_read_blocked_rules(struct arena *a, struct git *g, struct stops *out);
/* The stop of this rule, or NULL. */
const struct stop *stops_find_by_rule(struct arena *a, const struct stops *s,
				      const struct kn_item *item, const struct kn_constraint *rule);
