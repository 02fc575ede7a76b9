/* read_slices: parts of a file by their lines, also of one that is too large to be held in memory.
 * For cmd/. */
#ifndef IKM_CMD_READ_SLICES_H
#define IKM_CMD_READ_SLICES_H

#include "files.h"
#include "lines.h"

/* A content in memory, or a file that is read in pieces up to the last line that is wanted. */
struct read_source {
	int fd;          /* -1: text instead */
	struct str text;
	struct str name; /* for messages */
	uint64_t size;   /* of the whole */
};
/*
 * Opens r when it is a file of over FILE_BYTES_MAX bytes; *out->fd stays -1 for everything else. The
 * arena of f closes it.
 */
struct err *read_source_large(struct files *f, const struct file_ref *r, struct str name,
			      struct read_source *out) MUST_USE;
/* What the lines ask for. TOO_BIG when it is over FILE_BYTES_MAX bytes. */
struct err *read_source_lines(struct call *c, const struct read_source *s, const struct lines *l,
			      struct str *out) MUST_USE;
/*
 * The result's member rangeSlices (seed 001, fs.read): one for each range, in the order given.
 * *tokens: of all of them.
 */
struct err *read_source_slices(struct call *c, const struct read_source *s, const struct lines *l,
			       enum token_model model, struct val **out, size_t *tokens) MUST_USE;

extern const struct field read_slice_fields[];

#endif
