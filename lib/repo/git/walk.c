/* The queue of a walk through commits, and the commits that it has visited. */
#include "git/walk.h"

/* ---- which commit comes next ---- */

static void walk_swap(struct walk_visit *x, struct walk_visit *y)
{
	struct walk_visit t = *x;

	*x = *y;
	*y = t;
}

void walk_push_commit(struct walk *w, struct walk_visit v)
{
	size_t i = w->heap.n;

	*VEC_PUSH(w->a, &w->heap) = v;
	for (; i && w->heap.p[i].time > w->heap.p[(i - 1) / 2].time; i = (i - 1) / 2)
		walk_swap(&w->heap.p[i], &w->heap.p[(i - 1) / 2]);
}

struct walk_visit walk_pop(struct walk *w)
{
	struct walk_visit top = w->heap.p[0], *p = w->heap.p;
	size_t n = --w->heap.n, i = 0;

	p[0] = p[n];
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < n && p[child + 1].time > p[child].time)
			child++;
		if (child >= n || p[child].time <= p[i].time)
			return top;
		walk_swap(&p[child], &p[i]);
		i = child;
	}
}

static struct str *walk_slot(struct str *table, size_t cap, struct str key)
{
	size_t i = (size_t)str_hash(key) & (cap - 1);

	while (table[i].p && !str_eq(table[i], key))
		i = (i + 1) & (cap - 1);
	return &table[i];
}

bool walk_is_first_visit(struct walk *w, const struct walk_visit *v)
{
	struct buf key = buf_in(w->a);
	struct str *slot;

	buf_put(&key, (struct str){(const char *)v->id, w->g->id_len});
	buf_put(&key, v->path);
	if (2 * w->seen_n >= w->seen_cap) {
		size_t cap = w->seen_cap ? 2 * w->seen_cap : 256;
		struct str *table = arena_array(w->a, cap, sizeof(*table));

		for (size_t i = 0; i < w->seen_cap; i++)
			if (w->seen[i].p)
				*walk_slot(table, cap, w->seen[i]) = w->seen[i];
		w->seen = table;
		w->seen_cap = cap;
	}
	slot = walk_slot(w->seen, w->seen_cap, buf_as_str(&key));
	if (slot->p)
		return false;
	*slot = buf_as_str(&key);
	w->seen_n++;
	return true;
}

bool walk_is_shallow(struct walk *w, const unsigned char *id)
{
	char hex[HEX_MAX];

	return strs_sorted_has(&w->shallow, str_of(id_hex(id, w->g->id_len, hex)));
}
