/* path: which file of the garden a path names (requirement: garden, "Allowed path roots"). */
#pragma once

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
 * ~, also letters above ASCII; it does not begin with a dot. Invisible characters are not letters.
 * garden_id_check() has further rules for new ids.
 */
bool garden_path_read(struct str path, struct garden_path *out);
/*
 * Whether the grammar has files below a folder of this path ("users/ada", "users/ada/parts"), which
 * need not exist. Of *out only user and id are set, and id is empty in a folder of the user.
 */
bool garden_path_is_folder(struct str path, struct garden_path *out);
/* The value that the path gives a field of the front matter; empty: none. */
struct str garden_field_value_from_path(const struct garden_path *path,
					const struct garden_field *f);
/* What an id may be, for messages: "an id has …". */
#define GARDEN_ID_FORM                                                                             \
	"an id has 1 to 128 bytes: letters, digits, and . _ - @ + ~; it begins with a letter, "    \
	"a digit or _, does not end with a dot, and is in Unicode's form NFC"
/*
 * Whether a new file may have this id, which the grammar has: no option ("--help"), no name that
 * shells or systems read in another way ("~", "CON", "a."), and in normalization form C, so that
 * no two ids look the same to every reader. False: *why is "begins with '-'", *fix what to write,
 * or empty.
 */
bool garden_id_check(struct arena *a, struct str id, struct str *why, struct str *fix);
/* Whether a character above ASCII is invisible: a blank, a joiner, a mark without a form. */
bool garden_char_is_invisible(uint32_t c);
/*
 * The path of the grammar that is nearest to a mistyped one: "users/ada/parts/p1/profile.md" for
 * "users/ada/part/p1/profil.md". The path itself when the grammar has it; empty: none is near.
 */
struct str garden_path_meant(struct arena *a, struct str path);
/* "users/{user}/overview.md, …": the forms of all paths that people and tools write. */
struct str garden_path_forms(struct arena *a);
