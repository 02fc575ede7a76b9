/* Rules about the constraints of one item. */
#include "lint/run.h"
#include "judge/examples.h"

static struct err *lint_examples(struct lint *l, const struct lint_file *f,
				 const struct kn_constraint *c)
{
	struct check_examples tried = {0};

	if (!l->on[KN_RULE_EXAMPLE])
		return NULL;
	TRY(check_examples(l->a, f->item, c, &tried));
	for (size_t i = 0; i < tried.n; i++)
		if (tried.p[i].failed.n)
			lint_say(l, f, KN_RULE_EXAMPLE, tried.p[i].at, "%.*s",
				 STR_ARG(tried.p[i].failed));
	return NULL;
}

/* ---- useInstead ---- */

/* The packages in "pg, kysely or @x/y". A text with other words is prose, and names none. */
static void lint_packages(struct arena *a, struct str text, struct strs *out)
{
	struct strs words = {0};
	struct str part;

	while (str_split(&text, ' ', &part))
		if (str_trim(part).n)
			strs_push(a, &words, str_trim(part));
	for (size_t i = 0; i < words.n; i++) {
		struct str w = words.p[i];
		bool joins = str_is(w, "or") || str_is(w, "and");

		/* Two words without "or" or a comma between them are prose. */
		if (!joins && i && !str_ends(words.p[i - 1], STR(",")) &&
		    !str_is(words.p[i - 1], "or") && !str_is(words.p[i - 1], "and")) {
			out->n = 0;
			return;
		}
		if (str_ends(w, STR(",")))
			w = str_sub(w, 0, w.n - 1);
		if (!joins && w.n)
			strs_push(a, out, w);
	}
}

static struct err *lint_use_instead(struct lint *l, const struct lint_file *f,
				    const struct kn_constraint *c)
{
	struct strs packages = {0};
	struct check_input in = {.rules = l->k, .complete = false, .threads = 1};
	struct check_report r = {0};
	struct check_dep *deps;
	size_t n = 0;

	if (!c->use_instead.n || c->target != KN_TARGET_DEPENDENCY ||
	    !lint_wants(l, LINT_USE_INSTEAD))
		return NULL;
	lint_packages(l->a, c->use_instead, &packages);
	if (!packages.n)
		return NULL;
	deps = arena_array(l->a, packages.n, sizeof(*deps));
	for (size_t i = 0; i < packages.n; i++) {
		deps[n] = (struct check_dep){packages.p[i], {"", 0}, {"", 0}};
		/* A word that names no package is prose. */
		n += !check_deps_known(l->a, &deps[n], 1);
	}
	in.deps = deps;
	in.deps_n = n;
	TRY(check_run(l->a, &in, &r));
	for (size_t i = 0; i < r.violations.n; i++) {
		const struct check_violation *v = &r.violations.p[i];

		/* A rule for some versions does not forbid the package. */
		if (v->constraint->version.n)
			continue;
		lint_say(l, f, LINT_USE_INSTEAD, c->place,
			 "constraint %u: useInstead is '%.*s', which '%.*s' forbids", c->index,
			 STR_ARG(v->found), STR_ARG(v->item->id));
	}
	return NULL;
}

struct err *lint_constraints(struct lint *l, const struct lint_file *f)
{
	for (size_t i = 0; i < f->item->constraints_n; i++) {
		const struct kn_constraint *c = &f->item->constraints[i];

		lint_pattern(l, f, c);
		TRY(lint_examples(l, f, c));
		TRY(lint_use_instead(l, f, c));
	}
	return lint_family(l, f);
}
