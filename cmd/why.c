/* why: the decision behind a rule or a finding, and what it replaced. */
#include "common/know.h"
#include "check/judge.h"
#include "check/show.h"
#include "knowledge/show.h"

struct args {
	struct str what;
	struct strs knowledge;
};

static const struct param params[] = {
	PARAM(what, .flags = ARG | REQUIRED, .meta = "ITEM|FINDING", .min = 1, .max = 4096,
	      .help = "a knowledge item's id, or the fingerprint that check printed"),
	PARAM(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "one more source of knowledge; may be repeated"),
	{0},
};

static const struct field finding[] = {
	{"file", "where", F_STR, OPTIONAL},
	{"line", "from 1", F_INT, OPTIONAL},
	{"found", "what was found", F_STR, OPTIONAL},
	{"message", "why it counts", F_STR},
	{0},
};

static const struct field result[] = {
	{"success", "it was found", F_BOOL},
	{"item", "the decision", F_OBJ, .sub = know_item_fields},
	{"finding", "what broke its rule", F_OBJ, OPTIONAL, .sub = finding},
	{"replaced", "the decisions that it replaced, and those that they did", F_LIST,
	 .sub = know_summary_fields},
	{0},
};

#define FINGERPRINT 12

static bool is_fingerprint(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!strchr("0123456789abcdef", s.p[i]))
			return false;
	return s.n == FINGERPRINT;
}

static const struct check_violation *in_report(const struct check_report *r, struct str print)
{
	for (size_t i = 0; i < r->violations.n; i++)
		if (str_eq(r->violations.p[i].fingerprint, print))
			return &r->violations.p[i];
	return NULL;
}

/* A fingerprint is a digest, so ikm judges again: what is staged, then the working tree. */
static struct err *find_again(struct call *c, const struct args *args,
			      const struct check_violation **out)
{
	struct judge j = {.git = c->git,
			  .args = c->set,
			  .given = args->knowledge,
			  .min_severity = KN_SEVERITY_INFO,
			  .want_existing = true};
	struct check_report *r = arena_array(c->a, 2, sizeof(*r));

	*out = NULL;
	if (!c->git)
		return NULL;
	if (!git_is_bare(c->git)) {
		TRY(judge_staged(c->a, &j, &r[0]));
		*out = in_report(&r[0], args->what);
		if (*out)
			return NULL;
		TRY(judge_all(c->a, &j, &r[1]));
		*out = in_report(&r[1], args->what);
	}
	return NULL;
}

static struct err *why_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	const struct check_violation *v = NULL;
	const struct kn_item *item, *old;
	struct strs seen = {0};
	struct knowledge *k;
	struct val *list, *m;

	TRY(know_load(c, &args->knowledge, &k));
	item = knowledge_find(k, args->what, -1);
	if (!item && is_fingerprint(args->what)) {
		TRY(find_again(c, args, &v));
		if (!v)
			return err_help(
				err_new(E_NO_SUCH_ITEM,
					"no finding '%.*s' in what is staged "
					"or in the working tree",
					STR_ARG(args->what)),
				"it may be mended already; 'ikm check --all' lists what is not; of a "
				"plan that knowledge_check has judged, the answer names the item of "
				"each violation: ikm why ITEM");
		item = v->item;
	}
	if (!item)
		TRY(know_find(c, k, args->what, -1, &item));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	val_set(c->a, *out, "item", knowledge_item_val(c->a, item, true));
	if (v) {
		m = val_set(c->a, *out, "finding", val_map(c->a));
		if (v->file.n)
			val_set(c->a, m, "file", val_str(c->a, str_utf8(c->a, v->file)));
		if (v->line)
			val_set(c->a, m, "line", val_int(c->a, (int64_t)v->line));
		if (v->found.n)
			val_set(c->a, m, "found", val_str(c->a, str_utf8(c->a, v->found)));
		val_set(c->a, m, "message", val_str(c->a, str_utf8(c->a, v->message)));
	}
	list = val_set(c->a, *out, "replaced", val_list(c->a));
	/* Breadth first; a name that was seen before ends a cycle. */
	seen = item->supersedes;
	for (size_t i = 0; i < seen.n; i++) {
		old = knowledge_find(k, seen.p[i], -1);
		if (!old || old == item)
			continue;
		val_add(list, knowledge_summary_val(c->a, old));
		for (size_t j = 0; j < old->supersedes.n; j++)
			if (!strs_has(&seen, old->supersedes.p[j]))
				strs_push(c->a, &seen, old->supersedes.p[j]);
	}
	return NULL;
}

static void why_text(struct call *c, const void *args, const struct val *r)
{
	const struct val *item = val_get(r, "item"), *f = val_get(r, "finding");
	struct str summary = val_get_str(item, "summary");
	int64_t n = 0;

	(void)args;
	if (f) {
		out_safe(c->out, val_get_str(f, "file"), false);
		if (val_as_int(val_get(f, "line"), &n))
			out_fmt(c->out, ":%lld", (long long)n);
		out_puts(c->out, val_get_str(f, "file").n ? ": " : "");
		out_styled(c->out, OUT_RED, val_get_str(f, "message"));
		out_puts(c->out, "\n\n");
	}
	know_print_item(c->out, item, NULL);
	if (summary.n) {
		out_puts(c->out, "\n");
		out_wrapped(c->out, 0, summary);
	}
	VAL_EACH(val_get(r, "replaced"), old) {
		out_puts(c->out, old == val_get(r, "replaced")->first ? "\nit replaced\n" : "");
		out_puts(c->out, "  ");
		out_styled(c->out, OUT_BOLD, val_get_str(old, "id"));
		out_puts(c->out, "  ");
		out_safe(c->out, val_get_str(old, "title"), false);
		out_puts(c->out, "\n");
	}
	out_fmt(c->out, "\nthe whole text: ikm know show %.*s\n", STR_ARG(val_get_str(item, "id")));
}

const struct cmd cmd_why = {
	.name = "why",
	.tool = "knowledge_why",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_CORE,
	.summary = "explain a rule or a finding: the decision behind it",
	.need = MAY_GIT,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = why_run,
	.text_val = why_text,
};
