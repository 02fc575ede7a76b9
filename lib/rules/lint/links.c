/* Rules about what an item names: links, related items, and items that supersede each other. */
#include "lint/internal.h"
#include "expand/resolve_refs.h"
#include "knowledge/load.h"
#include "os/os.h"

/* Whether the link's target is there: "/x" is relative to the top, as code hosts have it. */
static struct err *lint_link_leads(struct lint *l, const struct kn_item *item, struct str dest,
				   bool *leads)
{
	struct str own = str_dir(item->in_tree ? item->tree_path : item->path), path;
	const struct strs *paths;
	struct os_stat st;
	bool outside;

	*leads = !str_has_nul(dest);
	if (!*leads)
		return NULL;
	path = str_starts(dest, STR("/")) ? STR("") : own;
	path = knowledge_inner_path(
		l->a, str_fmt(l->a, "./%.*s/%.*s", STR_ARG(path), STR_ARG(dest)), &outside);
	/* ikm does not look outside the tree and the source. */
	if (outside || !path.n)
		return NULL;
	if (item->in_tree) {
		TRY(lint_tree_paths(l, &paths));
		*leads = lint_tree_has_path(paths, path);
		return NULL;
	}
	TRY(os_stat(str_fmt(l->a, "%s/%.*s", item->source->folder, STR_ARG(path)).p, true, &st));
	*leads = st.kind != OS_NONE;
	return NULL;
}

static struct err *lint_related(struct lint *l, const struct lint_file *f)
{
	const struct val *list = val_get(val_get(f->front, "metadata"), "relatedItems");
	bool alone = list && list->type != VAL_LIST;

	for (const struct val *v = !list   ? NULL
				   : alone ? list
					   : list->first;
	     v; v = alone ? NULL : v->next) {
		struct str name = v->type == VAL_MAP ? val_get_str(v, "id") : v->s;
		const struct kn_item *item;
		struct err *e;

		if ((v->type != VAL_STR && v->type != VAL_NUM && v->type != VAL_MAP) || !name.n)
			continue;
		e = knowledge_resolve_item_name(l->a, l->k, name, -1, &item);
		if (e && err_reason(e) == E_NO_SUCH_ITEM)
			lint_say(l, f, LINT_RELATED, str_place_of_offset(f->text, v->at.from),
				 "relatedItems names '%.*s', which no source has",
				 STR_ARG(str_utf8_head(name, 80)));
	}
	return NULL;
}

struct err *lint_links(struct lint *l, const struct lint_file *f)
{
	struct places w = {.text = f->text};
	struct refs_links links = {0};
	struct str body = str_sub(f->text, f->body, f->text.n);

	if (lint_wants(l, LINT_RELATED))
		TRY(lint_related(l, f));
	if (!lint_wants(l, LINT_LINK) || !f->md.n)
		return NULL;
	refs_find_in_text(l->a, body, true, &links);
	VEC_EACH(const struct refs_link, link, &links) {
		bool leads;

		/*
		 * A link without an extension and without a slash at its end may be an address on a
		 * site that is made of these files, as log4brains writes them. So is a path from
		 * the top of such a site.
		 */
		if ((link->kind != REFS_LINK && link->kind != REFS_IMAGE) || !link->dest.n ||
		    str_starts(link->dest, STR("/")) ||
		    str_find_char(str_base(link->dest), '.', 1) == SIZE_MAX)
			continue;
		TRY(lint_link_leads(l, f->item, link->dest, &leads));
		if (!leads)
			lint_say(l, f, LINT_LINK,
				 str_place_of_next_offset(&w, f->body + link->at.from),
				 "the link leads to '%.*s', which is not there",
				 STR_ARG(str_utf8_head(link->dest, 200)));
	}
	return NULL;
}

/* ---- two items: statuses that disagree with what supersedes what ---- */

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
		const struct kn_item *item = f->item;

		/* The status says something else than what another item says of this one. */
		if (item->retired_by && item->status_text.n)
			lint_say(l, f, LINT_SUPERSEDE_STATUS, item->status_at,
				 "'%.*s' supersedes it, and its status is '%.*s': write "
				 "'superseded by %.*s'",
				 STR_ARG(item->retired_by->id),
				 STR_ARG(str_utf8_head(item->status_text, 80)),
				 STR_ARG(item->retired_by->id));
		lint_one_sided(l, f);
	}
}
