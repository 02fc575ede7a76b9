/*
 * bases: which commits a change is compared with (ikm-check(1), "What counts"). Asks Git which
 * commits a remote has, and where a history left the remote. Knows nothing of rules. Private to
 * check.
 */
#ifndef IKM_CHECK_BASES_H
#define IKM_CHECK_BASES_H

#include "git/git.h"

struct base_commit {
	struct str id;
	struct str fork; /* the merge base with the first base; empty: none */
	/*
	 * The default branch of the remote, or of its upstream, has this commit: its changes of the
	 * rules are published.
	 */
	bool is_default;
};
struct base_commits {
	struct base_commit *p;
	size_t n, cap;
};

/* The branches that a remote is known to have. */
struct remote_state {
	struct strs names;       /* the remotes that were read */
	struct strs tips;        /* the ids of their branches, each once */
	struct str default_id;   /* the default branch of the first remote that has one */
	struct str default_name; /* "main"; empty when there is none */
	struct str default_ref;  /* "origin/main", for messages */
	/* the default branch of the project that a fork follows, or empty */
	struct str upstream_id;
};

/*
 * `names` are remotes, the most important first; names of missing remotes are ignored. The default
 * branch is refs/remotes/NAME/HEAD, else main, else master.
 */
struct err *remote_state_of(struct arena *a, struct git *g, const struct strs *names,
			    struct remote_state *out) MUST_USE;
/*
 * The remotes of the branch that is checked out: its own remote, origin, upstream. branch: "main",
 * or empty.
 */
struct err *bases_remotes(struct arena *a, struct git *g, struct strs *names,
			  struct str *branch) MUST_USE;

/* The commits that `git merge` or `git commit` will record as further parents. */
struct err *bases_merged(struct arena *a, struct git *g, struct strs *ids) MUST_USE;

/*
 * The newest published commits in the tip's history, at most eight: of the default branches of the
 * remote and of its upstream, and, unless default_only, of the remote's other branches. `first` is
 * the base that every change is compared with; empty: none. A commit that `first` contains is left
 * out, because a change could bring back a problem that `first` has solved. So is a commit without
 * a common history with `first`.
 */
struct err *bases_published(struct arena *a, struct git *g, const struct remote_state *remote,
			    struct str first, struct str tip, bool default_only,
			    struct base_commits *out) MUST_USE;

/* The commit where the tip's history left the known commits; empty when they share none. */
struct err *bases_fork(struct arena *a, struct git *g, const struct strs *known, struct str tip,
		       struct str *out) MUST_USE;

/* Commits of the tip that none of the bases has and that changed the path, newest first. */
struct err *bases_log(struct arena *a, struct git *g, const struct base_commits *bases,
		      struct str tip, struct str path, size_t max, struct strs *ids) MUST_USE;

#endif
