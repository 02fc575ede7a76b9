/*
 * store_file: the file around the database: checks that it exists, creates it, and says how to save
 * its contents. Private to db; knows nothing of sqlite3.
 */
#pragma once

#include "base/base.h"

struct store_state {
	bool there;
	const char *real;   /* without links */
	bool wal;           /* the file's "-wal" exists */
	uint64_t wal_bytes; /* size of the "-wal": committed, but not in the file yet */
	struct str inode;   /* of the file, as text */
};
/* DB_CORRUPT when it is not a regular file. */
struct err *store_state_read(struct arena *a, const char *path, struct store_state *out) MUST_USE;
bool store_is_there(const char *path);
/* The suffix of a salvage's complete copy. */
#define STORE_SALVAGED ".salvaged"
/*
 * Makes the folder and an empty file when they are missing; then reads the state as
 * store_state_read().
 */
struct err *store_make(struct arena *a, const char *path, struct store_state *out) MUST_USE;
/* A URI that opens the file without locks and without files beside it. */
const char *store_immutable_uri(struct arena *a, const char *path);
/* Whether the error is a missing write permission. */
bool store_error_is_unwritable(const struct err *e);
struct err *store_no_home(void) MUST_USE;
/* Adds the steps that save the contents of a broken store; returns e. */
struct err *store_error_add_rescue(struct err *e);
/* The same for a file of which not even a salvage can read a row. */
struct err *store_unreadable(struct err *e, const char *path);
