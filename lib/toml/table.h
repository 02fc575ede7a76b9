/*
 * table: the lists and tables of a TOML document while it is read, with what decides whether more
 * may be put into them. Private to lib/toml.
 */
#ifndef IKM_TOML_TABLE_H
#define IKM_TOML_TABLE_H

#include "base/base.h"

enum made {
	BY_HEADER, /* [x], and each element of [[x]] */
	BY_PARENT, /* x in [x.y]: may get its own header later */
	BY_DOT,    /* x in x.y = 1 */
	INLINE,    /* { }: closed */
	ARRAY,     /* [ ]: closed */
	TABLES,    /* the list of all [[x]] */
};

struct member;

/* Every VAL_LIST and VAL_MAP of the reader is the first member of one of these. */
struct table {
	struct val v;
	enum made made;
	unsigned depth;
	struct member *index; /* of a map with many members */
};

struct table *table_new(struct arena *a, enum made made, unsigned depth);
/* The table or list that v is part of; NULL when v is none. */
struct table *table_of(struct val *v);
/* Any number of members is found in logarithmic time, whatever a stranger chose as keys. */
struct val *table_get(const struct table *t, struct str key);
/* The key must not be there. */
void table_add(struct arena *a, struct table *t, struct val *v);

#endif
