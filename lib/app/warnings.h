/* warnings: what could not be read, kept or done, told on standard error; and what there is to say
 * when nothing was found besides. */
#ifndef IKM_APP_WARNINGS_H
#define IKM_APP_WARNINGS_H

#include "app.h"

/* "ikm: …", a line each. */
void warnings_print(struct call *c, const struct strs *warnings);
/* The same of a result's member `warnings`, if it has one. */
void warnings_of(struct call *c, const struct val *result);
/* An error, and below it what to do, unless the answer is JSON: there it is part of the
 * envelope. */
void warnings_error(struct call *c, struct arena *a, const struct err *e);
/*
 * The answer is no: nothing was found. Where not everything could be looked at that is no answer:
 * PERMISSION, MATCH_LIMIT (when a pattern gave up). The warnings are told first; in JSON they are
 * details.
 */
struct err *warnings_none(struct call *c, size_t unreadable, size_t gave_up,
			  const struct strs *warnings) MUST_USE;

#endif
