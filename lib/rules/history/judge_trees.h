/*
 * judge_trees: chooses what `check` or a hook judges and what it is compared with (ikm-check(1),
 * "What is judged"). Picks the two trees, reads the knowledge and settings of both, and calls
 * check_run().
 */
#pragma once

#include "judge/baseline_file.h"
#include "judge/judge.h"
#include "conf/conf.h"
#include "git/git.h"

/* The party that asks. An exemption that the change itself adds counts for a person only. */
enum judge_asker { JUDGE_PERSON, JUDGE_AGENT, JUDGE_SERVER };

struct judge {
	enum judge_asker asker;
	struct git *git;   /* NULL outside a repository */
	struct strs args;  /* -c key=value */
	struct strs given; /* --knowledge */
	struct strs items; /* judge by these items only; empty: all */
	struct strs only;  /* judge these paths only */
	int min_severity;  /* -1: the configured severity */
	bool want_existing;
	bool in_hook; /* of a commit: git tells of it by the environment, and pauses count */
	struct baseline *baseline; /* judge_all(): see baseline.h; NULL: none */
	/*
	 * Only what the base has retired counts, whatever check.retire says. The server's door sets
	 * it for a push to the default branch.
	 */
	bool retire_merged;
	struct str pushed_to; /* retire_merged: the branch of the server; or empty */
};

/*
 * Judges the index, as `git commit` will record it, against HEAD and against the published commits
 * of a merge.
 */
struct err *judge_staged(struct arena *a, const struct judge *j, struct check_report *out) MUST_USE;
/*
 * "A..B", "A...B" or "A..": judges the tree of B (default HEAD) against the merge base of A and B.
 */
struct err *judge_range(struct arena *a, const struct judge *j, struct str range,
			struct check_report *out) MUST_USE;
/*
 * Compares the active rules and judges nothing. "A..B" and "A..": the two commits as they are; "A":
 * A and the working tree. Sets no other member of the report.
 */
struct err *judge_compare_rules(struct arena *a, const struct judge *j, struct str range,
				struct check_report *out) MUST_USE;
/* Judges the working tree, without a base. */
struct err *judge_all(struct arena *a, const struct judge *j, struct check_report *out) MUST_USE;
/*
 * Judges what an edit of the working tree would introduce: each file as it would be, against the
 * file as it is. The rules are those of HEAD, of the working tree, and of the working tree as the
 * edit would leave it. Reports how the edit changes the rules, and blocks nothing for that. Reads
 * the files of the edit, of the sources of knowledge, and few others. deps: packages that the edit
 * would install; see judge_planned_changes().
 */
struct judge_edit {
	struct str path;     /* from the top of the repository */
	enum tree_kind kind; /* TREE_FILE, TREE_EXEC or TREE_LINK */
	struct str was, now; /* p NULL: there is no such file */
};
struct judge_edits {
	struct judge_edit *p;
	size_t n, cap;
	const struct check_dep *deps;
	size_t deps_n;
};
struct err *judge_edits(struct arena *a, const struct judge *j, const struct judge_edits *edits,
			struct check_report *out) MUST_USE;
/*
 * The working tree without the files that .gitignore files leave out, tracked or not. Answers a
 * search for a file without listing the tree.
 */
struct err *judge_disk_tree_open(struct arena *a, struct git *g, struct tree **out) MUST_USE;
/* That tree with the files that a sparse checkout leaves out. */
struct err *judge_disk_tree_open_whole(struct arena *a, struct git *g, struct tree *disk,
				       struct tree **out) MUST_USE;
/*
 * Judges the working tree, untracked files too, against HEAD: what a commit of everything would
 * introduce. In a merge also against the commits that the remote has published.
 */
struct err *judge_worktree(struct arena *a, const struct judge *j,
			   struct check_report *out) MUST_USE;
/*
 * Judges the lines that Git gives a pre-push hook on standard input. Each pushed tip is compared
 * with the remote's branch, or for a new branch with the commit where it left the remote's
 * branches, and with the commits it has of the default branch. Makes one report; a finding of two
 * tips is listed once.
 */
struct err *judge_push(struct arena *a, const struct judge *j, const char *remote, struct str lines,
		       struct check_report *out) MUST_USE;
/*
 * Judges the lines "old new ref" that Git gives a pre-receive hook on standard input, as a server:
 * what could not be judged blocks, and so does broken knowledge. A branch is compared with what it
 * was, and with the commits it has of the default branch, which HEAD names; a new branch with the
 * commit where it left the branches that are here. Reads branches and tags only; out->refs says
 * what was done with each ref. BAD_ARGUMENT for another line.
 */
struct err *judge_receive(struct arena *a, const struct judge *j, struct str lines,
			  struct check_report *out) MUST_USE;
/*
 * Judges every commit of a range against its first parent, by the knowledge that both had. "A..B",
 * "A...B", "A.."; "B" is the whole history. A merge is judged for what none of its parents has.
 * out->commits has the commits that did not pass, violations what they broke, each once.
 */
struct err *judge_each_commit(struct arena *a, const struct judge *j, struct str range,
			      struct check_report *out) MUST_USE;
/* Judges HEAD, as judge_each_commit() does. */
struct err *judge_last_commit(struct arena *a, const struct judge *j,
			      struct check_report *out) MUST_USE;
/* Judges files (NULL: none given) and dependencies by the knowledge of the working tree. */
struct err *judge_planned_changes(struct arena *a, const struct judge *j, struct tree *files,
				  const struct check_dep *deps, size_t n, bool complete,
				  struct check_report *out) MUST_USE;

/* Whether the text looks like a fingerprint that check prints. */
bool judge_is_fingerprint(struct str s);
/*
 * A fingerprint is a digest, so ikm runs the check again: of the staged content, of the change of
 * the working tree, then of all of it. *out is NULL when none has the finding. A waived finding is
 * found too.
 */
struct err *judge_find_fingerprint(struct arena *a, const struct judge *how, struct str print,
				   const struct check_violation **out) MUST_USE;
/*
 * Completes and checks a waiver that a person asks for. w->item is an item or a fingerprint; of a
 * finding come the constraint, the path and the package where w does not have them. Errors: those
 * of knowledge_resolve_item_name(); OUT_OF_RANGE for a wrong end or number; NOT_ALLOWED for rules
 * that cannot be waived; MISSING_PARAMETER without a path; BAD_PATTERN.
 */
struct err *waiver_new(struct arena *a, const struct judge *j, const struct knowledge *k,
		       int64_t today, struct waiver *w, const struct kn_item **item) MUST_USE;
/* The error for a fingerprint that is not found. */
struct err *judge_fingerprint_missing_error(struct str print) MUST_USE;
