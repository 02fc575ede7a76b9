/* Declarations for patch.c and patchname.c. */
#ifndef IKM_FILE_PATCHING_H
#define IKM_FILE_PATCHING_H

#include "file/patch.h"
#include "patch/patch.h"

/*
 * The files that a section of a diff reads and writes; they differ only for renames and copies.
 * Errors: BAD_PATCH when it names no file; OUTSIDE_ROOTS for names that leave the current folder or
 * have a part .git.
 */
struct err *file_patch_names(struct files *f, const struct patch_file *s, int strip, bool reverse,
			     struct str *from, struct str *to) MUST_USE;

#endif
