/* A report as annotations of GitHub, and the job's summary in Markdown. */
#include "report/entries.h"
#include "report/show.h"

/* GitHub shows ten annotations of each level for a step, and drops the rest without a word. */
#define GITHUB_MAX 10

static const enum out_level github_levels[] = {
	[KN_SEVERITY_INFO] = OUT_NOTICE,
	[KN_SEVERITY_WARN] = OUT_WARNING,
	[KN_SEVERITY_BLOCK] = OUT_ERROR,
};

void check_write_github(struct out *o, const struct check_writing *w)
{
	/* The line that counts what was cut is a notice, too. */
	const size_t room[] = {GITHUB_MAX - 1, GITHUB_MAX, GITHUB_MAX};
	size_t total[ARRAY_SIZE(room)] = {0};
	struct buf cut = buf_in(w->a);

	for (size_t i = 0; i < w->list.n; i++) {
		const struct check_entry *e = &w->list.p[i];

		if (total[e->severity]++ < room[e->severity])
			out_github(o, github_levels[e->severity],
				   str_is(e->path, ".") ? STR("") : e->path, e->line, e->column,
				   e->title, check_entry_text(w->a, e, true));
	}
	for (int s = KN_SEVERITY_BLOCK; s >= (int)KN_SEVERITY_INFO; s--)
		if (room[s] < total[s])
			buf_fmt(&cut, "%s%zu of %zu %s", cut.n ? ", " : "", room[s], total[s],
				w->severities[s]);
	if (cut.n)
		out_github(o, OUT_NOTICE, (struct str){0}, 0, 0, STR("ikm"),
			   str_fmt(w->a,
				   "GitHub shows ten annotations of a level for a step, so these "
				   "are only %.*s; 'ikm check' lists all",
				   STR_ARG(buf_str(&cut))));
	check_counts_text(o, w->report, "");
	check_done_text(o, w->report, false);
}
