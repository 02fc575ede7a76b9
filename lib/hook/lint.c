/* Counts what lint finds in the decisions that a commit changes. */
#include "hook/internal.h"
#include "lint/lint.h"

/* The Markdown files that the commit adds or changes, and what they were in HEAD. */
static struct err *hook_lint_paths(struct arena *a, struct git *g, struct strs *old,
				   struct strs *new)
{
	struct tree_changes changes = {0};
	struct tree *base, *now;

	TRY(git_tree_head(g, &base));
	TRY(git_tree_index(g, &now));
	TRY(tree_diff(a, base, now, &changes));
	for (size_t i = 0; i < changes.n; i++) {
		const struct tree_change *c = &changes.p[i];

		if (c->has_new && str_ends(c->new.path, STR(".md")))
			strs_push(a, new, c->new.path);
		/* A deleted file may have been renamed. */
		if (c->has_old && str_ends(c->old.path, STR(".md")))
			strs_push(a, old, c->old.path);
	}
	return NULL;
}

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
	struct lint_report r, was = {0};

	before.of = LINT_HEAD;
	TRY(hook_lint_paths(a, g, &before.paths, &o.paths));
	if (!o.paths.n)
		return NULL;
	TRY(lint_run(a, &o, &r));
	/* A HEAD that cannot be read has no warnings that anybody was told. */
	if (r.problems.n && before.paths.n && lint_run(a, &before, &was))
		was.problems.n = 0;
	for (size_t i = 0; i < r.problems.n; i++) {
		const struct lint_problem *p = &r.problems.p[i];

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

void hook_lint(struct arena *a, const struct strs *set, struct out *err)
{
	struct strs files = {0};
	unsigned warnings = 0;
	struct git *g;
	struct err *e = git_open(a, NULL, &g);

	if (!e)
		e = hook_lint_run(a, g, set, &warnings, &files);
	if (e) {
		out_puts(err, "ikm: the decisions of this commit were not linted: ");
		out_safe(err, str_of(err_message(e)), false);
		out_puts(err, "\n");
		return;
	}
	if (!warnings)
		return;
	out_fmt(err, "ikm: %u lint warning%s in this commit's decisions: ikm lint", warnings,
		warnings == 1 ? "" : "s");
	for (size_t i = 0; i < files.n && i < HOOK_LINT_FILES; i++) {
		out_puts(err, " ");
		out_safe(err, str_quoted(a, files.p[i]), false);
	}
	out_puts(err, files.n > HOOK_LINT_FILES ? " ...\n" : "\n");
}
