/* event_result: what the commands over recorded changes share. */
#ifndef IKM_COMMON_EVENT_RESULT_H
#define IKM_COMMON_EVENT_RESULT_H

#include "files.h"

/* The names are those of the requirement (garden, "Events and lint"). */
extern const struct field event_fields[]; /* of struct event */
/* files_open() with the record, on any face. */
struct err *events_open(struct call *c, struct files **out) MUST_USE;

#endif
