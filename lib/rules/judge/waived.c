/* Looks for an exception for each finding. */
#include "judge/internal.h"
#include <pthread.h>

/* ---- what an exception covers ---- */

struct waiver_path {
	struct str path;
	size_t at; /* in the list */
};
/* A list by the paths that its exceptions name: most name one file. The list must not change. */
struct waiver_index {
	const struct waivers *list;
	struct VEC(struct waiver_path) paths; /* sorted */
	struct waiver_places any;             /* those whose globs name no path from the top */
};

ORDER_OF(waiver_path_cmp, struct waiver_path, ORDER_STR(path) || ORDER_UP(at))
ORDER_OF(waiver_place_cmp, size_t, (c = (*a > *b) - (*a < *b)))

static struct waiver_index *waiver_index_new(struct arena *a, const struct waivers *list)
{
	struct waiver_index *x = ARENA_NEW(a, struct waiver_index);

	x->list = list;
	for (size_t i = 0; i < list->n; i++) {
		struct strs paths = {0};

		if (list->p[i].everywhere || !globs_literal_paths(a, &list->p[i].globs, &paths))
			*VEC_PUSH(a, &x->any) = i;
		for (size_t k = 0; k < paths.n; k++)
			*VEC_PUSH(a, &x->paths) = (struct waiver_path){paths.p[k], i};
	}
	VEC_SORT(&x->paths, waiver_path_cmp);
	return x;
}

/* Adds those that name exactly this path, a file or a folder. */
static void waiver_index_add(const struct waiver_index *x, struct arena *a, struct str path,
			     struct waiver_places *out)
{
	size_t low = 0;

	BISECT(low, mid, x->paths.n, str_cmp(x->paths.p[mid].path, path) < 0);
	for (; low < x->paths.n && str_eq(x->paths.p[low].path, path); low++)
		*VEC_PUSH(a, out) = x->paths.p[low].at;
}

/* Those that cover the path. Replaces what `out` has, and keeps its memory. */
static void waiver_index_find(const struct waiver_index *x, struct arena *a, struct str path,
			      struct waiver_places *out)
{
	size_t kept = 0;

	out->n = 0;
	for (size_t i = 0; i < x->any.n; i++)
		*VEC_PUSH(a, out) = x->any.p[i];
	for (size_t slash = 0; (slash = str_find_char(path, '/', slash)) != SIZE_MAX; slash++)
		waiver_index_add(x, a, str_sub(path, 0, slash), out);
	waiver_index_add(x, a, path, out);
	VEC_SORT(out, waiver_place_cmp);
	for (size_t i = 0; i < out->n; i++) {
		size_t at = out->p[i];
		const struct waiver *w = &x->list->p[at];

		/* Two paths of one exception may hold the file. */
		if ((!kept || out->p[kept - 1] != at) &&
		    (path.n ? globs_match(&w->globs, path) : w->everywhere))
			out->p[kept++] = at;
	}
	out->n = kept;
}

void waive_begin_run(struct run *run)
{
	const struct check_waive *k = &run->in->waive;

	run->waivers_now = waiver_index_new(run->a, &k->now);
	run->waivers_base = arena_array(run->a, k->bases.n, sizeof(struct waiver_index *));
	for (size_t i = 0; i < k->bases.n; i++)
		run->waivers_base[i] = waiver_index_new(run->a, &k->bases.p[i].list);
}

static bool waive_covers_rule(const struct waiver *w, const struct kn_item *item,
			      const struct kn_constraint *c)
{
	return (!w->constraint || w->constraint == (int64_t)c->index) &&
	       strs_has(&w->ids, item->id);
}

/*
 * Whether the waiver of a base covers a rule of the change. k: the knowledge of the base. The same
 * rule is looked for there, by what it finds and its severity: in the same item, else in all items,
 * and then each of them must be covered. A rule that the base lacks may have its name only there:
 * the rules that it replaces judge beside it.
 */
static bool waive_covers_rule_in_base(const struct knowledge *k, const struct waiver *w,
				      const struct kn_item *item, const struct kn_constraint *c)
{
	enum kn_severity severity = rule_severity(item, c);
	bool any = false, all = true;

	for (struct rule_at r = {.k = k}; rule_next(&r);) {
		if (!rule_same(r.c, r.severity, c, severity))
			continue;
		if (str_eq(r.item->id, item->id))
			return waive_covers_rule(w, r.item, r.c);
		all = all && waive_covers_rule(w, r.item, r.c);
		any = true;
	}
	return any ? all : waive_covers_rule(w, item, c);
}

/* Whether the waiver covers this package or text; name may be empty. */
static bool waive_matches_text(const struct waiver *w, struct str text, struct str name)
{
	return !w->found.n || strs_has(&w->found, text) || (name.n && strs_has(&w->found, name));
}

/* ---- notes ---- */

struct check_note *waive_add_note(struct arena *a, const struct waiver *x, struct str message,
				  struct check_note_list *out)
{
	struct check_note *n = VEC_PUSH(a, out);

	*n = (struct check_note){
		.kind = CHECK_WAIVER, .path = x->file, .line = x->line, .message = message};
	return n;
}

static void waive_note(struct worker *w, const struct waiver *x, struct str message)
{
	waive_add_note(w->a, x, message, &w->notes);
}

/* ---- the comments of a file, and of its base ---- */

/* A tree answers lookups for one thread at a time. */
static pthread_mutex_t waive_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * The allows of the base, and those of the bases that must have them too, under the name that the
 * file has there. What cannot be read had none.
 */
static void waive_load_base_allows(struct worker *w, struct str path, struct str now)
{
	const struct check_input *in = w->run->in;
	const struct check_waive *k = &in->waive;
	size_t max = size_max(w->run->max_file, CHECK_MANIFEST_MAX);
	struct arena *scratch ARENA_LOCAL = arena_new();
	const struct subject *s = w->subject;

	w->base_allows = (struct waive_olds){0};
	for (size_t i = 0; i <= k->bases.n; i++) {
		const struct waive_base *b = i ? &k->bases.p[i - 1] : NULL;
		struct str old = !i && s->has_old ? s->old.path : path, text;
		struct waive_old *was;
		bool had;

		if (b && !b->must)
			continue;
		for (size_t n = 0; b && b->changes && n < b->changes->n; n++) {
			const struct tree_change *c = &b->changes->p[n];

			if (c->has_new && c->has_old && str_eq(c->new.path, path))
				old = c->old.path;
		}
		if (b || k->tree) {
			struct tree *t = b ? b->tree : k->tree;
			struct tree_file f;
			struct err *e;
			bool found;

			pthread_mutex_lock(&waive_lock);
			e = tree_find(t, old, &f, &found);
			pthread_mutex_unlock(&waive_lock);
			had = !e && found && tree_file_is_regular(&f) &&
			      !tree_read(t, scratch, &f, max, &text);
		} else {
			had = in->base && worker_old_text(w, scratch, s, now, max, &text);
		}
		was = VEC_PUSH(w->a, &w->base_allows);
		*was = (struct waive_old){.rules = b         ? b->knowledge
						   : k->tree ? k->tree_rules
							     : in->base_rules};
		if (had)
			allows_read_comments(w->a, b ? path : old, text, k->today, &was->allows);
		for (size_t n = 0; was->rules && n < was->allows.n; n++)
			waive_resolve(w->a, was->rules, NULL, NULL, &was->allows.p[n].w);
	}
}

/* An allow that moves with its line is not new; one whose end moves on is. */
static void waive_pair(struct worker *w, struct allow *x)
{
	if (x->paired || !w->run->in->waive.has_base)
		return;
	x->paired = true;
	x->was = arena_array(w->a, w->base_allows.n, sizeof(*x->was));
	for (size_t i = 0; i < w->base_allows.n; i++) {
		struct allows *list = &w->base_allows.p[i].allows;

		for (size_t k = 0; k < list->n && !x->was[i]; k++)
			if (allow_existed_before(x, &list->p[k]) &&
			    str_eq(x->covered, list->p[k].covered)) {
				list->p[k].taken = true;
				x->was[i] = &list->p[k];
			}
		x->w.is_new = x->w.is_new || !x->was[i];
	}
}

/* Whether each base waives this rule by the same comment. */
static bool waive_had_rule(const struct worker *w, const struct allow *x, const struct rule *r)
{
	for (size_t i = 0; x->was && i < w->base_allows.n; i++)
		if (!x->was[i] || !waive_covers_rule_in_base(w->base_allows.p[i].rules,
							     &x->was[i]->w, r->item, r->c))
			return false;
	return true;
}

void waive_begin_file(struct worker *w, const struct subject *s)
{
	w->subject = s;
	w->near.path = (struct str){0};
	w->allows_known = false;
	w->allows = (struct allows){0};
	w->base_allows = (struct waive_olds){0};
}

void waive_load_allow_comments(struct worker *w, struct str path, struct str text)
{
	const struct run *run = w->run;

	if (w->allows_known || !w->subject)
		return;
	w->allows_known = true;
	allows_read_comments(w->a, path, text, run->in->waive.today, &w->allows);
	if (w->allows.n && run->in->waive.has_base)
		waive_load_base_allows(w, path, text);
	for (size_t i = 0; i < w->allows.n; i++)
		waive_resolve(w->a, run->in->rules, run->in->base_rules, &run->changes,
			      &w->allows.p[i].w);
}

/* ---- what is said of one ---- */

static struct str waive_sentence(struct arena *a, const struct waiver *x, const char *what)
{
	struct buf b = buf_in(a);

	buf_fmt(&b, "%s for %.*s", what, STR_ARG(x->item));
	if (x->constraint)
		buf_fmt(&b, "#%lld", (long long)x->constraint);
	if (!x->in_comment)
		buf_fmt(&b, " in %.*s", STR_ARG(str_join(a, &x->paths, ", ")));
	buf_fmt(&b, " until %.*s", STR_ARG(x->expires));
	if (x->owner.n)
		buf_fmt(&b, ", %.*s", STR_ARG(x->owner));
	buf_fmt(&b, ": %.*s", STR_ARG(x->reason));
	return buf_as_str(&b);
}

static struct str waive_moved_text(struct arena *a, const struct waiver *x)
{
	return str_fmt(a, "%.*s (it covers a rule that it did not cover before)",
		       STR_ARG(waive_sentence(a, x, "exception")));
}

/* ---- one finding ---- */

static bool waive_is_alive(const struct worker *w, const struct waiver *x)
{
	return waive_days_left(x, w->run->in->waive.today) >= 0;
}

/* Looks up the exceptions that cover the path. */
static void waive_near(struct worker *w, struct str path)
{
	const struct run *run = w->run;

	if (w->near.path.p && str_eq(w->near.path, path))
		return;
	w->near.path = path;
	waiver_index_find(run->waivers_now, w->a, path, &w->near.now);
	for (size_t i = 0; i < run->in->waive.bases.n; i++)
		waiver_index_find(run->waivers_base[i], w->a, path, &w->near.bases[i]);
}

/* The exception of one base that waives this very finding today; SIZE_MAX: none. */
static size_t waive_base_at(const struct worker *w, size_t base, const struct rule *r,
			    const struct finding *f)
{
	const struct waive_base *b = &w->run->in->waive.bases.p[base];
	const struct waiver_places *near = &w->near.bases[base];

	for (size_t i = 0; i < near->n; i++) {
		const struct waiver *x = &b->list.p[near->p[i]];

		if (waive_is_alive(w, x) && waive_matches_text(x, f->text, f->name) &&
		    waive_covers_rule_in_base(b->knowledge, x, r->item, r->c))
			return near->p[i];
	}
	return SIZE_MAX;
}

static bool waive_in_base(const struct worker *w, const struct rule *r, const struct finding *f)
{
	const struct waive_bases *bases = &w->run->in->waive.bases;
	bool granted = false;

	for (size_t i = 0; i < bases->n; i++) {
		bool has = waive_base_at(w, i, r, f) != SIZE_MAX;

		if (bases->p[i].must && !has)
			return false;
		granted = granted || (bases->p[i].grants && has);
	}
	return granted;
}

/* Records the exceptions that the change takes away, and without which the finding counts. */
static void waive_mark_gone(struct worker *w, const struct rule *r, const struct finding *f)
{
	const struct waive_bases *bases = &w->run->in->waive.bases;
	size_t from = 0;

	if (f->waiver || !r->c->waivable)
		return;
	for (size_t i = 0; i < bases->n; i++) {
		size_t at = bases->p[i].grants ? waive_base_at(w, i, r, f) : SIZE_MAX;

		if (at != SIZE_MAX)
			w->waiver_gone[from + at] = true;
		from += bases->p[i].list.n;
	}
}

/* Why an exception does not count. */
static struct str waive_refusal(struct worker *w, const struct rule *r, const struct waiver *x)
{
	const struct check_waive *k = &w->run->in->waive;
	struct str place = waive_entry_place_text(w->a, x);

	if (!r->c->waivable)
		return str_fmt(w->a, "this rule cannot be waived, so %.*s does not count",
			       STR_ARG(place));
	if (!waive_is_alive(w, x))
		return str_fmt(w->a, "the exception at %.*s %.*s", STR_ARG(place),
			       STR_ARG(waive_end_text(w->a, x, k->today)));
	return str_fmt(w->a, "the exception at %.*s %s and does not count: %s", STR_ARG(place),
		       x->is_new ? "is new" : "did not cover this rule before", k->asks);
}

/*
 * Of the exceptions that count the last to end waives the finding; when none counts, the finding
 * says why the first does not. True: it is this one.
 */
static bool waive_try(struct worker *w, const struct rule *r, const struct waiver *x, bool is_new,
		      struct finding *f)
{
	bool counts =
		r->c->waivable && waive_is_alive(w, x) && (!is_new || w->run->in->waive.trusts);

	if (counts ? f->waived && x->ends <= f->waiver->ends : f->waiver != NULL)
		return false;
	f->waiver = x;
	f->refused = counts ? STR("") : waive_refusal(w, r, x);
	f->waived = counts;
	return counts;
}

/* The entry of the file that waives the finding; NULL: none. */
static struct waiver_use *waive_by_file(struct worker *w, const struct rule *r, struct finding *f)
{
	const struct check_waive *k = &w->run->in->waive;
	struct waiver_use *by = NULL;
	bool is_new = false;

	for (size_t i = 0; i < w->near.now.n; i++) {
		size_t at = w->near.now.p[i];
		struct waiver_use *use = &w->waiver_uses[at];
		const struct waiver *x = &k->now.p[at];

		if (!waive_covers_rule(x, r->item, r->c) ||
		    !waive_matches_text(x, f->text, f->name))
			continue;
		if (!w->covering.n)
			is_new = k->has_base && !waive_in_base(w, r, f);
		*VEC_PUSH(w->a, &w->covering) = use;
		if (!waive_try(w, r, x, is_new, f))
			continue;
		use->moved = use->moved || (is_new && !x->is_new);
		by = use;
	}
	return by;
}

/* The comment that waives the finding, and for longer than `by`; else `by`. */
static struct waiver_use *waive_by_allow(struct worker *w, const struct rule *r, size_t line,
					 struct finding *f, struct waiver_use *by)
{
	for (size_t i = 0; i < w->allows.n; i++) {
		struct allow *x = &w->allows.p[i];
		bool moved;

		if (!allow_covers(x, line) || !waive_covers_rule(&x->w, r->item, r->c))
			continue;
		*VEC_PUSH(w->a, &w->covering) = &x->use;
		waive_pair(w, x);
		moved = !x->w.is_new && !waive_had_rule(w, x, r);
		if (!waive_try(w, r, &x->w, x->w.is_new || moved, f))
			continue;
		x->use.moved = x->use.moved || moved;
		by = &x->use;
	}
	return by;
}

/* Of equal allows, those of findings that the base has are the ones that the base has. */
static void waive_pair_existing(struct worker *w, const struct rule *r, struct str text,
				const struct findings *f)
{
	struct code_places places = {.raw = text, .encoding = f->encoding};

	for (size_t i = 0; i < f->n; i++) {
		size_t line;

		if (!f->p[i].existing || f->p[i].at == SIZE_MAX)
			continue;
		line = code_place_of_offset(&places, f->p[i].at).line;
		for (size_t k = 0; k < w->allows.n; k++)
			if (allow_covers(&w->allows.p[k], line) &&
			    waive_covers_rule(&w->allows.p[k].w, r->item, r->c))
				waive_pair(w, &w->allows.p[k]);
	}
}

void waive_findings(struct worker *w, const struct rule *r, struct str path, struct str text,
		    struct findings *f)
{
	const struct check_waive *k = &w->run->in->waive;
	struct code_places places = {.raw = text, .encoding = f->encoding};
	struct str glob = path;
	bool any = false;

	for (size_t i = 0; i < f->n && !any; i++)
		any = !f->p[i].existing;
	if (!any)
		return;
	if (r->c->target != KN_TARGET_FILE && f->encoding == CODE_BYTES)
		waive_load_allow_comments(w, path, text);
	if (!k->now.n && !waive_bases_count_waivers(&k->bases) && !w->allows.n)
		return;
	if (w->run->in->ignore_case)
		glob = str_lower(w->a, path);
	if (w->allows.n && k->has_base)
		waive_pair_existing(w, r, text, f);
	waive_near(w, glob);
	for (size_t i = 0; i < f->n; i++) {
		struct finding *x = &f->p[i];
		struct waiver_use *by;

		if (x->existing)
			continue;
		w->covering.n = 0;
		by = waive_by_file(w, r, x);
		if (w->allows.n && x->at != SIZE_MAX)
			by = waive_by_allow(w, r, code_place_of_offset(&places, x->at).line, x, by);
		for (size_t n = 0; n < w->covering.n; n++) {
			struct waiver_use *use = w->covering.p[n];

			use->covers = true;
			use->counts = use->counts || use == by;
			use->doubled = use->doubled || (by && use != by);
		}
		waive_mark_gone(w, r, x);
	}
}

/* ---- what the exceptions did ---- */

struct str waive_new_waiver_sentence(struct arena *a, const struct waiver *x,
				     const struct check_waive *k)
{
	struct str s = waive_sentence(a, x, "new exception");

	return k->trusts ? s : str_fmt(a, "%.*s (does not count: %s)", STR_ARG(s), k->asks);
}

/* Announces the end of one that ends in some days. */
static void waive_tell_soon(struct worker *w, const struct waiver *x)
{
	int64_t today = w->run->in->waive.today, left = waive_days_left(x, today);

	if (left >= 0 && left <= WAIVE_SOON)
		waive_note(w, x,
			   str_fmt(w->a, "%.*s; what it waives counts again after that day (%.*s)",
				   STR_ARG(waive_sentence(w->a, x, "exception")),
				   STR_ARG(waive_end_text(w->a, x, today))));
}

struct str waive_unused_text(struct arena *a, const struct waiver *x, int64_t today)
{
	if (x->unknown.n)
		return str_fmt(a, "this exception waives nothing: %.*s", STR_ARG(x->unknown));
	if (waive_days_left(x, today) < 0)
		return str_fmt(a, "this exception %.*s and matches nothing: remove it",
			       STR_ARG(waive_end_text(a, x, today)));
	return str_fmt(a, "this exception for %.*s matches nothing: remove it, or correct it",
		       STR_ARG(x->item));
}

/* What a look at all files says of an exception that no finding needs; p NULL: nothing. */
static struct str waive_idle_text(struct arena *a, const struct waiver *x, struct waiver_use use,
				  int64_t today)
{
	if (!use.covers)
		return waive_unused_text(a, x, today);
	if (use.counts || !use.doubled)
		return (struct str){0};
	return str_fmt(a,
		       "this exception for %.*s is not needed: what it covers is waived by another "
		       "one, until the same day or longer; remove it",
		       STR_ARG(x->item));
}

void waive_end_file(struct worker *w)
{
	const struct check_waive *k = &w->run->in->waive;

	for (size_t i = 0; i < w->allows.n; i++) {
		const struct allow *x = &w->allows.p[i];
		struct str idle = {0};

		if (x->w.unknown.n || k->audits)
			idle = waive_idle_text(w->a, &x->w, x->use, k->today);
		if (x->use.moved && k->tells)
			waive_note(w, &x->w, waive_moved_text(w->a, &x->w));
		if (x->w.problem.n)
			waive_note(w, &x->w, x->w.problem);
		else if (idle.p)
			waive_note(w, &x->w, idle);
		else if (x->use.covers && x->w.is_new && k->tells && waive_is_alive(w, &x->w))
			waive_note(w, &x->w, waive_new_waiver_sentence(w->a, &x->w, k));
		else if (x->use.counts)
			waive_tell_soon(w, &x->w);
	}
	waive_begin_file(w, NULL);
}

/* Whether the severity of its rules is too low to be judged here. */
static bool waive_is_left_out(const struct run *run, const struct waiver *x)
{
	bool any = false;

	for (struct rule_at r = {.k = run->in->rules}; rule_next(&r);)
		any |= waive_covers_rule(x, r.item, r.c);
	for (size_t i = 0; i < run->rules.n; i++)
		any = any && !waive_covers_rule(x, run->rules.p[i].item, run->rules.p[i].c);
	return any;
}

/* Whether rules could not read a file that it names, so that it may match something there. */
static bool waive_is_unread(const struct run *run, const struct waiver *x)
{
	for (unsigned t = 0; t < run->threads; t++) {
		const struct check_unjudged_list *list = &run->workers[t].unjudged;

		for (size_t i = 0; i < list->n; i++) {
			struct str path = list->p[i].path;

			if (list->p[i].counted)
				continue;
			if (run->in->ignore_case)
				path = str_lower(run->a, path);
			if (globs_match(&x->globs, path))
				return true;
		}
	}
	return false;
}

static void waive_tell_gone(struct run *run)
{
	const struct waive_bases *bases = &run->in->waive.bases;
	struct strs told = {0};

	for (size_t i = 0, at = 0; i < bases->n; i++)
		for (size_t n = 0; n < bases->p[i].list.n; n++, at++) {
			struct waiver x = bases->p[i].list.p[n];
			struct str text;
			bool gone = false;

			for (unsigned t = 0; t < run->threads; t++)
				gone |= run->workers[t].waiver_gone[at];
			if (!gone)
				continue;
			x.line = 0; /* the file may have fewer lines now */
			text = str_fmt(
				run->a, "%.*s; what it waived counts again",
				STR_ARG(waive_sentence(run->a, &x,
						       "this change takes away the exception")));
			/* Several bases have it. */
			if (strs_has(&told, text))
				continue;
			strs_push(run->a, &told, text);
			waive_note(&run->workers[0], &x, text);
		}
}

void waive_report_waiver_use(struct run *run)
{
	const struct check_waive *k = &run->in->waive;
	struct worker *w = &run->workers[0];

	for (size_t i = 0; i < k->now.n; i++) {
		const struct waiver *x = &k->now.p[i];
		struct waiver_use use = {0};
		struct str idle = {0};

		for (unsigned t = 0; t < run->threads; t++) {
			const struct waiver_use *one = &run->workers[t].waiver_uses[i];

			use.covers |= one->covers;
			use.counts |= one->counts;
			use.doubled |= one->doubled;
			use.moved |= one->moved;
		}
		/* A broken entry was told when it was read. */
		if (x->problem.n)
			continue;
		if (use.moved && k->tells)
			waive_note(w, x, waive_moved_text(run->a, x));
		if (k->audits && !waive_is_left_out(run, x) && !waive_is_unread(run, x))
			idle = waive_idle_text(run->a, x, use, k->today);
		if (idle.p)
			waive_note(w, x, idle);
		else if ((use.counts || (k->audits && !use.covers)) && !x->is_new)
			waive_tell_soon(w, x);
	}
	waive_tell_gone(run);
}
