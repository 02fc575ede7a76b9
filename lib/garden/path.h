/* path: which file of the garden a path names (requirement: garden, "Allowed path roots"). */
#ifndef IKM_GARDEN_PATH_H
#define IKM_GARDEN_PATH_H

#include "garden/grammar.h"

/* "garden:///parts/p1/profile.md" is that file in the folder of the caller. */
#define GARDEN_URI "garden:///"

/*
 * A path below the garden's top. All members borrow from the path or from the grammar.
 *
 * A history copy lies in history/ of the folder of its file. Its name is
 * "20260131T120000.000Z-1a2b3c4d5e6f-profile.md": the time in UTC with milliseconds, the first 12
 * hexadecimal digits of the SHA-256 of the copied bytes, the file's name.
 */
struct garden_path {
	enum garden_kind kind;
	struct str user;        /* "ada" in users/ada/… */
	struct str id;          /* of the part or relationship; else the user */
	struct str entity_type; /* "user", "part", "relationship"; "note" for notes */
	struct str entity_id;   /* as id */
	struct str folder; /* "users/ada/parts/p1": also for a history copy, without history/ */
	struct str file;   /* "profile.md": for a history copy the file that was copied */
	struct str hash;   /* of a history copy: the 12 digits of its name */
};
/*
 * False when the grammar has no such path. An id has 1 to 128 bytes: letters, digits, and . _ - @ +
 * ~, also letters above ASCII; it does not begin with a dot. What is invisible is no letter.
 */
bool garden_path_read(struct str path, struct garden_path *out);
/*
 * Whether the grammar has files below a folder of this path ("users/ada", "users/ada/parts"), which
 * need not exist; *user: whose it is.
 */
bool garden_path_folder(struct str path, struct str *user);
/* Whether a character above ASCII is invisible: a blank, a joiner, a mark without a form. */
bool garden_is_hidden(uint32_t c);
/* "users/{user}/overview.md, …": the forms of all paths that people and tools write. */
struct str garden_path_forms(struct arena *a);

#endif
