/*
 * comparison_bases: which commits a change is compared with (ikm-check(1), "What counts"). Asks Git
 * which commits a remote has, and where a history left the remote. Knows nothing of rules.
 */
#pragma once

#include "git/git.h"

struct base_commit {
	struct str id;
	struct str fork; /* the merge base with the first base; empty: none */
	/*
	 * The default branch of the remote, or of its upstream, has this commit: its changes of the
	 * rules are published.
	 */
	bool is_default;
	bool rules_only; /* the first base has the commit already, and yet its rules judge */
	bool is_fork;    /* the tip's history left the default branch here */
};
struct base_commits {
	struct base_commit *p;
	size_t n, cap;
	bool is_apart; /* there is a default branch, and the tip's history shares no commit with it
			*/
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
	bool is_here;  /* this repository's own branches, which a push is about to change */
	bool is_empty; /* is_here: there is no branch yet */
};

/*
 * `names` are remotes, the most important first; names of missing remotes are ignored. The default
 * branch is refs/remotes/NAME/HEAD, else main, else master.
 */
struct err *git_remote_branches_read(struct arena *a, struct git *g, const struct strs *names,
				     struct remote_state *out) MUST_USE;
/*
 * The remotes of the branch that is checked out: its own remote, origin, upstream. branch: "main",
 * or empty.
 */
struct err *bases_remote_names(struct arena *a, struct git *g, struct strs *names,
			       struct str *branch) MUST_USE;

/* The commits that `git merge` or `git commit` will record as further parents. */
struct err *bases_merge_parents(struct arena *a, struct git *g, struct strs *ids) MUST_USE;
/*
 * Whether the commit that a hook is asked about replaces HEAD. git does not tell, but it gives
 * hooks the author with a time of one second, and `git commit --amend` takes both from HEAD. So do
 * two commits in one second; --reset-author and --date hide an amend. *sure: it is another second
 * now, so git took the author from HEAD, for --amend or for -C HEAD: no hook can tell which.
 * *parents: the number of HEAD's parents.
 */
struct err *bases_is_amend(struct arena *a, struct git *g, bool *out, bool *sure,
			   size_t *parents) MUST_USE;

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

/*
 * Adds the commit where the tip's history left the default branch, for its rules, unless `first` is
 * that commit or the list has it. So a rule that a branch retires judges every push of the branch,
 * and not only the first. Sets is_fork of the commit, and is_apart of the list when there is none.
 */
struct err *bases_default_fork(struct arena *a, struct git *g, const struct remote_state *remote,
			       struct str first, struct str tip, struct base_commits *out) MUST_USE;

/* The commit where the tip's history left the known commits; empty when they share none. */
struct err *bases_fork(struct arena *a, struct git *g, const struct strs *known, struct str tip,
		       struct str *out) MUST_USE;

/* A part of a history: the commits of the tips that none of the bases has. */
struct bases_range {
	struct strs tips, bases;
};
/* Adds the tip, and as bases `first`, unless it is empty, and the others. */
void bases_range_of(struct arena *a, struct str tip, struct str first,
		    const struct base_commits *more, struct bases_range *out);
struct bases_step {
	struct str id;
	struct strs parents; /* as far as the repository has them */
	struct strs touched; /* of bases_commit_touches_files() */
	bool compared;
};
struct bases_walk VEC(struct bases_step);
/*
 * The commits of the range that changed one of the paths or a file below it, newest first; a commit
 * comes before its parents. max: of the newest ones; 0: all.
 */
struct err *bases_walk(struct arena *a, struct git *g, const struct bases_range *range,
		       const struct strs *paths, size_t max, struct bases_walk *out) MUST_USE;
/* Whether the commit changed one of these files, against any of its parents. */
struct err *bases_commit_touches_files(struct arena *a, struct git *g, struct bases_step *step,
				       const struct strs *files, bool *yes) MUST_USE;
/* Whether `one` is `other` or has it in its history. */
struct err *bases_is_descendant(struct arena *a, struct git *g, struct str one, struct str other,
				bool *yes) MUST_USE;
/*
 * Whether the range has a commit whose parents a shallow clone leaves out, so that the range may be
 * longer than the repository knows.
 */
struct err *bases_is_cut(struct arena *a, struct git *g, const struct bases_range *range,
			 bool *cut) MUST_USE;
