/* The steps that need all items: sorting, finding by id, overriding, superseding. */
#include "knowledge/read.h"

/* Two sources may hold the same path; shown_path has the source's name. */
ORDER_OF(finish_item_cmp, struct kn_item,
	 ORDER_UP(layer) || ORDER_STR(id) || ORDER_STR(path) || ORDER_STR(shown_path))

/* The index of the first item that is not before (layer, id); k->items.n: there is none. */
static size_t lower_bound(const struct knowledge *k, enum kn_layer layer, struct str id)
{
	const struct kn_item *i = k->items.p;
	size_t low = 0;

	BISECT(low, mid, k->items.n,
	       i[mid].layer < layer || (i[mid].layer == layer && str_cmp(i[mid].id, id) < 0));
	return low;
}

static bool is_at(const struct knowledge *k, size_t i, enum kn_layer layer, struct str id)
{
	return i < k->items.n && k->items.p[i].layer == layer && str_eq(k->items.p[i].id, id);
}

const struct kn_item *knowledge_find(const struct knowledge *k, struct str id, int layer)
{
	/* Begin with the most specific layer. */
	for (int l = KN_LAYER_PROJECT; l >= KN_LAYER_COMPANY; l--) {
		size_t i = lower_bound(k, (enum kn_layer)l, id);

		if ((layer < 0 || layer == l) && is_at(k, i, (enum kn_layer)l, id))
			return &k->items.p[i];
	}
	return NULL;
}

bool knowledge_is_active(const struct knowledge *k, const struct kn_item *item)
{
	if (item->status != KN_STATUS_ACCEPTED && item->status != KN_STATUS_PROPOSED)
		return false;
	if (!item->overridable)
		return true;
	/* Only an accepted item that is not broken overrides another. */
	for (int l = (int)item->layer + 1; l <= KN_LAYER_PROJECT; l++)
		for (size_t i = lower_bound(k, (enum kn_layer)l, item->id);
		     is_at(k, i, (enum kn_layer)l, item->id); i++)
			if (k->items.p[i].status == KN_STATUS_ACCEPTED && !k->items.p[i].broken)
				return false;
	return true;
}

/* ---- why a file gives no rules ---- */

struct str knowledge_why_inactive(struct arena *a, const struct knowledge *k, struct str tree_path)
{
	const struct kn_item *item = NULL;
	const struct kn_note *n;

	VEC_EACH(const struct kn_passed, p, &k->passed)
		if (p->in_tree && str_eq(p->tree_path, tree_path))
			return p->line > 1 ? str_fmt(a, "%.*s is not read: line %zu: %.*s",
						     STR_ARG(p->path), p->line, STR_ARG(p->message))
					   : str_fmt(a, "%.*s is not read: %.*s", STR_ARG(p->path),
						     STR_ARG(p->message));
	for (size_t i = 0; i < k->items.n && !item; i++)
		if (k->items.p[i].in_tree && str_eq(k->items.p[i].tree_path, tree_path))
			item = &k->items.p[i];
	if (!item)
		return (struct str){"", 0};
	n = item->broken ? kn_broken_note(k, item) : NULL;
	if (n)
		return str_fmt(a, "%.*s is broken knowledge: line %zu: %.*s", STR_ARG(n->path),
			       n->line, STR_ARG(n->message));
	if (item->status == KN_STATUS_SUPERSEDED && item->superseded_by.n)
		return str_fmt(a, "%.*s is superseded by '%.*s'", STR_ARG(item->shown_path),
			       STR_ARG(item->superseded_by.p[0]));
	if (item->status == KN_STATUS_DRAFT && !item->status_text.n)
		return str_fmt(a, "%.*s has no status, so it is a draft: add 'status: accepted'",
			       STR_ARG(item->shown_path));
	if (knowledge_is_active(k, item))
		return (struct str){"", 0};
	if (item->status == KN_STATUS_ACCEPTED || item->status == KN_STATUS_PROPOSED)
		return str_fmt(a, "%.*s is replaced by the item '%.*s' of a more specific layer",
			       STR_ARG(item->shown_path), STR_ARG(item->id));
	return str_fmt(a, "%.*s is %s", STR_ARG(item->shown_path), kn_statuses[item->status]);
}

/* ---- references ---- */

static struct kn_note *finish_warn(struct arena *a, struct knowledge *k, const struct kn_item *i,
				   enum kn_rule rule, struct place at, const char *what,
				   struct str name, const char *more)
{
	struct kn_note *n = kn_note_file(a, k, KN_WARNING, rule, i->shown_path, i->in_tree,
					 "%s '%.*s'%s", what, STR_ARG(name), more);

	n->line = at.line;
	n->column = at.column;
	return n;
}

/* The place where the item names others; else its status, which may name them too. */
static struct place finish_place(const struct kn_item *i, bool by)
{
	struct place at = by ? i->superseded_by_at : i->supersedes_at;

	return at.line ? at : i->status_at;
}

/* The id in a reference: 0012-x in "../adr/0012-x.md#why". */
static struct str finish_id_of(struct arena *a, struct str ref)
{
	struct buf b = buf_in(a);

	ref = str_sub(ref, 0, str_find_char(ref, '#', 1));
	ref = str_base(str_sub(ref, 0, str_find_char(ref, '?', 0)));
	if (ref.n > 3 && str_ieq(str_sub(ref, ref.n - 3, ref.n), STR(".md")))
		ref = str_sub(ref, 0, ref.n - 3);
	/* Decodes "%20" and the like, as links have them. */
	for (size_t i = 0; i < ref.n; i++) {
		struct str digits = str_sub(ref, i + 1, i + 3);
		uint32_t code = 0;
		bool is = ref.p[i] == '%' && digits.n == 2 && str_parse_hex(digits, &code);

		buf_putc(&b, is ? (char)code : ref.p[i]);
		i += is ? 2 : 0;
	}
	return buf_as_str(&b);
}

struct str kn_number_of(struct str s)
{
	size_t from = 0, to;

	while (from < s.n && !ascii_is_digit(s.p[from]))
		from++;
	for (to = from; to < s.n && ascii_is_digit(s.p[to]);)
		to++;
	while (from + 1 < to && s.p[from] == '0')
		from++;
	return str_sub(s, from, to);
}

/* True for "12", "ADR-12", "#12", "adr 0012. Title"; false for "log4j2". */
static bool is_number_ref(struct str ref)
{
	if (str_ieq(str_sub(ref, 0, 3), STR("adr")))
		ref = str_sub(ref, 3, ref.n);
	while (ref.n && strchr("-_# ", ref.p[0]) && ref.p[0])
		ref = str_sub(ref, 1, ref.n);
	return ref.n && ascii_is_digit(ref.p[0]);
}

/* How near another item is; the same layer, source and folder raise the number. Never 0. */
static unsigned nearness(const struct kn_item *from, const struct kn_item *to)
{
	unsigned n = 1;

	if (from->layer == to->layer)
		n += 1;
	if (from->source == to->source)
		n += str_eq(str_dir(from->path), str_dir(to->path)) ? 4 : 2;
	return n;
}

/* Items by id in small letters and, if references may use it, by number. */
struct named_item {
	struct str key;
	struct kn_item *item;
};
struct item_names {
	struct named_item *id, *number; /* sorted by key, then in the order of items */
	size_t ids, numbers;
};

ORDER_OF(by_item_name, struct named_item, ORDER_STR(key) || ORDER_UP(item))

static void item_names_load(struct arena *a, struct knowledge *k, struct item_names *out)
{
	size_t n = k->items.n;

	out->id = arena_array(a, n, sizeof(*out->id));
	out->number = arena_array(a, n, sizeof(*out->number));
	for (size_t i = 0; i < n; i++) {
		struct kn_item *item = &k->items.p[i];

		out->id[out->ids++] = (struct named_item){str_lower(a, item->id), item};
		if (is_number_ref(item->id))
			out->number[out->numbers++] =
				(struct named_item){kn_number_of(item->id), item};
	}
	if (out->ids)
		qsort(out->id, out->ids, sizeof(*out->id), by_item_name);
	if (out->numbers)
		qsort(out->number, out->numbers, sizeof(*out->number), by_item_name);
}

/* The nearest of the items with this key, except `from`; of equally near ones the first. */
static struct kn_item *nearest_named(const struct named_item *p, size_t n, struct str key,
				     const struct kn_item *from)
{
	struct kn_item *best = NULL;
	unsigned least = 0;
	size_t low = 0;

	BISECT(low, mid, n, str_cmp(p[mid].key, key) < 0);
	for (; low < n && str_eq(p[low].key, key); low++) {
		struct kn_item *to = p[low].item;

		if (to != from && nearness(from, to) > least) {
			best = to;
			least = nearness(from, to);
		}
	}
	return best;
}

/*
 * Finds the item that a reference names; NULL: none. *by_id: it matched a whole id, not a number. A
 * match by id wins over a match by number, however near that is.
 */
static struct kn_item *resolve(struct arena *a, const struct item_names *names,
			       const struct kn_item *from, struct str ref, bool *by_id)
{
	struct str id = finish_id_of(a, ref);
	struct kn_item *best = nearest_named(names->id, names->ids, str_lower(a, id), from);

	*by_id = best != NULL;
	if (!best && is_number_ref(id))
		best = nearest_named(names->number, names->numbers, kn_number_of(id), from);
	return best;
}

/* ---- retirement ---- */

/* `by` supersedes `item`; one of the two items declares it. */
struct retirement {
	struct kn_item *item, *by;
	bool counts; /* `by` retires `item`, unless both are in a cycle */
	bool cyclic;
};

struct retirements VEC(struct retirement);

/* NULL: `by` retires the item. Else the reason why not; empty: no warning is needed. */
static const char *why_kept(const struct kn_item *item, const struct kn_item *by, bool by_id)
{
	bool near = by->source == item->source && by->layer == item->layer &&
		    str_eq(by->owner, item->owner);

	if (item->status != KN_STATUS_ACCEPTED && item->status != KN_STATUS_PROPOSED)
		return "";
	if (by->status != KN_STATUS_ACCEPTED && by->status != KN_STATUS_DEPRECATED &&
	    by->status != KN_STATUS_SUPERSEDED)
		return "";
	if (by->broken)
		return "which is broken knowledge";
	if (!by_id)
		return "which names it by its number: write the whole id to retire it";
	if (!near && !(item->overridable && by->layer >= item->layer))
		return "which lies in another layer or source, and this one is not overridable";
	return NULL;
}

/*
 * Removes edges whose start or end no other edge touches, until none is left to remove. The rest
 * are cycles, and paths between cycles.
 */
static void find_cycles(struct arena *a, const struct knowledge *k, struct retirements *v)
{
	size_t *to = arena_array(a, k->items.n, sizeof(*to));
	size_t *from = arena_array(a, k->items.n, sizeof(*from)), left = v->n, before;

	for (size_t i = 0; i < v->n; i++) {
		v->p[i].cyclic = true;
		to[v->p[i].item - k->items.p]++;
		from[v->p[i].by - k->items.p]++;
	}
	do {
		before = left;
		VEC_EACH(struct retirement, e, v) {
			size_t item = (size_t)(e->item - k->items.p),
			       by = (size_t)(e->by - k->items.p);

			if (!e->cyclic || (from[item] && to[by]))
				continue;
			e->cyclic = false;
			to[item]--;
			from[by]--;
			left--;
		}
	} while (left && left < before);
}

/* Replaces the references in item->supersedes by ids, each once, and records the retirements. */
static void resolve_supersedes(struct arena *a, struct knowledge *k, const struct item_names *names,
			       struct kn_item *item, struct retirements *v)
{
	struct strs ids = {0};

	for (size_t i = 0; i < item->supersedes.n; i++) {
		struct str name = item->supersedes.p[i];
		bool by_id;
		struct kn_item *to = resolve(a, names, item, name, &by_id);
		const char *kept;

		if (!to) {
			finish_warn(a, k, item, KN_RULE_SUPERSEDE_DANGLING,
				    finish_place(item, false), "it supersedes", name,
				    ", which no source has");
		} else {
			name = to->id;
			if (!strs_has(&to->superseded_by, item->id))
				strs_push(a, &to->superseded_by, item->id);
			kept = why_kept(to, item, by_id);
			*VEC_PUSH(a, v) =
				(struct retirement){.item = to, .by = item, .counts = !kept};
			if (kept && *kept) {
				/* The item supersedes it, and does not retire it. */
				struct kn_note *n = finish_warn(
					a, k, to, KN_RULE_SUPERSEDE_IGNORED, to->status_at,
					"it is still in force, but superseded by", item->id,
					str_fmt(a, ", %s", kept).p);

				n->kept = to;
				n->by = item;
			}
		}
		if (!strs_has(&ids, name))
			strs_push(a, &ids, name);
	}
	item->supersedes = ids;
}

static void resolve_superseded_by(struct arena *a, struct knowledge *k,
				  const struct item_names *names, struct kn_item *item,
				  struct retirements *v)
{
	struct strs by = {0};

	for (size_t i = 0; i < item->superseded_by.n; i++) {
		struct str name = item->superseded_by.p[i];
		bool by_id;
		struct kn_item *to = resolve(a, names, item, name, &by_id);

		if (!to) {
			if (kn_is_markdown(name, true))
				name = finish_id_of(a, name);
			finish_warn(a, k, item, KN_RULE_SUPERSEDE_DANGLING,
				    finish_place(item, true), "it is superseded by", name,
				    ", which no source has");
		} else {
			name = to->id;
			*VEC_PUSH(a, v) = (struct retirement){.item = item, .by = to};
			if (!to->supersedes.n)
				strs_push(a, &to->supersedes, item->id);
		}
		if (!strs_has(&by, name))
			strs_push(a, &by, name);
	}
	item->superseded_by = by;
}

/*
 * Warns of rules that never apply because their item has no status. For a source named on the
 * command line, every call warns.
 */
static void note_idle(struct arena *a, struct knowledge *k, const struct kn_item *item)
{
	struct kn_note *n;

	if (!item->constraints_n || item->status != KN_STATUS_DRAFT || item->status_text.n ||
	    item->broken)
		return;
	n = kn_note_file(a, k, KN_WARNING, KN_RULE_STATUS_MISSING, item->shown_path, item->in_tree,
			 "it has rules and no status, so it counts as draft, and the rules do "
			 "not apply: add 'status: accepted'");
	n->always = item->source && item->source->given;
}

ORDER_OF(passed_cmp, struct kn_passed, ORDER_STR(tree_path) || ORDER_STR(path))

void knowledge_finish(struct arena *a, struct knowledge *k)
{
	struct retirements v = {0};
	struct item_names names = {0};

	VEC_SORT(&k->passed, passed_cmp);
	VEC_SORT(&k->items, finish_item_cmp);
	for (size_t i = 0; i < k->items.n; i++) {
		struct kn_item *y = &k->items.p[i], *x = i ? y - 1 : y;

		y->supersedes_written = y->supersedes.n > 0;
		y->superseded_by_written = y->superseded_by.n > 0;
		/* Items of two teams may have the same id. */
		if (i && x->layer == y->layer && str_eq(x->id, y->id) && str_eq(x->owner, y->owner))
			finish_warn(a, k, y, KN_RULE_DUPLICATE_ID, (struct place){0},
				    "it has the same id as", x->shown_path, "");
	}
	item_names_load(a, k, &names);
	/* Resolve all references by the written statuses before any status changes. */
	for (size_t i = 0; i < k->items.n; i++)
		resolve_supersedes(a, k, &names, &k->items.p[i], &v);
	for (size_t i = 0; i < k->items.n; i++)
		resolve_superseded_by(a, k, &names, &k->items.p[i], &v);
	find_cycles(a, k, &v);
	VEC_EACH(struct retirement, e, &v) {
		if (!e->counts)
			continue;
		if (e->cyclic) {
			finish_warn(a, k, e->item, KN_RULE_SUPERSEDE_CYCLE,
				    finish_place(e->item, false), "it supersedes", e->by->id,
				    ", which supersedes it: neither retires the other");
		} else if (!e->item->retired_by) {
			e->item->retired_by = e->by;
			e->item->status = KN_STATUS_SUPERSEDED;
		}
	}
	for (size_t i = 0; i < k->items.n; i++)
		note_idle(a, k, &k->items.p[i]);
}
