#include "knowledge/ruleshow.h"

struct str rule_change_sentence(struct arena *a, const struct rule_change *c)
{
	struct buf b = buf_in(a);

	switch (c->kind) {
	case RULE_EDITED:
	case RULE_SETTING:
		/* Prints "must_not_use code eval (block) → none". */
		buf_fmt(&b, "%.*s → %.*s", STR_ARG(c->before.n ? c->before : STR("none")),
			STR_ARG(c->after.n ? c->after : STR("none")));
		break;
	case RULE_LOST:
	case RULE_RETIRED: buf_put(&b, c->why.n ? c->why : c->before); break;
	case RULE_ADDED: buf_put(&b, c->after); break;
	}
	if (c->why.n && (c->kind == RULE_EDITED || c->kind == RULE_ADDED))
		buf_fmt(&b, "; %.*s", STR_ARG(c->why));
	if (c->reinstated || c->findings)
		buf_fmt(&b, "; the tree has %zu finding%s already", c->findings,
			c->findings == 1 ? "" : "s");
	if (!c->reinstated && c->findings)
		buf_fmt(&b, ": ikm know test %.*s", STR_ARG(c->item));
	if (c->commit.n)
		buf_fmt(&b, ", in %.*s", STR_ARG(str_sub(c->commit, 0, 12)));
	return buf_str(&b);
}

/* Rules of one item that went for the same reason share a line. */
static bool ruleshow_same_event(const struct rule_change *x, const struct rule_change *y)
{
	return str_eq(x->item, y->item) && x->kind == y->kind &&
	       (x->kind == RULE_LOST || x->kind == RULE_RETIRED) && str_eq(x->why, y->why);
}

static void ruleshow_change(struct out *o, struct arena *a, const struct rule_change *c,
			    size_t rules)
{
	out_styled(o,
		   c->blocks              ? OUT_RED
		   : c->kind == RULE_LOST ? OUT_YELLOW
					  : OUT_CYAN,
		   str_of(rule_change_kinds[c->kind]));
	out_puts(o, " ");
	out_safe(o, c->item, false);
	if (rules > 1)
		out_fmt(o, ", %zu rules", rules);
	out_puts(o, " (");
	out_safe(o, rule_change_sentence(a, c), false);
	out_puts(o, ")\n");
}

/* How to retire the lost rules, printed once. */
static void ruleshow_retire_steps(struct out *o, const struct rule_changes *list)
{
	const struct rule_change *first = NULL;

	for (size_t i = 0; i < list->n; i++) {
		const struct rule_change *c = &list->p[i];

		if (c->kind == RULE_LOST && (!first || (c->blocks && !first->blocks)))
			first = c;
	}
	if (!first)
		return;
	out_style(o, OUT_DIM);
	out_puts(o, "  to retire a decision: ");
	out_style(o, OUT_PLAIN);
	out_puts(o, first->deleted ? "put the file back, and set 'status: deprecated' in "
				   : "set 'status: deprecated' in ");
	out_safe(o, first->path, false);
	out_puts(o, ", in a commit of its own\n");
}

void rule_changes_text(struct out *o, const struct rule_changes *list, int64_t before, int64_t now,
		       size_t max)
{
	struct arena *a;
	size_t shown = 0, cut = 0, rules;

	if (!list->n)
		return;
	a = arena_new();
	out_fmt(o, "rules: %lld → %lld; ", (long long)before, (long long)now);
	for (size_t i = 0; i < list->n; i += rules) {
		const struct rule_change *c = &list->p[i];

		rules = 1;
		while (i + rules < list->n && ruleshow_same_event(c, c + rules))
			rules++;
		/* A change that blocks is always listed. */
		if (max && shown >= max && !c->blocks) {
			cut++;
			continue;
		}
		out_puts(o, shown++ ? "  " : "");
		ruleshow_change(o, a, c, rules);
	}
	if (cut)
		out_fmt(o, "  and %zu more changes of rules: --json lists all\n", cut);
	ruleshow_retire_steps(o, list);
	arena_free(a);
}
