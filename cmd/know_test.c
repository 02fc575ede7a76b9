/* know test: shows what the rules of a decision stop: examples, texts, the tree, past commits. */
#include "common/know.h"
#include "history/ruletest.h"
#include "judge/examples.h"

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

/* A text that a rule was tried on. */
struct know_tried {
	struct str text, found, message;
	int expect; /* 1: the example is to be stopped, 0: to pass; -1: it is no example */
	bool stopped, ok;
	struct place at;
};
/* A rule, and what was tried. */
struct know_tested {
	struct kn_constraint rule;
	struct {
		struct know_tried *p;
		size_t n, cap;
	} tried;
	struct ruletest_found found;
};
struct know_test_result {
	bool success, passed;
	struct kn_item item;
	struct {
		struct know_tested *p;
		size_t n, cap;
	} rules;
	int64_t failed;
	struct maybe_int files, unjudged, judged;
	struct str cut;
	struct {
		struct ruletest_commit *p;
		size_t n;
	} commits;
};

static const char *const know_test_expectations[] = {"passes", "stops", NULL};

static const struct field test_tried_fields[] = {
	FIELD_OF(struct know_tried, text, "the text"),
	FIELD_NAMED(struct know_tried, expect, "expect", know_test_expectations,
		    "what the example says", .flags = OPTIONAL),
	FIELD_OF(struct know_tried, stopped, "the rule stops it"),
	FIELD_OF(struct know_tried, found, "what the rule found in it", .flags = IF_ANY),
	FIELD_OF(struct know_tried, ok, "it is judged as the example says; true for a text"),
	FIELD_OF(struct know_tried, message, "why the example fails", .flags = IF_ANY),
	FIELD_AS(struct know_tried, at.line, "line", "of the example in the item's file",
		 .flags = IF_ANY),
	{0},
};
static const struct field test_place_fields[] = {
	FIELD_OF(struct ruletest_place, file, "path from the top", .flags = IF_ANY),
	FIELD_OF(struct ruletest_place, line, "from 1", .flags = IF_ANY),
	FIELD_OF(struct ruletest_place, column, "from 1, in bytes", .flags = IF_ANY),
	FIELD_OF(struct ruletest_place, found, "the package, text or path", .flags = IF_ANY),
	FIELD_OF(struct ruletest_place, message, "the message of the violation"),
	{0},
};
static const struct field test_found_fields[] = {
	FIELD_AS(struct ruletest_found, rule, "constraint", "the rule's number in the item"),
	FIELD_NAMED(struct ruletest_found, severity, "severity", kn_severities, "of the rule"),
	FIELD_OF(struct ruletest_found, total, "the number of violations"),
	FIELD_RECORDS(struct ruletest_found, places, "places", test_place_fields, "the first ten"),
	{0},
};
static const struct field test_commit_fields[] = {
	FIELD_AS(struct ruletest_commit, id, "commit", "its id"),
	FIELD_OF(struct ruletest_commit, subject, "its first line"),
	FIELD_OF(struct ruletest_commit, blocks, "it would have been stopped, not only warned"),
	FIELD_RECORDS(struct ruletest_commit, found, "findings", test_found_fields, "by rule"),
	{0},
};
static const struct field test_rule_fields[] = {
	FIELD_AS(struct know_tested, rule.index, "constraint", "its number in the item, from 1"),
	KN_CONSTRAINT_FIELDS(struct know_tested, rule.),
	FIELD_RECORDS(struct know_tested, tried, "tried", test_tried_fields, "examples and texts"),
	FIELD_AS(struct know_tested, found.total, "total", "the number of violations in the tree"),
	FIELD_RECORDS(struct know_tested, found.places, "places", test_place_fields,
		      "the first ten"),
	{0},
};

#define R struct know_test_result
static const struct field know_test_fields[] = {
	FIELD_OF(R, success, "the rules were tried"),
	FIELD_OF(R, passed, "no example fails"),
	FIELD_AS(R, item.id, "id", "the item"),
	FIELD_AS(R, item.title, "title", "its title"),
	FIELD_NAMED(R, item.status, "status", kn_statuses, "its status"),
	FIELD_AS(R, item.shown_path, "path", "its file"),
	FIELD_OF(R, failed, "the number of examples that fail"),
	FIELD_RECORDS(R, rules, "rules", test_rule_fields, "its rules"),
	FIELD_OF(R, files, "files of the tree that were judged", .flags = OPTIONAL),
	FIELD_OF(R, unjudged, "files and names that a rule could not judge", .flags = OPTIONAL),
	FIELD_AS(R, judged, "judgedCommits", "commits that were judged", .flags = OPTIONAL),
	FIELD_AS(R, cut, "shallowAt", "the commit where a shallow clone ends", .flags = IF_ANY),
	FIELD_RECORDS(R, commits, "commits", test_commit_fields,
		      "commits in which a rule finds something new, newest first",
		      .flags = OPTIONAL),
	{0},
};
#undef R

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

/* ---- text ---- */

static void know_test_place(struct out *o, const struct ruletest_place *p)
{
	out_puts(o, "    ");
	if (p->file.n) {
		out_styled(o, OUT_BOLD, p->file);
		if (p->line)
			out_fmt(o, ":%zu", p->line);
		if (p->column)
			out_fmt(o, ":%zu", p->column);
		out_puts(o, "  ");
	}
	out_safe(o, p->found.n && !str_eq(p->found, p->file) ? p->found : p->message, false);
	out_puts(o, "\n");
}

static void know_test_places(struct out *o, const struct ruletest_found *f, size_t most)
{
	size_t n = size_min(f->places.n, most);

	for (size_t i = 0; i < n; i++)
		know_test_place(o, &f->places.p[i]);
	if (f->total > n)
		out_fmt(o, "    and %zu more\n", f->total - n);
}

static void know_test_tried(struct out *o, const struct know_tested *t, struct str path)
{
	size_t examples = 0, held = 0;

	for (size_t i = 0; i < t->tried.n; i++) {
		const struct know_tried *x = &t->tried.p[i];

		examples += x->expect >= 0;
		held += x->expect >= 0 && x->ok;
		if (x->expect >= 0)
			continue;
		out_styled(o, x->stopped ? OUT_RED : OUT_GREEN,
			   x->stopped ? STR("  stops   ") : STR("  passes  "));
		out_safe(o, x->text, false);
		if (x->found.n && !str_eq(x->found, x->text)) {
			out_puts(o, "  finds ");
			out_safe(o, x->found, false);
		}
		out_puts(o, "\n");
	}
	if (examples)
		out_fmt(o, "  examples: %zu of %zu hold\n", held, examples);
	for (size_t i = 0; i < t->tried.n; i++) {
		const struct know_tried *x = &t->tried.p[i];

		if (x->ok)
			continue;
		out_puts(o, "    ");
		out_styled(o, OUT_BOLD, path);
		out_fmt(o, ":%zu: ", x->at.line);
		out_safe(o, x->message, false);
		out_puts(o, "\n");
	}
}

static void know_test_rule(struct out *o, const struct know_test_result *r,
			   const struct know_tested *t, bool texts)
{
	out_fmt(o, "rule %u  ", t->rule.index);
	out_styled(o, t->rule.severity == KN_SEVERITY_BLOCK ? OUT_RED : OUT_YELLOW,
		   str_of(kn_severities[t->rule.severity]));
	out_fmt(o, " %s %s ", kn_operators[t->rule.op], kn_targets[t->rule.target]);
	out_safe(o, t->rule.pattern, false);
	know_print_globs(o, &t->rule.applies_to);
	out_puts(o, "\n");
	know_test_tried(o, t, r->item.shown_path);
	if (!texts && !t->tried.n)
		out_puts(o, "  examples: none\n");
	if (!r->files.given)
		return;
	out_fmt(o, "  now: %zu violation%s\n", t->found.total, t->found.total == 1 ? "" : "s");
	know_test_places(o, &t->found, RULETEST_PLACES);
}

static void know_test_history(struct out *o, const struct know_test_result *r)
{
	out_fmt(o, "last %lld commit%s: %zu ha%s violations\n", (long long)r->judged.n,
		r->judged.n == 1 ? "" : "s", r->commits.n, r->commits.n == 1 ? "s" : "ve");
	for (size_t i = 0; i < r->commits.n; i++) {
		const struct ruletest_commit *c = &r->commits.p[i];

		out_puts(o, "  ");
		out_styled(o, OUT_BOLD, str_sub(c->id, 0, 12));
		out_puts(o, c->blocks ? "  stopped  " : "  warned   ");
		out_safe(o, c->subject, false);
		out_puts(o, "\n");
		for (size_t f = 0; f < c->found.n; f++)
			know_test_places(o, &c->found.p[f], 3);
	}
	if (r->cut.n)
		out_fmt(o, "  not judged: %.*s, where this shallow clone ends\n",
			STR_ARG(str_sub(r->cut, 0, 12)));
}

static void know_test_text(struct call *c, const void *args, const void *p)
{
	const struct know_test_result *r = p;
	/* Only texts of the command line were tried. */
	bool texts = ((const struct test_args *)args)->text.n > 0;
	struct out *o = c->out;

	out_styled(o, OUT_BOLD, r->item.id);
	out_puts(o, "  ");
	out_safe(o, r->item.title, false);
	out_fmt(o, "  (%s)\n", kn_statuses[r->item.status]);
	for (size_t i = 0; i < r->rules.n; i++)
		know_test_rule(o, r, &r->rules.p[i], texts);
	if (texts)
		return;
	if (!r->files.given) {
		out_puts(o, "no repository with files: only the examples were tried\n");
		return;
	}
	if (r->judged.n || r->cut.n)
		know_test_history(o, r);
	if (r->unjudged.n)
		out_fmt(o,
			"not judged: %lld place%s: 'ikm check --all --item %.*s' lists "
			"them\n",
			(long long)r->unjudged.n, r->unjudged.n == 1 ? "" : "s",
			STR_ARG(r->item.id));
	if (r->item.status != KN_STATUS_ACCEPTED)
		out_fmt(o, "the item is %s, so a check stops nothing by these rules\n",
			kn_statuses[r->item.status]);
}

const struct cmd cmd_know_test = {
	.name = "know test",
	.summary = "show what the rules of a decision stop",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct test_args, test_params),
	CMD_RESULT(struct know_test_result, know_test_fields),
	.run = know_test_run,
	.text = know_test_text,
};
