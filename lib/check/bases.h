/*
 * bases: which commits a change is compared with (ikm-check(1), "What counts"). Asks Git for
 * what a remote has and where a history left it; knows nothing of rules. Private to check.
 */
#ifndef IKM_CHECK_BASES_H
#define IKM_CHECK_BASES_H

#include "git/git.h"

struct base_commit {
	struct str id;
	struct str fork; /* what it shares with the first base; empty without one */
	/* Of the remote's default branch: what it does to the rules is published. */
	bool is_default;
};
struct base_commits {
	struct base_commit *p;
	size_t n, cap;
};

/* What a remote is known to have. */
struct remote_state {
	struct strs names;       /* of the remotes that were looked at */
	struct strs tips;        /* of their branches, each once */
	struct str default_id;   /* of the default branch: the first remote's that has one */
	struct str default_name; /* "main"; empty when there is none */
	struct str default_ref;  /* "origin/main", for messages */
	struct str
		upstream_id; /* the default branch of the project that a fork follows, or empty */
};

/*
 * The remotes by their names, the most important first; those that do not exist count for nothing.
 * The default branch is refs/remotes/NAME/HEAD, else main, else master.
 */
struct err *remote_state_of(struct arena *a, struct git *g, const struct strs *names,
			    struct remote_state *out) MUST_USE;
/* Of the branch that is checked out: its own remote, origin, upstream. branch: "main", or empty. */
struct err *bases_remotes(struct arena *a, struct git *g, struct strs *names,
			  struct str *branch) MUST_USE;

/* The commits that `git merge` or `git commit` is about to record as further parents. */
struct err *bases_merged(struct arena *a, struct git *g, struct strs *ids) MUST_USE;

/*
 * What of the tip's history the remote has besides `first` (the base that is compared with anyway;
 * empty: none): of the default branch, and, unless default_only, of its other branches. Only what
 * `first` does not contain: else a change could bring back what was mended since.
 */
struct err *bases_published(struct arena *a, struct git *g, const struct remote_state *remote,
			    struct str first, struct str tip, bool default_only,
			    struct base_commits *out) MUST_USE;

/* Where the tip left any of these commits; empty when it shares nothing with them. */
struct err *bases_fork(struct arena *a, struct git *g, const struct strs *known, struct str tip,
		       struct str *out) MUST_USE;

/* Commits of tip that are not in any of the bases and changed the path, newest first. */
struct err *bases_log(struct arena *a, struct git *g, const struct base_commits *bases,
		      struct str tip, struct str path, size_t max, struct strs *ids) MUST_USE;

#endif
