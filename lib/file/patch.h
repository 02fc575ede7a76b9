/*
 * A unified diff applied to files and stored assets: all of its files or none (requirement: garden,
 * fs.patch).
 */
#ifndef IKM_FILE_PATCH_H
#define IKM_FILE_PATCH_H

#include "file/file.h"

struct file_patch {
	struct str diff;
	struct str path; /* the one file that is meant, whatever the diff says; p NULL: its names */
	int strip;       /* parts to take off the names; -1: see file_patch() */
	unsigned fuzz;
	bool reverse, dry;   /* dry: nothing is written */
	bool forward;        /* leave alone what it is applied to already */
	bool keeps;          /* no file may go away or get another name: NOT_ALLOWED */
	struct str if_match; /* of the one file; p NULL: none */
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
	int64_t offset;   /* of the hunk that was moved farthest, in lines */
	unsigned fuzz;    /* the most that a hunk needed */
	struct str hash;  /* of the content then; empty: it is gone */
	struct str event; /* the id of the event that undoes all of it, or empty */
};
struct file_patch_result {
	struct file_patched *p;
	size_t n, cap;
	struct strs warnings;
};
/*
 * Names are relative to the current folder, and may not leave it. By themselves those of git, and
 * others that begin with a/ and b/, lose that part; others lose none; of two that are left, the one
 * that exists counts, and the shorter of two that do. What cannot be kept of a mode is a warning.
 * All files are locked, all is computed, and what was written is put back when one cannot be
 * written. Errors: those of patch_read(), patch_apply(), file_commit_all(), with the file's name.
 */
struct err *file_patch(struct files *f, const struct file_patch *p,
		       struct file_patch_result *out) MUST_USE;

#endif
