/* read_part: which part of a file is read, and how much of it an answer has room for. For cmd/. */
#ifndef IKM_CMD_READ_PART_H
#define IKM_CMD_READ_PART_H

#include "fit.h"
#include "lines.h"

struct read_part {
	struct str path;
	struct str text;    /* the whole file */
	struct str content; /* what was asked for, with line numbers if asked */
	struct lines lines; /* as asked for */
	size_t before;      /* lines of the text before the first that may be asked for */
	size_t end;         /* the last that may be */
};

/* "A:B", counted from 1, of a text; in UTF-8 no character is cut. BAD_ARGUMENT, OUT_OF_RANGE. */
struct err *read_bytes(struct str text, struct str range, struct str *out) MUST_USE;
/* OUT_OF_RANGE with the number of lines: all that is asked for is behind the end. */
struct err *read_past(const struct read_part *p) MUST_USE;
/*
 * Cuts the content to the room, which becomes less. True when something was left out: *more says
 * what and how to go on.
 */
bool read_cut(const struct fit *f, struct read_part *p, size_t *room, struct str *more);

/* "image/png" and the like, by its first bytes; NULL: no picture that a model can be shown. */
const char *read_image(struct arena *a, struct str base64);

#endif
