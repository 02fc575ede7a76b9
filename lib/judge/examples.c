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

struct err *check_try(struct arena *a, const struct kn_item *item, const struct kn_constraint *c,
		      struct str text, bool *stopped, struct str *found)
{
	struct check_dep dep = {.name = text, .version = {"", 0}, .ecosystem = {"", 0}};
	struct tree_mem_file file = {.path = STR("example.txt"), .content = text};
	struct check_input in = {.rules = example_rule(a, item, c),
				 .complete = true,
				 .max_file = SIZE_MAX,
				 .threads = 1};
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
	TRY(check_run(a, &in, &r));
	*stopped = r.violations.n > 0;
	if (*stopped)
		*found = r.violations.p[0].found;
	else if (r.unjudged.n)
		return err_new(E_BAD_ARGUMENT, "ikm cannot judge it: %s",
			       check_reasons[r.unjudged.p[0].reason]);
	return NULL;
}

/* The sentence for an example that fails. */
static struct str example_failed(struct arena *a, const struct kn_constraint *c,
				 const struct check_example *x, size_t number, struct str found)
{
	struct str what =
		str_fmt(a, "constraint %u: example %zu under '%s', '%.*s',", c->index, number,
			x->stops ? "stops" : "passes", STR_ARG(str_utf8_head(x->text, 80)));

	if (x->stops)
		return str_fmt(a, "%.*s is not stopped", STR_ARG(what));
	if (!found.n)
		return str_fmt(a, "%.*s is stopped", STR_ARG(what));
	return str_fmt(a, "%.*s is stopped: the rule finds '%.*s'", STR_ARG(what), STR_ARG(found));
}

static struct err *examples_try_list(struct arena *a, const struct kn_item *item,
				     const struct kn_constraint *c, bool stops,
				     struct check_examples *out)
{
	const struct strs *texts = stops ? &c->examples.stops : &c->examples.passes;
	const struct place *at = stops ? c->examples.stops_at : c->examples.passes_at;

	for (size_t i = 0; i < texts->n; i++) {
		struct check_example *x = VEC_PUSH(a, out);
		struct str found = {"", 0};
		struct err *e;

		*x = (struct check_example){.text = texts->p[i], .stops = stops, .at = at[i]};
		e = check_try(a, item, c, x->text, &x->stopped, &found);
		if (e && err_reason(e) != E_BAD_ARGUMENT)
			return e;
		if (e)
			x->failed =
				str_fmt(a, "constraint %u: example %zu under '%s': %s", c->index,
					i + 1, stops ? "stops" : "passes", err_message(e));
		else if (x->stopped != stops)
			x->failed = example_failed(a, c, x, i + 1, found);
	}
	return NULL;
}

struct err *check_examples(struct arena *a, const struct kn_item *item,
			   const struct kn_constraint *c, struct check_examples *out)
{
	TRY(examples_try_list(a, item, c, true, out));
	return examples_try_list(a, item, c, false, out);
}
