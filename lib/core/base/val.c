#include "base/base.h"
#include <math.h>

static struct val *val_new(struct arena *a, enum val_type type)
{
	struct val *v = ARENA_NEW(a, struct val);

	v->type = type;
	return v;
}

struct val *val_null(struct arena *a)
{
	return val_new(a, VAL_NULL);
}

struct val *val_bool(struct arena *a, bool b)
{
	struct val *v = val_new(a, VAL_BOOL);

	v->b = b;
	return v;
}

struct val *val_int(struct arena *a, int64_t n)
{
	struct val *v = val_new(a, VAL_NUM);

	v->s = str_fmt(a, "%lld", (long long)n);
	return v;
}

struct val *val_double(struct arena *a, double d)
{
	struct val *v = val_new(a, VAL_NUM);

	if (!isfinite(d))
		BUG("a number that JSON cannot hold");
	for (int digits = 15; digits <= 17; digits++) {
		v->s = str_fmt(a, "%.*g", digits, d);
		if (strtod(v->s.p, NULL) == d)
			break;
	}
	return v;
}

struct val *val_str(struct arena *a, struct str s)
{
	struct val *v = val_new(a, VAL_STR);

	v->s = s;
	return v;
}

struct val *val_list(struct arena *a)
{
	return val_new(a, VAL_LIST);
}

struct val *val_map(struct arena *a)
{
	return val_new(a, VAL_MAP);
}

struct val *val_list_of_strs(struct arena *a, const struct strs *v)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < v->n; i++)
		val_add(list, val_str(a, v->p[i]));
	return list;
}

struct val *val_add(struct val *list, struct val *child)
{
	if (child->next || list->last == child)
		BUG("a value that is already a member is added again");
	if (list->last)
		list->last->next = child;
	else
		list->first = child;
	list->last = child;
	list->n++;
	return child;
}

struct val *val_set(struct arena *a, struct val *map, const char *key, struct val *child)
{
	return val_set_key(map, str_dup(a, str_of(key)), child);
}

struct val *val_set_key(struct val *map, struct str key, struct val *child)
{
	child->key = key;
	return val_add(map, child);
}

struct val *val_copy_shallow(struct arena *a, const struct val *v)
{
	struct val *copy = ARENA_NEW(a, struct val);

	*copy = *v;
	copy->next = NULL;
	return copy;
}

struct val *val_get_key(const struct val *v, struct str key)
{
	if (!v || v->type != VAL_MAP)
		return NULL;
	VAL_EACH(v, m)
		if (str_eq(m->key, key))
			return m;
	return NULL;
}

int64_t val_get_int(const struct val *v, const char *key)
{
	int64_t n = 0;

	val_as_int(val_get(v, key), &n);
	return n;
}

void val_remove_first_n(struct val *list, size_t n)
{
	for (; n && list->first; n--, list->n--)
		list->first = list->first->next;
	if (!list->first)
		list->last = NULL;
}

bool val_as_double(const struct val *v, double *out)
{
	char text[64], *end;

	if (!v || v->type != VAL_NUM || !v->s.n || v->s.n >= sizeof(text))
		return false;
	memcpy(text, v->s.p, v->s.n);
	text[v->s.n] = 0;
	*out = strtod(text, &end);
	return !*end && isfinite(*out);
}

const char *val_type_name(enum val_type t)
{
	static const char *const names[] = {
		[VAL_NULL] = "null",     [VAL_BOOL] = "a boolean", [VAL_NUM] = "a number",
		[VAL_STR] = "a string",  [VAL_TIME] = "a date",    [VAL_LIST] = "a list",
		[VAL_MAP] = "an object",
	};

	return names[t];
}

bool val_eq(const struct val *a, const struct val *b)
{
	const struct val *y;

	if (!a || !b)
		return a == b;
	if (a->type != b->type || a->n != b->n)
		return false;
	switch (a->type) {
	case VAL_NULL: return true;
	case VAL_BOOL: return a->b == b->b;
	case VAL_NUM:
	case VAL_STR:
	case VAL_TIME: return str_eq(a->s, b->s);
	case VAL_LIST:
		y = b->first;
		for (const struct val *x = a->first; x; x = x->next, y = y->next)
			if (!val_eq(x, y))
				return false;
		return true;
	case VAL_MAP:
		for (const struct val *x = a->first; x; x = x->next)
			if (!val_eq(x, val_get_key(b, x->key)))
				return false;
		return true;
	}
	return false;
}

struct keyed {
	struct str key;
	size_t order;
	const struct val *v;
};

ORDER_OF(keyed_cmp, struct keyed, ORDER_STR(key) || ORDER_UP(order))

/*
 * True when all names of the map have different hashes. This is the common case, and much faster
 * than sorting. An attacker can choose names that collide, or that crowd one part of the table. The
 * result is then false, and the names are sorted.
 */
static bool val_names_differ(struct arena *scratch, const struct val *map)
{
	size_t size = 64, mask;
	uint64_t *seen;

	while (size < map->n * 4)
		size *= 2;
	mask = size - 1;
	seen = arena_array(scratch, size, sizeof(*seen));
	VAL_EACH(map, m) {
		uint64_t hash = str_hash(m->key) | 1; /* 0 marks a free slot */
		size_t at = (size_t)(hash >> 8) & mask, last = at + 32;

		for (; seen[at & mask]; at++)
			if (seen[at & mask] == hash || at == last)
				return false;
		seen[at & mask] = hash;
	}
	return true;
}

const struct val *val_duplicate_key(struct arena *scratch, const struct val *map)
{
	struct keyed *k;
	size_t i = 0;

	if (map->n < 2)
		return NULL;
	if (map->n <= 8) {
		VAL_EACH(map, x)
			for (const struct val *y = map->first; y != x; y = y->next)
				if (str_eq(x->key, y->key))
					return x;
		return NULL;
	}
	if (val_names_differ(scratch, map))
		return NULL;
	k = arena_array(scratch, map->n, sizeof(*k));
	VAL_EACH(map, x) {
		k[i] = (struct keyed){x->key, i, x};
		i++;
	}
	qsort(k, map->n, sizeof(*k), keyed_cmp);
	for (i = 1; i < map->n; i++)
		if (str_eq(k[i].key, k[i - 1].key))
			return k[i].v;
	return NULL;
}
