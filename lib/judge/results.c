#include "judge/engine.h"

const char *const check_note_kinds[] = {CHECK_NOTES(ENUM_NAME) NULL};

void report_note(struct run *run, enum check_note_kind kind, bool blocks, struct str path,
		 size_t line, struct str message)
{
	*VEC_PUSH(run->a, &run->out->notes) =
		(struct check_note){kind, blocks, path, line, message, NULL, STR("")};
}

void check_warn(struct arena *a, struct check_report *r, bool blocks, struct str path,
		struct str message)
{
	*VEC_PUSH(a, &r->notes) = (struct check_note){
		.kind = CHECK_WARNING, .blocks = blocks, .path = path, .message = message};
}

/* A total order, so that neither threads nor qsort decide. */
static int by_violation(const void *x, const void *y)
{
	const struct check_violation *a = x, *b = y;

	ORDER_BY(b->severity, a->severity);
	ORDER_BY_STR(a->file, b->file);
	ORDER_BY(a->line, b->line);
	ORDER_BY(a->column, b->column);
	ORDER_BY_STR(a->item->id, b->item->id);
	ORDER_BY(a->item->layer, b->item->layer);
	ORDER_BY(a->constraint->index, b->constraint->index);
	ORDER_BY(a->from_base, b->from_base);
	ORDER_BY(a->existing, b->existing);
	ORDER_BY_STR(a->fingerprint, b->fingerprint);
	ORDER_BY_STR(a->found, b->found);
	ORDER_BY_STR(a->message, b->message);
	return 0;
}

static int by_note(const void *x, const void *y)
{
	const struct check_note *a = x, *b = y;

	ORDER_BY(b->blocks, a->blocks);
	ORDER_BY(a->kind, b->kind);
	ORDER_BY_STR(a->path, b->path);
	ORDER_BY(a->line, b->line);
	ORDER_BY_STR(a->message, b->message);
	return 0;
}

/* Sorts equal findings of a rule of the base and of the edited rule next to each other. */
static int by_duplicate(const void *x, const void *y)
{
	const struct check_violation *a = *(struct check_violation *const *)x;
	const struct check_violation *b = *(struct check_violation *const *)y;

	ORDER_BY_STR(a->item->id, b->item->id);
	ORDER_BY(a->constraint->target, b->constraint->target);
	ORDER_BY_STR(a->file, b->file);
	ORDER_BY(a->line, b->line);
	ORDER_BY(a->column, b->column);
	ORDER_BY_STR(a->found, b->found);
	ORDER_BY(a->from_base, b->from_base);
	ORDER_BY(b->severity, a->severity);
	return by_violation(a, b);
}

static bool is_duplicate(const struct check_violation *a, const struct check_violation *b)
{
	return str_eq(a->item->id, b->item->id) && a->constraint->target == b->constraint->target &&
	       str_eq(a->file, b->file) && a->line == b->line && a->column == b->column &&
	       str_eq(a->found, b->found);
}

/*
 * An edited constraint judges twice, in its old and its new form. A finding of both is listed once,
 * under the new rule unless the old rule is stricter. Findings without a match (something is
 * missing) stay, because the two rules may ask for different things.
 */
static void drop_duplicates(struct arena *a, struct check_violations *list)
{
	size_t n = list->n, kept = 0, first = 0;
	struct check_violation **p = arena_array(a, n, sizeof(*p));
	bool *drop = arena_array(a, n, sizeof(*drop));

	for (size_t i = 0; i < n; i++)
		p[i] = &list->p[i];
	if (n)
		qsort(p, n, sizeof(*p), by_duplicate);
	for (size_t i = 1; i < n; i++) {
		if (!is_duplicate(p[first], p[i])) {
			first = i;
			continue;
		}
		for (size_t j = first; j < i && p[i]->from_base; j++) {
			const struct check_violation *now = p[j];

			if (!now->from_base && now->found.n && now->severity >= p[i]->severity &&
			    now->existing <= p[i]->existing)
				drop[p[i] - list->p] = true;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (!drop[i])
			list->p[kept++] = list->p[i];
	list->n = kept;
}

#define MERGE(run, to, from)                                                                       \
	do {                                                                                       \
		for (size_t i_ = 0; i_ < (from)->n; i_++)                                          \
			*VEC_PUSH((run)->a, (to)) = (from)->p[i_];                                 \
	} while (0)
#define SORT(v, cmp)                                                                               \
	do {                                                                                       \
		if ((v)->n)                                                                        \
			qsort((v)->p, (v)->n, sizeof(*(v)->p), (cmp));                             \
	} while (0)

void notes_sort(struct check_note_list *list)
{
	SORT(list, by_note);
}

void check_arrange(struct arena *a, struct check_report *out)
{
	drop_duplicates(a, &out->violations);
	drop_duplicates(a, &out->waived);
	SORT(&out->violations, by_violation);
	SORT(&out->waived, by_violation);
}

void report_finish(struct run *run)
{
	struct check_report *out = run->out;

	for (unsigned t = 0; t < run->threads; t++) {
		const struct worker *w = &run->workers[t];

		MERGE(run, &out->violations, &w->violations);
		MERGE(run, &out->waived, &w->waived);
		MERGE(run, &out->notes, &w->notes);
		out->waived_count += w->waived_count;
		out->existing += w->existing;
		out->files += w->files;
		out->manifests += w->manifests;
		out->unresolved += w->unresolved;
	}
	check_arrange(run->a, out);
	rules_note_kept(run);
	notes_sort(&out->notes);
	unjudged_finish(run);
	reports_count(out);
}

/*
 * Merging two reports. For two pushed tips the result has the findings of both. For two bases of
 * one tip only findings that both reports have are new.
 */

/* ---- several tips ---- */

static int by_place_of_finding(const void *x, const void *y)
{
	const struct check_violation *a = x, *b = y;

	ORDER_BY_STR(a->fingerprint, b->fingerprint);
	ORDER_BY_STR(a->file, b->file);
	ORDER_BY(a->line, b->line);
	ORDER_BY_STR(a->item->id, b->item->id);
	return 0;
}

static int by_strict_finding(const void *x, const void *y)
{
	const struct check_violation *a = *(const struct check_violation *const *)x;
	const struct check_violation *b = *(const struct check_violation *const *)y;
	int c = by_place_of_finding(a, b);

	if (c)
		return c;
	ORDER_BY(a->existing, b->existing);
	ORDER_BY(b->severity, a->severity);
	return (a > b) - (a < b);
}

static int by_place_of_note(const void *x, const void *y)
{
	const struct check_note *a = x, *b = y;

	ORDER_BY(a->kind, b->kind);
	ORDER_BY(a->line, b->line);
	ORDER_BY_STR(a->path, b->path);
	ORDER_BY_STR(a->commit, b->commit);
	ORDER_BY_STR(a->message, b->message);
	return 0;
}

static int by_strict_note(const void *x, const void *y)
{
	const struct check_note *a = *(const struct check_note *const *)x;
	const struct check_note *b = *(const struct check_note *const *)y;
	int c = by_place_of_note(a, b);

	if (c)
		return c;
	ORDER_BY(b->blocks, a->blocks);
	return (a > b) - (a < b);
}

typedef int agree_compare(const void *x, const void *y);

/*
 * Keeps the strictest of equal elements, in their order, and returns how many stay. `strict` orders
 * pointers to elements by the same members as `same`, then by strictness.
 */
static size_t agree_drop_equal(void *list, size_t n, size_t size, agree_compare *same,
			       agree_compare *strict)
{
	struct arena *a = arena_new();
	char *from = list, **p = arena_array(a, n, sizeof(*p));
	bool *drop = arena_array(a, n, sizeof(*drop));
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		p[i] = from + i * size;
	if (n)
		qsort(p, n, sizeof(*p), strict);
	for (size_t i = 1; i < n; i++)
		drop[(size_t)(p[i] - from) / size] = !same(p[i - 1], p[i]);
	for (size_t i = 0; i < n; i++)
		if (!drop[i])
			memmove(from + kept++ * size, from + i * size, size);
	arena_free(a);
	return kept;
}

void reports_merge(struct arena *a, struct check_report *to, const struct check_report *from)
{
	bool passed = to->passed && from->passed;

	for (size_t i = 0; i < from->violations.n; i++)
		*VEC_PUSH(a, &to->violations) = from->violations.p[i];
	to->violations.n =
		agree_drop_equal(to->violations.p, to->violations.n, sizeof(*to->violations.p),
				 by_place_of_finding, by_strict_finding);
	for (size_t i = 0; i < from->waived.n; i++)
		*VEC_PUSH(a, &to->waived) = from->waived.p[i];
	to->waived.n = agree_drop_equal(to->waived.p, to->waived.n, sizeof(*to->waived.p),
					by_place_of_finding, by_strict_finding);
	to->waived_count += from->waived_count;
	to->waivers_first |= from->waivers_first;
	for (size_t i = 0; i < from->rule_changes.n; i++)
		if (!rule_changes_has(&to->rule_changes, &from->rule_changes.p[i]))
			*VEC_PUSH(a, &to->rule_changes) = from->rule_changes.p[i];
	to->existing += from->existing;
	check_unjudged_merge(a, to, from);
	for (size_t i = 0; i < from->notes.n; i++)
		*VEC_PUSH(a, &to->notes) = from->notes.p[i];
	to->notes.n = agree_drop_equal(to->notes.p, to->notes.n, sizeof(*to->notes.p),
				       by_place_of_note, by_strict_note);
	reports_count(to);
	to->passed = passed;
	to->no_knowledge = to->no_knowledge && from->no_knowledge;
	to->items = from->items > to->items ? from->items : to->items;
	to->active = from->active > to->active ? from->active : to->active;
	to->constraints = from->constraints > to->constraints ? from->constraints : to->constraints;
	to->broken = from->broken > to->broken ? from->broken : to->broken;
	to->files += from->files;
	to->manifests += from->manifests;
	to->garden += from->garden;
	to->not_judged = from->not_judged > to->not_judged ? from->not_judged : to->not_judged;
	to->unresolved += from->unresolved;
	/* The counts of rules are those of the tip with the fewest rules. */
	if (from->compared && (!to->compared || from->rules < to->rules)) {
		to->rules = from->rules;
		to->rules_before = from->rules_before;
	}
	to->compared = to->compared || from->compared;
}

/* ---- several bases ---- */

/* One finding of a report, sorted so that equal findings of two reports meet. */
struct finding_at {
	const struct check_violation *v;
	bool used;
};

static int by_fingerprint(const struct check_violation *x, const struct check_violation *y)
{
	int c = str_cmp(x->fingerprint, y->fingerprint);

	return c ? c : (x->severity > y->severity) - (x->severity < y->severity);
}

static int finding_at_cmp(const void *x, const void *y)
{
	return by_fingerprint(((const struct finding_at *)x)->v, ((const struct finding_at *)y)->v);
}

static struct finding_at *findings_by_fingerprint(struct arena *a, const struct check_report *r,
						  size_t *n)
{
	struct finding_at *p = arena_array(a, r->violations.n, sizeof(*p));

	*n = 0;
	for (size_t i = 0; i < r->violations.n; i++)
		if (!r->violations.p[i].existing)
			p[(*n)++].v = &r->violations.p[i];
	if (*n)
		qsort(p, *n, sizeof(*p), finding_at_cmp);
	return p;
}

/*
 * Marks the findings of one group that the other group has too, each of the other's findings once.
 * Findings at the same place match first, because the bases may blame different ones of several
 * equal findings.
 */
static void agree_mark_group(struct finding_at *mine, size_t n, struct finding_at *theirs, size_t m)
{
	for (int exact = 1; exact >= 0; exact--)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < m && !mine[i].used; j++) {
				const struct check_violation *v = mine[i].v, *w = theirs[j].v;

				if (theirs[j].used ||
				    (exact && (v->line != w->line || v->column != w->column)))
					continue;
				mine[i].used = theirs[j].used = true;
			}
}

/* Sets shared[i] for each new finding of r that the other report has too. */
static void mark_shared(struct arena *a, const struct check_report *r,
			const struct check_report *other, bool *shared)
{
	size_t n, m, i = 0, j = 0;
	struct finding_at *mine = findings_by_fingerprint(a, r, &n);
	struct finding_at *theirs = findings_by_fingerprint(a, other, &m);

	while (i < n && j < m) {
		int c = by_fingerprint(mine[i].v, theirs[j].v);
		size_t k = i, l = j;

		if (c) {
			i += c < 0;
			j += c > 0;
			continue;
		}
		while (k < n && !by_fingerprint(mine[k].v, mine[i].v))
			k++;
		while (l < m && !by_fingerprint(theirs[l].v, theirs[j].v))
			l++;
		agree_mark_group(mine + i, k - i, theirs + j, l - j);
		i = k;
		j = l;
	}
	for (i = 0; i < n; i++)
		shared[mine[i].v - r->violations.p] = mine[i].used;
}

static void keep_shared_notes(struct check_report *r, const struct check_report *other)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->notes.n; i++) {
		struct check_note *n = &r->notes.p[i];
		bool found = false, blocks = false;

		for (size_t j = 0; j < other->notes.n; j++) {
			const struct check_note *m = &other->notes.p[j];

			if (m->kind != n->kind || m->line != n->line || !str_eq(m->path, n->path) ||
			    !str_eq(m->message, n->message))
				continue;
			found = true;
			blocks = blocks || m->blocks;
		}
		/* Broken knowledge is always reported. */
		if (!found && n->kind != CHECK_BROKEN)
			continue;
		n->blocks = n->blocks && blocks;
		r->notes.p[kept++] = *n;
	}
	r->notes.n = kept;
}

void reports_count(struct check_report *r)
{
	r->info = r->warn = r->block = 0;
	for (size_t i = 0; i < r->violations.n; i++) {
		const struct check_violation *v = &r->violations.p[i];

		r->info += !v->existing && v->severity == KN_SEVERITY_INFO;
		r->warn += !v->existing && v->severity == KN_SEVERITY_WARN;
		r->block += !v->existing && v->severity == KN_SEVERITY_BLOCK;
	}
	for (size_t i = 0; i < r->notes.n; i++)
		r->block += r->notes.p[i].blocks;
	for (size_t i = 0; i < r->rule_changes.n; i++)
		r->block += r->rule_changes.p[i].blocks;
	for (size_t i = 0; i < r->unjudged.n; i++)
		r->block += r->unjudged.p[i].blocks;
	r->passed = !r->block;
}

unsigned reports_agree(struct arena *a, struct check_report *r, const struct check_report *other,
		       bool want_existing)
{
	bool *shared = arena_array(a, r->violations.n, sizeof(*shared));
	unsigned dropped = 0;
	size_t kept = 0;

	mark_shared(a, r, other, shared);
	for (size_t i = 0; i < r->violations.n; i++) {
		struct check_violation *v = &r->violations.p[i];

		if (!v->existing && !shared[i]) {
			v->existing = true;
			r->existing++;
			dropped++;
			if (!want_existing)
				continue;
		}
		r->violations.p[kept++] = *v;
	}
	r->violations.n = kept;
	keep_shared_notes(r, other);
	check_unjudged_keep_shared(a, r, other);
	reports_count(r);
	return dropped;
}
