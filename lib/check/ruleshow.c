#include "check/ruleshow.h"

static struct val *ruleshow_text(struct arena *a, struct str s)
{
	return val_str(a, str_utf8(a, s));
}

struct val *rule_changes_val(struct arena *a, const struct rule_changes *list)
{
	struct val *out = val_list(a);

	for (size_t i = 0; i < list->n; i++) {
		const struct rule_change *c = &list->p[i];
		struct val *v = val_add(out, val_map(a));

		val_set(a, v, "item", ruleshow_text(a, c->item));
		if (c->constraint)
			val_set(a, v, "constraint", val_int(a, c->constraint));
		val_set(a, v, "change", val_str(a, str_of(rule_change_kinds[c->kind])));
		val_set(a, v, "why", ruleshow_text(a, c->why));
		if (c->before.n)
			val_set(a, v, "before", ruleshow_text(a, c->before));
		if (c->after.n)
			val_set(a, v, "after", ruleshow_text(a, c->after));
		if (c->commit.n)
			val_set(a, v, "commit", ruleshow_text(a, c->commit));
		val_set(a, v, "path", ruleshow_text(a, c->path));
		val_set(a, v, "severity", val_str(a, str_of(kn_severities[c->severity])));
		val_set(a, v, "blocks", val_bool(a, c->blocks));
		if (c->kind == RULE_LOST)
			val_set(a, v, "deleted", val_bool(a, c->deleted));
	}
	return out;
}

static bool ruleshow_is_kind(const struct val *v, enum rule_change_kind k)
{
	return str_is(val_get_str(v, "change"), rule_change_kinds[k]);
}

static bool rule_flag(const struct val *v, const char *key)
{
	const struct val *m = val_get(v, key);

	return m && m->b;
}

/*
 * "must_not_use code eval (block) -> none": the two texts of an edited rule; "none" for a missing
 * text.
 */
static void both_texts(struct buf *b, const struct val *v)
{
	struct str before = val_get_str(v, "before"), after = val_get_str(v, "after");

	buf_fmt(b, "%.*s → %.*s", STR_ARG(before.n ? before : STR("none")),
		STR_ARG(after.n ? after : STR("none")));
}

static struct str rule_sentence(struct arena *a, const struct val *v)
{
	struct buf b = buf_in(a);
	struct str why = val_get_str(v, "why"), commit = val_get_str(v, "commit");
	struct str text = val_get_str(v, ruleshow_is_kind(v, RULE_ADDED) ? "after" : "before");

	if (ruleshow_is_kind(v, RULE_EDITED) || ruleshow_is_kind(v, RULE_SETTING))
		both_texts(&b, v);
	else if (ruleshow_is_kind(v, RULE_LOST) || ruleshow_is_kind(v, RULE_RETIRED))
		buf_put(&b, why.n ? why : text);
	else
		buf_put(&b, text);
	if (why.n && (ruleshow_is_kind(v, RULE_EDITED) || ruleshow_is_kind(v, RULE_ADDED)))
		buf_fmt(&b, "; %.*s", STR_ARG(why));
	if (commit.n)
		buf_fmt(&b, ", in %.*s", STR_ARG(str_sub(commit, 0, 12)));
	return buf_str(&b);
}

/* Rules of one item that went for the same reason share a line. */
static bool same_event(const struct val *x, const struct val *y)
{
	return str_eq(val_get_str(x, "item"), val_get_str(y, "item")) &&
	       str_eq(val_get_str(x, "change"), val_get_str(y, "change")) &&
	       (ruleshow_is_kind(x, RULE_LOST) || ruleshow_is_kind(x, RULE_RETIRED)) &&
	       str_eq(val_get_str(x, "why"), val_get_str(y, "why"));
}

static void show_change(struct out *o, struct arena *a, const struct val *v, size_t rules)
{
	bool lost = ruleshow_is_kind(v, RULE_LOST);

	out_styled(o,
		   rule_flag(v, "blocks") ? OUT_RED
		   : lost                 ? OUT_YELLOW
					  : OUT_CYAN,
		   val_get_str(v, "change"));
	out_puts(o, " ");
	out_safe(o, val_get_str(v, "item"), false);
	if (rules > 1)
		out_fmt(o, ", %zu rules", rules);
	out_puts(o, " (");
	out_safe(o, rule_sentence(a, v), false);
	out_puts(o, ")\n");
}

/* How to retire the lost rules, printed once. */
static void show_retire_steps(struct out *o, const struct val *list)
{
	const struct val *first = NULL;
	bool blocks = false;

	VAL_EACH(list, v) {
		if (!ruleshow_is_kind(v, RULE_LOST))
			continue;
		if (!first || (rule_flag(v, "blocks") && !blocks))
			first = v;
		blocks = blocks || rule_flag(v, "blocks");
	}
	if (!first)
		return;
	out_style(o, OUT_DIM);
	out_puts(o, "  to retire a decision: ");
	out_style(o, OUT_PLAIN);
	out_puts(o, rule_flag(first, "deleted")
			    ? "put the file back, and set 'status: deprecated' in "
			    : "set 'status: deprecated' in ");
	out_safe(o, val_get_str(first, "path"), false);
	out_puts(o, ", in a commit of its own\n");
}

void rule_changes_text(struct out *o, const struct val *list, int64_t before, int64_t now,
		       size_t max)
{
	struct arena *a = arena_new();
	size_t shown = 0, cut = 0;
	const struct val *last = NULL;

	if (!list || !list->n) {
		arena_free(a);
		return;
	}
	out_fmt(o, "rules: %lld → %lld; ", (long long)before, (long long)now);
	VAL_EACH(list, v) {
		size_t rules = 1;

		if (last && same_event(last, v))
			continue;
		last = v;
		/* A change that blocks is always listed. */
		if (max && shown >= max && !rule_flag(v, "blocks")) {
			cut++;
			continue;
		}
		for (const struct val *w = v->next; w && same_event(v, w); w = w->next)
			rules++;
		out_puts(o, shown++ ? "  " : "");
		show_change(o, a, v, rules);
	}
	if (cut)
		out_fmt(o, "  and %zu more changes of rules: --json lists all\n", cut);
	show_retire_steps(o, list);
	arena_free(a);
}

void rule_changes_github(struct out *o, const struct val *list, size_t told[3], size_t max,
			 size_t *cut)
{
	struct arena *a = arena_new();

	VAL_EACH(list, v) {
		enum kn_severity s = rule_flag(v, "blocks")           ? KN_SEVERITY_BLOCK
				     : ruleshow_is_kind(v, RULE_LOST) ? KN_SEVERITY_WARN
								      : KN_SEVERITY_INFO;
		static const enum out_level levels[] = {
			[KN_SEVERITY_INFO] = OUT_NOTICE,
			[KN_SEVERITY_WARN] = OUT_WARNING,
			[KN_SEVERITY_BLOCK] = OUT_ERROR,
		};

		if (told[s]++ >= max) {
			++*cut;
			continue;
		}
		out_github(o, levels[s], val_get_str(v, "path"), 0, 0,
			   str_fmt(a, "rule %.*s: %.*s", STR_ARG(val_get_str(v, "change")),
				   STR_ARG(val_get_str(v, "item"))),
			   rule_sentence(a, v));
	}
	arena_free(a);
}
