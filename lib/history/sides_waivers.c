/* Reads the exceptions of both sides of a change, and decides whether new ones count. */
#include "judge/check.h"
#include "history/sides.h"

static bool waive_changed(const struct tree_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		if ((changes->p[i].has_new && str_is(changes->p[i].new.path, WAIVE_FILE)) ||
		    (changes->p[i].has_old && str_is(changes->p[i].old.path, WAIVE_FILE)))
			return true;
	return false;
}

/* The strictest value of all sides: a change cannot give its own exceptions more weight. */
static unsigned waive_setting(const struct sides *s)
{
	unsigned most = s->now.conf->check_new_waivers;

	for (size_t i = 0; i < s->base_n; i++)
		most = s->base[i].conf->check_new_waivers > most
			       ? s->base[i].conf->check_new_waivers
			       : most;
	return most;
}

static void waive_decide(const struct judge *j, const struct sides *s, struct check_waive *k)
{
	unsigned setting = waive_setting(s);

	k->trusts = j->asker == JUDGE_PERSON && setting != CONF_WAIVERS_IGNORE;
	k->tells = !k->trusts || setting != CONF_WAIVERS_COUNT;
	k->asks = j->asker == JUDGE_AGENT
			  ? "an agent grants no exception; a person commits it first"
		  : j->asker == JUDGE_SERVER
			  ? "no change brings its own exception; it is merged first"
			  : "check.newWaivers is ignore; merge it first";
}

/*
 * Adds the exceptions of a base. Names and numbers mean the base's own rules. same: the base has
 * the same file as the change.
 */
static struct err *waive_add_base(struct arena *a, const struct judge *j, const struct side *now,
				  const struct side *base, const struct tree_changes *changes,
				  bool lower, bool same, struct check_waive *k)
{
	struct waive_base *b = VEC_PUSH(a, &k->bases);

	*b = (struct waive_base){.knowledge = base->knowledge,
				 .tree = base->tree,
				 .changes = changes,
				 .grants = !base->rules_only,
				 .must = base->is_fork && !k->trusts};
	same = same && base->knowledge == now->knowledge;
	if (same)
		for (size_t i = 0; i < k->now.n; i++)
			*VEC_PUSH(a, &b->list) = k->now.p[i];
	else
		TRY(waivers_of_tree(a, base->tree, k->today, lower, &b->list));
	for (size_t i = 0; i < b->list.n; i++) {
		/* The history of the change may tell of other names than that of the base. */
		if (same && !b->list.p[i].by_history)
			continue;
		waive_resolve(a, base->knowledge, NULL, NULL, &b->list.p[i]);
		TRY(waive_resolve_former(a, j->git, base->ref, base->tree, base->knowledge,
					 &b->list.p[i]));
	}
	return NULL;
}

static bool waive_is_known(const struct waiver *x, const struct waive_bases *bases)
{
	bool granted = false;

	for (size_t i = 0; i < bases->n; i++) {
		bool has = waive_is_in(x, &bases->p[i].list);

		if (bases->p[i].must && !has)
			return false;
		granted = granted || (bases->p[i].grants && has);
	}
	return granted;
}

/* Tells each broken entry. blocks: a change with one does not pass. */
static struct err *waive_read_now(struct arena *a, const struct sides *s, bool blocks,
				  struct check_input *in, struct check_report *out)
{
	struct waivers *now = &in->waive.now;

	TRY(waivers_of_tree(a, s->now.tree, in->waive.today, in->ignore_case, now));
	for (size_t i = 0; i < now->n; i++)
		if (now->p[i].problem.n)
			waive_tell(a, &now->p[i], now->p[i].problem, &out->notes)->blocks = blocks;
	return NULL;
}

/* The item of the base may have another id in the change, and the other way round. */
static void waive_tell_new(struct arena *a, struct check_waive *k, struct check_report *out)
{
	for (size_t i = 0; i < k->now.n; i++) {
		struct waiver *x = &k->now.p[i];

		x->is_new = !x->problem.n && k->has_base && !waive_is_known(x, &k->bases);
		if (x->is_new && k->tells)
			waive_tell(a, x, waive_new_text(a, x, k), &out->notes);
		if (x->is_new && x->unknown.n)
			waive_tell(a, x, waive_unused_text(a, x, k->today), &out->notes);
	}
}

struct err *sides_waive(struct arena *a, const struct judge *j, const struct sides *s,
			const struct tree_changes *changes, struct check_input *in,
			struct check_report *out)
{
	struct check_waive *k = &in->waive;

	k->today = waive_today();
	k->audits = s->everything && !j->only.n && !j->items.n;
	k->has_base = k->has_base || s->base_n || s->first_of_branch;
	waive_decide(j, s, k);
	if (!s->now.tree)
		return NULL;
	TRY(waive_read_now(a, s, true, in, out));
	for (size_t i = 0; i < k->now.n; i++) {
		waive_resolve(a, s->now.knowledge, s->base_n ? s->base[0].knowledge : NULL,
			      s->base_n ? &changes[0] : NULL, &k->now.p[i]);
		TRY(waive_resolve_former(a, j->git, NULL, s->now.tree, s->now.knowledge,
					 &k->now.p[i]));
	}
	k->tree_rules = s->now.knowledge;
	for (size_t i = 0; i < s->base_n; i++) {
		const struct side *base = &s->base[i];

		if (!i || (base->decides && !base->rules_only) || (base->is_fork && !k->trusts))
			TRY(waive_add_base(a, j, &s->now, base, &changes[i], in->ignore_case,
					   !waive_changed(&changes[i]), k));
	}
	if (s->is_apart && !k->trusts)
		*VEC_PUSH(a, &k->bases) = (struct waive_base){
			.tree = tree_mem(a, STR("no commit"), NULL, 0), .must = true};
	/* Without a change, the files of the repository are what was agreed on. */
	if (!s->base_n && !s->first_of_branch)
		*VEC_PUSH(a, &k->bases) = (struct waive_base){
			.list = k->now, .knowledge = s->now.knowledge, .grants = true};
	waive_tell_new(a, k, out);
	return NULL;
}

struct err *sides_waive_edit(struct arena *a, const struct judge *j, const struct sides *s,
			     const struct tree_changes *changes, struct check_input *in,
			     struct check_report *out)
{
	struct check_waive *k = &in->waive;
	const struct side *head = s->base_n > 1 ? &s->base[1] : NULL;

	k->today = waive_today();
	k->has_base = true;
	/* An exception that is not committed belongs to the change, so HEAD is the base. */
	k->tree = head ? head->tree : tree_mem(a, STR("no commit"), NULL, 0);
	waive_decide(j, s, k);
	k->tells = false;
	/* Nobody can edit anything if it blocked here; the commit is stopped. */
	TRY(waive_read_now(a, s, false, in, out));
	for (size_t i = 0; i < k->now.n; i++)
		waive_resolve(a, s->now.knowledge, s->base[0].knowledge, changes, &k->now.p[i]);
	if (!head)
		return NULL;
	k->tree_rules = head->knowledge;
	if (k->now.n)
		TRY(waive_add_base(a, j, &s->now, head, NULL, in->ignore_case, false, k));
	return NULL;
}
