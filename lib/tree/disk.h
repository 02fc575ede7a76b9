/*
 * disk: files below a folder, opened from one descriptor of it without following a link on the
 * way. Paths are those of the tree: no dots, no NUL, no slash at an end; empty is the top.
 */
#ifndef IKM_TREE_DISK_H
#define IKM_TREE_DISK_H

#include "base/base.h"

#include <sys/stat.h>

struct disk {
	int fd;
	const char *path; /* as it was named, for messages */
	struct str name;  /* the tree's */
};

/* The path with the top's in front. */
const char *disk_shown(struct arena *a, const struct disk *d, struct str path);
/* "cannot DOING 'PATH': …" */
struct err *disk_failed(const struct disk *d, int errnum, const char *doing,
			struct str path) MUST_USE;
/* Close-on-exec; -1 and errno. The last part may be a link only with O_PATH, else it is ELOOP. */
int disk_open(const struct disk *d, struct str path, int flags);
/* The file of that name in a folder (name empty: of that path); false: cannot be looked at. */
bool disk_look(const struct disk *d, struct str path, const char *name, bool follow,
	       struct stat *st);
/*
 * A regular file, for reading; never blocks. Errors as disk_read(), but TOO_BIG.
 */
struct err *disk_open_file(const struct disk *d, struct str path, int *fd) MUST_USE;
/*
 * A regular file; never blocks. Errors: NOT_A_FILE also for a link and what is behind one;
 * FILE_NOT_FOUND, TOO_BIG, PERMISSION, IO_ERROR.
 */
struct err *disk_read(struct arena *a, const struct disk *d, struct str path, size_t max,
		      struct str *out) MUST_USE;
/* The target of a link; NOT_A_FILE when it is none. */
struct err *disk_read_link(struct arena *a, const struct disk *d, struct str path, size_t max,
			   struct str *out) MUST_USE;

#endif
