/* Rules about two items: statuses that disagree with what supersedes what. */
#include "lint/internal.h"

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
	VEC_EACH(const struct lint_file, f, &l->files) {
		lint_supersede_status(l, f);
		lint_one_sided(l, f);
	}
}
