/* json_export: rows of the record as JSON, for other machines of the same person (lib/memory/sync),
 * and for programs that verify them. */
#pragma once

#include "event/event.h"

/*
 * The columns of the current row, which a statement took as a whole from the table events. Null
 * columns are left out. Bytes that are no text are an object with the member base64.
 */
struct event_shared {
	int64_t seq;
	struct str machine; /* or empty */
	struct val *columns;
};
void event_row_columns_for_sharing(struct arena *a, struct db_rows *rows, struct event_shared *out);

/*
 * Gives each row of the record since that time (ms; 0: all), in order, with the bytes that its MAC
 * covers, so that another program can verify them.
 */
struct event_exported {
	int64_t seq;
	const struct val *bytes;
	struct str chain_hash; /* empty: the row has no MAC */
};
struct err *event_export(struct events *log, struct arena *a, int64_t since,
			 struct err *(*fn)(void *ctx, const struct event_exported *row),
			 void *ctx) MUST_USE;
