#include "knowledge/rule_change_text.h"

/* ---- what differs between two long texts ---- */

#define PAIR_LONG    160 /* bytes of both texts, above which only what differs is shown */
#define PAIR_CONTEXT 16  /* bytes at least that stay at both ends of what is left out */
#define PAIR_CELLS   ((size_t)1 << 18) /* of the table that compares them: 1 MB, for a moment */

/* A text as words and single other characters. */
static struct strs pair_words(struct arena *a, struct str s)
{
	struct strs out = {0};

	for (size_t n; s.n; s = str_sub(s, n, s.n)) {
		for (n = 0; n < s.n && (ascii_is_alnum(s.p[n]) || s.p[n] == '_' || (s.p[n] & 0x80));
		     n++)
			;
		n = size_max(n, 1);
		strs_push(a, &out, str_sub(s, 0, n));
	}
	return out;
}

/*
 * Marks the words of a longest common subsequence, and of very different texts those at both ends.
 */
static void pair_common(struct strs x, struct strs y, bool *in_x, bool *in_y)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	size_t columns, i, j;
	unsigned *most;

	for (; x.n && y.n && str_eq(*x.p, *y.p); x.p++, y.p++, x.n--, y.n--)
		*in_x++ = *in_y++ = true;
	for (; x.n && y.n && str_eq(x.p[x.n - 1], y.p[y.n - 1]); x.n--, y.n--)
		in_x[x.n - 1] = in_y[y.n - 1] = true;
	columns = y.n + 1;
	if (x.n + 1 > PAIR_CELLS / columns)
		return;
	most = arena_array(scratch, (x.n + 1) * columns, sizeof(*most));
	for (i = x.n; i-- > 0;)
		for (j = y.n; j-- > 0;) {
			unsigned *at = most + i * columns + j;

			if (str_eq(x.p[i], y.p[j]))
				*at = at[columns + 1] + 1;
			else
				*at = at[columns] > at[1] ? at[columns] : at[1];
		}
	for (i = j = 0; i < x.n && j < y.n;) {
		const unsigned *at = most + i * columns + j;

		if (str_eq(x.p[i], y.p[j]))
			in_x[i++] = in_y[j++] = true;
		else if (at[columns] >= at[1])
			i++;
		else
			j++;
	}
}

/* Words that both texts have, with an ellipsis for those in the middle. */
static void pair_put_common(struct buf *b, const struct str *words, size_t n)
{
	size_t from = 0, to = n;

	for (size_t bytes = 0; from < to && bytes < PAIR_CONTEXT; from++)
		bytes += words[from].n;
	for (size_t bytes = 0; from < to && bytes < PAIR_CONTEXT; to--)
		bytes += words[to - 1].n;
	for (size_t i = 0; i < n; i++) {
		if (i == from && to > from + 1)
			buf_puts(b, "…");
		if (i < from || i >= to || to <= from + 1)
			buf_put(b, words[i]);
	}
}

/* Both texts; of long ones the parts that differ, and true. */
static bool ruleshow_pair(struct arena *a, const struct rule_change *c, struct str *before,
			  struct str *after)
{
	struct strs x, y;
	struct buf was = buf_in(a), is = buf_in(a);
	bool *in_x, *in_y;

	*before = c->before.n ? c->before : STR("none");
	*after = c->after.n ? c->after : STR("none");
	if (before->n + after->n <= PAIR_LONG)
		return false;
	x = pair_words(a, *before);
	y = pair_words(a, *after);
	in_x = arena_array(a, x.n, sizeof(*in_x));
	in_y = arena_array(a, y.n, sizeof(*in_y));
	pair_common(x, y, in_x, in_y);
	for (size_t i = 0, j = 0, n; i < x.n || j < y.n;) {
		for (n = 0; i + n < x.n && j + n < y.n && in_x[i + n] && in_y[j + n]; n++)
			;
		pair_put_common(&was, x.p + i, n);
		pair_put_common(&is, x.p + i, n);
		for (i += n; i < x.n && !in_x[i]; i++)
			buf_put(&was, x.p[i]);
		for (j += n; j < y.n && !in_y[j]; j++)
			buf_put(&is, y.p[j]);
	}
	*before = buf_as_str(&was);
	*after = buf_as_str(&is);
	return true;
}

/* ---- one change ---- */

static bool ruleshow_is_pair(const struct rule_change *c)
{
	return c->kind == RULE_EDITED || c->kind == RULE_SETTING;
}

/* Puts the reason, the findings that the tree had before, and the commit behind the rule. */
static struct str ruleshow_rest(struct arena *a, const struct rule_change *c)
{
	struct buf b = buf_in(a);

	if (c->why.n && (c->kind == RULE_EDITED || c->kind == RULE_ADDED))
		buf_fmt(&b, "; %.*s", STR_ARG(c->why));
	if (c->findings)
		buf_fmt(&b, "; the tree had %zu finding%s before: ikm know test %.*s", c->findings,
			PLURAL(c->findings), STR_ARG(c->item));
	if (c->commit.n)
		buf_fmt(&b, ", in %.*s", STR_ARG(str_sub(c->commit, 0, 12)));
	return buf_as_str(&b);
}

/* For an edit "must_not_use code eval (block) → none". */
struct str rule_change_sentence(struct arena *a, const struct rule_change *c)
{
	struct str before, after,
		what = c->kind == RULE_ADDED ? c->after
		       : c->why.n            ? c->why
					     : c->before;

	if (ruleshow_is_pair(c)) {
		ruleshow_pair(a, c, &before, &after);
		what = str_fmt(a, "%.*s → %.*s", STR_ARG(before), STR_ARG(after));
	}
	return str_fmt(a, "%.*s%.*s", STR_ARG(what), STR_ARG(ruleshow_rest(a, c)));
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
	struct str before, after;

	out_styled(o,
		   c->blocks              ? OUT_RED
		   : c->kind == RULE_LOST ? OUT_YELLOW
					  : OUT_CYAN,
		   str_of(rule_change_kinds[c->kind]));
	out_puts(o, " ");
	out_safe(o, c->item, false);
	if (rules > 1)
		out_fmt(o, ", %zu rules", rules);
	if (ruleshow_is_pair(c) && ruleshow_pair(a, c, &before, &after)) {
		out_safe(o, ruleshow_rest(a, c), false);
		out_puts(o, "\n    - ");
		out_safe(o, before, false);
		out_puts(o, "\n    + ");
		out_safe_line(o, after);
		return;
	}
	out_puts(o, " (");
	out_safe(o, rule_change_sentence(a, c), false);
	out_puts(o, ")\n");
}

void rule_changes_text(struct out *o, const struct rule_changes *list, int64_t before, int64_t now,
		       size_t max)
{
	struct arena *a ARENA_LOCAL = arena_new();
	size_t shown = 0, cut = 0, rules;
	const struct rule_change *first = NULL;

	if (!list->n)
		return;
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
		out_fmt(o, "  and %zu more change%s of rules: --json lists all\n", cut,
			PLURAL(cut));
	/* How to retire the lost rules, printed once. */
	VEC_EACH(const struct rule_change, c, list)
		if (c->kind == RULE_LOST && (!first || (c->blocks && !first->blocks)))
			first = c;
	if (!first)
		return;
	out_set_style(o, OUT_DIM);
	out_puts(o, "  to retire a decision: ");
	out_set_style(o, OUT_PLAIN);
	out_puts(o, first->deleted ? "put the file back, and set 'status: deprecated' in "
				   : "set 'status: deprecated' in ");
	out_safe(o, first->path, false);
	out_puts(o, ", in a commit of its own\n");
}
