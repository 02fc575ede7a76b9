/* A report as Checkstyle writes its own: an element for each file, and in it one for each entry. */
#include "judge/check.h"
#include "report/entries.h"
#include "report/formats.h"

static int by_checkstyle_file(const void *x, const void *y)
{
	const struct check_entry *a = *(const struct check_entry *const *)x;
	const struct check_entry *b = *(const struct check_entry *const *)y;

	ORDER_BY_STR(a->path, b->path);
	ORDER_BY(a->line, b->line);
	ORDER_BY(a->column, b->column);
	return (a > b) - (a < b);
}

static void checkstyle_error(struct out *o, const struct check_entry *e)
{
	static const char *const severities[] = {
		[KN_SEVERITY_INFO] = "info",
		[KN_SEVERITY_WARN] = "warning",
		[KN_SEVERITY_BLOCK] = "error",
	};
	struct arena *a ARENA_LOCAL = arena_new();

	out_puts(o, "<error");
	/* Readers ask for a line. */
	out_fmt(o, " line=\"%zu\"", size_max(e->line, 1));
	if (e->column)
		out_fmt(o, " column=\"%zu\"", e->column);
	out_fmt(o, " severity=\"%s\"", severities[e->severity]);
	out_xml_attribute(o, "message",
			  str_fmt(a, "%.*s: %.*s", STR_ARG(e->title),
				  STR_ARG(check_entry_text(a, e, false))));
	out_xml_attribute(o, "source", e->id);
	out_puts(o, "/>\n");
}

void check_write_checkstyle(struct out *o, const struct check_report *r, bool existing)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct check_entries list;
	const struct check_entry **p;
	size_t n = 0;

	(void)existing;
	check_entries_harmful(a, r, &list);
	p = check_entries_sorted(a, &list, by_checkstyle_file);
	n = list.n;
	out_puts(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"8.0\">\n");
	for (size_t i = 0; i < n; i++) {
		if (!i || !str_eq(p[i - 1]->path, p[i]->path)) {
			out_puts(o, i ? "</file>\n<file" : "<file");
			out_xml_attribute(o, "name", p[i]->path);
			out_puts(o, ">\n");
		}
		checkstyle_error(o, p[i]);
	}
	out_puts(o, n ? "</file>\n</checkstyle>\n" : "</checkstyle>\n");
}
