/* roots: which folders the tools of a call may touch, and why not others. */
#ifndef IKM_APP_ROOTS_H
#define IKM_APP_ROOTS_H

#include "app.h"

/*
 * c->roots of a call whose repository and settings are open, from the first of these that there is:
 * --root, the setting files.roots, the folders of an MCP client, the top of the repository. Errors:
 * OUTSIDE_ROOTS for a named root in a protected folder, FILE_NOT_FOUND, NOT_A_FILE, BAD_PATH.
 */
struct err *roots_open(struct call *c, const struct cmd_common *common) MUST_USE;
/* Adds to OUTSIDE_ROOTS which folders are open, which are not, and how to open one. */
void roots_help(const struct call *c, struct err *e);

#endif
