/* internal: what the files of memtool share with each other and with nobody else. */
#ifndef IKM_MEMTOOL_INTERNAL_H
#define IKM_MEMTOOL_INTERNAL_H

#include "memtool/memtool.h"

#define MEMTOOL_ROOT "/memories"

/* What the commands take; of each command only its own members are set. */
struct memtool_asked {
	struct str command;
	struct str path, old_path, new_path; /* as they are shown */
	struct str file_text, old_str, new_str, insert_text;
	int64_t insert_line;
	const struct val *view_range; /* NULL: not given */
	int64_t first, last;          /* of it */
};

struct memtool_command;
struct memtool_job {
	struct files *f;
	struct arena *a;
	struct memtool_asked asked;
	const struct memtool_command *command;
	struct str text; /* the answer */
	bool refused;    /* it is the error's, in the words of the protocol */
};

struct memtool_command {
	const char *name;
	const struct field *members;
	/* In one transaction, for writing or for reading. */
	struct err *(*run)(struct memtool_job *j);
	bool reads;
};
extern const struct memtool_command memtool_commands[];

/* ---- input.c ---- */

/*
 * "/memories" or "/memories/a/b", a slash at the end apart, as it is shown, without that slash.
 * BAD_PATH, TOO_LONG: parts that are empty, "." or "..", backslashes, control characters, and
 * percent signs that look like an encoded character, whatever that is.
 */
struct err *memtool_path(struct arena *a, struct str text, struct str *shown) MUST_USE;
/* Which command, and its members. BAD_ARGUMENT, MISSING_PARAMETER, …: all are for the model. */
struct err *memtool_input(struct arena *a, const struct val *input, struct memtool_asked *out,
			  const struct memtool_command **command) MUST_USE;

/* ---- memtool.c ---- */

/* The format with each "{}" replaced by the next struct str, whose NULs are data. */
struct str memtool_say(struct arena *a, const char *fmt, ...);
/* The answer is this text, made the same way, and an error: what was done is taken back. */
struct err *memtool_refuse(struct memtool_job *j, const char *fmt, ...) MUST_USE;
/* The asset of that path, and what is there; /memories itself is always a folder. */
struct err *memtool_ref(struct memtool_job *j, struct str shown, struct file_ref *r,
			struct file_stat *st) MUST_USE;
/* The text as lines of its own behind line `line` of the content; false when there is none such. */
bool memtool_insert(struct arena *a, struct str content, int64_t line, struct str text,
		    struct str *out);

/* ---- view.c ---- */

/* Lines first to last of the content, from 1, each behind its number; no newline at the end. */
void memtool_number(struct buf *b, struct str content, size_t first, size_t last);
/* A line without a newline at the end of the text counts too. */
size_t memtool_lines(struct str content);
struct err *memtool_view(struct memtool_job *j) MUST_USE;

#endif
