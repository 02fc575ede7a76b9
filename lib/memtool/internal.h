/* internal: what the files of memtool share with each other and with nobody else. */
#ifndef IKM_MEMTOOL_INTERNAL_H
#define IKM_MEMTOOL_INTERNAL_H

#include "memtool/memtool.h"

#define MEMTOOL_ROOT "/memories"

/* What the commands take; of each command only its own members are set. */
struct memtool_asked {
	struct str path, old_path, new_path; /* as they are shown */
	struct str file_text, old_str, new_str, insert_text;
	int64_t insert_line;
	struct {
		bool given;
		int64_t first, last;
	} view_range;
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
	const struct memtool_member *members;
	/* In one transaction, for writing or for reading. */
	struct err *(*run)(struct memtool_job *j);
	bool reads;
};
extern const struct memtool_command memtool_commands[];

/* ---- input.c ---- */

enum memtool_type { MEMTOOL_PATH, MEMTOOL_TEXT, MEMTOOL_LINE, MEMTOOL_RANGE };
struct memtool_member {
	const char *name;
	size_t offset;
	enum memtool_type type;
	bool optional;
};
/* Which command, and its members. BAD_ARGUMENT, MISSING_PARAMETER, …: all are for the model. */
struct err *memtool_input(struct arena *a, const struct val *input, struct memtool_asked *out,
			  const struct memtool_command **command) MUST_USE;

/* ---- memtool.c ---- */

/* The format with each "{}" replaced by the next struct str, whose NULs are data. */
struct str memtool_say(struct arena *a, const char *fmt, ...);
/* The answer is this text, made the same way, and an error: what was done is taken back. */
struct err *memtool_refuse(struct memtool_job *j, const char *fmt, ...) MUST_USE;

/* ---- view.c ---- */

struct err *memtool_ref(struct memtool_job *j, struct str shown, struct file_ref *r,
			struct file_stat *st) MUST_USE;
struct err *memtool_view(struct memtool_job *j) MUST_USE;

#endif
