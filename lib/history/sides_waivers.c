/* Reads the exceptions of both sides of a change, and decides whether new ones count. */
#include "judge/check.h"
#include "history/sides.h"

/*
 * Adds the exceptions of a base. Names and numbers mean the base's own rules. same: the base has
 * the same file as the change.
 */
static struct err *waive_add_base(struct sides *s, const struct side *base,
				  const struct tree_changes *changes, bool same)
{
	struct check_waive *k = &s->in.waive;
	struct waive_base *b = VEC_PUSH(s->a, &k->bases);

	*b = (struct waive_base){.knowledge = base->knowledge,
				 .tree = base->tree,
				 .changes = changes,
				 .grants = !base->rules_only,
				 .must = base->is_fork && !k->trusts};
	same = same && base->knowledge == s->now.knowledge;
	if (same)
		for (size_t i = 0; i < k->now.n; i++)
			*VEC_PUSH(s->a, &b->list) = k->now.p[i];
	else
		TRY(waivers_of_tree(s->a, base->tree, k->today, s->in.ignore_case, &b->list));
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
		bool has = waive_is_in(x, &bases->p[i].list);

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
	TRY(waivers_of_tree(s->a, s->now.tree, k->today, s->in.ignore_case, &k->now));
	for (size_t i = 0; i < k->now.n; i++) {
		struct waiver *x = &k->now.p[i];

		/* Nobody can edit anything if it blocked here; the commit is stopped. */
		if (x->problem.n)
			waive_tell(s->a, x, x->problem, &s->out->notes)->blocks = !edit;
		waive_resolve(s->a, s->now.knowledge, s->base_n ? s->base[0].knowledge : NULL,
			      s->base_n ? &s->base[0].changes : NULL, x);
		if (!edit)
			TRY(waive_resolve_former(s->a, s->judge->git, NULL, s->now.tree,
						 s->now.knowledge, x));
	}
	return NULL;
}

/* An exception that is not committed belongs to the edit, so HEAD is the base. */
static struct err *waive_edit(struct sides *s)
{
	struct check_waive *k = &s->in.waive;
	const struct side *head = s->base_n > 1 ? &s->base[1] : NULL;

	k->has_base = true;
	k->tree = head ? head->tree : tree_mem(s->a, STR("no commit"), NULL, 0);
	TRY(waive_read_now(s, true));
	k->tree_rules = head ? head->knowledge : NULL;
	return head && k->now.n ? waive_add_base(s, head, NULL, false) : NULL;
}

static bool waive_is_same(const struct tree_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		if ((changes->p[i].has_new && str_is(changes->p[i].new.path, WAIVE_FILE)) ||
		    (changes->p[i].has_old && str_is(changes->p[i].old.path, WAIVE_FILE)))
			return false;
	return true;
}

struct err *sides_waive(struct sides *s, bool edit)
{
	struct check_waive *k = &s->in.waive;

	if (edit)
		return waive_edit(s);
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
			TRY(waive_add_base(s, base, &base->changes, waive_is_same(&base->changes)));
	}
	if (s->is_apart && !k->trusts)
		*VEC_PUSH(s->a, &k->bases) = (struct waive_base){
			.tree = tree_mem(s->a, STR("no commit"), NULL, 0), .must = true};
	/* Without a change, the files of the repository are what was agreed on. */
	if (!s->base_n && !s->first_of_branch)
		*VEC_PUSH(s->a, &k->bases) = (struct waive_base){
			.list = k->now, .knowledge = s->now.knowledge, .grants = true};
	/* The item of the base may have another id in the change, and the other way round. */
	for (size_t i = 0; i < k->now.n; i++) {
		struct waiver *x = &k->now.p[i];

		x->is_new = !x->problem.n && k->has_base && !waive_is_known(x, &k->bases);
		if (x->is_new && k->tells)
			waive_tell(s->a, x, waive_new_text(s->a, x, k), &s->out->notes);
		if (x->is_new && x->unknown.n)
			waive_tell(s->a, x, waive_unused_text(s->a, x, k->today), &s->out->notes);
	}
	return NULL;
}
