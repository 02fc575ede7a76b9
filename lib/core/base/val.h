/*
 * val: a value of JSON, YAML or TOML. Their readers return values, and results are values too. A
 * value that was read from a text keeps its span in that text, so a message can name line and
 * column. A tree lives in one arena. Its strings are bytes with a length and may hold NUL.
 */
#pragma once

enum val_type { VAL_NULL, VAL_BOOL, VAL_NUM, VAL_STR, VAL_TIME, VAL_LIST, VAL_MAP };

/* Offsets in bytes into the text that was read: [from, to). Both are 0 when there was no text. */
struct span {
	size_t from, to;
};

struct val {
	enum val_type type;
	bool b;
	bool plain;     /* YAML: the scalar has no quotes. TOML: a dotted key made the table */
	struct str s;   /* STR: the decoded bytes. NUM, TIME: the source text */
	struct span at; /* the value, with its quotes and brackets */
	struct str key; /* in a map: the member's name, decoded */
	struct span key_at;
	struct val *first, *last, *next; /* LIST and MAP: the members in order of appearance */
	size_t n;                        /* number of members */
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
struct val *val_list_of_strs(struct arena *a, const struct strs *v);

/* Appends the child, which must not be in another list or map. Returns the child. */
struct val *val_add(struct val *list, struct val *child);
/* Appends a member without a check for duplicates of its name. Returns the child. */
struct val *val_set(struct arena *a, struct val *map, const char *key, struct val *child);
struct val *val_set_key(struct val *map, struct str key, struct val *child);
/* Removes the first n members. */
void val_remove_first_n(struct val *list, size_t n);
/* Copies the node only; its members are shared. The copy may be added to another list or map. */
struct val *val_copy_shallow(struct arena *a, const struct val *v);

/* NULL when v is NULL, is not a map, or has no such member. */
struct val *val_get_key(const struct val *v, struct str key);
static inline struct val *val_get(const struct val *v, const char *key)
{
	return val_get_key(v, str_of(key));
}
/* The member's string, or the empty string when it is missing or not a string. */
static inline struct str val_get_str(const struct val *v, const char *key)
{
	const struct val *m = val_get(v, key);

	return m && m->type == VAL_STR ? m->s : (struct str){"", 0};
}
/* The member's integer, or 0 when it is missing or not an integer. */
int64_t val_get_int(const struct val *v, const char *key);
/* The number as an integer; false when it has a fraction or an exponent, or does not fit. */
static inline bool val_as_int(const struct val *v, int64_t *out)
{
	return v && v->type == VAL_NUM && str_int(v->s, out);
}
bool val_as_double(const struct val *v, double *out);
/* "a string", "a list": for messages. */
const char *val_type_name(enum val_type t);
/* True for the same type and content. Numbers compare as text; maps compare in any order. */
bool val_eq(const struct val *a, const struct val *b);
/* A member whose name occurs earlier in the map, or NULL. Takes O(n log n) time. */
const struct val *val_duplicate_key(struct arena *scratch, const struct val *map);

#define VAL_EACH(v, it) for (struct val *it = (v) ? (v)->first : NULL; it; it = it->next)
