/* What writing and reading a backup share. */
#pragma once

#include "backup/backup.h"
#include "crypt/crypt.h"
#include "os/os.h"
#include "out/out.h"
#include "record/record.h"

#define BACKUP_HEAD     "ikm backup 1\n"
#define BACKUP_END      "end "
#define BACKUP_FILE_MAX ((size_t)1 << 30)
#define BACKUP_LINE_MAX ((size_t)64 << 10)
#define COPY_NAME       "ikm.db.copy-for-backup"

struct backup_file {
	struct str path;
	int64_t mode, size;
	struct str hash;
};
extern const struct field backup_rows[];

/* Reads a file piece by piece. */
struct backup_source {
	struct arena *a;
	const char *name;
	int fd;
	char *p;
	size_t from, to; /* what is in p */
	int64_t at;      /* the offset in the file of p + from */
	struct progress progress;
};
/* The arena closes the file. */
struct err *backup_source_open(struct arena *a, const char *path,
			       struct backup_source *out) MUST_USE;
/* At most `most` bytes; an empty part is the end. They are valid until the next call. */
struct err *backup_source_read_some(struct backup_source *s, int64_t most,
				    struct str *part) MUST_USE;
struct backup_to {
	int fd;
	const char *name;
};
/* Reads at most `most` bytes, and gives their number and hash. to: also writes them; NULL: no. */
struct err *backup_source_hash(struct backup_source *s, int64_t most, const struct backup_to *to,
			       int64_t *size, struct str *hash) MUST_USE;
/* A line without its LF; *found false: there is no LF within BACKUP_LINE_MAX bytes. */
struct err *backup_source_read_line(struct backup_source *s, struct str *line,
				    bool *found) MUST_USE;
