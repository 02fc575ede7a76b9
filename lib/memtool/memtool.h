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

/*
 * asked: the tool's input ({"command": "view", "path": "/memories"}), or the whole block of type
 * tool_use that has it. *out: a map with content, the text for the model, and is_error; of a block
 * with type and tool_use_id too, so that it is the block of type tool_result to send back.
 *
 * What the model asked for in vain is success with is_error. An error is what only the host or a
 * person can mend (PROVIDER_ERROR, TIMEOUT and such of the store); *out is set then too, for a host
 * that goes on.
 */
struct err *memtool_answer(struct files *f, struct arena *a, const struct val *asked,
			   struct val **out) MUST_USE;
/* The same map for an error from elsewhere: of a line that is no JSON. */
struct val *memtool_trouble(struct arena *a, const struct err *e);

#endif
