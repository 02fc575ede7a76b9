/* why: explains a rule or a finding: the decision behind it, and the decisions that it replaced. */
#include "decisions/know.h"
#include "cmd/result_template.h"
#include "knowledge/former_id.h"
#include "history/judge_trees.h"
#include "report/show.h"
#include "knowledge/show.h"

struct args {
	struct str what;
	struct strs knowledge;
};

static const struct param params[] = {
	PARAM(what, .flags = ARG | REQUIRED, .meta = "ITEM|FINDING", .min = 1, .max = 4096,
	      .complete = know_complete,
	      .help = "a knowledge item's id, or the fingerprint that check printed"),
	PARAM(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "a further source of knowledge; may be repeated"),
	{0},
};

#define FINDING(member, help, ...) FIELD_OF(struct check_violation, member, help, __VA_ARGS__)
static const struct field finding[] = {
	FINDING(file, "where", .flags = IF_ANY),
	FINDING(line, "from 1", .flags = IF_ANY),
	FINDING(found, "the text or package that was found", .flags = IF_ANY),
	FINDING(message, "why it breaks the rule"),
	FIELD_RECORD_AT(struct check_violation, waiver, "waiver", exception_fields,
			"the exception that covers it", .flags = OPTIONAL),
	{0},
};

struct result {
	bool success;
	struct knowledge_shown item;
	const struct check_violation *finding;
	struct knowledge_shown_list replaced;
	struct str former_id;
	struct waive_list exceptions;
};

static const struct field result[] = {
	FIELD(success, "the item or finding was found"),
	FIELD_RECORD(struct result, item, "item", knowledge_item_fields, "the decision"),
	FIELD_RECORD_AT(struct result, finding, "finding", finding,
			"the finding that breaks its rule", .flags = OPTIONAL),
	FIELD_RECORDS(struct result, replaced, "replaced", knowledge_summary_fields,
		      "the decisions that it replaced, and those that these had replaced"),
	FIELD_AS(struct result, former_id, "formerId",
		 "the name that was asked for, which the item had before its file was renamed",
		 .flags = IF_ANY),
	FIELD_RECORDS(struct result, exceptions, "exceptions", waive_listed_fields,
		      "the entries of .ikm/waivers.yaml that name the decision", .flags = IF_ANY),
	{0},
};

static struct err *why_tree(struct call *c, struct tree **t)
{
	return git_is_bare(c->git) ? git_tree_head(c->git, t) : git_tree_worktree(c->git, t);
}

/* A file is no decision, but decisions bind it. */
static struct err *why_no_item(struct call *c, const struct args *args, const struct knowledge *k,
			       const struct kn_item **item)
{
	struct err *e = knowledge_resolve_item_name(c->a, k, args->what, -1, item);
	struct os_stat st;

	if (e && err_reason(e) == E_NO_SUCH_ITEM)
		err_help(e, "'ikm check --all' lists the open findings with their ids");
	/* Within the roots: an agent does not learn from this which other files exist. */
	if (e && err_reason(e) == E_NO_SUCH_ITEM && !str_has_nul(args->what) &&
	    !os_roots_stat(c->roots, c->cwd, args->what, &st) && st.kind != OS_NONE)
		return err_help(e, "'ikm know for %.*s' lists what binds that file",
				STR_ARG(args->what));
	return e;
}

/* An id that a renamed item had still names it. */
static struct err *why_resolve(struct call *c, const struct args *args, const struct knowledge *k,
			       struct result *r, const struct kn_item **item)
{
	struct err *e = knowledge_resolve_item_name(c->a, k, args->what, -1, item);
	struct tree *now;

	if (!e || err_reason(e) != E_NO_SUCH_ITEM || !c->git)
		return e ? why_no_item(c, args, k, item) : NULL;
	TRY(why_tree(c, &now));
	TRY(former_id_find_item(c->a, c->git, NULL, now, k, args->what, item));
	if (!*item) /* makes the error again: the calls above may have reused its place */
		return why_no_item(c, args, k, item);
	r->former_id = args->what;
	return NULL;
}

static struct err *why_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	const struct check_violation *v = NULL;
	const struct kn_item *item, *old;
	struct strs seen = {0};
	struct knowledge *k;
	struct tree *now = NULL;

	TRY(know_load(c, &args->knowledge, &k));
	item = knowledge_find(k, args->what, -1);
	if (!item && judge_is_fingerprint(args->what)) {
		struct judge j = {.git = c->git, .args = c->set, .given = args->knowledge};

		TRY(judge_find_fingerprint(c->a, &j, args->what, &v));
		if (!v)
			return judge_fingerprint_missing_error(args->what);
		item = v->item;
	}
	if (!item)
		TRY(why_resolve(c, args, k, r, &item));
	r->success = true;
	r->item = knowledge_item_for_result(c->a, item, true);
	r->finding = v;
	if (c->git)
		TRY(why_tree(c, &now));
	if (now)
		TRY(waivers_of_item(c->a, c->git, now, k, item->id, &r->exceptions));
	/* Breadth first. A name that was seen before ends a cycle. */
	seen = item->supersedes;
	for (size_t i = 0; i < seen.n; i++) {
		old = knowledge_find(k, seen.p[i], -1);
		if (!old || old == item)
			continue;
		*VEC_PUSH(c->a, &r->replaced) = knowledge_item_for_result(c->a, old, false);
		for (size_t j = 0; j < old->supersedes.n; j++)
			if (!strs_has(&seen, old->supersedes.p[j]))
				strs_push(c->a, &seen, old->supersedes.p[j]);
	}
	return NULL;
}

static void why_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;
	const struct check_violation *f = r->finding;
	const struct kn_item *item = &r->item.item;

	(void)args;
	if (f) {
		out_safe(c->out, f->file, false);
		if (f->line)
			out_fmt(c->out, ":%zu", f->line);
		out_puts(c->out, f->file.n ? ": " : "");
		out_styled(c->out, OUT_RED, f->message);
		out_puts(c->out, "\n");
		if (f->waiver) {
			out_puts(c->out, "exception: ");
			out_safe(c->out, waive_entry_place_text(c->a, f->waiver), false);
			out_puts(c->out, ", ");
			out_safe(c->out, waive_end_text(c->a, f->waiver, waive_today()), false);
			out_puts(c->out, ": ");
			out_safe_line(c->out, f->waiver->reason);
		}
		out_puts(c->out, "\n");
	}
	if (r->former_id.n) {
		out_safe(c->out, r->former_id, false);
		out_fmt(c->out, " is %.*s now\n\n", STR_ARG(item->id));
	}
	template_print_record(c, "{/item:" TEMPLATE_ITEM "}", result, r);
	if (item->summary.n) {
		out_puts(c->out, "\n");
		out_wrapped(c->out, 0, item->summary);
	}
	if (r->replaced.n)
		out_puts(c->out, "\nit replaced\n");
	for (size_t i = 0; i < r->replaced.n; i++) {
		out_puts(c->out, "  ");
		out_styled(c->out, OUT_BOLD, r->replaced.p[i].item.id);
		out_puts(c->out, "  ");
		out_safe_line(c->out, r->replaced.p[i].item.title);
	}
	if (r->exceptions.n)
		out_puts(c->out, "\nexceptions (for those in comments: ikm know list --waivers)\n");
	waivers_list_text(c->out, &r->exceptions);
	out_fmt(c->out, "\nfull text: ikm know show %.*s\n", STR_ARG(item->id));
}

const struct cmd cmd_why = {
	.name = "why",
	.tool = "knowledge_why",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_EVERY_ROOT,
	.summary = "explain a rule or a finding: the decision behind it",
	.need = MAY_GIT | NEED_ROOTS,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = why_run,
	.text = why_text,
};
