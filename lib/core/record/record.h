/*
 * record: describes a C struct and its JSON form once, for reading and writing. A row (struct
 * field) has the JSON name of a member, its place and type in C, and its help. Results, stored
 * records and foreign inputs have such rows. Schemas, the manual and the checks of results read the
 * same rows. This module does not depend on commands and prints nothing.
 */
#pragma once

#include "base/base.h"
#include <math.h>

/* The types in JSON. */
enum field_type { F_STR, F_INT, F_NUM, F_BOOL, F_STRS, F_OBJ, F_LIST, F_ANY };

enum field_flag {
	/* The member may be missing: it is when the struct's member is absent (see FIELD_AS). */
	OPTIONAL = 1,
	/* An absent member is null. */
	NULLABLE = 2,
	/* another member has the same content: left out over MCP, where each byte costs tokens */
	COPY = 4,
	/* An empty member, 0 or false is absent too. */
	OMIT_EMPTY = 8,
	IF_ANY = OMIT_EMPTY | OPTIONAL,
	/* A list whose rows `run` emits one by one. The struct has no such member. */
	EMITTED = 16,
	/* Reading keeps the default in the struct when the member is missing. Writing writes it. */
	DEFAULTED = 256,
	/* Reading a string takes a number too, as its text: the version 1.0 in YAML. */
	OR_NUMBER = 32,
	/* Reading a list of strings takes a single string too. */
	OR_ONE = 64,
	/* Reading an enumeration ignores the case of ASCII letters. */
	ANY_CASE = 128,
};

/* The types in the struct. */
enum field_kind {
	K_NONE, /* an EMITTED list */
	K_STR,
	K_CHARS, /* const char *, NULL: absent */
	K_STRS,
	K_INT64,
	K_SIZE,
	K_INT, /* with choices the index of a choice, or -1: absent */
	K_UNSIGNED,
	K_DOUBLE, /* NAN: absent */
	K_BOOL,
	K_MAYBE_INT,
	K_MAYBE_BOOL,
	K_TIME,   /* int64_t, milliseconds since 1970, 0: absent; text in JSON */
	K_SET,    /* unsigned: 1 << index into choices; a list in JSON */
	K_JSON,   /* struct str with the JSON text of an object; empty: absent */
	K_VAL,    /* struct val *, NULL: absent */
	K_RECORD, /* a struct inside the struct */
	K_RECORD_AT,
	K_RECORDS, /* p and n of an array of structs; OPTIONAL: absent when p is NULL */
};

/* Numbers and booleans that can be absent. */
struct maybe_int {
	int64_t n;
	bool given;
};
struct maybe_bool {
	bool b, given;
};

/* Packed: the tables of fields are written at each start, because they hold addresses. */
struct field {
	const char *name, *help;
	const struct field *sub;           /* OBJ, LIST */
	const char *const *choices;        /* STR, STRS: a list with NULL at its end */
	bool (*given)(const void *record); /* false: treat the member as missing */
	/*
	 * Limits for reading: of a number, of the bytes of a string, of the members of a list and
	 * the bytes of each string in it. max 0: no limits.
	 */
	int64_t min, max;
	uint16_t offset;
	uint16_t count; /* K_RECORDS: offset of the number of elements */
	uint16_t size;  /* K_RECORDS, K_RECORD_AT: size of an element */
	uint16_t via;   /* FIELD_VIA: offset of the pointer */
	uint16_t flags;
	enum field_type type : 8;
	enum field_kind kind : 8;
	bool has_via;
};

/* unsigned long has the width of size_t, which is unsigned itself where a pointer has 32 bits. */
/* clang-format off */
#define FIELD_KIND(x) _Generic((x), struct str: K_STR, const char *: K_CHARS, struct strs: K_STRS,  \
	int64_t: K_INT64, unsigned long: K_SIZE, int: K_INT, unsigned: K_UNSIGNED,                  \
	double: K_DOUBLE, bool: K_BOOL, struct maybe_int: K_MAYBE_INT,                              \
	struct maybe_bool: K_MAYBE_BOOL, struct val *: K_VAL, const struct val *: K_VAL)
#define FIELD_TYPE(x) _Generic((x), struct str: F_STR, const char *: F_STR, struct strs: F_STRS,    \
	int64_t: F_INT, unsigned long: F_INT, int: F_INT, unsigned: F_INT, double: F_NUM,           \
	bool: F_BOOL, struct maybe_int: F_INT, struct maybe_bool: F_BOOL,                           \
	struct val *: F_ANY, const struct val *: F_ANY)
#define FIELD_PLACE(object, member) .offset = offsetof(object, member)

/*
 * Describes a member of `object` with its JSON name. Flags and designated initialisers follow the
 * help.
 *
 * These are absent: a str, strs or val with a NULL pointer, a double NAN, an int -1 with choices, a
 * maybe that is not given. An absent member that is neither OPTIONAL nor NULLABLE is empty or 0 in
 * JSON.
 */
#define FIELD_AS(object, member, json_name, text, ...)                                              \
	{.name = json_name, .help = text, .type = FIELD_TYPE(((object *)0)->member),                \
	 .kind = FIELD_KIND(((object *)0)->member), FIELD_PLACE(object, member), __VA_ARGS__}
/* A member of struct result. Its C name is its JSON name. */
#define FIELD(member, text, ...) FIELD_AS(struct result, member, #member, text, __VA_ARGS__)
#define FIELD_OF(object, member, text, ...) FIELD_AS(object, member, #member, text, __VA_ARGS__)
/* An enumeration: JSON has the name at its index in `names`. */
#define FIELD_NAMED(object, member, json_name, names, text, ...)                                    \
	{.name = json_name, .help = text, .type = F_STR, .choices = names,                          \
	 .kind = FIELD_KIND(((object *)0)->member), FIELD_PLACE(object, member), __VA_ARGS__}
/* A set of bits: JSON has a list of names. */
#define FIELD_SET(object, member, json_name, names, text, ...)                                      \
	{.name = json_name, .help = text, .type = F_STRS, .choices = names, .kind = K_SET,          \
	 FIELD_PLACE(object, member), __VA_ARGS__}
#define FIELD_TIME(object, member, json_name, text, ...)                                            \
	{.name = json_name, .help = text, .type = F_STR, .kind = K_TIME,                            \
	 FIELD_PLACE(object, member), __VA_ARGS__}
/* A member that holds JSON text. The JSON form is the value of that text. */
#define FIELD_JSON(object, member, json_name, text, ...)                                            \
	{.name = json_name, .help = text, .type = F_ANY, .kind = K_JSON,                            \
	 FIELD_PLACE(object, member), __VA_ARGS__}
/* A value tree: a list or an object with the rows `rows`; NULL: any rows. */
#define FIELD_TREE(object, member, json_name, json_type, rows, text, ...)                           \
	{.name = json_name, .help = text, .type = json_type, .sub = rows, .kind = K_VAL,            \
	 FIELD_PLACE(object, member), __VA_ARGS__}
/* A struct inside the struct, or a pointer to a struct (NULL: absent). */
#define FIELD_RECORD(object, member, json_name, rows, text, ...)                                    \
	{.name = json_name, .help = text, .type = F_OBJ, .sub = rows, .kind = K_RECORD,             \
	 FIELD_PLACE(object, member), __VA_ARGS__}
#define FIELD_RECORD_AT(object, member, json_name, rows, text, ...)                                 \
	{.name = json_name, .help = text, .type = F_OBJ, .sub = rows, .kind = K_RECORD_AT,          \
	 FIELD_PLACE(object, member), .size = sizeof(*((object *)0)->member), __VA_ARGS__}
/* An array of structs: `member` has p and n, like a vector. */
#define FIELD_RECORDS(object, member, json_name, rows, text, ...)                                   \
	{.name = json_name, .help = text, .type = F_LIST, .sub = rows, .kind = K_RECORDS,           \
	 .offset = offsetof(object, member.p), .count = offsetof(object, member.n),                 \
	 .size = sizeof(*((object *)0)->member.p), __VA_ARGS__}
/* An object whose members are members of this same struct. */
#define FIELD_GROUP(json_name, rows, text, ...)                                                     \
	{.name = json_name, .help = text, .type = F_OBJ, .sub = rows, .kind = K_RECORD,             \
	 __VA_ARGS__}
/*
 * Follows the help of a row. The row describes a member of the struct that a pointer in `object`
 * points to; NULL: the member is absent.
 *   FIELD_OF(struct kn_item, title, "its title", FIELD_VIA(struct check_violation, item))
 */
#define FIELD_VIA(object, pointer) .via = offsetof(object, pointer), .has_via = true
/* The list that `run` emits: F_STRS, or F_LIST of objects. rows NULL: the rows differ. */
#define FIELD_EMITTED(json_name, json_type, rows, text, ...)                                        \
	{.name = json_name, .help = text, .type = json_type, .sub = rows, .flags = EMITTED,         \
	 __VA_ARGS__}
/* clang-format on */

/*
 * Makes a value tree of the record. The rows and their sub-rows end with {0}. Strings are borrowed,
 * except invalid UTF-8, which JSON cannot hold: each invalid byte becomes U+FFFD. Numbers that are
 * not finite are absent. EMITTED rows are left out.
 */
struct val *record_val(struct arena *a, const struct field *fields, const void *record);
/* As record_val(), but copies the strings, for a tree that outlives the record's strings. */
struct val *record_val_with_copies(struct arena *a, const struct field *fields, const void *record);

/*
 * Replaces the record's strings and trees by copies, also those of structs inside it. It leaves
 * members with FIELD_VIA as they are, because they belong to another struct. Rows with
 * FIELD_RECORD_AT or FIELD_RECORDS are a BUG: no caller needs such copies.
 */
void record_deep_copy_in_place(struct arena *a, const struct field *fields, void *record);

/* The treatment of members that no row names. */
enum record_unknown { RECORD_REFUSED, RECORD_IGNORED, RECORD_KEPT };

/* A problem of a value that is read. */
struct record_problem {
	/* WRONG_TYPE, NOT_IN_ENUM, OUT_OF_RANGE, MISSING_PARAMETER or UNKNOWN_PARAMETER */
	enum err_reason reason;
	const struct val *at;       /* the value; MISSING_PARAMETER: the object without it */
	const struct field *field;  /* its row; NULL: an unknown name, or the whole input */
	const struct field *fields; /* UNKNOWN_PARAMETER: the known rows; of an object its rows */
	const char *want;           /* WRONG_TYPE: "a string" */
	const struct record_problem *in; /* the object or list around it; NULL: the whole input */
};
/* The path of the value: "files[0].path"; empty for the whole input. */
struct str record_path_of_problem(struct arena *a, const struct record_problem *p);
/* The names of the rows, for messages that list what is allowed. */
struct strs record_field_names(struct arena *a, const struct field *fields);
/* Makes an error of the problem, in words of JSON. what: see struct record_reader. */
struct err *record_error(struct arena *a, const char *what,
			 const struct record_problem *p) MUST_USE;

/* The rules for reading a foreign value into a struct. */
struct record_reader {
	const char *what; /* its name in messages: "a memory" */
	enum record_unknown unknown;
	struct strs *rest; /* RECORD_KEPT: receives the unknown names */
	bool partial;      /* any member may be missing */
	bool nulls;        /* null counts as missing; else only where the row is NULLABLE */
	/*
	 * Receives each problem. An error that it returns ends the reading; with NULL the reading
	 * goes on. Without it the first problem ends the reading, as the error of record_error().
	 */
	struct err *(*wrong)(void *ctx, const struct record_problem *p);
	void *ctx;
};
/*
 * Reads the members that the rows name. A missing or wrong member leaves the record's member
 * unchanged. Strings and trees are borrowed from v. A struct inside the struct is read in the same
 * way. When a name occurs twice, the last member counts; the readers of JSON, YAML and TOML already
 * reject this.
 */
struct err *record_from_val(struct arena *a, const struct record_reader *how,
			    const struct field *fields, const struct val *v, void *record) MUST_USE;

/* The index of the word in the choices, or -1. */
int record_choice_index(const char *const *choices, struct str word);
/* The list of the choices whose bits are set. */
struct val *record_choices_val(struct arena *a, const char *const *choices, unsigned bits);

/* Aborts when the value does not fit the rows. `what` names it in the message. For test builds. */
void record_check(const char *what, const struct field *fields, const struct val *v);
