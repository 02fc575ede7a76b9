/* Finds a finding again by its fingerprint. */
#include "history/judged.h"

#define FINGERPRINT 12 /* digits */

/* Formats that need distinct ones put "-2" behind the fingerprint of the second equal finding. */
bool judge_is_fingerprint(struct str s)
{
	int64_t n;

	for (size_t i = 0; i < s.n && i < FINGERPRINT; i++)
		if (!s.p[i] || !strchr("0123456789abcdef", s.p[i]))
			return false;
	if (s.n <= FINGERPRINT)
		return s.n == FINGERPRINT;
	return s.p[FINGERPRINT] == '-' && str_int(str_sub(s, FINGERPRINT + 1, s.n), &n) && n > 1;
}

/* Of fewer equal findings than the fingerprint counts, the last: all break the same rule. */
static const struct check_violation *find_in(const struct check_violations *list, struct str print)
{
	struct str base = str_sub(print, 0, size_min(print.n, FINGERPRINT));
	const struct check_violation *last = NULL;
	int64_t n = 1;

	if (print.n > FINGERPRINT && !str_int(str_sub(print, FINGERPRINT + 1, print.n), &n))
		return NULL;
	for (size_t i = 0; i < list->n && n; i++)
		if (str_eq(list->p[i].fingerprint, base)) {
			last = &list->p[i];
			n--;
		}
	return last;
}

static const struct check_violation *find_in_report(const struct check_report *r, struct str print)
{
	const struct check_violation *v = find_in(&r->violations, print);

	return v ? v : find_in(&r->waived, print);
}

struct err *judge_find(struct arena *a, const struct judge *how, struct str print,
		       const struct check_violation **out)
{
	struct check_report *r = arena_array(a, 2, sizeof(*r));
	struct judge j = *how;

	*out = NULL;
	j.min_severity = KN_SEVERITY_INFO;
	j.want_existing = true;
	if (!j.git || git_is_bare(j.git))
		return NULL;
	TRY(judge_staged(a, &j, &r[0]));
	*out = find_in_report(&r[0], print);
	if (*out)
		return NULL;
	TRY(judge_all(a, &j, &r[1]));
	*out = find_in_report(&r[1], print);
	return NULL;
}

struct err *judge_find_missing(struct str print)
{
	return err_help(err_new(E_NO_SUCH_ITEM,
				"no finding '%.*s' in the staged content or in the working tree",
				STR_ARG(print)),
			"it may be fixed already: 'ikm check --all' lists the open findings; for a "
			"finding of knowledge_check run 'ikm why ITEM' with the item that its "
			"answer names");
}
