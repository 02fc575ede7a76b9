/*
 * toml: reads TOML 1.0 into a value tree with spans. Used for Cargo.toml, Cargo.lock,
 * pyproject.toml, poetry.lock and uv.lock. The test suite toml-test checks it.
 */
#pragma once

#include "base/base.h"

/*
 * The tree lives in the arena and may borrow from `text`, which must outlive it. The reader skips a
 * byte order mark at the beginning.
 *
 * An integer is a VAL_NUM in decimal. A float is a VAL_NUM with its source text, without
 * underscores and plus sign; inf, -inf and nan stay as they are. A date or time is a VAL_TIME with
 * its source text. CRLF in a string stays.
 *
 * The span of a value is its text. The span of a table, or of a list of tables, is the header that
 * made it, with the brackets. A table without a header has the span of the part of a key that made
 * it: b in [b.c] or in b.c = 1. A dotted key also sets `plain`. The document's span is the whole
 * text. key_at is the last part of the key. For a table with a header, it is the key in the header.
 * The body of a table has no span: use the spans of its members.
 *
 * Errors: BAD_TOML, BAD_UTF8, TOO_DEEP (over 128 levels, the document counts). The message begins
 * "line L, column C: ", and the details have line and column (in bytes, from 1). *out is set on
 * success only.
 */
struct err *toml_read(struct arena *a, struct str text, struct val **out) MUST_USE;
