/* Rules and globs that match nothing in the repository. */
#include "lint/run.h"
#include "deps/deps.h"
#include "history/ruletest.h"
#include "keyval/keyval.h"

/* Whether the glob matches a path; for dependencies only manifests count, for
 * settings only files of settings. */
static bool lint_glob_matches(const struct lint *l, const struct kn_constraint *c,
			      const struct globs *glob)
{
	for (size_t i = 0; i < l->paths.n; i++)
		if (globs_match(glob, l->paths.p[i]) &&
		    (c->target != KN_TARGET_DEPENDENCY || deps_is_manifest(l->paths.p[i]) ||
		     deps_unread(l->paths.p[i])) &&
		    (c->target != KN_TARGET_CONFIG || keyval_kind(l->paths.p[i]) != KEYVAL_NONE))
			return true;
	return false;
}

static struct err *lint_idle_globs(struct lint *l, const struct lint_file *f,
				   const struct kn_constraint *c)
{
	for (size_t i = 0; i < c->applies_to.n; i++) {
		struct str text = c->applies_to.p[i];
		struct strs one = {.p = &text, .n = 1, .cap = 1};
		const struct strs *paths;
		struct globs glob = {0};

		/* An exception may be there for files to come. */
		if (str_starts(text, STR("!")))
			continue;
		TRY(lint_paths(l, &paths));
		TRY(globs_new(l->a, &one, &glob));
		if (!lint_glob_matches(l, c, &glob))
			lint_say(l, f, LINT_APPLIES_TO_IDLE, c->place,
				 "constraint %u: appliesTo '%.*s' matches no %s of the repository",
				 c->index, STR_ARG(text),
				 c->target == KN_TARGET_DEPENDENCY ? "manifest"
				 : c->target == KN_TARGET_CONFIG   ? "file of settings"
								   : "file");
	}
	return NULL;
}

static bool lint_forbids(const struct kn_constraint *c)
{
	return c->op == KN_OP_MUST_NOT_USE || c->op == KN_OP_MUST_NOT_MATCH ||
	       c->op == KN_OP_MUST_NOT_EXIST;
}

/* Judges the whole tree, so it is only asked for when such problems are shown. */
static struct err *lint_idle_rules(struct lint *l, const struct lint_file *f)
{
	struct ruletest t = {.git = l->o->git,
			     .knowledge = l->k,
			     .item = f->item,
			     .rules = f->item->constraints,
			     .rules_n = f->item->constraints_n,
			     .max_file = (size_t)l->conf->check_max_file_size};
	struct ruletest_all all = {0};

	TRY(ruletest_tree(l->a, &t, l->tree, &all));
	for (size_t i = 0; i < all.n; i++) {
		const struct kn_constraint *c = &t.rules[i];

		if (lint_forbids(c) && !all.p[i].total && !c->examples.stops.n)
			lint_say(l, f, LINT_PATTERN_IDLE, c->place,
				 "constraint %u: it finds nothing in the repository, and has no "
				 "example that shows what it stops",
				 c->index);
	}
	return NULL;
}

struct err *lint_idle(struct lint *l)
{
	for (size_t i = 0; l->tree && i < l->files.n; i++) {
		const struct lint_file *f = &l->files.p[i];

		/* The rules of another repository's items are not meant for this tree alone. */
		if (!f->item->in_tree || !f->item->constraints_n)
			continue;
		for (size_t k = 0;
		     lint_wants(l, LINT_APPLIES_TO_IDLE) && k < f->item->constraints_n; k++)
			TRY(lint_idle_globs(l, f, &f->item->constraints[k]));
		if (lint_wants(l, LINT_PATTERN_IDLE) && !f->off[LINT_PATTERN_IDLE])
			TRY(lint_idle_rules(l, f));
	}
	return NULL;
}
