/* ulid: identifiers that sort by time: 48 bits of milliseconds, 80 of randomness, in base 32. */
#ifndef IKM_EVENT_ULID_H
#define IKM_EVENT_ULID_H

#include "base/base.h"

#define ULID_LENGTH ((size_t)26)

/*
 * The next one after `last` (empty: there is none): of the same or an earlier millisecond it is one
 * more, so they always grow, also when the clock goes back.
 */
struct str ulid_new(struct arena *a, int64_t ms, struct str last);
/* The one of this time with these ten bytes. Times before 1970 are 1970. */
#define ULID_RANDOM ((size_t)10)
struct str ulid_of(struct arena *a, int64_t ms, const unsigned char random[ULID_RANDOM]);
/* Whether it is one: 26 digits and capitals, of 128 bits. */
bool ulid_is(struct str s);

#endif
