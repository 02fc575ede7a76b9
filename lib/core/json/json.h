/*
 * json: reads JSON (RFC 8259) into a value tree with spans, and writes a tree as JSON.
 *
 * The reader rejects input that cJSON and other readers accept: invalid UTF-8, raw control
 * characters, leading zeros, text after the value, and duplicate keys. It also limits the levels. A
 * number keeps its source text, and a string may hold NUL. Used for tool input, configuration,
 * manifests and lockfiles.
 */
#pragma once

#include "base/base.h"

#define JSON_BYTES_MAX ((size_t)64 << 20)
#define JSON_DEPTH_MAX 128

struct json_limits {
	size_t bytes; /* 0: JSON_BYTES_MAX */
	size_t depth; /* 0: JSON_DEPTH_MAX */
	/* U+FFFD stands for half of a surrogate pair: JavaScript writes such a string so. */
	bool halves;
};

/*
 * The tree lives in the arena and borrows from `text`, which must outlive it. limits may be NULL.
 * The reader skips a byte order mark at the beginning, because lockfiles of .NET have it. It
 * rejects an escape for half a surrogate pair, or replaces it, so every decoded string is UTF-8.
 *
 * Errors: BAD_JSON, BAD_UTF8, TOO_DEEP, TOO_LONG. The message begins "line L, column C: ", and the
 * details have line and column (in bytes, from 1). *out is set on success only.
 */
struct err *json_read(struct arena *a, struct str text, const struct json_limits *limits,
		      struct val **out) MUST_USE;

/*
 * The text with blanks in place of comments and of commas before a closing bracket, which some
 * programs allow, for json_read(). Every place stays the same.
 */
struct str json_uncommented(struct arena *a, struct str text);

/*
 * indent: 0 writes one line; any other number is the count of spaces for each level. Members keep
 * their order. In a string that is not UTF-8, U+FFFD replaces each invalid byte. A caller that must
 * keep such bytes encodes them as base64 before. A TIME is written as a string, and so is a number
 * that JSON cannot express (TOML's inf). No newline follows the text.
 */
void json_write(struct buf *b, const struct val *v, unsigned indent);
/* The JSON text of the value in one line. */
struct str json_text(struct arena *a, const struct val *v);
/* Writes the string in quotes, escaped. */
void json_write_str(struct buf *b, struct str s);
