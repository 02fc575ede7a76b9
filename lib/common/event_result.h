/* event_result: the fields and functions that the commands over recorded changes share. */
#ifndef IKM_COMMON_EVENT_RESULT_H
#define IKM_COMMON_EVENT_RESULT_H

#include "files.h"

/* The requirement fixes the names (garden, "Events and lint"). */
extern const struct field event_fields[]; /* of struct event */
/* files_open() with the record of changes, on the command line too. */
struct err *events_open(struct call *c, struct files **out) MUST_USE;

#endif
