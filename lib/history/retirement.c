/* Tries one commit after the other: see retirement.h. */
#include "history/retirement.h"

#define MIND_SHARED 4 /* commits whose knowledge is compared before a commit is read */

/* ---- findings ---- */

/* The same place, whichever rule finds it; what is missing has no place, and its rule counts. */
static int mind_by_place(const struct check_violation *a, const struct check_violation *b)
{
	ORDER_BY(a->constraint->target, b->constraint->target);
	ORDER_BY_STR(a->file, b->file);
	ORDER_BY(a->line, b->line);
	ORDER_BY(a->column, b->column);
	ORDER_BY_STR(a->found, b->found);
	if (!a->file.n)
		ORDER_BY_STR(a->fingerprint, b->fingerprint);
	return 0;
}

static int mind_by_place_and_severity(const void *x, const void *y)
{
	const struct check_violation *a = *(const struct check_violation *const *)x;
	const struct check_violation *b = *(const struct check_violation *const *)y;
	int c = mind_by_place(a, b);

	if (c)
		return c;
	ORDER_BY(b->severity, a->severity);
	return (a > b) - (a < b);
}

/* The strictest finding at the place of v, if it is as severe. */
static const struct check_violation *mind_at(const struct mind_findings *f,
					     const struct check_violation *v)
{
	size_t from = 0, to = f->n;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (mind_by_place(f->p[mid], v) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	if (from == f->n || mind_by_place(f->p[from], v) || f->p[from]->severity < v->severity)
		return NULL;
	return f->p[from];
}

struct mind_rules {
	struct check_kept *p;
	size_t n, cap;
};

static bool mind_has_rule(const struct mind_rules *list, const struct kn_constraint *c,
			  enum kn_severity severity)
{
	for (size_t i = 0; i < list->n; i++)
		if (rule_same(list->p[i].constraint,
			      rule_severity(list->p[i].item, list->p[i].constraint), c, severity))
			return true;
	return false;
}

/* The rules of one side that another side has not. */
static void mind_rules_without(struct arena *a, const struct knowledge *k,
			       const struct knowledge *without, struct mind_rules *out)
{
	for (struct rule_at r = {.k = k}; k != without && rule_next(&r);)
		if (!rulechange_has(without, r.c, r.severity) &&
		    !mind_has_rule(out, r.c, r.severity))
			*VEC_PUSH(a, out) = (struct check_kept){r.item, r.c};
}

/* Finds the violations that a change between two sides introduces, by these base rules alone. */
static struct err *mind_run(const struct mind *m, const struct side *base, const struct side *now,
			    const struct tree_changes *changes, const struct mind_rules *rules,
			    struct mind_findings *out)
{
	struct check_report *r = ARENA_NEW(m->a, struct check_report);
	struct check_input in = *m->in;

	*out = (struct mind_findings){0};
	if (!rules->n)
		return NULL;
	in.now = now->tree;
	in.rules = now->knowledge;
	in.base = base->tree;
	in.base_rules = base->knowledge;
	in.changes = changes;
	in.has_kept = in.list_all = true;
	in.want_existing = false;
	in.kept.p = rules->p;
	in.kept.n = rules->n;
	TRY(check_run(m->a, &in, r));
	out->p = arena_array(m->a, r->violations.n, sizeof(*out->p));
	for (size_t i = 0; i < r->violations.n; i++)
		if (r->violations.p[i].from_base && !r->violations.p[i].existing)
			out->p[out->n++] = &r->violations.p[i];
	if (out->n)
		qsort(out->p, out->n, sizeof(*out->p), mind_by_place_and_severity);
	return NULL;
}

/* ---- commits ---- */

/* Whether all sources that the repository names are folders of its own trees. */
static bool mind_is_plain(const struct side *s)
{
	const struct conf_parts *parts = &s->conf->knowledge_sources;

	for (size_t i = 0; i < parts->n; i++)
		if (parts->p[i].origin == CONF_REPO &&
		    (val_get_str(parts->p[i].value, "ref").n ||
		     !strs_has(&s->knowledge->folders, val_get_str(parts->p[i].value, "path"))))
			return false;
	return true;
}

/*
 * Takes the knowledge of a commit that was read before, if it is the same: the parent of one commit
 * that touches decisions usually has those of the next one.
 */
static struct err *mind_share(const struct mind *m, struct mind_commit *c, bool *shared)
{
	*shared = false;
	for (size_t i = m->commits.n; i-- > 0 && m->commits.n - i <= MIND_SHARED;) {
		const struct mind_commit *x = m->commits.p[i];

		if (!x->readable || !mind_is_plain(&x->side))
			continue;
		TRY(side_same_knowledge(m->a, &x->side, c->side.tree, shared));
		if (!*shared)
			continue;
		c->side.conf = x->side.conf;
		c->side.knowledge = x->side.knowledge;
		c->found = x->found;
		c->readable = true;
		return NULL;
	}
	return NULL;
}

/* A commit in between may be broken; only what its tree says about the rules is unknown then. */
static struct err *mind_load(const struct mind *m, struct mind_commit *c)
{
	struct err *e;
	bool shared;

	c->side.ref = str_c(m->a, c->id);
	TRY(git_tree_at(m->j->git, c->side.ref, &c->side.tree));
	TRY(mind_share(m, c, &shared));
	if (shared)
		return bases_parents(m->a, m->j->git, c->id, &c->parents);
	e = side_load(m->a, m->j, &c->side);
	if (e && err_code(e) != CODE_INVALID_INPUT && err_code(e) != CODE_NOT_FOUND)
		return e;
	c->readable = !e;
	if (e)
		check_warn(m->a, m->out, false,
			   str_fmt(m->a, "commit %.*s", STR_ARG(str_sub(c->id, 0, 12))),
			   str_fmt(m->a,
				   "its decisions cannot be read, so it retires no rule for later "
				   "commits: %s",
				   err_message(e)));
	return bases_parents(m->a, m->j->git, c->id, &c->parents);
}

static struct err *mind_commit_of(struct mind *m, struct str id, struct mind_commit **out)
{
	struct mind_commit *c;

	for (size_t i = 0; i < m->commits.n; i++)
		if (str_eq(m->commits.p[i]->id, id)) {
			*out = m->commits.p[i];
			return NULL;
		}
	c = ARENA_NEW(m->a, struct mind_commit);
	c->id = str_dup(m->a, id);
	TRY(mind_load(m, c));
	*VEC_PUSH(m->a, &m->commits) = c;
	*out = c;
	return NULL;
}

/* The findings of the commit's rules in the tip. */
static struct err *mind_found(struct mind *m, struct mind_commit *c)
{
	struct mind_rules rules = {0};

	if (c->found || !c->readable)
		return NULL;
	c->found = ARENA_NEW(m->a, struct mind_findings);
	mind_rules_without(m->a, c->side.knowledge, m->s->now.knowledge, &rules);
	return mind_run(m, &m->s->base[0], &m->s->now, &m->changes[0], &rules, c->found);
}

/* ---- one commit ---- */

struct mind_broken {
	const struct kn_constraint **p;
	size_t n, cap;
};

/* A commit that may be R, compared with its parents. */
struct mind_trial {
	struct mind_commit *commit;
	struct mind_commit **parents;
	struct mind_broken *breaks;   /* for each parent: the rules that the commit breaks */
	struct rule_changes *changes; /* for each parent */
	struct mind_findings later;   /* what the tip introduces after the commit */
	bool compared, compared_later;
};

static bool mind_breaks(const struct mind_broken *list, const struct kn_constraint *rule)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->p[i] == rule)
			return true;
	return false;
}

static struct err *mind_compare(struct mind *m, struct mind_trial *t)
{
	size_t n = t->commit->parents.n;

	if (t->compared)
		return NULL;
	t->compared = true;
	t->breaks = arena_array(m->a, n, sizeof(*t->breaks));
	t->changes = arena_array(m->a, n, sizeof(*t->changes));
	for (size_t i = 0; i < n; i++) {
		struct side *base = &t->parents[i]->side, *now = &t->commit->side;
		struct rulechange_side was = {base->knowledge, base->conf, base->tree};
		struct rulechange_side is = {now->knowledge, now->conf, now->tree};
		struct tree_changes changes = {0};
		struct mind_rules rules = {0};
		struct mind_findings found;

		TRY(tree_diff(m->a, base->tree, now->tree, &changes));
		TRY(tree_find_renames(m->a, base->tree, now->tree, 0, &changes));
		TRY(rulechange_find(m->a, &was, &is, &changes, m->limits->lost_blocks,
				    &t->changes[i]));
		mind_rules_without(m->a, base->knowledge, now->knowledge, &rules);
		TRY(mind_run(m, base, now, &changes, &rules, &found));
		for (size_t k = 0; k < found.n; k++)
			if (!mind_breaks(&t->breaks[i], found.p[k]->constraint))
				*VEC_PUSH(m->a, &t->breaks[i]) = found.p[k]->constraint;
	}
	return NULL;
}

/* The violations that the tip introduces since the commit, by all rules of the cases. */
static struct err *mind_compare_tip(struct mind *m, struct mind_trial *t)
{
	struct mind_rules rules = {0};

	if (t->compared_later)
		return NULL;
	t->compared_later = true;
	for (size_t i = 0; i < m->cases.n; i++) {
		const struct check_violation *v = m->cases.p[i].v;
		enum kn_severity severity = rule_severity(v->item, v->constraint);

		if (!mind_has_rule(&rules, v->constraint, severity))
			*VEC_PUSH(m->a, &rules) = (struct check_kept){v->item, v->constraint};
	}
	return mind_run(m, &t->commit->side, &m->s->now, NULL, &rules, &t->later);
}

static bool mind_is_lost(const struct mind_trial *t, size_t parent,
			 const struct kn_constraint *rule)
{
	const struct rule_changes *list = &t->changes[parent];

	for (size_t i = 0; i < list->n; i++)
		if (list->p[i].old_rule == rule && list->p[i].blocks)
			return true;
	return false;
}

/* Whether x has r in its history; asked once for all findings. */
static struct err *mind_follows(const struct mind *m, const struct mind_commit *x,
				struct mind_commit *r, bool *yes)
{
	struct mind_order *known;

	for (size_t i = 0; i < r->later.n; i++)
		if (r->later.p[i].commit == x) {
			*yes = r->later.p[i].follows;
			return NULL;
		}
	TRY(bases_contains(m->a, m->j->git, x->id, r->id, yes));
	known = VEC_PUSH(m->a, &r->later);
	*known = (struct mind_order){.commit = x, .follows = *yes};
	return NULL;
}

/* Whether a later commit of the range brings the rule back. */
static struct err *mind_came_back(const struct mind *m, struct mind_commit *r,
				  const struct check_violation *v, bool *back)
{
	*back = false;
	for (size_t i = 0; i < m->commits.n && !*back; i++) {
		const struct mind_commit *x = m->commits.p[i];

		if (x != r && x->listed && x->found && mind_at(x->found, v))
			TRY(mind_follows(m, x, r, back));
	}
	return NULL;
}

/* Whether the rules of each parent find v, and those of the commit do not. */
static bool mind_takes_away(const struct mind_trial *t, const struct check_violation *v)
{
	size_t n = t->commit->parents.n;

	if (!t->commit->readable || mind_at(t->commit->found, v))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!t->parents[i]->readable || !mind_at(t->parents[i]->found, v))
			return false;
	return n > 0;
}

static struct err *mind_try(struct mind *m, struct mind_trial *t, struct mind_case *c)
{
	struct check_violation *v = c->v;
	size_t n = t->commit->parents.n, lost = 0, breaks = 0;
	enum mind_miss miss = MISS_NONE;
	bool back;

	if (!mind_takes_away(t, v))
		return NULL;
	TRY(mind_compare(m, t));
	for (size_t i = 0; i < n; i++) {
		const struct kn_constraint *rule = mind_at(t->parents[i]->found, v)->constraint;

		lost += mind_is_lost(t, i, rule);
		breaks += mind_breaks(&t->breaks[i], rule);
	}
	TRY(mind_compare_tip(m, t));
	TRY(mind_came_back(m, t->commit, v, &back));
	if (lost)
		miss = MISS_LOST;
	else if (back)
		miss = MISS_BACK;
	else if (m->squash_ok)
		miss = MISS_NONE;
	else if (breaks == n)
		miss = MISS_BREAKS;
	else if (!mind_at(&t->later, v))
		miss = MISS_THERE;
	if (miss > c->miss) {
		c->miss = miss;
		c->commit = t->commit->id;
	}
	if (miss)
		return NULL;
	c->done = true;
	v->retired = true;
	v->retired_by = t->commit->id;
	return NULL;
}

bool mind_is_open(const struct mind *m, unsigned bases)
{
	for (size_t i = 0; i < m->cases.n; i++)
		if (m->cases.p[i].bases == bases && !m->cases.p[i].done && !m->cases.p[i].miss)
			return true;
	return false;
}

/* Whether each case has its commit. Near misses stay: an older commit may do better. */
static bool mind_is_done(const struct mind *m, unsigned bases)
{
	for (size_t i = 0; i < m->cases.n; i++)
		if (m->cases.p[i].bases == bases && !m->cases.p[i].done)
			return false;
	return true;
}

struct err *mind_walk(struct mind *m, const struct strs *ids, unsigned bases)
{
	for (size_t i = 0; i < ids->n && !mind_is_done(m, bases); i++) {
		struct mind_trial t = {0};

		TRY(mind_commit_of(m, ids->p[i], &t.commit));
		if (t.commit->listed && t.commit->tried == bases)
			continue;
		t.commit->listed = true;
		t.commit->tried = bases;
		TRY(mind_found(m, t.commit));
		t.parents = arena_array(m->a, t.commit->parents.n, sizeof(*t.parents));
		for (size_t p = 0; p < t.commit->parents.n; p++) {
			TRY(mind_commit_of(m, t.commit->parents.p[p], &t.parents[p]));
			TRY(mind_found(m, t.parents[p]));
		}
		for (size_t n = 0; n < m->cases.n; n++)
			if (!m->cases.p[n].done && m->cases.p[n].bases == bases)
				TRY(mind_try(m, &t, &m->cases.p[n]));
	}
	return NULL;
}
