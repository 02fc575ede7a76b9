/*
 * Finds members of large maps by name without reading the whole map for each name. A manifest may
 * have megabytes, and need each of its names in another of its maps. An attacker can write such a
 * manifest.
 */
#include "deps/reader.h"

/* With fewer members, a linear search is faster than sorting. */
#define LOOKUP_FEW 16

struct reader_lookup {
	struct lookup_map {
		const struct val *map; /* NULL: free */
		const struct val **sorted;
		size_t n;
	} * slots; /* open addressing by the map's address, at most half full */
	size_t n, cap;
};

static int lookup_cmp(const void *x, const void *y)
{
	return str_cmp((*(const struct val *const *)x)->key, (*(const struct val *const *)y)->key);
}

static struct lookup_map *lookup_slot(const struct reader_lookup *l, const struct val *map)
{
	size_t i = (size_t)((uintptr_t)map * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (l->cap - 1);

	while (l->slots[i].map && l->slots[i].map != map)
		i = (i + 1) & (l->cap - 1);
	return &l->slots[i];
}

static void lookup_grow(struct reader *r, struct reader_lookup *l)
{
	struct reader_lookup old = *l;

	l->cap = old.cap ? old.cap * 2 : 16;
	l->slots = arena_array(r->a, l->cap, sizeof(*l->slots));
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].map)
			*lookup_slot(l, old.slots[i].map) = old.slots[i];
}

static const struct val **lookup_sort(struct reader *r, const struct val *map)
{
	const struct val **sorted = arena_array(r->a, map->n, sizeof(*sorted));
	size_t n = 0;

	VAL_EACH(map, m)
		sorted[n++] = m;
	qsort(sorted, n, sizeof(*sorted), lookup_cmp);
	return sorted;
}

const struct val *reader_find(struct reader *r, const struct val *map, struct str key)
{
	struct reader_lookup *l = r->lookup;
	struct val wanted = {.key = key};
	const struct val *want = &wanted, **found;
	struct lookup_map *slot;

	if (!map || map->type != VAL_MAP || map->n < LOOKUP_FEW)
		return val_get_key(map, key);
	if (!l)
		l = r->lookup = ARENA_NEW(r->a, struct reader_lookup);
	if (l->n >= l->cap / 2)
		lookup_grow(r, l);
	slot = lookup_slot(l, map);
	if (!slot->map) {
		*slot = (struct lookup_map){map, lookup_sort(r, map), map->n};
		l->n++;
	}
	if (slot->n != map->n)
		BUG("a map has grown from %zu to %zu members since it was searched", slot->n,
		    map->n);
	found = bsearch(&want, slot->sorted, map->n, sizeof(*slot->sorted), lookup_cmp);
	return found ? *found : NULL;
}
