/* Ranks memories of branches that HEAD does not have behind others. */
#include "memory/rank.h"
#include "memory/ties.h"

void rank_behind_merged(struct memory_ground *ground, struct arena *a, struct ranked_list *all)
{
	const struct memory **placed;
	size_t n = 0;

	if (!ground)
		return;
	placed = arena_array(a, all->n, sizeof(*placed));
	for (size_t i = 0; i < all->n; i++)
		if (all->p[i].meant && all->p[i].memory->commit.n)
			placed[n++] = all->p[i].memory;
	memory_ties_reach(ground, placed, n);
	for (size_t i = 0; i < all->n && n; i++) {
		struct ranked *r = &all->p[i];
		double points = r->points;

		if (!r->meant || !memory_ties_elsewhere(ground, r->memory))
			continue;
		r->points *= RANK_BRANCH;
		r->parts.state += r->points - points;
	}
}
