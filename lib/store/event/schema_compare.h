/*
 * schema_compare: the tables, indexes and triggers of the record, and what it means when one of
 * them is not as ikm made it. Another program may drop a trigger, and then change rows. In
 * verify.c.
 */
#pragma once

#include "db/db.h"

/* "the trigger 'events_no_delete' is missing: rows can be removed". Of any table of the store. */
struct str event_schema_difference_text(struct arena *a, const struct db_difference *d);
/*
 * Whether event_schema_mend() repairs it: all but a table that is there and differs, or that is
 * missing and does not belong to the record.
 */
bool event_schema_is_mendable(const struct db_difference *d);
/*
 * Repairs what it can, within a transaction, and derives event_open and the size of former contents
 * anew. A missing table of the record is made empty: its rows are lost, and none is invented.
 * done: one line each.
 */
struct err *event_schema_mend(struct db *db, struct arena *a, struct strs *done) MUST_USE;
