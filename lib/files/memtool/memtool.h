/*
 * memtool: the client's side of Anthropic's memory tool (memory_20250818). Its six commands work on
 * stored assets below memories/; its documentation fixes the answers. cmd/memory_tool.c uses it.
 * This module does not read standard input and does not know the model's service.
 *
 * "/memories/a.md" is the asset memories/a.md; a model can name no other assets. Each command is
 * one transaction, so two hosts at once work one after the other.
 */
#pragma once

#include "file/file.h"
#include "record/record.h"

/* The answer. type and tool_use_id are set when the input was a block, so that the answer is the
 * block to send back. */
struct memtool_said {
	const char *type;
	struct str tool_use_id;
	struct str content; /* the text for the model */
	bool is_error;
};
extern const struct field memtool_fields[];

/*
 * asked: the tool's input, such as {"command": "view", "path": "/memories"}, or the block of type
 * tool_use that contains it.
 *
 * A mistake of the model gives success with is_error. An error is a problem that only the host or a
 * person can solve, such as PROVIDER_ERROR or TIMEOUT of the store. *out is set then too, for a
 * host that continues.
 */
struct err *memtool_answer(struct files *f, struct arena *a, const struct val *asked,
			   struct memtool_said *out) MUST_USE;
/* Makes the answer for an error outside memtool_answer(), such as a line of invalid JSON. */
struct memtool_said memtool_trouble(struct arena *a, const struct err *e);
