#include "report/formats.h"
#include "base/sort.h"
#include "report/entries.h"
#include "report/show.h"
#include "json/json.h"
#include "os/os.h"

const char *const check_formats[] = {CHECK_FORMATS(ENUM_NAME) NULL};

#define CHECK_READERS(c, name, readers) readers,
const char *const check_format_readers[] = {CHECK_FORMATS(CHECK_READERS) NULL};

/* Prints the members of a list one at a time: the values of 100,000 findings need much memory. */
static void check_json_list(struct out *o, const struct field *f, const struct check_report *r)
{
	const char *p = *(const char *const *)((const char *)r + f->offset);
	size_t n = *(const size_t *)((const char *)r + f->count);

	out_puts(o, "[");
	for (size_t i = 0; i < n; i++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct buf b = buf_in(a);

		buf_puts(&b, i ? "," : "");
		json_write(&b, record_val(a, f->sub, p + i * f->size), 0);
		out_bytes(o, buf_str(&b));
	}
	out_puts(o, "]");
}

/* The bytes that --json prints on a pipe. The list of findings has the existing ones already. */
static void check_write_json(struct out *o, const struct check_writing *w)
{
	const struct check_report *r = w->report;
	bool any = false;

	for (const struct field *f = check_report_fields; f->name; f++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct field one[2] = {*f, {0}};
		bool list = f->kind == K_RECORDS && !(f->flags & OPTIONAL);
		struct buf b = buf_in(a);
		struct val *v = NULL;

		if (f->given && !f->given(r))
			continue;
		if (!list && !(v = val_get(record_val(a, one, r), f->name)))
			continue;
		buf_fmt(&b, "%c\"%s\":", any ? ',' : '{', f->name);
		any = true;
		if (v)
			json_write(&b, v, 0);
		out_bytes(o, buf_str(&b));
		if (list)
			check_json_list(o, f, r);
	}
	out_puts(o, "}\n");
}

/* "TITLE: MESSAGE" on one line. */
static struct str entry_titled(struct arena *a, const struct check_entry *e)
{
	return str_fmt(a, "%.*s: %.*s", STR_ARG(e->title), STR_ARG(check_entry_text(a, e, false)));
}

/* ---- annotations of GitHub ---- */

/* GitHub shows ten annotations of each level for a step, and drops the rest without a word. */
#define GITHUB_MAX 10

static const enum out_level github_levels[] = {
	[KN_SEVERITY_INFO] = OUT_NOTICE,
	[KN_SEVERITY_WARN] = OUT_WARNING,
	[KN_SEVERITY_BLOCK] = OUT_ERROR,
};

static void check_write_github(struct out *o, const struct check_writing *w)
{
	/* The line that counts what was cut is a notice, too. */
	const size_t room[] = {GITHUB_MAX - 1, GITHUB_MAX, GITHUB_MAX};
	size_t total[ARRAY_SIZE(room)] = {0};
	struct buf cut = buf_in(w->a);

	for (size_t i = 0; i < w->list.n; i++) {
		const struct check_entry *e = &w->list.p[i];

		if (total[e->severity]++ < room[e->severity])
			out_github(o, github_levels[e->severity], e->path, e->line, e->column,
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

/* ---- JSON: an object a line for each entry ---- */

static void entry_member(struct buf *b, const char *name, struct str s)
{
	buf_fmt(b, "\"%s\":", name);
	json_write_str(b, s);
}

typedef void entry_json(struct arena *a, struct buf *b, const struct check_writing *w,
			const struct check_entry *e);

static void entries_json(struct out *o, const struct check_writing *w, entry_json *put)
{
	for (size_t i = 0; i < w->list.n; i++) {
		struct arena *one ARENA_LOCAL = arena_new();
		struct buf b = buf_in(one);

		buf_puts(&b, i ? ",\n{" : "\n{");
		put(one, &b, w, &w->list.p[i]);
		buf_putc(&b, '}');
		out_bytes(o, buf_str(&b));
	}
	out_puts(o, w->list.n ? "\n]" : "]");
}

/* GitLab's code quality. GitLab asks for a line. */
static void gitlab_entry(struct arena *a, struct buf *b, const struct check_writing *w,
			 const struct check_entry *e)
{
	entry_member(b, "description", entry_titled(a, e));
	buf_putc(b, ',');
	entry_member(b, "check_name", e->id);
	buf_putc(b, ',');
	entry_member(b, "fingerprint", e->fingerprint);
	buf_fmt(b, ",\"severity\":\"%s\",\"location\":{", w->severities[e->severity]);
	entry_member(b, "path", e->path);
	buf_fmt(b, ",\"lines\":{\"begin\":%zu}}", size_max(e->line, 1));
}

static void check_write_gitlab(struct out *o, const struct check_writing *w)
{
	out_puts(o, "[");
	entries_json(o, w, gitlab_entry);
	out_puts(o, "\n");
}

/* Reviewdog Diagnostic Format. Its columns count bytes, as ours do. */
static void rdjson_entry(struct arena *a, struct buf *b, const struct check_writing *w,
			 const struct check_entry *e)
{
	size_t n = e->kind == ENTRY_FINDING && e->column ? e->finding->quote.n : 0;

	entry_member(
		b, "message",
		str_fmt(a, "%.*s\n%.*s", STR_ARG(e->title), STR_ARG(check_entry_text(a, e, true))));
	buf_puts(b, ",\"location\":{");
	entry_member(b, "path", e->path);
	if (e->line)
		buf_fmt(b, ",\"range\":{\"start\":{\"line\":%zu", e->line);
	if (e->column)
		buf_fmt(b, ",\"column\":%zu", e->column);
	if (n)
		buf_fmt(b, "},\"end\":{\"line\":%zu,\"column\":%zu", e->line, e->column + n);
	buf_fmt(b, "%s},\"severity\":\"%s\",\"code\":{", e->line ? "}}" : "",
		w->severities[e->severity]);
	entry_member(b, "value", e->id);
	buf_putc(b, '}');
}

static void check_write_rdjson(struct out *o, const struct check_writing *w)
{
	out_puts(o, "{\"source\":{\"name\":\"ikm\"},\"diagnostics\":[");
	entries_json(o, w, rdjson_entry);
	out_puts(o, "}\n");
}

/* ---- Checkstyle: an element for each file, and in it one for each entry ---- */

ORDER_OF(by_checkstyle_file, struct check_entry,
	 ORDER_STR(path) || ORDER_UP(line) || ORDER_UP(column))

static void checkstyle_error(struct out *o, const struct check_writing *w,
			     const struct check_entry *e)
{
	struct arena *a ARENA_LOCAL = arena_new();

	out_puts(o, "<error");
	/* Readers ask for a line. */
	out_fmt(o, " line=\"%zu\"", size_max(e->line, 1));
	if (e->column)
		out_fmt(o, " column=\"%zu\"", e->column);
	out_fmt(o, " severity=\"%s\"", w->severities[e->severity]);
	out_xml_attribute(o, "message", entry_titled(a, e));
	out_xml_attribute(o, "source", e->id);
	out_puts(o, "/>\n");
}

static void check_write_checkstyle(struct out *o, const struct check_writing *w)
{
	size_t n = w->list.n;
	const struct check_entry **p =
		sort_pointers(w->a, w->list.p, n, sizeof(*w->list.p), by_checkstyle_file);

	out_puts(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"8.0\">\n");
	for (size_t i = 0; i < n; i++) {
		if (!i || !str_eq(p[i - 1]->path, p[i]->path)) {
			out_puts(o, i ? "</file>\n<file" : "<file");
			out_xml_attribute(o, "name", p[i]->path);
			out_puts(o, ">\n");
		}
		checkstyle_error(o, w, p[i]);
	}
	out_puts(o, n ? "</file>\n</checkstyle>\n" : "</checkstyle>\n");
}

/*
 * ---- JUnit: test results ----
 *
 * A rule in a file is a test case. A blocking finding fails it. A warning
 * is the output of a test that passed: a pipeline that may go on must not be red. A place that was
 * not judged is a skipped test. A report without entries has one passed test, because readers take
 * a report without tests for an error.
 */
ORDER_OF(by_test_case, struct check_entry, ORDER_STR(id) || ORDER_STR(path))

/* The results of a test, in order of severity. */
enum junit_result { JUNIT_PASSED, JUNIT_SKIPPED, JUNIT_FAILED };

/* Blocking entries come first, so the first entry decides the result of the test. */
static enum junit_result junit_result_of(const struct check_entry *first)
{
	if (first->blocks)
		return JUNIT_FAILED;
	return first->kind == ENTRY_UNJUDGED ? JUNIT_SKIPPED : JUNIT_PASSED;
}

/* file: with an attribute that GitLab and CircleCI read, and that Jenkins' schema refuses. */
static void junit_case(struct out *o, const struct check_entry *const *p, size_t n, bool file)
{
	static const char *const elements[] = {"system-out", "skipped", "failure"};
	enum junit_result result = junit_result_of(p[0]);
	struct arena *a ARENA_LOCAL = arena_new();

	out_puts(o, "<testcase");
	out_xml_attribute(o, "classname", p[0]->id);
	out_xml_attribute(o, "name",
			  str_fmt(a, "%.*s: %.*s", STR_ARG(p[0]->path), STR_ARG(p[0]->title)));
	if (file)
		out_xml_attribute(o, "file", p[0]->path);
	out_fmt(o, ">\n<%s", elements[result]);
	if (result != JUNIT_PASSED)
		out_xml_attribute(o, "message", check_entry_text(a, p[0], false));
	if (result == JUNIT_FAILED)
		out_xml_attribute(o, "type", STR("block"));
	out_puts(o, ">");
	for (size_t i = 0; i < n; i++) {
		struct buf b = buf_in(a);

		buf_fmt(&b, "%s: %.*s", kn_severities[p[i]->severity], STR_ARG(p[i]->path));
		if (p[i]->line)
			buf_fmt(&b, ":%zu", p[i]->line);
		if (p[i]->column)
			buf_fmt(&b, ":%zu", p[i]->column);
		buf_fmt(&b, ": %.*s\n\n", STR_ARG(check_entry_text(a, p[i], true)));
		out_xml(o, buf_str(&b));
	}
	out_fmt(o, "</%s>\n</testcase>\n", elements[result]);
}

static void junit_write(struct out *o, const struct check_writing *w, bool file)
{
	size_t n = w->list.n, cases = 0, of[3] = {0};
	const struct check_entry **p =
		sort_pointers(w->a, w->list.p, n, sizeof(*w->list.p), by_test_case);

	for (size_t i = 0; i < n; i++) {
		if (i && !by_test_case(p[i - 1], p[i]))
			continue;
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
		for (same = 1; i + same < n && !by_test_case(p[i], p[i + same]);)
			same++;
		junit_case(o, p + i, same, file);
	}
	out_puts(o, "</testsuite>\n</testsuites>\n");
}

static void check_write_junit(struct out *o, const struct check_writing *w)
{
	junit_write(o, w, false);
}

static void check_write_junit_file(struct out *o, const struct check_writing *w)
{
	junit_write(o, w, true);
}

/* ---- the rows ---- */

static void check_write_text(struct out *o, const struct check_writing *w)
{
	check_text(o, w->report, "", w->existing);
}

static const struct format {
	check_writer *write;
	enum { ENTRIES_NONE, ENTRIES_ALL, ENTRIES_HARMFUL } entries;
	const char *severities[KN_SEVERITY_BLOCK + 1]; /* info, warn and block in its words */
} check_rows[] = {
	[CHECK_AS_TEXT] = {check_write_text, ENTRIES_NONE, {0}},
	[CHECK_AS_JSON] = {check_write_json, ENTRIES_NONE, {0}},
	[CHECK_AS_GITHUB] = {check_write_github, ENTRIES_ALL, {"notices", "warnings", "errors"}},
	[CHECK_AS_SARIF] = {check_write_sarif, ENTRIES_ALL, {0}},
	[CHECK_AS_GITLAB] = {check_write_gitlab, ENTRIES_HARMFUL, {"info", "minor", "blocker"}},
	[CHECK_AS_JUNIT] = {check_write_junit, ENTRIES_HARMFUL, {0}},
	[CHECK_AS_JUNIT_FILE] = {check_write_junit_file, ENTRIES_HARMFUL, {0}},
	[CHECK_AS_CHECKSTYLE] = {check_write_checkstyle,
				 ENTRIES_HARMFUL,
				 {"info", "warning", "error"}},
	[CHECK_AS_RDJSON] = {check_write_rdjson, ENTRIES_HARMFUL, {"INFO", "WARNING", "ERROR"}},
};

void check_write(enum check_format f, struct out *o, const struct check_report *r, bool existing)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const struct format *row = &check_rows[f];
	struct check_writing w = {
		.a = a, .report = r, .existing = existing, .severities = row->severities};

	if (row->entries != ENTRIES_NONE)
		check_entries_of(a, r, row->entries == ENTRIES_HARMFUL, &w.list);
	row->write(o, &w);
}

/* ---- further outputs ---- */

static struct err *check_output_bad(struct arena *a, struct str given)
{
	struct strs names = strs_of(a, check_formats);

	return err_help(err_param(E_BAD_ARGUMENT, STR("output"),
				  "'%.*s' is not FORMAT:FILE, where FORMAT is one of %.*s",
				  STR_ARG(given), STR_ARG(str_join(a, &names, ", "))),
			"for example --output sarif:ikm.sarif");
}

static struct err *check_output_read(struct arena *a, struct str given, struct check_outputs *out)
{
	struct str path = given, name;
	struct check_output *to;
	enum check_format f = 0;

	if (str_find_char(given, ':', 0) == SIZE_MAX || !str_split(&path, ':', &name) || !name.n ||
	    !path.n || str_has_nul(given))
		return check_output_bad(a, given);
	while (check_formats[f] && !str_is(name, check_formats[f]))
		f++;
	if (!check_formats[f])
		return check_output_bad(a, given);
	if (str_is(path, "-"))
		return err_help(err_param(E_BAD_ARGUMENT, STR("output"),
					  "'%.*s': standard output has the format of --format "
					  "already",
					  STR_ARG(given)),
				"--format %s", check_formats[f]);
	for (size_t i = 0; i < out->n; i++)
		if (str_is(path, out->p[i].path))
			return err_param(E_BAD_ARGUMENT, STR("output"),
					 "two outputs to one file: '%.*s'", STR_ARG(path));
	to = VEC_PUSH(a, out);
	*to = (struct check_output){f, str_c(a, path)};
	return os_check_write(to->path, 0);
}

struct err *check_outputs_read(struct arena *a, const struct strs *given, struct check_outputs *out)
{
	for (size_t i = 0; i < given->n; i++)
		TRY(check_output_read(a, given->p[i], out));
	return NULL;
}

struct check_fill {
	const struct check_output *output;
	const struct check_report *report;
	bool existing;
};

static struct err *check_output_fill(void *ctx, int fd, const char *shown)
{
	const struct check_fill *c = ctx;
	struct arena *a ARENA_LOCAL = arena_new();
	struct out *o = out_file(a, fd, shown);

	check_write(c->output->format, o, c->report, c->existing);
	return out_flush(o);
}

struct err *check_outputs_write(const struct check_outputs *outputs, const struct check_report *r,
				bool existing)
{
	for (size_t i = 0; i < outputs->n; i++) {
		struct check_fill fill = {&outputs->p[i], r, existing};

		TRY(os_write_by(outputs->p[i].path, check_output_fill, &fill, 0));
	}
	return NULL;
}
