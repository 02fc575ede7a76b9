/* ulid: identifiers that sort by time: 48 bits of milliseconds, 80 of randomness, in base 32. */
#pragma once

#include "base/base.h"

#define ULID_LENGTH ((size_t)26)

/*
 * A new ULID above `last` (empty: none). If the time of `last` is not before ms, the result is
 * `last` plus one: ULIDs grow even when the clock goes back.
 */
struct str ulid_new(struct arena *a, int64_t ms, struct str last);
/* The ULID of this time with these ten random bytes. Times before 1970 count as 1970. */
#define ULID_RANDOM ((size_t)10)
struct str ulid_of(struct arena *a, int64_t ms, const unsigned char random[ULID_RANDOM]);
/* Whether s is a ULID: 26 digits of Crockford's base 32, at most 128 bits. */
bool ulid_is(struct str s);
/*
 * A ULID, or the beginning of one, as a person may have typed it: small letters count as capital
 * ones. The text need not be one.
 */
struct str ulid_normalize_input(struct arena *a, struct str s);
