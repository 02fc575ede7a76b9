#include "knowledge/former_id.h"
#include "git/comparison_bases.h"

#define FORMER_RENAMES 16

/* The name that one of the paths got between two trees; empty: none was renamed. */
static struct err *former_renamed(struct arena *a, struct tree *was, struct tree *is,
				  const struct strs *paths, struct str *to)
{
	struct tree_changes changes = {0};

	*to = STR("");
	TRY(tree_diff(a, was, is, &changes));
	TRY(tree_find_renames(was, is, 0, &changes));
	for (size_t i = 0; i < changes.n; i++)
		if (changes.p[i].renamed && strs_has(paths, changes.p[i].old.path))
			*to = changes.p[i].new.path;
	return NULL;
}

/* The next name of one of the paths: in the newest commit that touched them, else in `now`. */
static struct err *former_next(struct arena *a, struct git *g, const char *tip, struct tree *head,
			       struct tree *now, const struct strs *paths, struct str *to)
{
	struct bases_range range = {0};
	struct bases_walk steps = {0};
	struct tree *was, *is;
	struct tree_file f;
	bool found = false;

	*to = STR("");
	for (size_t i = 0; i < paths->n && !found; i++)
		TRY(tree_find(head, paths->p[i], &f, &found));
	if (found)
		return former_renamed(a, head, now, paths, to);
	strs_push(a, &range.tips, tip ? str_of(tip) : STR("HEAD"));
	TRY(bases_walk(a, g, &range, paths, 1, &steps));
	if (!steps.n || !steps.p[0].parents.n)
		return NULL;
	TRY(git_tree_at(g, str_c(a, steps.p[0].parents.p[0]), &was));
	TRY(git_tree_at(g, str_c(a, steps.p[0].id), &is));
	return former_renamed(a, was, is, paths, to);
}

struct err *former_id_find_item(struct arena *a, struct git *g, const char *tip, struct tree *now,
				const struct knowledge *k, struct str id,
				const struct kn_item **out)
{
	struct strs paths = {0};
	struct tree *head = NULL;
	struct strs folders = {0};

	*out = NULL;
	if (!g || !now || !id.n || str_has_nul(id) || str_holds(id, "/"))
		return NULL;
	TRY(tip ? git_tree_at(g, tip, &head) : git_tree_head(g, &head));
	/* Where a file with that name may have been an item: beside the items, and in their
	 * sources. */
	strs_add_all(a, &folders, &k->folders);
	VEC_EACH(const struct kn_item, item, &k->items) {
		struct str folder = str_dir(item->tree_path);

		if (item->in_tree && !strs_has(&folders, folder))
			strs_push(a, &folders, folder);
	}
	for (size_t i = 0; i < folders.n; i++)
		strs_push(a, &paths,
			  folders.p[i].n
				  ? str_fmt(a, "%.*s/%.*s.md", STR_ARG(folders.p[i]), STR_ARG(id))
				  : str_fmt(a, "%.*s.md", STR_ARG(id)));
	for (int i = 0; head && paths.n && i < FORMER_RENAMES; i++) {
		struct str to;

		TRY(former_next(a, g, tip, head, now, &paths, &to));
		if (!to.n)
			return NULL;
		for (size_t n = 0; n < k->items.n; n++)
			if (k->items.p[n].in_tree && str_eq(k->items.p[n].tree_path, to)) {
				*out = &k->items.p[n];
				return NULL;
			}
		paths = (struct strs){0};
		strs_push(a, &paths, to);
	}
	return NULL;
}
