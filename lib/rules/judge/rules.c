#include "judge/examples.h"
#include "base/sort.h"
#include "judge/internal.h"
#include "knowledge/load.h"

/*
 * The rules are the union of both sides, so that no change switches off its own judge. Rules that
 * find the same with the same severity are one rule: an item may be renamed, reworded and
 * rearranged.
 */
ORDER_OF(by_what_it_finds, struct rule, (c = rule_cmp(a->c, a->severity, b->c, b->severity)))
ORDER_OF(by_what_and_item, struct rule, (c = by_what_it_finds(a, b)) || ORDER_STR(item->id))

static void rules_add_one(const struct run *run, struct arena *a, struct rules *out,
			  const struct kn_item *item, const struct kn_constraint *c)
{
	if (!run->item_ids.n || strs_has(&run->item_ids, item->id))
		*VEC_PUSH(a, out) =
			(struct rule){.item = item, .c = c, .severity = rule_severity(item, c)};
}

static struct rule **rules_sort(struct arena *a, const struct rules *list, sort_order_fn *by)
{
	return sort_into_pointers(a, list->p, list->n, sizeof(*list->p), by);
}

/*
 * On one side, two decisions with the same rule are both listed; one decision that says it twice is
 * listed once.
 */
static void rules_once(struct arena *a, struct rules *list)
{
	struct rule **p = rules_sort(a, list, by_what_and_item);
	size_t kept = 0;

	for (size_t i = list->n; i-- > 1;)
		if (!by_what_and_item(p[i - 1], p[i]))
			p[i]->item = NULL;
	for (size_t i = 0; i < list->n; i++)
		if (list->p[i].item)
			list->p[kept++] = list->p[i];
	list->n = kept;
}

/* A check by an item without active rules must not look like a pass. */
static void note_inactive_ids(struct run *run)
{
	const struct check_input *in = run->in;

	for (size_t i = 0; i < run->item_ids.n; i++) {
		struct str id = run->item_ids.p[i];
		const struct kn_item *item = knowledge_find(in->rules, id, -1);

		if (item && !(item->constraints_n && knowledge_is_active(in->rules, item)))
			check_warn(run->a, run->out, false, item->shown_path,
				   str_fmt(run->a,
					   item->constraints_n
						   ? "item '%.*s' is %s: its rules judge nothing"
						   : "item '%.*s' (%s) has no constraints",
					   STR_ARG(id), kn_statuses[item->status]));
	}
}

/*
 * The path in the tree: a note shows it under its source, as "./docs//adr/1.md". No source of the
 * tree is outside.
 */
static struct str note_tree_path(struct arena *a, struct str shown)
{
	bool outside;

	return knowledge_inner_path(a, shown, &outside);
}

static void knowledge_paths(struct arena *a, const struct knowledge *k, struct strs *out)
{
	for (size_t i = 0; i < k->items.n; i++)
		if (k->items.p[i].in_tree)
			strs_push(a, out, k->items.p[i].tree_path);
	for (size_t i = 0; i < k->notes.n; i++)
		if (k->notes.p[i].kind == KN_BROKEN && k->notes.p[i].in_tree)
			strs_push(a, out, note_tree_path(a, k->notes.p[i].path));
	strs_sort(out);
}

/* An item with several mistakes is one broken item. The notes of one file are adjacent. */
static bool is_counted(const struct run *run, struct str path)
{
	for (size_t i = run->out->notes.n; i-- > 0;)
		if (run->out->notes.p[i].kind == CHECK_BROKEN)
			return str_eq(run->out->notes.p[i].path, path);
	return false;
}

/*
 * Broken knowledge blocks a change that touches it; without a base every file of the tree counts as
 * touched. Elsewhere it is a warning, because somebody else must correct it.
 */
static struct err *rules_broken(struct run *run, struct str path, bool in_tree, size_t line,
				enum kn_rule rule, struct str message)
{
	struct str at = note_tree_path(run->a, path);
	bool blocks = run->in->broken_blocks;
	struct tree_file f;

	if (!blocks && in_tree && run->in->base)
		blocks = strs_sorted_has(&run->touched, at);
	else if (!blocks && in_tree && run->in->now)
		TRY(tree_find(run->in->now, at, &f, &blocks));
	*VEC_PUSH(run->a, &run->out->notes) = (struct check_note){.kind = CHECK_BROKEN,
								  .blocks = blocks,
								  .path = path,
								  .line = line,
								  .message = message,
								  .rule = kn_rules[rule]};
	return NULL;
}

/* A change reports notes about its own files only; --all reports every note. */
static bool is_note_shown(const struct run *run, const struct kn_note *n)
{
	return n->always || !run->in->base ||
	       (n->in_tree && strs_sorted_has(&run->touched, note_tree_path(run->a, n->path))) ||
	       (n->by && n->by->in_tree && strs_sorted_has(&run->touched, n->by->tree_path));
}

static void rules_warn(struct run *run, const struct kn_note *n)
{
	*VEC_PUSH(run->a, &run->out->notes) = (struct check_note){.kind = CHECK_WARNING,
								  .path = n->path,
								  .line = n->line,
								  .message = n->message,
								  .rule = kn_rules[n->rule]};
}

void rules_note_superseded_in_force(struct run *run)
{
	const struct knowledge *k = run->in->rules;

	for (size_t i = 0; i < k->notes.n; i++) {
		const struct kn_note *n = &k->notes.p[i];
		bool broken = false;

		if (!n->kept || is_note_shown(run, n))
			continue;
		for (size_t j = 0; j < run->out->violations.n; j++) {
			const struct check_violation *v = &run->out->violations.p[j];

			broken |= !v->existing && str_eq(v->item->id, n->kept->id) &&
				  str_eq(v->item->shown_path, n->kept->shown_path);
		}
		if (broken)
			rules_warn(run, n);
	}
}

/*
 * A rule that fails one of its own examples is broken knowledge. Only items that the change touches
 * are tried, and with --all every item.
 */
static struct err *rules_examples(struct run *run, const struct kn_item *item)
{
	bool was_broken = item->broken;

	if (!item->in_tree || !(run->in->broken_blocks ||
				(run->in->base && strs_sorted_has(&run->touched, item->tree_path))))
		return NULL;
	for (size_t i = 0; i < item->constraints_n; i++) {
		struct check_examples tried = {0};

		TRY(check_examples(run->a, item, &item->constraints[i], &tried));
		for (size_t j = 0; j < tried.n; j++) {
			const struct check_example *x = &tried.p[j];

			if (!x->failed.n)
				continue;
			run->out->broken += !was_broken;
			was_broken = true;
			TRY(rules_broken(run, item->shown_path, true, x->at.line, KN_RULE_EXAMPLE,
					 x->failed));
		}
	}
	return NULL;
}

/*
 * When core.ignorecase is set, appliesTo and path globs ignore case: both the glob and the path are
 * lowered.
 */
static struct err *find_scope(struct run *run, struct rule *r)
{
	struct rules *rules = &run->rules;
	const struct strs *texts = &r->c->applies_to;
	struct scope s = {.texts = texts, .globs = &r->c->applies};

	for (r->scope = 0; r->scope < rules->scopes.n; r->scope++) {
		const struct strs *have = rules->scopes.p[r->scope].texts;
		bool same = have->n == texts->n;

		for (size_t i = 0; same && i < texts->n; i++)
			same = str_eq(have->p[i], texts->p[i]);
		if (same)
			return NULL;
	}
	if (run->in->ignore_case) {
		struct globs *globs = ARENA_NEW(run->a, struct globs);
		struct strs lower = {0};

		for (size_t i = 0; i < texts->n; i++)
			strs_push(run->a, &lower, str_lower(run->a, texts->p[i]));
		s.globs = globs;
		TRY(globs_new(run->a, &lower, globs));
	}
	/* A glob that matches a path no file has ("*", or only "!legacy/") names nothing. */
	s.names = texts->n && !globs_match(s.globs, STR("\1/\1"));
	*VEC_PUSH(run->a, &rules->scopes) = s;
	return NULL;
}

/* For each ecosystem that can read the range. *why: when none can, the error of npm's reader. */
static void compile_range(struct run *run, struct rule *r, const char **why)
{
	struct deps_range *range;
	struct err *e = NULL;

	*why = NULL;
	r->ranged = r->c->version.n > 0;
	for (int i = 0; r->ranged && i < DEPS_ECOSYSTEMS; i++)
		if (!deps_range_new(run->a, (enum deps_ecosystem)i, r->c->version, &range)) {
			r->range[i] = range;
			if (!r->range[DEPS_UNKNOWN])
				r->range[DEPS_UNKNOWN] = range;
		}
	if (r->ranged && !r->range[DEPS_UNKNOWN])
		e = deps_range_new(run->a, DEPS_NPM, r->c->version, &range);
	if (e)
		*why = err_message(err_add_context(e, "version"));
}

static struct err *add_rule(struct run *run, struct rule r)
{
	const struct check_input *in = run->in;
	const struct kn_constraint *c = r.c;
	const struct target *t = targets[c->target];
	struct rules *rules = &run->rules;
	struct glob *glob;
	const char *why;

	compile_range(run, &r, &why);
	/*
	 * The reader of knowledge cannot see that no ecosystem can read a range. Such a rule did
	 * not judge in the base either, so only a rule of the change is reported.
	 */
	if (why && r.from_base)
		return NULL;
	if (why) {
		run->out->broken += !r.item->broken && !is_counted(run, r.item->shown_path);
		return rules_broken(run, r.item->shown_path, r.item->in_tree, 0, KN_RULE_CONSTRAINT,
				    str_fmt(run->a, "constraint %u: %s", c->index, why));
	}
	r.presence = c->op == KN_OP_MUST_USE || c->op == KN_OP_MUST_EXIST;
	r.forbids = c->op == KN_OP_MUST_NOT_USE || c->op == KN_OP_MUST_NOT_MATCH ||
		    c->op == KN_OP_MUST_NOT_EXIST || c->op == KN_OP_MUST_NOT_SHRINK;
	r.change = kn_operator_judges_change(c->op);
	TRY(find_scope(run, &r));
	r.glob = c->glob;
	if (r.glob && in->ignore_case) {
		TRY(glob_new(run->a, str_lower(run->a, c->pattern), &glob));
		r.glob = glob;
	}
	if (r.item->in_tree)
		r.path = r.item->tree_path;
	run->out->constraints++;
	if (r.severity < in->min_severity)
		return NULL;
	/* It needs input that was not given: a kind of input, the complete list, or a base. */
	if ((!in->now && !facts_are_given(t, in)) || (r.change && !in->base) ||
	    ((r.presence || r.change) && (!in->complete || in->only.n))) {
		run->out->not_judged++;
		return NULL;
	}
	/* What a change did before the rule was there does not break it. */
	if (r.change && r.added)
		return NULL;
	rules->has_presence |= r.presence || r.change;
	*VEC_PUSH(run->a, rules) = r;
	return NULL;
}

static struct err *rules_kind(struct run *run, enum kn_target kind)
{
	struct check_compiled *c = run->in->compiled;
	struct rules *rules = &run->rules;
	struct rule_kind *k = &rules->kind[kind];
	const struct re **list = arena_array(run->a, rules->n, sizeof(*list));

	k->rule = arena_array(run->a, rules->n, sizeof(*k->rule));
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < rules->n; i++) {
			struct rule *r = &rules->p[i];

			if (r->c->target != kind || !r->c->re != (pass == 1))
				continue;
			r->member = pass ? SIZE_MAX : k->set_n;
			if (!pass)
				list[k->set_n++] = r->c->re;
			k->rule[k->n++] = i;
		}
	if (!k->set_n || !c)
		return k->set_n ? re_set_new(run->a, list, k->set_n, &k->set) : NULL;
	/* Keep the compiled set while the patterns are the same. */
	if (!c->sets[kind].set || c->sets[kind].n != k->set_n ||
	    memcmp(c->sets[kind].list, list, k->set_n * sizeof(*list)) != 0) {
		c->sets[kind].list = arena_array(c->a, k->set_n, sizeof(*list));
		memcpy(c->sets[kind].list, list, k->set_n * sizeof(*list));
		c->sets[kind].n = k->set_n;
		TRY(re_set_new(c->a, c->sets[kind].list, k->set_n, &c->sets[kind].set));
	}
	k->set = c->sets[kind].set;
	return NULL;
}

/* The rules of both sides' knowledge, and notes about them. */
struct rules_pair {
	const struct knowledge *rules, *base_rules;
	bool has_base;
	struct rules now, base;                /* base: the rules that now lacks */
	struct strs knowledge, base_knowledge; /* as in struct run */
};

static void rules_pair_fill(struct run *run, struct arena *a, struct rules_pair *p)
{
	const struct check_input *in = run->in;
	struct rules base = {0};
	struct rule **sorted;

	*p = (struct rules_pair){in->rules, in->base_rules, .has_base = in->base};
	knowledge_paths(a, in->rules, &p->knowledge);
	if (in->base_rules && in->base_rules != in->rules)
		knowledge_paths(a, in->base_rules, &p->base_knowledge);
	else
		p->base_knowledge = p->knowledge;
	for (struct rule_at r = {.k = in->rules}; rule_next(&r);)
		rules_add_one(run, a, &p->now, r.item, r.c);
	rules_once(a, &p->now);
	if (in->base && in->base_rules && in->base_rules != in->rules) {
		for (struct rule_at r = {.k = in->base_rules}; rule_next(&r);)
			rules_add_one(run, a, &base, r.item, r.c);
		sorted = rules_sort(a, &base, by_what_it_finds);
		for (size_t i = 0; i < p->now.n; i++)
			p->now.p[i].added =
				!sort_pointers_find(sorted, base.n, &p->now.p[i], by_what_it_finds);
	}
	/* For several bases the caller knows which of their rules still judge. */
	if (in->has_kept)
		base.n = 0;
	for (size_t i = 0; in->has_kept && i < in->kept.n; i++)
		rules_add_one(run, a, &base, in->kept.p[i].item, in->kept.p[i].constraint);
	rules_once(a, &base);
	sorted = rules_sort(a, &p->now, by_what_it_finds);
	for (size_t i = 0; i < base.n; i++) {
		base.p[i].from_base = true;
		if (!sort_pointers_find(sorted, p->now.n, &base.p[i], by_what_it_finds))
			*VEC_PUSH(a, &p->base) = base.p[i];
	}
}

/* Neighbours in a history mostly have the same knowledge. */
static const struct rules_pair *rules_pair_of(struct run *run)
{
	const struct check_input *in = run->in;
	struct check_compiled *c = in->compiled;
	struct rules_pair *p;

	if (!c || in->has_kept || in->items.n) {
		p = ARENA_NEW(run->a, struct rules_pair);
		rules_pair_fill(run, run->a, p);
		return p;
	}
	p = c->pair;
	if (!p || p->rules != in->rules || p->base_rules != in->base_rules ||
	    p->has_base != !!in->base) {
		c->pair = p = ARENA_NEW(c->a, struct rules_pair);
		rules_pair_fill(run, c->a, p);
	}
	return p;
}

struct err *rules_load(struct run *run)
{
	const struct check_input *in = run->in;
	const struct rules_pair *pair;

	/* The names that the caller gave. An item of the base alone has one too. */
	for (size_t i = 0; i < in->items.n; i++) {
		struct str name = in->items.p[i];
		const struct kn_item *item;
		struct err *e = knowledge_resolve_item_name(run->a, in->rules, name, -1, &item);

		if (e && err_reason(e) == E_NO_SUCH_ITEM && in->base_rules &&
		    !knowledge_resolve_item_name(run->a, in->base_rules, name, -1, &item))
			e = NULL;
		TRY(e);
		strs_push(run->a, &run->item_ids, item->id);
	}
	run->out->items = (unsigned)in->rules->items.n;
	run->out->no_knowledge =
		!in->rules->sources && (!in->base_rules || !in->base_rules->sources) && !in->kept.n;
	for (size_t i = 0; i < in->rules->items.n; i++)
		run->out->active += in->rules->items.p[i].constraints_n &&
				    knowledge_is_active(in->rules, &in->rules->items.p[i]);
	pair = rules_pair_of(run);
	run->knowledge = pair->knowledge;
	run->base_knowledge = pair->base_knowledge;
	for (size_t i = 0; i < in->rules->notes.n; i++) {
		const struct kn_note *n = &in->rules->notes.p[i];

		run->out->broken += n->kind == KN_BROKEN && !is_counted(run, n->path);
		if (n->kind == KN_BROKEN)
			TRY(rules_broken(run, n->path, n->in_tree, n->line, n->rule, n->message));
		else if (is_note_shown(run, n))
			rules_warn(run, n);
	}
	for (size_t i = 0; i < in->rules->items.n; i++)
		TRY(rules_examples(run, &in->rules->items.p[i]));

	run->rules.cap = pair->now.n + pair->base.n;
	run->rules.p = arena_array(run->a, run->rules.cap, sizeof(*run->rules.p));
	for (size_t i = 0; i < pair->now.n; i++)
		TRY(add_rule(run, pair->now.p[i]));
	for (size_t i = 0; i < pair->base.n; i++)
		TRY(add_rule(run, pair->base.p[i]));
	note_inactive_ids(run);
	for (int kind = 0; kind < TARGETS; kind++)
		TRY(rules_kind(run, (enum kn_target)kind));
	return NULL;
}

bool rules_scope_holds(const struct run *run, size_t scope, struct str path)
{
	const struct scope *s = &run->rules.scopes.p[scope];

	return !s->texts->n || globs_match(s->globs, path);
}
