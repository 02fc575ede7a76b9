#include "judge/examples.h"
#include "deps/deps.h"

/* Knowledge that has this rule only, in force. */
static struct knowledge *example_rule(struct arena *a, const struct kn_item *item,
				      const struct kn_constraint *c)
{
	struct knowledge *k = ARENA_NEW(a, struct knowledge);
	struct kn_constraint *rule = ARENA_NEW(a, struct kn_constraint);
	struct kn_item *one = VEC_PUSH(a, &k->items);

	*rule = *c;
	if (c->target != KN_TARGET_FILE) {
		rule->applies_to = (struct strs){0};
		rule->applies = (struct globs){0};
	}
	*one = *item;
	one->constraints = rule;
	one->constraints_n = 1;
	one->status = KN_STATUS_ACCEPTED;
	one->retired_by = NULL;
	/* Its file is not part of the tree of one file. */
	one->in_tree = one->overridable = one->broken = false;
	k->sources = 1;
	return k;
}

struct err *check_try_on_text(struct arena *a, const struct kn_item *item,
			      const struct kn_constraint *c, struct str text, bool *stopped,
			      struct str *found)
{
	struct check_dep dep = {.name = text, .version = {"", 0}, .ecosystem = {"", 0}};
	struct tree_mem_file file = {.path = STR("example.txt"), .content = text};
	struct check_input in = {.rules = example_rule(a, item, c),
				 .complete = true,
				 .max_file = SIZE_MAX,
				 .threads = 1};
	struct tree *none = tree_mem(a, STR("nothing"), NULL, 0);
	struct check_report r = {0};

	*found = STR("");
	if (c->target == KN_TARGET_DEPENDENCY) {
		in.deps = &dep;
		in.deps_n = 1;
	} else if (c->target == KN_TARGET_IMPORT) {
		strs_push(a, &in.modules, text);
	} else if (c->target == KN_TARGET_CONFIG) {
		strs_push(a, &in.settings, text);
	} else {
		if (c->target == KN_TARGET_FILE)
			file = (struct tree_mem_file){.path = text, .content = STR("")};
		in.now = tree_mem(a, STR("the example"), &file, 1);
	}
	/* A change that adds the path, or one that removes what may not become less. */
	if (kn_operator_judges_change(c->op))
		in.base = none;
	if (c->op == KN_OP_MUST_NOT_SHRINK) {
		in.base = in.now;
		in.now = none;
	}
	TRY(check_run(a, &in, &r));
	*stopped = r.violations.n > 0;
	if (*stopped)
		*found = r.violations.p[0].found;
	else if (r.unjudged.n)
		return err_new(E_BAD_ARGUMENT, "ikm cannot judge it: %s",
			       check_reasons[r.unjudged.p[0].reason]);
	return NULL;
}

/* Why the example fails, in a sentence; empty: it holds. */
static struct err *example_try(struct arena *a, const struct kn_item *item,
			       const struct kn_constraint *c, size_t number,
			       struct check_example *x)
{
	struct str found = {"", 0}, what;
	struct err *e = check_try_on_text(a, item, c, x->text, &x->stopped, &found);

	if (e && err_reason(e) != E_BAD_ARGUMENT)
		return e;
	what = str_fmt(a, "constraint %u: example %zu under '%s'", c->index, number,
		       x->stops ? "stops" : "passes");
	if (e) {
		x->failed = str_fmt(a, "%.*s: %s", STR_ARG(what), err_message(e));
	} else if (x->stopped != x->stops) {
		x->failed = str_fmt(a, "%.*s, '%.*s', is %sstopped", STR_ARG(what),
				    STR_ARG(str_utf8_head(x->text, 80)), x->stops ? "not " : "");
		if (found.n)
			x->failed = str_fmt(a, "%.*s: the rule finds '%.*s'", STR_ARG(x->failed),
					    STR_ARG(found));
	}
	return NULL;
}

struct err *check_examples(struct arena *a, const struct kn_item *item,
			   const struct kn_constraint *c, struct check_examples *out)
{
	const struct strs *texts[] = {&c->examples.stops, &c->examples.passes};
	const struct place *at[] = {c->examples.stops_at, c->examples.passes_at};

	for (int list = 0; list < 2; list++)
		for (size_t i = 0; i < texts[list]->n; i++) {
			struct check_example *x = VEC_PUSH(a, out);

			*x = (struct check_example){
				.text = texts[list]->p[i], .stops = !list, .at = at[list][i]};
			TRY(example_try(a, item, c, i + 1, x));
		}
	return NULL;
}
