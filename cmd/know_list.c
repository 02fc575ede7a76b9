/* know list: lists all decisions, one a line. */
#include "decisions/know.h"
#include "out/table.h"
#include "knowledge/rule_compare.h"
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
	QUERY(offset, .flags = RARE | JSON_ONLY, .min = 0, .max = 100000, .page = "",
	      .help = "skip this many items"),
	QUERY(active, .flags = RARE, .help = "list the active rules of these items, one a line"),
	QUERY(waivers, .flags = RARE,
	      .help = "list the exceptions from rules, the first to end first"),
	PARAM_KNOWLEDGE(struct know_query_args),
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
		*VEC_PUSH(c->a, &out->items) = knowledge_item_for_result(c->a, item, false);
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
		return err_help(err_new(E_NO_REPOSITORY, "this is not a Git repository"),
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
	return NULL;
}

static struct err *know_list_run(struct call *c, const void *p, void *out)
{
	const struct know_query_args *args = p;

	if (args->active && args->waivers)
		return ERR_EXCLUSIVE("--active", "--waivers");
	if (args->waivers)
		return know_waivers(c, args, out);
	if (args->active)
		return know_active(c, args, out);
	return know_search(c, args, args->status.bits ? args->status.bits : ~0u, out);
}

static void know_list_text(struct call *c, const void *args, const void *p)
{
	static const struct out_column columns[] = {
		{"status", 10, OUT_WHOLE, OUT_PLAIN},  {"date", 10, OUT_WHOLE, OUT_PLAIN},
		{"rules", 2, OUT_WHOLE, OUT_PLAIN},    {"id", 12, OUT_CUT_END, OUT_BOLD},
		{"title", 12, OUT_CUT_END, OUT_PLAIN}, {"file", 12, OUT_CUT_MIDDLE, OUT_DIM},
	};
	struct out_table t = {.a = c->a, .columns = columns, .n = ARRAY_SIZE(columns)};
	const struct know_result *r = p;

	if (r->waivers.p) {
		waivers_list_text(c->out, &r->waivers);
		return;
	}
	for (size_t i = 0; !r->rules.p && i < r->items.n; i++) {
		const struct kn_item *x = &r->items.p[i].item;

		out_table_add(&t,
			      (const struct str[]){
				      str_of(kn_statuses[x->status]),
				      str_sub(x->created_at, 0, size_min(x->created_at.n, 10)),
				      x->constraints_n ? str_fmt(c->a, "%zu", x->constraints_n)
						       : STR("-"),
				      x->id,
				      x->broken ? str_fmt(c->a, "%.*s  (broken)", STR_ARG(x->title))
						: x->title,
				      x->shown_path,
			      });
	}
	if (!r->rules.p)
		out_table_print(c->out, &t);
	know_none_text(c, args, p);
}

const struct cmd cmd_know_list = {
	.name = "know list",
	.tool = "knowledge_list",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_EVERY_ROOT,
	.summary = "list decisions, rejected ones too",
	.need = MAY_GIT,
	CMD_PARAMS(struct know_query_args, list_params),
	CMD_RESULT(struct know_result, know_query_result),
	.run = know_list_run,
	.text = know_list_text,
	.template = "{?!^waivers:{?@active:{/rules:{?severity='block':{!severity}|{~severity}}  "
		    "{*item} #{constraint}  {operator} {target} {pattern}{?version: version "
		    "{version}}{?appliesTo: in {appliesTo}}  {_path}\n}"
		    "}" TEMPLATE_REST
		    "|{?totalCount>#waivers:{#waivers} of {totalCount}; --limit shows more\n}"
		    "{?!totalCount:{2:there are no exceptions\n}}"
		    "{/unread:{2:{file} was not searched for ikm:allow: {reason}\n}}}",
};
