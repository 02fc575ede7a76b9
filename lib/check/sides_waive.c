/* Reads the exceptions of both sides of a change, and decides whether new ones count. */
#include "check/engine.h"
#include "check/sides.h"

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

/* Joins the exceptions of a base with those of the others. */
static struct err *waive_add_base(struct arena *a, const struct judge *j, const struct sides *s,
				  const struct side *base, bool lower, struct check_waive *k)
{
	struct waive_problems ignored = {0};
	size_t from = k->base.n;

	TRY(waivers_of_tree(a, base->tree, k->today, lower, &k->base, &ignored));
	for (size_t i = from; i < k->base.n; i++) {
		waive_resolve(a, base->knowledge, NULL, NULL, &k->base.p[i]);
		TRY(waive_resolve_former(a, j->git, s->now.tree, s->now.knowledge, &k->base.p[i]));
	}
	return NULL;
}

static void waive_broken(struct arena *a, const struct waive_problems *list, bool blocks,
			 struct check_report *out)
{
	for (size_t i = 0; i < list->n; i++)
		*VEC_PUSH(a, &out->notes) = (struct check_note){.kind = CHECK_WAIVER,
								.blocks = blocks,
								.path = STR(WAIVE_FILE),
								.line = list->p[i].line,
								.message = list->p[i].message};
}

/* The item of the base may have another id in the change, and the other way round. */
static void waive_tell_new(struct arena *a, struct check_waive *k, struct check_report *out)
{
	for (size_t i = 0; i < k->now.n; i++) {
		struct waiver *x = &k->now.p[i];

		x->is_new = k->has_base && !waive_is_in(x, &k->base);
		if (x->is_new && k->tells)
			*VEC_PUSH(a, &out->notes) =
				(struct check_note){.kind = CHECK_WAIVER,
						    .path = x->file,
						    .line = x->line,
						    .message = waive_new_text(a, x, k)};
		if (x->is_new && x->unknown.n)
			*VEC_PUSH(a, &out->notes) = (struct check_note){
				.kind = CHECK_WAIVER,
				.path = x->file,
				.line = x->line,
				.message = str_fmt(a, "this exception waives nothing: %.*s",
						   STR_ARG(x->unknown))};
	}
}

struct err *sides_waive(struct arena *a, const struct judge *j, const struct sides *s,
			const struct tree_changes *changes, struct check_input *in,
			struct check_report *out)
{
	struct check_waive *k = &in->waive;
	struct waive_problems problems = {0};

	k->today = waive_today();
	k->audits = s->everything && !j->only.n && !j->items.n;
	k->has_base = k->has_base || s->base_n || s->first_of_branch;
	waive_decide(j, s, k);
	if (!s->now.tree)
		return NULL;
	TRY(waivers_of_tree(a, s->now.tree, k->today, in->ignore_case, &k->now, &problems));
	waive_broken(a, &problems, true, out);
	for (size_t i = 0; i < k->now.n; i++) {
		waive_resolve(a, s->now.knowledge, s->base_n ? s->base[0].knowledge : NULL,
			      s->base_n ? &changes[0] : NULL, &k->now.p[i]);
		TRY(waive_resolve_former(a, j->git, s->now.tree, s->now.knowledge, &k->now.p[i]));
	}
	for (size_t i = 0; i < s->base_n; i++) {
		if (i && (!s->base[i].decides || s->base[i].rules_only))
			continue;
		if (!waive_changed(&changes[i])) {
			k->base = k->now;
			break;
		}
		TRY(waive_add_base(a, j, s, &s->base[i], in->ignore_case, k));
	}
	/* Without a change, the files of the repository are what was agreed on. */
	if (!s->base_n && !s->first_of_branch)
		k->base = k->now;
	waive_tell_new(a, k, out);
	return NULL;
}

struct err *sides_waive_edit(struct arena *a, const struct judge *j, const struct sides *s,
			     const struct tree_changes *changes, struct check_input *in,
			     struct check_report *out)
{
	struct check_waive *k = &in->waive;
	struct waive_problems problems = {0};
	const struct side *head = s->base_n > 1 ? &s->base[1] : NULL;

	k->today = waive_today();
	k->has_base = true;
	/* What is not committed yet is part of the change that is being made. */
	k->tree = head ? head->tree : tree_mem(a, STR("no commit"), NULL, 0);
	waive_decide(j, s, k);
	k->tells = false;
	TRY(waivers_of_tree(a, s->now.tree, k->today, in->ignore_case, &k->now, &problems));
	/* Nobody can edit anything if it blocked here; the commit is stopped. */
	waive_broken(a, &problems, false, out);
	for (size_t i = 0; i < k->now.n; i++)
		waive_resolve(a, s->now.knowledge, s->base[0].knowledge, changes, &k->now.p[i]);
	if (k->now.n && head)
		TRY(waive_add_base(a, j, s, head, in->ignore_case, k));
	return NULL;
}
