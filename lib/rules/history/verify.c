/*
 * Judges every commit of a history again, whoever skipped the hook. A commit is compared with its
 * first parent, by the settings and knowledge that it and its parents had. Neighbours mostly have
 * the same knowledge, so what was read for one commit serves those on top of it.
 */
#include "base/sort.h"
#include "git/comparison_bases.h"
#include "history/gardens.h"
#include "history/paused_decisions.h"
#include "knowledge/rule_change_text.h"
#include "history/sides.h"
#include "out/out.h"

const char *const check_verdicts[] = {CHECK_VERDICTS(ENUM_NAME) NULL};

struct verify_commit {
	struct str id;
	struct strs parents;
	struct check_commit shown;
	/* Its tree, and the settings and knowledge there; NULL: not read. */
	struct tree *tree;
	struct conf *conf;
	struct knowledge *knowledge;
};

struct verify {
	struct arena *a;
	const struct judge *judge;
	struct VEC(struct verify_commit) commits; /* parents first */
	struct verify_commit **by_id;             /* sorted */
	struct strs shallow;
	struct check_compiled compiled;
	struct check_report *out;
};

/* ---- the commits ---- */

ORDER_OF(verify_by_id, struct verify_commit, ORDER_STR(id))

/* "commit ID PARENT…", then the lines of the format. */
static struct err *verify_parse(struct verify *v, struct str list)
{
	struct str line, word, when;
	int64_t seconds;

	while (str_next_line(&list, &line)) {
		struct verify_commit *c = VEC_PUSH(v->a, &v->commits);

		if (!str_next_part(&line, ' ', &word) || !str_is(word, "commit"))
			return err_new(E_GIT_FAILED, "git rev-list printed '%.*s'", STR_ARG(word));
		str_next_part(&line, ' ', &c->id);
		while (str_next_part(&line, ' ', &word))
			strs_push(v->a, &c->parents, word);
		c->shown.id = c->id;
		if (!str_next_line(&list, &when) || !str_next_line(&list, &c->shown.author) ||
		    !str_next_line(&list, &c->shown.email) ||
		    !str_next_line(&list, &c->shown.subject))
			return err_new(E_GIT_FAILED, "the output of git rev-list ends too early");
		if (str_int(when, &seconds) && seconds > INT64_MIN / 1000 &&
		    seconds < INT64_MAX / 1000)
			c->shown.time = seconds * 1000;
	}
	v->by_id = sort_into_pointers(v->a, v->commits.p, v->commits.n, sizeof(*v->commits.p),
				      verify_by_id);
	return NULL;
}

static struct err *verify_list(struct verify *v, struct str range, const char *max)
{
	const char *args[] = {"rev-list",
			      "--topo-order",
			      "--reverse",
			      "--parents",
			      "--encoding=UTF-8",
			      "--format=tformat:%at%n%an%n%ae%n%s",
			      NULL,
			      NULL,
			      NULL,
			      NULL};
	/* Otherwise git writes each commit by itself. */
	static const char *const env[] = {"GIT_FLUSH=0", NULL};
	struct judge_range ends;
	struct git_said said;
	struct str fork;
	size_t n = 6;

	TRY(judge_range_resolve(v->a, v->judge, RANGE_VERIFY, range, &ends));
	/* "A...B" is what B has since both parted, as for --range. */
	if (ends.parted) {
		TRY(git_rev_merge_base(v->judge->git, v->a, str_c(v->a, ends.one),
				       str_c(v->a, ends.two), &fork));
		ends.one = fork.n ? fork : ends.one;
	}
	if (ends.has_two)
		args[n++] = str_fmt(v->a, "^%.*s", STR_ARG(ends.one)).p;
	args[n++] = str_c(v->a, ends.two);
	args[n] = max;
	TRY(git_ask(v->judge->git, v->a, &(struct git_ask){.args = args, .env = env}, &said));
	if (said.status)
		return err_new(E_GIT_FAILED, "git rev-list: %.*s", STR_ARG(str_trim(said.err)));
	TRY(verify_parse(v, said.out));
	return git_shallow_commits(v->judge->git, v->a, &v->shallow);
}

/* ---- one commit ---- */

static struct err *verify_judge(struct verify *v, struct arena *a, struct verify_commit *c,
				struct check_report *out)
{
	struct sides s = {
		.a = a,
		.judge = v->judge,
		.out = out,
		.in = {.complete = true, .compiled = &v->compiled, .now_id = c->id},
		.keep = v->a,
		.now = {.ref = str_c(a, c->id)},
	};
	struct git *g = v->judge->git;

	/* The commit itself is the change, for the search for a retirement. */
	strs_push(a, &s.tips, c->id);
	TRY(git_tree_at(g, s.now.ref, &c->tree));
	s.in.now = s.now.tree = c->tree;
	/* The first parent, then the others, whose own commits are judged by themselves. */
	s.base = arena_array(a, c->parents.n + 1, sizeof(*s.base));
	for (size_t i = 0; i < c->parents.n; i++) {
		const struct verify_commit key = {.id = c->parents.p[i]};
		/* NULL: the range does not have it. */
		const struct verify_commit *parent =
			sort_pointers_find(v->by_id, v->commits.n, &key, verify_by_id);
		struct side *b = &s.base[s.base_n];
		struct str fork;

		*b = (struct side){.ref = str_c(a, c->parents.p[i]),
				   .decides = true,
				   .tree = parent ? parent->tree : NULL,
				   .conf = parent ? parent->conf : NULL,
				   .knowledge = parent ? parent->knowledge : NULL};
		if (i) {
			TRY(git_rev_merge_base(g, a, s.base[0].ref, b->ref, &fork));
			if (!fork.n)
				continue; /* a foreign history: all of it is introduced here */
			b->fork = ARENA_NEW(a, struct side);
			b->fork->ref = str_c(a, fork);
		}
		if (!b->tree)
			TRY(git_tree_at(g, b->ref, &b->tree));
		s.base_n++;
	}
	s.first_of_branch = !s.base_n;
	TRY(sides_judge(&s));
	TRY(gardens_judge_sides(&s, c->id));
	c->conf = s.now.conf;
	c->knowledge = s.now.knowledge;
	return NULL;
}

/* Keeps what a commit did. The arena of the report lives on. */
static void verify_told(struct verify *v, struct arena *a, const struct verify_commit *at,
			struct check_report *r)
{
	struct check_commit *c = VEC_PUSH(v->a, &v->out->commits);

	*c = at->shown;
	check_report_finish(a, r);
	c->verdict = r->passed ? CHECK_COMMIT_RETIRED : CHECK_COMMIT_BROKEN;
	c->block = r->block;
	for (size_t i = 0; i < r->violations.n; i++)
		if (!r->violations.p[i].existing &&
		    (r->violations.p[i].severity == KN_SEVERITY_BLOCK ||
		     r->violations.p[i].retired))
			*VEC_PUSH(v->a, &c->violations) = r->violations.p[i];
	/* The reasons besides violations that block, in sentences. */
	for (size_t i = 0; i < r->rule_changes.n; i++)
		if (r->rule_changes.p[i].blocks)
			strs_push(a, &c->reasons,
				  str_fmt(a, "%s %.*s (%.*s)",
					  rule_change_kinds[r->rule_changes.p[i].kind],
					  STR_ARG(r->rule_changes.p[i].item),
					  STR_ARG(rule_change_sentence(a, &r->rule_changes.p[i]))));
	for (size_t i = 0; i < r->notes.n; i++)
		if (r->notes.p[i].blocks)
			strs_push(a, &c->reasons,
				  str_fmt(a, "%.*s: %.*s", STR_ARG(r->notes.p[i].path),
					  STR_ARG(r->notes.p[i].message)));
	for (size_t i = 0; i < r->named.n; i++)
		if (r->named.p[i].blocks)
			strs_push(a, &c->reasons,
				  str_fmt(a, "not judged: %.*s: %.*s", STR_ARG(r->named.p[i].path),
					  STR_ARG(r->named.p[i].message)));
	v->out->verified.broken += !r->passed;
	v->out->verified.retired += r->passed;
	reports_merge(v->a, v->out, r);
}

static void verify_not_judged(struct verify *v, const struct verify_commit *at, const char *why)
{
	struct check_commit *c = VEC_PUSH(v->a, &v->out->commits);

	*c = at->shown;
	c->verdict = CHECK_COMMIT_NOT_JUDGED;
	strs_push(v->a, &c->reasons, str_dup(v->a, str_of(why)));
	v->out->verified.not_judged++;
	v->out->passed = false;
}

static void verify_free(void *arena)
{
	arena_free(arena);
}

static struct err *verify_one(struct verify *v, struct verify_commit *at)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct check_report *r = ARENA_NEW(a, struct check_report);
	struct err *e = verify_judge(v, a, at, r);
	bool retired = false;

	if (!e && v->judge->in_hook)
		pause_apply(a, v->judge->git, r);
	if (e && err_code(e) != CODE_INVALID_INPUT && err_code(e) != CODE_NOT_FOUND)
		return e;
	for (size_t i = 0; !e && i < r->violations.n; i++)
		retired |= r->violations.p[i].retired && !r->violations.p[i].existing;
	if (e) {
		/* The hook would have stopped it: settings or sources that cannot be read. */
		verify_not_judged(v, at, err_message(e));
	} else if (!r->passed || retired) {
		arena_defer(v->a, verify_free, a);
		verify_told(v, a, at, r);
		a = NULL;
		return NULL;
	}
	v->out->files += r->files;
	v->out->manifests += r->manifests;
	v->out->garden += r->garden;
	v->out->no_knowledge = v->out->no_knowledge && r->no_knowledge;
	return NULL;
}

/* max: the newest commits of the range; NULL: all. */
static struct err *verify_all(struct arena *a, const struct judge *j, struct str range,
			      const char *max, struct check_report *out)
{
	struct verify v = {.a = a, .judge = j, .compiled = {.a = a}, .out = out};
	struct progress progress PROGRESS = {0};
	struct arena *attrs ARENA_LOCAL = NULL;
	size_t cut = 0;

	TRY(judge_need_git(j));
	*out = (struct check_report){.passed = true, .no_knowledge = true, .verifies = true};
	TRY(verify_list(&v, range, max));
	progress = progress_start("commits verified", v.commits.n);
	for (size_t i = 0; i < v.commits.n; i++) {
		struct verify_commit *c = &v.commits.p[i];
		struct err *e = NULL;

		if (strs_sorted_has(&v.shallow, c->id)) {
			cut++;
			verify_not_judged(&v, c, "this shallow clone lacks its parents");
		} else {
			e = verify_one(&v, c);
		}
		attrs = v.compiled.attrs_arena;
		if (e)
			return err_add_context(e, "commit %.12s", c->id.p);
		progress_at(&progress, i + 1);
	}
	out->verified.commits = (unsigned)(v.commits.n - cut);
	/* Nothing is known of knowledge that was not read. */
	out->no_knowledge = out->no_knowledge && v.commits.n > out->verified.not_judged;
	if (cut)
		check_warn(a, out, false, STR("this shallow clone"),
			   str_fmt(a,
				   "lacks the parents of %zu commit%s, so %s not verified; to have "
				   "them: git fetch --unshallow, in a GitHub workflow fetch-depth: "
				   "0, in GitLab GIT_DEPTH: 0",
				   cut, PLURAL(cut),
				   cut == 1 ? "that commit was" : "those commits were"));
	return NULL;
}

struct err *judge_each_commit(struct arena *a, const struct judge *j, struct str range,
			      struct check_report *out)
{
	return verify_all(a, j, range, NULL, out);
}

struct err *judge_last_commit(struct arena *a, const struct judge *j, struct check_report *out)
{
	return verify_all(a, j, STR("HEAD"), "--max-count=1", out);
}
