#include "deps/reader.h"

static struct name *names_slot(const struct names *v, struct str name)
{
	size_t i = (size_t)str_hash(name) & (v->cap - 1);

	while (v->p[i].value && !str_eq(v->p[i].name, name))
		i = (i + 1) & (v->cap - 1);
	return &v->p[i];
}

void names_set(struct arena *a, struct names *v, struct str name, const void *value)
{
	struct names old = *v;
	struct name *slot;

	if (v->n >= v->cap / 2) {
		v->cap = old.cap ? old.cap * 2 : 16;
		v->p = arena_array(a, v->cap, sizeof(*v->p));
		for (size_t i = 0; i < old.cap; i++)
			if (old.p[i].value)
				*names_slot(v, old.p[i].name) = old.p[i];
	}
	slot = names_slot(v, name);
	v->n += !slot->value;
	*slot = (struct name){name, value};
}

const void *names_get(const struct names *v, struct str name)
{
	return v->cap ? names_slot(v, name)->value : NULL;
}

/* With fewer members, a linear search is faster than hashing. */
#define LOOKUP_FEW 16

const struct val *reader_find(struct reader *r, const struct val *map, struct str key)
{
	struct str where = {(const char *)&map, sizeof(map)};
	struct lookup {
		struct names names;
		size_t n; /* members of the map when it was read */
	} * l;

	if (!map || map->type != VAL_MAP || map->n < LOOKUP_FEW)
		return val_get_key(map, key);
	l = (void *)(uintptr_t)names_get(&r->lookup, where);
	if (!l || l->n != map->n) {
		l = ARENA_NEW(r->a, struct lookup);
		l->n = map->n;
		VAL_EACH(map, m)
			if (!names_get(&l->names, m->key))
				names_set(r->a, &l->names, m->key, m);
		names_set(r->a, &r->lookup, str_dup(r->a, where), l);
	}
	return names_get(&l->names, key);
}
