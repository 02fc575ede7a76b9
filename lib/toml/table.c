/* The tables of a TOML document, with an index of their members. */
#include "toml/table.h"

#define FEW 8

/*
 * A node of an AA tree. The tree is balanced, so no choice of keys makes reading quadratic. The
 * hash is the first part of the order, because it is faster to compare than keys.
 */
struct member {
	struct member *left, *right;
	uint64_t hash;
	unsigned level;
	struct val *v;
};

static int toml_table_cmp(uint64_t hash, struct str key, const struct member *m)
{
	if (hash != m->hash)
		return hash < m->hash ? -1 : 1;
	return str_cmp(key, m->v->key);
}

struct table *table_new(struct arena *a, enum made made, unsigned depth)
{
	struct table *t = ARENA_NEW(a, struct table);

	t->v.type = made == ARRAY || made == TABLES ? VAL_LIST : VAL_MAP;
	t->made = made;
	t->depth = depth;
	return t;
}

struct table *table_of(struct val *v)
{
	return v->type == VAL_LIST || v->type == VAL_MAP ? (struct table *)v : NULL;
}

struct val *table_get(const struct table *t, struct str key)
{
	const struct member *m = t->index;
	uint64_t hash;

	if (!m)
		return val_get_key(&t->v, key);
	hash = str_hash(key);
	while (m) {
		int c = toml_table_cmp(hash, key, m);

		if (!c)
			return m->v;
		m = c < 0 ? m->left : m->right;
	}
	return NULL;
}

static struct member *skew(struct member *m)
{
	struct member *left = m->left;

	if (!left || left->level != m->level)
		return m;
	m->left = left->right;
	left->right = m;
	return left;
}

static struct member *toml_table_split(struct member *m)
{
	struct member *right = m->right;

	if (!right || !right->right || right->right->level != m->level)
		return m;
	m->right = right->left;
	right->left = m;
	right->level++;
	return right;
}

/* Recursion is safe: the tree has about forty levels at most. */
static struct member *toml_table_insert(struct member *m, struct member *add)
{
	if (!m)
		return add;
	if (toml_table_cmp(add->hash, add->v->key, m) < 0)
		m->left = toml_table_insert(m->left, add);
	else
		m->right = toml_table_insert(m->right, add);
	return toml_table_split(skew(m));
}

static void toml_table_index_add(struct arena *a, struct table *t, struct val *v)
{
	struct member *m = ARENA_NEW(a, struct member);

	m->level = 1;
	m->hash = str_hash(v->key);
	m->v = v;
	t->index = toml_table_insert(t->index, m);
}

void table_add(struct arena *a, struct table *t, struct val *v)
{
	val_add(&t->v, v);
	if (t->index)
		toml_table_index_add(a, t, v);
	else if (t->v.n > FEW)
		VAL_EACH(&t->v, m)
			toml_table_index_add(a, t, m);
}
