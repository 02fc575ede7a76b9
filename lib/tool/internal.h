/* internal: what the files of tool share with each other and with nobody else. */
#ifndef IKM_TOOL_INTERNAL_H
#define IKM_TOOL_INTERNAL_H

#include "tool/tool.h"
#include "os/os.h"

/* Of a folder or a program: what runs could be a stranger's. */
#define TOOL_ANYBODY 0002
#define TOOL_GROUP   0020
/* Why what is there could be a stranger's; p NULL: only its owner, who is root or we, writes to
 * it. */
struct str tool_strange(struct arena *a, const struct os_stat *st);

/* tool_read() of a document that was read already. */
struct err *tool_of_document(struct arena *a, struct str name, const struct val *document,
			     struct tool *out, struct str *differs) MUST_USE;

/* ---- what programs answered: home/tools.cache ---- */

struct tool_memo {
	struct str path;
	int64_t dev, ino, size, mtime; /* of struct os_stat; a large number may be negative here */
	struct val *document;          /* NULL: it failed */
	struct str why;
	int64_t at; /* when it failed: os_now() */
};
struct tool_memos {
	struct tool_memo *p;
	size_t n, cap;
};
/* Nothing when it cannot be read: it can always be made again. home may be NULL. */
void tool_memos_read(struct arena *a, const char *home, struct tool_memos *out);
/* Where that is not possible, the next one asks again. */
void tool_memos_write(struct arena *a, const char *home, const struct tool_memos *memos);
/* What is remembered of this program as it is now; NULL for nothing, or a failure of long ago. */
const struct tool_memo *tool_memo_of(const struct tool_memos *memos, struct str path,
				     const struct os_stat *st);

#endif
