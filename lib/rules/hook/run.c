/* Runs when git calls a hook: runs the earlier hook, then the check, then prints the report. */
#include "hook/internal.h"
#include "cmd/cmd.h"
#include "history/gardens.h"
#include "history/last_stops_by_rule.h"
#include "history/paused_decisions.h"
#include "host/host.h"
#include "lint/lint.h"
#include "report/show.h"
#include <unistd.h>

/* Takes one equal problem out of the list; false: there is none. */
static bool hook_lint_had(struct lint_report *was, const struct lint_problem *p)
{
	for (size_t i = 0; i < was->problems.n; i++) {
		struct lint_problem *x = &was->problems.p[i];

		if (x->rule == p->rule && str_eq(x->message, p->message)) {
			*x = was->problems.p[--was->problems.n];
			return true;
		}
	}
	return false;
}

/* Counts the warnings that HEAD does not have; old ones would be told at every commit. */
static struct err *hook_lint_run(struct arena *a, struct git *g, const struct strs *set,
				 unsigned *warnings, struct strs *files)
{
	struct lint_options o = {.git = g, .set = *set, .least = LINT_WARNING, .of = LINT_INDEX};
	struct lint_options before = o;
	struct tree_changes changes = {0};
	struct lint_report r, was = {0};
	struct tree *base, *now;

	before.of = LINT_HEAD;
	/* The Markdown files that the commit adds or changes, and what they were in HEAD. */
	TRY(git_tree_head(g, &base));
	TRY(git_tree_index(g, &now));
	TRY(tree_diff(a, base, now, &changes));
	VEC_EACH(const struct tree_change, c, &changes) {
		if (c->has_new && str_ends(c->new.path, STR(".md")))
			strs_push(a, &o.paths, c->new.path);
		/* A deleted file may have been renamed. */
		if (c->has_old && str_ends(c->old.path, STR(".md")))
			strs_push(a, &before.paths, c->old.path);
	}
	if (!o.paths.n)
		return NULL;
	TRY(lint_run(a, &o, &r));
	/* A HEAD that cannot be read has no warnings that anybody was told. */
	if (r.problems.n && before.paths.n && lint_run(a, &before, &was))
		was.problems.n = 0;
	VEC_EACH(const struct lint_problem, p, &r.problems) {
		/* The check has reported what the reader of items notes. */
		if (p->rule < KN_RULES || hook_lint_had(&was, p))
			continue;
		++*warnings;
		if (!files->n || !str_eq(files->p[files->n - 1], p->path))
			strs_push(a, files, p->path);
	}
	return NULL;
}

#define HOOK_LINT_FILES 3

/*
 * Prints one line when lint warns of the decisions that the staged change touches. It stops
 * nothing: an error is a line too.
 */
static void hook_lint(struct arena *a, const struct strs *set, struct out *err)
{
	struct strs files = {0};
	unsigned warnings = 0;
	struct git *g;
	struct err *e = git_open(a, NULL, &g);

	if (!e)
		e = hook_lint_run(a, g, set, &warnings, &files);
	if (e) {
		out_puts(err, "ikm: the decisions of this commit were not linted: ");
		out_safe_line(err, str_of(err_message(e)));
		return;
	}
	if (!warnings)
		return;
	out_fmt(err, "ikm: %u lint warning%s in this commit's decisions: ikm lint", warnings,
		PLURAL(warnings));
	for (size_t i = 0; i < files.n && i < HOOK_LINT_FILES; i++) {
		out_puts(err, " ");
		out_safe(err, str_quoted(a, files.p[i]), false);
	}
	out_puts(err, files.n > HOOK_LINT_FILES ? " ...\n" : "\n");
}

#define PUSH_MAX ((size_t)64 << 20) /* some 300,000 refs in one push */

static const char *const hook_subjects[] = {
	[HOOK_PRE_COMMIT] = "the commit", [HOOK_PRE_MERGE_COMMIT] = "the merge",
	[HOOK_PRE_PUSH] = "the push",     [HOOK_POST_COMMIT] = "the commit",
	[HOOK_PRE_RECEIVE] = "the push",  [HOOK_COMMIT_MSG] = "the commit",
};
static const char *const hook_commands[] = {
	[HOOK_PRE_COMMIT] = "git commit", [HOOK_PRE_MERGE_COMMIT] = "git merge",
	[HOOK_PRE_PUSH] = "git push",     [HOOK_POST_COMMIT] = "git commit",
	[HOOK_PRE_RECEIVE] = "git push",  [HOOK_COMMIT_MSG] = "git commit",
};

/* ---- the earlier hook ---- */

static struct err *hook_run_chain(struct arena *a, const struct hook_call *c, struct str in,
				  struct out *err, struct hook_outcome *out)
{
	/* The hook may ask the person at the terminal, and may leave a process running. */
	struct os_spawn s = {.in = in, .inherit_out = true, .foreground = true};
	const char *path, **argv;
	struct hook_file f;
	size_t slash;
	struct os_result r;
	struct str text;
	struct err *e;

	if (!c->chain.n)
		return NULL;
	path = str_c(a, c->chain);
	slash = str_rfind_char(str_of(path), '/');
	TRY(hook_file_read(a,
			   slash == SIZE_MAX ? "." : str_c(a, str_sub(str_of(path), 0, slash + 1)),
			   slash == SIZE_MAX ? path : path + slash + 1, &f));
	/* Of another shim of ikm only the hook that it keeps runs: two must not check twice. */
	if (f.owner == OWNER_OURS)
		path = f.prev_runs ? f.prev : NULL;
	else if (f.owner == OWNER_NONE || !f.executable)
		path = NULL;
	if (!path)
		return NULL;
	argv = arena_array(a, c->args.n + 3, sizeof(*argv));
	s.argv = argv + 1;
	argv[0] = "sh";
	argv[1] = strchr(path, '/') ? path : str_fmt(a, "./%s", path).p;
	for (size_t i = 0; i < c->args.n; i++)
		argv[i + 2] = str_c(a, c->args.p[i]);
	e = os_run(a, &s, &r);
	/* As git does, run a file without a #! line as a script of sh. */
	if (e && err_reason(e) == E_NO_PROGRAM &&
	    !os_read_path(a, argv[1], OS_PATH_MAX * 256, &text) && !str_starts(text, STR("#!"))) {
		s.argv = argv;
		e = os_run(a, &s, &r);
	}
	if (e)
		return err_add_context(e, "the hook from before ikm");
	out->chained = r.status;
	if (!out->chained)
		return NULL;
	out_puts(err, "ikm: ");
	out_safe(err, str_of(path), false);
	out_fmt(err, ", the hook from before ikm, stopped %s (exit status %d)\n",
		hook_subjects[c->name], out->chained);
	return NULL;
}

/* ---- the check ---- */

static struct err *hook_run_judge(struct arena *a, const struct hook_call *c, struct str in,
				  struct check_report *out)
{
	struct judge j = {.args = c->set, .min_severity = -1, .in_hook = true};
	const char *remote = c->args.n ? str_c(a, c->args.p[0]) : os_env("PRE_COMMIT_REMOTE_NAME");
	const char *to = os_env("PRE_COMMIT_TO_REF"), *from = os_env("PRE_COMMIT_FROM_REF");
	const char *local = os_env("PRE_COMMIT_LOCAL_BRANCH");
	const char *branch = os_env("PRE_COMMIT_REMOTE_BRANCH");
	struct str id, base = STR("0");

	/* Open the repository only now: the earlier hook may have changed the index. */
	TRY(git_open(a, NULL, &j.git));
	if (c->name == HOOK_PRE_RECEIVE)
		return judge_receive(a, &j, in, out);
	/*
	 * The framework pre-commit reads the refs from git itself, and passes one ref in the
	 * environment. It gives neither end when the remote shares no history with the ref.
	 */
	if (c->name == HOOK_PRE_PUSH && !str_trim(in).n && os_env("PRE_COMMIT") && (to || local)) {
		TRY(git_rev_id(j.git, a, to ? to : local, &id));
		if (from)
			TRY(git_rev_id(j.git, a, from, &base));
		in = str_fmt(a, "%s %.*s %s %.*s\n", local ? local : "HEAD", STR_ARG(id),
			     branch ? branch : "HEAD", STR_ARG(base));
	}
	if (c->name == HOOK_PRE_PUSH && !remote)
		return err_help(err_new(E_MISSING_PARAMETER, "pre-push needs the remote's name"),
				"ikm hook run pre-push -- REMOTE URL, as git calls it");
	TRY(c->name == HOOK_PRE_PUSH ? judge_push(a, &j, remote, in, out)
				     : judge_staged(a, &j, out));
	if (c->name != HOOK_PRE_PUSH)
		pause_apply(a, j.git, out);
	stops_note(a, j.git, out);
	return NULL;
}

/* A change that breaks nothing and hides nothing prints nothing. */
static bool has_output(const struct check_report *r)
{
	for (size_t i = 0; i < r->refs.n; i++)
		if (r->refs.p[i].action != CHECK_REF_JUDGED)
			return true;
	return !r->passed || r->violations.n || r->notes.n || r->named.n;
}

/*
 * An exception, for a person who cannot follow the decision now. A finding with a next step of its
 * own needs none: a rule that only the base has is retired, not waived.
 */
static void print_waive_step(struct out *o, const struct check_report *r, enum hook_name name)
{
	const struct check_violation *first = NULL;
	struct str session;
	unsigned n = 0;

	VEC_EACH(const struct check_violation, v, &r->violations) {
		if (v->severity != KN_SEVERITY_BLOCK || v->existing || v->next.n ||
		    !v->constraint->waivable)
			continue;
		if (!n++)
			first = v;
	}
	if (!first)
		return;
	out_fmt(o,
		"  to allow %s until a date: ikm know waive %.*s --reason WHY --until YYYY-MM-DD, "
		"then %s\n",
		n == 1 ? "it" : "the first finding", STR_ARG(first->fingerprint),
		r->waivers_first        ? "merge " WAIVE_FILE " in a change of its own"
		: name == HOOK_PRE_PUSH ? "commit " WAIVE_FILE " and push again"
					: "git add " WAIVE_FILE " and commit again");
	/* Agents cannot pause, and a pause stops no push. */
	if (name != HOOK_PRE_PUSH && out_is_terminal(o) && host_running(&session) == HOST_UNKNOWN)
		out_fmt(o,
			"  to let commits of this clone break it for a while: "
			"ikm know pause %.*s --for 30m --reason WHY\n",
			STR_ARG(first->item->id));
}

static bool hook_run_shows_finding(const struct check_report *r)
{
	for (size_t i = 0; i < r->violations.n; i++)
		if (!r->violations.p[i].existing)
			return true;
	return false;
}

/* Whether the change is stopped for the rules that it loses, and no line of a file is wrong. */
static bool hook_run_only_loses(const struct check_report *r)
{
	bool lost = false;

	for (size_t i = 0; i < r->rule_changes.n; i++)
		lost = lost || r->rule_changes.p[i].blocks;
	for (size_t i = 0; i < r->notes.n; i++)
		if (r->notes.p[i].blocks && r->notes.p[i].kind != CHECK_WARNING)
			return false;
	for (size_t i = 0; i < r->named.n; i++)
		if (r->named.p[i].blocks)
			return false;
	return lost && !hook_run_shows_finding(r);
}

static void print_next_steps(struct out *o, const struct check_report *r, enum hook_name name)
{
	bool push = name == HOOK_PRE_PUSH || name == HOOK_PRE_RECEIVE;
	const char *fix = hook_run_only_loses(r)
				  ? "put the decision back or retire it as told above"
				  : "fix it";
	bool garden = false;
	unsigned refs = 0;

	/* When only refs that no server takes stop the push, their lines say what to do. */
	for (size_t i = 0; i < r->refs.n; i++)
		refs += r->refs.p[i].action == CHECK_REF_JUDGED ? 0 : r->refs.p[i].block;
	if (refs && refs == r->block)
		return;
	for (size_t i = 0; i < r->notes.n; i++)
		garden |= r->notes.p[i].kind == CHECK_GARDEN && r->notes.p[i].blocks;
	if (push)
		out_fmt(o, "next: %s in a new commit, or amend, and push again\n", fix);
	else
		out_fmt(o, "next: %s, git add it, and %s again\n", fix,
			name == HOOK_PRE_COMMIT ? "commit" : "git commit");
	if (hook_run_shows_finding(r))
		out_puts(o,
			 "  for the decision and its reason: see the file after 'decided in', or "
			 "'ikm why' as above\n");
	if (garden)
		out_puts(o, push ? "  the garden's rules are in ikm-garden(7); for the message "
				   "of a commit: git commit --amend, or git rebase -i and "
				   "reword\n"
				 : "  the garden's rules are in ikm-garden(7)\n");
	if (name == HOOK_PRE_RECEIVE)
		return;
	print_waive_step(o, r, name);
	out_fmt(o, "  --no-verify skips this hook, but %s\n",
		name == HOOK_PRE_PUSH ? "CI still checks it"
				      : "the pre-push hook and CI still check it");
}

/*
 * post-commit: a commit that pre-commit judged breaks nothing, so what is told here is what no hook
 * has stopped. Nothing can be stopped any more, and an error stops nothing either.
 */
static void hook_run_tell(struct arena *a, const struct hook_call *c, struct check_report *r,
			  struct out *err)
{
	static const char *const series[] = {"rebase-merge", "rebase-apply", "sequencer"};
	struct judge j = {.args = c->set, .min_severity = -1, .in_hook = true};
	struct err *e = git_open(a, NULL, &j.git);
	struct os_stat st;
	bool many = false;

	if (!e)
		e = judge_last_commit(a, &j, r);
	if (e) {
		out_puts(err, "ikm: the commit is made, and could not be judged: ");
		out_safe_line(err, str_of(err_message(e)));
		return;
	}
	check_report_finish(a, r);
	for (size_t i = 0; i < ARRAY_SIZE(series) && !many; i++)
		many = !os_stat(os_join(a, git_dir(j.git), series[i]), true, &st) &&
		       st.kind == OS_DIR;
	for (size_t i = 0; i < r->commits.n; i++)
		check_print_commit(err, &r->commits.p[i], many);
}

/*
 * commit-msg judges the garden when the message is there, so pre-commit tells only what no message
 * can open, if git or another manager of hooks calls ikm then.
 */
static struct err *hook_run_leave_garden(struct arena *a, struct check_report *r)
{
	const char *configured = NULL;
	const struct hook_file *file;
	struct hook_clone clone;
	size_t kept = 0;
	struct git *g;
	bool later;

	TRY(git_open(a, NULL, &g));
	TRY(hook_clone_read(a, g, &clone));
	TRY(git_setting(g, a, "hook.ikm-commit-msg.command", &configured));
	file = &clone.file[HOOK_COMMIT_MSG];
	later = configured || clone.managed.runs_ikm[HOOK_COMMIT_MSG] ||
		(file->owner == OWNER_OURS && file->executable);
	for (size_t i = 0; i < r->notes.n; i++) {
		const struct check_note *n = &r->notes.p[i];

		if (!later || n->kind != CHECK_GARDEN || n->blocks)
			r->notes.p[kept++] = *n;
	}
	r->notes.n = kept;
	return NULL;
}

/* ---- the first push ---- */

/*
 * The mark that lets the first push into an empty repository in, whatever it breaks: an old history
 * could not be pushed to a new server otherwise, and an empty server can merge no exception first.
 */
#define FIRST_MARK "ikm-accept-first"
#define FIRST_USED "ikm-accepted-first"

static struct err *hook_first_awaited(struct arena *a, struct git *g, bool *out)
{
	const char *args[] = {"for-each-ref", "--count=1", NULL};
	struct str refs;

	TRY(git_run(g, a, args, (struct str){0}, &refs));
	*out = !refs.n;
	return NULL;
}

struct err *hook_first_push_set_allowed(struct arena *a, struct git *g, bool only_try)
{
	bool empty;

	TRY(hook_first_awaited(a, g, &empty));
	if (!empty)
		return err_help(err_new(E_EXISTS,
					"'%s' has branches or tags already: --accept-first "
					"is for the first push into an empty repository",
					git_common_dir(g)),
				"ikm hook install --server, without --accept-first");
	return only_try ? NULL : os_write(os_join(a, git_common_dir(g), FIRST_MARK), STR(""), 0);
}

/*
 * Lets a first push in when the administrator said so. Every push uses the mark up, so that nobody
 * can keep it for a repository that he empties later. Of two pushes at once only one can rename it.
 */
static struct err *hook_run_first(struct arena *a, bool *empty, struct hook_outcome *out)
{
	const char *mark;
	struct os_stat st;
	struct git *g;

	TRY(git_open(a, NULL, &g));
	TRY(hook_first_awaited(a, g, empty));
	mark = os_join(a, git_common_dir(g), FIRST_MARK);
	TRY(os_stat(mark, false, &st));
	if (st.kind == OS_NONE)
		return NULL;
	TRY(os_rename(mark, os_join(a, git_common_dir(g), FIRST_USED)));
	out->passed |= *empty;
	return NULL;
}

static struct err *judge_and_report(struct arena *a, const struct hook_call *c, struct str in,
				    struct out *err, struct hook_outcome *out)
{
	struct check_report *r = ARENA_NEW(a, struct check_report);
	bool first = false;

	if (c->name == HOOK_POST_COMMIT) {
		hook_run_tell(a, c, r, err);
		out->report = r;
		return NULL;
	}
	TRY(hook_run_judge(a, c, in, r));
	if (c->name == HOOK_PRE_COMMIT && r->garden)
		TRY(hook_run_leave_garden(a, r));
	/* The other hooks may be gone, which nobody would see before CI. */
	if (c->name == HOOK_PRE_PUSH) {
		struct str lost;
		struct git *g;

		TRY(git_open(a, NULL, &g));
		lost = hook_lost(a, g);
		if (lost.n)
			check_warn(a, r, false, STR("hooks"), lost);
	}
	check_report_finish(a, r);
	out->judged = true;
	out->passed = r->passed;
	out->report = r;
	if (c->name == HOOK_PRE_RECEIVE)
		TRY(hook_run_first(a, &first, out));
	if (has_output(r))
		check_print_report_text(
			err, r, out->passed && !r->passed ? "" : hook_subjects[c->name], false);
	else
		check_rule_changes_text(err, r);
	if (!out->passed)
		print_next_steps(err, r, c->name);
	else if (!r->passed)
		out_puts(err, "ikm: the push is let in, because it is the first one and the server "
			      "was installed with --accept-first; later pushes are stopped\n");
	else if (c->name == HOOK_PRE_COMMIT && !r->no_knowledge)
		hook_lint(a, &c->set, err);
	if (first && !out->passed)
		out_puts(err, "  the repository is empty; to let an old history in once, its "
			      "administrator runs: ikm hook install --server --accept-first\n");
	return NULL;
}

/*
 * ---- the garden, at commit-msg ----
 *
 * The trailer Ikm-Rationale opens what a person may do, so the files of the garden in a commit are
 * judged when git has the message. A repository that does not hold the garden costs one reading of
 * the configuration.
 */
#define MESSAGE_MAX ((size_t)1 << 20)

/* The message without comments, and without the diff of `git commit -v` below the scissors. */
static struct str hook_garden_message(struct arena *a, struct str text, struct str comment)
{
	struct buf b = buf_in(a);
	struct str line;

	while (str_next_line(&text, &line)) {
		if (str_starts(line, comment)) {
			if (str_holds(line, "------------------------ >8 -------"))
				break;
			continue;
		}
		buf_put(&b, line);
		buf_putc(&b, '\n');
	}
	return str_trim(buf_as_str(&b));
}

/* The commit that the hook is asked about. */
struct hook_garden {
	struct git *g;
	const struct hook_call *call;
	struct strs tops;
	struct str rationale;
	bool read; /* the rationale was read */
};

/* Judges the index against a commit and, for a merge, its other sides. */
static struct err *hook_garden_judge(struct arena *a, struct hook_garden *h, struct tree *before,
				     const struct strs *sides, struct garden_judged *out)
{
	struct garden_trees q = {.tops = h->tops, .person = true};
	struct err *e;

	TRY(git_tree_index(h->g, &q.now));
	*VEC_PUSH(a, &q.sides) = before;
	for (size_t i = 0; i < sides->n; i++)
		TRY(git_tree_at(h->g, str_c(a, sides->p[i]), VEC_PUSH(a, &q.sides)));
	TRY(garden_judge_trees(a, &q, out));
	if (!out->files && !out->n)
		return NULL;
	if (!h->read) {
		const char *file = h->call->args.n ? str_c(a, h->call->args.p[0])
						   : os_join(a, git_dir(h->g), "COMMIT_EDITMSG");
		const char *set = NULL;
		struct str text, comment;

		/* What begins a comment: of both names git takes the newer one, if it has it. */
		TRY(git_setting(h->g, a, "core.commentString", &set));
		if (!set)
			TRY(git_setting(h->g, a, "core.commentChar", &set));
		comment = set && *set && strcmp(set, "auto") != 0 ? str_of(set) : STR("#");
		TRY(os_read_path(a, file, MESSAGE_MAX, &text));
		h->rationale =
			gardens_rationale_of_message(a, hook_garden_message(a, text, comment));
		h->read = true;
	}
	q.rationale = h->rationale;
	e = q.rationale.n ? garden_judge_trees(a, &q, out) : NULL;
	return e ? err_add_context(e, "judge the garden with the trailer Ikm-Rationale") : NULL;
}

/* *amended: HEAD passes, and what the commit makes of HEAD's parent does not. */
static struct err *hook_garden_change(struct arena *a, struct hook_garden *h,
				      struct garden_judged *out, bool *amended)
{
	struct strs merged = {0}, sides = {0};
	struct garden_judged whole;
	struct tree *before;
	size_t parents;
	bool sure;

	*amended = false;
	TRY(bases_merge_parents(a, h->g, &merged));
	TRY(git_tree_head(h->g, &before));
	TRY(hook_garden_judge(a, h, before, &merged, out));
	if (out->blocked || !before)
		return NULL;
	TRY(bases_is_amend(a, h->g, amended, &sure, &parents));
	*amended = *amended && parents;
	if (!*amended)
		return NULL;
	TRY(git_tree_at(h->g, "HEAD^", &before));
	for (size_t i = 2; i <= parents; i++)
		strs_push(a, &sides, str_fmt(a, "HEAD^%zu", i));
	TRY(hook_garden_judge(a, h, before, &sides, &whole));
	*amended = whole.blocked > 0;
	if (*amended)
		*out = whole;
	return NULL;
}

static struct err *hook_garden(struct arena *a, const struct hook_call *c, struct out *err,
			       struct hook_outcome *out)
{
	const char *index = os_env("GIT_INDEX_FILE");
	struct hook_garden h = {.call = c};
	struct garden_judged judged = {0};
	bool amended, plain;

	TRY(git_open(a, NULL, &h.g));
	TRY(gardens_here(a, h.g, &c->set, &h.tops));
	if (!h.tops.n)
		return NULL;
	TRY(hook_garden_change(a, &h, &judged, &amended));
	out->judged = true;
	out->passed = !judged.blocked;
	garden_judged_print(err, &judged);
	if (!judged.blocked)
		return NULL;
	/*
	 * `git commit -a` and `git commit PATH` commit an index of their own, which goes when the
	 * commit is stopped; then only the same command commits the same.
	 */
	plain = !index || str_is(str_base(str_of(index)), "index");
	if (amended)
		out_puts(err, "ikm: author and time are those of HEAD, so this is judged as git "
			      "commit --amend: what HEAD changed counts too;\n"
			      "  if it is a new commit, wait a second and run it again\n");
	out_puts(err, "ikm: the commit was stopped; your message is kept: ");
	out_puts(err,
		 plain && !amended
			 ? "git commit -v -e -F "
			 : "run the same git commit again, in place of -m or -F with\n  -v -e -F ");
	out_puts(err, "\"$(git rev-parse --git-path COMMIT_EDITMSG)\"\n"
		      "  --no-verify skips this hook, and IKM_HOOKS=0 all hooks of ikm\n");
	return NULL;
}

/* ---- all of them ---- */

static struct err *hook_run_git_hook(struct arena *a, const struct hook_call *c, struct out *err,
				     struct hook_outcome *out)
{
	const char *hooks = os_env("IKM_HOOKS");
	struct str in = {0};
	struct hook_place place;
	struct hook_file file;
	struct git *g;

	/* git runs the file of the hook too, and when it is ikm's shim, the shim judges. */
	if (c->configured) {
		TRY(git_open(a, NULL, &g));
		TRY(hook_place_find(a, g, false, &place));
		TRY(hook_file_read(a, place.dir, hook_names[c->name], &file));
		if (file.owner == OWNER_OURS && file.executable)
			return NULL;
	}
	if (c->name == HOOK_PRE_PUSH || c->name == HOOK_PRE_RECEIVE) {
		cmd_stdin_prompt("the lines that git gives the hook");
		TRY(os_read_fd(a, STDIN_FILENO, "what git pushes", PUSH_MAX, &in));
	}
	TRY(hook_run_chain(a, c, in, err, out));
	if (out->chained > 0) {
		out->passed = false;
		return NULL;
	}
	/* pre-commit has said that ikm is skipped. */
	if (hooks && !strcmp(hooks, "0") && c->name == HOOK_POST_COMMIT)
		return NULL;
	/* The person who pushes may have set it, and pre-receive is the server's. */
	if (hooks && !strcmp(hooks, "0") && c->name != HOOK_PRE_RECEIVE) {
		out_fmt(err, "ikm: IKM_HOOKS=0: %s was skipped, nothing was judged\n",
			hook_names[c->name]);
		return NULL;
	}
	if (c->name == HOOK_COMMIT_MSG)
		return hook_garden(a, c, err, out);
	return judge_and_report(a, c, in, err, out);
}

struct err *hook_run(struct arena *a, const struct hook_call *c, struct out *err,
		     struct hook_outcome *out)
{
	const char *token = os_env(HOOK_PROBE_ENV), *self;
	struct err *e;

	*out = (struct hook_outcome){.passed = true, .chained = -1};
	if (token) {
		self = os_self(a);
		out_fmt(err, HOOK_PROBE_ANSWER "%s %s\n", token, self ? self : "ikm");
		/* `hook status` reads only the line above. A commit must not pass this way. */
		out_fmt(err,
			"ikm: " HOOK_PROBE_ENV " is set, which only 'ikm hook status' does: "
			"nothing was judged, and %s was stopped; unset it\n",
			hook_subjects[c->name]);
		out->passed = false;
		return NULL;
	}
	e = hook_run_git_hook(a, c, err, out);
	if (e && !err_has_help(e) && os_permission_help(a, e).n)
		err_help(e, "%s", str_c(a, os_permission_help(a, e)));
	if (e && c->name == HOOK_PRE_RECEIVE)
		return err_help(e, "the push was stopped, because the server could not check it; "
				   "its administrator can let pushes pass: ikm hook uninstall "
				   "--server");
	return e ? err_help(e,
			    "%s was stopped, because ikm could not check it; to continue once "
			    "without ikm: IKM_HOOKS=0 %s ...",
			    hook_subjects[c->name], hook_commands[c->name])
		 : NULL;
}
