#include "base/sort.h"

struct sort_by {
	sort_order_fn *order;
};

static int sort_cmp(const void *x, const void *y, void *by)
{
	const char *a = *(const char *const *)x, *b = *(const char *const *)y;
	int c = ((const struct sort_by *)by)->order(a, b);

	return c ? c : (a > b) - (a < b);
}

void *sort_into_pointers(struct arena *a, const void *list, size_t n, size_t size,
			 sort_order_fn *by)
{
	const char **p = arena_array(a, n, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		p[i] = (const char *)list + i * size;
	if (n)
		qsort_r(p, n, sizeof(*p), sort_cmp, &(struct sort_by){by});
	return p;
}

void *sort_pointers_find(const void *pointers, size_t n, const void *key, sort_order_fn *by)
{
	void *const *p = pointers;
	size_t low = 0;

	BISECT(low, mid, n, by(p[mid], key) < 0);
	return low < n && !by(p[low], key) ? p[low] : NULL;
}
