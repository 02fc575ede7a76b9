/* warnings: what could not be read or kept, told on standard error; and what there is to say when
 * nothing was found besides. For cmd/ only. */
#ifndef IKM_CMD_WARNINGS_H
#define IKM_CMD_WARNINGS_H

#include "app.h"

/* "ikm: …", a line each. */
void warnings_print(struct call *c, const struct strs *warnings);
/* The same of a result's member `warnings`, if it has one. */
void warnings_of(struct call *c, const struct val *result);
/*
 * The answer is no: nothing was found. Where not everything could be looked at that is no answer:
 * PERMISSION, MATCH_LIMIT (when a pattern gave up). The warnings are told first; in JSON they are
 * details.
 */
struct err *warnings_none(struct call *c, size_t unreadable, size_t gave_up,
			  const struct strs *warnings) MUST_USE;

#endif
