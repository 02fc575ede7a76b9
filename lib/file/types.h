/*
 * types: what kinds of files there are, by their names: `--type c`. The one table.
 */
#ifndef IKM_FILE_TYPES_H
#define IKM_FILE_TYPES_H

#include "base/base.h"

struct file_type {
	const char *name;
	/* Words: one that begins with a dot is an ending, others are whole names. */
	const char *files;
};
/* Sorted by name, ended by {0}. */
extern const struct file_type file_types[];

/* NOT_IN_ENUM with the nearest name. */
struct err *file_type_find(struct str name, const struct file_type **out) MUST_USE;
bool file_type_is(const struct file_type *t, struct str path);
/* By its name, in any case. */
bool file_is_markdown(struct str path);
/* The same, or plain text: a name of type txt, or one without an ending that no type has. */
bool file_is_prose(struct str path);

#endif
