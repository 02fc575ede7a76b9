/* What git_commit_paths() shares with the checks and readers around it. */
#pragma once

#include "git/internal.h"

#define LOCK_MS 2000 /* git's own locks last for milliseconds */

/* A path that the commit changes; relative to the top, sorted by path. */
struct change {
	struct str path;
	struct str bytes;        /* of the file in the working tree; p NULL: removed */
	const unsigned char *id; /* of the new blob; NULL: removed, or not known yet */
	uint32_t mode;
	bool executable;
	bool there; /* HEAD has a file there */
};

/* What the index or a tree has for one path. Entries that are only intended count as missing. */
struct entry_state {
	bool there, conflict;
	unsigned char id[ID_MAX];
	uint32_t mode;
	struct str in_way; /* what excludes a file there; p NULL: nothing */
};

/* ---- commit_paths.c ---- */

/* libgit2 can write this repository; otherwise plumbing commands of git do. */
bool put_can_use_libgit2(const struct git *g, struct arena *a);

/* ---- index.c ---- */

/* states: one for each change. Takes no lock. */
struct err *index_read_entry_states(struct git *g, struct arena *a, const struct change *c,
				    size_t n, struct entry_state *states) MUST_USE;
bool entry_same(const struct git *g, const struct entry_state *x, const struct entry_state *y);
/* STAGED, with what to do about it. */
struct err *entry_staged_error(const struct entry_state *s, struct str path) MUST_USE;

/* ---- rev.c ---- */

struct head {
	const char *name; /* "refs/heads/main", or "HEAD" when detached */
	bool unborn;
	unsigned char id[ID_MAX], tree[ID_MAX]; /* of the commit, unless unborn */
};
struct err *head_read(struct git *g, struct arena *a, struct head *out) MUST_USE;
/*
 * Moves HEAD's branch from h->id to id, with lines in the reflogs. CHANGED when HEAD or the branch
 * is another now; LOCKED. `who`: the committer, for the reflog.
 */
struct err *head_update_branch(struct git *g, struct arena *a, const struct head *h,
			       const unsigned char *id, struct str who, struct str message,
			       unsigned timeout_ms) MUST_USE;
/*
 * Confirms by ikm's own reading that a reference is not there; CHANGED when it is. libgit2 takes a
 * packed-refs file that it cannot examine for a missing one.
 */
struct err *ref_confirm_missing(struct git *g, const char *name) MUST_USE;
/* Removes the lock files of HEAD and its branch that a killed ikm left. */
void head_remove_stale_locks(struct git *g, struct arena *a, const struct head *h);

/* ---- committable_path.c ---- */

/* The path relative to the top, as git allows it, with nothing in its way in the working tree. */
struct err *path_relative_to_top(struct git *g, struct arena *a, struct str path,
				 struct str *out) MUST_USE;
struct err *path_check_trackable(struct git *g, struct arena *a, struct str path) MUST_USE;
/* UNDER_WAY */
struct err *under_way_check(struct git *g, struct arena *a) MUST_USE;
/* What a tree object (NULL: the empty one) has for the path. */
struct err *tree_read_entry_state(struct git *g, struct arena *a, const unsigned char *tree,
				  struct str path, struct entry_state *out) MUST_USE;
