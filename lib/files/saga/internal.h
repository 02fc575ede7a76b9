/* internal: shared by the files of lib/files/saga only. */
#pragma once

#include "saga/saga.h"

#define SAGA_LOCK_MS 30000

struct saga_private {
	bool looked;
	const char *real;  /* the garden's top without links; NULL: it does not exist */
	const char *users; /* its users/, as text; users_link: it is a symbolic link */
	bool users_link;
	struct str users_real; /* of a link: where it leads */
	struct git *git;       /* opened at the first use */
	bool locked;           /* enter() has the garden's lock for this change */
	bool dry;
	bool detached; /* the last commit is on no branch */
	struct saga_judgement *judged;
	size_t judged_n;
	struct strs unlogged; /* paths whose rationale found no Change Log */
	struct strs strays;   /* names outside the garden that look like its own, for warnings */
	/* What the last settling could not settle, for warnings: by file and reason. */
	struct saga_unsettled_list VEC(struct saga_unsettled) unsettled;
};

/* Earlier changes of a file that are not settled for one reason. */
struct saga_unsettled {
	struct str path, why, oldest; /* oldest: an event */
	size_t n;
	bool waiting; /* Git could not commit them */
};

/* Looks for the garden, once. */
struct err *saga_find_garden(struct saga *s) MUST_USE;
/* The path below the top ("users/ada/…") of an absolute path without links; empty: outside. */
struct str saga_path_below_garden(const struct saga *s, struct str real);
struct err *saga_open_git(struct saga *s) MUST_USE;
/* The folder of an absolute path. */
struct str saga_parent_folder(struct str path);

/* Where the file of an event is when its change is done. */
static inline struct str saga_event_path(const struct event *e)
{
	return e->path_to.n ? e->path_to : e->path;
}

/* ---- history copies ---- */

/* Whether a write of this path keeps its former content. */
bool saga_path_keeps_history_copy(struct str below);
/* Makes one, unless there is one. kept: its event has the content, until a commit has the copy. */
struct err *saga_history_copy_make(struct arena *a, struct str path, struct str content, bool kept,
				   struct str *copy) MUST_USE;
/* The content with this hash among the copies beside the file. p NULL: there is none. */
struct err *saga_history_copy_read(struct arena *a, struct str path, struct str hash,
				   struct str *copy, struct str *content) MUST_USE;

/* ---- commits ---- */

/* What a commit is about; all members are of the event. */
struct saga_commit {
	struct str event, op, tool, agent, rationale;
	struct str path, path_to; /* absolute */
	struct str content;       /* of path_to, or of path; p NULL: it is removed */
	struct str copy;          /* a history copy, or empty */
	struct str copy_content;
	bool forced;              /* a maintainer's verb: the rationale becomes a trailer */
	const struct str *others; /* further events that the same commit holds */
	size_t others_n;
};
/*
 * Makes the commit. *oid is empty when HEAD has the contents already. Errors: those of
 * git_commit_paths(), and NO_REPOSITORY.
 */
struct err *saga_commit(struct saga *s, struct arena *a, const struct saga_commit *c,
			struct str *oid, struct str *warning) MUST_USE;

/* Commits a history copy of a change that was not made: it holds what is there now. */
void saga_history_copy_commit(struct saga *s, struct arena *a, const struct event *e,
			      struct str copy, struct str content);

/* Settles all events of the garden. The caller holds its lock. out may be NULL. */
struct err *saga_settle(struct saga *s, struct arena *a, bool accept,
			struct saga_report *out) MUST_USE;
