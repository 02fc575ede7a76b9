/* internal: declarations that only the files of tool share. */
#pragma once

#include "tool/tool.h"
#include "os/os.h"

/* Permission bits that let someone else replace a folder or a program. */
#define TOOL_ANYBODY 0002
#define TOOL_GROUP   0020
/* The reason why another user could have put this file or folder there. p is NULL when only root or
 * the user of this process can write to it. */
struct str tool_unsafe_reason(struct arena *a, const struct os_stat *st);

/* tool_read() of a document that was read already. */
struct err *tool_from_document(struct arena *a, struct str name, const struct val *document,
			       struct tool *out, struct str *differs) MUST_USE;
