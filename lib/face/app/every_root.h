/* every_root: one answer about all folders that are open to a tool. */
#pragma once

#include "app.h"

/*
 * app_run_command() of a tool. A tool with TOOL_EVERY_ROOT, and without a path, runs once in each
 * root that
 * --root, files.roots or the client of a server names, and the answers become one: lists follow
 * each other, numbers are added, and `passed` needs all. Paths are then absolute, and rows of the
 * knowledge tools name their root. A path of the input is looked up only in the root that it lies
 * in; a relative one in the first root. An error of one root is a warning while another root
 * answers, and so is a root of a client that cannot be opened.
 */
struct err *every_root_run(struct call *c, const struct cmd_common *common, const struct val *input,
			   struct val **result) MUST_USE;
