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

#endif
