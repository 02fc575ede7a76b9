#include "judge/internal.h"
#include "crypt/crypt.h"
#include "os/os.h"

static struct str worker_step(struct arena *a, const void *ctx, struct str step)
{
	struct strs *const *steps = ctx;

	strs_push(a, *steps, str_dup(a, step));
	return step;
}

static void worker_fail(struct worker *w, size_t at, struct err *e)
{
	struct strs *steps = &w->failed_help;

	if (w->failed.n && w->failed_at < at)
		return;
	w->failed_at = at;
	w->reason = err_reason(e);
	w->failed = str_dup(w->a, str_of(err_message(e)));
	steps->n = 0;
	err_help_rewrite(e, w->a, worker_step, &steps);
}

/* Errors belong to their thread, so the main thread makes its own error from the first one. */
static struct err *workers_first_error(const struct run *run)
{
	const struct worker *first = NULL;
	struct err *e;

	for (unsigned i = 0; i < run->threads; i++) {
		const struct worker *w = &run->workers[i];

		if (w->failed.n && (!first || w->failed_at < first->failed_at))
			first = w;
	}
	if (!first)
		return NULL;
	e = err_new(first->reason, "%.*s", STR_ARG(first->failed));
	for (size_t i = 0; i < first->failed_help.n; i++)
		e = err_help(e, "%.*s", STR_ARG(first->failed_help.p[i]));
	return e;
}

bool worker_old_text(struct worker *w, struct arena *scratch, const struct subject *s,
		     struct str now, size_t max, struct str *text)
{
	struct err *e;

	if (!s->has_old || !tree_file_is_regular(&s->old))
		return false;
	if (subject_sides_same_content(s)) {
		*text = now;
		return true;
	}
	e = tree_read(w->run->in->base, scratch, &s->old, max, text);
	if (!e)
		return true;
	if (err_reason(e) != E_TOO_BIG)
		worker_fail(w, (size_t)(s - w->run->subjects.p), e);
	return false;
}

/* ---- one file ---- */

/* A set of kinds of rules: a bit for each. */
#define KIND(k) (1U << (k))
#define ALL     (KIND(TARGETS) - 1)
#define KIND_EACH(k, kinds)                                                                        \
	for (enum kn_target k = 0; (int)k < TARGETS; k++)                                          \
		if ((kinds)&KIND(k))

/* The kinds that read files in this way. */
static unsigned kinds_of(enum target_reads how)
{
	unsigned kinds = 0;

	KIND_EACH(k, ALL)
		if (targets[k]->reads == how)
			kinds |= KIND(k);
	return kinds;
}

/* The kinds with rules that apply to the path. */
static unsigned kinds_wanted(const struct worker *w, struct str path, const bool *pending)
{
	const struct rules *rules = &w->run->rules;
	unsigned kinds = 0;

	KIND_EACH(k, ALL) {
		const struct rule_kind *list = &rules->kind[k];
		const struct target *t = targets[k];
		/* A file without a reader satisfies nothing. */
		bool (*wants)(struct str) =
			pending && t->reads == READS_BYTES ? t->names : t->wants;

		bool named = !list->n || !wants || wants(path),
		     suffix = t->unread_only & BLIND_SUFFIX;

		if (!named && (pending || !suffix))
			continue;
		for (size_t j = 0; j < list->n && !(kinds & KIND(k)); j++) {
			size_t scope = rules->p[list->rule[j]].scope;

			if (w->scoped[scope] && (!pending || pending[list->rule[j]]) &&
			    (named || unjudged_scope_names_suffix(w, scope)))
				kinds |= KIND(k);
		}
	}
	return kinds;
}

/* Sets w->blind for the rules on text that surely apply to a file of that name. */
static bool text_rules_blind(struct worker *w, const struct subject *s, unsigned only)
{
	bool any = false;

	KIND_EACH(k, kinds_of(READS_TEXT)) {
		bool named = !targets[k]->names || targets[k]->names(s->now.path);

		any |= unjudged_mark_blind_rules(w, k, only | (named ? 0 : BLIND_SUFFIX));
	}
	return any;
}

/* Records that no rule on text that applies could read the file. */
static struct check_unjudged *text_blind(struct worker *w, const struct file_side *side,
					 enum check_reason why, struct str detail)
{
	if (side->pending)
		return NULL;
	unjudged_clear_blind_rules(w);
	text_rules_blind(w, side->s, 0);
	return unjudged_add(w, side->s, why, detail);
}

/* A picture or an archive is counted and not named, because no text rule is meant for it. */
static void mark_as_counted(struct check_unjudged *u)
{
	if (!u)
		return;
	u->named = u->blocks = false;
	u->counted = true;
}

static struct str worker_too_big(struct arena *scratch, size_t max)
{
	return str_fmt(scratch, "over %zu bytes", max);
}

/* An attribute exempts the file: tells of the rules that would have found something in it. */
static void text_exempt(struct worker *w, struct arena *scratch, unsigned kinds,
			const struct file_side *side)
{
	struct check_unjudged *u;

	unjudged_clear_blind_rules(w);
	if (side->pending || !text_rules_blind(w, side->s, 0))
		return;
	KIND_EACH(k, kinds)
		(void)facts_any_for_blind_rules(w, scratch, k, side);
	u = unjudged_add(w, side->s, CHECK_ATTRIBUTE, side->s->exempt);
	if (u)
		u->added = side->s->exempt_added;
}

static void judge_text(struct worker *w, struct arena *scratch, unsigned kinds,
		       struct file_side *side)
{
	const struct subject *s = side->s;
	struct check_unjudged *u;
	struct code_text text;

	if (skip_is_lfs(side->raw)) {
		u = text_blind(w, side, CHECK_LFS_POINTER, STR("Git LFS pointer"));
		if (!skip_path_is_source(s->now.path))
			mark_as_counted(u);
		return;
	}
	if (!code_text_decode(scratch, side->path, side->raw, &text)) {
		u = text_blind(w, side, CHECK_BINARY, STR("NUL byte"));
		unjudged_clear_blind_rules(w);
		if (skip_path_is_data(s->now.path) || !text_rules_blind(w, s, BLIND_NAMED))
			mark_as_counted(u);
		return;
	}
	side->text = &text;
	if (s->exempt.n && !side->old)
		text_exempt(w, scratch, kinds, side);
	else
		KIND_EACH(k, kinds)
			facts_judge_file(w, scratch, k, side);
	side->text = NULL;
}

static void scopes_of_path(const struct run *run, struct str path, bool *scoped)
{
	for (size_t i = 0; i < run->rules.scopes.n; i++)
		scoped[i] = rules_scope_holds(run, i, path);
}

/*
 * A requirements file may include any file, and a Compose file may name any Dockerfile. ikm only
 * asks whether one includes this file when a rule finds something in it, read in either way. The
 * rules that apply to the including file judge it.
 */
static struct err *judge_included(struct worker *w, struct arena *a, const struct subject *s,
				  struct str text)
{
	static const struct str kinds[] = {STR_INIT("requirements.txt"), STR_INIT("compose.yaml")};
	struct file_side side = {.s = s, .raw = text};
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !any; i++) {
		side.path = deps_path_to_read_included_as(a, kinds[i], s->now.path);
		memset(w->blind, true, w->run->rules.n * sizeof(*w->blind));
		any = facts_any_for_blind_rules(w, a, KN_TARGET_DEPENDENCY, &side);
	}
	if (any)
		TRY(manifest_of_tree_includes_path(a, w->run->now_files, s->now.path, &side.by));
	if (!side.by.n)
		return NULL;
	side.path = deps_path_to_read_included_as(a, side.by, s->now.path);
	scopes_of_path(w->run, side.by, w->scoped);
	scopes_of_path(w->run, side.by, w->was_scoped);
	facts_judge_file(w, a, KN_TARGET_DEPENDENCY, &side);
	return NULL;
}

/* included: a manifest may include it. */
static void judge_content(struct worker *w, struct arena *scratch, struct file_side *side,
			  unsigned kinds, bool included)
{
	unsigned text = kinds & kinds_of(READS_TEXT);
	size_t max = included || kinds & ~text ? CHECK_MANIFEST_MAX : 0;
	const struct check_input *in = w->run->in;
	const struct subject *s = side->s;
	struct check_unjudged *u;
	struct err *e;

	if (text)
		max = size_max(max, w->run->max_file);
	e = tree_read(side->old ? in->base : in->now, scratch, side->old ? &s->old : &s->now, max,
		      &side->raw);
	/* Another program has removed it since the folder was listed. */
	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		return;
	if (e && err_reason(e) != E_TOO_BIG) {
		worker_fail(w, w->at, e);
		return;
	}
	if (!e && !side->pending && in->waive.searches)
		waive_load_allow_comments(w, s->now.path, side->raw);
	if (text && (e || side->raw.n > w->run->max_file)) {
		u = text_blind(w, side, CHECK_TOO_BIG, worker_too_big(scratch, w->run->max_file));
		if (skip_path_is_data(s->now.path))
			mark_as_counted(u);
	} else if (text) {
		judge_text(w, scratch, text, side);
	}
	KIND_EACH(k, kinds & ~text) {
		if (!e && side->raw.n <= CHECK_MANIFEST_MAX)
			facts_judge_file(w, scratch, k, side);
		else if (!side->pending)
			facts_unreadable(w, k, s, worker_too_big(scratch, CHECK_MANIFEST_MAX));
	}
	if (!e && included) { /* last, because it changes which rules apply */
		e = judge_included(w, scratch, s, side->raw);
		if (e)
			worker_fail(w, w->at, e);
	}
}

/*
 * A link that leads to a manifest is not followed, since that manifest is judged; one that leads
 * elsewhere could hide anything.
 */
static void judge_link(struct worker *w, const struct subject *s, unsigned kinds)
{
	struct str to = s->target.n ? s->target : STR("nothing");
	struct check_unjudged *u;
	bool any;

	KIND_EACH(k, kinds)
		if (targets[k]->stops && s->dangling) {
			facts_unreadable(w, k, s,
					 str_fmt(w->a,
						 "it is a symbolic link to '%.*s', which is not "
						 "judged",
						 STR_ARG(to)));
			return;
		}
	unjudged_clear_blind_rules(w);
	any = text_rules_blind(w, s, 0);
	KIND_EACH(k, kinds & kinds_of(READS_BYTES)) {
		const struct target *t = targets[k];
		bool read = t->names(s->now.path) && !t->stops;

		if (!t->stops || !t->stops(s->now.path))
			any |= unjudged_mark_blind_rules(w, k, read ? 0 : t->unread_only);
	}
	KIND_EACH(k, ALL)
		if (!any && targets[k]->stops)
			unjudged_mark_blind_rules(w, k, 0);
	u = unjudged_add(w, s, CHECK_LINK, STR(""));
	if (u)
		u->name = str_dup(w->a, s->target);
	if (!any)
		mark_as_counted(u);
}

/* A file that is no submodule, by the rules on its content. */
static void judge_file(struct worker *w, struct arena *scratch, const struct subject *s,
		       unsigned kinds)
{
	unsigned text = kinds & kinds_of(READS_TEXT);
	struct file_side side = {.s = s, .path = s->now.path};
	const struct run *run = w->run;
	/* A manifest may include this one, although its name is no manifest's name. */
	bool included = !(kinds & KIND(KN_TARGET_DEPENDENCY)) &&
			run->rules.kind[KN_TARGET_DEPENDENCY].n && run->now_files &&
			run->in->base && s->touched && tree_file_is_regular(&s->now) &&
			!skip_path_is_data(s->now.path);

	if (!kinds && !included)
		return;
	if (s->now.kind == TREE_LINK) {
		judge_link(w, s, kinds);
		return;
	}
	if (text && !s->exempt.n && s->now_knowledge) {
		/* Counted when a rule leaves the file alone; its quotes are reported elsewhere. */
		for (size_t i = 0; i < run->rules.n; i++) {
			const struct rule *r = &run->rules.p[i];
			const struct target *t = targets[r->c->target];

			w->blind[i] =
				w->scoped[r->scope] && t->spares && t->spares(run, r, s, false);
		}
		mark_as_counted(unjudged_add(w, s, CHECK_KNOWLEDGE_FILE, STR("")));
	}
	judge_content(w, scratch, &side, kinds, included);
	waive_end_file(w);
}

static void judge_one(void *ctx, unsigned thread, size_t i)
{
	struct run *run = ctx;
	struct worker *w = &run->workers[thread];
	const struct subject *s = &run->subjects.p[i];
	struct file_side path = {.s = s, .path = s->now.path};
	struct arena *scratch ARENA_LOCAL = NULL;
	struct check_unjudged *u;
	unsigned kinds;

	w->at = i;
	if (!thread)
		progress_at(&run->progress, i);
	if (!s->has_now)
		return;
	waive_begin_file(w, s);
	w->files++;
	scopes_of_path(run, s->now_glob, w->scoped);
	if (s->has_old)
		scopes_of_path(run, s->old_glob, w->was_scoped);
	kinds = kinds_wanted(w, s->now.path, NULL);
	scratch = arena_new();
	KIND_EACH(k, kinds & kinds_of(READS_PATH))
		facts_judge_file(w, scratch, k, &path);
	kinds &= ~kinds_of(READS_PATH);
	if (s->now.kind != TREE_SUBMODULE) {
		judge_file(w, scratch, s, kinds);
		return;
	}
	unjudged_clear_blind_rules(w);
	KIND_EACH(k, kinds_of(READS_TEXT))
		unjudged_mark_blind_rules(w, k, 0);
	KIND_EACH(k, kinds_of(READS_BYTES))
		unjudged_mark_blind_rules(w, k, BLIND_ABSENCE);
	u = unjudged_add(w, s, CHECK_SUBMODULE, STR(""));
	if (u)
		u->name = crypt_hex(w->a, s->now.id, s->now.id_len);
}

/* A thread costs as much as 16 files, so a commit of a few starts none. */
static unsigned workers_worth(const struct run *run, size_t n)
{
	return (unsigned)size_min(run->threads, 1 + n / 16);
}

static void workers_judge_files(struct run *run)
{
	run->progress = progress_start("files judged", run->subjects.n);
	os_parallel_for(run->subjects.n, workers_worth(run, run->subjects.n), judge_one, run);
	progress_end(&run->progress);
}

/* ---- rules that no file answers alone: one match anywhere satisfies them ---- */

struct presence_pass {
	struct run *run;
	const struct subject *subjects;
	const bool *pending;
	bool old;
};

static void presence_one(void *ctx, unsigned thread, size_t i)
{
	const struct presence_pass *pass = ctx;
	struct run *run = pass->run;
	struct worker *w = &run->workers[thread];
	const struct subject *s = &pass->subjects[i];
	const struct tree_file *f = pass->old ? &s->old : &s->now;
	struct file_side side = {
		.s = s, .old = pass->old, .path = f->path, .pending = pass->pending};
	struct arena *scratch ARENA_LOCAL = NULL;
	unsigned kinds;

	if (pass->old ? !s->has_old || !s->touched : !s->has_now)
		return;
	w->at = run->subjects.n + i; /* after all files that were judged before */
	scopes_of_path(run, pass->old ? s->old_glob : s->now_glob, w->scoped);
	kinds = kinds_wanted(w, f->path, pass->pending);
	if (pass->old ? s->old_exempt : s->exempt.n > 0)
		kinds &= ~kinds_of(READS_TEXT);
	scratch = arena_new();
	KIND_EACH(k, kinds & kinds_of(READS_PATH))
		facts_judge_file(w, scratch, k, &side);
	kinds &= ~kinds_of(READS_PATH);
	if (kinds && tree_file_is_regular(f))
		judge_content(w, scratch, &side, kinds, false);
}

/*
 * Judges the presence rules in `pending` over one side of the files. old: reads the base side of
 * touched files and sets worker.was. Otherwise reads now and sets worker.present.
 */
static void worker_judge_presence_rules(struct run *run, const struct subject *s, size_t n,
					bool old, const bool *pending)
{
	struct presence_pass pass = {run, s, pending, old};

	os_parallel_for(n, workers_worth(run, n), presence_one, &pass);
}

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

static struct err *presence_judge(struct run *run)
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

/* ---- one run ---- */

#define THREADS_MAX 64

static void workers_new(struct run *run)
{
	size_t rules = run->rules.n, scopes = run->rules.scopes.n;

	run->threads = run->in->threads ? run->in->threads : os_cores();
	run->threads = (unsigned)size_min(size_max(run->threads, 1), THREADS_MAX);
	run->giveup = pattern_limit_new(run->a, rules);
	run->workers = arena_array(run->a, run->threads, sizeof(*run->workers));
	waive_begin_run(run);
	for (unsigned i = 0; i < run->threads; i++) {
		struct worker *w = &run->workers[i];

		w->run = run;
		w->a = arena_child(run->a);
		w->re = re_work_new(w->a);
		w->may = arena_array(w->a, rules, sizeof(*w->may));
		w->may_too = arena_array(w->a, rules, sizeof(*w->may_too));
		w->blind = arena_array(w->a, rules, sizeof(*w->blind));
		w->scoped = arena_array(w->a, scopes, sizeof(*w->scoped));
		w->was_scoped = arena_array(w->a, scopes, sizeof(*w->was_scoped));
		w->present = arena_array(w->a, rules, sizeof(*w->present));
		w->present_at = arena_array(w->a, rules, sizeof(*w->present_at));
		w->was = arena_array(w->a, rules, sizeof(*w->was));
		w->waiver_uses = arena_array(w->a, run->in->waive.now.n, sizeof(*w->waiver_uses));
		w->waiver_gone = arena_array(w->a, waive_bases_count_waivers(&run->in->waive.bases),
					     sizeof(*w->waiver_gone));
		w->near.bases = arena_array(w->a, run->in->waive.bases.n, sizeof(*w->near.bases));
		w->limit_hit = arena_array(w->a, rules, sizeof(*w->limit_hit));
	}
}

struct err *check_run(struct arena *a, const struct check_input *in, struct check_report *out)
{
	struct run run = {.a = a, .in = in, .out = out};

	*out = (struct check_report){.notes = {out->notes.p, out->notes.n, out->notes.cap},
				     .waivers_first = in->waive.asks && !in->waive.trusts};
	run.max_file = in->max_file;
	run.now_files = manifest_files_of_tree(a, in->complete ? in->now : in->around);
	run.old_files = manifest_files_of_tree(a, in->base);
	run.now_imports = imports_tree_new(a, run.now_files ? run.now_files
							    : manifest_files_of_tree(a, in->now));
	run.old_imports = imports_tree_new(a, run.old_files);
	TRY(subjects_diff_against_base(&run));
	TRY(rules_load(&run));
	TRY(subjects_load(&run));
	workers_new(&run);
	workers_judge_files(&run);
	TRY(workers_first_error(&run));
	manifest_of_tree_note_unread(&run);
	pattern_limit_report(&run);
	waive_begin_file(&run.workers[0], NULL);
	TRY(facts_judge_given(&run));
	TRY(presence_judge(&run));
	/* The next run may begin with the .gitattributes of a run that had no error. */
	if (in->compiled && in->now_id.n) {
		in->compiled->attrs = run.now_attrs;
		in->compiled->attrs_of = in->now_id;
	}
	waive_report_waiver_use(&run);
	report_finish(&run);
	return NULL;
}
