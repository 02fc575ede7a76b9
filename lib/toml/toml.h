/*
 * toml: reads TOML 1.0 into a value tree with spans. Cargo.toml, Cargo.lock, pyproject.toml,
 * poetry.lock, uv.lock. Held against toml-test.
 */
#ifndef IKM_TOML_H
#define IKM_TOML_H

#include "base/base.h"

/*
 * The tree lives in the arena and may borrow from `text`, which must outlive it. A byte order mark
 * at the beginning is skipped.
 * Integers are VAL_NUM in decimal, floats VAL_NUM as written without underscores and plus sign
 * (inf, -inf and nan as such), dates and times VAL_TIME as written. CRLF in a string stays.
 * Spans: a value's is its text. A table's, and that of a list of tables, is the header that made
 * it, with the brackets; where none did, the part of the key that did: b in [b.c], and in b.c = 1
 * (there `plain` is set too). The document's is all of the text. key_at is the key's last part; if
 * the table has a header, the one in it. A table's body has no span: look at its members'.
 * Errors: BAD_TOML, BAD_UTF8, TOO_DEEP (128 levels, the document counts); the message begins
 * "line L, column C: ", and the details have line and column (in bytes, from 1). *out is set on
 * success only.
 */
struct err *toml_read(struct arena *a, struct str text, struct val **out) MUST_USE;

#endif
