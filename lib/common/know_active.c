/* know list --active: the rules that judge, a line each. */
#include "know.h"
#include "check/rulechange.h"
#include "knowledge/show.h"

const struct field know_rule_fields[] = {
	{"item", "the item that has the rule", F_STR},
	{"constraint", "its number within the item", F_INT},
	{"severity", "as it counts: a proposed item's is info", F_STR, .choices = kn_severities},
	{"operator", "what is asked", F_STR, .choices = kn_operators},
	{"target", "of what", F_STR, .choices = kn_targets},
	{"pattern", "the pattern", F_STR},
	{"appliesTo", "globs of the files it is about", F_STRS, OPTIONAL},
	{"version", "the versions it is about", F_STR, OPTIONAL},
	{"layer", "the item's layer", F_STR, .choices = kn_layers},
	{"path", "the item's file", F_STR},
	{0},
};

static struct val *rule_val(struct arena *a, const struct kn_item *i, const struct kn_constraint *r)
{
	struct val *v = val_map(a), *rest = knowledge_constraint_val(a, r);

	val_set(a, v, "item", val_str(a, str_utf8(a, i->id)));
	val_set(a, v, "constraint", val_int(a, r->index));
	val_set(a, v, "severity", val_str(a, str_of(kn_severities[rule_severity(i, r)])));
	VAL_EACH(rest, m)
		val_set_key(v, m->key, val_copy(a, m));
	val_set(a, v, "layer", val_str(a, str_of(kn_layers[i->layer])));
	val_set(a, v, "path", val_str(a, str_utf8(a, i->shown_path)));
	return v;
}

struct err *know_active(struct call *c, const struct know_query_args *args, struct val **out)
{
	struct knowledge_filter f = {.type = args->type,
				     .layer = args->layer,
				     .tags = args->tags,
				     .statuses = args->status.bits ? args->status.bits : ~0u};
	const struct kn_item **items;
	struct val *list, *rules;
	struct knowledge *k;
	int64_t total = 0;
	size_t n;

	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_query(c->a, k, &f, &items, &n));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	list = val_set(c->a, *out, "items", val_list(c->a));
	rules = val_list(c->a);
	/* Not the query's items alone: of one id it has the most specific, and all of them
	 * judge. */
	for (size_t i = 0; i < k->items.n; i++) {
		const struct kn_item *item = &k->items.p[i];
		bool wanted = false;

		if (!item->constraints_n || !knowledge_is_active(k, item))
			continue;
		for (size_t m = 0; m < n && !wanted; m++)
			wanted = str_eq(items[m]->id, item->id) &&
				 (args->layer < 0 || (int)item->layer == args->layer);
		if (!wanted || total++ >= args->limit)
			continue;
		val_add(list, knowledge_summary_val(c->a, item));
		for (size_t r = 0; r < item->constraints_n; r++)
			val_add(rules, rule_val(c->a, item, &item->constraints[r]));
	}
	val_set(c->a, *out, "totalCount", val_int(c->a, total));
	val_set(c->a, *out, "rules", rules);
	if (!k->sources)
		val_set(c->a, *out, "noKnowledge", val_bool(c->a, true));
	c->negative = !total;
	return NULL;
}

void know_print_active(struct out *o, const struct val *r)
{
	VAL_EACH(val_get(r, "rules"), v) {
		struct str severity = val_get_str(v, "severity");

		out_styled(o, str_is(severity, "block") ? OUT_RED : OUT_YELLOW, severity);
		out_puts(o, "  ");
		out_styled(o, OUT_BOLD, val_get_str(v, "item"));
		out_fmt(o, " #%lld  %.*s %.*s ", (long long)val_get_int(v, "constraint"),
			STR_ARG(val_get_str(v, "operator")), STR_ARG(val_get_str(v, "target")));
		out_safe(o, val_get_str(v, "pattern"), false);
		if (val_get(v, "version")) {
			out_puts(o, " version ");
			out_safe(o, val_get_str(v, "version"), false);
		}
		VAL_EACH(val_get(v, "appliesTo"), g) {
			out_puts(o, g == val_get(v, "appliesTo")->first ? " in " : ", ");
			out_safe(o, g->s, false);
		}
		out_puts(o, "  ");
		out_style(o, OUT_DIM);
		out_safe(o, val_get_str(v, "path"), false);
		out_style(o, OUT_PLAIN);
		out_puts(o, "\n");
	}
}
