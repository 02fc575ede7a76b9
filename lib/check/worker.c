#include "base/base.h"
#include "check/engine.h"
#include "os/os.h"

void worker_fail(struct worker *w, size_t at, const struct err *e)
{
	if (w->failed.n && w->failed_at < at)
		return;
	w->failed_at = at;
	w->reason = err_reason(e);
	w->failed = str_dup(w->a, str_of(err_message(e)));
}

/* Errors live in their thread, so the main one makes its own of the first. */
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

static bool same_content(const struct subject *s)
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
	if (same_content(s)) {
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

/* Which rules apply by path alone. */
struct wants {
	bool code, deps;
	bool code_blocks, deps_block;
	/* A blocking code rule names the file in its appliesTo, so somebody thinks it is text. A
	 * rule about everything says nothing of pictures and links. */
	bool code_named;
};

static struct wants wants_of(const struct run *run, const bool *scoped, struct str path,
			     const bool *pending)
{
	bool manifest = run->rules.has_dep && deps_is_manifest(path);
	struct wants want = {0};

	for (size_t i = 0; i < run->rules.n; i++) {
		const struct rule *r = &run->rules.p[i];
		bool block = r->severity == KN_SEVERITY_BLOCK;

		if (!scoped[r->scope] || (pending && !pending[i]))
			continue;
		if (r->c->target == KN_TARGET_CODE) {
			want.code = true;
			want.code_blocks |= block;
			want.code_named |= block && run->rules.scopes.p[r->scope].texts->n;
		} else if (r->c->target == KN_TARGET_DEPENDENCY && manifest) {
			want.deps = true;
			want.deps_block |= block;
		}
	}
	return want;
}

static void skip(struct worker *w, const struct subject *s, enum check_skip why, struct str detail,
		 bool blocking)
{
	*VEC_PUSH(w->a, &w->skipped) = (struct check_skipped){
		.path = str_dup(w->a, s->now.path),
		.why = why,
		.detail = str_dup(w->a, detail),
		.blocking = blocking,
		.added = why == SKIP_GENERATED && s->exempt_added,
	};
}

/*
 * A manifest that rules apply to and that nobody can read. Where the change left it alone that is
 * a warning; where it touches it, it could hide anything, so a blocking rule blocks.
 */
static void unreadable(struct worker *w, const struct subject *s, bool blocks, struct str why)
{
	bool changed = s->touched && !(same_content(s) && deps_is_manifest(s->old.path));
	struct str message =
		str_fmt(w->a, "dependency rules cannot judge this manifest: %.*s", STR_ARG(why));

	skip(w, s, SKIP_UNREADABLE, why, blocks);
	note_add(w, CHECK_UNREADABLE, blocks && changed, s->now.path, message);
}

static struct str too_big(struct arena *scratch, size_t max)
{
	return str_fmt(scratch, "over %zu bytes", max);
}

static void judge_manifest(struct worker *w, struct arena *scratch, const struct subject *s,
			   struct str text, bool blocks)
{
	struct deps deps = {0};
	struct err *e = deps_read(scratch, s->now.path, text, w->run->now_files, &deps);

	if (e) {
		unreadable(w, s, blocks, str_of(err_message(e)));
		return;
	}
	w->manifests++;
	w->unresolved += (unsigned)deps.unresolved.n;
	dep_judge(w, scratch, s, text, &deps);
	dep_presence(w, scratch, &deps, NULL, w->present);
}

/* NULL: it is code as far as the text tells. */
static const char *no_code(struct str text)
{
	if (skip_is_lfs(text))
		return "Git LFS pointer";
	return skip_is_binary(text) ? "NUL byte" : NULL;
}

static void judge_content(struct worker *w, struct arena *scratch, const struct subject *s,
			  const struct wants *want, bool code)
{
	size_t max_code = w->run->max_file;
	size_t max = size_max(want->deps ? CHECK_MANIFEST_MAX : 0, code ? max_code : 0);
	struct str text = {0};
	struct err *e = tree_read(w->run->in->now, scratch, &s->now, max, &text);
	const char *why;

	if (e && err_reason(e) != E_TOO_BIG) {
		worker_fail(w, (size_t)(s - w->run->subjects.p), e);
		return;
	}
	if (code && (e || text.n > max_code)) {
		skip(w, s, SKIP_TOO_BIG, too_big(scratch, max_code), want->code_blocks);
	} else if (code) {
		why = no_code(text);
		if (why)
			skip(w, s, SKIP_BINARY, str_of(why), want->code_named);
		else
			code_judge(w, scratch, s, text);
	}
	if (want->deps && (e || text.n > CHECK_MANIFEST_MAX))
		unreadable(w, s, want->deps_block, too_big(scratch, CHECK_MANIFEST_MAX));
	else if (want->deps)
		judge_manifest(w, scratch, s, text, want->deps_block);
}

static void judge_one(void *ctx, unsigned thread, size_t i)
{
	struct run *run = ctx;
	struct worker *w = &run->workers[thread];
	const struct subject *s = &run->subjects.p[i];
	struct arena *scratch;
	struct wants want;
	bool code;

	if (!thread)
		progress_at(&run->progress, i);
	if (!s->has_now)
		return;
	w->files++;
	rules_scope(run, s->now.path, w->scoped);
	if (s->has_old)
		rules_scope(run, s->old.path, w->was_scoped);
	if (run->rules.has_file) {
		file_judge(w, s);
		file_presence(w, s->now.path, NULL, w->present);
	}
	want = wants_of(run, w->scoped, s->now.path, NULL);
	if (!want.code && !want.deps)
		return;
	if (want.deps && s->astray.n) {
		unreadable(w, s, want.deps_block,
			   str_fmt(w->a, "it is a symbolic link to '%.*s', which is not judged",
				   STR_ARG(s->astray)));
		return;
	}
	if (!is_file(&s->now)) {
		skip(w, s, s->now.kind == TREE_LINK ? SKIP_LINK : SKIP_SUBMODULE, STR(""),
		     want.code_named || (want.deps_block && s->now.kind == TREE_SUBMODULE));
		return;
	}
	code = want.code && !s->now_knowledge && !s->exempt.n;
	if (want.code && s->now_knowledge)
		skip(w, s, SKIP_KNOWLEDGE, STR(""), false);
	else if (want.code && s->exempt.n)
		skip(w, s, SKIP_GENERATED, s->exempt, want.code_blocks);
	if (!code && !want.deps)
		return;
	scratch = arena_new();
	judge_content(w, scratch, s, &want, code);
	arena_free(scratch);
}

void worker_judge(struct run *run)
{
	progress_start(&run->progress, "files judged", run->subjects.n);
	os_parallel(run->subjects.n, run->threads, judge_one, run);
	progress_end(&run->progress);
}

/* ---- presence rules, on one side ---- */

struct side {
	struct run *run;
	const struct subject *subjects;
	const bool *pending;
	bool old;
};

static void presence_content(struct worker *w, struct arena *scratch, const struct side *side,
			     const struct tree_file *f, struct wants want, size_t at, bool *found)
{
	struct run *run = side->run;
	const struct deps_files *files = side->old ? run->old_files : run->now_files;
	size_t max = size_max(want.deps ? CHECK_MANIFEST_MAX : 0, want.code ? w->run->max_file : 0);
	struct deps deps = {0};
	struct str text = {0};
	struct err *e = tree_read(side->old ? run->in->base : run->in->now, scratch, f, max, &text);

	if (e) {
		if (err_reason(e) != E_TOO_BIG)
			worker_fail(w, at, e);
		return;
	}
	if (want.code && text.n <= w->run->max_file && !no_code(text))
		code_presence(w, text, side->pending, found);
	if (want.deps && !deps_read(scratch, f->path, text, files, &deps))
		dep_presence(w, scratch, &deps, side->pending, found);
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
	rules_scope(run, f->path, w->scoped);
	file_presence(w, f->path, side->pending, found);
	want = wants_of(run, w->scoped, f->path, side->pending);
	if (side->old ? s->old_knowledge || s->old_exempt : s->now_knowledge || s->exempt.n)
		want.code = false;
	if ((!want.code && !want.deps) || !is_file(f))
		return;
	scratch = arena_new();
	presence_content(w, scratch, side, f, want, i, found);
	arena_free(scratch);
}

void worker_presence(struct run *run, const struct subject *s, size_t n, bool old,
		     const bool *pending)
{
	struct side side = {run, s, pending, old};

	os_parallel(n, run->threads, presence_one, &side);
}
