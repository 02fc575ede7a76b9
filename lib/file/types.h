/*
 * types: what kinds of files there are, by their names: `--type c`, the one table; and the choice
 * of files that list, glob and search share.
 */
#ifndef IKM_FILE_TYPES_H
#define IKM_FILE_TYPES_H

#include "re/re.h"

struct file_type {
	const char *name;
	/* Words: one that begins with a dot is an ending, others are whole names. */
	const char *files;
};
/* Sorted by name, ended by {0}. */
extern const struct file_type file_types[];

/* By its name, in any case. */
bool file_is_markdown(struct str path);
/* The same, or plain text: a name of type txt, or one without an ending that no type has. */
bool file_is_prose(struct str path);

/* Which files are wanted: by name, below the folder that was named. */
struct file_pick {
	struct globs globs; /* over paths relative to that folder */
	struct {
		const struct file_type **p; /* any of them; none: all */
		size_t n, cap;
	} types;
	bool all; /* also what .gitignore names */
};
/* BAD_PATTERN, NOT_IN_ENUM. */
struct err *file_pick_new(struct arena *a, const struct strs *globs, const struct strs *types,
			  bool all, struct file_pick *out) MUST_USE;
bool file_picks(const struct file_pick *p, struct str path);

#endif
