/*
 * Judges every commit of a history again, whoever skipped the hook. A commit is compared with its
 * first parent, by the settings and knowledge that it and its parents had. Neighbours mostly have
 * the same knowledge, so what was read for one commit serves those on top of it.
 */
#include "git/bases.h"
#include "history/gardens.h"
#include "knowledge/ruleshow.h"
#include "history/sides.h"
#include "os/os.h"
#include "out/out.h"

const char *const check_verdicts[] = {CHECK_VERDICTS(ENUM_NAME) NULL};

#define SHALLOW_MAX                                                                                \
	((size_t)64 << 20) /* bytes of the file that names the ends of a shallow clone */

struct verify_commit {
	struct str id, parents; /* parents: ids with blanks between them */
	struct check_commit shown;
	/* The settings and knowledge of its tree; NULL: not read. */
	struct conf *conf;
	struct knowledge *knowledge;
};

struct verify {
	struct arena *a;
	const struct judge *judge;
	struct {
		struct verify_commit *p;
		size_t n, cap;
	} commits;              /* parents first; then the parents outside the range */
	size_t *slots, slots_n; /* a hash table of commits by id: index + 1; 0: free */
	size_t judged_n;        /* the commits of the range */
	struct strs shallow;
	struct check_compiled compiled;
	struct check_report *out;
};

/* ---- the commits ---- */

static size_t *verify_slot(const struct verify *v, struct str id)
{
	size_t i = str_hash(id) & (v->slots_n - 1);

	while (v->slots[i] && !str_eq(v->commits.p[v->slots[i] - 1].id, id))
		i = (i + 1) & (v->slots_n - 1);
	return &v->slots[i];
}

/* The commit's entry, which is made when there is none. */
static size_t verify_find(struct verify *v, struct str id)
{
	size_t *slot;

	if (2 * v->commits.n >= v->slots_n) {
		v->slots_n = v->slots_n ? 2 * v->slots_n : 256;
		v->slots = arena_array(v->a, v->slots_n, sizeof(*v->slots));
		for (size_t i = 0; i < v->commits.n; i++)
			*verify_slot(v, v->commits.p[i].id) = i + 1;
	}
	slot = verify_slot(v, id);
	if (!*slot) {
		*VEC_PUSH(v->a, &v->commits) = (struct verify_commit){.id = id};
		*slot = v->commits.n;
	}
	return *slot - 1;
}

static struct err *verify_bad_range(struct str range)
{
	return err_help(
		err_param(E_BAD_REVISION, STR("verify"), "'%.*s' is no range", STR_ARG(range)),
		"write A..B, for example origin/main..HEAD; or B for its whole history");
}

/* The words with which git lists the commits: "B" and "^A". */
static struct err *verify_ends(const struct verify *v, struct str range, struct strs *words)
{
	size_t dots = str_find(range, STR(".."), 0);
	struct git *g = v->judge->git;
	struct str one, two = range, fork;

	if (!range.n || !dots || str_has_nul(range))
		return verify_bad_range(range);
	if (dots != SIZE_MAX) {
		one = str_sub(range, 0, dots);
		two = str_sub(range, dots + 2, range.n);
		TRY(git_rev_id(g, v->a, str_c(v->a, one), &one));
		/* "A...B" is what B has since both parted, as for --range. */
		if (str_starts(two, STR("."))) {
			two = str_sub(two, 1, two.n);
			TRY(git_rev_merge_base(g, v->a, one.p, two.n ? str_c(v->a, two) : "HEAD",
					       &fork));
			one = fork.n ? fork : one;
		}
		strs_push(v->a, words, str_fmt(v->a, "^%.*s", STR_ARG(one)));
	}
	TRY(git_rev_id(g, v->a, two.n ? str_c(v->a, two) : "HEAD", &two));
	strs_push(v->a, words, two);
	return NULL;
}

/* "commit ID PARENT…", then the lines of the format. */
static struct err *verify_parse(struct verify *v, struct str list)
{
	struct str line, when;
	int64_t seconds;

	while (str_line(&list, &line)) {
		struct verify_commit *c;
		size_t at;

		if (!str_starts(line, STR("commit ")))
			return err_new(E_GIT_FAILED, "git rev-list printed '%.*s'", STR_ARG(line));
		line = str_sub(line, 7, line.n);
		when = str_sub(line, 0, size_min(line.n, str_find_char(line, ' ', 0)));
		at = verify_find(v, when);
		c = &v->commits.p[at];
		c->parents = str_sub(line, size_min(line.n, c->id.n + 1), line.n);
		c->shown.id = c->id;
		if (!str_line(&list, &when) || !str_line(&list, &c->shown.author) ||
		    !str_line(&list, &c->shown.email) || !str_line(&list, &c->shown.subject))
			return err_new(E_GIT_FAILED, "the output of git rev-list ends too early");
		if (str_int(when, &seconds) && seconds > INT64_MIN / 1000 &&
		    seconds < INT64_MAX / 1000)
			c->shown.time = seconds * 1000;
	}
	v->judged_n = v->commits.n;
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
	struct strs words = {0};
	struct git_said said;
	struct str text, line;
	struct err *e;

	TRY(verify_ends(v, range, &words));
	for (size_t i = 0; i < words.n; i++)
		args[6 + i] = str_c(v->a, words.p[i]);
	if (*max)
		args[6 + words.n] = max;
	TRY(git_ask(v->judge->git, v->a, &(struct git_ask){.args = args, .env = env}, &said));
	if (said.status)
		return err_new(E_GIT_FAILED, "git rev-list: %.*s", STR_ARG(str_trim(said.err)));
	TRY(verify_parse(v, said.out));
	e = os_read(v->a, os_join(v->a, git_common_dir(v->judge->git), "shallow"), SHALLOW_MAX,
		    &text);
	if (e)
		return err_reason(e) == E_FILE_NOT_FOUND ? NULL : e;
	while (str_line(&text, &line))
		strs_push(v->a, &v->shallow, line);
	strs_sort(&v->shallow);
	return NULL;
}

/* ---- one commit ---- */

/* Sets the bases: the first parent, then the others, whose own commits are judged by themselves. */
static struct err *verify_bases(struct verify *v, struct arena *a, const struct verify_commit *c,
				struct sides *s, size_t **places)
{
	struct git *g = v->judge->git;
	struct strs ids = {0};
	struct str rest = c->parents, id;

	while (str_split(&rest, ' ', &id))
		if (id.n)
			strs_push(a, &ids, id);
	s->base = arena_array(a, ids.n + 1, sizeof(*s->base));
	*places = arena_array(a, ids.n + 1, sizeof(**places));
	for (size_t i = 0; i < ids.n; i++) {
		struct side *b = &s->base[s->base_n];
		struct str fork;

		*b = (struct side){.ref = str_c(a, ids.p[i]), .decides = true};
		if (i) {
			TRY(git_rev_merge_base(g, a, s->base[0].ref, b->ref, &fork));
			if (!fork.n)
				continue; /* a foreign history: all of it is introduced here */
			b->fork = ARENA_NEW(a, struct side);
			b->fork->ref = str_c(a, fork);
		}
		TRY(git_tree_at(g, b->ref, &b->tree));
		(*places)[s->base_n++] = verify_find(v, ids.p[i]);
	}
	return NULL;
}

static struct err *verify_judge(struct verify *v, struct arena *a, size_t at,
				struct check_report *out)
{
	const struct verify_commit *c = &v->commits.p[at];
	struct str id = c->id;
	struct sides s = {
		.a = a,
		.judge = v->judge,
		.out = out,
		.in = {.complete = true, .compiled = &v->compiled, .now_id = id},
		.keep = v->a,
		.now = {.ref = str_c(a, id)},
	};
	size_t *places;

	/* The commit itself is the change, for the search for a retirement. */
	strs_push(a, &s.tips, id);
	TRY(git_tree_at(v->judge->git, s.now.ref, &s.now.tree));
	s.in.now = s.now.tree;
	/* The entries may move while parents are added. */
	TRY(verify_bases(v, a, c, &s, &places));
	s.first_of_branch = !s.base_n;
	for (size_t i = 0; i < s.base_n; i++) {
		s.base[i].conf = v->commits.p[places[i]].conf;
		s.base[i].knowledge = v->commits.p[places[i]].knowledge;
	}
	TRY(sides_judge(&s));
	TRY(gardens_judge_sides(&s, id));
	v->commits.p[at].conf = s.now.conf;
	v->commits.p[at].knowledge = s.now.knowledge;
	for (size_t i = 0; i < s.base_n; i++) {
		v->commits.p[places[i]].conf = s.base[i].conf;
		v->commits.p[places[i]].knowledge = s.base[i].knowledge;
	}
	return NULL;
}

static bool verify_has_retired(const struct check_report *r)
{
	for (size_t i = 0; i < r->violations.n; i++)
		if (r->violations.p[i].retired && !r->violations.p[i].existing)
			return true;
	return false;
}

/* The reasons besides violations that block, in sentences. */
static void verify_reasons(struct arena *a, const struct check_report *r, struct check_commit *c)
{
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
}

/* Keeps what a commit did. The arena of the report lives on. */
static void verify_told(struct verify *v, struct arena *a, size_t at, struct check_report *r)
{
	struct check_commit *c = VEC_PUSH(v->a, &v->out->commits);

	*c = v->commits.p[at].shown;
	check_derive(a, r);
	c->verdict = r->passed ? CHECK_COMMIT_RETIRED : CHECK_COMMIT_BROKEN;
	c->block = r->block;
	for (size_t i = 0; i < r->violations.n; i++)
		if (!r->violations.p[i].existing &&
		    (r->violations.p[i].severity == KN_SEVERITY_BLOCK ||
		     r->violations.p[i].retired))
			*VEC_PUSH(v->a, &c->violations) = r->violations.p[i];
	verify_reasons(a, r, c);
	v->out->verified.broken += !r->passed;
	v->out->verified.retired += r->passed;
	reports_merge(v->a, v->out, r);
}

static void verify_not_judged(struct verify *v, size_t at, const char *why)
{
	struct check_commit *c = VEC_PUSH(v->a, &v->out->commits);

	*c = v->commits.p[at].shown;
	c->verdict = CHECK_COMMIT_NOT_JUDGED;
	strs_push(v->a, &c->reasons, str_dup(v->a, str_of(why)));
	v->out->verified.not_judged++;
	v->out->passed = false;
}

static void verify_free(void *arena)
{
	arena_free(arena);
}

static struct err *verify_one(struct verify *v, size_t at)
{
	struct arena *a = arena_new();
	struct check_report *r = ARENA_NEW(a, struct check_report);
	struct err *e = verify_judge(v, a, at, r);

	if (e && err_code(e) != CODE_INVALID_INPUT && err_code(e) != CODE_NOT_FOUND) {
		arena_free(a);
		return e;
	}
	if (e) {
		/* The hook would have stopped it: settings or sources that cannot be read. */
		verify_not_judged(v, at, err_message(e));
	} else if (!r->passed || verify_has_retired(r)) {
		arena_defer(v->a, verify_free, a);
		verify_told(v, a, at, r);
		return NULL;
	}
	v->out->files += r->files;
	v->out->manifests += r->manifests;
	v->out->garden += r->garden;
	v->out->no_knowledge = v->out->no_knowledge && r->no_knowledge;
	arena_free(a);
	return NULL;
}

/* max: the newest commits of the range; empty: all. */
static struct err *verify_all(struct arena *a, const struct judge *j, struct str range,
			      const char *max, struct check_report *out)
{
	struct verify v = {.a = a, .judge = j, .compiled = {.a = a}, .out = out};
	struct progress progress;
	size_t cut = 0;

	TRY(judge_need_git(j));
	*out = (struct check_report){.passed = true, .no_knowledge = true, .verifies = true};
	TRY(verify_list(&v, range, max));
	git_reads_history(j->git);
	progress_start(&progress, "commits verified", v.judged_n);
	for (size_t i = 0; i < v.judged_n; i++) {
		struct err *e = NULL;

		if (strs_sorted_has(&v.shallow, v.commits.p[i].id)) {
			cut++;
			verify_not_judged(&v, i, "this shallow clone lacks its parents");
		} else {
			e = verify_one(&v, i);
		}
		if (e) {
			progress_end(&progress);
			arena_free(v.compiled.attrs_arena);
			return err_in(e, "commit %.12s", v.commits.p[i].id.p);
		}
		progress_at(&progress, i + 1);
	}
	progress_end(&progress);
	arena_free(v.compiled.attrs_arena);
	out->verified.commits = (unsigned)(v.judged_n - cut);
	/* Nothing is known of knowledge that was not read. */
	out->no_knowledge = out->no_knowledge && v.judged_n > out->verified.not_judged;
	if (cut)
		check_warn(a, out, false, STR("this shallow clone"),
			   str_fmt(a,
				   "lacks the parents of %zu commit%s, so %s not verified; to have "
				   "them: git fetch --unshallow, in a GitHub workflow fetch-depth: "
				   "0, in GitLab GIT_DEPTH: 0",
				   cut, cut == 1 ? "" : "s",
				   cut == 1 ? "that commit was" : "those commits were"));
	return NULL;
}

struct err *judge_verify(struct arena *a, const struct judge *j, struct str range,
			 struct check_report *out)
{
	return verify_all(a, j, range, "", out);
}

struct err *judge_last_commit(struct arena *a, const struct judge *j, struct check_report *out)
{
	return verify_all(a, j, STR("HEAD"), "--max-count=1", out);
}
