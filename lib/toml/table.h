/*
 * table: the lists and tables of a TOML document while it is read. Each records how it was made,
 * because that decides whether more may be added to it. Private to lib/toml.
 */
#ifndef IKM_TOML_TABLE_H
#define IKM_TOML_TABLE_H

#include "base/base.h"

enum made {
	BY_HEADER, /* [x], and each element of [[x]] */
	BY_PARENT, /* x in [x.y]: may get its own header later */
	BY_DOT,    /* x in x.y = 1 */
	INLINE,    /* { }: nothing can be added */
	ARRAY,     /* [ ]: nothing can be added */
	TABLES,    /* the list of all [[x]] */
};

struct member;

/* Every VAL_LIST and VAL_MAP of the reader is the first member of a struct table. */
struct table {
	struct val v;
	enum made made;
	unsigned depth;
	struct member *index; /* only for a map with many members */
};

struct table *table_new(struct arena *a, enum made made, unsigned depth);
/* The struct table that contains v; NULL when v is neither list nor map. */
struct table *table_of(struct val *v);
/* Finds a member in logarithmic time, even when an attacker chose the keys. */
struct val *table_get(const struct table *t, struct str key);
/* Adds a member whose key must be new. */
void table_add(struct arena *a, struct table *t, struct val *v);

#endif
