#include "report/formats.h"
#include "base/sort.h"
#include "report/entries.h"
#include "report/show.h"
#include "json/json.h"
#include "os/os.h"
#include "base/build.h"
#include "out/sarif.h"

const char *const check_formats[] = {CHECK_FORMATS(ENUM_NAME) NULL};

#define CHECK_READERS(c, name, readers) readers,
const char *const check_format_readers[] = {CHECK_FORMATS(CHECK_READERS) NULL};

/* What a writer is given. */
struct check_writing {
	struct arena *a;
	const struct check_report *report;
	bool existing;
	bool files;                    /* JUnit: with the attribute file of a test case */
	struct check_entries list;     /* those that its format has */
	const char *const *severities; /* in the words of its format */
};
typedef void check_writer(struct out *o, const struct check_writing *w);

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
		out_bytes_unchanged(o, buf_as_str(&b));
		if (list) {
			const char *p = *(const char *const *)((const char *)r + f->offset);
			size_t n = *(const size_t *)((const char *)r + f->count);

			/* Prints the members of a list one at a time: the values of 100,000
			 * findings need much memory. */
			out_puts(o, "[");
			for (size_t i = 0; i < n; i++) {
				struct arena *each ARENA_LOCAL = arena_new();
				struct buf row = buf_in(each);

				buf_puts(&row, i ? "," : "");
				json_write(&row, record_val(each, f->sub, p + i * f->size), 0);
				out_bytes_unchanged(o, buf_as_str(&row));
			}
			out_puts(o, "]");
		}
	}
	out_puts(o, "}\n");
}

/* "TITLE: MESSAGE" on one line. */
static struct str entry_titled(struct arena *a, const struct check_entry *e)
{
	return str_fmt(a, "%.*s: %.*s", STR_ARG(e->title),
		       STR_ARG(check_entry_message(a, e, false)));
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

	VEC_EACH(const struct check_entry, e, &w->list)
		if (total[e->severity]++ < room[e->severity])
			out_github(o, github_levels[e->severity], e->path, e->line, e->column,
				   e->title, check_entry_message(w->a, e, true));
	for (int s = KN_SEVERITY_BLOCK; s >= (int)KN_SEVERITY_INFO; s--)
		if (room[s] < total[s])
			buf_fmt(&cut, "%s%zu of %zu %s", cut.n ? ", " : "", room[s], total[s],
				w->severities[s]);
	if (cut.n)
		out_github(o, OUT_NOTICE, (struct str){0}, 0, 0, STR("ikm"),
			   str_fmt(w->a,
				   "GitHub shows ten annotations of a level for a step, so these "
				   "are only %.*s; 'ikm check' lists all",
				   STR_ARG(buf_as_str(&cut))));
	check_counts_text(o, w->report, "");
	check_done_text(o, w->report, false);
}

/*
 * ---- SARIF ----
 *
 * Findings are results. What ikm could not judge, broken knowledge and changed rules are
 * notifications of the tool's run: they break no rule, so they are no results.
 */
static const enum sarif_level check_sarif_levels[] = {
	[KN_SEVERITY_INFO] = SARIF_NOTE,
	[KN_SEVERITY_WARN] = SARIF_WARNING,
	[KN_SEVERITY_BLOCK] = SARIF_ERROR,
};

/* Where a host of repositories shows a file of the default branch. */
static const struct {
	const char *host, *path;
} check_sarif_hosts[] = {
	{"github", "/blob/HEAD/"},
	{"gitlab", "/-/blob/HEAD/"},
	{"bitbucket", "/src/HEAD/"},
};

/* The decision's file at the repository's host; of other hosts the repository. */
static void check_sarif_web(struct arena *a, const struct check_report *r,
			    const struct kn_item *item, struct sarif_rule *out)
{
	out->web = r->web;
	for (size_t i = 0; i < ARRAY_SIZE(check_sarif_hosts) && item->in_tree; i++) {
		size_t end = str_find_char(r->web, '/', strlen("https://"));

		if (!str_holds(str_sub(r->web, 0, end), check_sarif_hosts[i].host))
			continue;
		out->web = str_fmt(a, "%.*s%s", STR_ARG(r->web), check_sarif_hosts[i].path);
		out->web_path = item->tree_path;
		return;
	}
}

static struct sarif_rule check_sarif_rule(struct arena *a, const struct check_entry_rule *r)
{
	const struct kn_constraint *c = r->constraint;
	struct buf text = buf_in(a), help = buf_in(a);
	struct strs tags = r->item->tags;

	if (c->message.n)
		buf_put(&text, c->message);
	else
		buf_fmt(&text, "%s %s %.*s", kn_operators[c->op], kn_targets[c->target],
			STR_ARG(c->pattern));
	if (r->item->summary.n && !str_eq(r->item->summary, c->message))
		buf_fmt(&text, "\n%.*s", STR_ARG(r->item->summary));
	if (c->use_instead.n)
		buf_fmt(&help, "Use instead: %.*s\n", STR_ARG(c->use_instead));
	buf_fmt(&help, "Decided in: %.*s\n", STR_ARG(r->item->shown_path));
	buf_fmt(&help, "To read the decision: ikm why %.*s", STR_ARG(r->item->id));
	tags.n = size_min(tags.n, SARIF_TAGS_MAX);
	return (struct sarif_rule){.id = r->id,
				   .name = r->item->id,
				   .title = r->item->title.n ? r->item->title : r->item->id,
				   .text = buf_as_str(&text),
				   .help = buf_as_str(&help),
				   .tags = tags,
				   .level = check_sarif_levels[r->severity]};
}

/* The kinds of notices: what the id says, and what it means. */
static struct sarif_rule check_sarif_kind(struct arena *a, const struct check_entry *e)
{
	static const char *const means[] = {
		[ENTRY_NOTE] = "Something about the decisions, their settings or exceptions that "
			       "people should know. It breaks no rule.",
		[ENTRY_CHANGE] = "The change adds, edits, retires or loses a rule, or changes a "
				 "setting that decides how it is judged.",
		[ENTRY_UNJUDGED] = "ikm could not look into this place, so a rule may be broken "
				   "there; or no rule was there to judge by.",
	};
	struct str name = str_sub(e->id, strlen("ikm/"), e->id.n);
	char *words = str_c(a, name);

	for (char *p = words; *p; p++)
		if (*p == '_' || *p == '-')
			*p = ' ';
	return (struct sarif_rule){
		.id = e->id,
		.title = str_fmt(a, e->kind == ENTRY_UNJUDGED ? "not judged: %s" : "%s", words),
		.text = str_of(means[e->kind]),
		.help = STR("Its message says what to do. To read more: ikm help check"),
		.level = check_sarif_levels[e->severity],
	};
}

/* GitHub takes no result without a line. */
static struct sarif_place check_sarif_place(const struct check_entry *e)
{
	struct sarif_place at = {.path = e->path,
				 .line = e->kind == ENTRY_FINDING ? size_max(e->line, 1) : e->line};
	const struct check_quote *q;

	if (e->kind != ENTRY_FINDING || !e->line || !e->finding->quote.text.p)
		return at;
	q = &e->finding->quote;
	at.column = q->column;
	at.text = str_sub(q->text, q->at, q->at + q->n);
	at.end = q->n ? q->column + sarif_utf16_length(at.text) : 0;
	return at;
}

#define CHECK_SARIF_CUT "ikm/too-many-results"

ORDER_OF(by_sarif_kind, struct sarif_rule, ORDER_STR(id))

static void check_sarif_kinds(struct arena *a, const struct check_entries *list, bool cut,
			      struct sarif_run *run)
{
	struct sarif_rule *kinds = arena_array(a, list->n + 1, sizeof(*kinds));
	struct strs ids = {0};
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->p[i].kind == ENTRY_FINDING || strs_has(&ids, list->p[i].id))
			continue;
		strs_push(a, &ids, list->p[i].id);
		kinds[n++] = check_sarif_kind(a, &list->p[i]);
	}
	if (cut)
		kinds[n++] = (struct sarif_rule){
			.id = STR(CHECK_SARIF_CUT),
			.title = STR("too many results"),
			.text = STR("The log has fewer results than the check, because GitHub "
				    "refuses a log that has more."),
			.help = STR("ikm check --json lists all. A baseline, or fewer paths, make "
				    "the log shorter."),
			.level = SARIF_WARNING};
	qsort(kinds, n, sizeof(*kinds), by_sarif_kind);
	run->kinds = kinds;
	run->kinds_n = n;
}

static void check_write_sarif(struct out *o, const struct check_writing *w)
{
	const struct check_entries *list = &w->list;
	struct sarif_rule *rules = arena_array(w->a, list->rules_n, sizeof(*rules));
	struct sarif_run run = {.tool = "ikm",
				.version = IKM_VERSION,
				.fingerprint = "ikmFingerprint/v1",
				.rules = rules,
				.rules_n = list->rules_n};
	struct sarif log;
	size_t found = 0;

	for (size_t i = 0; i < list->rules_n; i++) {
		rules[i] = check_sarif_rule(w->a, &list->rules[i]);
		check_sarif_web(w->a, w->report, list->rules[i].item, &rules[i]);
	}
	for (size_t i = 0; i < list->n; i++)
		found += list->p[i].kind == ENTRY_FINDING;
	check_sarif_kinds(w->a, list, found > SARIF_RESULTS_MAX, &run);
	sarif_begin(&log, o, &run);
	for (int results = 1; results >= 0; results--)
		VEC_EACH(const struct check_entry, e, list) {
			struct arena *one ARENA_LOCAL = arena_new();
			enum sarif_level level = check_sarif_levels[e->severity];
			struct str message;

			if ((e->kind == ENTRY_FINDING) != (results == 1) ||
			    (results && log.results >= SARIF_RESULTS_MAX))
				continue;
			message = check_entry_message(one, e, true);
			if (results)
				sarif_result(&log, &(struct sarif_result){
							   .rule = e->rule,
							   .level = level,
							   .message = message,
							   .place = check_sarif_place(e),
							   .fingerprint = e->fingerprint,
						   });
			else
				sarif_notice(&log, &(struct sarif_notice){
							   .id = e->id,
							   .level = level,
							   .message = message,
							   .place = check_sarif_place(e),
						   });
		}
	if (found > SARIF_RESULTS_MAX)
		sarif_notice(&log,
			     &(struct sarif_notice){
				     .id = STR(CHECK_SARIF_CUT),
				     .level = SARIF_WARNING,
				     .message = str_fmt(
					     w->a,
					     "GitHub takes %d results of a run, so %zu of %zu "
					     "are left out, the least severe; ikm check "
					     "--json lists all",
					     SARIF_RESULTS_MAX, found - SARIF_RESULTS_MAX, found),
			     });
	sarif_end(&log);
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
		out_bytes_unchanged(o, buf_as_str(&b));
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

	entry_member(b, "message",
		     str_fmt(a, "%.*s\n%.*s", STR_ARG(e->title),
			     STR_ARG(check_entry_message(a, e, true))));
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

static void check_write_checkstyle(struct out *o, const struct check_writing *w)
{
	size_t n = w->list.n;
	const struct check_entry **p =
		sort_into_pointers(w->a, w->list.p, n, sizeof(*w->list.p), by_checkstyle_file);

	out_puts(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"8.0\">\n");
	for (size_t i = 0; i < n; i++) {
		const struct check_entry *e = p[i];
		struct arena *a ARENA_LOCAL = arena_new();

		if (!i || !str_eq(p[i - 1]->path, e->path)) {
			out_puts(o, i ? "</file>\n<file" : "<file");
			out_xml_attribute(o, "name", e->path);
			out_puts(o, ">\n");
		}
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
		out_xml_attribute(o, "message", check_entry_message(a, p[0], false));
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
		buf_fmt(&b, ": %.*s\n\n", STR_ARG(check_entry_message(a, p[i], true)));
		out_xml(o, buf_as_str(&b));
	}
	out_fmt(o, "</%s>\n</testcase>\n", elements[result]);
}

static void check_write_junit(struct out *o, const struct check_writing *w)
{
	size_t n = w->list.n, cases = 0, of[3] = {0};
	const struct check_entry **p =
		sort_into_pointers(w->a, w->list.p, n, sizeof(*w->list.p), by_test_case);

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
		junit_case(o, p + i, same, w->files);
	}
	out_puts(o, "</testsuite>\n</testsuites>\n");
}

/* ---- the rows ---- */

static void check_write_text(struct out *o, const struct check_writing *w)
{
	check_print_report_text(o, w->report, "", w->existing);
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
	[CHECK_AS_JUNIT_FILE] = {check_write_junit, ENTRIES_HARMFUL, {0}},
	[CHECK_AS_CHECKSTYLE] = {check_write_checkstyle,
				 ENTRIES_HARMFUL,
				 {"info", "warning", "error"}},
	[CHECK_AS_RDJSON] = {check_write_rdjson, ENTRIES_HARMFUL, {"INFO", "WARNING", "ERROR"}},
};

void check_print_report(enum check_format f, struct out *o, const struct check_report *r,
			bool existing)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const struct format *row = &check_rows[f];
	struct check_writing w = {.a = a,
				  .report = r,
				  .existing = existing,
				  .files = f == CHECK_AS_JUNIT_FILE,
				  .severities = row->severities};

	if (row->entries != ENTRIES_NONE)
		check_entries_of_report(a, r, row->entries == ENTRIES_HARMFUL, &w.list);
	row->write(o, &w);
}

/* ---- further outputs ---- */

struct err *check_outputs_parse_option(struct arena *a, const struct strs *given,
				       struct check_outputs *out)
{
	struct strs names = strs_of(a, check_formats);

	for (size_t i = 0; i < given->n; i++) {
		struct str path = given->p[i], name = {"", 0};
		enum check_format f = 0;

		if (str_holds(path, ":"))
			str_next_part(&path, ':', &name);
		while (check_formats[f] && !str_is(name, check_formats[f]))
			f++;
		if (!check_formats[f] || !path.n || str_has_nul(given->p[i]))
			return err_help(err_for_param(E_BAD_ARGUMENT, STR("output"),
						      "'%.*s' is not FORMAT:FILE, where FORMAT is "
						      "one of %.*s",
						      STR_ARG(given->p[i]),
						      STR_ARG(str_join(a, &names, ", "))),
					"for example --output sarif:ikm.sarif");
		if (str_is(path, "-"))
			return err_help(err_for_param(E_BAD_ARGUMENT, STR("output"),
						      "'%.*s': standard output has the format of "
						      "--format already",
						      STR_ARG(given->p[i])),
					"--format %s", check_formats[f]);
		for (size_t k = 0; k < out->n; k++)
			if (str_is(path, out->p[k].path))
				return err_help(err_for_param(E_BAD_ARGUMENT, STR("output"),
							      "two outputs to one file: '%.*s'",
							      STR_ARG(path)),
						"give each output a file of its own");
		*VEC_PUSH(a, out) = (struct check_output){f, str_c(a, path)};
		TRY(os_check_write(out->p[out->n - 1].path, 0));
	}
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
	struct out *o = out_new_to_file(a, fd, shown);

	check_print_report(c->output->format, o, c->report, c->existing);
	return out_flush(o);
}

struct err *check_outputs_write(const struct check_outputs *outputs, const struct check_report *r,
				bool existing)
{
	for (size_t i = 0; i < outputs->n; i++) {
		struct check_fill fill = {&outputs->p[i], r, existing};

		TRY(os_write_by_callback(outputs->p[i].path, check_output_fill, &fill, 0));
	}
	return NULL;
}
