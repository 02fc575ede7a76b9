/*
 * toml: reads TOML 1.0 into a value tree with spans. Cargo.toml, Cargo.lock, pyproject.toml,
 * poetry.lock, uv.lock. Held against toml-test.
 */
#ifndef IKM_TOML_H
#define IKM_TOML_H

#include "base/base.h"

/*
 * The tree lives in the arena and may borrow from `text`. Integers are VAL_NUM in decimal, floats
 * VAL_NUM as written without underscores (inf and nan as such), dates and times VAL_TIME as
 * written. Errors: BAD_TOML, BAD_UTF8, TOO_DEEP (128 levels); message "line L, column C: …",
 * details line and column.
 */
struct err *toml_read(struct arena *a, struct str text, struct val **out) MUST_USE;

#endif
