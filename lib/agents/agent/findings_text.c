/* Findings as an agent should read them: the decision, the reason, what to use instead. */
#include "agent/internal.h"

#define TEXT_MAX   4000 /* some hosts send the reason to the model twice */
#define PLACES_MAX 5
#define RULES_MAX  10
#define WHY_TOOL   "knowledge_why" /* the same as 'ikm why', for callers without a shell */

struct str agent_text_shorten(struct arena *a, struct str text)
{
	if (text.n <= TEXT_MAX)
		return text;
	return str_fmt(a, "%.*s\n(cut; 'ikm check' tells all of it)",
		       STR_ARG(str_utf8_head(text, TEXT_MAX)));
}

/* The text that a rule on code or settings has found may be a secret; a package and a path are
 * none. */
static bool text_is_private(const struct check_violation *v)
{
	return v->constraint->target == KN_TARGET_CODE || v->constraint->target == KN_TARGET_CONFIG;
}

static void text_put_place(struct buf *b, const struct check_violation *v)
{
	buf_puts(b, "\n  ");
	if (v->file.n)
		buf_put(b, v->file);
	if (v->file.n && v->line)
		buf_fmt(b, ":%zu:%zu", v->line, size_max(v->column, 1));
	if ((v->constraint->target == KN_TARGET_DEPENDENCY ||
	     v->constraint->target == KN_TARGET_IMPORT) &&
	    v->found.n)
		buf_fmt(b, "%s%.*s", v->file.n ? ": " : "", STR_ARG(v->found));
	else if (text_is_private(v))
		buf_fmt(b, ": %s /%.*s/", kn_operators[v->constraint->op],
			STR_ARG(str_utf8_head(v->constraint->pattern, 200)));
}

static bool text_counts(const struct check_violation *v, bool block)
{
	if (v->existing)
		return false;
	return block ? v->severity == KN_SEVERITY_BLOCK : v->severity == KN_SEVERITY_WARN;
}

static bool text_same_rule(const struct check_violation *x, const struct check_violation *y)
{
	return x->constraint == y->constraint && x->from_base == y->from_base;
}

static void text_put_rule(struct buf *b, const struct check_report *r, size_t first, bool block,
			  bool tool)
{
	const struct check_violation *v = &r->violations.p[first];
	struct str file = {NULL, 0};
	size_t places = 0, in_file = 0;
	bool cut = false;

	buf_fmt(b, "%s%.*s: %.*s (%.*s)", b->n ? "\n" : "", STR_ARG(v->item->id),
		STR_ARG(v->item->title), STR_ARG(v->item->shown_path));
	for (size_t i = first; i < r->violations.n; i++) {
		if (!text_counts(&r->violations.p[i], block) ||
		    !text_same_rule(v, &r->violations.p[i]))
			continue;
		in_file = str_eq(file, r->violations.p[i].file) ? in_file + 1 : 1;
		file = r->violations.p[i].file;
		/* The rest of the file is not in the list. */
		cut |= in_file >= CHECK_PER_FILE;
		if (places++ < PLACES_MAX)
			text_put_place(b, &r->violations.p[i]);
	}
	if (places > PLACES_MAX)
		buf_fmt(b, "\n  and %s%zu more", cut ? "at least " : "", places - PLACES_MAX);
	/* Where the rule has no message, that of the finding quotes what was found. */
	if (v->message.n && !(text_is_private(v) && !v->constraint->message.n && v->found.n))
		buf_fmt(b, "\n  why: %.*s", STR_ARG(v->message));
	if (v->constraint->use_instead.n)
		buf_fmt(b, "\n  use instead: %.*s", STR_ARG(v->constraint->use_instead));
	if (v->from_base)
		buf_puts(b, "\n  the rule is in HEAD, and the working tree has taken it away: a "
			    "person commits that first");
	buf_fmt(b, "\n  more: %s%.*s%s", tool ? WHY_TOOL " {\"what\": \"" : "ikm why ",
		STR_ARG(v->item->id), tool ? "\"}" : "");
}

static bool text_came_before(const struct check_report *r, size_t i, bool block)
{
	for (size_t k = 0; k < i; k++)
		if (text_counts(&r->violations.p[k], block) &&
		    text_same_rule(&r->violations.p[k], &r->violations.p[i]))
			return true;
	return false;
}

static void text_put_line(struct buf *b, struct str path, size_t line, struct str message)
{
	buf_fmt(b, "%s%.*s", b->n ? "\n" : "", STR_ARG(path));
	if (line)
		buf_fmt(b, ":%zu", line);
	buf_fmt(b, ": %.*s", STR_ARG(message));
}

struct str agent_findings(struct arena *a, const struct check_report *r, bool block, bool tool)
{
	struct buf b = buf_in(a);
	size_t rules = 0;

	for (size_t i = 0; i < r->violations.n; i++) {
		if (!text_counts(&r->violations.p[i], block) || text_came_before(r, i, block))
			continue;
		if (rules++ < RULES_MAX)
			text_put_rule(&b, r, i, block, tool);
	}
	if (rules > RULES_MAX)
		buf_fmt(&b, "\nand %zu more rule%s", rules - RULES_MAX, PLURAL(rules - RULES_MAX));
	/* Other notes are about the repository, not about this edit. */
	for (size_t i = 0; block && i < r->notes.n; i++)
		if (r->notes.p[i].blocks)
			text_put_line(&b, r->notes.p[i].path, r->notes.p[i].line,
				      r->notes.p[i].message);
	for (size_t i = 0; block && i < r->rule_changes.n; i++) {
		const struct rule_change *c = &r->rule_changes.p[i];

		if (c->blocks)
			text_put_line(&b, c->path, 0,
				      str_fmt(a, "rule %u of %.*s is %s: %.*s", c->constraint,
					      STR_ARG(c->item), rule_change_kinds[c->kind],
					      STR_ARG(c->why)));
	}
	VEC_EACH(const struct check_unjudged, u, &r->unjudged)
		if (u->blocks == block && u->named && u->severity == KN_SEVERITY_BLOCK)
			text_put_line(&b, u->path, u->line, u->message);
	return b.n ? buf_as_str(&b) : STR("");
}

struct str agent_denial_reason(struct arena *a, const char *when, struct str found, struct str ask)
{
	struct buf b = buf_in(a);

	buf_fmt(&b, "stopped before it %s: it breaks a decision of this repository.%.*s", when,
		STR_ARG(found));
	if (ask.n)
		buf_fmt(&b, "\n%.*s", STR_ARG(ask));
	return buf_as_str(&b);
}

struct str agent_protection_reason(struct agent *g)
{
	bool committed = false;

	for (size_t i = 0; i < g->repos.n; i++)
		committed |= g->repos.p[i]->head_is_stricter;
	return str_fmt(g->a,
		       "this edit changes what judges edits, so a person decides: %.*s.\nAsk the "
		       "person to make the change, or to set check.agentProtected to warn%s.",
		       STR_ARG(str_join(g->a, &g->protected, "; ")),
		       committed ? " and to commit that: HEAD is stricter than the working tree"
				 : "");
}
