#include "judge/engine.h"

/*
 * Files that are read before ikm asks again whether all rules are satisfied. A fixed number, so
 * that the set of read files does not depend on threads.
 */
#define BATCH 256

/* Sets open[] for the rules that no worker satisfied yet; false: none is left. */
static bool open_rules(const struct run *run, const bool *among, bool *open)
{
	bool any = false;

	for (size_t i = 0; i < run->rules.n; i++) {
		open[i] = among ? among[i] : run->rules.p[i].presence;
		for (unsigned t = 0; t < run->threads; t++)
			open[i] &= !run->workers[t].present[i];
		any |= open[i];
	}
	return any;
}

static struct err *search_untouched(struct run *run, const bool *was)
{
	struct subjects rest = {0};
	bool *open = arena_array(run->a, run->rules.n, sizeof(*open));

	TRY(subjects_untouched(run, &rest));
	for (size_t i = 0; i < rest.n && open_rules(run, was, open); i += BATCH) {
		worker_presence(run, rest.p + i, size_min(BATCH, rest.n - i), false, open);
		TRY(worker_trouble(run));
	}
	return NULL;
}

/*
 * With a base, an unsatisfied rule counts when the base satisfied it. If no touched file satisfied
 * it, the other files answer the same on both sides, and ikm does not read them. So a usual commit
 * costs only its own files.
 */
struct err *presence_judge(struct run *run)
{
	bool *open = arena_array(run->a, run->rules.n, sizeof(*open));
	bool *was = arena_array(run->a, run->rules.n, sizeof(*was));
	bool base = run->in->base, any = false;

	if (!run->rules.has_presence || !open_rules(run, NULL, open))
		return NULL;
	if (base) {
		/* Of the open rules, those that touched files satisfied before the change. */
		worker_presence(run, run->subjects.p, run->subjects.n, true, open);
		for (size_t i = 0; i < run->rules.n; i++) {
			for (unsigned t = 0; t < run->threads; t++)
				was[i] |= run->workers[t].was[i];
			any |= was[i];
		}
		TRY(worker_trouble(run));
		if (!run->whole && !any)
			return NULL;
		if (!run->whole)
			TRY(search_untouched(run, was));
		open_rules(run, run->whole ? NULL : was, open);
	}
	for (size_t i = 0; i < run->rules.n; i++) {
		struct finding f = {.at = SIZE_MAX, .existing = base && !was[i]};
		unsigned limit_hit = 0;

		if (!open[i])
			continue;
		for (unsigned t = 0; t < run->threads; t++)
			limit_hit += run->workers[t].limit_hit[i];
		if (limit_hit)
			f.note = "but the pattern reached its match limit in a file that may have "
				 "it";
		findings_add(&run->workers[0], &run->rules.p[i], STR(""), STR(""),
			     &(struct findings){&f, 1, 1, CODE_BYTES});
	}
	return NULL;
}
