/* time_param: a time as people give it to an option. */
#ifndef IKM_COMMON_TIME_PARAM_H
#define IKM_COMMON_TIME_PARAM_H

#include "base/base.h"

#define WHEN_HELP "a date, a time as in RFC 3339, or 30m, 12h, 7d ago"

/*
 * "2026-01-31", "2026-01-31T12:00:00Z", or "7d": so long ago; in ms since 1970. Not given (p NULL),
 * *out stays. BAD_ARGUMENT that names the option.
 */
struct err *when_read(struct str text, const char *name, int64_t *out) MUST_USE;
/* The same for what is to come: "7d" is so long from now. */
struct err *when_read_ahead(struct str text, const char *name, int64_t *out) MUST_USE;

#endif
