/*
 * paused_decisions: a decision whose findings do not stop commits of this clone for a while. It is
 * one file in Git's folder, "ikm-pause.json", and no setting, so nobody else gets it. It ends by
 * itself. Only the hooks of a commit read it, and not when a host of agents started Git; pushes,
 * ranges and servers judge as ever.
 */
#pragma once

#include "judge/judge.h"
#include "git/git.h"

#define PAUSE_MOST_MS ((int64_t)24 * 60 * 60 * 1000)

struct pause {
	struct str item, by, reason;
	int64_t until; /* milliseconds since 1970 */
};
struct pauses {
	struct pause *p;
	size_t n, cap;
	struct strs warnings; /* pauses that do not count, and why */
};
extern const struct field pause_fields[];

/* Those that have not ended. A damaged file, and a pause that is too long, give a warning. */
void pauses_read(struct arena *a, struct git *g, struct pauses *out);
/*
 * Adds a pause, in place of an earlier one of the item. Without a reason (p NULL) it ends that one.
 * *had: there was one. Errors: a damaged file, which stays as it is.
 */
struct err *pause_set(struct arena *a, struct git *g, const struct pause *p, bool *had) MUST_USE;
/* Findings of paused decisions warn, and say so. */
void pause_apply(struct arena *a, struct git *g, struct check_report *r);
