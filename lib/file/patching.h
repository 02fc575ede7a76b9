/* What patch.c and patchname.c share. */
#ifndef IKM_FILE_PATCHING_H
#define IKM_FILE_PATCHING_H

#include "file/patch.h"
#include "patch/patch.h"

/*
 * Where a section of a diff reads and writes: different for renames and copies only. BAD_PATCH when
 * it names none, OUTSIDE_ROOTS for names that leave the current folder or mean .git.
 */
struct err *file_patch_names(struct files *f, const struct patch_file *s, int strip, bool reverse,
			     struct str *from, struct str *to) MUST_USE;

#endif
