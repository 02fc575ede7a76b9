/*
 * Judges the tips of a push, for the hook of the person who pushes and for the server. A tip is
 * compared with what the receiver has.
 */
#include "history/gardens.h"
#include "history/sides.h"

/*
 * The known state of the remote. For an address, or a remote that has nothing yet, commits of all
 * remotes count as published.
 */
static struct err *remote_state_of_push(struct arena *a, const struct judge *j, const char *remote,
					struct remote_state *state)
{
	struct strs own = {0}, upstream = {0}, all = {0};
	struct remote_state more = {0};
	struct str list, line;

	strs_push(a, &own, str_of(remote));
	TRY(git_remote_branches_read(a, j->git, &own, state));
	if (!state->names.n) {
		TRY(git_run(j->git, a, (const char *const[]){"remote", NULL}, (struct str){0},
			    &list));
		strs_push(a, &all, STR("origin"));
		while (str_next_line(&list, &line))
			strs_push(a, &all, line);
		return git_remote_branches_read(a, j->git, &all, state);
	}
	/*
	 * A fork's own default branch is often old: use the default branch of the project that it
	 * follows.
	 */
	strs_push(a, &upstream, STR("upstream"));
	TRY(git_remote_branches_read(a, j->git, &upstream, &more));
	state->upstream_id = more.default_id;
	return NULL;
}

/* Whether ref is the remote's default branch. */
static bool is_default(const struct remote_state *remote, struct str ref)
{
	return remote->default_name.n && str_starts(ref, STR("refs/heads/")) &&
	       str_eq(str_sub(ref, 11, ref.n), remote->default_name);
}

/*
 * Without a default branch nobody knows which rules hold outside the pushed branch, so the branch
 * could retire a rule in one push and break it in the next. Then the whole tree counts.
 */
static struct err *judge_tip_whole(struct arena *a, const struct judge *j,
				   const struct remote_state *remote, struct str tip,
				   struct check_report *out)
{
	struct check_report *whole = ARENA_NEW(a, struct check_report);
	struct base_commits none = {0};
	struct str name = remote->names.n ? remote->names.p[0] : STR("");

	TRY(judge_commit_against(a, j, tip, STR(""), &none, true, whole));
	reports_merge(a, out, whole);
	if (remote->is_here)
		return NULL; /* judge_receive() tells it once for all refs */
	check_warn(
		a, out, false, name.n ? name : STR("this remote"),
		name.n ? str_fmt(a,
				 "its default branch is not known, so the whole tree was judged; "
				 "to ask for it: git remote set-head %.*s --auto",
				 STR_ARG(name))
		       : STR("its default branch is not known, so the whole tree was judged; to "
			     "make it known, add the remote: git remote add NAME URL"));
	return NULL;
}

/*
 * A history that shares nothing with the default branch may have no decisions, or may have retired
 * them by itself: the default branch's rules judge its whole tree too. None of its own retirements
 * counts.
 */
static struct err *judge_tip_foreign(struct arena *a, const struct judge *j,
				     const struct remote_state *remote, struct str tip,
				     struct check_report *out)
{
	struct check_report *whole = ARENA_NEW(a, struct check_report);
	struct side base[2] = {{.tree = tree_mem(a, STR("an empty tree"), NULL, 0)},
			       {.ref = str_c(a, remote->default_id), .rules_only = true}};
	struct judge strict = *j;
	struct sides s = {
		.a = a,
		.judge = &strict,
		.out = whole,
		.in = {.complete = true, .broken_blocks = j->asker == JUDGE_SERVER},
		.now = {.ref = str_c(a, tip)},
		.base = base,
		.base_n = 2,
		.first_of_branch = true,
		.is_branch = true,
		.foreign_to = remote->default_name,
	};

	strict.retire_merged = true;
	TRY(git_tree_at(j->git, s.now.ref, &s.now.tree));
	TRY(git_tree_at(j->git, base[1].ref, &base[1].tree));
	s.in.now = s.now.tree;
	TRY(sides_judge(&s));
	/* Against an empty tree every rule is new. */
	whole->rule_changes.n = 0;
	whole->compared = false;
	report_count_findings(whole);
	reports_merge(a, out, whole);
	return NULL;
}

/*
 * Without a default branch, what one push retires the next one could break: nobody knows which
 * rules hold. A server takes no such push, and so the rules of every branch stay sound.
 */
static void judge_tip_keep_rules(struct arena *a, struct check_report *out)
{
	bool kept = false;

	VEC_EACH(struct rule_change, c, &out->rule_changes) {
		if ((c->kind != RULE_RETIRED && c->kind != RULE_EDITED) ||
		    c->severity != KN_SEVERITY_BLOCK)
			continue;
		c->blocks = kept = true;
	}
	if (!kept)
		return;
	check_warn(a, out, false, STR("HEAD"),
		   STR("without a default branch no rule that blocks can be retired or edited; on "
		       "the server: git symbolic-ref HEAD refs/heads/BRANCH"));
	report_count_findings(out);
}

struct err *judge_tip(struct arena *a, const struct judge *j, const struct remote_state *remote,
		      const struct str *part, struct check_report *out)
{
	struct str local = part[1], theirs = part[3], first = {"", 0}, have;
	struct base_commits more = {0};
	struct remote_state known = *remote;
	struct bases_range range = {0};
	bool main_branch = is_default(remote, part[2]), empty;

	if (!str_is_zeros(theirs) && !git_rev_id(j->git, a, str_c(a, theirs), &have))
		first = have;
	/* git has just asked the remote, so its answer is newer than refs/remotes. */
	if (first.n && main_branch)
		known.default_id = first;
	if (!first.n)
		TRY(bases_fork(a, j->git, &remote->tips, local, &first));
	if (first.n) {
		TRY(bases_published(a, j->git, &known, first, local, main_branch, &more));
		TRY(bases_default_fork(a, j->git, &known, first, local, &more));
	}
	TRY(judge_commit_against(a, j, local, first, &more, !main_branch, out));
	/* The commits of the tip that the receiver does not have. */
	bases_range_of(a, local, first, &more, &range);
	TRY(gardens_judge_range(a, j, &range, out));
	/* A clone of a person may be shallow, and not know what is shared. */
	if (known.is_here && known.default_id.n) {
		TRY(git_rev_merge_base(j->git, a, str_c(a, local), str_c(a, known.default_id),
				       &have));
		if (!have.n)
			TRY(judge_tip_foreign(a, j, &known, local, out));
	}
	if (first.n && !known.default_id.n) {
		if (known.is_here)
			judge_tip_keep_rules(a, out);
		return judge_tip_whole(a, j, &known, local, out);
	}
	/* Into an empty repository every push brings all of it. */
	empty = remote->is_here ? remote->is_empty : !remote->tips.n;
	if (!first.n && (!empty || !out->passed))
		check_warn(a, out, false, str_dup(a, part[0]),
			   remote->is_here ? STR("no branch here shares a commit with it, so the "
						 "whole tree was judged")
					   : STR("it shares no commit with what the remote has, so "
						 "the whole tree was judged"));
	return NULL;
}

struct err *judge_git_object_has_tree(struct arena *a, const struct judge *j, struct str id,
				      bool *has)
{
	struct str peeled = str_fmt(a, "%.*s^{}", STR_ARG(id)), type;
	const char *ask[] = {"cat-file", "-t", peeled.p, NULL};

	*has = true;
	if (git_rev_id(j->git, a, str_c(a, id), &type) == NULL)
		return NULL;
	TRY(git_run(j->git, a, ask, (struct str){0}, &type));
	*has = !str_is(str_trim(type), "blob");
	return NULL;
}

struct err *judge_push(struct arena *a, const struct judge *j, const char *remote, struct str lines,
		       struct check_report *out)
{
	struct remote_state state = {0};
	struct strs judged = {0};
	struct str line;
	bool judgeable;

	TRY(judge_need_git(j));
	TRY(remote_state_of_push(a, j, remote, &state));
	*out = (struct check_report){.passed = true, .no_knowledge = true};
	while (str_next_line(&lines, &line)) {
		struct check_report one = {0};
		struct str part[4] = {{0}}, rest = line;
		size_t n = 0;

		while (n < 4 && str_next_part(&rest, ' ', &part[n]))
			n++;
		if (!line.n)
			continue;
		if (n < 4)
			return err_new(E_BAD_ARGUMENT,
				       "'%.*s' is no line of a pre-push hook's input: "
				       "local ref, local id, remote ref, remote id",
				       STR_ARG(line));
		if (str_is_zeros(part[1]))
			continue; /* a branch is deleted, so nothing is pushed */
		/* Several refs on one commit are judged once. */
		rest = str_fmt(a, "%.*s %.*s %d", STR_ARG(part[1]), STR_ARG(part[3]),
			       is_default(&state, part[2]));
		if (strs_has(&judged, rest))
			continue;
		strs_push(a, &judged, rest);
		TRY(judge_git_object_has_tree(a, j, part[1], &judgeable));
		if (!judgeable) {
			check_warn(a, out, false, str_dup(a, part[0]),
				   STR("it names a single object, no files: not judged"));
			continue;
		}
		TRY(judge_tip(a, j, &state, part, &one));
		reports_merge(a, out, &one);
	}
	return NULL;
}
