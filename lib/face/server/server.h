/* server: ikm's tools, stored assets and decisions over the Model Context Protocol. lib/agents/mcp
 * speaks the protocol and knows no tools; this module does not see messages. */
#pragma once

#include "app/app.h"

/*
 * Serves a client on standard input and output until it leaves. toolsets not given: the tools with
 * TOOL_CORE. Toolsets without a tool are named on c->err. structured: for programs, not models.
 */
struct err *server_run(struct call *c, const struct cmd_common *common, struct cmd_bits toolsets,
		       bool read_only, bool structured) MUST_USE;
