/* know test: shows what the rules of a decision stop: examples, texts, the tree, past commits. */
#include "judge/examples.h"
#include "common/know.h"
#include "common/know_test.h"

struct test_args {
	struct str id;
	int64_t constraint, commits;
	struct strs text;
	struct str pattern;
	struct strs knowledge;
};

#define TEST(member, ...) PARAM_OF(struct test_args, member, __VA_ARGS__)
static const struct param test_params[] = {
	TEST(id, .flags = ARG | REQUIRED, .min = 1, .max = 4096, .complete = know_complete,
	     .help = "the item: its id, path, number, or the start of its id"),
	TEST(constraint, .letter = 'n', .meta = "N", .min = 0, .max = 1000, .def = "0",
	     .help = "only the rule with this number; 0: all rules of the item"),
	TEST(commits, .meta = "N", .min = 0, .max = 1000000, .def = "50",
	     .help = "judge the last N commits, each against its first parent"),
	TEST(text, .meta = "TEXT", .help = "only try this text, as an example; may be repeated"),
	TEST(pattern, .meta = "PATTERN", .min = 1, .max = RE_PATTERN_MAX,
	     .help = "try this pattern in place of the rule's own"),
	TEST(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	     .help = "a further source of knowledge; may be repeated"),
	{0},
};

/* The rules to try, with the given pattern in place of their own. */
static struct err *test_rules(struct call *c, const struct test_args *args,
			      const struct kn_item *item, struct know_test_result *r)
{
	for (size_t i = 0; i < item->constraints_n; i++) {
		struct know_tested t = {.rule = item->constraints[i]};

		if (args->constraint && (int64_t)t.rule.index != args->constraint)
			continue;
		if (args->pattern.n) {
			t.rule.pattern = args->pattern;
			t.rule.re = NULL;
			t.rule.glob = NULL;
			TRY(knowledge_compile(c->a, &t.rule));
		}
		*VEC_PUSH(c->a, &r->rules) = t;
	}
	if (!r->rules.n && args->constraint)
		return err_param(E_OUT_OF_RANGE, STR("constraint"),
				 "'%.*s' has no rule %lld that can be read; it has %zu",
				 STR_ARG(item->id), (long long)args->constraint,
				 item->constraints_n);
	if (!r->rules.n)
		return err_help(err_new(E_BAD_ARGUMENT, "'%.*s' has no rules that can be read",
					STR_ARG(item->id)),
				"'ikm lint %.*s' says what is wrong with its file",
				STR_ARG(item->shown_path));
	if (args->pattern.n && r->rules.n > 1)
		return err_param(E_MISSING_PARAMETER, STR("constraint"),
				 "'%.*s' has %zu rules: say with --constraint which of them gets "
				 "the pattern",
				 STR_ARG(item->id), r->rules.n);
	return NULL;
}

static struct err *test_texts(struct call *c, const struct test_args *args,
			      struct know_test_result *r, struct know_tested *t)
{
	struct check_examples examples = {0};

	for (size_t i = 0; i < args->text.n; i++) {
		struct know_tried *x = VEC_PUSH(c->a, &t->tried);

		*x = (struct know_tried){.text = args->text.p[i], .expect = -1, .ok = true};
		TRY(check_try(c->a, &r->item, &t->rule, x->text, &x->stopped, &x->found));
	}
	if (args->text.n)
		return NULL;
	TRY(check_examples(c->a, &r->item, &t->rule, &examples));
	for (size_t i = 0; i < examples.n; i++) {
		const struct check_example *x = &examples.p[i];

		*VEC_PUSH(c->a, &t->tried) = (struct know_tried){.text = x->text,
								 .expect = x->stops,
								 .stopped = x->stopped,
								 .ok = !x->failed.n,
								 .message = x->failed,
								 .at = x->at};
		r->failed += x->failed.n > 0;
	}
	return NULL;
}

static struct err *test_trees(struct call *c, const struct test_args *args,
			      const struct knowledge *k, const struct kn_item *item,
			      struct know_test_result *r)
{
	struct kn_constraint *rules = arena_array(c->a, r->rules.n, sizeof(*rules));
	struct ruletest t = {.git = c->git,
			     .knowledge = k,
			     .item = item,
			     .rules = rules,
			     .rules_n = r->rules.n,
			     .max_file = (size_t)c->conf->check_max_file_size};
	struct ruletest_history history = {0};
	struct ruletest_all all;
	struct tree *tree;

	for (size_t i = 0; i < r->rules.n; i++)
		rules[i] = r->rules.p[i].rule;
	if (!c->git)
		return NULL;
	if (git_is_bare(c->git))
		TRY(git_tree_head(c->git, &tree));
	else
		TRY(git_tree_worktree(c->git, &tree));
	if (!tree)
		return NULL;
	TRY(ruletest_tree(c->a, &t, tree, &all));
	for (size_t i = 0; i < all.n; i++)
		r->rules.p[i].found = all.p[i];
	r->files = (struct maybe_int){(int64_t)all.files, true};
	r->unjudged = (struct maybe_int){(int64_t)all.unjudged, true};
	TRY(ruletest_commits(c->a, &t, (size_t)args->commits, &history));
	r->judged = (struct maybe_int){(int64_t)history.judged, true};
	r->commits.p = history.commits.n ? history.commits.p : arena_alloc(c->a, 1);
	r->commits.n = history.commits.n;
	r->cut = history.cut;
	return NULL;
}

static struct err *know_test_run(struct call *c, const void *p, void *out)
{
	const struct test_args *args = p;
	struct know_test_result *r = out;
	const struct kn_item *item;
	struct knowledge *k;

	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_resolve(c->a, k, args->id, -1, &item));
	r->item = *item;
	TRY(test_rules(c, args, item, r));
	for (size_t i = 0; i < r->rules.n; i++)
		TRY(test_texts(c, args, r, &r->rules.p[i]));
	if (!args->text.n)
		TRY(test_trees(c, args, k, item, r));
	r->success = true;
	r->passed = !r->failed;
	c->negative = !r->passed;
	return NULL;
}

static void test_text(struct call *c, const void *args, const void *r)
{
	know_test_text(c->out, r, ((const struct test_args *)args)->text.n > 0);
}

const struct cmd cmd_know_test = {
	.name = "know test",
	.summary = "show what the rules of a decision stop",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct test_args, test_params),
	CMD_RESULT(struct know_test_result, know_test_fields),
	.run = know_test_run,
	.text = test_text,
};
