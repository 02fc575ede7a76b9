/* Rules that no file answers alone: one match anywhere, and what the change as a whole does. */
#include "judge/internal.h"

/*
 * Files that are read before ikm asks again whether all rules are satisfied. A fixed number, so
 * that the set of read files does not depend on threads.
 */
#define BATCH 256

/* Sets open[] for the rules that no worker satisfied yet; false: none is left. */
static bool open_rules(const struct run *run, const bool *among, bool *open)
{
	bool any = false;

	for (size_t i = 0; i < run->rules.n; i++) {
		open[i] = among ? among[i] : run->rules.p[i].presence;
		for (unsigned t = 0; t < run->threads; t++)
			open[i] &= !run->workers[t].present[i];
		any |= open[i];
	}
	return any;
}

/*
 * With a base, an unsatisfied rule counts when the base satisfied it. If no touched file satisfied
 * it, the other files answer the same on both sides, and ikm does not read them. So a usual commit
 * costs only its own files.
 */
static struct err *presence_anywhere(struct run *run)
{
	bool *open = arena_array(run->a, run->rules.n, sizeof(*open));
	bool *was = arena_array(run->a, run->rules.n, sizeof(*was));
	bool base = run->in->base, any = false;
	struct subjects rest = {0};

	if (!run->rules.has_presence || !open_rules(run, NULL, open))
		return NULL;
	if (base) {
		/* Of the open rules, those that touched files satisfied before the change. */
		worker_judge_presence_rules(run, run->subjects.p, run->subjects.n, true, open);
		for (size_t i = 0; i < run->rules.n; i++) {
			for (unsigned t = 0; t < run->threads; t++)
				was[i] |= run->workers[t].was[i];
			any |= was[i];
		}
		TRY(workers_first_error(run));
		if (!run->whole && !any)
			return NULL;
		if (!run->whole)
			TRY(subjects_list_untouched(run, &rest));
		for (size_t i = 0; i < rest.n && open_rules(run, was, open); i += BATCH) {
			worker_judge_presence_rules(run, rest.p + i, size_min(BATCH, rest.n - i),
						    false, open);
			TRY(workers_first_error(run));
		}
		open_rules(run, run->whole ? NULL : was, open);
	}
	for (size_t i = 0; i < run->rules.n; i++) {
		struct finding f = {.at = SIZE_MAX, .existing = base && !was[i]};
		unsigned limit_hit = 0;

		if (!open[i])
			continue;
		for (unsigned t = 0; t < run->threads; t++)
			limit_hit += run->workers[t].limit_hit[i];
		if (limit_hit)
			f.note = "but the pattern reached its match limit in a file that may have "
				 "it";
		findings_add(&run->workers[0], &run->rules.p[i], STR(""), STR(""),
			     &(struct findings){&f, 1, 1, CODE_BYTES});
	}
	return NULL;
}

/* ---- the change as a whole ---- */

static void change_report(struct run *run, const struct rule *r, const struct subject *s,
			  struct finding f)
{
	f.at = SIZE_MAX;
	findings_add(&run->workers[0], r, s->has_now ? s->now.path : s->old.path, STR(""),
		     &(struct findings){&f, 1, 1, CODE_BYTES});
}

struct tally {
	size_t was, now;
	bool limit_was, limit_now;
};

/* A file counts when it has fewer matches, if all files together have fewer: matches may move. */
static void shrink_judge(struct run *run, size_t rule)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct tally *tally = arena_array(scratch, run->subjects.n, sizeof(*tally));
	size_t was = 0, now = 0;

	for (unsigned t = 0; t < run->threads; t++)
		for (size_t i = 0; i < run->workers[t].counted.n; i++) {
			const struct counted *c = &run->workers[t].counted.p[i];
			struct tally *x = &tally[c->s - run->subjects.p];

			if (c->rule != rule)
				continue;
			*(c->old ? &x->was : &x->now) += c->n;
			*(c->old ? &x->limit_was : &x->limit_now) |= c->limit;
			*(c->old ? &was : &now) += c->n;
		}
	for (size_t i = 0; i < run->subjects.n; i++) {
		const struct tally *x = &tally[i];
		struct finding f = {.limit_hit = x->limit_was || x->limit_now,
				    .existing = x->limit_was && x->limit_now};
		struct str note;

		if (!f.limit_hit && (now >= was || x->now >= x->was))
			continue;
		note = str_fmt(run->a, "%zu before, %zu now", x->was, x->now);
		if (x->was - x->now != was - now)
			note = str_fmt(run->a, "%.*s; all changed files: %zu before, %zu now",
				       STR_ARG(note), was, now);
		f.note = f.limit_hit ? NULL : note.p;
		change_report(run, &run->rules.p[rule], &run->subjects.p[i], f);
	}
}

/* The file of the rule's own decision is spared, or nobody could take the rule back. */
static void together_judge(struct run *run, const struct rule *r, const bool *changed)
{
	for (size_t i = 0; i < run->subjects.n; i++) {
		const struct subject *s = &run->subjects.p[i];

		if (changed[i] && ((s->has_now && glob_match(r->glob, s->now_glob)) ||
				   (s->has_old && glob_match(r->glob, s->old_glob))))
			return;
	}
	for (size_t i = 0; i < run->subjects.n; i++) {
		const struct subject *s = &run->subjects.p[i];

		if ((s->has_now && str_eq(s->now.path, r->path)) ||
		    (s->has_old && str_eq(s->old.path, r->path)))
			continue;
		if (changed[i] && ((s->has_now && rules_scope_holds(run, r->scope, s->now_glob)) ||
				   (s->has_old && rules_scope_holds(run, r->scope, s->old_glob))))
			change_report(run, r, s, (struct finding){0});
	}
}

struct err *presence_judge(struct run *run)
{
	bool *shrinks = arena_array(run->a, run->rules.n, sizeof(*shrinks)), *changed;
	bool any_shrinks = false, any = false;

	TRY(presence_anywhere(run));
	for (size_t i = 0; i < run->rules.n; i++) {
		shrinks[i] = run->rules.p[i].c->op == KN_OP_MUST_NOT_SHRINK;
		any_shrinks |= shrinks[i];
		any |= run->rules.p[i].change;
	}
	if (!any)
		return NULL;
	if (any_shrinks)
		worker_judge_presence_rules(run, run->subjects.p, run->subjects.n, true, shrinks);
	TRY(workers_first_error(run));
	changed = arena_array(run->a, run->subjects.n, sizeof(*changed));
	/* A file that only gets another name or other rights does not change. */
	for (size_t i = 0; i < run->subjects.n; i++) {
		const struct subject *s = &run->subjects.p[i];
		bool same = false;

		/* What keeps its name and its kind is touched because it has other content. */
		if (s->touched && s->has_now && s->has_old && s->now.kind != TREE_SUBMODULE &&
		    s->old.kind != TREE_SUBMODULE &&
		    (s->now.kind != s->old.kind || !str_eq(s->now.path, s->old.path)))
			TRY(tree_file_same(run->in->base, &s->old, run->in->now, &s->now, &same));
		changed[i] = s->touched && !same;
	}
	run->workers[0].at = SIZE_MAX; /* the findings belong to no file that was judged */
	for (size_t i = 0; i < run->rules.n; i++) {
		if (shrinks[i])
			shrink_judge(run, i);
		else if (run->rules.p[i].change)
			together_judge(run, &run->rules.p[i], changed);
	}
	return NULL;
}
