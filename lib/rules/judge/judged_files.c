#include "judge/internal.h"
#include "knowledge/load.h"
#include "os/os.h"

bool tree_file_is_regular(const struct tree_file *f)
{
	return f->kind == TREE_FILE || f->kind == TREE_EXEC;
}

bool subject_sides_same_content(const struct subject *s)
{
	return s->has_now && s->has_old && tree_file_is_regular(&s->now) &&
	       tree_file_is_regular(&s->old) && s->now.id_len && s->now.id_len == s->old.id_len &&
	       !memcmp(s->now.id, s->old.id, s->now.id_len);
}

struct err *subjects_diff_against_base(struct run *run)
{
	const struct check_input *in = run->in;

	if (!in->now || !in->base)
		return NULL;
	if (in->changes) {
		run->changes = *in->changes;
	} else {
		TRY(tree_diff(run->a, in->base, in->now, &run->changes));
		TRY(tree_find_renames(in->base, in->now, 0, &run->changes));
	}
	for (size_t i = 0; i < run->changes.n; i++) {
		const struct tree_change *c = &run->changes.p[i];

		if (c->has_old)
			strs_push(run->a, &run->touched, c->old.path);
		if (c->has_new)
			strs_push(run->a, &run->touched, c->new.path);
	}
	strs_sort(&run->touched);
	return NULL;
}

static bool subjects_is_wanted(const struct run *run, struct str path)
{
	const struct strs *only = &run->in->only;

	for (size_t i = 0; i < only->n; i++)
		if (str_is_below(path, only->p[i]))
			return true;
	return !only->n;
}

/* Whether rules read files in this way. */
static bool rules_read(const struct run *run, enum target_reads how)
{
	for (int kind = 0; kind < TARGETS; kind++)
		if (targets[kind]->reads == how && run->rules.kind[kind].n)
			return true;
	return false;
}

/* Reads the .gitattributes exemption here, because only one thread may search a tree. */
static struct err *load_exempt(struct run *run, struct subject *s)
{
	const struct check_waive *waive = &run->in->waive;
	struct str old = {0};

	if (!rules_read(run, READS_TEXT))
		return NULL;
	if (s->has_now && s->now.kind != TREE_LINK && s->now.kind != TREE_SUBMODULE)
		TRY(attrs_exempt(run->now_attrs, s->now.path, &s->exempt));
	/* The report may outlive what is kept of the attributes. */
	if (s->exempt.n)
		s->exempt = str_dup(run->a, s->exempt);
	if (!run->in->base || !s->touched)
		return NULL;
	if (s->exempt.n) {
		TRY(attrs_exempt(run->old_attrs, s->now.path, &old));
		s->exempt_added = !old.n;
		if (s->exempt_added && waive->asks && !waive->trusts) {
			s->exempt_refused = str_fmt(run->a, "%.*s is new and does not count: %s",
						    STR_ARG(s->exempt), waive->asks);
			s->exempt = STR("");
		}
	}
	if (s->has_old && run->rules.has_presence) {
		TRY(attrs_exempt(run->old_attrs, s->old.path, &old));
		s->old_exempt = old.n > 0;
	}
	return NULL;
}

/*
 * The target of a link. Package managers follow links, so a link with the name of a manifest must
 * lead to a judged manifest. Read here too, because it searches the tree.
 */
static struct err *load_link(struct run *run, struct subject *s)
{
	struct tree_file f;
	bool outside, found = false;
	struct str path;
	struct err *e;

	if (!s->has_now || s->now.kind != TREE_LINK ||
	    !(rules_read(run, READS_TEXT) || rules_read(run, READS_BYTES)))
		return NULL;
	e = tree_read(run->in->now, run->a, &s->now, OS_PATH_MAX, &s->target);
	if (e && err_reason(e) == E_TOO_BIG) /* no system follows such a long link */
		s->target = STR("");
	else
		TRY(e);
	if (!run->rules.kind[KN_TARGET_DEPENDENCY].n || !deps_is_always_manifest(s->now.path))
		return NULL;
	/* "./": a path that begins with "/" or "~" would count as outside. */
	path = str_fmt(run->a, "./%.*s/%.*s", STR_ARG(str_dir(s->now.path)), STR_ARG(s->target));
	path = knowledge_inner_path(run->a, path, &outside);
	if (!outside && !str_starts(s->target, STR("/")) && deps_is_manifest(path))
		TRY(tree_find(run->in->now, path, &f, &found));
	s->dangling = !found || !tree_file_is_regular(&f);
	return NULL;
}

/*
 * Whether one of the file's folders is a source of the base, so that the base makes the file
 * knowledge.
 */
static bool in_base_source(const struct run *run, struct str path)
{
	const struct knowledge *k = run->in->base_rules;

	if (!run->in->base || !k)
		return true;
	for (size_t i = 0; i < k->folders.n; i++) {
		struct str folder = k->folders.p[i];

		if (!folder.n ||
		    (str_starts(path, folder) && path.n > folder.n && path.p[folder.n] == '/'))
			return true;
	}
	return false;
}

static struct str glob_path(struct run *run, struct str path)
{
	return run->in->ignore_case ? str_lower(run->a, path) : path;
}

static struct err *subjects_add(struct run *run, struct subjects *out, struct subject s)
{
	s.now_glob = glob_path(run, s.now.path);
	s.old_glob = s.has_old && !str_eq(s.old.path, s.now.path) ? glob_path(run, s.old.path)
								  : s.now_glob;
	s.now_knowledge = s.has_now && strs_sorted_has(&run->knowledge, s.now.path);
	s.in_source = s.now_knowledge && in_base_source(run, s.now.path);
	s.old_knowledge = s.has_old && strs_sorted_has(&run->base_knowledge, s.old.path);
	TRY(load_exempt(run, &s));
	TRY(load_link(run, &s));
	*VEC_PUSH(run->a, out) = s;
	return NULL;
}

struct listing {
	struct run *run;
	struct arena *scratch;
	struct VEC(struct tree_file) files;
};

static struct err *subjects_add_file(void *ctx, const struct tree_file *f)
{
	struct listing *l = ctx;

	if (subjects_is_wanted(l->run, f->path) && !strs_sorted_has(&l->run->touched, f->path))
		*VEC_PUSH(l->scratch, &l->files) = *f;
	return NULL;
}

/* Lists first and looks up afterwards: a tree need not support lookups during a walk. */
struct err *subjects_list_untouched(struct run *run, struct subjects *out)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct listing l = {.run = run, .scratch = scratch};
	bool base = run->in->base;

	TRY(tree_foreach(run->in->now, STR(""), subjects_add_file, &l));
	VEC_ROOM(run->a, out, l.files.n);
	for (size_t i = 0; i < l.files.n; i++) {
		const struct tree_file *f = &l.files.p[i];

		TRY(subjects_add(run, out,
				 (struct subject){.now = *f,
						  .old = *f,
						  .has_now = true,
						  .has_old = base,
						  .touched = !base}));
	}
	return NULL;
}

static bool subjects_is_attrs(struct str path)
{
	return str_is(path, ".gitattributes") || str_ends(path, STR("/.gitattributes"));
}

/*
 * Sets the attributes of both trees. A history is judged commit by commit, and few commits touch
 * .gitattributes, so those of the base, as far as they were read, are those of now.
 */
static void subjects_attrs(struct run *run)
{
	const struct check_input *in = run->in;
	struct check_compiled *c = in->compiled;
	bool same = c && in->base;

	for (size_t i = 0; i < run->changes.n; i++) {
		const struct tree_change *x = &run->changes.p[i];

		if ((x->has_old && subjects_is_attrs(x->old.path)) ||
		    (x->has_new && subjects_is_attrs(x->new.path)))
			same = false;
	}
	if (!c) {
		run->now_attrs = attrs_new(run->a, in->now);
	} else {
		if (c->attrs && (str_eq(c->attrs_of, in->now_id) ||
				 (same && str_eq(c->attrs_of, in->base_id)))) {
			run->now_attrs = c->attrs;
			attrs_switch_tree(run->now_attrs, in->now);
		} else {
			arena_free(c->attrs_arena);
			c->attrs_arena = arena_new();
			run->now_attrs = attrs_new(c->attrs_arena, in->now);
		}
		/* An error could leave them half read. */
		c->attrs = NULL;
	}
	if (in->base)
		run->old_attrs = same ? run->now_attrs : attrs_new(run->a, in->base);
}

struct err *subjects_load(struct run *run)
{
	const struct check_input *in = run->in;

	run->whole = !in->base || in->want_existing;
	if (!in->now)
		return NULL;
	subjects_attrs(run);
	for (size_t i = 0; i < run->changes.n; i++) {
		const struct tree_change *c = &run->changes.p[i];
		struct subject s = {.now = c->new,
				    .old = c->old,
				    .has_now = c->has_new,
				    .has_old = c->has_old,
				    .touched = true};

		if (subjects_is_wanted(run, c->has_new ? c->new.path : c->old.path))
			TRY(subjects_add(run, &run->subjects, s));
	}
	return run->whole ? subjects_list_untouched(run, &run->subjects) : NULL;
}
