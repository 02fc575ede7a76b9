#include "judge/check.h"
#include "report/quoteshow.h"
#include "knowledge/ruleshow.h"
#include "report/show.h"

/* Lines about changed rules, besides those that block. */
#define RULES_SHOWN 10
/* Places listed for one rule, or for one reason of unjudged files. */
#define PLACES_MAX 10
#define RULES_MAX  3
/* Before what a label names: "  reason      ". */
#define LABEL_COLUMNS 14

static void check_show_place(struct out *o, struct str file, size_t line, size_t column)
{
	out_safe(o, file, false);
	if (line)
		out_fmt(o, ":%zu", line);
	if (column)
		out_fmt(o, ":%zu", column);
}

static void show_label(struct out *o, const char *text)
{
	out_style(o, OUT_DIM);
	out_fmt(o, "  %-*s", LABEL_COLUMNS - 2, text);
	out_style(o, OUT_PLAIN);
}

static void show_labelled(struct out *o, const char *name, struct str s)
{
	if (!s.n)
		return;
	show_label(o, name);
	if (out_is_terminal(o)) {
		out_wrapped_behind(o, LABEL_COLUMNS, s);
		return;
	}
	out_safe(o, s, false);
	out_puts(o, "\n");
}

/* ---- violations ---- */

static const enum out_style severity_styles[] = {
	[KN_SEVERITY_INFO] = OUT_CYAN,
	[KN_SEVERITY_WARN] = OUT_YELLOW,
	[KN_SEVERITY_BLOCK] = OUT_RED,
};

/* Findings of one rule with the same message share a block: the message once, then the places. */
struct rule_findings {
	const struct check_violation **p;
	size_t n;
};

/* Compares by value: a rule of a change and the same rule of its base are two objects. */
static int by_constraint(const struct kn_constraint *a, const struct kn_constraint *b)
{
	if (a == b)
		return 0;
	ORDER_BY(a->op, b->op);
	ORDER_BY(a->target, b->target);
	ORDER_BY_STR(a->pattern, b->pattern);
	ORDER_BY_STR(a->version, b->version);
	ORDER_BY_STR(a->use_instead, b->use_instead);
	ORDER_BY(a->applies_to.n, b->applies_to.n);
	for (size_t i = 0; i < a->applies_to.n; i++)
		ORDER_BY_STR(a->applies_to.p[i], b->applies_to.p[i]);
	return 0;
}

static int by_shown_rule(const struct check_violation *a, const struct check_violation *b)
{
	ORDER_BY(a->severity, b->severity);
	ORDER_BY(a->existing, b->existing);
	ORDER_BY(a->from_base, b->from_base);
	ORDER_BY_STR(a->retired_by, b->retired_by);
	ORDER_BY_STR(a->next, b->next);
	ORDER_BY(a->item->layer, b->item->layer);
	ORDER_BY_STR(a->item->id, b->item->id);
	ORDER_BY_STR(a->message, b->message);
	return by_constraint(a->constraint, b->constraint);
}

static int by_shown_rule_and_place(const void *x, const void *y)
{
	const struct check_violation *a = *(const struct check_violation *const *)x;
	const struct check_violation *b = *(const struct check_violation *const *)y;
	int c = by_shown_rule(a, b);

	return c ? c : (a > b) - (a < b);
}

static int by_first_finding(const void *x, const void *y)
{
	const struct rule_findings *a = x, *b = y;

	return (a->p[0] > b->p[0]) - (a->p[0] < b->p[0]);
}

static void show_finding(struct out *o, const char *label, const struct check_violation *v)
{
	if (!v->file.n && !v->found.n)
		return;
	show_label(o, label);
	check_show_place(o, v->file, v->line, v->column);
	if (v->found.n) {
		out_puts(o, v->file.n ? "  " : "");
		out_safe(o, str_trim(v->found), false);
	}
	out_puts(o, "\n");
	/* Scripts read the lines of a pipe. */
	if (out_is_terminal(o))
		quote_show(o, &v->quote, severity_styles[v->severity]);
}

static void show_rule_findings(struct out *o, const struct rule_findings *f)
{
	const struct check_violation *v = f->p[0];

	out_styled(o, severity_styles[v->severity], str_of(kn_severities[v->severity]));
	out_puts(o, v->existing ? " (existing) " : v->retired ? " (retired) " : " ");
	out_styled(o, OUT_BOLD, v->item->title);
	out_puts(o, "\n");
	for (size_t i = 0; i < f->n && i < PLACES_MAX; i++)
		show_finding(o, i ? "" : v->file.n ? "where" : "found", f->p[i]);
	if (f->n > PLACES_MAX) {
		show_label(o, "");
		out_fmt(o, "and %zu more (--json lists all)\n", f->n - PLACES_MAX);
	}
	show_labelled(o, "reason", v->message);
	if (!str_eq(v->message, v->item->summary))
		show_labelled(o, "decision", v->item->summary);
	show_labelled(o, "use instead", v->constraint->use_instead);
	show_labelled(o, "decided in", v->item->shown_path);
	if (v->retired) {
		show_label(o, "retired in");
		out_fmt(o, "%.*s, a commit of this change, so it does not block\n",
			STR_ARG(str_sub(v->retired_by, 0, 12)));
	} else if (v->from_base) {
		show_labelled(
			o, "",
			STR("as it was before this change, which cannot switch off its judge"));
	}
	show_labelled(o, "next", v->next);
	show_label(o, "more");
	out_fmt(o, "ikm why %.*s\n\n", STR_ARG(v->fingerprint));
}

/* In the order of each rule's first finding. */
static void show_violations(struct out *o, const struct check_report *r, bool existing)
{
	struct arena *a = arena_new();
	const struct check_violation **all = arena_array(a, r->violations.n, sizeof(*all));
	struct {
		struct rule_findings *p;
		size_t n, cap;
	} rules = {0};
	size_t n = 0;

	for (size_t i = 0; i < r->violations.n; i++)
		if (existing || !r->violations.p[i].existing)
			all[n++] = &r->violations.p[i];
	if (n)
		qsort(all, n, sizeof(*all), by_shown_rule_and_place);
	for (size_t i = 0; i < n; i++) {
		if (!i || by_shown_rule(all[i - 1], all[i]))
			*VEC_PUSH(a, &rules) = (struct rule_findings){.p = all + i};
		rules.p[rules.n - 1].n++;
	}
	if (rules.n)
		qsort(rules.p, rules.n, sizeof(*rules.p), by_first_finding);
	for (size_t i = 0; i < rules.n; i++)
		show_rule_findings(o, &rules.p[i]);
	arena_free(a);
}

/* ---- what was not judged, and notes ---- */

struct str check_rule_ids(struct arena *a, const struct check_unjudged *u)
{
	struct buf b = buf_in(a);
	struct strs ids = {0};

	for (size_t i = 0; i < u->rules.n; i++)
		if (!strs_has(&ids, u->rules.p[i].item->id))
			strs_push(a, &ids, u->rules.p[i].item->id);
	for (size_t i = 0; i < ids.n && i < RULES_MAX; i++)
		buf_fmt(&b, "%s%.*s",
			i           ? ", "
			: ids.n > 1 ? " (rules "
				    : " (rule ",
			STR_ARG(ids.p[i]));
	if (ids.n > RULES_MAX)
		buf_fmt(&b, " and %zu more", ids.n - RULES_MAX);
	buf_puts(&b, ids.n ? ")" : "");
	return buf_str(&b);
}

static void show_unjudged_one(struct out *o, const struct check_unjudged *u)
{
	struct arena *a = arena_new();

	out_styled(o, u->blocks ? OUT_RED : OUT_YELLOW,
		   u->blocks ? STR("not judged (blocks)") : STR("not judged"));
	out_puts(o, ": ");
	check_show_place(o, u->path, u->line, u->column);
	out_puts(o, ": ");
	out_safe(o, u->message, false);
	out_safe(o, check_rule_ids(a, u), false);
	out_puts(o, "\n");
	arena_free(a);
}

/*
 * The first entries of each reason. Blocking entries are among them, since the strictest come
 * first.
 */
static void show_unjudged(struct out *o, const struct check_report *r)
{
	for (enum check_reason reason = 0; check_reasons[reason]; reason++) {
		size_t n = 0;

		for (size_t i = 0; i < r->named.n; i++)
			if (r->named.p[i].reason == reason && n++ < PLACES_MAX)
				show_unjudged_one(o, &r->named.p[i]);
		if (n > PLACES_MAX) {
			out_styled(o, OUT_YELLOW, STR("not judged"));
			out_fmt(o, ": %zu more of reason %s (--json lists all)\n", n - PLACES_MAX,
				check_reasons[reason]);
		}
	}
}

static void show_notes(struct out *o, const struct check_report *r)
{
	for (size_t i = 0; i < r->notes.n; i++) {
		const struct check_note *n = &r->notes.p[i];

		out_styled(o, n->blocks ? OUT_RED : OUT_YELLOW,
			   n->kind == CHECK_BROKEN   ? STR("broken knowledge")
			   : n->kind == CHECK_WAIVER ? STR("exception")
			   : n->kind == CHECK_GARDEN ? STR("garden")
						     : STR("warning"));
		out_puts(o, n->blocks ? " (blocks) " : " ");
		check_show_place(o, n->path, n->line, 0);
		out_puts(o, ": ");
		out_safe(o, n->message, false);
		out_puts(o, "\n");
	}
	show_unjudged(o, r);
	if (r->notes.n || r->named.n)
		out_puts(o, "\n");
}

/* ---- the last lines ---- */

static void show_plural(struct out *o, size_t n, const char *noun)
{
	out_fmt(o, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

void check_done_text(struct out *o, const struct check_report *r, bool existing)
{
	if (check_refs_unjudged(r)) {
		out_puts(o, "nothing was judged\n");
		return;
	}
	if (r->garden)
		out_fmt(o, "garden: %u change%s judged\n", r->garden, r->garden == 1 ? "" : "s");
	if (r->no_knowledge && r->garden)
		return;
	if (r->no_knowledge) {
		out_puts(
			o,
			"no knowledge is configured: nothing to judge by (see ikm-knowledge(5))\n");
		return;
	}
	if (!r->files && !r->manifests)
		out_styled(o, OUT_YELLOW, STR("0 files were checked: "));
	else
		out_puts(o, "checked ");
	show_plural(o, r->files, "file");
	out_puts(o, ", ");
	show_plural(o, r->manifests, "manifest");
	out_puts(o, " against ");
	show_plural(o, r->constraints, "constraint");
	out_puts(o, " of ");
	show_plural(o, r->items, "item");
	if (r->items && !r->constraints)
		out_puts(o, ": none of them has rules that judge");
	if (r->skipped.n) {
		out_puts(o, "; skipped ");
		show_plural(o, r->skipped.n, "file");
	}
	if (r->broken) {
		out_puts(o, "; broken: ");
		show_plural(o, r->broken, "item");
	}
	if (r->not_judged || r->named.n) {
		out_puts(o, "; not judged: ");
		if (r->named.n)
			show_plural(o, r->named.n, "place");
		if (r->not_judged) {
			out_puts(o, r->named.n ? ", " : "");
			show_plural(o, r->not_judged, "constraint");
		}
	}
	if (r->unresolved) {
		out_puts(o, "; unresolved: ");
		show_plural(o, r->unresolved, "dependency name");
	}
	if (r->baseline.file.n) {
		out_fmt(o, "; %u in the baseline", r->baseline.matched + r->baseline.added);
		if (r->baseline.gone.n)
			out_fmt(o, ", %zu gone", r->baseline.gone.n);
	}
	if (r->waived_count)
		out_fmt(o, "; %u waived", r->waived_count);
	if (r->existing && !existing && !r->baseline.file.n)
		out_fmt(o, "; %u existing not shown (--existing)", r->existing);
	out_puts(o, "\n");
}

void check_rules_text(struct out *o, const struct check_report *r)
{
	rule_changes_text(o, &r->rule_changes, r->rules_before, r->rules, RULES_SHOWN);
}

void check_counts_text(struct out *o, const struct check_report *r, const char *what)
{
	if (!r->passed) {
		out_style(o, OUT_RED);
		show_plural(o, r->block, "blocking violation");
		out_style(o, OUT_PLAIN);
		if (*what)
			out_fmt(o, ": %s was stopped", what);
		out_puts(o, "; ");
	}
	if (r->warn) {
		show_plural(o, r->warn, "warning");
		out_puts(o, "; ");
	}
	if (r->info) {
		show_plural(o, r->info, "finding");
		out_puts(o, " of severity info; ");
	}
}

void check_text(struct out *o, const struct check_report *r, const char *what, bool existing)
{
	if (r->verifies) {
		show_notes(o, r);
		check_commits_text(o, r);
		return;
	}
	show_violations(o, r, existing);
	show_notes(o, r);
	/* With a base, how the rules differ; without a base, how many there are. */
	if (r->compared)
		check_rules_text(o, r);
	else if (!r->no_knowledge)
		out_fmt(o, "rules: %u\n", r->rules);
	check_refs_text(o, r);
	check_counts_text(o, r, what);
	check_done_text(o, r, existing);
}
