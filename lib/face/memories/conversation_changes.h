/* conversation_changes: the changes of a conversation, or since a time, as one: for events diff and
 * undo. lib/files/file/session_changes.h does that for files, and knows no memories.
 */
#pragma once

#include "events/event_common.h"
#include "file/session_changes.h"
#include "memories.h"

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
/* Whether a diff can show it: it is kept, and is text. */
bool event_session_is_text(const struct file_version *v);
/* A unified diff of two versions; empty when one is not kept, or is no text. */
struct err *event_session_diff_two_versions(struct arena *a, struct str from_name,
					    const struct file_version *from, struct str to_name,
					    const struct file_version *to,
					    struct str *out) MUST_USE;

/* ---- memories ---- */

/*
 * The changes that are in place, newest first; those of other users are not for this one. A filter
 * with a path has none.
 */
struct err *mem_session_events(struct call *c, struct memories *m, const struct event_filter *given,
			       struct event_list *out) MUST_USE;
/*
 * A person sees the memories of an agent and of a conversation, too: they are found by these
 * identifiers, so a person need not repeat those of the event.
 */
void mem_session_as(struct call *c, struct memories *m, const struct event *e);
