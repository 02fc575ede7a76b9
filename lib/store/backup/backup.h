/*
 * backup: everything in ikm's home as one file, and back: the store, keys, tools, manifests,
 * settings and the garden if it is there (ikm-formats(5), "Backups"). The file holds secrets: only
 * its owner may read it.
 */
#pragma once

#include "db/db.h"

struct backup {
	int64_t files, bytes; /* what was written, or restored */
	struct strs skipped;  /* what is no file, such as a link: it is not in the backup */
	struct str hash;      /* of the store; empty: there is none */
};

/* Whether a killed process may leave this path below the home. No backup has it. */
bool backup_is_leftover(struct str path);

/*
 * Writes the backup of `home` to `path`, atomically. The store is copied as it is at one moment,
 * also while others write. Errors: EXISTS without `overwrite`, FILE_NOT_FOUND for the home, TOO_BIG
 * for a file of over FILE_BYTES_MAX bytes, those of the store and of writing.
 */
struct err *backup_write(struct arena *a, struct db *db, const char *home, const char *path,
			 bool overwrite, struct backup *out) MUST_USE;
/*
 * Checks the whole backup, then fills `home`, which must be missing or empty. The home appears
 * complete, or not at all. Errors: BAD_BACKUP with the place, EXISTS.
 */
struct err *backup_restore(struct arena *a, const char *path, const char *home,
			   struct backup *out) MUST_USE;
/* The folder beside the home in which it does so. */
const char *backup_restoring(struct arena *a, const char *home);
/* Only checks it. */
struct err *backup_check(struct arena *a, const char *path, struct backup *out) MUST_USE;
