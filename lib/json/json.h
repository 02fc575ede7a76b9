/*
 * json: reads JSON (RFC 8259) into a value tree with spans, and writes one.
 *
 * The reader refuses what cJSON and others let through: invalid UTF-8, raw control characters,
 * leading zeros, text after the value, duplicate keys, nesting beyond the limit. Numbers keep
 * their text, strings may hold NUL. Used for tool input, configuration, manifests and lockfiles.
 */
#ifndef IKM_JSON_H
#define IKM_JSON_H

#include "base/base.h"

#define JSON_BYTES_MAX ((size_t)64 << 20)
#define JSON_DEPTH_MAX 128

struct json_limits {
	size_t bytes; /* 0: JSON_BYTES_MAX */
	size_t depth; /* 0: JSON_DEPTH_MAX */
};

/*
 * The tree lives in the arena and borrows from `text`, which must outlive it. limits may be NULL.
 * A byte order mark at the beginning is skipped: .NET's lockfiles have one. Half a surrogate pair
 * as an escape is refused, so every string that comes out is UTF-8.
 * Errors: BAD_JSON, BAD_UTF8, TOO_DEEP, TOO_LONG; the message begins "line L, column C: ", and the
 * details have line and column (in bytes, from 1). *out is set on success only.
 */
struct err *json_read(struct arena *a, struct str text, const struct json_limits *limits,
		      struct val **out) MUST_USE;

/*
 * indent 0 writes one line; else that many spaces a level. Members keep their order. Strings that
 * are not UTF-8 are written with U+FFFD (what must keep its bytes is given as base64 by the
 * caller). TIME is written as a string, and so is a number that JSON has no form for (TOML's inf).
 * No newline at the end.
 */
void json_write(struct buf *b, const struct val *v, unsigned indent);
/* The same in one line, by itself. */
struct str json_text(struct arena *a, const struct val *v);
/* One string with its quotes. */
void json_write_str(struct buf *b, struct str s);

#endif
