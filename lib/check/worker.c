#include "check/engine.h"
#include "crypt/crypt.h"
#include "os/os.h"

static void worker_fail(struct worker *w, size_t at, const struct err *e)
{
	if (w->failed.n && w->failed_at < at)
		return;
	w->failed_at = at;
	w->reason = err_reason(e);
	w->failed = str_dup(w->a, str_of(err_message(e)));
}

/* Errors belong to their thread, so the main thread makes its own error from the first one. */
struct err *worker_trouble(const struct run *run)
{
	const struct worker *first = NULL;

	for (unsigned i = 0; i < run->threads; i++) {
		const struct worker *w = &run->workers[i];

		if (w->failed.n && (!first || w->failed_at < first->failed_at))
			first = w;
	}
	return first ? err_new(first->reason, "%.*s", STR_ARG(first->failed)) : NULL;
}

static bool is_file(const struct tree_file *f)
{
	return f->kind == TREE_FILE || f->kind == TREE_EXEC;
}

static bool worker_same_content(const struct subject *s)
{
	return s->has_now && s->has_old && is_file(&s->now) && is_file(&s->old) && s->now.id_len &&
	       s->now.id_len == s->old.id_len && !memcmp(s->now.id, s->old.id, s->now.id_len);
}

bool worker_old_text(struct worker *w, struct arena *scratch, const struct subject *s,
		     struct str now, size_t max, struct str *text)
{
	struct err *e;

	if (!s->has_old || !is_file(&s->old))
		return false;
	if (worker_same_content(s)) {
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

/* The kinds of rules that apply by path. */
struct wants {
	bool code, deps, imports, config;
};

static bool wants_any(struct wants w)
{
	return w.code || w.deps || w.imports || w.config;
}

static struct wants rules_wanted(const struct run *run, const bool *scoped, struct str path,
				 const bool *pending)
{
	bool manifest = run->rules.has_dep && deps_is_manifest(path);
	bool source = import_wants(run, path);
	bool settings = config_wants(run, path);
	struct wants want = {0};

	for (size_t i = 0; i < run->rules.n; i++) {
		const struct rule *r = &run->rules.p[i];

		if (!scoped[r->scope] || (pending && !pending[i]))
			continue;
		want.code |= r->c->target == KN_TARGET_CODE;
		want.deps |= r->c->target == KN_TARGET_DEPENDENCY && manifest;
		want.imports |= r->c->target == KN_TARGET_IMPORT && source;
		want.config |= r->c->target == KN_TARGET_CONFIG && settings;
	}
	return want;
}

/* Records that no rule on code or imports that applies could read the file. */
static struct check_unjudged *text_blind(struct worker *w, const struct subject *s,
					 enum check_reason why, struct str detail)
{
	unjudged_clear(w);
	unjudged_blind(w, KN_TARGET_CODE, 0);
	if (imports_language(s->now.path, STR("")))
		unjudged_blind(w, KN_TARGET_IMPORT, 0);
	return unjudged_add(w, s, why, detail);
}

/* A picture or an archive is counted and not named, because no text rule is meant for it. */
static void mark_as_counted(struct check_unjudged *u)
{
	if (!u)
		return;
	u->named = u->blocks = false;
	u->counted = true;
}

/*
 * A manifest that rules apply to and that ikm cannot read. An untouched manifest is a warning. A
 * touched one could hide anything, so a blocking rule blocks.
 */
static void worker_unreadable(struct worker *w, const struct subject *s, struct str why)
{
	bool changed = s->touched && !(worker_same_content(s) && deps_is_manifest(s->old.path));
	struct check_unjudged *u;

	unjudged_clear(w);
	unjudged_blind(w, KN_TARGET_DEPENDENCY, 0);
	u = unjudged_add(w, s, CHECK_UNREADABLE, why);
	/* Other files have some of the names, so such a file is told and stops nothing. */
	if (u && deps_is_certain(s->now.path))
		u->blocks = changed && u->severity == KN_SEVERITY_BLOCK;
}

static struct str worker_too_big(struct arena *scratch, size_t max)
{
	return str_fmt(scratch, "over %zu bytes", max);
}

static void judge_manifest(struct worker *w, struct arena *scratch, const struct subject *s,
			   struct str text)
{
	struct deps deps = {0};
	struct err *e;

	if (!deps_fits(s->now.path, text))
		return;
	e = deps_read(scratch, s->now.path, text, w->run->now_files, &deps);
	if (e) {
		worker_unreadable(w, s, str_of(err_message(e)));
		return;
	}
	w->manifests++;
	w->unresolved += (unsigned)deps.unresolved.n;
	dep_judge(w, scratch, s, text, &deps, false);
	dep_presence(w, scratch, &deps, NULL, w->present);
}

/*
 * A requirements file may include any file. ikm only asks whether one includes this file when it
 * could be a requirements file and a rule finds something in it. The rules that apply to the
 * including file judge it.
 */
static void judge_included(struct worker *w, struct arena *scratch, const struct subject *s,
			   struct str text)
{
	struct str as = deps_as_requirements(scratch, s->now.path), by;
	struct deps deps = {0};

	if (deps_read(scratch, as, text, w->run->now_files, &deps) ||
	    !(deps.unresolved.n || dep_finds(w, scratch, &deps)) ||
	    !beside_includes(w->run->now_files, s->now.path, &by))
		return;
	rules_scope(w->run, by, w->scoped);
	rules_scope(w->run, by, w->was_scoped);
	w->manifests++;
	w->unresolved += (unsigned)deps.unresolved.n;
	dep_judge(w, scratch, s, text, &deps, true);
}

/* Whether a requirements file may include this file, although its name is no manifest's name. */
static bool may_be_included(const struct run *run, const struct subject *s)
{
	return run->rules.has_dep && run->now_files && run->in->base && s->touched &&
	       is_file(&s->now) && !skip_is_data(s->now.path);
}

static void judge_text(struct worker *w, struct arena *scratch, const struct subject *s,
		       struct wants want, struct str raw)
{
	struct check_unjudged *u;
	struct code_text text;

	if (skip_is_lfs(raw)) {
		u = text_blind(w, s, CHECK_LFS_POINTER, STR("Git LFS pointer"));
		if (!skip_is_source(s->now.path))
			mark_as_counted(u);
	} else if (code_text_of(scratch, s->now.path, raw, &text)) {
		if (want.code)
			code_judge(w, scratch, s, &text);
		if (want.imports)
			import_judge(w, scratch, s, &text);
	} else {
		u = text_blind(w, s, CHECK_BINARY, STR("NUL byte"));
		unjudged_clear(w);
		if (skip_is_data(s->now.path) || !unjudged_blind(w, KN_TARGET_CODE, BLIND_NAMED))
			mark_as_counted(u);
	}
}

static void judge_content(struct worker *w, struct arena *scratch, const struct subject *s,
			  struct wants want, const struct deps_format *unread)
{
	bool deps = want.deps, code = want.code || want.imports, config = want.config;
	bool included = !deps && !unread && may_be_included(w->run, s);
	size_t max_code = w->run->max_file;
	size_t max = size_max(deps || config || unread || included ? CHECK_MANIFEST_MAX : 0,
			      code ? max_code : 0);
	struct str text = {0};
	struct err *e = tree_read(w->run->in->now, scratch, &s->now, max, &text);
	struct check_unjudged *u;

	if (e && err_reason(e) != E_TOO_BIG) {
		worker_fail(w, (size_t)(s - w->run->subjects.p), e);
		return;
	}
	if (!e && w->run->in->waive.audits)
		waive_audit(w, s->now.path, text);
	if (code && (e || text.n > max_code)) {
		u = text_blind(w, s, CHECK_TOO_BIG, worker_too_big(scratch, max_code));
		if (skip_is_data(s->now.path))
			mark_as_counted(u);
	} else if (code) {
		judge_text(w, scratch, s, want, text);
	}
	if (config && (e || text.n > CHECK_MANIFEST_MAX))
		config_unreadable(w, s, worker_too_big(scratch, CHECK_MANIFEST_MAX));
	else if (config)
		config_judge(w, scratch, s, text);
	if (!e && included) /* last, because it changes which rules apply */
		judge_included(w, scratch, s, text);
	if (deps && (e || text.n > CHECK_MANIFEST_MAX))
		worker_unreadable(w, s, worker_too_big(scratch, CHECK_MANIFEST_MAX));
	else if (deps && skip_is_lfs(text) && deps_is_certain(s->now.path))
		worker_unreadable(w, s, STR("it is a Git LFS pointer"));
	else if (deps)
		judge_manifest(w, scratch, s, text);
	if (!unread || (!e && !deps_unread_fits(unread, text)))
		return;
	unjudged_clear(w);
	unjudged_blind(w, KN_TARGET_DEPENDENCY, BLIND_ABSENCE);
	unjudged_add(w, s, CHECK_UNREAD_MANIFEST, str_of(unread->name));
}

static void judge_link(struct worker *w, const struct subject *s, bool deps,
		       const struct deps_format *unread)
{
	struct check_unjudged *u;
	bool code;

	if (deps && s->dangling) {
		worker_unreadable(w, s,
				  str_fmt(w->a,
					  "it is a symbolic link to '%.*s', which is not judged",
					  STR_ARG(s->target.n ? s->target : STR("nothing"))));
		return;
	}
	unjudged_clear(w);
	code = unjudged_blind(w, KN_TARGET_CODE, 0);
	if (imports_language(s->now.path, STR("")))
		code |= unjudged_blind(w, KN_TARGET_IMPORT, 0);
	if (config_wants(w->run, s->now.path))
		code |= unjudged_blind(w, KN_TARGET_CONFIG, 0);
	if (unread || (deps && !deps_is_certain(s->now.path)))
		code |= unjudged_blind(w, KN_TARGET_DEPENDENCY, BLIND_ABSENCE);
	/* The link leads to a manifest, and that manifest is judged. */
	if (!code)
		unjudged_blind(w, KN_TARGET_DEPENDENCY, 0);
	u = unjudged_add(w, s, CHECK_LINK, STR(""));
	if (u)
		u->name = str_dup(w->a, s->target);
	if (!code)
		mark_as_counted(u);
}

static void judge_submodule(struct worker *w, const struct subject *s)
{
	struct check_unjudged *u;
	bool code;

	unjudged_clear(w);
	code = unjudged_blind(w, KN_TARGET_CODE, 0);
	code |= unjudged_blind(w, KN_TARGET_IMPORT, 0);
	code |= unjudged_blind(w, KN_TARGET_CONFIG, BLIND_ABSENCE);
	if (!unjudged_blind(w, KN_TARGET_DEPENDENCY, BLIND_ABSENCE) && !code)
		return;
	u = unjudged_add(w, s, CHECK_SUBMODULE, STR(""));
	if (u && s->now.id_len)
		u->name = crypt_hex(w->a, s->now.id, s->now.id_len);
}

/* The format of a manifest without a reader; NULL: not such a manifest. */
static const struct deps_format *format_without_reader(struct worker *w, struct str path)
{
	const struct deps_format *f = deps_unread(path);

	if (!f)
		return NULL;
	unjudged_clear(w);
	return unjudged_blind(w, KN_TARGET_DEPENDENCY, BLIND_ABSENCE) ? f : NULL;
}

static void report_exempt(struct worker *w, const struct subject *s)
{
	struct check_unjudged *u = text_blind(w, s, CHECK_ATTRIBUTE, s->exempt);

	if (u)
		u->added = s->exempt_added;
}

/* Counted as skipped when a code rule leaves the file alone; its quotes are reported elsewhere. */
static void count_knowledge(struct worker *w, const struct subject *s)
{
	const struct rules *rules = &w->run->rules;
	bool any = false;

	unjudged_clear(w);
	for (size_t i = 0; i < rules->n; i++) {
		const struct rule *r = &rules->p[i];

		if (r->c->target == KN_TARGET_CODE && w->scoped[r->scope] &&
		    code_may_quote(w->run, r, s, false))
			w->blind[i] = any = true;
	}
	if (any)
		mark_as_counted(unjudged_add(w, s, CHECK_KNOWLEDGE_FILE, STR("")));
}

static void judge_one(void *ctx, unsigned thread, size_t i)
{
	struct run *run = ctx;
	struct worker *w = &run->workers[thread];
	const struct subject *s = &run->subjects.p[i];
	const struct deps_format *unread = NULL;
	struct arena *scratch;
	struct wants want;
	bool exempt, included;

	w->at = i;
	if (!thread)
		progress_at(&run->progress, i);
	if (!s->has_now)
		return;
	waive_begin(w, s);
	w->files++;
	rules_scope(run, s->now_glob, w->scoped);
	if (s->has_old)
		rules_scope(run, s->old_glob, w->was_scoped);
	if (run->rules.has_file) {
		file_rule_judge(w, s);
		file_presence(w, s, false, NULL, w->present);
	}
	if (s->now.kind == TREE_SUBMODULE) {
		judge_submodule(w, s);
		return;
	}
	want = rules_wanted(run, w->scoped, s->now.path, NULL);
	if (run->rules.has_dep && !want.deps)
		unread = format_without_reader(w, s->now.path);
	config_unread(w, s);
	included = !want.deps && !unread && may_be_included(run, s);
	if (!wants_any(want) && !unread && !included)
		return;
	if (s->now.kind == TREE_LINK) {
		judge_link(w, s, want.deps, unread);
		return;
	}
	exempt = (want.code || want.imports) && s->exempt.n;
	if (exempt)
		report_exempt(w, s);
	else if (want.code && s->now_knowledge)
		count_knowledge(w, s);
	if (exempt)
		want.code = want.imports = false;
	if (!wants_any(want) && !unread && !included)
		return;
	scratch = arena_new();
	judge_content(w, scratch, s, want, unread);
	waive_end(w);
	arena_free(scratch);
}

void worker_judge(struct run *run)
{
	progress_start(&run->progress, "files judged", run->subjects.n);
	os_parallel_for(run->subjects.n, run->threads, judge_one, run);
	progress_end(&run->progress);
}

/* ---- presence rules, on one side ---- */

struct side {
	struct run *run;
	const struct subject *subjects;
	const bool *pending;
	bool old;
};

static void presence_content(struct worker *w, struct arena *scratch, const struct subject *s,
			     bool old, struct wants want, size_t at, const bool *pending,
			     bool *found)
{
	struct tree *tree = old ? w->run->in->base : w->run->in->now;
	const struct tree_file *f = old ? &s->old : &s->now;
	struct code_text code;
	bool text_wanted = want.code || want.imports;
	size_t max = size_max(want.deps || want.config ? CHECK_MANIFEST_MAX : 0,
			      text_wanted ? w->run->max_file : 0);
	struct deps deps = {0};
	struct str text = {0};
	struct err *e = tree_read(tree, scratch, f, max, &text);

	if (e) {
		if (err_reason(e) != E_TOO_BIG)
			worker_fail(w, at, e);
		return;
	}
	if (text_wanted && text.n <= w->run->max_file && !skip_is_lfs(text) &&
	    code_text_of(scratch, f->path, text, &code)) {
		if (want.code)
			code_presence(w, s, old, &code, pending, found);
		if (want.imports)
			import_presence(w, scratch, s, old, &code, pending, found);
	}
	if (want.config)
		config_presence(w, scratch, f->path, text, pending, found);
	if (want.deps &&
	    !deps_read(scratch, f->path, text, old ? w->run->old_files : w->run->now_files, &deps))
		dep_presence(w, scratch, &deps, pending, found);
}

static void presence_one(void *ctx, unsigned thread, size_t i)
{
	const struct side *side = ctx;
	struct run *run = side->run;
	struct worker *w = &run->workers[thread];
	const struct subject *s = &side->subjects[i];
	const struct tree_file *f = side->old ? &s->old : &s->now;
	bool *found = side->old ? w->was : w->present;
	struct arena *scratch;
	struct wants want;

	if (side->old ? !s->has_old || !s->touched : !s->has_now)
		return;
	w->at = run->subjects.n + i; /* after all files that were judged before */
	rules_scope(run, side->old ? s->old_glob : s->now_glob, w->scoped);
	file_presence(w, s, side->old, side->pending, found);
	want = rules_wanted(run, w->scoped, f->path, side->pending);
	if (side->old ? s->old_exempt : s->exempt.n > 0)
		want.code = want.imports = false;
	if (!wants_any(want) || !is_file(f))
		return;
	scratch = arena_new();
	presence_content(w, scratch, s, side->old, want, i, side->pending, found);
	arena_free(scratch);
}

void worker_presence(struct run *run, const struct subject *s, size_t n, bool old,
		     const bool *pending)
{
	struct side side = {run, s, pending, old};

	os_parallel_for(n, run->threads, presence_one, &side);
}
