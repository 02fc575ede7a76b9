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

static struct str check_sarif_help(struct arena *a, const struct check_entry_rule *r)
{
	struct buf b = buf_in(a);

	if (r->constraint->use_instead.n)
		buf_fmt(&b, "Use instead: %.*s\n", STR_ARG(r->constraint->use_instead));
	buf_fmt(&b, "Decided in: %.*s\n", STR_ARG(r->item->shown_path));
	buf_fmt(&b, "To read the decision: ikm why %.*s", STR_ARG(r->item->id));
	return buf_str(&b);
}

/* The text for a rule that has no message of its own. */
static struct str check_sarif_rule_text(struct arena *a, const struct check_entry_rule *r)
{
	const struct kn_constraint *c = r->constraint;
	struct buf b = buf_in(a);

	if (c->message.n)
		buf_put(&b, c->message);
	else
		buf_fmt(&b, "%s %s %.*s", kn_operators[c->op], kn_targets[c->target],
			STR_ARG(c->pattern));
	if (r->item->summary.n && !str_eq(r->item->summary, c->message))
		buf_fmt(&b, "\n%.*s", STR_ARG(r->item->summary));
	return buf_str(&b);
}

static struct sarif_rule *check_sarif_rules(struct arena *a, const struct check_entries *list)
{
	struct sarif_rule *rules = arena_array(a, list->rules_n, sizeof(*rules));

	for (size_t i = 0; i < list->rules_n; i++) {
		const struct check_entry_rule *r = &list->rules[i];
		struct sarif_rule *to = &rules[i];

		to->id = r->id;
		to->name = r->item->id;
		to->title = r->item->title.n ? r->item->title : r->item->id;
		to->text = check_sarif_rule_text(a, r);
		to->help = check_sarif_help(a, r);
		to->tags = r->item->tags;
		to->tags.n = size_min(to->tags.n, SARIF_TAGS_MAX);
		to->level = check_sarif_levels[r->severity];
	}
	return rules;
}

static struct sarif_place check_sarif_place(const struct check_entry *e)
{
	struct sarif_place at = {.path = e->path, .line = e->line};
	const struct check_quote *q;

	if (e->kind != ENTRY_FINDING || !e->line || !e->finding->quote.text.p)
		return at;
	q = &e->finding->quote;
	at.column = q->column;
	at.text = str_sub(q->text, q->at, q->at + q->n);
	at.end = q->n ? q->column + sarif_units(at.text) : 0;
	return at;
}

static void check_sarif_kinds(struct arena *a, const struct check_entries *list, struct strs *kinds)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->p[i].kind != ENTRY_FINDING && !strs_has(kinds, list->p[i].id))
			strs_push(a, kinds, list->p[i].id);
	strs_sort(kinds);
}

void check_write_sarif(struct out *o, const struct check_writing *w)
{
	const struct check_entries *list = &w->list;
	struct arena *a = w->a;
	struct sarif_run run = {
		.tool = "ikm", .version = IKM_VERSION, .fingerprint = "ikmFingerprint/v1"};
	struct sarif log;

	run.rules = check_sarif_rules(a, list);
	run.rules_n = list->rules_n;
	check_sarif_kinds(a, list, &run.kinds);
	sarif_begin(&log, o, &run);
	for (size_t i = 0; i < list->n; i++) {
		const struct check_entry *e = &list->p[i];
		struct arena *one ARENA_LOCAL = arena_new();

		if (e->kind == ENTRY_FINDING)
			sarif_result(&log, &(struct sarif_result){
						   .rule = e->rule,
						   .level = check_sarif_levels[e->severity],
						   .message = check_entry_text(one, e, true),
						   .place = check_sarif_place(e),
						   .fingerprint = e->fingerprint,
					   });
	}
	for (size_t i = 0; i < list->n; i++) {
		const struct check_entry *e = &list->p[i];
		struct arena *one ARENA_LOCAL = arena_new();

		if (e->kind != ENTRY_FINDING)
			sarif_notice(&log, &(struct sarif_notice){
						   .id = e->id,
						   .level = check_sarif_levels[e->severity],
						   .message = check_entry_text(one, e, true),
						   .place = check_sarif_place(e),
					   });
	}
	sarif_end(&log);
}
