/* A report for GitLab's code quality: one JSON list, an object a line. */
#include "report/entries.h"
#include "report/formats.h"
#include "json/json.h"

static void gitlab_member(struct buf *b, const char *name, struct str s)
{
	buf_fmt(b, ",\"%s\":", name);
	json_write_str(b, s);
}

void check_write_gitlab(struct out *o, const struct check_report *r, bool existing)
{
	static const char *const severities[] = {
		[KN_SEVERITY_INFO] = "info",
		[KN_SEVERITY_WARN] = "minor",
		[KN_SEVERITY_BLOCK] = "blocker",
	};
	struct arena *a ARENA_LOCAL = arena_new();
	struct check_entries list;

	(void)existing;
	check_entries_harmful(a, r, &list);
	out_puts(o, "[");
	for (size_t i = 0; i < list.n; i++) {
		const struct check_entry *e = &list.p[i];
		struct arena *one ARENA_LOCAL = arena_new();
		struct buf b = buf_in(one);

		buf_puts(&b, i ? ",\n" : "\n");
		buf_puts(&b, "{\"description\":");
		json_write_str(&b, str_fmt(one, "%.*s: %.*s", STR_ARG(e->title),
					   STR_ARG(check_entry_text(one, e, false))));
		gitlab_member(&b, "check_name", e->id);
		gitlab_member(&b, "fingerprint", e->fingerprint);
		gitlab_member(&b, "severity", str_of(severities[e->severity]));
		buf_puts(&b, ",\"location\":{\"path\":");
		json_write_str(&b, e->path);
		/* GitLab asks for a line. */
		buf_fmt(&b, ",\"lines\":{\"begin\":%zu}}}", size_max(e->line, 1));
		out_bytes(o, buf_str(&b));
	}
	out_puts(o, list.n ? "\n]\n" : "]\n");
}
