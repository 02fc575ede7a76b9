#include "history/sides.h"
#include "knowledge/load.h"

#define CONF_DIR  ".ikm"
#define KNOWLEDGE ".knowledge"

/* ---- reading ---- */

static struct err *read_knowledge(struct arena *a, const struct judge *j, struct side *s,
				  struct strs *missing)
{
	struct knowledge_place p = {.conf = s->conf,
				    .git = j->git,
				    .tree = s->tree,
				    .ref = s->ref,
				    .given = j->given,
				    .missing = missing};

	return knowledge_load(a, &p, &s->knowledge);
}

struct err *side_load(struct arena *a, const struct judge *j, struct side *s)
{
	TRY(knowledge_tree_conf(a, s->tree, &j->args, &s->conf));
	return read_knowledge(a, j, s, NULL);
}

/*
 * Loads the base. Its settings and knowledge judge too, so that no change switches off its judge. A
 * part of the base that cannot be read is a warning and no error, because the change may correct
 * it. The rest still judges; broken settings of the base are replaced by those of the change. A
 * layer that the base requires stays required.
 */
static struct err *load_base(struct arena *a, const struct judge *j, const struct side *now,
			     struct side *base, struct strs *missing)
{
	struct err *e = knowledge_tree_conf(a, base->tree, &j->args, &base->conf);

	if (e && err_code(e) != CODE_INVALID_INPUT && err_reason(e) != E_TOO_BIG)
		return e;
	if (e) {
		strs_push(a, missing, str_dup(a, str_of(err_message(e))));
		base->conf = now->conf;
	}
	return read_knowledge(a, j, base, missing);
}

static bool path_overlaps(struct str path, struct str folder)
{
	size_t n = size_min(path.n, folder.n);

	if (!str_eq(str_sub(path, 0, n), str_sub(folder, 0, n)))
		return false;
	return path.n == folder.n || (path.n > n ? path.p[n] == '/' : folder.p[n] == '/');
}

/*
 * Whether a path is like "docs/adr". ".", "docs//adr" and "docs/../adr" name other places than they
 * seem to.
 */
static bool is_plain_folder(struct str path)
{
	struct str rest = path, part;

	while (str_split(&rest, '/', &part))
		if (!part.n || str_is(part, ".") || str_is(part, ".."))
			return false;
	return path.n > 0;
}

/*
 * Whether the change touches no settings and no knowledge of the repository. Then both sides are
 * the same and are read once. Most commits are like this.
 */
static bool knowledge_untouched(struct arena *a, const struct conf *conf,
				const struct tree_changes *changes)
{
	struct strs folders = {0};
	const struct conf_parts *parts = &conf->knowledge_sources;

	strs_push(a, &folders, STR(CONF_DIR));
	strs_push(a, &folders, STR(KNOWLEDGE));
	for (size_t i = 0; i < parts->n; i++) {
		struct str path = val_get_str(parts->p[i].value, "path");

		if (parts->p[i].origin != CONF_REPO)
			continue;
		if (str_ends(path, STR("/")))
			path = str_sub(path, 0, path.n - 1);
		if (!is_plain_folder(path))
			return false;
		strs_push(a, &folders, path);
	}
	for (size_t i = 0; i < changes->n; i++) {
		const struct tree_change *c = &changes->p[i];

		for (size_t k = 0; k < folders.n; k++)
			if ((c->has_new && path_overlaps(c->new.path, folders.p[k])) ||
			    (c->has_old && path_overlaps(c->old.path, folders.p[k])))
				return false;
	}
	return true;
}

/* ---- limits ---- */

static void add_limits(const struct conf *c, struct check_input *in, struct limits *l)
{
	in->max_file = size_max(in->max_file, (size_t)c->check_max_file_size);
	in->min_severity = (enum kn_severity)size_min(in->min_severity, c->check_min_severity);
	in->unjudged_blocks = in->unjudged_blocks || c->check_unjudged == KN_SEVERITY_BLOCK;
	l->lost_blocks = l->lost_blocks || c->check_lost_rules == KN_SEVERITY_BLOCK;
	l->retire_merged = l->retire_merged || c->check_retire == CONF_RETIRE_MERGED;
	l->min_rules = size_max(l->min_rules, (size_t)c->check_min_rules);
}

static void set_limits(const struct judge *j, const struct sides *s, struct check_input *in,
		       struct limits *l)
{
	*l = (struct limits){.retire_merged = j->retire_merged};
	in->min_severity = KN_SEVERITY_BLOCK;
	add_limits(s->now.conf, in, l);
	for (size_t i = 0; i < s->base_n; i++)
		add_limits(s->base[i].conf, in, l);
	/* A server has nobody who looks at what could not be judged. */
	in->unjudged_blocks = in->unjudged_blocks || j->asker == JUDGE_SERVER;
	if (j->min_severity >= 0)
		in->min_severity = (enum kn_severity)j->min_severity;
}

/* ---- several bases ---- */

/* A change between two bases: a rule that went, or else a setting that has a new value. */
struct sides_gone {
	const struct kn_constraint *rule;
	enum kn_severity severity;
	const struct rule_change *setting;
};

static bool sides_lack(struct arena *a, const struct side *s, const struct sides_gone *x)
{
	if (x->rule)
		return !rulechange_has(s->knowledge, x->rule, x->severity);
	return str_eq(rulechange_setting(a, s->conf, x->setting->setting), x->setting->after);
}

/*
 * Whether another base made the same change since it parted from the first base; for the first
 * base, since `of` parted from it. Then the change that merges both does not make it. A base that
 * never had the rule says nothing. by_first: what the first base changed counts.
 */
static struct err *sides_gone_elsewhere(struct arena *a, const struct judge *j,
					const struct sides *s, const struct side *of,
					const struct sides_gone *x, bool by_first, bool *taken)
{
	*taken = false;
	for (size_t i = 0; i < s->base_n && !*taken; i++) {
		struct side *other = &s->base[i];
		struct side *fork = i ? other->fork : of->fork;

		if (other == of || !other->decides || !fork || (!i && !by_first) ||
		    !sides_lack(a, other, x))
			continue;
		if (!fork->knowledge) {
			struct strs missing = {0};

			TRY(git_tree_at(j->git, fork->ref, &fork->tree));
			TRY(load_base(a, j, &s->now, fork, &missing));
		}
		*taken = !sides_lack(a, fork, x);
	}
	return NULL;
}

/* Keeps the rules that only bases have and that no other base removed. */
static struct err *keep_rules(struct arena *a, const struct judge *j, const struct sides *s,
			      struct check_input *in)
{
	in->has_kept = true;
	for (size_t i = 0; i < s->base_n; i++) {
		if (i && !s->base[i].decides && !s->base[i].rules_only)
			continue;
		for (struct rule_at r = {.k = s->base[i].knowledge}; rule_next(&r);) {
			struct sides_gone gone = {.rule = r.c, .severity = r.severity};
			bool taken;

			if (rulechange_has(s->now.knowledge, r.c, r.severity))
				continue;
			TRY(sides_gone_elsewhere(a, j, s, &s->base[i], &gone, !s->is_branch,
						 &taken));
			if (!taken)
				*VEC_PUSH(a, &in->kept) = (struct check_kept){r.item, r.c};
		}
	}
	return NULL;
}

/* ---- how the rules differ ---- */

static struct err *is_published(struct arena *a, const struct judge *j, const struct sides *s,
				const struct side *of, const struct rule_change *x, bool *yes)
{
	struct sides_gone gone = {.setting = x};

	*yes = false;
	if (x->kind != RULE_SETTING && x->old_rule) {
		gone.rule = x->old_rule;
		gone.severity = rule_severity(x->old_item, x->old_rule);
	}
	if (x->kind == RULE_SETTING || x->old_rule)
		return sides_gone_elsewhere(a, j, s, of, &gone, true, yes);
	for (size_t i = 0; i < s->base_n && !*yes; i++)
		*yes = &s->base[i] != of && s->base[i].decides && x->new_rule &&
		       rulechange_has(s->base[i].knowledge, x->new_rule,
				      rule_severity(x->new_item, x->new_rule));
	return NULL;
}

static struct err *compare_rules(struct arena *a, const struct judge *j, struct sides *s,
				 const struct tree_changes *changes, const struct limits *l,
				 struct check_report *out)
{
	struct rulechange_side now = {s->now.knowledge, s->now.conf, s->now.tree};

	out->compared = true;
	out->rules_before = rulechange_count(s->base[0].knowledge);
	for (size_t i = 0; i < s->base_n; i++) {
		struct rulechange_side base = {s->base[i].knowledge, s->base[i].conf,
					       s->base[i].tree};
		struct rule_changes found = {0};

		if (i && !s->base[i].decides)
			continue;
		TRY(rulechange_find(a, &base, &now, &changes[i], l->lost_blocks, &found));
		for (size_t k = 0; k < found.n; k++) {
			bool published = false;

			if (s->base_n > 1)
				TRY(is_published(a, j, s, &s->base[i], &found.p[k], &published));
			if (!published && !rule_changes_has(&out->rule_changes, &found.p[k]))
				*VEC_PUSH(a, &out->rule_changes) = found.p[k];
		}
	}
	return NULL;
}

/* Broken knowledge blocks once, by its note; its lost rules do not block again. */
static void count_once(struct check_report *out)
{
	for (size_t i = 0; i < out->rule_changes.n; i++) {
		struct rule_change *c = &out->rule_changes.p[i];

		for (size_t k = 0; c->blocks && k < out->notes.n; k++)
			if (out->notes.p[k].blocks && str_eq(out->notes.p[k].path, c->path))
				c->blocks = false;
	}
}

/* ---- all of it ---- */

static struct err *load_sides(struct arena *a, const struct judge *j, struct sides *s,
			      const struct tree_changes *changes, struct check_report *out)
{
	struct arena *keep = s->keep ? s->keep : a;

	if (s->base_n && s->base[0].knowledge &&
	    knowledge_untouched(a, s->base[0].conf, &changes[0])) {
		s->now.conf = s->base[0].conf;
		s->now.knowledge = s->base[0].knowledge;
	} else {
		TRY(side_load(keep, j, &s->now));
	}
	for (size_t i = 0; i < s->base_n; i++) {
		struct side *base = &s->base[i];
		struct strs missing = {0};

		if (base->knowledge)
			continue;
		if (knowledge_untouched(a, s->now.conf, &changes[i])) {
			base->conf = s->now.conf;
			base->knowledge = s->now.knowledge;
			continue;
		}
		TRY(load_base(keep, j, &s->now, base, &missing));
		for (size_t k = 0; k < missing.n; k++)
			check_warn(a, out, false, str_dup(a, base->tree->name),
				   str_fmt(a, "not all of its rules could be read: %.*s",
					   STR_ARG(missing.p[k])));
	}
	return NULL;
}

static struct err *run_against(struct arena *a, const struct sides *s, size_t i,
			       const struct tree_changes *changes, const struct check_input *in,
			       struct check_report *out)
{
	struct check_input one = *in;

	one.base = s->base[i].tree;
	one.base_rules = s->base[i].knowledge;
	one.changes = &changes[i];
	if (in->compiled)
		one.base_id = str_of(s->base[i].ref);
	return check_run(a, &one, out);
}

static struct err *sides_run_all(struct arena *a, const struct sides *s,
				 const struct tree_changes *changes, struct check_input *in,
				 struct check_report *out)
{
	unsigned elsewhere = 0;

	if (!s->base_n)
		return check_run(a, in, out);
	in->list_all = s->base_n > 1;
	TRY(run_against(a, s, 0, changes, in, out));
	for (size_t i = 1; i < s->base_n; i++) {
		struct check_report *other = ARENA_NEW(a, struct check_report);
		unsigned dropped;

		if (s->base[i].rules_only)
			continue;
		TRY(run_against(a, s, i, changes, in, other));
		dropped = reports_agree(a, out, other, in->want_existing);
		elsewhere += s->base[i].decides ? 0 : dropped;
	}
	if (elsewhere)
		check_warn(
			a, out, false, STR("this merge"),
			str_fmt(a,
				"brings %u finding%s that a branch of the remote has, and its default "
				"branch has not",
				elsewhere, elsewhere == 1 ? "" : "s"));
	return NULL;
}

static struct err *diff_sides(struct arena *a, const struct sides *s, struct tree_changes *changes)
{
	for (size_t i = 0; i < s->base_n; i++) {
		TRY(tree_diff(a, s->base[i].tree, s->now.tree, &changes[i]));
		TRY(tree_find_renames(a, s->base[i].tree, s->now.tree, 0, &changes[i]));
	}
	return NULL;
}

struct err *sides_compare(struct arena *a, const struct judge *j, struct sides *s,
			  struct check_report *out)
{
	struct tree_changes *changes = arena_array(a, s->base_n, sizeof(*changes));
	struct check_input in = {0};
	struct limits l;

	TRY(diff_sides(a, s, changes));
	TRY(load_sides(a, j, s, changes, out));
	set_limits(j, s, &in, &l);
	TRY(compare_rules(a, j, s, changes, &l, out));
	TRY(retirement_mark(a, j, s, &in, &l, out));
	out->rules = rulechange_count(s->now.knowledge);
	reports_count(out);
	return NULL;
}

struct err *sides_judge(struct arena *a, const struct judge *j, struct sides *s,
			struct check_input *in, struct check_report *out)
{
	struct tree_changes *changes = arena_array(a, s->base_n, sizeof(*changes));
	struct limits l;

	TRY(diff_sides(a, s, changes));
	TRY(load_sides(a, j, s, changes, out));
	set_limits(j, s, in, &l);
	in->only = j->only;
	in->rules = s->now.knowledge;
	in->items = j->items;
	in->want_existing = j->want_existing;
	/* With core.ignorecase, names that differ only in case are one file. */
	if (j->git)
		TRY(git_setting_bool(j->git, "core.ignorecase", &in->ignore_case));
	if (s->base_n > 1)
		TRY(keep_rules(a, j, s, in));
	TRY(sides_waive(a, j, s, changes, in, out));
	TRY(sides_run_all(a, s, changes, in, out));
	out->rules = rulechange_count(s->now.knowledge);
	if (s->base_n) {
		TRY(compare_rules(a, j, s, changes, &l, out));
		count_once(out);
		TRY(retirement_mark(a, j, s, in, &l, out));
	}
	TRY(note_sources(a, j, s, changes, out));
	if (out->rules < l.min_rules)
		check_warn(a, out, true, STR(CONF_DIR "/config.json"),
			   str_fmt(a, "%u rule%s judge%s, and check.minRules asks for %zu",
				   out->rules, out->rules == 1 ? "" : "s",
				   out->rules == 1 ? "s" : "", l.min_rules));
	reports_count(out);
	return NULL;
}

/* ---- an edit ---- */

/* The rules of the bases that the edit would take away or that the working tree lacks already. */
static void keep_edit_rules(struct arena *a, const struct sides *s, struct check_input *in)
{
	in->has_kept = true;
	for (size_t i = 0; i < s->base_n; i++)
		for (struct rule_at r = {.k = s->base[i].knowledge};
		     r.k != s->now.knowledge && rule_next(&r);)
			if (!rulechange_has(s->now.knowledge, r.c, r.severity) &&
			    !(i && rulechange_has(s->base[0].knowledge, r.c, r.severity)))
				*VEC_PUSH(a, &in->kept) = (struct check_kept){r.item, r.c};
}

/*
 * Whether another tree has the settings and decisions of a loaded side. To compare their files
 * costs less than to read their rules. Compares files of the trees only, not sources elsewhere.
 */
static struct err *side_same_knowledge(struct arena *a, const struct side *one, struct tree *other,
				       bool *same)
{
	struct strs folders = {0};

	strs_push(a, &folders, STR(CONF_DIR));
	strs_push(a, &folders, STR(KNOWLEDGE));
	for (size_t i = 0; i < one->knowledge->folders.n; i++)
		strs_push(a, &folders, one->knowledge->folders.p[i]);
	*same = true;
	for (size_t i = 0; i < folders.n && *same; i++) {
		struct tree_changes changes = {0};

		/* The top as a source: all files would be compared. */
		*same = folders.p[i].n;
		if (*same)
			TRY(tree_diff(a, tree_sub(a, one->tree, folders.p[i]),
				      tree_sub(a, other, folders.p[i]), &changes));
		*same = *same && !changes.n;
	}
	return NULL;
}

struct err *sides_judge_edit(struct arena *a, const struct judge *j, struct sides *s,
			     const struct tree_changes *changes, struct check_input *in,
			     struct check_report *out)
{
	struct sides before = *s;
	struct limits l;

	before.base_n = 1;
	TRY(load_sides(a, j, &before, changes, out));
	s->now = before.now;
	for (size_t i = 1; i < s->base_n; i++) {
		struct strs missing = {0};
		bool same;

		TRY(side_same_knowledge(a, &s->base[0], s->base[i].tree, &same));
		s->base[i].conf = s->base[0].conf;
		s->base[i].knowledge = s->base[0].knowledge;
		if (!same)
			TRY(load_base(a, j, &s->now, &s->base[i], &missing));
	}
	set_limits(j, s, in, &l);
	in->rules = s->now.knowledge;
	in->base_rules = s->base[0].knowledge;
	in->items = j->items;
	TRY(git_setting_bool(j->git, "core.ignorecase", &in->ignore_case));
	keep_edit_rules(a, s, in);
	TRY(sides_waive_edit(a, j, s, changes, in, out));
	TRY(check_run(a, in, out));
	before = *s;
	before.base_n = 1;
	l.lost_blocks = false;
	TRY(compare_rules(a, j, &before, changes, &l, out));
	reports_count(out);
	return NULL;
}
