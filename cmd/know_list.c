/* know list: lists all decisions, one a line. */
#include "common/know.h"
#include "knowledge/rulechange.h"
#include "report/show.h"
#include "knowledge/load.h"

#define QUERY(member, ...) PARAM_OF(struct know_query_args, member, __VA_ARGS__)

static const struct param list_params[] = {
	QUERY(type, .letter = 't', .choices = kn_types, .help = "only this type"),
	QUERY(layer, .letter = 'l', .choices = kn_layers, .help = "only this layer"),
	QUERY(tags, .option = "tag", .help = "only items with this tag; may be repeated"),
	QUERY(status, .letter = 's', .choices = kn_statuses,
	      .help = "only items with these statuses; default: all"),
	QUERY(limit, .letter = 'n', .min = 1, .max = 100000, .def = "1000",
	      .help = "maximum number of items"),
	QUERY(offset, .flags = JSON_ONLY, .min = 0, .max = 100000, .page = "",
	      .help = "skip this many items"),
	QUERY(active, .help = "list the active rules of these items, one a line"),
	QUERY(waivers, .help = "list the exceptions from rules, the first to end first"),
	QUERY(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "a further source of knowledge; may be repeated"),
	{0},
};

/* The rules that judge, of the items that match. */
static struct err *know_active(struct call *c, const struct know_query_args *args,
			       struct know_result *out)
{
	const struct kn_item **items;
	struct knowledge *k;
	size_t n;

	TRY(know_items(c, args, args->status.bits ? args->status.bits : ~0u, &k, &items, &n));
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

/* Waivers and allows, of the working tree. */
static struct err *know_waivers(struct call *c, const struct know_query_args *args,
				struct know_result *out)
{
	struct knowledge *k;
	struct conf *conf;
	struct tree *t;

	if (!c->git)
		return err_help(err_new(E_NO_REPOSITORY, "this is no Git repository"),
				"exceptions are files of a repository: use -C DIR");
	TRY(know_load(c, &args->knowledge, &k));
	TRY(git_is_bare(c->git) ? git_tree_head(c->git, &t) : git_tree_worktree(c->git, &t));
	TRY(knowledge_tree_conf(c->a, t, &c->set, &conf));
	out->success = true;
	out->waivers.p = arena_alloc(c->a, sizeof(*out->waivers.p));
	out->waivers.cap = 1;
	if (t)
		TRY(waivers_list(c->a, c->git, t, k, (size_t)conf->check_max_file_size,
				 &out->waivers));
	out->totalCount = (int64_t)out->waivers.n;
	if (out->waivers.n > (size_t)args->limit)
		out->waivers.n = (size_t)args->limit;
	c->negative = !out->totalCount;
	return NULL;
}

static struct err *know_list_run(struct call *c, const void *p, void *out)
{
	const struct know_query_args *args = p;

	if (args->active && args->waivers)
		return err_new(E_BAD_ARGUMENT, "--active and --waivers exclude each other");
	if (args->waivers)
		return know_waivers(c, args, out);
	if (args->active)
		return know_active(c, args, out);
	return know_search(c, args, args->status.bits ? args->status.bits : ~0u, out);
}

static void know_print_active(struct out *o, const struct know_result *r)
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

static void know_list_text(struct call *c, const void *args, const void *p)
{
	const struct know_result *r = p;

	if (r->waivers.p) {
		waivers_list_text(c->out, &r->waivers);
		if ((uint64_t)r->totalCount > r->waivers.n)
			out_fmt(c->out, "%zu of %lld; --limit shows more\n", r->waivers.n,
				(long long)r->totalCount);
		if (!r->totalCount)
			out_puts(c->err, "there are no exceptions\n");
		for (size_t i = 0; i < r->waivers.unread.n; i++) {
			out_safe(c->err, r->waivers.unread.p[i].path, false);
			out_puts(c->err, " was not searched for ikm:allow: ");
			out_safe(c->err, r->waivers.unread.p[i].message, false);
			out_puts(c->err, "\n");
		}
		return;
	}
	if (((const struct know_query_args *)args)->active) {
		know_print_active(c->out, r);
		know_print_rest(c, r);
		return;
	}
	/* Columns of fixed width come first, because ids and titles may have any length. */
	for (size_t k = 0; k < r->items.n; k++) {
		const struct kn_item *i = &r->items.p[k].item;

		out_fmt(c->out, "%-10s  %-10.*s  ", kn_statuses[i->status],
			STR_ARG(str_sub(i->created_at, 0, 10)));
		out_styled(c->out, OUT_BOLD, i->id);
		out_puts(c->out, "  ");
		out_safe(c->out, i->title, false);
		if (i->broken)
			out_styled(c->out, OUT_YELLOW, STR("  (broken)"));
		out_puts(c->out, "\n");
	}
	know_print_rest(c, r);
}

const struct cmd cmd_know_list = {
	.name = "know list",
	.tool = "knowledge_list",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS,
	.summary = "list decisions, rejected ones too",
	.need = MAY_GIT,
	CMD_PARAMS(struct know_query_args, list_params),
	CMD_RESULT(struct know_result, know_query_result),
	.run = know_list_run,
	.text = know_list_text,
};
