/* share: rows of the record as JSON, for other machines of the same person (lib/sync). */
#ifndef IKM_EVENT_SHARE_H
#define IKM_EVENT_SHARE_H

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
void event_share(struct arena *a, struct db_rows *rows, struct event_shared *out);

#endif
