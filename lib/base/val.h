/*
 * val: a value as JSON, YAML and TOML know it; what their readers give and what results are made
 * of. A value read from text keeps the span of its source, so a message can name line and column.
 * Everything lives in one arena; strings are bytes with a length, and NUL is data.
 */
#ifndef IKM_VAL_H
#define IKM_VAL_H

enum val_type { VAL_NULL, VAL_BOOL, VAL_NUM, VAL_STR, VAL_TIME, VAL_LIST, VAL_MAP };

/* Offsets in bytes into the text that was read; [from, to). Both 0 for values made in memory. */
struct span {
	size_t from, to;
};

struct val {
	enum val_type type;
	bool b;
	bool plain;     /* YAML: a scalar without quotes; TOML: a bare key's table made by a dot */
	struct str s;   /* STR: the decoded bytes. NUM, TIME: the text as it was written */
	struct span at; /* of the value, quotes and brackets included */
	struct str key; /* in a map: the member's name, decoded */
	struct span key_at;
	struct val *first, *last, *next; /* LIST and MAP: the members in order of appearance */
	size_t n;                        /* how many */
};

struct val *val_null(struct arena *a);
struct val *val_bool(struct arena *a, bool b);
struct val *val_int(struct arena *a, int64_t n);
/* The shortest text that reads back as the same double; NaN and infinities are a BUG. */
struct val *val_double(struct arena *a, double d);
/* Borrows the bytes. */
struct val *val_str(struct arena *a, struct str s);
struct val *val_list(struct arena *a);
struct val *val_map(struct arena *a);
struct val *val_strs(struct arena *a, const struct strs *v);

/* Appends; the child must not be in another list or map. Returns the child. */
struct val *val_add(struct val *list, struct val *child);
/* Appends a member; does not look for one of the same name. Returns the child. */
struct val *val_set(struct arena *a, struct val *map, const char *key, struct val *child);
struct val *val_set_key(struct val *map, struct str key, struct val *child);
/* Takes the first n members out. */
void val_skip(struct val *list, size_t n);
/* The node alone, its members shared, out of any list: for giving a read value back. */
struct val *val_copy(struct arena *a, const struct val *v);

/* NULL when v is NULL, no map, or has no such member. */
struct val *val_get(const struct val *v, const char *key);
struct val *val_get_key(const struct val *v, struct str key);
/* The member's string, or the empty string when it is missing or no string. */
struct str val_get_str(const struct val *v, const char *key);
/* 0 when the member is missing or no integer. */
int64_t val_get_int(const struct val *v, const char *key);
/* The number as an integer; false when it has a fraction or an exponent, or does not fit. */
bool val_as_int(const struct val *v, int64_t *out);
bool val_as_double(const struct val *v, double *out);
/* "a string", "a list": for messages. */
const char *val_type_name(enum val_type t);
/* Same type and content; numbers by text, maps in any order. */
bool val_eq(const struct val *a, const struct val *b);
/* The first member whose name came before in the same map; or NULL. n log n. */
const struct val *val_duplicate_key(struct arena *scratch, const struct val *map);

#define VAL_EACH(v, it) for (struct val *it = (v) ? (v)->first : NULL; it; it = it->next)

#endif
