/* internal: declarations that only the files of memtool share. */
#pragma once

#include "memtool/memtool.h"

#define MEMTOOL_ROOT "/memories"

/* The parameters of all commands. Each command sets only its own. */
struct memtool_asked {
	struct str command;
	struct str path, old_path, new_path; /* as the model sees them */
	struct str file_text, old_str, new_str, insert_text;
	int64_t insert_line;
	const struct val *view_range; /* NULL: not given */
	int64_t first, last;          /* the two numbers of view_range */
};

struct memtool_command;
struct memtool_job {
	struct files *f;
	struct arena *a;
	struct memtool_asked asked;
	const struct memtool_command *command;
	struct str text; /* the answer */
	bool refused;    /* text is an error message in the protocol's words */
};

struct memtool_command {
	const char *name;
	const struct field *members;
	/* Runs in one transaction, which only reads when `reads` is set. */
	struct err *(*run)(struct memtool_job *j);
	bool reads;
};
extern const struct memtool_command memtool_commands[];

/* ---- input.c ---- */

/*
 * Checks a path: "/memories", or "/memories/a/b" with or without a slash at the end. *shown is the
 * path without that slash. BAD_PATH refuses parts that are empty, "." or "..", backslashes, control
 * characters, and encoded characters such as %2e. TOO_LONG refuses long paths.
 */
struct err *memtool_path(struct arena *a, struct str text, struct str *shown) MUST_USE;
/* Finds the command and reads its parameters. All errors (BAD_ARGUMENT, MISSING_PARAMETER, …) are
 * for the model. */
struct err *memtool_input(struct arena *a, const struct val *input, struct memtool_asked *out,
			  const struct memtool_command **command) MUST_USE;

/* ---- memtool.c ---- */

/* Inserts the text as whole lines after line `line` of the content. False when the content has
 * fewer lines. The text gets the line end of the line before it. */
bool memtool_insert(struct arena *a, struct str content, int64_t line, struct str text,
		    struct str *out);

/* Appends lines first to last of the content, counted from 1, with line numbers. No newline follows
 * the last line. */
void memtool_number_lines(struct buf *b, struct str content, size_t first, size_t last);
