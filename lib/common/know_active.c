/* know list --active: the rules that judge, a line each. */
#include "know.h"
#include "check/rulechange.h"

struct err *know_active(struct call *c, const struct know_query_args *args, struct know_result *out)
{
	struct knowledge_filter f = {.type = args->type,
				     .layer = args->layer,
				     .tags = args->tags,
				     .statuses = args->status.bits ? args->status.bits : ~0u};
	const struct kn_item **items;
	struct knowledge *k;
	size_t n;

	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_query(c->a, k, &f, &items, &n));
	out->success = true;
	out->rules.p = arena_alloc(c->a, sizeof(*out->rules.p));
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
		if (!wanted || out->totalCount++ >= args->limit)
			continue;
		*VEC_PUSH(c->a, &out->items) = knowledge_shown(c->a, item, false);
		for (size_t r = 0; r < item->constraints_n; r++) {
			struct know_rule *rule = VEC_PUSH(c->a, &out->rules);

			*rule = (struct know_rule){.item = item->id,
						   .path = item->shown_path,
						   .layer = item->layer,
						   .rule = item->constraints[r]};
			rule->rule.severity = rule_severity(item, &item->constraints[r]);
		}
	}
	out->noKnowledge = !k->sources;
	c->negative = !out->totalCount;
	return NULL;
}

void know_print_active(struct out *o, const struct know_result *r)
{
	for (size_t i = 0; i < r->rules.n; i++) {
		const struct kn_constraint *it = &r->rules.p[i].rule;

		out_styled(o, it->severity == KN_SEVERITY_BLOCK ? OUT_RED : OUT_YELLOW,
			   str_of(kn_severities[it->severity]));
		out_puts(o, "  ");
		out_styled(o, OUT_BOLD, r->rules.p[i].item);
		out_fmt(o, " #%u  %s %s ", it->index, kn_operators[it->op], kn_targets[it->target]);
		out_safe(o, it->pattern, false);
		if (it->version.n) {
			out_puts(o, " version ");
			out_safe(o, it->version, false);
		}
		know_print_globs(o, &it->applies_to);
		out_puts(o, "  ");
		out_style(o, OUT_DIM);
		out_safe(o, r->rules.p[i].path, false);
		out_style(o, OUT_PLAIN);
		out_puts(o, "\n");
	}
}
