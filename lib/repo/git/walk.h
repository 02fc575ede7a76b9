/*
 * walk: visits commits, the newest first. For file_history.c, which visits a commit once for each
 * name of a file, and reach.c, which visits it once.
 */
#pragma once

#include "git/commit_paths.h"

struct walk_visit {
	unsigned char id[ID_MAX];
	int64_t time;
	struct str path;
	struct entry_state state;   /* of the file in that commit */
	struct str parents, change; /* for reach.c: ids; git_sought.change */
};

struct walk {
	struct git *g;
	struct arena *a; /* for the walk; the caller's arena holds only the result */
	struct VEC(struct walk_visit) heap; /* newest first */
	struct str *seen; /* hashes of id and path of every visit, and of the id of every result */
	size_t seen_n, seen_cap;
	struct strs shallow; /* commits whose parents are missing (shallow clone) */
};

void walk_push_commit(struct walk *w, struct walk_visit v);
/* Removes the newest visit; there must be one. */
struct walk_visit walk_pop(struct walk *w);
/* False when this commit with this path was given before. */
bool walk_is_first_visit(struct walk *w, const struct walk_visit *v);
bool walk_is_shallow(struct walk *w, const unsigned char *id);
