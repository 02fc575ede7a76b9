/* event_session_changes: the changes of a conversation, or since a time, as one: for events diff
 * and undo.
 */
#pragma once

#include "event_common.h"
#include "file/session_changes.h"

/* Rows of params; struct args has these members. The option is --in-session, for --session says
 * who calls. */
#define PARAMS_EVENT_SESSION                                                                        \
	PARAM(session, .option = "in-session", .meta = "id", .min = 1, .max = 256,                  \
	      .complete = session_complete, .help = "all changes of this conversation"),            \
		PARAM(since, .meta = "time", .min = 1, .max = 64,                                   \
		      .help = "all changes since then: a date, a time, or 30m, 2h30m, 7d, 1w ago"), \
		PARAM(path, .letter = 'p', .flags = PATHS | GARDEN_NAMES, .min = 1,                 \
		      .max = OS_PATH_MAX, .complete = uri_complete,                                 \
		      .help = "only this file or stored asset, or below this folder")

struct event_session_ask {
	struct str session, since, path; /* as they were given */
	bool undo;                       /* what matches is undone, and not only shown */
};
/*
 * The filter. A tool sees the changes of its own user and agent and, unless it names another one,
 * of its own conversation; it undoes no other. *others: the filter leaves out changes for that
 * reason. MISSING_PARAMETER when none of the three is given, or a tool has no conversation;
 * NOT_ALLOWED for the undo of another conversation; NO_SUCH_EVENT for a conversation or a
 * path that the record does not have.
 */
struct err *event_session_make_filter(struct call *c, struct files *f,
				      const struct event_session_ask *q, struct event_filter *out,
				      bool *others) MUST_USE;
/* A row of the result for it. */
#define FIELD_EVENT_OTHERS                                                                         \
	FIELD(conversation, "whose changes are meant, when nobody named a conversation",           \
	      .flags = IF_ANY),                                                                    \
		FIELD(others, "changes of people and of other conversations are left out",         \
		      .flags = IF_ANY)
/* "changes of others are left out" */
void event_session_tell_left_out(struct call *c, bool others);
/* A unified diff of two versions; empty when one is not kept, or is no text. */
struct err *event_session_diff_two_versions(struct arena *a, struct str from_name,
					    const struct file_version *from, struct str to_name,
					    const struct file_version *to,
					    struct str *out) MUST_USE;
/* What somebody changed since: after to now, or before to now when ikm has not kept the middle. */
struct err *event_session_diff_later_edits(struct arena *a, const struct file_version *before,
					   const struct file_version *after,
					   const struct file_version *now,
					   struct str *out) MUST_USE;
/* Sets the diffs of what session_undo() kept. */
struct err *event_session_add_diffs(struct arena *a, struct session_undone *r) MUST_USE;
/* Prints for a person what each version is; the contents are in the diff. */
void event_session_print_file_states(struct call *c, const struct file_version *before,
				     const struct file_version *after,
				     const struct file_version *now);
extern const struct field event_kept_fields[]; /* of struct session_kept */
