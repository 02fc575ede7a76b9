/* Checks the files of which the caller's memories speak, in the present repository. */
#include "doctor/doctor.h"
#include "memory/repository_ties.h"

struct stale {
	struct memories *m;
	int64_t stale;
};

static struct err *stale_count(void *ctx, struct arena *a, const struct memory *one)
{
	struct stale *s = ctx;
	const struct memory_ties *t = memory_ties_now(s->m->ground, a, one);

	s->stale += t && t->stale;
	return NULL;
}

struct err *doctor_stale_memories(struct doctor *d, struct memories *own)
{
	struct memory_filter f = {.has_files = true, .status = -1, .state = -1};
	struct stale s = {.m = own};

	TRY(memory_each(own, &f, stale_count, &s));
	if (!s.stale)
		return NULL;
	doctor_note(d, "memories", "%jd %s of files that have changed since", (intmax_t)s.stale,
		    s.stale == 1 ? "memory speaks" : "memories speak");
	doctor_set_remedy(d, "ikm mem list --stale");
	return NULL;
}
