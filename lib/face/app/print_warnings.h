/* print_warnings: prints on standard error what ikm could not read, keep or do. Says so when this
 * may be the reason for an empty result. */
#pragma once

#include "app.h"

/* "ikm: warning: …", a line each. */
#define TEMPLATE_WARNINGS "{/warnings:{2:{~'ikm'}: warning: {.}\n}}"
void warnings_print(struct call *c, const struct strs *warnings);
/* An error, and below it what to do, unless the answer is JSON: there it is part of the
 * envelope. */
void print_error_with_steps(struct call *c, struct arena *a, const struct err *e);
/*
 * Gives the error (NULL: none) the step of its reason, if it has no step and its reason has one.
 * What shuts the user out of the store becomes an error that names the file. A tool's parameters
 * are in its schema, so no step tells them.
 */
struct err *warnings_add_step_to_error(struct call *c, struct err *e) MUST_USE;
/*
 * Sets the negative answer of a search that found nothing. When it could not read n files or
 * folders, this is an error instead, for the reason of the first one. The warnings are printed
 * before it; in JSON they are details.
 */
struct err *warnings_report_no_match(struct call *c, size_t n, enum err_reason why,
				     const struct strs *warnings) MUST_USE;
