#include "know_test.h"
#include "judge/examples.h"

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
const struct field know_test_commit_fields[] = {
	FIELD_AS(struct ruletest_commit, id, "commit", "its id"),
	FIELD_OF(struct ruletest_commit, subject, "its first line"),
	FIELD_OF(struct ruletest_commit, blocks, "it would have been stopped, not only warned"),
	FIELD_RECORDS(struct ruletest_commit, found, "findings", test_found_fields, "by rule"),
	{0},
};
const struct field know_test_rule_fields[] = {
	FIELD_AS(struct know_tested, rule.index, "constraint", "its number in the item, from 1"),
	KN_CONSTRAINT_FIELDS(struct know_tested, rule.),
	FIELD_RECORDS(struct know_tested, tried, "tried", test_tried_fields, "examples and texts"),
	FIELD_AS(struct know_tested, found.looks, "looksAt",
		 "the number of files that it can judge"),
	FIELD_AS(struct know_tested, found.lacks, "lacks",
		 "a path of its pattern that is not there", .flags = IF_ANY),
	FIELD_OF(struct know_tested, never, "why the rule can find nothing", .flags = IF_ANY),
	FIELD_AS(struct know_tested, found.total, "total", "the number of violations in the tree"),
	FIELD_RECORDS(struct know_tested, found.places, "places", test_place_fields,
		      "the first ten"),
	{0},
};

/* No package has a blank or a quote in its name. */
static struct str know_test_never(const struct kn_constraint *r)
{
	bool class = false;

	if (r->target != KN_TARGET_DEPENDENCY || str_find_char(r->pattern, '|', 0) != SIZE_MAX ||
	    str_find(r->pattern, STR("(?"), 0) != SIZE_MAX)
		return STR("");
	for (size_t i = 0; i < r->pattern.n; i++) {
		char c = r->pattern.p[i];

		class = class ? c != ']' : c == '[';
		if (!class && strchr(" \t'\"", c))
			return STR("no name of a package has a blank or a quote");
		i += c == '\\';
	}
	return STR("");
}

static struct err *know_test_trees(struct call *c, const struct knowledge *k,
				   const struct kn_item *item, int64_t commits,
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
	TRY(ruletest_run_on_tree(c->a, &t, tree, &all));
	for (size_t i = 0; i < all.n; i++)
		r->rules.p[i].found = all.p[i];
	r->paths = all.paths;
	r->files = (struct maybe_int){(int64_t)all.files, true};
	r->unjudged = (struct maybe_int){(int64_t)all.unjudged, true};
	TRY(ruletest_commits(c->a, &t, (size_t)commits, &history));
	r->judged = (struct maybe_int){(int64_t)history.judged, true};
	r->commits.p = history.commits.n ? history.commits.p : arena_alloc(c->a, 1);
	r->commits.n = history.commits.n;
	r->cut = history.cut;
	return NULL;
}

struct err *know_test_rules(struct call *c, const struct knowledge *k, const struct kn_item *item,
			    const struct strs *texts, int64_t commits, struct know_test_result *r)
{
	for (size_t i = 0; i < r->rules.n; i++) {
		struct know_tested *t = &r->rules.p[i];
		struct check_examples examples = {0};

		t->never = know_test_never(&t->rule);
		for (size_t j = 0; j < texts->n; j++) {
			struct know_tried *x = VEC_PUSH(c->a, &t->tried);

			*x = (struct know_tried){.text = texts->p[j], .expect = -1, .ok = true};
			TRY(check_try_on_text(c->a, &r->item, &t->rule, x->text, &x->stopped,
					      &x->found));
		}
		if (texts->n)
			continue;
		TRY(check_examples(c->a, &r->item, &t->rule, &examples));
		VEC_EACH(const struct check_example, x, &examples) {
			*VEC_PUSH(c->a, &t->tried) = (struct know_tried){.text = x->text,
									 .expect = x->stops,
									 .stopped = x->stopped,
									 .ok = !x->failed.n,
									 .message = x->failed,
									 .at = x->at};
			r->failed += x->failed.n > 0;
		}
	}
	if (!texts->n)
		TRY(know_test_trees(c, k, item, commits, r));
	r->success = true;
	r->passed = !r->failed && !item->broken;
	return NULL;
}

/* ---- text ---- */

static void know_test_places(struct out *o, const struct ruletest_found *f, size_t most)
{
	size_t n = size_min(f->places.n, most);

	for (size_t i = 0; i < n; i++) {
		const struct ruletest_place *p = &f->places.p[i];

		out_puts(o, "    ");
		if (p->file.n) {
			out_styled(o, OUT_BOLD, p->file);
			if (p->line)
				out_fmt(o, ":%zu", p->line);
			if (p->column)
				out_fmt(o, ":%zu", p->column);
			out_puts(o, "  ");
		}
		out_safe_line(o, p->found.n && !str_eq(p->found, p->file) ? p->found : p->message);
	}
	if (f->total > n)
		out_fmt(o, "    and %zu more\n", f->total - n);
}

void know_test_print_now(struct out *o, const struct ruletest_found *f, size_t most)
{
	out_fmt(o, "  now: %zu violation%s\n", f->total, PLURAL(f->total));
	know_test_places(o, f, most);
}

static void know_test_tried(struct out *o, const struct know_tested *t, struct str path)
{
	size_t examples = 0, held = 0;

	VEC_EACH(const struct know_tried, x, &t->tried) {
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
	VEC_EACH(const struct know_tried, x, &t->tried) {
		if (x->ok)
			continue;
		out_puts(o, "    ");
		out_styled(o, OUT_BOLD, path);
		out_fmt(o, ":%zu: ", x->at.line);
		out_safe_line(o, x->message);
	}
}

/* Prints " in GLOB, GLOB", or nothing when there are no globs. */
static void know_test_globs(struct out *o, const struct strs *globs)
{
	for (size_t i = 0; i < globs->n; i++) {
		out_puts(o, i ? ", " : " in ");
		out_safe(o, globs->p[i], false);
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
	know_test_globs(o, &t->rule.applies_to);
	out_puts(o, "\n");
	know_test_tried(o, t, r->item.shown_path);
	if (!texts && !t->tried.n)
		out_puts(o, "  examples: none\n");
	if (t->never.n)
		out_fmt(o, "  it can find nothing: %.*s\n", STR_ARG(t->never));
	if (!r->files.given)
		return;
	know_test_print_now(o, &t->found, RULETEST_PLACES);
	/* The first manifest may come later. */
	if (!t->found.looks && r->paths &&
	    (t->rule.applies_to.n || t->rule.target != KN_TARGET_DEPENDENCY)) {
		out_fmt(o, "  it judges none of the %zu files here: none is", r->paths);
		know_test_globs(o, &t->rule.applies_to);
		if (t->rule.target != KN_TARGET_FILE)
			out_fmt(o, "%s read for the target %s", t->rule.applies_to.n ? " and" : "",
				kn_targets[t->rule.target]);
		out_puts(o, "\n");
	}
	if (t->found.lacks.n) {
		out_puts(o, "  the pattern names ");
		out_safe(o, t->found.lacks, false);
		out_puts(o, ", which is not here");
		if (t->found.other.n) {
			out_puts(o, "; did you mean ");
			out_safe(o, t->found.other, false);
			out_puts(o, "?");
		}
		out_puts(o, "\n");
	}
}

void know_test_print(struct out *o, const struct know_test_result *r, bool texts)
{
	out_styled(o, OUT_BOLD, r->item.id);
	out_puts(o, "  ");
	out_safe(o, r->item.title, false);
	out_fmt(o, "  (%s)\n", kn_statuses[r->item.status]);
	for (size_t i = 0; i < r->rules.n; i++)
		know_test_rule(o, r, &r->rules.p[i], texts);
	if (r->item.broken)
		out_fmt(o, "not tested: rules that cannot be read; 'ikm lint %.*s' says why\n",
			STR_ARG(r->item.shown_path));
	if (texts)
		return;
	if (!r->files.given) {
		out_puts(o, "no repository with files: only the examples were tried\n");
		return;
	}
	if (r->judged.n || r->cut.n) {
		out_fmt(o, "last %lld commit%s: violations in %zu\n", (long long)r->judged.n,
			PLURAL(r->judged.n), r->commits.n);
		VEC_EACH(const struct ruletest_commit, c, &r->commits) {
			out_puts(o, "  ");
			out_styled(o, OUT_BOLD, str_sub(c->id, 0, 12));
			out_puts(o, c->blocks ? "  stopped  " : "  warned   ");
			out_safe_line(o, c->subject);
			for (size_t f = 0; f < c->found.n; f++)
				know_test_places(o, &c->found.p[f], 3);
		}
		if (r->cut.n)
			out_fmt(o, "  not judged: %.*s, where this shallow clone ends\n",
				STR_ARG(str_sub(r->cut, 0, 12)));
	}
	if (r->unjudged.n)
		out_fmt(o,
			"not judged: %lld place%s: 'ikm check --all --item %.*s' lists "
			"them\n",
			(long long)r->unjudged.n, PLURAL(r->unjudged.n), STR_ARG(r->item.id));
	if (r->item.status != KN_STATUS_ACCEPTED)
		out_fmt(o, "the item is %s, so a check stops nothing by these rules\n",
			kn_statuses[r->item.status]);
}
