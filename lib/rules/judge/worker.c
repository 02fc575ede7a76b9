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
struct err *workers_first_error(const struct run *run)
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

size_t worker_max_file_bytes(const struct run *run, const struct target *t)
{
	return t->reads == READS_TEXT ? run->max_file : CHECK_MANIFEST_MAX;
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
	size_t max = included ? CHECK_MANIFEST_MAX : 0;
	const struct check_input *in = w->run->in;
	const struct subject *s = side->s;
	struct check_unjudged *u;
	struct err *e;

	KIND_EACH(k, kinds)
		max = size_max(max, worker_max_file_bytes(w->run, targets[k]));
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

void workers_judge_files(struct run *run)
{
	run->progress = progress_start("files judged", run->subjects.n);
	os_parallel_for(run->subjects.n, workers_worth(run, run->subjects.n), judge_one, run);
	progress_end(&run->progress);
}

/* ---- presence rules, on one side ---- */

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

void worker_judge_presence_rules(struct run *run, const struct subject *s, size_t n, bool old,
				 const bool *pending)
{
	struct presence_pass pass = {run, s, pending, old};

	os_parallel_for(n, workers_worth(run, n), presence_one, &pass);
}
