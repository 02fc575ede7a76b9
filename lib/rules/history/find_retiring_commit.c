/*
 * A rule is retired when a commit of the range retires it and the result does not have it
 * (ikm-check(1), "Changing one's mind"). This file finds, for each rule that a base has and the
 * result has not, the newest commit of the range in which it went: every parent has the rule, the
 * commit has not. When the rule was retired or edited there, its findings warn at most, and its
 * decision is not lost, whatever became of the file later. Rules are compared by what they find, so
 * an item may be renamed, moved and renumbered on the way.
 */
#include "git/comparison_bases.h"
#include "history/sides.h"

/* Commits that ikm reads for a rule: of the item's files first, then of all decisions. */
#define RETIREMENT_FILE_COMMITS   50
#define RETIREMENT_FOLDER_COMMITS 100
#define RETIREMENT_RULES          64 /* ikm does not look for the commits of more lost rules */

/* A commit that was read, or one of its parents. */
struct retirement_commit {
	struct str id;
	struct side side;
	struct strs emptied;
	bool readable; /* its settings and knowledge could be read */
};

/* A rule that only bases have. */
struct retirement_rule {
	const struct kn_item *item;
	const struct kn_constraint *c;
	enum kn_severity severity;
	struct str commit; /* in which it went; empty: none was found */
	bool lost;         /* it was lost there, and not retired */
	bool stops;        /* and that stops a change */
};

struct retirement_walk {
	struct str bases;
	struct bases_walk steps;
};

struct retirement {
	struct arena *a;
	struct sides *s;
	struct VEC(struct retirement_walk *) walks;
	struct VEC(struct retirement_rule) rules;
	struct VEC(struct retirement_commit *) commits;
};

/* ---- one commit ---- */

/* A commit in between may be broken; only what its tree says about the rules is unknown then. */
static struct err *retirement_read(struct retirement *m, struct str id,
				   struct retirement_commit **out)
{
	struct retirement_commit *c;
	struct err *e;

	for (size_t i = 0; i < m->commits.n; i++)
		if (str_eq(m->commits.p[i]->id, id)) {
			*out = m->commits.p[i];
			return NULL;
		}
	*out = c = ARENA_NEW(m->a, struct retirement_commit);
	c->id = str_dup(m->a, id);
	c->side.ref = str_c(m->a, id);
	c->side.emptied = &c->emptied; /* its rules are gone there */
	*VEC_PUSH(m->a, &m->commits) = c;
	TRY(git_tree_at(m->s->judge->git, c->side.ref, &c->side.tree));
	e = side_load_knowledge(m->a, m->s->judge, &c->side, NULL);
	if (e && err_code(e) != CODE_INVALID_INPUT && err_code(e) != CODE_NOT_FOUND)
		return e;
	c->readable = !e;
	if (e)
		check_warn(m->a, m->s->out, false,
			   str_fmt(m->a, "commit %.*s", STR_ARG(str_sub(c->id, 0, 12))),
			   str_fmt(m->a,
				   "its decisions cannot be read, so it retires no rule for later "
				   "commits: %s",
				   err_message(e)));
	return NULL;
}

/* Whether the commit loses the rule that its parent has, and whether that stops it. */
static struct err *retirement_loses(struct retirement *m, const struct side *parent,
				    const struct side *now, struct retirement_rule *r)
{
	struct rulechange_side was = {parent->knowledge, parent->conf, parent->tree};
	struct rulechange_side is = {now->knowledge, now->conf, now->tree};
	struct tree_changes changes = {0};
	struct rule_changes found = {0};

	TRY(tree_diff(m->a, parent->tree, now->tree, &changes));
	TRY(tree_find_renames(parent->tree, now->tree, 0, &changes));
	TRY(rulechange_diff_sides(m->a, &was, &is, &changes, m->s->limits.lost_blocks, &found));
	for (size_t i = 0; i < found.n; i++)
		if (found.p[i].kind == RULE_LOST && found.p[i].old_rule &&
		    rule_same(found.p[i].old_rule, found.p[i].severity, r->c, r->severity)) {
			r->lost = true;
			r->stops |= found.p[i].blocks;
		}
	return NULL;
}

/*
 * Tries the commits, the newest first, until the rule went in one. files: only commits that touch
 * one of them; NULL: all. most: the number of commits to try.
 */
static struct err *retirement_try(struct retirement *m, struct bases_walk *steps,
				  const struct strs *files, size_t most, struct retirement_rule *r)
{
	for (size_t i = 0; i < steps->n && most && !r->commit.n; i++) {
		struct strs *parents = &steps->p[i].parents;
		struct retirement_commit *c, *parent;
		bool gone = true;

		if (files)
			TRY(bases_commit_touches_files(m->a, m->s->judge->git, &steps->p[i], files,
						       &gone));
		if (!gone)
			continue;
		most--;
		TRY(retirement_read(m, steps->p[i].id, &c));
		gone = c->readable && parents->n &&
		       !rulechange_side_has_rule(c->side.knowledge, r->c, r->severity);
		for (size_t p = 0; p < parents->n && gone; p++) {
			TRY(retirement_read(m, parents->p[p], &parent));
			gone = parent->readable &&
			       rulechange_side_has_rule(parent->side.knowledge, r->c, r->severity);
		}
		for (size_t p = 0; p < parents->n && gone; p++) {
			TRY(retirement_read(m, parents->p[p], &parent));
			TRY(retirement_loses(m, &parent->side, &c->side, r));
		}
		if (gone)
			r->commit = c->id;
	}
	return NULL;
}

/* ---- where to look ---- */

static void retirement_add_item(struct arena *a, struct strs *paths, const struct kn_item *item)
{
	if (item && item->in_tree)
		strs_push(a, paths, item->tree_path);
	if (item && item->retired_by && item->retired_by->in_tree)
		strs_push(a, paths, item->retired_by->tree_path);
}

/* The folder of a source, or the submodule that holds it: git's log does not look into one. */
static struct err *retirement_add_folder(struct arena *a, struct tree *t, struct str path,
					 struct strs *paths)
{
	for (size_t i = 0; i < path.n; i++) {
		struct tree_file f;
		bool found;

		if (path.p[i] != '/')
			continue;
		TRY(tree_find(t, str_sub(path, 0, i), &f, &found));
		if (found && f.kind == TREE_SUBMODULE)
			path = f.path;
	}
	strs_push(a, paths, path);
	return NULL;
}

/* The commits of the range that touch decisions: once for all rules that the same bases have. */
static struct err *retirement_steps(struct retirement *m, const struct bases_range *range,
				    struct bases_walk **out)
{
	struct retirement_walk *w;
	struct strs paths = {0};
	struct str bases = STR("");

	for (size_t i = 0; i < range->bases.n; i++)
		bases = str_fmt(m->a, "%.*s %.*s", STR_ARG(bases), STR_ARG(range->bases.p[i]));
	for (size_t i = 0; i < m->walks.n; i++)
		if (str_eq(m->walks.p[i]->bases, bases)) {
			*out = &m->walks.p[i]->steps;
			return NULL;
		}
	w = ARENA_NEW(m->a, struct retirement_walk);
	*w = (struct retirement_walk){.bases = bases};
	/* All places of decisions on both sides. */
	strs_push(m->a, &paths, STR(".ikm"));
	strs_push(m->a, &paths, STR(".knowledge"));
	for (size_t i = 0; i <= m->s->base_n; i++) {
		const struct side *side = i ? &m->s->base[i - 1] : &m->s->now;

		for (size_t k = 0; k < side->knowledge->folders.n; k++)
			TRY(retirement_add_folder(m->a, side->tree, side->knowledge->folders.p[k],
						  &paths));
	}
	TRY(bases_walk(m->a, m->s->judge->git, range, &paths, 0, &w->steps));
	*VEC_PUSH(m->a, &m->walks) = w;
	*out = &w->steps;
	return NULL;
}

static struct err *retirement_search(struct retirement *m, struct retirement_rule *r)
{
	const struct rule_changes *changes = &m->s->out->rule_changes;
	struct bases_range range = {.tips = m->s->tips};
	struct bases_walk *steps;
	struct strs files = {0};
	bool cut;

	for (size_t i = 0; i < m->s->base_n; i++)
		if (rulechange_side_has_rule(m->s->base[i].knowledge, r->c, r->severity))
			strs_push(m->a, &range.bases, str_of(m->s->base[i].ref));
	/* The files of the item on both sides, what supersedes it, and the settings. */
	strs_push(m->a, &files, STR(".ikm/config.json"));
	retirement_add_item(m->a, &files, r->item);
	for (size_t i = 0; i < changes->n; i++)
		if (changes->p[i].old_rule == r->c)
			retirement_add_item(m->a, &files, changes->p[i].new_item);
	TRY(retirement_steps(m, &range, &steps));
	TRY(retirement_try(m, steps, &files, RETIREMENT_FILE_COMMITS, r));
	/* Then all decisions: the item may have had other names in between. */
	TRY(retirement_try(m, steps, NULL, RETIREMENT_FOLDER_COMMITS, r));
	if (r->commit.n)
		return NULL;
	TRY(bases_is_cut(m->a, m->s->judge->git, &range, &cut));
	if (cut)
		check_warn(m->a, m->s->out, true, STR("this shallow clone"),
			   str_fmt(m->a,
				   "may hide the commit that retired a rule, which would let this "
				   "change pass; %s",
				   git_shallow_help));
	if (steps->n >= RETIREMENT_FOLDER_COMMITS)
		check_warn(
			m->a, m->s->out, false, STR("this change"),
			str_fmt(m->a,
				"has more than %d commits that touch decisions; ikm looked into the "
				"newest of them for the commit that retired a rule",
				RETIREMENT_FOLDER_COMMITS));
	return NULL;
}

static struct err *retirement_of(struct retirement *m, const struct kn_item *item,
				 const struct kn_constraint *c, struct retirement_rule *out)
{
	struct retirement_rule r = {
		.item = item, .c = c, .severity = rule_severity(item, c), .commit = STR("")};

	for (size_t i = 0; i < m->rules.n; i++) {
		*out = m->rules.p[i];
		if (rule_same(out->c, out->severity, c, r.severity))
			return NULL;
	}
	if (m->s->tips.n)
		TRY(retirement_search(m, &r));
	*VEC_PUSH(m->a, &m->rules) = *out = r;
	return NULL;
}

/* ---- what follows ---- */

static struct str retirement_next(const struct retirement *m, const struct retirement_rule *r)
{
	struct str path = r->item->shown_path;

	if (m->s->foreign_to.n)
		return str_fmt(
			m->a,
			"this history shares no commit with '%.*s', so the rules of '%.*s' "
			"judge all of it: begin the branch at '%.*s' and bring the work there",
			STR_ARG(m->s->foreign_to), STR_ARG(m->s->foreign_to),
			STR_ARG(m->s->foreign_to));
	if (m->s->judge->pushed_to.n)
		return str_fmt(
			m->a,
			"retire %.*s in a commit of its own, and push that commit alone "
			"first: git push origin COMMIT:refs/heads/%.*s (it is the server's default "
			"branch)",
			STR_ARG(path), STR_ARG(m->s->judge->pushed_to));
	if (m->s->limits.retire_merged)
		return str_fmt(m->a,
			       "merge the change of %.*s first, in a branch of its own "
			       "(check.retire is merged)",
			       STR_ARG(path));
	if (r->lost)
		return str_fmt(m->a, "%.*s loses the rule; retire %.*s in a commit of its own",
			       STR_ARG(str_sub(r->commit, 0, 12)), STR_ARG(path));
	return str_fmt(m->a,
		       "to change your mind about %.*s, retire it first, in a commit of its own",
		       STR_ARG(path));
}

/* What a rule finds. */
static size_t retirement_found(const struct check_report *r, const struct kn_constraint *rule)
{
	size_t n = 0;

	for (size_t i = 0; i < r->violations.n; i++)
		n += r->violations.p[i].constraint == rule;
	return n;
}

/* The other way round: what the tree already has against rules that come, or come back, without
 * what the change itself adds. */
static struct err *retirement_count_added(const struct sides *s)
{
	struct rule_changes *changes = &s->out->rule_changes;
	struct check_input all = {.now = s->now.tree,
				  .rules = s->now.knowledge,
				  .complete = true,
				  .list_all = true,
				  .ignore_case = s->in.ignore_case,
				  .max_file = s->in.max_file};
	struct check_report *r = ARENA_NEW(s->a, struct check_report);

	for (size_t i = 0; i < changes->n; i++)
		if (changes->p[i].kind == RULE_ADDED && changes->p[i].new_rule &&
		    changes->p[i].severity > KN_SEVERITY_INFO)
			strs_push(s->a, &all.items, changes->p[i].new_item->id);
	if (!all.items.n || !all.now)
		return NULL;
	TRY(check_run(s->a, &all, r));
	VEC_EACH(struct rule_change, c, changes) {
		size_t all_of = retirement_found(r, c->new_rule);

		if (c->kind == RULE_ADDED)
			c->findings =
				all_of - size_min(all_of, retirement_found(s->out, c->new_rule));
	}
	return NULL;
}

struct err *retirement_mark_findings(struct sides *s)
{
	struct retirement m = {.a = s->a, .s = s};
	struct rule_changes *changes = &s->out->rule_changes;
	bool changed = false;

	/* A decision that was retired first, and then deleted or moved away, is not lost. */
	for (size_t i = 0; s->tips.n && i < changes->n && m.rules.n < RETIREMENT_RULES; i++) {
		struct rule_change *x = &changes->p[i];
		struct retirement_rule r;

		if (x->kind != RULE_LOST || !x->old_rule)
			continue;
		TRY(retirement_of(&m, x->old_item, x->old_rule, &r));
		if (!r.commit.n || r.lost)
			continue;
		x->kind = RULE_RETIRED;
		x->blocks = x->deleted = false;
		x->commit = r.commit;
		x->why = str_fmt(s->a, "%.*s was retired before it went",
				 STR_ARG(x->old_item->shown_path));
	}
	VEC_EACH(struct check_violation, v, &s->out->violations) {
		struct retirement_rule r = {.item = v->item};

		if (!v->from_base || v->existing)
			continue;
		if (!s->limits.retire_merged)
			TRY(retirement_of(&m, v->item, v->constraint, &r));
		if (!r.commit.n || r.stops) {
			v->next = retirement_next(&m, &r);
			continue;
		}
		v->retired = changed = true;
		v->retired_by = r.commit;
		if (v->severity > KN_SEVERITY_WARN)
			v->severity = KN_SEVERITY_WARN;
	}
	if (changed)
		check_arrange(s->a, s->out);
	return retirement_count_added(s);
}
