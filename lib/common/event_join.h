/* event_join: finds the recorded write that a caller of events_log speaks about. */
#ifndef IKM_COMMON_EVENT_JOIN_H
#define IKM_COMMON_EVENT_JOIN_H

#include "files.h"

/* The words of the caller; all may be empty. */
struct event_claim {
	enum event_type type;
	struct str path; /* as event_path() gives it */
	struct str op, section_anchor, before, after, rationale, evidence_refs;
};
/*
 * Refuses what nobody can use: a hash that is not in the form of one, and an observation or action
 * that says nothing. Errors: BAD_ARGUMENT, MISSING_PARAMETER.
 */
struct err *event_claim_check(const struct event_claim *q) MUST_USE;
/*
 * The event whose write left the hash `after`: sha256: of the bytes, or text:sha256: of the text of
 * the file or of the section. *id empty: there is none. BAD_ARGUMENT: the event has another op or
 * another section than the caller says.
 */
struct err *event_join_find(struct call *c, struct events *log, const struct event_claim *q,
			    struct str *id) MUST_USE;

#endif
