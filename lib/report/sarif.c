/*
 * A report as a SARIF log. Findings are results. What ikm could not judge, broken knowledge and
 * changed rules are notifications of the tool's run: they break no rule, so they are no results.
 */
#include "base/build.h"
#include "report/entries.h"
#include "out/sarif.h"

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

		if (str_find(str_sub(r->web, 0, end), str_of(check_sarif_hosts[i].host), 0) ==
		    SIZE_MAX)
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
				   .text = buf_str(&text),
				   .help = buf_str(&help),
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
				   "there.",
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
	at.end = q->n ? q->column + sarif_units(at.text) : 0;
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

void check_write_sarif(struct out *o, const struct check_writing *w)
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
			message = check_entry_text(one, e, true);
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
