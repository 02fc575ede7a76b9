/*
 * types: the table of file types by name (`--type c`), and the selection of files for list, glob
 * and search.
 */
#pragma once

#include "re/re.h"

struct file_type {
	const char *name;
	/* Words: a word that begins with a dot is an extension, other words are whole names. */
	const char *files;
};
/* Sorted by name, ended by {0}. */
extern const struct file_type file_types[];

/* Whether the name of the file is of the type md. Ignores case. */
bool file_is_markdown(struct str path);
/* Markdown or plain text: a name of type txt, or a name without extension that has no type. */
bool file_is_prose(struct str path);

/* Which files are wanted, by name, below the folder that the user named. */
struct file_pick {
	struct globs globs;                         /* for paths relative to that folder */
	struct VEC(const struct file_type *) types; /* any of them; none: all */
	bool all;                                   /* include files that .gitignore names */
};
/* Errors: BAD_PATTERN, NOT_IN_ENUM. */
struct err *file_filter_new(struct arena *a, const struct strs *globs, const struct strs *types,
			    bool all, struct file_pick *out) MUST_USE;
bool file_filter_matches(const struct file_pick *p, struct str path);
