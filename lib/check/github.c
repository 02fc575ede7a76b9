/* A report as annotations of GitHub. */
#include "check/ruleshow.h"
#include "check/show.h"

/* GitHub shows ten annotations of each kind for a step; the last one counts the rest. */
#define GITHUB_MAX 10

struct github {
	struct out *o;
	struct arena *a;
	size_t told[3], cut;
};

/* Blocking findings sort first, so the least important ones are cut. */
static bool github_has_room(struct github *g, enum kn_severity s)
{
	if (g->told[s]++ < GITHUB_MAX - 1)
		return true;
	g->cut++;
	return false;
}

static enum kn_severity github_severity(bool blocks)
{
	return blocks ? KN_SEVERITY_BLOCK : KN_SEVERITY_WARN;
}

static void github_add(struct github *g, enum kn_severity s, struct str file, size_t line,
		       size_t column, struct str title, struct str message)
{
	static const enum out_level levels[] = {
		[KN_SEVERITY_INFO] = OUT_NOTICE,
		[KN_SEVERITY_WARN] = OUT_WARNING,
		[KN_SEVERITY_BLOCK] = OUT_ERROR,
	};

	out_github(g->o, levels[s], file, line, column, title, message);
}

static void github_rule_changes(struct github *g, const struct rule_changes *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct rule_change *c = &list->p[i];
		/* Lost rules that block are errors, other lost rules warnings. */
		enum kn_severity s = c->blocks || c->kind == RULE_LOST ? github_severity(c->blocks)
								       : KN_SEVERITY_INFO;

		if (github_has_room(g, s))
			github_add(g, s, c->path, 0, 0,
				   str_fmt(g->a, "rule %s: %.*s", rule_change_kinds[c->kind],
					   STR_ARG(c->item)),
				   rule_change_sentence(g->a, c));
	}
}

static struct str github_retired(struct github *g, const struct check_violation *v)
{
	struct buf b = buf_in(g->a);

	buf_fmt(&b, "retired in %.*s, and broken since", STR_ARG(str_sub(v->retired_by, 0, 12)));
	if (v->file.n)
		buf_fmt(&b, " in %.*s", STR_ARG(v->file));
	if (v->line)
		buf_fmt(&b, ":%zu", v->line);
	buf_fmt(&b, ": %.*s", STR_ARG(v->message));
	return buf_str(&b);
}

void check_github(struct out *o, const struct check_report *r)
{
	struct github g = {.o = o, .a = arena_new()};

	for (size_t i = 0; i < r->violations.n; i++) {
		const struct check_violation *v = &r->violations.p[i];

		if (v->existing || !github_has_room(&g, v->severity))
			continue;
		/* The decision is what a reviewer should read, so the annotation stands there. */
		if (v->retired)
			github_add(&g, v->severity, v->item->shown_path, 0, 0, v->item->title,
				   github_retired(&g, v));
		else
			github_add(&g, v->severity, v->file, v->line, v->column, v->item->title,
				   v->message);
	}
	for (size_t i = 0; i < r->notes.n; i++) {
		const struct check_note *n = &r->notes.p[i];
		enum kn_severity s = github_severity(n->blocks);

		if (github_has_room(&g, s))
			github_add(&g, s, n->path, n->line, 0, STR("ikm"), n->message);
	}
	github_rule_changes(&g, &r->rule_changes);
	for (size_t i = 0; i < r->named.n; i++) {
		const struct check_unjudged *u = &r->named.p[i];
		enum kn_severity s = github_severity(u->blocks);

		if (github_has_room(&g, s))
			github_add(&g, s, u->path, u->line, u->column, STR("ikm: not judged"),
				   str_fmt(g.a, "%.*s%.*s", STR_ARG(u->message),
					   STR_ARG(check_rule_ids(g.a, u))));
	}
	if (g.cut)
		out_github(
			o, OUT_NOTICE, (struct str){0}, 0, 0, STR("ikm"),
			str_fmt(g.a, "%zu more are not shown here; 'ikm check' lists all", g.cut));
	check_done_text(o, r, false);
	arena_free(g.a);
}
