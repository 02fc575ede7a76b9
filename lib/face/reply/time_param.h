/* time_param: reads a time in an option. */
#pragma once

#include "base/base.h"

#define WHEN_HELP "a date or time (the user's, if it has no zone), or 30m, 2h30m, 7d, 1w ago"

/* Reads "2026-01-31", "2026-01-31T12:00", "2026-01-31T12:00:00Z", or an age such as "7d". Without a
 * zone the time is the user's. *out is in ms since 1970.
 * When the option is not given (p NULL), *out keeps its value. BAD_ARGUMENT names the option. */
struct err *when_read(struct str text, const char *name, int64_t *out) MUST_USE;
/* when_read() where 0 means that no time was given: BAD_ARGUMENT for 1970-01-01T00:00:00Z. */
struct err *when_read_nonzero(struct str text, const char *name, int64_t *out) MUST_USE;
/* when_read() for "since" and "until". BAD_ARGUMENT: until is before since. */
struct err *when_read_since_until(struct str since, struct str until, int64_t *from,
				  int64_t *to) MUST_USE;
/* when_read() for a time in the future: "7d" is seven days from now. Also OUT_OF_RANGE. */
struct err *when_read_future(struct str text, const char *name, int64_t *out) MUST_USE;
