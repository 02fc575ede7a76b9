/* event_common: the fields and functions that the commands over recorded changes share. */
#pragma once

#include "reply/plain_for_model.h"
#include "paths/open_files_for_call.h"

/* The requirement fixes the names (garden, "Events and lint"). */
extern const struct field event_fields[];       /* of struct event */
extern const struct field event_whole_fields[]; /* the same and all other columns */
extern const struct field event_step_fields[];  /* of struct event_step_row */
/*
 * The path as it is recorded: without links, even if the file is gone. A name that is not there
 * stands for the one that looks like it. p NULL stays.
 */
struct err *event_resolve_recorded_path(struct call *c, struct files *f, struct str text,
					struct str *out) MUST_USE;
/*
 * Sets entity and entity_id for an event about this path, as event_resolve_recorded_path() gives
 * it: of a file of the garden the part, say; of no path the user.
 */
void event_entity_of(struct call *c, struct str path, struct event *e);
/* Print the ids of events, and of conversations, that begin so, newest first. */
struct err *event_complete_ids(struct call *c, struct str typed) MUST_USE;
struct err *session_complete(struct call *c, struct str typed) MUST_USE;
/* files_open() with the record of changes, on the command line too. */
struct err *event_open_files_recording(struct call *c, struct files **out) MUST_USE;
