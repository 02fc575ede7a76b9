/* warnings: prints on standard error what ikm could not read, keep or do. Says so when this may be
 * the reason for an empty result. */
#ifndef IKM_APP_WARNINGS_H
#define IKM_APP_WARNINGS_H

#include "app.h"

/* "ikm: …", a line each. */
void warnings_print(struct call *c, const struct strs *warnings);
/* An error, and below it what to do, unless the answer is JSON: there it is part of the
 * envelope. */
void warnings_error(struct call *c, struct arena *a, const struct err *e);
/*
 * Sets the negative answer of a search that found nothing. When it could not read everything, this
 * is an error instead: PERMISSION, or MATCH_LIMIT when a pattern gave up. The warnings are printed
 * before it; in JSON they are details.
 */
struct err *warnings_none(struct call *c, size_t unreadable, size_t gave_up,
			  const struct strs *warnings) MUST_USE;

#endif
