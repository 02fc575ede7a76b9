/* Rules about two items: equal numbers, and statuses that disagree with what supersedes what. */
#include "lint/run.h"

/* ---- numbers ---- */

/* The number at the front of an id, "0012" of "0012-x", without zeros; empty: a date, or none. */
static struct str lint_number(struct str id)
{
	size_t n = 0, zeros = 0;

	while (n < id.n && ascii_is_digit(id.p[n]))
		n++;
	while (zeros + 1 < n && id.p[zeros] == '0')
		zeros++;
	/* "20200924-x" and "2020-09-24-x" are dates: two decisions of one day are nothing odd. */
	if (!n || n > 5 || (n < id.n && ascii_is_alnum(id.p[n])) ||
	    (n == 4 && id.n > n + 2 && ascii_is_digit(id.p[n + 1]) && ascii_is_digit(id.p[n + 2]) &&
	     (id.n == n + 3 || id.p[n + 3] == '-')))
		return (struct str){"", 0};
	return str_sub(id, zeros, n);
}

static struct str lint_folder(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return str_sub(path, 0, slash == SIZE_MAX ? 0 : slash + 1);
}

struct lint_numbered {
	const struct kn_item *item;
	struct str number, folder;
};

/* By source, folder and number; of equal ones the first path took the number first. */
static int lint_numbered_cmp(const void *x, const void *y)
{
	const struct lint_numbered *a = x, *b = y;
	int c = str_cmp(a->item->source->name, b->item->source->name);

	if (!c)
		c = str_cmp(a->folder, b->folder);
	if (!c)
		c = str_cmp(a->number, b->number);
	return c ? c : str_cmp(a->item->path, b->item->path);
}

static void lint_duplicate_numbers(struct lint *l)
{
	struct {
		struct lint_numbered *p;
		size_t n, cap;
	} v = {0};
	size_t first = 0;

	for (size_t i = 0; i < l->k->items.n; i++) {
		const struct kn_item *item = &l->k->items.p[i];
		struct str number = lint_number(item->id);

		if (number.n && item->source)
			*VEC_PUSH(l->a, &v) =
				(struct lint_numbered){item, number, lint_folder(item->path)};
	}
	if (v.n)
		qsort(v.p, v.n, sizeof(*v.p), lint_numbered_cmp);
	for (size_t i = 1; i < v.n; i++) {
		const struct lint_file *f;

		if (v.p[i].item->source != v.p[first].item->source ||
		    !str_eq(v.p[i].folder, v.p[first].folder) ||
		    !str_eq(v.p[i].number, v.p[first].number)) {
			first = i;
			continue;
		}
		f = lint_file_find(l, v.p[i].item->shown_path);
		if (f)
			lint_say(l, f, LINT_DUPLICATE_NUMBER, (struct place){0},
				 "it has the same number as '%.*s'",
				 STR_ARG(v.p[first].item->shown_path));
	}
}

/* ---- superseding ---- */

static const struct kn_item *lint_item_of(const struct lint *l, const struct kn_item *from,
					  struct str id)
{
	const struct kn_item *found = NULL;

	for (size_t i = 0; i < l->k->items.n; i++)
		if (str_eq(l->k->items.p[i].id, id) &&
		    (!found || l->k->items.p[i].source == from->source))
			found = &l->k->items.p[i];
	return found;
}

/* The status says something else than what another item says of this one. */
static void lint_supersede_status(struct lint *l, const struct lint_file *f)
{
	const struct kn_item *item = f->item;

	if (item->retired_by && item->status_text.n)
		lint_say(l, f, LINT_SUPERSEDE_STATUS, item->status_at,
			 "'%.*s' supersedes it, and its status is '%.*s': write 'superseded by "
			 "%.*s'",
			 STR_ARG(item->retired_by->id),
			 STR_ARG(str_utf8_head(item->status_text, 80)),
			 STR_ARG(item->retired_by->id));
}

/*
 * "superseded by X", and X does not say that it supersedes this item. The reverse is
 * supersede-status, or an item that says "superseded" alone.
 */
static void lint_one_sided(struct lint *l, const struct lint_file *f)
{
	const struct kn_item *item = f->item;

	for (size_t i = 0; i < item->superseded_by.n; i++) {
		const struct kn_item *by = lint_item_of(l, item, item->superseded_by.p[i]);
		bool says = false;

		if (!by || !item->superseded_by_written)
			continue;
		for (size_t k = 0; by->supersedes_written && k < by->supersedes.n && !says; k++)
			says = str_eq(by->supersedes.p[k], item->id);
		if (!says)
			lint_say(l, f, LINT_SUPERSEDE_ONE_SIDED,
				 item->superseded_by_at.line ? item->superseded_by_at
							     : item->status_at,
				 "it says that '%.*s' supersedes it, and that item does not say so",
				 STR_ARG(by->id));
	}
	if (item->superseded_by_written || item->retired_by || item->status != KN_STATUS_SUPERSEDED)
		return;
	for (size_t i = 0; i < item->superseded_by.n; i++)
		lint_say(l, f, LINT_SUPERSEDE_ONE_SIDED, item->status_at,
			 "'%.*s' supersedes it, and its status does not name that item",
			 STR_ARG(item->superseded_by.p[i]));
}

void lint_relations(struct lint *l)
{
	lint_duplicate_numbers(l);
	for (size_t i = 0; i < l->files.n; i++) {
		const struct lint_file *f = &l->files.p[i];

		lint_supersede_status(l, f);
		lint_one_sided(l, f);
	}
}
