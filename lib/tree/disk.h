/*
 * disk: opens files below a folder from one descriptor of it, without following a link on the way.
 * Paths are those of the tree: no dots, no NUL, no final slash; empty is the top.
 */
#ifndef IKM_TREE_DISK_H
#define IKM_TREE_DISK_H

#include "base/base.h"

#include <sys/stat.h>

struct disk {
	int fd;
	const char *path; /* as named by the caller, for messages */
	struct str name;  /* of the tree */
};

/* The path with the top's path before it. */
const char *disk_shown(struct arena *a, const struct disk *d, struct str path);
/* "cannot DOING 'PATH': …" */
struct err *disk_failed(const struct disk *d, int errnum, const char *doing,
			struct str path) MUST_USE;
/* Close-on-exec; -1 with errno. A final link is ELOOP, except with O_PATH. */
int disk_open(const struct disk *d, struct str path, int flags);
/*
 * stat of a file in a folder (name empty: of the path itself). *there is false when nothing is
 * there, or nothing that the user may look at.
 */
struct err *disk_look(const struct disk *d, struct str path, const char *name, bool follow,
		      struct stat *st, bool *there) MUST_USE;
/* Opens a regular file for reading; never blocks. Errors as in disk_read(), without TOO_BIG. */
struct err *disk_open_file(const struct disk *d, struct str path, int *fd) MUST_USE;
/*
 * Reads a regular file; never blocks. Errors: NOT_A_FILE also for a link and for a file behind a
 * link; FILE_NOT_FOUND, TOO_BIG, PERMISSION, IO_ERROR.
 */
struct err *disk_read(struct arena *a, const struct disk *d, struct str path, size_t max,
		      struct str *out) MUST_USE;
/* The target of a link; NOT_A_FILE for any other file. */
struct err *disk_read_link(struct arena *a, const struct disk *d, struct str path, size_t max,
			   struct str *out) MUST_USE;

#endif
