/* Finds the exceptions of a list that cover a path: most of them name one file. */
#include "waive/waive.h"

struct waiver_path {
	struct str path;
	size_t at; /* in the list */
};
struct waiver_index {
	const struct waivers *list;
	struct VEC(struct waiver_path) paths; /* sorted */
	struct waiver_places any;             /* those whose globs name no path from the top */
};

ORDER_OF(waiver_path_cmp, struct waiver_path, ORDER_STR(path) || ORDER_UP(at))
ORDER_OF(waiver_place_cmp, size_t, (c = (*a > *b) - (*a < *b)))

struct waiver_index *waiver_index_new(struct arena *a, const struct waivers *list)
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

void waiver_index_find(const struct waiver_index *x, struct arena *a, struct str path,
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
