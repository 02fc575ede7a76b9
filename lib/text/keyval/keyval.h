/*
 * keyval: the settings that a file has, as lines "key.path=value", from JSON, YAML, TOML, INI, .env
 * and properties files. For rules on settings. Knows no rules.
 */
#pragma once

#include "base/base.h"

/* A longer path of keys is TOO_LONG, or a small file could make a large one. */
#define KEYVAL_PATH_MAX ((size_t)4096)

enum keyval_kind {
	KEYVAL_NONE,   /* no file of settings */
	KEYVAL_READ,   /* ikm has a reader */
	KEYVAL_UNREAD, /* it has settings, and no reader */
};
/* By the name of the file, ignoring case. */
enum keyval_kind keyval_kind(struct str path);

struct keyval {
	/*
	 * "server.port=80", "jobs[].name=x": an item of a list is "[]". Keys are as written, and a
	 * key may itself have dots. A map or list with members is the path alone.
	 */
	struct str line;
	size_t key; /* the length of the path */
	bool inner; /* a map or a list with members */
	size_t at;  /* of the key, or of the item, in the file */
};
/* `k` and its line are valid until the function returns. */
typedef void keyval_fn(void *ctx, const struct keyval *k);

/*
 * Calls fn for each setting, in the order of the file; a map or list before its members. The name
 * decides the format.
 *
 * - JSON may have comments and trailing commas.
 * - YAML: every document. Aliases count where they are used, and "<<" merges as YAML 1.1 has it.
 * - null is "null"; an empty map "{}", an empty list "[]".
 * - INI: "section.key"; "[a "b"]" is "a.b". Deeper indented lines continue a value, but for the
 *   formats of Git, npm and EditorConfig. Quotes around a value are removed, and comments behind
 * it. Values of Git's files are as Git reads them.
 * - .env: quotes are removed, escapes in double quotes resolved; variables are not. Text behind the
 *   closing quote belongs to the value.
 * - properties: as java.util.Properties reads them.
 * A key that is given twice is two settings, where the format allows it.
 *
 * Errors: those of the format's reader, and BAD_CONFIG, TOO_LONG. The message begins "line L,
 * column C: " when the place is known.
 */
struct err *keyval_read(struct arena *scratch, struct str path, struct str text, keyval_fn *fn,
			void *ctx) MUST_USE;
