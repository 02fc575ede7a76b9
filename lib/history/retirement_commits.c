/*
 * A change may break a rule that an earlier commit of the same change took away. Then the team
 * changed its mind first, and the finding only warns. This file chooses the commits that
 * retirement.c tries, and says what to do about findings for which none counts.
 */
#include "history/retirement.h"

/* Commits that ikm reads: of the item's files first, then of all decisions. */
#define MIND_FILE_COMMITS   50
#define MIND_FOLDER_COMMITS 100

/* ---- where to look ---- */

static void mind_add_path(struct arena *a, struct strs *paths, struct str path)
{
	if (path.n && !strs_has(paths, path))
		strs_push(a, paths, path);
}

static void mind_add_item(struct arena *a, struct strs *paths, const struct kn_item *item)
{
	if (item && item->in_tree)
		mind_add_path(a, paths, item->tree_path);
	if (item && item->retired_by && item->retired_by->in_tree)
		mind_add_path(a, paths, item->retired_by->tree_path);
}

/* The files of the items on both sides, what supersedes them, and the settings. */
static void mind_files(const struct mind *m, unsigned bases, struct strs *paths)
{
	strs_push(m->a, paths, STR(".ikm/config.json"));
	for (size_t i = 0; i < m->cases.n; i++) {
		const struct check_violation *v = m->cases.p[i].v;

		if (m->cases.p[i].done || m->cases.p[i].bases != bases)
			continue;
		mind_add_item(m->a, paths, v->item);
		for (size_t k = 0; k < m->out->rule_changes.n; k++)
			if (m->out->rule_changes.p[k].old_rule == v->constraint)
				mind_add_item(m->a, paths, m->out->rule_changes.p[k].new_item);
	}
}

/* The folder of a source, or the submodule that holds it. False: any file may be an item. */
static struct err *mind_add_source(struct arena *a, struct tree *t, struct str path,
				   struct strs *paths, bool *known)
{
	while (str_starts(path, STR("./")))
		path = str_sub(path, 2, path.n);
	while (str_ends(path, STR("/")))
		path = str_sub(path, 0, path.n - 1);
	*known = path.n && !str_is(path, ".");
	for (size_t i = 0; *known && i <= path.n; i++) {
		struct str part = str_sub(path, 0, i);
		struct tree_file f;
		bool found;

		if (i < path.n && path.p[i] != '/')
			continue;
		/* A path with "//" or ".." names another place than it seems to. */
		*known = part.n && !str_ends(part, STR("/")) && !str_ends(part, STR(".."));
		if (!*known)
			return NULL;
		TRY(tree_find(t, part, &f, &found));
		if (found && f.kind == TREE_SUBMODULE)
			path = part;
	}
	if (*known)
		mind_add_path(a, paths, path);
	return NULL;
}

/* All places of decisions on both sides; none: the whole repository. */
static struct err *mind_folders(const struct mind *m, struct strs *paths)
{
	strs_push(m->a, paths, STR(".ikm"));
	strs_push(m->a, paths, STR(".knowledge"));
	for (size_t i = 0; i <= m->s->base_n; i++) {
		const struct side *side = i ? &m->s->base[i - 1] : &m->s->now;
		const struct conf_parts *parts = &side->conf->knowledge_sources;

		for (size_t k = 0; k < parts->n; k++) {
			bool known = true;

			if (parts->p[k].origin == CONF_REPO)
				TRY(mind_add_source(m->a, side->tree,
						    val_get_str(parts->p[k].value, "path"), paths,
						    &known));
			if (!known) {
				paths->n = 0;
				return NULL;
			}
		}
	}
	return NULL;
}

/* Looks for the commits of all cases whose rules the same bases have. */
static struct err *mind_search(struct mind *m, unsigned bases)
{
	struct bases_range range = {.tips = m->s->tips};
	struct strs files = {0}, folders = {0}, near = {0}, far = {0};
	bool cut;

	for (size_t i = 0; i < m->s->base_n; i++)
		if (!bases || bases >> i & 1)
			strs_push(m->a, &range.bases, str_of(m->s->base[i].ref));
	mind_files(m, bases, &files);
	TRY(bases_log(m->a, m->j->git, &range, &files, MIND_FILE_COMMITS, &near));
	TRY(mind_walk(m, &near, bases));
	/*
	 * The item may have had other names in between. But a commit that took the rule away too
	 * late says that no earlier commit did.
	 */
	if (!mind_is_open(m, bases))
		return NULL;
	TRY(mind_folders(m, &folders));
	TRY(bases_log(m->a, m->j->git, &range, &folders, MIND_FOLDER_COMMITS, &far));
	TRY(mind_walk(m, &far, bases));
	if (!mind_is_open(m, bases))
		return NULL;
	TRY(bases_is_cut(m->a, m->j->git, &range, &cut));
	if (cut)
		check_warn(m->a, m->out, true, STR("this shallow clone"),
			   str_fmt(m->a,
				   "may hide the commit that retired a rule, which would let this "
				   "change pass; %s",
				   git_shallow_help));
	if (far.n == MIND_FOLDER_COMMITS)
		check_warn(
			m->a, m->out, false, STR("this change"),
			str_fmt(m->a,
				"has more than %d commits that touch decisions; ikm looked into the "
				"newest of them for the commit that retired a rule",
				MIND_FOLDER_COMMITS));
	return NULL;
}

/* Once for each set of bases; most changes have one base. */
static struct err *mind_search_all(struct mind *m)
{
	for (size_t i = 0; i < m->cases.n; i++) {
		bool first = true;

		for (size_t k = 0; k < i && first; k++)
			first = m->cases.p[k].bases != m->cases.p[i].bases;
		if (first)
			TRY(mind_search(m, m->cases.p[i].bases));
	}
	return NULL;
}

/* ---- the next step of what is not retired ---- */

static struct str mind_next(const struct mind *m, const struct mind_case *c)
{
	struct str path = c->v->item->shown_path, id = str_sub(c->commit, 0, 12);

	if (m->j->pushed_to.n)
		return str_fmt(
			m->a,
			"retire %.*s in a commit of its own, and push that commit alone "
			"first: git push origin COMMIT:refs/heads/%.*s (it is the server's default "
			"branch)",
			STR_ARG(path), STR_ARG(m->j->pushed_to));
	if (m->limits->retire_merged)
		return str_fmt(m->a,
			       "merge the change of %.*s first, in a branch of its own "
			       "(check.retire is merged)",
			       STR_ARG(path));
	switch (c->miss) {
	case MISS_BREAKS:
		return str_fmt(m->a,
			       "%.*s retires the rule and breaks it; retire it first, in a commit "
			       "of its own",
			       STR_ARG(id));
	case MISS_THERE:
		return str_fmt(m->a,
			       "%.*s retires the rule after it was broken; put that commit before "
			       "the one that breaks it",
			       STR_ARG(id));
	case MISS_BACK:
		return str_fmt(m->a,
			       "a commit after %.*s brought the rule back; retire it again, before "
			       "the commit that breaks it",
			       STR_ARG(id));
	case MISS_LOST:
		return str_fmt(m->a, "%.*s loses the rule; retire %.*s in a commit of its own",
			       STR_ARG(id), STR_ARG(path));
	case MISS_NONE: break;
	}
	return str_fmt(m->a,
		       "to change your mind about %.*s, retire it first, in a commit of its own",
		       STR_ARG(path));
}

static void mind_settle(struct mind *m)
{
	bool changed = false;

	for (size_t i = 0; i < m->cases.n; i++) {
		struct mind_case *c = &m->cases.p[i];

		if (!c->done) {
			c->v->next = mind_next(m, c);
			continue;
		}
		if (c->v->severity > KN_SEVERITY_WARN)
			c->v->severity = KN_SEVERITY_WARN;
		changed = true;
	}
	if (changed)
		check_arrange(m->a, m->out);
}

static void mind_add_cases(struct mind *m)
{
	for (size_t i = 0; i < m->out->violations.n; i++) {
		struct check_violation *v = &m->out->violations.p[i];
		struct mind_case c = {.v = v};
		enum kn_severity severity = rule_severity(v->item, v->constraint);

		if (!v->from_base || v->existing)
			continue;
		for (size_t b = 0; b < m->s->base_n; b++)
			if (rulechange_has(m->s->base[b].knowledge, v->constraint, severity))
				c.bases |= 1u << b;
		*VEC_PUSH(m->a, &m->cases) = c;
	}
}

struct err *retired_mark(struct arena *a, const struct judge *j, const struct sides *s,
			 const struct check_input *in, const struct tree_changes *changes,
			 const struct limits *l, struct check_report *out)
{
	struct mind m = {.a = a,
			 .j = j,
			 .s = s,
			 .in = in,
			 .changes = changes,
			 .limits = l,
			 .out = out,
			 .squash_ok = j->squash_ok};

	mind_add_cases(&m);
	if (!m.cases.n)
		return NULL;
	if (s->is_range && !m.squash_ok)
		TRY(bases_is_on_default(a, j->git, s->tips.p[0], &m.squash_ok));
	if (s->tips.n && !l->retire_merged)
		TRY(mind_search_all(&m));
	mind_settle(&m);
	return NULL;
}

/* ---- the other way round ---- */

struct err *retired_count_again(struct arena *a, const struct sides *s,
				const struct check_input *in, struct check_report *out)
{
	for (size_t i = 0; i < out->rule_changes.n; i++) {
		struct rule_change *c = &out->rule_changes.p[i];
		struct check_report *r;
		struct check_input all;

		if (!c->reinstated)
			continue;
		r = ARENA_NEW(a, struct check_report);
		all = (struct check_input){.now = s->now.tree,
					   .rules = s->now.knowledge,
					   .complete = true,
					   .list_all = true,
					   .ignore_case = in->ignore_case,
					   .max_file = in->max_file};
		strs_push(a, &all.items, c->new_item->id);
		TRY(check_run(a, &all, r));
		for (size_t k = 0; k < r->violations.n; k++)
			c->findings += r->violations.p[k].constraint == c->new_rule;
	}
	return NULL;
}
