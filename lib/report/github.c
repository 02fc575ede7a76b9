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

/* "3 of 12 errors" for each level that was cut; empty: all were shown. */
static struct str github_cut(struct arena *a, const char *const *names, const size_t *total,
			     const size_t *shown)
{
	struct buf b = buf_in(a);

	for (int s = KN_SEVERITY_BLOCK; s >= (int)KN_SEVERITY_INFO; s--)
		if (shown[s] < total[s])
			buf_fmt(&b, "%s%zu of %zu %s", b.n ? ", " : "", shown[s], total[s],
				names[s]);
	return buf_str(&b);
}

void check_write_github(struct out *o, const struct check_writing *w)
{
	size_t total[3] = {0}, shown[3] = {0}, room[3] = {GITHUB_MAX, GITHUB_MAX, GITHUB_MAX};
	struct arena *a = w->a;
	struct str cut;

	/* The line that counts what was cut is a notice, too. */
	room[KN_SEVERITY_INFO]--;
	for (size_t i = 0; i < w->list.n; i++) {
		const struct check_entry *e = &w->list.p[i];
		struct str file = str_is(e->path, ".") ? STR("") : e->path;

		if (total[e->severity]++ >= room[e->severity])
			continue;
		shown[e->severity]++;
		out_github(o, github_levels[e->severity], file, e->line, e->column, e->title,
			   check_entry_text(a, e, true));
	}
	cut = github_cut(a, w->severities, total, shown);
	if (cut.n)
		out_github(o, OUT_NOTICE, (struct str){0}, 0, 0, STR("ikm"),
			   str_fmt(a,
				   "GitHub shows ten annotations of a level for a step, so these "
				   "are only %.*s; 'ikm check' lists all",
				   STR_ARG(cut)));
	check_counts_text(o, w->report, "");
	check_done_text(o, w->report, false);
}
