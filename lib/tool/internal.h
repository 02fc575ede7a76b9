/* internal: declarations that only the files of tool share. */
#ifndef IKM_TOOL_INTERNAL_H
#define IKM_TOOL_INTERNAL_H

#include "tool/tool.h"
#include "os/os.h"

/* Permission bits that let someone else replace a folder or a program. */
#define TOOL_ANYBODY 0002
#define TOOL_GROUP   0020
/* The reason why another user could have put this file or folder there. p is NULL when only root or
 * the user of this process can write to it. */
struct str tool_strange(struct arena *a, const struct os_stat *st);

/* tool_read() of a document that was read already. */
struct err *tool_of_document(struct arena *a, struct str name, const struct val *document,
			     struct tool *out, struct str *differs) MUST_USE;

/* ---- the cache of answers to --schema: home/tools.cache ---- */

struct tool_memo {
	struct str path;
	int64_t dev, ino, size, mtime; /* of struct os_stat; a large number may be negative here */
	struct val *document;          /* NULL: the program gave no schema */
	struct str why;
	bool late;  /* it had no answer in time */
	int64_t at; /* the time of a failure: os_now() */
};
struct tool_memos {
	struct tool_memo *p;
	size_t n, cap;
};
/* Gives no memos when the file cannot be read: ikm can always ask the programs again. home may be
 * NULL. */
void tool_memos_read(struct arena *a, const char *home, struct tool_memos *out);
/* Ignores write errors: the next run then asks the programs again. */
void tool_memos_write(struct arena *a, const char *home, const struct tool_memos *memos);
/*
 * The memo of this version of the program. NULL when there is none, or when it is an old failure.
 */
const struct tool_memo *tool_memo_of(const struct tool_memos *memos, struct str path,
				     const struct os_stat *st);

#endif
