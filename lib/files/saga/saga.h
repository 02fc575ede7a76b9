/*
 * saga: one write in the garden (ikm-garden(7), WRITING). It is a policy of lib/files/file, so
 * every command that changes a file goes through it when the file lies below the garden's users/.
 * It locks the garden, settles what a dead writer left, judges, records, copies the former content
 * to history/, and makes a Git commit of these two files. It has no rules of its own:
 * lib/files/garden judges, lib/store/event records, lib/repo/git commits.
 *
 * Once a file is in place nothing is rolled back. If Git fails, the event stays `written`, and the
 * next writer or `ikm events reconcile` commits it.
 */
#pragma once

#include "file/file.h"
#include "garden/garden.h"
#include "git/git.h"

struct saga_private;
struct saga {
	struct arena *a; /* of the call; the answers of writes live in it */
	const char *top; /* the garden's folder, absolute; it need not exist. NULL: no garden */
	bool commits;    /* the setting garden.commit */
	bool maintainer; /* the caller may move and delete */
	/* The record of garden writes. Its `keyed` is set, and its ids have the rationale. */
	struct events *log;
	struct saga_private *own; /* set at the first use */
};

/* The policy of this garden. s must outlive it. */
struct file_policy saga_garden_write_policy(struct saga *s);
/*
 * Whether a write of this path would be one in the garden: the file, without links, lies below its
 * users/. The path is relative to cwd, or absolute; the file need not exist. real (may be NULL):
 * the absolute path without links, for any path. Errors: NOT_A_FILE when users/ is a link.
 */
struct err *saga_garden_has_path(struct saga *s, struct arena *a, const char *cwd, struct str path,
				 bool *has, struct str *real) MUST_USE;

/* A relative name, as a person or tool gave it. */
struct saga_name {
	const char *top; /* the garden's folder; NULL: no garden */
	const char *cwd; /* absolute */
	struct str user; /* who asks */
	struct str name;
};
/* Whether the working directory is the garden's folder, so that the name is the garden's. */
bool saga_cwd_is_garden_folder(const struct saga_name *q);
struct saga_stray {
	struct str why; /* a sentence without a full stop */
	/* nobody can mean another folder: users/ is not there, and the garden has the user */
	bool sure;
};
/*
 * Whether a name that lies outside the garden looks like one of the garden: it is below users/, and
 * the garden has that user, or its grammar has a path that is nearly the same.
 */
bool saga_name_is_meant_for_garden(struct arena *a, const struct saga_name *q,
				   struct saga_stray *out);

/*
 * Whether the file still has what the event wrote: the whole content, or, for an event with a
 * section_anchor, that section. For repeats, in the garden and elsewhere.
 */
struct err *saga_event_still_holds(struct saga *s, struct arena *a, const struct event *e,
				   bool *holds) MUST_USE;

/* ---- refused attempts ---- */

/* What somebody tried, before a change of files could begin. */
struct saga_attempt {
	const char *op;
	struct str path, path_to; /* as in saga_garden_has_path(); path_to: only of a move */
	struct str undoes;        /* an event's id, or empty */
};
/*
 * Records an attempt that was refused for `why`, if it is about a file of the garden. Returns
 * `why`, with the event in its details. If it cannot be recorded, a step of `why` says so.
 */
struct err *saga_record_refusal(struct saga *s, struct arena *a, const char *cwd,
				const struct saga_attempt *q, struct err *why);

/* ---- settling ---- */

#define SAGA_OUTCOMES(X)                                                                           \
	X(SAGA_COMMITTED, "committed")                                                             \
	X(SAGA_FAILED, "failed") X(SAGA_DRIFT, "drift") X(SAGA_WAITING, "waiting")
/*
 * committed: the change is in place, and in Git where garden.commit is on
 * failed: the change was not made
 * drift: the file has neither its former content nor the new one; it and the event are left alone
 * waiting: the change is in place, but Git could not commit it
 */
enum saga_outcome { SAGA_OUTCOMES(ENUM_MEMBER) };
extern const char *const saga_outcomes[];

struct saga_settled {
	struct str event, path, op;
	enum saga_outcome outcome;
	struct str commit; /* of a committed change; may be empty */
	struct str why;    /* of drift and waiting */
};
struct saga_report VEC(struct saga_settled);
/*
 * Settles all events of the garden that are pending or written, under its lock. accept: closes the
 * events with drift; the files stay as they are. A pending one becomes failed. A written one was in
 * place, so it becomes committed, with the reason. Waits for a living writer.
 */
struct err *saga_reconcile(struct saga *s, bool accept, struct saga_report *out) MUST_USE;

/* ---- record, commits and copies against each other ---- */

/*
 * by_hand: a file has another content now than the last event wrote
 * elsewhere: a rewritten commit whose content is equal, or one with the event of another machine
 * contradicted: row and commit disagree, or a commit or history copy is gone
 */
#define SAGA_DOUBTS(X)                                                                             \
	X(SAGA_BY_HAND, "by_hand")                                                                 \
	X(SAGA_ELSEWHERE, "elsewhere") X(SAGA_CONTRADICTED, "contradicted")
enum saga_doubt { SAGA_DOUBTS(ENUM_MEMBER) SAGA_DOUBT_KINDS };
extern const char *const saga_doubts[];
#define SAGA_DOUBTS_MOST 100
struct saga_doubted {
	enum saga_doubt kind;
	struct str event, path, commit; /* may be empty */
	struct str what;
};
struct saga_proof {
	bool looked;                     /* there is a garden */
	int64_t proven;                  /* events whose commit has what they wrote */
	int64_t count[SAGA_DOUBT_KINDS]; /* all of each kind; listed: SAGA_DOUBTS_MOST of it */
	struct VEC(struct saga_doubted) doubts;
};
/*
 * Compares each committed event of the garden with the commits that HEAD leads to and with the
 * history copies. Errors: those of reading; NO_REPOSITORY; NO_PROGRAM without git.
 */
struct err *saga_verify_commits(struct saga *s, struct arena *a, struct saga_proof *out) MUST_USE;

/* ---- for proposals ---- */

/* What the policy says about a proposed change; `none` when the file is outside the garden. */
struct saga_judgement {
	bool inside;
	struct str path; /* below the garden's top */
	struct garden_diagnostics diagnostics;
};
/* The judgements of the last judge() of this saga, one for each proposal, in order. */
const struct saga_judgement *saga_last_judgements(const struct saga *s, size_t *n);
