#include "judge/merge.h"
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
