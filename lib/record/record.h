/*
 * record: one description of a C struct that JSON shows, both ways. A row (struct field) has a
 * member's JSON name, its place and C type, and what it means. Results, stored records and foreign
 * inputs are described so; the schemas, the manual and the checks of results read the same rows.
 * This module knows no command and prints nothing.
 */
#ifndef IKM_RECORD_H
#define IKM_RECORD_H

#include "base/base.h"
#include <math.h>

/* What JSON has. */
enum field_type { F_STR, F_INT, F_NUM, F_BOOL, F_STRS, F_OBJ, F_LIST, F_ANY };

enum field_flag {
	/* The member may be missing. It is, where the struct's member is absent (see FIELD). */
	OPTIONAL = 1,
	/* An absent member is null. */
	NULLABLE = 2,
	/* another member has it too: left out over MCP, where a model pays for each byte */
	COPY = 4,
	/* An empty member, 0 or false is absent too. */
	OMIT_EMPTY = 8,
	IF_ANY = OMIT_EMPTY | OPTIONAL,
	/* A list whose rows `run` emits one by one: no member of the struct. */
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

/* What the struct has. */
enum field_kind {
	K_NONE, /* an EMITTED list */
	K_STR,
	K_CHARS, /* const char *, NULL: absent */
	K_STRS,
	K_INT64,
	K_SIZE,
	K_INT, /* -1: absent; with choices the index of one */
	K_UNSIGNED,
	K_DOUBLE, /* NAN: absent */
	K_BOOL,
	K_MAYBE_INT,
	K_MAYBE_BOOL,
	K_TIME,   /* int64_t, milliseconds since 1970, 0: absent; text in JSON */
	K_SET,    /* unsigned: 1 << index into choices; a list in JSON */
	K_JSON,   /* struct str, the text of an object; empty: absent */
	K_VAL,    /* struct val *, NULL: absent */
	K_RECORD, /* a struct within the struct */
	K_RECORD_AT,
	K_RECORDS, /* p and n of an array of structs; p NULL: absent when OPTIONAL */
};

/* Numbers and booleans that may be absent. */
struct maybe_int {
	int64_t n;
	bool given;
};
struct maybe_bool {
	bool b, given;
};

struct field {
	const char *name, *help;
	enum field_type type;
	unsigned flags;
	const struct field *sub;    /* OBJ, LIST */
	const char *const *choices; /* STR, STRS; NULL-ended */
	enum field_kind kind;
	/*
	 * Limits for reading: of a number, of the bytes of a string, of the members of a list and
	 * the bytes of each string in it. max 0: no limits.
	 */
	int64_t min, max;
	size_t offset;
	size_t count; /* K_RECORDS: where the number stands */
	size_t size;  /* K_RECORDS: of one */
	size_t via;   /* FIELD_VIA: where the pointer stands */
	bool has_via;
	bool (*given)(const void *record); /* false: the member is missing, whatever it is */
};

/* clang-format off */
#define FIELD_KIND(x) _Generic((x), struct str: K_STR, const char *: K_CHARS, struct strs: K_STRS,  \
	int64_t: K_INT64, size_t: K_SIZE, int: K_INT, unsigned: K_UNSIGNED, double: K_DOUBLE,       \
	bool: K_BOOL, struct maybe_int: K_MAYBE_INT, struct maybe_bool: K_MAYBE_BOOL,               \
	struct val *: K_VAL, const struct val *: K_VAL)
#define FIELD_TYPE(x) _Generic((x), struct str: F_STR, const char *: F_STR, struct strs: F_STRS,    \
	int64_t: F_INT, size_t: F_INT, int: F_INT, unsigned: F_INT, double: F_NUM, bool: F_BOOL,    \
	struct maybe_int: F_INT, struct maybe_bool: F_BOOL,                                         \
	struct val *: F_ANY, const struct val *: F_ANY)
#define FIELD_PLACE(object, member) .offset = offsetof(object, member)

/*
 * A member of `object` under its JSON name. Behind the help: flags and designated initialisers.
 * Absent is a str, strs or val whose pointer is NULL, a double NAN, an int -1, a maybe not given.
 * A member that is absent and neither OPTIONAL nor NULLABLE is empty or 0 in JSON.
 */
#define FIELD_AS(object, member, json_name, text, ...)                                              \
	{.name = json_name, .help = text, .type = FIELD_TYPE(((object *)0)->member),                \
	 .kind = FIELD_KIND(((object *)0)->member), FIELD_PLACE(object, member), __VA_ARGS__}
/* A member of struct result whose name is the JSON name. */
#define FIELD(member, text, ...) FIELD_AS(struct result, member, #member, text, __VA_ARGS__)
#define FIELD_OF(object, member, text, ...) FIELD_AS(object, member, #member, text, __VA_ARGS__)
/* An enumeration, as the name that `names` has at its number. */
#define FIELD_NAMED(object, member, json_name, names, text, ...)                                    \
	{.name = json_name, .help = text, .type = F_STR, .choices = names,                          \
	 .kind = FIELD_KIND(((object *)0)->member), FIELD_PLACE(object, member), __VA_ARGS__}
/* A set of bits, as a list of names. */
#define FIELD_SET(object, member, json_name, names, text, ...)                                      \
	{.name = json_name, .help = text, .type = F_STRS, .choices = names, .kind = K_SET,          \
	 FIELD_PLACE(object, member), __VA_ARGS__}
#define FIELD_TIME(object, member, json_name, text, ...)                                            \
	{.name = json_name, .help = text, .type = F_STR, .kind = K_TIME,                            \
	 FIELD_PLACE(object, member), __VA_ARGS__}
/* Text of JSON, shown as what it is. */
#define FIELD_JSON(object, member, json_name, text, ...)                                            \
	{.name = json_name, .help = text, .type = F_ANY, .kind = K_JSON,                            \
	 FIELD_PLACE(object, member), __VA_ARGS__}
/* A value tree that must be a list or an object of the rows `rows`; NULL for any. */
#define FIELD_TREE(object, member, json_name, json_type, rows, text, ...)                           \
	{.name = json_name, .help = text, .type = json_type, .sub = rows, .kind = K_VAL,            \
	 FIELD_PLACE(object, member), __VA_ARGS__}
/* A struct within the struct, or a pointer to one (NULL: absent). */
#define FIELD_RECORD(object, member, json_name, rows, text, ...)                                    \
	{.name = json_name, .help = text, .type = F_OBJ, .sub = rows, .kind = K_RECORD,             \
	 FIELD_PLACE(object, member), __VA_ARGS__}
#define FIELD_RECORD_AT(object, member, json_name, rows, text, ...)                                 \
	{.name = json_name, .help = text, .type = F_OBJ, .sub = rows, .kind = K_RECORD_AT,          \
	 FIELD_PLACE(object, member), __VA_ARGS__}
/* An array of structs: `member` has p and n, as a VEC has. */
#define FIELD_RECORDS(object, member, json_name, rows, text, ...)                                   \
	{.name = json_name, .help = text, .type = F_LIST, .sub = rows, .kind = K_RECORDS,           \
	 .offset = offsetof(object, member.p), .count = offsetof(object, member.n),                 \
	 .size = sizeof(*((object *)0)->member.p), __VA_ARGS__}
/* An object of members of this very struct. */
#define FIELD_GROUP(json_name, rows, text, ...)                                                     \
	{.name = json_name, .help = text, .type = F_OBJ, .sub = rows, .kind = K_RECORD,             \
	 __VA_ARGS__}
/*
 * Behind the help of a row of a struct that `object` points to; NULL: the member is absent.
 * FIELD_OF(struct kn_item, title, "its title", FIELD_VIA(struct check_violation, item))
 */
#define FIELD_VIA(object, pointer) .via = offsetof(object, pointer), .has_via = true
/* The list that `run` emits: F_STRS, or F_LIST of objects; rows NULL: of different rows. */
#define FIELD_EMITTED(json_name, json_type, rows, text, ...)                                        \
	{.name = json_name, .help = text, .type = json_type, .sub = rows, .flags = EMITTED,         \
	 __VA_ARGS__}
/* clang-format on */

/*
 * The record as a value tree; both end with {0}. Strings are borrowed, but for invalid UTF-8,
 * which JSON cannot hold: each invalid byte becomes U+FFFD. Numbers that are not finite are absent.
 * EMITTED rows are left out.
 */
struct val *record_val(struct arena *a, const struct field *fields, const void *record);
/* The same of strings that do not live as long as the arena. */
struct val *record_val_copy(struct arena *a, const struct field *fields, const void *record);

/* Gives the record strings of its own; trees and structs that it points to stay as they are. */
void record_own(struct arena *a, const struct field *fields, void *record);

/* What becomes of members that no row names. */
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
struct str record_path(struct arena *a, const struct record_problem *p);
/* The names of the rows, for messages that list what is allowed. */
struct strs record_names(struct arena *a, const struct field *fields);
/* Makes an error of the problem, in words of JSON. what: see struct record_reader. */
struct err *record_error(struct arena *a, const char *what,
			 const struct record_problem *p) MUST_USE;

/* How a foreign value is read into a struct. */
struct record_reader {
	const char *what; /* what messages call it: "a memory" */
	enum record_unknown unknown;
	struct strs *rest; /* RECORD_KEPT: gets the unknown names */
	bool partial;      /* any member may be missing */
	bool nulls;        /* null is a member that is missing; else only where it is NULLABLE */
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
struct err *record_read(struct arena *a, const struct record_reader *how,
			const struct field *fields, const struct val *v, void *record) MUST_USE;

/* Errors of a member that others read too. */
struct err *record_wrong_type(struct str shown, const char *want, const char *found) MUST_USE;
struct err *record_not_in(struct arena *a, struct str shown, struct str found,
			  const char *const *choices) MUST_USE;
struct err *record_missing(struct str shown, const char *help) MUST_USE;
/* The index of the word; -1: it is none of them. */
int record_choice(const char *const *choices, struct str word);

/* Aborts when the value is not what the rows say: `what` names it. For test builds. */
void record_check(const char *what, const struct field *fields, const struct val *v);

#endif
