/* import_from: reads the files of other programs' memories, for mem import. */
#ifndef IKM_COMMON_IMPORT_FROM_H
#define IKM_COMMON_IMPORT_FROM_H

#include "app/app.h"
#include "memory/foreign.h"

/*
 * Reads a file, or the Markdown files in a folder and the folders below it; links are not followed,
 * and names that begin with a dot are passed over. format -1: by the files' names and contents. A
 * path that is no regular file and no folder, and one of ikm's own lines, stays unread: then *own
 * is true. Errors: those of opening and reading; BAD_ARGUMENT for a folder without a Markdown file.
 */
struct err *import_from(struct call *c, struct str path, int format, struct memory_foreign *f,
			bool *own) MUST_USE;

#endif
