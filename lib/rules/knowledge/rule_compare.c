#include "knowledge/rule_compare.h"
#include "base/sort.h"
#include "json/json.h"
#include "knowledge/read.h"

#define CONF_PATH ".ikm/config.json"
#define CONF_DIR  ".ikm"

const char *const rule_change_kinds[] = {RULE_CHANGES(ENUM_NAME) NULL};

enum kn_severity rule_severity(const struct kn_item *item, const struct kn_constraint *c)
{
	return item->status == KN_STATUS_PROPOSED ? KN_SEVERITY_INFO : c->severity;
}

static int globs_cmp(const struct strs *x, const struct strs *y)
{
	int c = (x->n > y->n) - (x->n < y->n);

	for (size_t i = 0; !c && i < x->n; i++)
		c = str_cmp(x->p[i], y->p[i]);
	return c;
}

ORDER_OF(constraint_cmp, struct kn_constraint,
	 ORDER_UP(op) || ORDER_UP(target) || ORDER_UP(runtimes) || ORDER_STR(pattern) ||
		 ORDER_STR(version) || (c = globs_cmp(&a->applies_to, &b->applies_to)))

int rule_cmp(const struct kn_constraint *x, enum kn_severity xs, const struct kn_constraint *y,
	     enum kn_severity ys)
{
	return xs == ys ? constraint_cmp(x, y) : (xs > ys) - (xs < ys);
}

bool rule_same(const struct kn_constraint *x, enum kn_severity xs, const struct kn_constraint *y,
	       enum kn_severity ys)
{
	return !rule_cmp(x, xs, y, ys);
}

/* All parts of a rule that judge: "must_not_use dependency mysql2? version <3 in web/ (block)". */
static struct str rulechange_text(struct arena *a, const struct kn_constraint *c,
				  enum kn_severity s)
{
	struct buf b = buf_in(a);

	buf_fmt(&b, "%s %s %.*s", kn_operators[c->op], kn_targets[c->target], STR_ARG(c->pattern));
	if (c->version.n)
		buf_fmt(&b, " version %.*s", STR_ARG(c->version));
	if (c->runtimes)
		buf_puts(&b, " with runtimes");
	if (c->applies_to.n)
		buf_fmt(&b, " in %.*s", STR_ARG(str_join(a, &c->applies_to, ", ")));
	buf_fmt(&b, " (%s)", kn_severities[s]);
	return str_utf8(a, buf_as_str(&b));
}

/* ---- the rules of one side ---- */

struct active_rule {
	const struct kn_item *item;
	const struct kn_constraint *c;
	enum kn_severity severity;
	struct active_rule *counterpart; /* the same or the edited rule on the other side */
	const struct kn_item
		*successor; /* for a rule of the base: its item in the change, or NULL */
};
struct active_rules VEC(struct active_rule);

ORDER_OF(active_rule_cmp, struct active_rule, (c = rule_cmp(a->c, a->severity, b->c, b->severity)))
ORDER_OF(active_item_cmp, struct active_rule, ORDER_UP(item))
ORDER_OF(successor_cmp, struct active_rule, ORDER_UP(successor) || ORDER_UP(item->status))

static struct active_rule **active_sort(struct arena *a, const struct active_rules *list,
					sort_order_fn *by)
{
	return sort_into_pointers(a, list->p, list->n, sizeof(*list->p), by);
}

bool rule_next(struct rule_at *at)
{
	for (; at->k && at->next_item < at->k->items.n; at->next_item++, at->next_c = 0) {
		at->item = &at->k->items.p[at->next_item];
		if (at->next_c >= at->item->constraints_n ||
		    (!at->next_c && !knowledge_is_active(at->k, at->item)))
			continue;
		at->c = &at->item->constraints[at->next_c++];
		at->severity = rule_severity(at->item, at->c);
		return true;
	}
	return false;
}

static void active_rules_of(struct arena *a, const struct knowledge *k, struct active_rules *out)
{
	for (struct rule_at r = {.k = k}; rule_next(&r);)
		*VEC_PUSH(a, out) =
			(struct active_rule){.item = r.item, .c = r.c, .severity = r.severity};
}

bool rule_changes_has(const struct rule_changes *list, const struct rule_change *c)
{
	VEC_EACH(const struct rule_change, x, list)
		if (x->kind == c->kind && x->constraint == c->constraint &&
		    str_eq(x->item, c->item) && str_eq(x->before, c->before) &&
		    str_eq(x->after, c->after))
			return true;
	return false;
}

unsigned rulechange_count_judging_rules(const struct knowledge *k)
{
	unsigned n = 0;

	for (struct rule_at r = {.k = k}; rule_next(&r);)
		n++;
	return n;
}

bool rulechange_side_has_rule(const struct knowledge *k, const struct kn_constraint *c,
			      enum kn_severity s)
{
	for (struct rule_at r = {.k = k}; rule_next(&r);)
		if (rule_same(r.c, r.severity, c, s))
			return true;
	return false;
}

/* ---- which item of one side is which of the other ---- */

struct comparison {
	struct arena *a;
	const struct rulechange_side *base, *now;
	struct kn_item **base_items, **now_items; /* in the order of their files */
	struct tree_change **by_old, **by_new;    /* in the order of one of their names */
	size_t changes_n;
	struct active_rules before, after;
	struct active_rule **by_successor; /* the rules of before */
	struct rule_changes *out;
};

ORDER_OF(item_path_cmp, struct kn_item, ORDER_DOWN(in_tree) || ORDER_STR(tree_path))
ORDER_OF(change_old_cmp, struct tree_change, ORDER_DOWN(has_old) || ORDER_STR(old.path))
ORDER_OF(change_new_cmp, struct tree_change, ORDER_DOWN(has_new) || ORDER_STR(new.path))

/* The file of the item from the top of the judged tree; empty for a file outside. */
static struct str item_tree_path(const struct kn_item *i)
{
	return i->in_tree ? i->tree_path : STR("");
}

/* The present name of a file of the base; *gone when the file is gone. */
static struct str renamed_path(const struct comparison *c, struct str path, bool *gone)
{
	const struct tree_change key = {.has_old = true, .old.path = path};
	const struct tree_change *x =
		sort_pointers_find(c->by_old, c->changes_n, &key, change_old_cmp);

	*gone = x && !x->has_new;
	return x && x->has_new ? x->new.path : path;
}

/* The name in the base of a file of the change. */
static struct str former_path(const struct comparison *c, struct str path)
{
	const struct tree_change key = {.has_new = true, .new.path = path};
	const struct tree_change *x =
		sort_pointers_find(c->by_new, c->changes_n, &key, change_new_cmp);

	return x && x->renamed ? x->old.path : path;
}

static const struct kn_item *item_at(struct kn_item **items, const struct rulechange_side *side,
				     struct str path)
{
	const struct kn_item key = {.in_tree = true, .tree_path = path};

	return sort_pointers_find(items, side->knowledge->items.n, &key, item_path_cmp);
}

/* The items with the id, layer and owner of another, one after the other; it begins with NULL. */
static const struct kn_item *item_namesake(const struct knowledge *k, const struct kn_item *of,
					   const struct kn_item *i)
{
	i = i ? i + 1 : knowledge_find(k, of->id, (int)of->layer);
	for (; i && i < k->items.p + k->items.n && i->layer == of->layer && str_eq(i->id, of->id);
	     i++)
		if (str_eq(i->owner, of->owner))
			return i;
	return NULL;
}

/* "no-mysql" of "0001-no-mysql". */
static struct str item_slug(const struct kn_item *item)
{
	size_t i = 0;

	while (i < item->id.n && strchr("0123456789-_", item->id.p[i]))
		i++;
	return str_sub(item->id, i, item->id.n);
}

/* An item that only one side has. */
static bool item_is_alone(const struct comparison *c, const struct kn_item *item,
			  const struct knowledge *other)
{
	struct str path = item_tree_path(item);
	const struct kn_item *x;
	bool gone;

	if (knowledge_find(other, item->id, (int)item->layer))
		return false;
	if (other != c->base->knowledge)
		return true;
	x = item_at(c->base_items, c->base, former_path(c, path));
	return !x || !str_eq(renamed_path(c, item_tree_path(x), &gone), path);
}

/*
 * A renumbered item that was rewritten so much that its file counts as a new one: the only new item
 * with the same title or the same name after the number.
 */
static const struct kn_item *item_like(const struct comparison *c, const struct kn_item *old)
{
	const struct knowledge *k = c->now->knowledge;
	const struct kn_item *found = NULL;
	struct str slug = item_slug(old);

	if (!item_is_alone(c, old, k))
		return NULL;
	VEC_EACH(const struct kn_item, new, &k->items) {
		if (new->layer != old->layer || !str_eq(new->owner, old->owner) || !new->in_tree ||
		    !old->in_tree ||
		    !((old->title.n && str_ieq(new->title, old->title)) ||
		      (slug.n && str_ieq(item_slug(new), slug))) ||
		    !item_is_alone(c, new, c->base->knowledge))
			continue;
		if (found)
			return NULL;
		found = new;
	}
	return found;
}

static const struct kn_item *counterpart(const struct comparison *c, const struct kn_item *old)
{
	const struct kn_item *new = NULL, *i = NULL;
	bool gone;

	if (old->in_tree) {
		struct str path = renamed_path(c, item_tree_path(old), &gone);

		if (!gone)
			new = item_at(c->now_items, c->now, path);
	}
	/* The item with the same id, layer and owner, unless the base had this very item too. */
	while (!new && (i = item_namesake(c->now->knowledge, old, i)))
		if (!i->in_tree || !item_at(c->base_items, c->base, item_tree_path(i)))
			new = i;
	return new ? new : item_like(c, old);
}

/* ---- why a rule is gone ---- */

/* Why the file with the repository's settings is gone, when the change removed it. */
static struct err *why_no_settings(const struct comparison *c, struct str *why)
{
	struct tree_file f;
	bool was, is;

	*why = STR("");
	if (!c->base->tree || !c->now->tree)
		return NULL;
	TRY(tree_find(c->base->tree, STR(CONF_PATH), &f, &was));
	TRY(tree_find(c->now->tree, STR(CONF_PATH), &f, &is));
	if (!was || is)
		return NULL;
	TRY(tree_find(c->now->tree, STR(CONF_DIR), &f, &is));
	*why = is && f.kind == TREE_LINK
		       ? STR(CONF_DIR " is a symbolic link now, which ikm does not follow, so the "
				      "settings in " CONF_PATH " are gone")
		       : STR(CONF_PATH ", which names its source, is gone");
	return NULL;
}

static struct err *why_not_read(struct comparison *c, struct rule_change *x,
				const struct kn_item *old)
{
	const struct knowledge *k = c->now->knowledge;
	struct str path, settings;
	struct tree_file f;
	bool gone, found;

	if (!old->in_tree) {
		x->why = str_fmt(c->a, "the source %.*s gives no such item any more",
				 STR_ARG(old->source->name));
		return NULL;
	}
	path = renamed_path(c, item_tree_path(old), &gone);
	if (!gone && c->now->tree) {
		TRY(tree_find(c->now->tree, path, &f, &found));
		gone = !found;
	}
	if (gone) {
		x->deleted = true;
		x->why = str_fmt(c->a, "%.*s was deleted while it was %s", STR_ARG(path),
				 kn_statuses[old->status]);
		return NULL;
	}
	x->tree_path = path;
	x->why = knowledge_why_inactive(c->a, k, path);
	if (x->why.n)
		return NULL;
	TRY(why_no_settings(c, &settings));
	if (!settings.n)
		settings = STR("no source of knowledge has it");
	x->why = str_fmt(c->a, "%.*s is not read: %.*s", STR_ARG(path), STR_ARG(settings));
	return NULL;
}

/* An item of a more specific layer that replaces this item, if it may. */
static const struct kn_item *overriding(const struct knowledge *k, const struct kn_item *item)
{
	for (int l = KN_LAYER_PROJECT; l > (int)item->layer && item->overridable; l--) {
		const struct kn_item *o = knowledge_find(k, item->id, l);

		if (o && o->status == KN_STATUS_ACCEPTED)
			return o;
	}
	return NULL;
}

static void status_changed(struct comparison *c, struct rule_change *x, const struct kn_item *old,
			   const struct kn_item *new)
{
	struct str why = STR("");
	bool retired = new->status == KN_STATUS_DEPRECATED || new->status == KN_STATUS_SUPERSEDED;

	/* A proposed item does not bind yet, so any status may follow it. */
	x->kind = retired || old->status == KN_STATUS_PROPOSED ? RULE_RETIRED : RULE_LOST;
	if (new->in_tree)
		why = knowledge_why_inactive(c->a, c->now->knowledge, item_tree_path(new));
	if (why.n)
		x->why = why;
	else if (retired)
		x->why = str_fmt(c->a, "%.*s is %s", STR_ARG(new->shown_path),
				 kn_statuses[new->status]);
	else
		x->why = str_fmt(c->a,
				 "%.*s went from %s to %s; an accepted decision may become "
				 "deprecated or superseded",
				 STR_ARG(new->shown_path), kn_statuses[old->status],
				 kn_statuses[new->status]);
}

/* ---- one rule of the base that the change has not ---- */

static struct err *rule_gone(struct comparison *c, const struct active_rule *r)
{
	const struct knowledge *k = c->now->knowledge;
	const struct kn_item *new = r->successor, *over;
	struct rule_change *x = VEC_PUSH(c->a, c->out);
	const struct active_rule *to = r->counterpart;
	const struct kn_note *broken;

	*x = (struct rule_change){
		.kind = RULE_LOST,
		.item = r->item->id,
		.constraint = r->c->index,
		.before = rulechange_text(c->a, r->c, r->severity),
		.path = r->item->shown_path,
		.tree_path = item_tree_path(r->item),
		.severity = r->severity,
		.old_item = r->item,
		.old_rule = r->c,
		.new_item = new,
	};
	if (!new)
		return why_not_read(c, x, r->item);
	x->path = new->shown_path;
	x->tree_path = item_tree_path(new);
	if (to) {
		x->after = rulechange_text(c->a, to->c, to->severity);
		x->new_rule = to->c;
	}
	broken = kn_broken_note(k, new);
	over = overriding(k, new);
	if (new->broken && broken && !to) {
		x->why = str_fmt(c->a, "%.*s is broken knowledge: %.*s", STR_ARG(new->shown_path),
				 STR_ARG(broken->message));
	} else if (new->status == KN_STATUS_ACCEPTED && over) {
		x->kind = RULE_EDITED;
		x->why = str_fmt(c->a, "%.*s replaces it", STR_ARG(over->shown_path));
	} else if (new->status == KN_STATUS_ACCEPTED && r->item->status == KN_STATUS_PROPOSED) {
		x->kind = RULE_ADDED;
		x->why = STR("it was proposed, and is accepted now");
	} else if (new->status == r->item->status) {
		x->kind = RULE_EDITED;
	} else {
		status_changed(c, x, r->item, new);
	}
	return NULL;
}

/* A rule that only the change has, and that is not the edited form of another rule. */
static void rule_new(struct comparison *c, const struct active_rule *r)
{
	const struct active_rule key = {.successor = r->item, .item = r->item};
	struct rule_change *x = VEC_PUSH(c->a, c->out);
	const struct kn_item *new = r->item, *old = NULL; /* what it was in the base */

	if (new->in_tree)
		old = item_at(c->base_items, c->base, former_path(c, new->tree_path));
	if (!old)
		old = item_namesake(c->base->knowledge, new, NULL);
	*x = (struct rule_change){
		.kind = RULE_ADDED,
		.item = r->item->id,
		.constraint = r->c->index,
		.after = rulechange_text(c->a, r->c, r->severity),
		.path = r->item->shown_path,
		.tree_path = item_tree_path(r->item),
		.severity = r->severity,
		.new_item = r->item,
		.new_rule = r->c,
	};
	if (sort_pointers_find(c->by_successor, c->before.n, &key, successor_cmp))
		x->kind = RULE_EDITED;
	x->reinstated =
		x->kind == RULE_ADDED && old && r->item->status == KN_STATUS_ACCEPTED &&
		(old->status == KN_STATUS_DEPRECATED || old->status == KN_STATUS_SUPERSEDED);
	if (x->reinstated)
		x->why =
			str_fmt(c->a, "it was %s, and is accepted again", kn_statuses[old->status]);
}

/* ---- pairing ---- */

static void pair_same(struct comparison *c)
{
	struct active_rule **before = active_sort(c->a, &c->before, active_rule_cmp);
	struct active_rule **after = active_sort(c->a, &c->after, active_rule_cmp);

	/* One rule of the change matches any number of equal rules of the base. */
	for (size_t i = 0; i < c->before.n; i++)
		c->before.p[i].counterpart =
			sort_pointers_find(after, c->after.n, &c->before.p[i], active_rule_cmp);
	for (size_t i = 0; i < c->after.n; i++)
		c->after.p[i].counterpart =
			sort_pointers_find(before, c->before.n, &c->after.p[i], active_rule_cmp);
}

/* Pairs the rules of one item that differ, the most similar first. */
static void pair_edited(struct comparison *c)
{
	struct active_rule **after = active_sort(c->a, &c->after, active_item_cmp);
	const struct active_rule *end = c->after.p + c->after.n;

	for (int pass = 0; pass < 4; pass++)
		for (size_t i = 0; i < c->before.n; i++) {
			struct active_rule *x = &c->before.p[i], *y = NULL;
			const struct active_rule key = {.item = x->successor};

			if (key.item && !x->counterpart)
				y = sort_pointers_find(after, c->after.n, &key, active_item_cmp);
			/* The rules of an item stand together. */
			for (; y && y < end && y->item == key.item && !x->counterpart; y++) {
				bool kind = x->c->op == y->c->op && x->c->target == y->c->target;
				bool text = str_eq(x->c->pattern, y->c->pattern);

				if (y->counterpart || (pass < 2 && !kind) || (pass == 0 && !text) ||
				    (pass == 2 && !text))
					continue;
				x->counterpart = y;
				y->counterpart = x;
			}
		}
}

ORDER_OF(change_cmp, struct rule_change,
	 ORDER_UP(kind) || ORDER_STR(item) || ORDER_UP(constraint) || ORDER_STR(path) ||
		 ORDER_STR(before) || ORDER_STR(after))

/* ---- settings ---- */

struct str rulechange_setting_value_text(struct arena *a, const struct conf *conf,
					 const struct conf_setting *setting)
{
	struct buf b = buf_in(a);

	json_write(&b, conf_value(conf, a, setting), 0);
	return buf_as_str(&b);
}

/* Compares the settings that a repository may set, because they decide how it is judged. */
static void settings_changed(struct comparison *c)
{
	if (!c->base->conf || !c->now->conf || c->base->conf == c->now->conf)
		return;
	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		const struct conf_setting *s = &conf_settings[i];
		struct str before, after;

		if (!s->repo)
			continue;
		before = rulechange_setting_value_text(c->a, c->base->conf, s);
		after = rulechange_setting_value_text(c->a, c->now->conf, s);
		if (str_eq(before, after))
			continue;
		*VEC_PUSH(c->a, c->out) = (struct rule_change){
			.kind = RULE_SETTING,
			.setting = s,
			.item = str_of(s->key),
			.why = STR("this change is judged by the stricter of both"),
			.before = before,
			.after = after,
			.path = STR(CONF_PATH),
			.tree_path = STR(CONF_PATH),
			.severity = KN_SEVERITY_WARN,
		};
	}
}

/* ---- */

struct err *rulechange_diff_sides(struct arena *a, const struct rulechange_side *base,
				  const struct rulechange_side *now,
				  const struct tree_changes *renames, bool lost_blocks,
				  struct rule_changes *out)
{
	struct comparison c = {.a = a, .base = base, .now = now, .out = out};

	settings_changed(&c);
	if (base->knowledge != now->knowledge) {
		c.base_items =
			sort_into_pointers(a, base->knowledge->items.p, base->knowledge->items.n,
					   sizeof(struct kn_item), item_path_cmp);
		c.now_items =
			sort_into_pointers(a, now->knowledge->items.p, now->knowledge->items.n,
					   sizeof(struct kn_item), item_path_cmp);
		if (renames) {
			c.changes_n = renames->n;
			c.by_old = sort_into_pointers(a, renames->p, renames->n,
						      sizeof(*renames->p), change_old_cmp);
			c.by_new = sort_into_pointers(a, renames->p, renames->n,
						      sizeof(*renames->p), change_new_cmp);
		}
		active_rules_of(a, base->knowledge, &c.before);
		active_rules_of(a, now->knowledge, &c.after);
		for (size_t i = 0; i < c.before.n; i++)
			c.before.p[i].successor = i && c.before.p[i].item == c.before.p[i - 1].item
							  ? c.before.p[i - 1].successor
							  : counterpart(&c, c.before.p[i].item);
		c.by_successor = active_sort(a, &c.before, successor_cmp);
		pair_same(&c);
		pair_edited(&c);
		VEC_EACH(const struct active_rule, x, &c.before)
			if (!x->counterpart || !rule_same(x->c, x->severity, x->counterpart->c,
							  x->counterpart->severity))
				TRY(rule_gone(&c, x));
		for (size_t i = 0; i < c.after.n; i++)
			if (!c.after.p[i].counterpart)
				rule_new(&c, &c.after.p[i]);
	}
	for (size_t i = 0; i < out->n; i++)
		out->p[i].blocks = lost_blocks && out->p[i].kind == RULE_LOST &&
				   out->p[i].severity == KN_SEVERITY_BLOCK;
	VEC_SORT(out, change_cmp);
	return NULL;
}
