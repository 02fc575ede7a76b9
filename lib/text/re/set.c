/*
 * Sets of patterns: one pass searches for the required literals of many patterns. Short literals
 * have their own pass. In a common pass the shortest literal would set the stride for all.
 */
#include "re/internal.h"

#define SHORT 4

struct re_set {
	size_t n, with_lits;
	const bool *always; /* n members */
	struct finder *shorter, *longer;
};

static struct finder *finder_of(struct arena *a, const struct re *const *patterns, size_t n,
				size_t from, size_t to)
{
	struct VEC(struct owned_lit) v = {0};

	for (size_t i = 0; i < n; i++) {
		const struct literals *l = re_literals(patterns[i]);

		for (size_t k = 0; k < l->n; k++)
			if (l->p[k].n >= from && l->p[k].n < to)
				*VEC_PUSH(a, &v) = (struct owned_lit){l->p[k], (uint32_t)i};
	}
	return v.n ? finder_new(a, v.p, v.n) : NULL;
}

struct err *re_set_new(struct arena *a, const struct re *const *patterns, size_t n,
		       struct re_set **out)
{
	struct re_set *set = ARENA_NEW(a, struct re_set);
	bool *always = arena_array(a, n, sizeof(*always));

	set->n = n;
	for (size_t i = 0; i < n; i++) {
		always[i] = !re_literals(patterns[i])->n;
		set->with_lits += !always[i];
	}
	set->always = always;
	set->shorter = finder_of(a, patterns, n, LIT_MIN, SHORT);
	set->longer = finder_of(a, patterns, n, SHORT, LIT_MAX + 1);
	*out = set;
	return NULL;
}

void re_set_scan(const struct re_set *set, struct str text, bool *may)
{
	size_t left = set->with_lits;

	if (!set->n)
		return;
	memcpy(may, set->always, set->n * sizeof(*may));
	if (set->longer)
		finder_mark_literal_owners(set->longer, text, may, &left);
	if (set->shorter)
		finder_mark_literal_owners(set->shorter, text, may, &left);
}
