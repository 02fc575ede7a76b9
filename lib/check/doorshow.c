/* Texts about pushed refs. */
#include "check/show.h"

#define REFS_SHOWN 10 /* of each kind */

static bool doorshow_has_text(const struct check_ref *ref, size_t refs)
{
	return ref->action != CHECK_REF_JUDGED || (refs > 1 && ref->block);
}

static void doorshow_ref(struct out *o, const struct check_ref *ref)
{
	out_safe(o, ref->ref, false);
	if (ref->action == CHECK_REF_JUDGED) {
		out_fmt(o, ": %u blocking", ref->block);
	} else {
		out_puts(o, ": not judged: ");
		out_safe(o, ref->why, false);
	}
	out_puts(o, "\n");
}

bool check_refs_unjudged(const struct check_report *r)
{
	for (size_t i = 0; i < r->refs.n; i++)
		if (r->refs.p[i].action == CHECK_REF_JUDGED)
			return false;
	return r->refs.n > 0;
}

void check_refs_text(struct out *o, const struct check_report *r)
{
	for (enum check_ref_action action = 0; check_ref_actions[action]; action++) {
		size_t n = 0;

		for (size_t i = 0; i < r->refs.n; i++) {
			const struct check_ref *ref = &r->refs.p[i];

			if (ref->action == action && doorshow_has_text(ref, r->refs.n) &&
			    n++ < REFS_SHOWN)
				doorshow_ref(o, ref);
		}
		if (n > REFS_SHOWN)
			out_fmt(o, "and %zu more refs: %s\n", n - REFS_SHOWN,
				action == CHECK_REF_JUDGED    ? "stopped"
				: action == CHECK_REF_DELETED ? "deleted"
							      : "not judged");
	}
}
