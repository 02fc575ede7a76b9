#include "history/sides.h"
#include "git/comparison_bases.h"
#include "judge/judge.h"
#include "knowledge/load.h"

/*
 * Adds the exceptions of a base. Names and numbers mean the base's own rules. changes NULL: how the
 * base differs is not known.
 */
static struct err *waive_add_base(struct sides *s, const struct side *base,
				  const struct tree_changes *changes)
{
	struct check_waive *k = &s->in.waive;
	struct waive_base *b = VEC_PUSH(s->a, &k->bases);
	bool same = changes && base->knowledge == s->now.knowledge;

	*b = (struct waive_base){.knowledge = base->knowledge,
				 .tree = base->tree,
				 .changes = changes,
				 .grants = !base->rules_only,
				 .must = base->is_fork && !k->trusts};
	for (size_t i = 0; same && i < changes->n; i++)
		same = !(changes->p[i].has_new && str_is(changes->p[i].new.path, WAIVE_FILE)) &&
		       !(changes->p[i].has_old && str_is(changes->p[i].old.path, WAIVE_FILE));
	if (same)
		for (size_t i = 0; i < k->now.n; i++)
			*VEC_PUSH(s->a, &b->list) = k->now.p[i];
	else
		TRY(waivers_read_yaml_of_tree(s->a, base->tree, k->today, s->in.ignore_case,
					      &b->list));
	for (size_t i = 0; i < b->list.n; i++) {
		/* The history of the change may tell of other names than that of the base. */
		if (same && !b->list.p[i].by_history)
			continue;
		waive_resolve(s->a, base->knowledge, NULL, NULL, &b->list.p[i]);
		TRY(waive_resolve_former(s->a, s->judge->git, base->ref, base->tree,
					 base->knowledge, &b->list.p[i]));
	}
	return NULL;
}

static bool waive_is_known(const struct waiver *x, const struct waive_bases *bases)
{
	bool granted = false;

	for (size_t i = 0; i < bases->n; i++) {
		bool has = waive_is_in_base(x, &bases->p[i].list);

		if (bases->p[i].must && !has)
			return false;
		granted = granted || (bases->p[i].grants && has);
	}
	return granted;
}

/* Decides whether new exceptions count, and reads those of the change. */
static struct err *waive_read_now(struct sides *s, bool edit)
{
	struct check_waive *k = &s->in.waive;
	enum judge_asker asker = s->judge->asker;
	unsigned setting = s->now.conf->check_new_waivers;

	/* The strictest value of all sides: a change cannot give its own exceptions more weight. */
	for (size_t i = 0; i < s->base_n; i++)
		if (s->base[i].conf->check_new_waivers > setting)
			setting = s->base[i].conf->check_new_waivers;
	k->today = waive_today();
	k->trusts = asker == JUDGE_PERSON && setting != CONF_WAIVERS_IGNORE;
	k->tells = !edit && (!k->trusts || setting != CONF_WAIVERS_COUNT);
	k->asks = asker == JUDGE_AGENT ? "an agent grants no exception; a person commits it first"
		  : asker == JUDGE_SERVER ? "no change brings its own exception; it is merged first"
					  : "check.newWaivers is ignore; merge it first";
	if (!s->now.tree)
		return NULL;
	TRY(waivers_read_yaml_of_tree(s->a, s->now.tree, k->today, s->in.ignore_case, &k->now));
	VEC_EACH(struct waiver, x, &k->now) {
		/* Nobody can edit anything if it blocked here; the commit is stopped. */
		if (x->problem.n)
			waive_add_note(s->a, x, x->problem, &s->out->notes)->blocks = !edit;
		waive_resolve(s->a, s->now.knowledge, s->base_n ? s->base[0].knowledge : NULL,
			      s->base_n ? &s->base[0].changes : NULL, x);
		if (!edit)
			TRY(waive_resolve_former(s->a, s->judge->git, NULL, s->now.tree,
						 s->now.knowledge, x));
	}
	return NULL;
}

/*
 * Reads the exceptions of both sides into s->in.waive; needs the knowledge and the
 * settings of all sides, and in.ignore_case. edit: the exceptions of HEAD are the base.
 */
static struct err *sides_waive(struct sides *s, bool edit)
{
	struct check_waive *k = &s->in.waive;

	if (edit) {
		/* An exception that is not committed belongs to the edit, so HEAD is the base. */
		const struct side *head = s->base_n > 1 ? &s->base[1] : NULL;

		k->has_base = true;
		k->tree = head ? head->tree : tree_mem(s->a, STR("no commit"), NULL, 0);
		TRY(waive_read_now(s, true));
		k->tree_rules = head ? head->knowledge : NULL;
		return head && k->now.n ? waive_add_base(s, head, NULL) : NULL;
	}
	k->searches = s->everything;
	k->audits = s->everything && !s->judge->only.n && !s->judge->items.n;
	k->has_base = k->has_base || s->base_n || s->first_of_branch;
	TRY(waive_read_now(s, false));
	if (!s->now.tree)
		return NULL;
	k->tree_rules = s->now.knowledge;
	for (size_t i = 0; i < s->base_n; i++) {
		const struct side *base = &s->base[i];

		if (!i || (base->decides && !base->rules_only) || (base->is_fork && !k->trusts))
			TRY(waive_add_base(s, base, &base->changes));
	}
	if (s->is_apart && !k->trusts)
		*VEC_PUSH(s->a, &k->bases) = (struct waive_base){
			.tree = tree_mem(s->a, STR("no commit"), NULL, 0), .must = true};
	/* Without a change, the files of the repository are what was agreed on. */
	if (!s->base_n && !s->first_of_branch)
		*VEC_PUSH(s->a, &k->bases) = (struct waive_base){
			.list = k->now, .knowledge = s->now.knowledge, .grants = true};
	/* The item of the base may have another id in the change, and the other way round. */
	VEC_EACH(struct waiver, x, &k->now) {
		x->is_new = !x->problem.n && k->has_base && !waive_is_known(x, &k->bases);
		if (x->is_new && k->tells)
			waive_add_note(s->a, x, waive_new_waiver_sentence(s->a, x, k),
				       &s->out->notes);
		if (x->is_new && x->unknown.n)
			waive_add_note(s->a, x, waive_unused_text(s->a, x, k->today),
				       &s->out->notes);
	}
	return NULL;
}

#define NAMED_FILES 3 /* files of one reason that --all names */

/* Looks a file up among those that a tree's sources passed over, which are sorted by tree_path. */
static bool was_passed(const struct knowledge *k, const struct kn_passed *p)
{
	size_t low = 0;

	BISECT(low, mid, k->passed.n, str_cmp(k->passed.p[mid].tree_path, p->tree_path) < 0);
	for (; low < k->passed.n && str_eq(k->passed.p[low].tree_path, p->tree_path); low++)
		if (k->passed.p[low].why == p->why && k->passed.p[low].in_tree == p->in_tree)
			return true;
	return false;
}

/*
 * The files that the change itself adds. Links, submodules and broken files have their own notes.
 */
static void note_passed(const struct sides *s)
{
	const struct knowledge *now = s->now.knowledge, *base = s->base[0].knowledge;
	const struct tree_changes *changes = &s->base[0].changes;
	/*
	 * Sorted, because a change may pass over a hundred thousand files: the files of items by
	 * their paths now, and those for which loading has reported why their rules do not apply.
	 */
	struct strs items = {0}, noted = {0};

	for (size_t i = 0; i < base->items.n; i++)
		if (base->items.p[i].in_tree)
			strs_push(s->a, &items, base->items.p[i].tree_path);
	strs_sort(&items);
	for (size_t i = 0, n = items.n; i < changes->n; i++) {
		const struct tree_change *c = &changes->p[i];
		struct strs was = {.p = items.p, .n = n};

		if (c->has_old && c->has_new && strs_sorted_has(&was, c->old.path))
			strs_push(s->a, &items, c->new.path);
	}
	strs_sort(&items);
	for (size_t i = 0; i < s->out->notes.n; i++)
		strs_push(s->a, &noted, s->out->notes.p[i].path);
	strs_sort(&noted);
	VEC_EACH(const struct kn_passed, p, &now->passed) {
		bool other = p->why == KN_PASSED_NOT_MARKDOWN;

		if (was_passed(base, p) || strs_sorted_has(&noted, p->path))
			continue;
		if (p->why == KN_PASSED_NO_ITEM)
			check_warn(s->a, s->out, false, p->path, p->message);
		else if (p->why == KN_PASSED_DOCUMENT ||
			 ((p->why == KN_PASSED_NAME || other || p->why == KN_PASSED_NOT_NAMED) &&
			  p->in_tree && strs_sorted_has(&items, p->tree_path)))
			check_warn(s->a, s->out, false, p->path,
				   str_fmt(s->a, "it is not read: %.*s", STR_ARG(p->message)));
	}
}

/* For --all: how many files each reason skips, with the first names. */
static void note_all_passed(const struct sides *s)
{
	const struct knowledge *k = s->now.knowledge;
	struct check_report *out = s->out;
	struct arena *a = s->a;
	static const enum kn_reason reasons[] = {KN_PASSED_NAME, KN_PASSED_NOT_NAMED};

	for (size_t r = 0; r < ARRAY_SIZE(reasons); r++) {
		const struct kn_passed *first = NULL;
		struct strs names = {0};
		size_t n = 0;

		VEC_EACH(const struct kn_passed, p, &k->passed) {
			if (p->why != reasons[r])
				continue;
			first = first ? first : p;
			if (n++ < NAMED_FILES)
				strs_push(a, &names, p->path);
		}
		if (n == 1)
			check_warn(a, out, false, first->path,
				   str_fmt(a, "it is not read: %.*s", STR_ARG(first->message)));
		else if (n)
			check_warn(
				a, out, false, first->path,
				str_fmt(a,
					"%zu files below the sources are not read: %.*s (%.*s%s)",
					n, STR_ARG(first->message),
					STR_ARG(str_join(a, &names, ", ")),
					n > NAMED_FILES ? ", ..." : ""));
	}
}

/*
 * Nothing judges here, although the default branch has rules: an orphan branch, or a branch of
 * another kind.
 */
static struct err *note_default_branch(const struct sides *s)
{
	struct remote_state remote = {0};
	struct strs names = {0};
	struct side other = {0};
	struct str branch;
	struct err *e;
	unsigned n;

	TRY(bases_remote_names(s->a, s->judge->git, &names, &branch));
	TRY(git_remote_branches_read(s->a, s->judge->git, &names, &remote));
	if (!remote.default_id.n)
		return NULL;
	other.ref = str_c(s->a, remote.default_id);
	TRY(git_tree_at(s->judge->git, other.ref, &other.tree));
	e = side_load_knowledge(s->a, s->judge, &other, NULL);
	if (e) /* The judge reports a branch that it cannot read. */
		return err_code(e) == CODE_INVALID_INPUT || err_code(e) == CODE_NOT_FOUND ? NULL
											  : e;
	n = rulechange_count_judging_rules(other.knowledge);
	if (n)
		check_warn(s->a, s->out, false, remote.default_ref,
			   str_fmt(s->a,
				   "it has %u rule%s, and here is no knowledge at all: nothing is "
				   "judged",
				   n, PLURAL(n)));
	return NULL;
}

/* Notes about what the change does to the sources of knowledge. */
static struct err *note_sources(struct sides *s)
{
	const struct knowledge *now = s->now.knowledge;
	const struct knowledge *base = s->base_n ? s->base[0].knowledge : NULL;

	if (s->everything)
		note_all_passed(s);
	if (base && base != now)
		note_passed(s);
	if (base && base->items.n && !now->items.n)
		check_warn(s->a, s->out, false, STR("knowledge"),
			   str_fmt(s->a, "this change takes away all of it: %zu item%s",
				   base->items.n, PLURAL(base->items.n)));
	/* Later commits of the branch have this commit as their base, so the note appears once. */
	return s->first_of_branch && !now->sources ? note_default_branch(s) : NULL;
}

#define CONF_DIR  ".ikm"
#define KNOWLEDGE ".knowledge"

/* ---- reading ---- */

struct err *side_load_knowledge(struct arena *a, const struct judge *j, struct side *s,
				struct strs *missing)
{
	if (!s->conf)
		TRY(knowledge_tree_conf(a, s->tree, &j->args, &s->conf));
	return knowledge_load(a,
			      &(struct knowledge_place){.conf = s->conf,
							.git = j->git,
							.tree = s->tree,
							.ref = s->ref,
							.given = j->given,
							.missing = missing,
							.emptied = s->emptied},
			      &s->knowledge);
}

/*
 * Loads a base. Its settings and knowledge judge too, so that no change switches off its judge. A
 * part of the base that cannot be read is a warning and no error, because the change may correct
 * it. The rest still judges; broken settings of the base are replaced by those of the change. A
 * layer that the base requires stays required.
 */
static struct err *sides_load_base(const struct sides *s, struct arena *a, struct side *base,
				   struct strs *missing)
{
	struct err *e = knowledge_tree_conf(a, base->tree, &s->judge->args, &base->conf);

	if (e && err_code(e) != CODE_INVALID_INPUT && err_reason(e) != E_TOO_BIG)
		return e;
	if (e) {
		strs_push(a, missing, str_dup(a, str_of(err_message(e))));
		base->conf = s->now.conf;
	}
	return side_load_knowledge(a, s->judge, base, missing);
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

	while (str_next_part(&rest, '/', &part))
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
	VEC_EACH(const struct tree_change, c, changes)
		for (size_t k = 0; k < folders.n; k++)
			if ((c->has_new && path_overlaps(c->new.path, folders.p[k])) ||
			    (c->has_old && path_overlaps(c->old.path, folders.p[k])))
				return false;
	return true;
}

/* ---- limits ---- */

static void sides_set_limits(struct sides *s)
{
	struct check_input *in = &s->in;
	struct limits *l = &s->limits;

	*l = (struct limits){.retire_merged = s->judge->retire_merged};
	in->min_severity = KN_SEVERITY_BLOCK;
	for (size_t i = 0; i <= s->base_n; i++) {
		const struct conf *c = i ? s->base[i - 1].conf : s->now.conf;

		in->max_file = size_max(in->max_file, (size_t)c->check_max_file_size);
		in->min_severity =
			(enum kn_severity)size_min(in->min_severity, c->check_min_severity);
		in->unjudged_blocks |= c->check_unjudged == KN_SEVERITY_BLOCK;
		l->lost_blocks |= c->check_lost_rules == KN_SEVERITY_BLOCK;
		l->retire_merged |= c->check_retire == CONF_RETIRE_MERGED;
		l->min_rules = size_max(l->min_rules, (size_t)c->check_min_rules);
	}
	/* A server has nobody who looks at what could not be judged. */
	in->unjudged_blocks |= s->judge->asker == JUDGE_SERVER;
	if (s->judge->min_severity >= 0)
		in->min_severity = (enum kn_severity)s->judge->min_severity;
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
		return !rulechange_side_has_rule(s->knowledge, x->rule, x->severity);
	return str_eq(rulechange_setting_value_text(a, s->conf, x->setting->setting),
		      x->setting->after);
}

/*
 * Whether another base made the same change since it parted from the first base; for the first
 * base, since `of` parted from it. Then the change that merges both does not make it. A base that
 * never had the rule says nothing. by_first: what the first base changed counts.
 */
static struct err *sides_gone_elsewhere(const struct sides *s, const struct side *of,
					const struct sides_gone *x, bool by_first, bool *taken)
{
	*taken = false;
	for (size_t i = 0; i < s->base_n && !*taken; i++) {
		struct side *other = &s->base[i];
		struct side *fork = i ? other->fork : of->fork;
		struct strs missing = {0};

		if (other == of || !other->decides || !fork || (!i && !by_first) ||
		    !sides_lack(s->a, other, x))
			continue;
		if (!fork->knowledge) {
			TRY(git_tree_at(s->judge->git, fork->ref, &fork->tree));
			TRY(sides_load_base(s, s->a, fork, &missing));
		}
		*taken = !sides_lack(s->a, fork, x);
	}
	return NULL;
}

/* Keeps the rules that only bases have and that no other base removed. */
static struct err *sides_keep_rules(struct sides *s)
{
	s->in.has_kept = true;
	for (size_t i = 0; i < s->base_n; i++) {
		if (i && !s->base[i].decides && !s->base[i].rules_only)
			continue;
		for (struct rule_at r = {.k = s->base[i].knowledge}; rule_next(&r);) {
			struct sides_gone gone = {.rule = r.c, .severity = r.severity};
			bool taken;

			if (rulechange_side_has_rule(s->now.knowledge, r.c, r.severity))
				continue;
			TRY(sides_gone_elsewhere(s, &s->base[i], &gone, !s->is_branch, &taken));
			if (!taken)
				*VEC_PUSH(s->a, &s->in.kept) = (struct check_kept){r.item, r.c};
		}
	}
	return NULL;
}

/* ---- how the rules differ ---- */

/* Whether another base has made the change that the judged tree has against one base. */
static struct err *sides_is_published(const struct sides *s, const struct side *of,
				      const struct rule_change *x, bool *yes)
{
	struct sides_gone gone = {.setting = x};

	*yes = false;
	if (x->kind != RULE_SETTING && x->old_rule) {
		gone.rule = x->old_rule;
		gone.severity = rule_severity(x->old_item, x->old_rule);
	}
	if (x->kind == RULE_SETTING || x->old_rule)
		return sides_gone_elsewhere(s, of, &gone, true, yes);
	for (size_t i = 0; i < s->base_n && !*yes; i++)
		*yes = &s->base[i] != of && s->base[i].decides && x->new_rule &&
		       rulechange_side_has_rule(s->base[i].knowledge, x->new_rule,
						rule_severity(x->new_item, x->new_rule));
	return NULL;
}

/* With the first `bases` of them. */
static struct err *sides_compare_rules(struct sides *s, size_t bases)
{
	struct rulechange_side now = {s->now.knowledge, s->now.conf, s->now.tree};
	struct rule_changes *all = &s->out->rule_changes;

	s->out->compared = true;
	s->out->rules_before = rulechange_count_judging_rules(s->base[0].knowledge);
	for (size_t i = 0; i < bases; i++) {
		struct side *b = &s->base[i];
		struct rulechange_side base = {b->knowledge, b->conf, b->tree};
		const struct rule_changes others = {.p = all->p, .n = all->n};
		struct rule_changes found = {0};
		bool published = false;

		if (i && !b->decides)
			continue;
		TRY(rulechange_diff_sides(s->a, &base, &now, &b->changes, s->limits.lost_blocks,
					  &found));
		for (size_t k = 0; k < found.n; k++) {
			if (bases > 1)
				TRY(sides_is_published(s, b, &found.p[k], &published));
			if (!published && !rule_changes_has(&others, &found.p[k]))
				*VEC_PUSH(s->a, all) = found.p[k];
		}
	}
	return NULL;
}

/* ---- all of it ---- */

/* Reads the side of the change, and the first `bases` of the others. */
static struct err *sides_load(struct sides *s, size_t bases)
{
	struct arena *a = s->a, *keep = s->keep ? s->keep : a;
	struct strs emptied = {0};

	if (bases && s->base[0].knowledge &&
	    knowledge_untouched(a, s->base[0].conf, &s->base[0].changes)) {
		s->now.conf = s->base[0].conf;
		s->now.knowledge = s->base[0].knowledge;
	} else {
		s->now.emptied = bases ? &emptied : NULL;
		TRY(side_load_knowledge(keep, s->judge, &s->now, NULL));
		s->now.emptied = NULL;
	}
	for (size_t i = 0; i < bases; i++) {
		struct side *base = &s->base[i];
		struct strs missing = {0};

		if (base->knowledge)
			continue;
		if (knowledge_untouched(a, s->now.conf, &base->changes)) {
			base->conf = s->now.conf;
			base->knowledge = s->now.knowledge;
			continue;
		}
		TRY(sides_load_base(s, keep, base, &missing));
		for (size_t k = 0; k < missing.n; k++)
			check_warn(a, s->out, false, str_dup(a, base->tree->name),
				   str_fmt(a, "not all of its rules could be read: %.*s",
					   STR_ARG(missing.p[k])));
	}
	/*
	 * The change deletes the last file of a source: its rules are lost, and every later check
	 * would fail for the setting that names the folder. A folder that no base has is a mistake
	 * in the settings.
	 */
	for (size_t i = 0; i < emptied.n; i++) {
		bool had = false;

		for (size_t k = 0; k < bases && !had; k++)
			had = strs_has(&s->base[k].knowledge->folders, emptied.p[i]);
		if (!had)
			return side_load_knowledge(s->a, s->judge, &s->now, NULL);
		check_warn(s->a, s->out, true, emptied.p[i],
			   STR("this change takes away the last file of this source of knowledge: "
			       "keep its decisions there, or name their new folder in "
			       "knowledge.sources"));
	}
	return NULL;
}

static struct err *sides_diff(struct sides *s)
{
	for (size_t i = 0; i < s->base_n; i++) {
		struct side *b = &s->base[i];

		TRY(tree_diff(s->a, b->tree, s->now.tree, &b->changes));
		TRY(tree_find_renames(b->tree, s->now.tree, 0, &b->changes));
	}
	return NULL;
}

static struct err *sides_run_all(struct sides *s)
{
	struct check_input *in = &s->in;
	unsigned elsewhere = 0;

	if (!s->base_n)
		return check_run(s->a, in, s->out);
	in->list_all = s->base_n > 1;
	for (size_t i = 0; i < s->base_n; i++) {
		const struct side *b = &s->base[i];
		struct check_report *r = i ? ARENA_NEW(s->a, struct check_report) : s->out;
		unsigned dropped;

		if (i && b->rules_only)
			continue;
		in->base = b->tree;
		in->base_rules = b->knowledge;
		in->changes = &b->changes;
		if (in->compiled)
			in->base_id = str_of(b->ref);
		TRY(check_run(s->a, in, r));
		if (!i)
			continue;
		dropped = reports_mark_existing(s->a, s->out, r, in->want_existing);
		elsewhere += b->decides ? 0 : dropped;
	}
	if (elsewhere)
		check_warn(
			s->a, s->out, false, STR("this merge"),
			str_fmt(s->a,
				"brings %u finding%s that a branch of the remote has, and its default "
				"branch has not",
				elsewhere, PLURAL(elsewhere)));
	return NULL;
}

struct err *sides_compare_rules_with_bases(struct sides *s)
{
	TRY(sides_diff(s));
	TRY(sides_load(s, s->base_n));
	sides_set_limits(s);
	TRY(sides_compare_rules(s, s->base_n));
	TRY(retirement_mark_findings(s));
	s->out->rules = rulechange_count_judging_rules(s->now.knowledge);
	report_count_findings(s->out);
	return NULL;
}

struct err *sides_judge(struct sides *s)
{
	const struct judge *j = s->judge;
	struct check_report *out = s->out;
	struct check_input *in = &s->in;

	TRY(sides_diff(s));
	TRY(sides_load(s, s->base_n));
	sides_set_limits(s);
	in->only = j->only;
	in->rules = s->now.knowledge;
	in->items = j->items;
	in->want_existing = j->want_existing;
	/* With core.ignorecase, names that differ only in case are one file. */
	if (j->git)
		TRY(git_setting_bool(j->git, "core.ignorecase", &in->ignore_case));
	if (s->base_n > 1)
		TRY(sides_keep_rules(s));
	TRY(sides_waive(s, false));
	TRY(sides_run_all(s));
	out->rules = rulechange_count_judging_rules(s->now.knowledge);
	if (s->base_n)
		TRY(sides_compare_rules(s, s->base_n));
	/* Broken knowledge blocks once, by its note; its lost rules do not block again. */
	for (size_t i = 0; i < out->rule_changes.n; i++)
		for (size_t k = 0; k < out->notes.n; k++)
			if (out->notes.p[k].blocks &&
			    str_eq(out->notes.p[k].path, out->rule_changes.p[i].path))
				out->rule_changes.p[i].blocks = false;
	if (s->base_n)
		TRY(retirement_mark_findings(s));
	TRY(note_sources(s));
	if (out->rules < s->limits.min_rules)
		check_warn(s->a, out, true, STR(CONF_DIR "/config.json"),
			   str_fmt(s->a, "%u rule%s judge%s, and check.minRules asks for %zu",
				   out->rules, PLURAL(out->rules), out->rules == 1 ? "s" : "",
				   s->limits.min_rules));
	report_count_findings(out);
	return NULL;
}

/* ---- an edit ---- */

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
	strs_add_all(a, &folders, &one->knowledge->folders);
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

/* The edit's files alone, before or after. */
static struct tree *edit_files(struct arena *a, const struct judge_edits *edits, bool after,
			       struct strs *gone)
{
	struct tree_mem_file *files = arena_array(a, edits->n, sizeof(*files));
	size_t n = 0;

	VEC_EACH(const struct judge_edit, e, edits) {
		struct str content = after ? e->now : e->was;

		if (content.p)
			files[n++] = (struct tree_mem_file){e->path, content, e->kind};
		else
			strs_push(a, gone, e->path);
	}
	return tree_mem(a, STR("the working tree"), files, n);
}

struct err *judge_edits(struct arena *a, const struct judge *j, const struct judge_edits *edits,
			struct check_report *out)
{
	/* The working tree before the edit; and HEAD, if any, of which only the rules count. */
	struct side base[2] = {{.decides = true}, {.ref = "HEAD"}};
	/* One file is judged sooner than a thread starts. */
	struct sides s = {.a = a,
			  .judge = j,
			  .out = out,
			  .in = {.deps = edits->deps, .deps_n = edits->deps_n, .threads = 1},
			  .base = base,
			  .base_n = 1};
	struct strs was_gone = {0}, now_gone = {0};
	struct tree *disk, *was, *now;
	struct check_input *in = &s.in;

	TRY(judge_disk_tree_open(a, j->git, &disk));
	TRY(judge_disk_tree_open_whole(a, j->git, disk, &disk));
	/* The edit's files alone; their difference is the changes of the first base. */
	was = edit_files(a, edits, false, &was_gone);
	now = edit_files(a, edits, true, &now_gone);
	TRY(tree_diff(a, was, now, &base[0].changes));
	TRY(tree_find_renames(was, now, 0, &base[0].changes));
	base[0].tree = in->base = tree_overlay(a, disk, was, &was_gone);
	s.now.tree = in->now = in->around = tree_overlay(a, disk, now, &now_gone);
	TRY(git_tree_head(j->git, &base[1].tree));
	s.base_n += base[1].tree != NULL;
	in->changes = &base[0].changes;
	TRY(sides_load(&s, 1));
	for (size_t i = 1; i < s.base_n; i++) {
		struct strs missing = {0};
		bool same;

		TRY(side_same_knowledge(a, &base[0], base[i].tree, &same));
		base[i].conf = base[0].conf;
		base[i].knowledge = base[0].knowledge;
		if (!same)
			TRY(sides_load_base(&s, a, &base[i], &missing));
	}
	sides_set_limits(&s);
	in->rules = s.now.knowledge;
	in->base_rules = base[0].knowledge;
	in->items = j->items;
	TRY(git_setting_bool(j->git, "core.ignorecase", &in->ignore_case));
	/* The rules of the bases that the edit would take away or that the working tree lacks. */
	in->has_kept = true;
	for (size_t i = 0; i < s.base_n; i++)
		for (struct rule_at r = {.k = base[i].knowledge};
		     r.k != s.now.knowledge && rule_next(&r);)
			if (!rulechange_side_has_rule(s.now.knowledge, r.c, r.severity) &&
			    !(i && rulechange_side_has_rule(base[0].knowledge, r.c, r.severity)))
				*VEC_PUSH(a, &in->kept) = (struct check_kept){r.item, r.c};
	TRY(sides_waive(&s, true));
	TRY(check_run(a, in, out));
	s.limits.lost_blocks = false;
	TRY(sides_compare_rules(&s, 1));
	report_count_findings(out);
	return NULL;
}
