/*
 * plain: the result of a tool as text for a model. It costs a model fewer tokens than JSON, and no
 * text is escaped. A row of the command table names how its result is printed.
 */
#ifndef IKM_COMMON_PLAIN_H
#define IKM_COMMON_PLAIN_H

#include "cmd/cmd.h"

struct plain {
	/* The member whose text stands alone, unchanged: the content of a file. NULL: none. */
	const char *body;
	/* Prints members of the result, a line each. May be NULL. */
	void (*print)(struct arena *a, struct buf *b, const struct val *result);
	/*
	 * The members that print() prints, or that models need not read; with blanks between them.
	 * Warnings come as sentences, and all other members as an outline: "name: value", rows
	 * with "- ". Empty members are left out, and in rows also false and 0.
	 */
	const char *shown;
	/* Members that are false are printed, too: they may be the answer. */
	bool no;
};

/* *body is empty when there is none. Both are UTF-8. */
void plain_text(struct arena *a, const struct plain *p, const struct val *result, struct str *body,
		struct str *rest);
/* An error: its reason, its message, and the next steps, each once. */
struct str plain_error(struct arena *a, const struct val *envelope);

/* A hash with the digits that ifMatch needs: "sha256:0123456789ab". */
struct str plain_hash(struct str hash);
/* Prints the strings of a list, a line each. */
void plain_lines(struct buf *b, const struct val *list);

extern const struct plain plain_read, plain_paths, plain_find, plain_search, plain_bash,
	plain_patch, plain_tools;

/* For a row without a form of its own. */
extern const struct plain plain_data;
extern const struct plain plain_memories, plain_events, plain_assets, plain_undone;
/* "2 changes of others are left out", for the member others. */
void plain_others(struct buf *b, const struct val *v);

/* For results with FIELDS_WRITTEN: "path: created, 12 bytes, sha256:…". */
extern const struct plain plain_written;
void plain_written_print(struct arena *a, struct buf *b, const struct val *result);
#define PLAIN_WRITTEN "path newHash bytes created changed event lineEnds"

#endif
