/* Links that lead nowhere, and related items that no source has. */
#include "lint/internal.h"
#include "expand/resolve_refs.h"
#include "os/os.h"

/* Joins a folder and a relative path: "docs/adr" and "../x.md". False: it leads outside. */
static bool lint_join(struct arena *a, struct str folder, struct str path, struct str *out)
{
	struct strs parts = {0};
	struct str part;

	while (str_next_part(&folder, '/', &part))
		if (part.n)
			strs_push(a, &parts, part);
	while (str_next_part(&path, '/', &part)) {
		if (str_is(part, "..") && !parts.n)
			return false;
		if (str_is(part, ".."))
			parts.n--;
		else if (part.n && !str_is(part, "."))
			strs_push(a, &parts, part);
	}
	*out = str_join(a, &parts, "/");
	return true;
}

/* Whether a file or folder is there, from the top of the tree or of the item's source. */
static struct err *lint_exists(struct lint *l, const struct kn_item *item, struct str path,
			       bool *exists)
{
	const struct strs *paths;
	struct os_stat st;

	*exists = true;
	if (!path.n)
		return NULL;
	if (item->in_tree) {
		TRY(lint_tree_paths(l, &paths));
		*exists = lint_tree_has_path(paths, path);
		return NULL;
	}
	TRY(os_stat(str_fmt(l->a, "%s/%.*s", item->source->folder, STR_ARG(path)).p, true, &st));
	*exists = st.kind != OS_NONE;
	return NULL;
}

/* Whether the link's target is there: "/x" is relative to the top, as code hosts have it. */
static struct err *lint_link_leads(struct lint *l, const struct kn_item *item, struct str dest,
				   bool *leads)
{
	struct str own = item->in_tree ? item->tree_path : item->path, path;

	*leads = true;
	/* ikm does not look outside the tree and the source. */
	if (!lint_join(l->a, str_starts(dest, STR("/")) ? STR("") : str_dir(own), dest, &path))
		return NULL;
	return lint_exists(l, item, path, leads);
}

/*
 * A link without an extension and without a slash at its end may be an address on a site that is
 * made of these files, as log4brains writes them. So is a path from the top of such a site.
 */
static bool lint_link_is_file(struct str dest)
{
	struct str name = str_base(dest);

	return !str_starts(dest, STR("/")) && str_find_char(name, '.', 1) != SIZE_MAX;
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
			lint_say_at(l, f, LINT_RELATED, v->at.from,
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

		if ((link->kind != REFS_LINK && link->kind != REFS_IMAGE) || !link->dest.n ||
		    !lint_link_is_file(link->dest))
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
