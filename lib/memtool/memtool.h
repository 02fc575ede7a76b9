/*
 * memtool: the client's side of Anthropic's memory tool (memory_20250818): its six commands over
 * stored assets below memories/, with the answers that its documentation fixes. Used by
 * cmd/memory_tool.c. Knows nothing of standard input and of the service that the host talks to.
 *
 * "/memories/a.md" is the asset memories/a.md; nothing else can be named. Each command is one
 * transaction: of two hosts at once one is first, and the other sees what it left.
 */
#ifndef IKM_MEMTOOL_H
#define IKM_MEMTOOL_H

#include "file/file.h"
#include "record/record.h"

/* The answer. Type and tool_use_id: of a block, so that it is the block to send back. */
struct memtool_said {
	const char *type;
	struct str tool_use_id;
	struct str content; /* the text for the model */
	bool is_error;
};
extern const struct field memtool_fields[];

/*
 * asked: the tool's input ({"command": "view", "path": "/memories"}), or the whole block of type
 * tool_use that has it.
 *
 * What the model asked for in vain is success with is_error. An error is what only the host or a
 * person can mend (PROVIDER_ERROR, TIMEOUT and such of the store); *out is set then too, for a host
 * that goes on.
 */
struct err *memtool_answer(struct files *f, struct arena *a, const struct val *asked,
			   struct memtool_said *out) MUST_USE;
/* The same for an error from elsewhere: of a line that is no JSON. */
struct memtool_said memtool_trouble(struct arena *a, const struct err *e);

#endif
