/* The shared declarations of lib/text/patch. */
#pragma once

#include "patch/patch.h"

/*
 * Parses a name behind "--- " and "+++ " as diff, git and other programs write it: quoted, or up to
 * a tab or a date. For /dev/null p is NULL. *epoch: the name is followed by the first moment of
 * 1970. This is how diff -N says that the file does not exist.
 */
struct str patch_name(struct arena *a, struct str rest, bool *epoch);
/*
 * Parses the two names in the rest of a "diff --git" line. Names without quotes are ambiguous. They
 * can be told apart when they are equal behind their prefixes. They can also be told apart when the
 * section has given `from` and `to`; else these have p NULL. False when the names stay ambiguous.
 */
bool patch_git_names(struct arena *a, struct str rest, struct str from, struct str to,
		     struct str *old, struct str *new);
/* Removes a C-quoted name from the front of *rest; false when there is none. */
bool patch_unquote(struct arena *a, struct str *rest, struct str *out);
