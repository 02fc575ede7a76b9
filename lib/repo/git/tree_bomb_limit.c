/*
 * Counts how often a walk enters the same folders again. A tree of thirty levels, each with the
 * same folder twice, has a billion files in thirty objects; real trees repeat few folders.
 */
#include "git/internal.h"

#define REPEATED_MAX ((size_t)512 << 10) /* entries of a diff; a diff of so many takes 150 MB */

/* Half of each id is enough: a false match only makes the count higher. Both 0: free slot. */
struct repeat_key {
	uint64_t one, two;
};

struct repeats {
	struct arena *a;
	struct repeat_key *slot;
	size_t n, cap;
	size_t walked; /* entries below folders that were entered before */
};

struct repeats *repeats_new(struct arena *a)
{
	struct repeats *r = ARENA_NEW(a, struct repeats);

	r->a = a;
	return r;
}

static uint64_t repeat_half(const unsigned char *id)
{
	uint64_t half = 0;

	if (id)
		memcpy(&half, id, sizeof(half));
	return half;
}

static struct repeat_key *repeat_slot(const struct repeats *r, struct repeat_key k)
{
	size_t at = (size_t)(k.one ^ k.two * 0x9e3779b97f4a7c15u) & (r->cap - 1);

	while ((r->slot[at].one || r->slot[at].two) &&
	       (r->slot[at].one != k.one || r->slot[at].two != k.two))
		at = (at + 1) & (r->cap - 1);
	return &r->slot[at];
}

bool repeats_enter_folder(struct repeats *r, const unsigned char *one, const unsigned char *two)
{
	struct repeat_key k = {repeat_half(one), repeat_half(two)}, *slot;

	if (!k.one && !k.two)
		return false;
	if (2 * r->n >= r->cap) {
		struct repeats old = *r;

		r->cap = old.cap ? 2 * old.cap : 256;
		r->slot = arena_array(r->a, r->cap, sizeof(*r->slot));
		for (size_t i = 0; i < old.cap; i++)
			if (old.slot[i].one || old.slot[i].two)
				*repeat_slot(r, old.slot[i]) = old.slot[i];
	}
	slot = repeat_slot(r, k);
	if (slot->one || slot->two)
		return true;
	*slot = k;
	r->n++;
	return false;
}

struct err *repeats_count_entry(struct repeats *r, struct str path, struct str tree)
{
	if (++r->walked <= REPEATED_MAX)
		return NULL;
	return err_help(
		err_add_detail(err_new(E_TOO_BIG,
				       "%.*s repeats the same folders more than %zu times, also "
				       "in '%.*s'",
				       STR_ARG(tree), REPEATED_MAX, STR_ARG(path)),
			       "path", path),
		"such a tree is not made by accident; see it: git ls-tree");
}
