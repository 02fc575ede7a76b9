/* Resolves the name that a person gives for an item: its id, path, number, or the start of its id.
 */
#include "knowledge/knowledge.h"

/* A name such as "ADR-0019": letters, one separator, digits. */
struct numbered {
	struct str word, digits; /* digits: without leading zeros */
	size_t n;                /* bytes of the whole */
};

static bool read_numbered(struct str s, struct numbered *out)
{
	size_t i = 0, from;

	while (i < s.n && ascii_is_letter(s.p[i]))
		i++;
	out->word = str_sub(s, 0, i);
	if (i && i < s.n && strchr("-_ #", s.p[i]))
		i++;
	while (i < s.n && s.p[i] == '0')
		i++;
	from = i;
	while (i < s.n && ascii_is_digit(s.p[i]))
		i++;
	out->digits = str_sub(s, from, i);
	out->n = i;
	return i && ascii_is_digit(s.p[i - 1]);
}

static bool is_id(const struct kn_item *it, struct str name)
{
	return str_eq(it->id, name);
}

/* The path from the top of its repository or source, or the end of the path. */
static bool is_path(const struct kn_item *it, struct str name)
{
	struct str path = it->tree_path;

	if (str_starts(name, STR("./")))
		name = str_sub(name, 2, name.n);
	if (str_eq(it->shown_path, name))
		return true;
	return name.n && path.n >= name.n && str_ends(path, name) &&
	       (path.n == name.n || path.p[path.n - name.n - 1] == '/');
}

/* "19", "0019" and "ADR-19" name the ADR "0019-x", and "ADR-19" also names "adr-19-x". */
static bool is_number(const struct kn_item *it, struct str name)
{
	struct str type = str_of(kn_types[it->type]);
	struct numbered asked, own;

	if (!read_numbered(name, &asked) || asked.n < name.n || !read_numbered(it->id, &own))
		return false;
	if (own.n < it->id.n && ascii_is_alnum(it->id.p[own.n]))
		return false;
	return str_eq(asked.digits, own.digits) && (!asked.word.n || str_ieq(asked.word, type)) &&
	       (!own.word.n || str_ieq(own.word, type));
}

static bool is_start(const struct kn_item *it, struct str name)
{
	return name.n && str_starts(it->id, name);
}

/* "use-post" for "0019-use-postgres". */
static bool is_behind_number(const struct kn_item *it, struct str name)
{
	struct numbered own;

	return name.n && read_numbered(it->id, &own) && own.n < it->id.n &&
	       !ascii_is_alnum(it->id.p[own.n]) &&
	       (!own.word.n || str_ieq(own.word, str_of(kn_types[it->type]))) &&
	       str_starts(str_sub(it->id, own.n + 1, it->id.n), name);
}

/* Of several items with one id the most specific is kept: items are sorted by layer. */
static void keep_match(struct arena *a, struct kn_items *found, const struct kn_item *it)
{
	for (size_t i = 0; i < found->n; i++)
		if (str_eq(found->p[i]->id, it->id)) {
			found->p[i] = it;
			return;
		}
	*VEC_PUSH(a, found) = it;
}

static struct err *several_items(struct arena *a, const struct kn_items *found, struct str name)
{
	struct strs ids = {0};
	struct err *e;

	for (size_t i = 0; i < found->n; i++)
		strs_push(a, &ids, found->p[i]->id);
	strs_sort(&ids);
	e = err_new(E_NOT_UNIQUE, "'%.*s' names several knowledge items: %.*s", STR_ARG(name),
		    STR_ARG(str_join(a, &ids, ", ")));
	err_add_detail(e, "requestedId", name);
	err_detail_list(e, "matches", &ids);
	return err_help(e, "give the whole id, or the path of the file");
}

struct err *knowledge_resolve_item_name(struct arena *a, const struct knowledge *k, struct str name,
					int layer, const struct kn_item **out)
{
	static bool (*const ways[])(const struct kn_item *, struct str) = {
		is_id, is_path, is_number, is_start, is_behind_number};
	struct strs ids = {0}, layers = {0};
	struct err *e;

	for (size_t w = 0; w < ARRAY_SIZE(ways); w++) {
		struct kn_items found = {0};

		for (size_t i = 0; i < k->items.n; i++)
			if ((layer < 0 || (int)k->items.p[i].layer == layer) &&
			    ways[w](&k->items.p[i], name))
				keep_match(a, &found, &k->items.p[i]);
		if (found.n > 1)
			return several_items(a, &found, name);
		if (found.n) {
			*out = found.p[0];
			return NULL;
		}
	}
	for (size_t i = 0; i < k->items.n; i++) {
		struct str l = str_of(kn_layers[k->items.p[i].layer]);

		strs_push(a, &ids, k->items.p[i].id);
		if (!strs_has(&layers, l))
			strs_push(a, &layers, l);
	}
	e = err_new(E_NO_SUCH_ITEM, "Knowledge item '%.*s' not found%.*s", STR_ARG(name),
		    STR_ARG(str_did_you_mean(a, str_nearest(name, &ids))));
	err_add_detail(e, "requestedId", name);
	err_detail_list(e, "searchedLayers", &layers);
	return err_help(e, k->sources ? "run 'ikm know list' for all items"
				      : "no source of decisions is configured here: a person runs "
					"'ikm init', or begins a folder: " KNOWLEDGE_SETUP);
}
