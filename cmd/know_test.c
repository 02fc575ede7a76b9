/* know test: shows what the rules of a decision stop: examples, texts, the tree, past commits. */
#include "decisions/know_test.h"
#include "knowledge/item_edit.h"

struct args {
	struct str id;
	int64_t constraint, commits;
	struct strs text;
	struct str pattern;
	struct strs knowledge;
};

static const struct param test_params[] = {
	PARAM(id, .flags = ARG | REQUIRED, .min = 1, .max = 4096, .complete = know_complete,
	      .help = "the item: its id, path, number, or the start of its id"),
	PARAM(constraint, .letter = 'n', .meta = "N", .min = 0, .max = 1000, .def = "0",
	      .help = "only the rule with this number; 0: all rules of the item"),
	PARAM(commits, .meta = "N", .min = 0, .max = 1000000, .def = "50",
	      .help = "judge the last N commits, each against its first parent"),
	PARAM(text, .meta = "TEXT", .help = "only try this text, as an example; may be repeated"),
	PARAM(pattern, .meta = "PATTERN", .min = 1, .max = RE_PATTERN_MAX,
	      .help = "try this pattern in place of the rule's own"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

static const struct field know_test_fields[] = {
	KNOW_TEST_FIELDS(struct know_test_result, ),
	{0},
};

static struct err *know_test_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct know_test_result *r = out;
	const struct kn_item *item;
	struct knowledge *k;

	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_resolve_item_name(c->a, k, args->id, -1, &item));
	r->item = *item;
	/* The rules to try, with the given pattern in place of their own. */
	for (size_t i = 0; i < item->constraints_n; i++) {
		struct know_tested t = {.rule = item->constraints[i]};

		if (args->constraint && (int64_t)t.rule.index != args->constraint)
			continue;
		if (args->pattern.n) {
			t.rule.pattern = args->pattern;
			t.rule.re = NULL;
			t.rule.glob = NULL;
			TRY(knowledge_compile_pattern(c->a, &t.rule));
		}
		*VEC_PUSH(c->a, &r->rules) = t;
	}
	if (!r->rules.n && args->constraint)
		return knowledge_no_such_rule_error(c->a, item, "constraint", args->constraint);
	if (!r->rules.n && item->broken)
		return err_help(err_new(E_BAD_ARGUMENT, "'%.*s' has no rules that can be read",
					STR_ARG(item->id)),
				"'ikm lint %.*s' says what is wrong with its file",
				STR_ARG(item->shown_path));
	if (!r->rules.n)
		return err_help(err_new(E_BAD_ARGUMENT, "'%.*s' has no rules", STR_ARG(item->id)),
				"to add a rule: ikm know rule %.*s --forbid-dependency NAME",
				STR_ARG(item->id));
	if (args->pattern.n && r->rules.n > 1)
		return err_help(
			err_for_param(E_MISSING_PARAMETER, STR("constraint"),
				      "'%.*s' has %zu rules: which of them gets the pattern?",
				      STR_ARG(item->id), r->rules.n),
			"give its number with --constraint; 'ikm know test %.*s' shows the "
			"numbers",
			STR_ARG(item->id));
	TRY(know_test_rules(c, k, item, &args->text, args->commits, r));
	c->negative = !r->passed;
	return NULL;
}

static void know_test_text(struct call *c, const void *args, const void *p)
{
	know_test_print(c->out, p, ((const struct args *)args)->text.n > 0);
}

const struct cmd cmd_know_test = {
	.name = "know test",
	.summary = "show what the rules of a decision stop",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct args, test_params),
	CMD_RESULT(struct know_test_result, know_test_fields),
	.run = know_test_run,
	.text = know_test_text,
};
