/* store: the file around the database: whether it is there, making it, how to save what is in it.
 * For lib/db only; knows nothing of sqlite3. */
#ifndef IKM_DB_STORE_H
#define IKM_DB_STORE_H

#include "base/base.h"

struct store_look {
	bool there;
	bool wal;           /* the file's "-wal" is there */
	uint64_t wal_bytes; /* its size: what was committed and is not yet in the file itself */
};
/* DB_CORRUPT when it is no regular file. */
struct err *store_look(struct arena *a, const char *path, struct store_look *out) MUST_USE;
bool store_is_there(const char *path);
/* Its folder and an empty file, where there are none; and what is there now. */
struct err *store_make(struct arena *a, const char *path, struct store_look *out) MUST_USE;
/* As a URI that is read without locks and without files beside it. */
const char *store_immutable(struct arena *a, const char *path);
/* Whether an error says that we may not write there. */
bool store_is_closed(const struct err *e);
struct err *store_no_home(void) MUST_USE;
/* Steps that save what is in a broken store; returns e. */
struct err *store_rescue(struct err *e, const char *path);

#endif
