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

	for (size_t i = 0; i < list->rules_n; i++)
		rules[i] = check_sarif_rule(w->a, &list->rules[i]);
	for (size_t i = 0; i < list->n; i++)
		if (list->p[i].kind != ENTRY_FINDING && !strs_has(&run.kinds, list->p[i].id))
			strs_push(w->a, &run.kinds, list->p[i].id);
	strs_sort(&run.kinds);
	sarif_begin(&log, o, &run);
	for (int results = 1; results >= 0; results--)
		for (size_t i = 0; i < list->n; i++) {
			const struct check_entry *e = &list->p[i];
			struct arena *one ARENA_LOCAL = arena_new();
			enum sarif_level level = check_sarif_levels[e->severity];
			struct str message;

			if ((e->kind == ENTRY_FINDING) != (results == 1))
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
	sarif_end(&log);
}
