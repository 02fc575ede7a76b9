#include "history/judge_trees.h"
#include "git/comparison_bases.h"
#include "history/gardens.h"
#include "history/sides.h"
#include "knowledge/load.h"
#include "os/os.h"

struct err *judge_need_git(const struct judge *j)
{
	if (j->git)
		return NULL;
	return err_new(E_NO_REPOSITORY, "this is not a Git repository");
}

/* Adds the trees of the published commits to the first base. */
static struct err *add_bases(struct sides *s, const struct base_commits *list)
{
	struct side *first = s->base;

	s->base = arena_array(s->a, list->n + 1, sizeof(*s->base));
	s->base[0] = *first;
	s->base_n = 1;
	VEC_EACH(const struct base_commit, c, list) {
		struct side *b = &s->base[s->base_n++];

		b->ref = str_c(s->a, c->id);
		b->decides = c->is_default;
		b->rules_only = c->rules_only;
		b->is_fork = c->is_fork;
		TRY(git_tree_at(s->judge->git, b->ref, &b->tree));
		if (!c->fork.n)
			continue;
		b->fork = ARENA_NEW(s->a, struct side);
		b->fork->ref = str_c(s->a, c->fork);
	}
	return NULL;
}

/* The remote may already have some of the commits that a merge brings. */
static struct err *add_merged(struct sides *s)
{
	struct strs heads = {0}, names = {0};
	struct git *g = s->judge->git;
	struct remote_state remote = {0};
	struct base_commits list = {0};
	struct str branch, head;
	bool to_default;

	TRY(bases_merge_parents(s->a, g, &heads));
	if (!heads.n || git_rev_id(g, s->a, "HEAD", &head))
		return NULL;
	TRY(bases_remote_names(s->a, g, &names, &branch));
	TRY(git_remote_branches_read(s->a, g, &names, &remote));
	to_default = branch.n && str_eq(branch, remote.default_name);
	s->tips = heads;
	for (size_t i = 0; i < heads.n; i++)
		TRY(bases_published(s->a, g, &remote, head, heads.p[i], to_default, &list));
	return add_bases(s, &list);
}

static void note_too_long(struct arena *a, const struct strs *paths, struct check_report *out)
{
	for (size_t i = 0; i < paths->n; i++)
		check_warn(a, out, false, paths->p[i],
			   STR("its path is longer than 4095 bytes, so neither it nor what is "
			       "below it was judged"));
}

/*
 * A commit that replaces HEAD changes HEAD's parent. What it takes back of HEAD was never there,
 * and what HEAD changed goes along with it. A commit that may be a new one is judged by HEAD.
 */
static struct err *judge_amended(const struct sides *of)
{
	struct check_report *out = of->out, *whole = ARENA_NEW(of->a, struct check_report);
	struct side base = {.ref = "HEAD^", .decides = true};
	struct sides s = {.a = of->a,
			  .judge = of->judge,
			  .out = whole,
			  .in = {.complete = true, .now = of->now.tree},
			  .base = &base,
			  .base_n = 1,
			  .now = {.tree = of->now.tree}};
	size_t parents, kept = 0;
	bool amends = false, sure;

	for (size_t i = 0; i < out->violations.n && of->judge->in_hook; i++)
		amends |= kn_operator_judges_change(out->violations.p[i].constraint->op);
	if (!amends)
		return NULL;
	TRY(bases_is_amend(s.a, s.judge->git, &amends, &sure, &parents));
	if (!amends || !parents)
		return NULL;
	if (!sure) {
		check_warn(
			of->a, out, false, STR("HEAD"),
			STR("this commit has the author and the second of HEAD, so ikm judges it "
			    "as a new commit; if it is an amend, run the same command again"));
		return NULL;
	}
	TRY(git_tree_at(s.judge->git, base.ref, &base.tree));
	TRY(sides_judge(&s));
	for (size_t i = 0; i < out->violations.n; i++) {
		const struct check_violation *v = &out->violations.p[i];
		bool stays = !kn_operator_judges_change(v->constraint->op);

		for (size_t k = 0; k < whole->violations.n && !stays; k++)
			stays = str_eq(whole->violations.p[k].fingerprint, v->fingerprint);
		if (stays)
			out->violations.p[kept++] = *v;
	}
	out->violations.n = kept;
	report_count_findings(out);
	return NULL;
}

/* Judges a tree that a commit on top of HEAD would record. */
static struct err *judge_next_commit(struct arena *a, const struct judge *j, struct tree *now,
				     struct check_report *out)
{
	struct side base = {.ref = "HEAD", .decides = true};
	struct sides s = {.a = a,
			  .judge = j,
			  .out = out,
			  .in = {.complete = true, .now = now},
			  .base = &base,
			  .base_n = 1,
			  .now = {.tree = now}};

	TRY(git_tree_head(j->git, &base.tree));
	/* Before the first commit the base is empty, so every finding is introduced. */
	s.first_of_branch = !base.tree;
	if (!base.tree)
		base.tree = tree_mem(a, STR("an empty tree"), NULL, 0);
	else
		TRY(add_merged(&s));
	TRY(sides_judge(&s));
	TRY(judge_amended(&s));
	return gardens_judge_sides(&s, STR(""));
}

static struct err *judge_need_files(const struct judge *j, const char *lacks)
{
	TRY(judge_need_git(j));
	return git_is_bare(j->git)
		       ? err_help(err_new(E_NO_REPOSITORY, "a bare repository has %s", lacks),
				  "use --range A..B")
		       : NULL;
}

ORDER_OF(judge_by_fingerprint, struct check_violation, ORDER_STR(fingerprint))

/*
 * `ikm know waive` writes a file, and people forget to add it. Judges once more as if they had, and
 * names the exceptions of what they would waive.
 */
static struct err *judge_left_out_waivers(struct arena *a, const struct judge *j,
					  struct tree *index, struct tree *disk,
					  struct check_report *out)
{
	struct tree_mem_file file = {.path = STR(WAIVE_FILE), .kind = TREE_FILE};
	struct check_report *with = ARENA_NEW(a, struct check_report);
	struct tree_file here, staged;
	struct str was = {"", 0};
	bool is, was_there;

	TRY(tree_find(disk, file.path, &here, &is));
	if (!is || here.kind == TREE_LINK ||
	    tree_read(disk, a, &here, WAIVE_FILE_MAX, &file.content))
		return NULL;
	TRY(tree_find(index, file.path, &staged, &was_there));
	if (was_there)
		TRY(tree_read(index, a, &staged, WAIVE_FILE_MAX, &was));
	if (str_eq(was, file.content))
		return NULL;
	TRY(judge_next_commit(
		a, j,
		tree_overlay(a, index, tree_mem(a, STR(WAIVE_FILE), &file, 1), &(struct strs){0}),
		with));
	/* A commit may have tens of thousands of either. */
	VEC_SORT(&with->waived, judge_by_fingerprint);
	for (size_t i = 0; with->waived.n && i < out->violations.n; i++) {
		struct check_violation *v = &out->violations.p[i];
		const struct check_violation *x = bsearch(v, with->waived.p, with->waived.n,
							  sizeof(*x), judge_by_fingerprint);

		if (x && !v->existing)
			v->next = str_fmt(a,
					  "git add " WAIVE_FILE ": its exception at %.*s covers "
					  "this, and is not in the index",
					  STR_ARG(waive_entry_place_text(a, x->waiver)));
	}
	return NULL;
}

struct err *judge_staged(struct arena *a, const struct judge *j, struct check_report *out)
{
	const char *name = NULL;
	struct tree *index, *disk;

	TRY(judge_need_files(j, "nothing staged"));
	TRY(git_tree_index(j->git, &index));
	TRY(judge_next_commit(a, j, index, out));
	if (!out->no_knowledge && out->passed)
		return NULL;
	TRY(git_tree_worktree(j->git, &disk));
	if (!out->passed)
		return judge_left_out_waivers(a, j, index, disk, out);
	/* New users often have settings and decisions that they have not added. */
	TRY(knowledge_unstaged_config(disk, index, &name));
	if (name)
		check_warn(a, out, false, str_of(name),
			   STR("it is not in the index, so this commit is not judged by it: git "
			       "add it"));
	return NULL;
}

struct err *judge_worktree(struct arena *a, const struct judge *j, struct check_report *out)
{
	struct strs too_long = {0};
	struct tree *disk;

	TRY(judge_need_files(j, "no working tree"));
	TRY(git_tree_worktree_skip_long(j->git, &too_long, &disk));
	TRY(judge_next_commit(a, j, disk, out));
	note_too_long(a, &too_long, out);
	return NULL;
}

/* ---- ranges ---- */

#define RANGE_HELP "write A..B, for example origin/main..HEAD"

struct err *judge_range_resolve(struct arena *a, const struct judge *j, enum judge_range_for what,
				struct str range, struct judge_range *out)
{
	size_t dots = str_find(range, STR(".."), 0);
	struct str two = dots == SIZE_MAX ? range : str_sub(range, dots + 2, range.n);
	bool verify = what == RANGE_VERIFY;

	*out = (struct judge_range){.has_two = dots != SIZE_MAX};
	out->parted = out->has_two && str_starts(two, STR("."));
	two = str_sub(two, out->parted, two.n);
	if (!range.n || !dots || str_find(two, STR(".."), 0) != SIZE_MAX || str_has_nul(range) ||
	    (what == RANGE_CHECK && !out->has_two) || (what == RANGE_RULES && out->parted))
		return err_help(err_for_param(E_BAD_REVISION, verify ? STR("verify") : STR("range"),
					      "'%.*s' is no range", STR_ARG(range)),
				verify ? RANGE_HELP "; or B for its whole history" : RANGE_HELP);
	if (out->has_two)
		TRY(git_rev_id(j->git, a, str_c(a, str_sub(range, 0, dots)), &out->one));
	return git_rev_id(j->git, a, two.n ? str_c(a, two) : "HEAD", &out->two);
}

/* ---- where in a range a rule changed ---- */

#define TRACED_CHANGES 64 /* of one report; ikm does not look for the commits of more changes */

static struct err *trace_changes(struct arena *a, const struct judge *j,
				 const struct bases_range *range, struct check_report *out)
{
	size_t most = size_min(out->rule_changes.n, TRACED_CHANGES);
	struct bases_walk steps = {0};
	struct strs paths = {0};

	for (size_t i = 0; i < most; i++) {
		const struct rule_change *c = &out->rule_changes.p[i];

		if (c->tree_path.n && !c->commit.n && !strs_has(&paths, c->tree_path))
			strs_push(a, &paths, c->tree_path);
	}
	if (paths.n)
		TRY(bases_walk(a, j->git, range, &paths, 0, &steps));
	for (size_t i = 0; i < most; i++) {
		struct rule_change *c = &out->rule_changes.p[i];
		const struct strs file = {.p = &c->tree_path, .n = 1};

		for (size_t k = 0; c->tree_path.n && k < steps.n && !c->commit.n; k++) {
			bool touched;

			TRY(bases_commit_touches_files(a, j->git, &steps.p[k], &file, &touched));
			if (touched)
				c->commit = steps.p[k].id;
		}
	}
	return NULL;
}

struct err *judge_commit_against(struct arena *a, const struct judge *j, struct str tip,
				 struct str first, const struct base_commits *more, bool is_branch,
				 struct check_report *out)
{
	struct side base = {.ref = str_c(a, first), .decides = true};
	struct sides s = {
		.a = a,
		.judge = j,
		.out = out,
		.in = {.complete = true, .broken_blocks = j->asker == JUDGE_SERVER},
		.now = {.ref = str_c(a, tip)},
		.base = &base,
		.first_of_branch = !first.n,
		.is_branch = is_branch,
		.is_apart = more->is_apart,
	};
	struct bases_range range = {0};

	strs_push(a, &s.tips, tip);
	TRY(git_tree_at(j->git, s.now.ref, &s.now.tree));
	s.in.now = s.now.tree;
	if (first.n) {
		TRY(git_tree_at(j->git, base.ref, &base.tree));
		TRY(add_bases(&s, more));
	}
	TRY(sides_judge(&s));
	bases_range_of(a, tip, first, more, &range);
	return trace_changes(a, j, &range, out);
}

struct err *judge_range(struct arena *a, const struct judge *j, struct str range,
			struct check_report *out)
{
	struct base_commits none = {0};
	struct bases_range commits = {0};
	struct judge_range ends;
	struct str fork;

	TRY(judge_need_git(j));
	TRY(judge_range_resolve(a, j, RANGE_CHECK, range, &ends));
	TRY(git_rev_merge_base(j->git, a, str_c(a, ends.one), str_c(a, ends.two), &fork));
	if (!fork.n)
		return git_help_shallow(err_new(E_BAD_REVISION,
						"the two ends of '%.*s' have no commit in common",
						STR_ARG(range)));
	TRY(judge_commit_against(a, j, ends.two, fork, &none, false, out));
	bases_range_of(a, ends.two, fork, &none, &commits);
	return gardens_judge_range(a, j, &commits, out);
}

struct err *judge_compare_rules(struct arena *a, const struct judge *j, struct str range,
				struct check_report *out)
{
	struct side base = {.decides = true};
	struct sides s = {.a = a, .judge = j, .out = out, .base = &base, .base_n = 1};
	struct base_commits none = {0};
	struct bases_range traced = {0};
	struct judge_range ends;

	TRY(judge_need_git(j));
	TRY(judge_range_resolve(a, j, RANGE_RULES, range, &ends));
	base.ref = str_c(a, ends.has_two ? ends.one : ends.two);
	TRY(git_tree_at(j->git, base.ref, &base.tree));
	if (!ends.has_two) {
		TRY(git_tree_worktree(j->git, &s.now.tree));
		return sides_compare_rules_with_bases(&s);
	}
	s.now.ref = str_c(a, ends.two);
	TRY(git_tree_at(j->git, s.now.ref, &s.now.tree));
	strs_push(a, &s.tips, ends.two);
	TRY(sides_compare_rules_with_bases(&s));
	bases_range_of(a, ends.two, ends.one, &none, &traced);
	return trace_changes(a, j, &traced, out);
}

/* Why the tree has no file of the path; empty: it has one. */
static struct err *judged_why_left(struct arena *a, struct git *g, struct tree *t, struct str path,
				   struct str *why)
{
	struct strs excludes = {0};
	struct tree_file f;
	bool found = false, ignored;

	*why = STR("");
	for (size_t end = 0; end < path.n;) {
		struct str part;

		end = size_min(str_find_char(path, '/', end + 1), path.n);
		part = str_sub(path, 0, end);
		if (str_is(part, ".git")) {
			*why = STR("it is in Git's own folder, and ikm judges no file there");
			return NULL;
		}
		TRY(tree_find(t, part, &f, &found));
		if (!found || end == path.n || f.kind != TREE_SUBMODULE)
			continue;
		part = str_of(os_join(a, git_top(g), str_c(a, part)));
		*why = str_fmt(a, "it is in another repository: ikm -C %.*s check %.*s",
			       STR_ARG(str_shell_word(a, part)),
			       STR_ARG(str_shell_word(a, str_sub(path, end + 1, path.n))));
		return NULL;
	}
	if (!found)
		TRY(tree_has_files(t, path, &found));
	if (found)
		return NULL;
	TRY(git_excludes(g, &excludes, &excludes));
	TRY(tree_ignores(a, t, &excludes, str_fmt(a, "%.*s/", STR_ARG(path)), &ignored));
	*why = ignored ? STR("Git ignores it ('git check-ignore -v' names the pattern)")
		       : STR("it has no file that ikm reads");
	return NULL;
}

struct err *judge_all(struct arena *a, const struct judge *j, struct check_report *out)
{
	struct judge judge = *j;
	/* A baseline has the findings of every severity, each of them once. */
	struct sides s = {.a = a,
			  .judge = &judge,
			  .out = out,
			  .in = {.complete = true,
				 .broken_blocks = true,
				 .list_unjudged = true,
				 .list_all = j->baseline},
			  .everything = true};
	struct strs too_long = {0};
	size_t kept = 0;
	struct str why;
	bool none;
	int min;

	TRY(judge_need_git(j));
	TRY(git_tree_worktree_skip_long(j->git, &too_long, &s.now.tree));
	s.in.now = s.now.tree;
	if (j->baseline)
		judge.min_severity = KN_SEVERITY_INFO;
	TRY(sides_judge(&s));
	if (j->baseline) {
		baseline_apply(a, j->baseline, !j->only.n && !j->items.n, j->want_existing, out);
		min = j->min_severity >= 0 ? j->min_severity : (int)s.now.conf->check_min_severity;
		for (size_t i = 0; i < out->violations.n; i++)
			if ((int)out->violations.p[i].severity >= min)
				out->violations.p[kept++] = out->violations.p[i];
		out->violations.n = kept;
		report_count_findings(out);
	}
	note_too_long(a, &too_long, out);
	/* A given path may have no file in the tree. */
	none = out->passed && !out->files && !out->violations.n;
	for (size_t i = 0; i < j->only.n; i++) {
		struct str path = j->only.p[i];

		TRY(judged_why_left(a, j->git, s.now.tree, path, &why));
		if (why.n && none && j->only.n == 1)
			out->nothing = str_fmt(a, "%.*s: %.*s", STR_ARG(path), STR_ARG(why));
		else if (why.n)
			check_warn(a, out, false, path, why);
	}
	if (none && j->only.n > 1)
		out->nothing =
			str_fmt(a, "none of the %zu paths has a file that is judged", j->only.n);
	return NULL;
}

struct err *judge_planned_changes(struct arena *a, const struct judge *j, struct tree *files,
				  const struct check_dep *deps, size_t n, bool complete,
				  struct check_report *out)
{
	const struct strs none = {0};
	struct sides s = {
		.a = a,
		.judge = j,
		.out = out,
		.in = {.complete = complete, .now = files, .deps = deps, .deps_n = n},
	};

	if (j->git && !git_is_bare(j->git))
		TRY(git_tree_worktree(j->git, &s.now.tree));
	else if (j->git)
		TRY(git_tree_head(j->git, &s.now.tree));
	if (s.now.tree)
		s.in.around = tree_overlay(a, s.now.tree, files, &none);
	/* The files are planned: only the exceptions that are there already count. */
	s.in.waive.has_base = true;
	s.in.waive.tree = s.now.tree ? s.now.tree : tree_mem(a, STR("no files"), NULL, 0);
	return sides_judge(&s);
}

/* ---- an edit, before it is made ---- */

struct err *judge_disk_tree_open(struct arena *a, struct git *g, struct tree **out)
{
	struct tree_dir_options o = {.ignore = true};

	TRY(git_excludes(g, &o.excludes, &o.excludes));
	return tree_of_folder(a, git_top(g), &o, out);
}

struct err *judge_disk_tree_open_whole(struct arena *a, struct git *g, struct tree *disk,
				       struct tree **out)
{
	struct strs none = {0};
	struct tree *skipped;

	TRY(git_tree_of_sparse_excluded(g, &skipped));
	*out = skipped ? tree_overlay(a, skipped, disk, &none) : disk;
	if (skipped)
		(*out)->name = disk->name;
	return NULL;
}

/* ---- finding a finding again by its fingerprint ---- */

#define FINGERPRINT 12 /* digits */

/* Formats that need distinct ones put "-2" behind the fingerprint of the second equal finding. */
bool judge_is_fingerprint(struct str s)
{
	int64_t n;

	for (size_t i = 0; i < s.n && i < FINGERPRINT; i++)
		if (!s.p[i] || !strchr("0123456789abcdef", s.p[i]))
			return false;
	if (s.n <= FINGERPRINT)
		return s.n == FINGERPRINT;
	return s.p[FINGERPRINT] == '-' && str_int(str_sub(s, FINGERPRINT + 1, s.n), &n) && n > 1;
}

/* Of fewer equal findings than the fingerprint counts, the last: all break the same rule. */
static const struct check_violation *find_in(const struct check_violations *list, struct str print)
{
	struct str base = str_sub(print, 0, FINGERPRINT);
	const struct check_violation *last = NULL;
	int64_t n = 1;

	if (print.n > FINGERPRINT && !str_int(str_sub(print, FINGERPRINT + 1, print.n), &n))
		return NULL;
	for (size_t i = 0; i < list->n && n; i++)
		if (str_eq(list->p[i].fingerprint, base)) {
			last = &list->p[i];
			n--;
		}
	return last;
}

struct err *judge_find_fingerprint(struct arena *a, const struct judge *how, struct str print,
				   const struct check_violation **out)
{
	/* Only a whole tree has what is old; only a comparison, what a change does. */
	struct err *(*const ways[])(struct arena *, const struct judge *, struct check_report *) = {
		judge_staged, judge_worktree, judge_all};
	struct judge j = *how;

	*out = NULL;
	j.min_severity = KN_SEVERITY_INFO;
	j.want_existing = true;
	if (!j.git || git_is_bare(j.git))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(ways) && !*out; i++) {
		struct check_report *r = ARENA_NEW(a, struct check_report);

		TRY(ways[i](a, &j, r));
		*out = find_in(&r->violations, print);
		*out = *out ? *out : find_in(&r->waived, print);
	}
	return NULL;
}

struct err *judge_fingerprint_missing_error(struct str print)
{
	return err_help(err_new(E_NO_SUCH_ITEM,
				"no finding '%.*s' in the staged content or in the working tree",
				STR_ARG(print)),
			"it may be fixed already: 'ikm check --all' lists the open findings; for a "
			"finding of knowledge_check run 'ikm why ITEM' with the item that its "
			"answer names");
}
