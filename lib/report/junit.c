/*
 * A report as test results. A rule in a file is a test case. A blocking finding fails it. A warning
 * is the output of a test that passed: a pipeline that may go on must not be red. A place that was
 * not judged is a skipped test. A report without entries has one passed test, because readers take
 * a report without tests for an error.
 */
#include "judge/check.h"
#include "report/entries.h"
#include "report/formats.h"

static int by_test_case(const struct check_entry *a, const struct check_entry *b)
{
	ORDER_BY_STR(a->id, b->id);
	ORDER_BY_STR(a->path, b->path);
	return 0;
}

static int by_test_case_ptr(const void *x, const void *y)
{
	const struct check_entry *a = *(const struct check_entry *const *)x;
	const struct check_entry *b = *(const struct check_entry *const *)y;
	int c = by_test_case(a, b);

	/* Blocking entries come first, so the first entry decides the result of the test. */
	return c ? c : (a > b) - (a < b);
}

/* The results of a test, in order of severity. */
enum junit_result { JUNIT_PASSED, JUNIT_SKIPPED, JUNIT_FAILED };

static enum junit_result junit_result_of(const struct check_entry *first)
{
	if (first->blocks)
		return JUNIT_FAILED;
	return first->kind == ENTRY_UNJUDGED ? JUNIT_SKIPPED : JUNIT_PASSED;
}

static void junit_entry(struct out *o, const struct check_entry *e)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);

	buf_fmt(&b, "%s: %.*s", kn_severities[e->severity], STR_ARG(e->path));
	if (e->line)
		buf_fmt(&b, ":%zu", e->line);
	if (e->column)
		buf_fmt(&b, ":%zu", e->column);
	buf_fmt(&b, ": %.*s\n\n", STR_ARG(check_entry_text(a, e, true)));
	out_xml(o, buf_str(&b));
}

static void junit_case(struct out *o, const struct check_entry *const *p, size_t n)
{
	static const char *const elements[] = {"system-out", "skipped", "failure"};
	enum junit_result result = junit_result_of(p[0]);
	struct arena *a ARENA_LOCAL = arena_new();

	out_puts(o, "<testcase");
	out_xml_attribute(o, "classname", p[0]->id);
	out_xml_attribute(o, "name",
			  str_fmt(a, "%.*s: %.*s", STR_ARG(p[0]->path), STR_ARG(p[0]->title)));
	out_xml_attribute(o, "file", p[0]->path);
	out_fmt(o, ">\n<%s", elements[result]);
	if (result != JUNIT_PASSED)
		out_xml_attribute(o, "message", check_entry_text(a, p[0], false));
	if (result == JUNIT_FAILED)
		out_xml_attribute(o, "type", STR("block"));
	out_puts(o, ">");
	for (size_t i = 0; i < n; i++)
		junit_entry(o, p[i]);
	out_fmt(o, "</%s>\n</testcase>\n", elements[result]);
}

/* The number of entries of the test case that begins at p. */
static size_t junit_case_length(const struct check_entry *const *p, size_t n)
{
	size_t same = 1;

	while (same < n && !by_test_case(p[0], p[same]))
		same++;
	return same;
}

void check_write_junit(struct out *o, const struct check_report *r, bool existing)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct check_entries list;
	const struct check_entry **p;
	size_t n = 0, cases = 0, of[3] = {0};

	(void)existing;
	check_entries_harmful(a, r, &list);
	p = check_entries_sorted(a, &list, by_test_case_ptr);
	n = list.n;
	for (size_t i = 0; i < n; i += junit_case_length(p + i, n - i)) {
		of[junit_result_of(p[i])]++;
		cases++;
	}
	out_fmt(o,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		"<testsuite name=\"ikm check\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
		"skipped=\"%zu\">\n",
		size_max(cases, 1), of[JUNIT_FAILED], of[JUNIT_SKIPPED]);
	if (!n)
		out_puts(o, "<testcase classname=\"ikm\" name=\"ikm check\"/>\n");
	for (size_t i = 0, same; i < n; i += same) {
		same = junit_case_length(p + i, n - i);
		junit_case(o, p + i, same);
	}
	out_puts(o, "</testsuite>\n</testsuites>\n");
}
