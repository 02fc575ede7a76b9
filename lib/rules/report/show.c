#include "base/sort.h"
#include "judge/judge.h"
#include "knowledge/rule_change_text.h"
#include "report/show.h"
#include "os/os.h"

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

/* Text that is ikm's own but for the names in it, which are made safe. */
PRINTF(2, 3)
static void show_fmt(struct out *o, const char *fmt, ...)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);

	BUF_ARGS(&b, fmt);
	out_safe(o, buf_as_str(&b), false);
}

static void show_label(struct out *o, const char *text)
{
	out_set_style(o, OUT_DIM);
	out_fmt(o, "  %-*s", LABEL_COLUMNS - 2, text);
	out_set_style(o, OUT_PLAIN);
}

static void show_plural(struct out *o, size_t n, const char *noun)
{
	out_fmt(o, "%zu %s%s", n, noun, PLURAL(n));
}

static void show_labelled(struct out *o, const char *name, struct str s)
{
	if (!s.n)
		return;
	show_label(o, name);
	if (out_is_terminal(o))
		out_wrapped_behind(o, LABEL_COLUMNS, s);
	else
		out_safe_line(o, s);
}

/* ---- the line of a finding, with a caret under each column of the match ---- */

#define QUOTE_LEAST    20 /* in fewer columns the line would tell nothing */
#define QUOTE_TAB      4
#define QUOTE_ELLIPSIS "…"

/* One character as the terminal shows it. */
struct quote_cell {
	struct str text; /* empty: a tab */
	size_t at, columns;
};
struct quote_row {
	struct quote_cell *p;
	size_t n, cap;
	size_t columns;  /* of all cells */
	size_t from, to; /* the columns of the match */
};

static struct quote_row quote_row_of(struct arena *a, const struct check_quote *q)
{
	struct quote_row row = {.from = SIZE_MAX};
	struct str rest = q->text;

	for (size_t at = 0, n; rest.n; rest = str_sub(rest, n, rest.n), at += n) {
		struct quote_cell *c = VEC_PUSH(a, &row);
		uint32_t code = 0;
		bool hidden = out_hides_char(rest, &n);

		*c = (struct quote_cell){.text = str_sub(rest, 0, n), .at = row.columns};
		str_utf8_char(rest.p, n, &code);
		if (*rest.p == '\t') {
			c->text = STR("");
			c->columns = QUOTE_TAB;
		} else {
			c->columns = hidden ? 4 * n : out_char_columns(code);
		}
		if (at >= q->at && row.from == SIZE_MAX)
			row.from = row.columns;
		row.columns += c->columns;
		if (at < q->at + q->n)
			row.to = row.columns;
	}
	row.from = size_min(row.from, row.columns);
	row.to = size_max(row.to, row.from + 1);
	return row;
}

static void quote_gutter(struct out *o)
{
	out_fmt(o, "%*s", LABEL_COLUMNS, "");
	out_set_style(o, OUT_DIM);
	out_puts(o, "| ");
	out_set_style(o, OUT_PLAIN);
}

/*
 * Prints the quoted line and a line of carets. A line wider than the terminal is cut around the
 * match. Prints nothing when the finding has no place, or the terminal is very narrow.
 */
static void quote_show(struct out *o, const struct check_quote *q, enum out_style style)
{
	size_t room = out_width(o) - size_min(out_width(o), LABEL_COLUMNS + 2), from = 0, to, begin;
	struct arena *a ARENA_LOCAL = arena_new();
	struct quote_row row;
	bool left, right;

	if (!q->text.p || !str_trim(q->text).n || room < QUOTE_LEAST)
		return;
	row = quote_row_of(a, q);
	to = row.columns;
	/* What fits lies around the match; a third of the room lies before it. */
	if (row.columns + q->before + q->after > room) {
		room -= 2; /* for an ellipsis on both sides */
		if (row.from > room / 3)
			from = row.from - room / 3;
		if (from + room < row.columns)
			to = from + room;
		else
			from = row.columns - size_min(room, row.columns);
	}
	left = from || q->before;
	right = to < row.columns || q->after;
	quote_gutter(o);
	out_puts(o, left ? QUOTE_ELLIPSIS : "");
	/* A wide character may lie across the beginning: then the line begins behind it. */
	begin = to;
	VEC_EACH(const struct quote_cell, c, &row) {
		if (c->at < from || c->at + c->columns > to)
			continue;
		begin = size_min(begin, c->at);
		if (c->text.n)
			out_safe(o, c->text, false);
		else
			out_fmt(o, "%*s", (int)c->columns, "");
	}
	out_puts(o, right ? QUOTE_ELLIPSIS "\n" : "\n");
	quote_gutter(o);
	out_fmt(o, "%*s", (int)(left + row.from - size_min(begin, row.from)), "");
	out_set_style(o, style);
	for (size_t i = row.from; i < size_max(size_min(row.to, to), row.from + 1); i++)
		out_puts(o, "^");
	out_set_style(o, OUT_PLAIN);
	out_puts(o, "\n");
}

/* ---- findings, and those that exceptions waive: equal ones in one block ---- */

static const enum out_style severity_styles[] = {
	[KN_SEVERITY_INFO] = OUT_CYAN,
	[KN_SEVERITY_WARN] = OUT_YELLOW,
	[KN_SEVERITY_BLOCK] = OUT_RED,
};

struct show_group {
	const struct check_violation **p;
	size_t n;
};

/* Findings of one rule with the same message: the message once, then the places. */
static int by_shown_rule(const void *x, const void *y)
{
	const struct check_violation *v = x, *w = y;
	const struct kn_constraint *a = v->constraint, *b = w->constraint;

	ORDER_BY(v->severity, w->severity);
	ORDER_BY(v->existing, w->existing);
	ORDER_BY(v->from_base, w->from_base);
	ORDER_BY_STR(v->retired_by, w->retired_by);
	ORDER_BY_STR(v->next, w->next);
	ORDER_BY(v->item->layer, w->item->layer);
	ORDER_BY_STR(v->item->id, w->item->id);
	ORDER_BY_STR(v->message, w->message);
	/* By value: a rule of a change and the same rule of its base are two objects. */
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

/* Findings of one rule under one exception. */
ORDER_OF(by_waiver, struct check_violation,
	 ORDER_STR(waiver->file) || ORDER_UP(waiver->line) || ORDER_STR(item->id) ||
		 ORDER_UP(constraint->index))

ORDER_OF(by_first_finding, struct show_group, ORDER_UP(p[0]))

/* quotes: with the line of each; rest: how to see those that are left out. */
static void show_places(struct out *o, const char *label, const struct show_group *g, bool quotes,
			const char *rest)
{
	for (size_t i = 0; i < g->n && i < PLACES_MAX; i++) {
		const struct check_violation *v = g->p[i];

		if (v->file.n || v->found.n) {
			show_label(o, i ? "" : label);
			check_show_place(o, v->file, v->line, v->column);
			/* A rule about files finds the path itself. */
			if (!str_eq(v->found, v->file)) {
				out_puts(o, v->file.n && v->found.n ? "  " : "");
				out_safe(o, str_trim(v->found), false);
			}
			out_puts(o, "\n");
		}
		/* Scripts read the lines of a pipe. */
		if (quotes && out_is_terminal(o))
			quote_show(o, &v->quote, severity_styles[v->severity]);
	}
	if (g->n > PLACES_MAX) {
		show_label(o, "");
		out_fmt(o, "and %zu more%s\n", g->n - PLACES_MAX, rest);
	}
}

static void show_rule_findings(struct out *o, const struct show_group *g)
{
	const struct check_violation *v = g->p[0];

	out_styled(o, severity_styles[v->severity], str_of(kn_severities[v->severity]));
	out_puts(o, v->existing ? " (existing) " : v->retired ? " (retired) " : " ");
	out_styled(o, OUT_BOLD, v->item->title);
	out_puts(o, "\n");
	show_places(o, v->file.n ? "where" : "found", g, true, " (--json lists all)");
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

static void show_waived(struct out *o, const struct show_group *g)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const struct waiver *x = g->p[0]->waiver;

	out_styled(o, OUT_DIM, STR("waived "));
	out_styled(o, OUT_BOLD, g->p[0]->item->title);
	out_puts(o, "\n");
	show_places(o, "where", g, false, "");
	show_labelled(o, "because", x->reason);
	show_labelled(o, "until",
		      str_fmt(a, "%.*s (%.*s)%s%.*s", STR_ARG(x->expires),
			      STR_ARG(waive_end_text(a, x, waive_today())), x->owner.n ? ", " : "",
			      STR_ARG(x->owner)));
	show_labelled(o, "waived in", waive_entry_place_text(a, x));
	out_puts(o, "\n");
}

/* Each block of findings that are equal in an order. in_list: by the place of their first. */
static void show_groups(struct out *o, const struct check_violations *list, bool existing,
			sort_order_fn *by, bool in_list,
			void (*show)(struct out *o, const struct show_group *g))
{
	struct arena *a ARENA_LOCAL = arena_new();
	const struct check_violation **p =
		sort_into_pointers(a, list->p, list->n, sizeof(*list->p), by);
	struct VEC(struct show_group) groups = {0};

	for (size_t i = 0; i < list->n; i++) {
		if (p[i]->existing && !existing)
			continue;
		if (!groups.n || by(groups.p[groups.n - 1].p[0], p[i]))
			*VEC_PUSH(a, &groups) = (struct show_group){.p = p + i};
		groups.p[groups.n - 1].n++;
	}
	if (groups.n && in_list)
		qsort(groups.p, groups.n, sizeof(*groups.p), by_first_finding);
	for (size_t i = 0; i < groups.n; i++)
		show(o, &groups.p[i]);
}

void check_waived_text(struct out *o, const struct check_report *r)
{
	show_groups(o, &r->waived, true, by_waiver, false, show_waived);
}

/* ---- what was not judged, and notes ---- */

struct str check_rule_ids_text(struct arena *a, const struct check_unjudged *u)
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
	return buf_as_str(&b);
}

static void show_notes(struct out *o, const struct check_report *r)
{
	struct arena *a ARENA_LOCAL = arena_new();

	VEC_EACH(const struct check_note, n, &r->notes) {
		out_styled(o, n->blocks ? OUT_RED : OUT_YELLOW,
			   n->kind == CHECK_BROKEN   ? STR("broken knowledge")
			   : n->kind == CHECK_WAIVER ? STR("exception")
			   : n->kind == CHECK_GARDEN ? STR("garden")
						     : STR("warning"));
		out_puts(o, n->blocks ? " (blocks) " : " ");
		check_show_place(o, n->path, n->line, 0);
		out_puts(o, ": ");
		out_safe_line(o, n->message);
	}
	/*
	 * The first entries of each reason. Blocking entries are among them, since the strictest
	 * come first.
	 */
	for (enum check_reason reason = 0; check_reasons[reason]; reason++) {
		size_t n = 0;

		VEC_EACH(const struct check_unjudged, u, &r->named) {
			if (u->reason != reason || n++ >= PLACES_MAX)
				continue;
			out_styled(o, u->blocks ? OUT_RED : OUT_YELLOW,
				   u->blocks ? STR("not judged (blocks)") : STR("not judged"));
			out_puts(o, ": ");
			check_show_place(o, u->path, u->line, u->column);
			out_puts(o, ": ");
			out_safe(o, u->message, false);
			out_safe_line(o, check_rule_ids_text(a, u));
		}
		if (n > PLACES_MAX) {
			out_styled(o, OUT_YELLOW, STR("not judged"));
			out_fmt(o, ": %zu more of reason %s (--json lists all)\n", n - PLACES_MAX,
				check_reasons[reason]);
		}
	}
	if (r->notes.n || r->named.n)
		out_puts(o, "\n");
}

/* ---- commits ---- */

#define FINDINGS_SHOWN 3 /* of a commit */

/* The first findings, and a count of the rest. */
static void show_commit_findings(struct out *o, const struct check_commit *c, const char *rest)
{
	size_t n = c->violations.n + c->reasons.n, shown = 0;

	for (size_t i = 0; i < c->violations.n && shown < FINDINGS_SHOWN; i++, shown++) {
		const struct check_violation *v = &c->violations.p[i];

		out_puts(o, "  ");
		check_show_place(o, v->file, v->line, v->line ? v->column : 0);
		out_puts(o, v->file.n ? "  " : "");
		out_safe(o, str_trim(v->found), false);
		out_puts(o, v->found.n ? "  " : "");
		show_fmt(o, "%.*s: %.*s", STR_ARG(v->item->id), STR_ARG(v->message));
		out_puts(o, "\n");
	}
	for (size_t i = 0; i < c->reasons.n && shown < FINDINGS_SHOWN; i++, shown++) {
		out_puts(o, "  ");
		out_safe_line(o, c->reasons.p[i]);
	}
	if (n > shown)
		out_fmt(o, "  and %zu more (%s)\n", n - shown, rest);
}

void check_print_commit(struct out *o, const struct check_commit *c, bool brief)
{
	const struct check_violation *v = c->violations.p;
	size_t n = c->violations.n + c->reasons.n;
	bool judged = c->verdict != CHECK_COMMIT_NOT_JUDGED;

	show_fmt(o, "ikm: %.*s", STR_ARG(str_sub(c->id, 0, 12)));
	if (!judged || (!c->violations.n && brief)) {
		show_fmt(o, "%s%.*s",
			 judged ? " is made, and breaks a rule: " : " could not be judged: ",
			 STR_ARG(c->reasons.n ? c->reasons.p[0] : STR("")));
	} else if (c->verdict == CHECK_COMMIT_RETIRED) {
		show_fmt(o, " is made, and retires a rule and breaks it: %.*s",
			 STR_ARG(v->item->id));
	} else if (brief) {
		show_fmt(o, " is made, and breaks %.*s%s", STR_ARG(v->item->id),
			 v->file.n ? " in " : "");
		check_show_place(o, v->file, v->line, 0);
		if (n > 1)
			out_fmt(o, ", and %zu more", n - 1);
	} else {
		out_puts(o, " is made, and no hook stopped what it breaks:\n");
		show_commit_findings(o, c, "ikm check --verify HEAD~1.. --json lists all");
		out_fmt(o,
			"next: %s, git add it, and git commit --amend; the pre-push hook and CI "
			"check it too",
			c->violations.n ? "fix it" : "mend it or put it back");
	}
	out_puts(o, "\n");
}

/* The commits that did not pass, with --verify, and a line that counts. */
static void show_commits(struct out *o, const struct check_report *r)
{
	for (size_t i = 0; i < r->commits.n; i++) {
		const struct check_commit *c = &r->commits.p[i];
		struct arena *a ARENA_LOCAL = arena_new();
		struct str day = c->time ? os_day_text(a, c->time) : STR("");
		size_t n = c->violations.n + c->reasons.n;
		bool judged = c->verdict != CHECK_COMMIT_NOT_JUDGED;

		/* "broken 4f2a91c0d3e1 2026-01-02 Ada: orders: read the old shop (2 findings)" */
		out_styled(o, c->verdict == CHECK_COMMIT_RETIRED ? OUT_YELLOW : OUT_RED,
			   judged ? str_of(check_verdicts[c->verdict]) : STR("not judged"));
		show_fmt(o, " %.*s%s%.*s %.*s: ", STR_ARG(str_sub(c->id, 0, 12)), day.n ? " " : "",
			 STR_ARG(day), STR_ARG(c->author));
		out_styled(o, OUT_BOLD, c->subject);
		if (judged)
			out_fmt(o, " (%zu finding%s)", n, PLURAL(n));
		out_puts(o, "\n");
		show_commit_findings(o, c, "--json lists all");
	}
	if (r->commits.n)
		out_puts(o, "\n");
	show_plural(o, r->verified.commits, "commit");
	out_puts(o, " verified: ");
	if (r->verified.broken) {
		out_set_style(o, OUT_RED);
		out_fmt(o, "%u broke a rule", r->verified.broken);
		out_set_style(o, OUT_PLAIN);
	} else {
		out_puts(o, "none broke a rule");
	}
	if (r->verified.retired)
		out_fmt(o, "; %u retired a rule and broke it", r->verified.retired);
	if (r->verified.not_judged)
		out_fmt(o, "; %u could not be judged", r->verified.not_judged);
	if (r->garden)
		out_fmt(o, "; %u change%s of the garden judged", r->garden, PLURAL(r->garden));
	else if (r->no_knowledge)
		out_puts(o, "; none of them has knowledge to judge by (see ikm-knowledge(5))");
	out_puts(o, "\n");
}

/* ---- the last lines ---- */

/* "; skipped 3 files", or nothing. */
static void show_count(struct out *o, const char *what, size_t n, const char *noun)
{
	if (n)
		out_fmt(o, "; %s%zu %s%s", what, n, noun, PLURAL(n));
}

void check_done_text(struct out *o, const struct check_report *r, bool existing)
{
	bool refused = r->refs.n > 0;

	for (size_t i = 0; i < r->refs.n; i++)
		refused = refused && r->refs.p[i].action != CHECK_REF_JUDGED;
	if (refused) {
		out_puts(o, "nothing was judged\n");
		return;
	}
	if (r->garden)
		out_fmt(o, "garden: %u change%s judged\n", r->garden, PLURAL(r->garden));
	if (r->no_knowledge && r->garden)
		return;
	if (r->no_knowledge || (r->nothing.n && !r->files)) {
		out_puts(o, "nothing was judged: ");
		out_safe_line(o, r->nothing.n ? r->nothing
					      : STR("no knowledge is configured (see "
						    "ikm-knowledge(5))"));
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
	show_count(o, "skipped ", r->skipped.n, "file");
	show_count(o, "broken: ", r->broken, "item");
	show_count(o, "not judged: ", r->named.n, "place");
	if (r->named.n && r->not_judged) {
		out_puts(o, ", ");
		show_plural(o, r->not_judged, "constraint");
	} else {
		show_count(o, "not judged: ", r->not_judged, "constraint");
	}
	show_count(o, "unresolved: ", r->unresolved, "dependency name");
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

void check_rule_changes_text(struct out *o, const struct check_report *r)
{
	rule_changes_text(o, &r->rule_changes, r->rules_before, r->rules, RULES_SHOWN);
}

void check_counts_text(struct out *o, const struct check_report *r, const char *what)
{
	if (!r->passed) {
		out_set_style(o, OUT_RED);
		show_plural(o, r->block, "blocking violation");
		out_set_style(o, OUT_PLAIN);
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

#define REFS_SHOWN 10 /* refs of each kind */

void check_print_report_text(struct out *o, const struct check_report *r, const char *what,
			     bool existing)
{
	if (r->verifies) {
		show_notes(o, r);
		show_commits(o, r);
		return;
	}
	show_groups(o, &r->violations, existing, by_shown_rule, true, show_rule_findings);
	show_notes(o, r);
	/* With a base, how the rules differ; without a base, how many there are. */
	if (r->compared)
		check_rule_changes_text(o, r);
	else if (!r->no_knowledge)
		out_fmt(o, "rules: %u\n", r->rules);
	/*
	 * Lines about refs of a push that were not judged, and, of several refs, which are stopped.
	 * Nothing when there is nothing to say.
	 */
	for (enum check_ref_action action = 0; check_ref_actions[action]; action++) {
		bool judged = action == CHECK_REF_JUDGED;
		size_t n = 0;

		VEC_EACH(const struct check_ref, ref, &r->refs) {
			if (ref->action != action || (judged && (r->refs.n < 2 || !ref->block)) ||
			    n++ >= REFS_SHOWN)
				continue;
			if (judged)
				show_fmt(o, "%.*s: %u blocking", STR_ARG(ref->ref), ref->block);
			else
				show_fmt(o, "%.*s: not judged: %.*s", STR_ARG(ref->ref),
					 STR_ARG(ref->why));
			out_puts(o, "\n");
		}
		if (n > REFS_SHOWN)
			out_fmt(o, "and %zu more ref%s: %s\n", n - REFS_SHOWN,
				PLURAL(n - REFS_SHOWN),
				judged                        ? "stopped"
				: action == CHECK_REF_DELETED ? "deleted"
							      : "not judged");
	}
	check_counts_text(o, r, what);
	check_done_text(o, r, existing);
}
