/*
 * Applies a unified diff to files and stored assets: to all of its files or none (requirement:
 * garden, fs.patch).
 */
#pragma once

#include "file/file.h"

struct file_patch {
	struct str diff;
	struct str path; /* the file to patch, instead of the diff's names; p NULL: those names */
	int strip;       /* leading parts to remove from the names; -1: see file_patch() */
	unsigned fuzz;
	bool reverse, dry;   /* dry: nothing is written */
	bool forward;        /* skip files to which the diff is applied already */
	bool keeps;          /* deleting and renaming files is NOT_ALLOWED */
	struct str encoding; /* of the files; p NULL: as they show it */
	struct str if_match; /* a condition on the only file; p NULL: none */
	unsigned flags;      /* OS_BREAK_LINKS */
};

#define FILE_PATCH_STATUSES(X)                                                                     \
	X(PATCH_MODIFIED, "modified")                                                              \
	X(PATCH_CREATED, "created")                                                                \
	X(PATCH_DELETED, "deleted")                                                                \
	X(PATCH_RENAMED, "renamed")                                                                \
	X(PATCH_UNCHANGED, "unchanged")
enum file_patch_status { FILE_PATCH_STATUSES(ENUM_MEMBER) };
extern const char *const file_patch_statuses[];

struct file_patched {
	struct str path, from; /* from: of a rename, else empty */
	enum file_patch_status status;
	size_t hunks;
	int64_t offset;        /* lines by which the hunk that moved farthest was moved */
	unsigned fuzz;         /* the most that a hunk needed */
	struct str tolerated;  /* what differed in the lines that it names; empty: nothing */
	struct str hash;       /* of the new content; empty: deleted */
	struct str event;      /* the id of its event, which can be undone, or empty */
	struct file_done kept; /* what a policy said that keeps the file */
};
struct file_patch_result {
	struct file_patched *p;
	size_t n, cap;
	struct strs warnings;
};
/*
 * The diff may be a text that a model wrote: a unified diff with wrong counts in its hunk headers,
 * or "*** Begin Patch".
 *
 * Names are relative to the current folder, and may not leave it; an absolute name may also be
 * below a root. With strip -1, names of git's diffs and pairs of names that begin with a/ and b/
 * lose that part; other names lose nothing. If a section without a rename has two different names,
 * the name that exists is used. If both or none exist, the shorter name is used. A mode that cannot
 * be kept is a warning. All files are locked and all contents computed; if a file cannot be
 * written, the files before it are undone. Errors: those of patch_read(), patch_apply(),
 * file_commit_all(), with the file's name.
 */
struct err *file_patch(struct files *f, const struct file_patch *p,
		       struct file_patch_result *out) MUST_USE;
