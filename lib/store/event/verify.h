/*
 * verify: looks for edits of the record by those who do not have the key (ikm-security(7)).
 *
 * Integrity: the rows that are there are as they were written. Completeness: none is missing. They
 * are two verdicts, since a record with missing rows may be intact in what is left.
 */
#pragma once

#include "event/event.h"

/*
 * gap: rows are missing between two that are there. link: a row continues another row than the one
 * before it. mac: a row was changed, added or replaced. truncated: rows at the end are missing, or
 * the mark of the end was changed. unverifiable: the key is not there, or there never was one.
 * schema: a table, index or trigger of the record is not as ikm made it. derived: event_open
 * does not have the events that are open.
 */
#define EVENT_BREAKS(X)                                                                            \
	X(EVENT_NO_BREAK, "none")                                                                  \
	X(EVENT_BREAK_GAP, "gap")                                                                  \
	X(EVENT_BREAK_LINK, "link")                                                                \
	X(EVENT_BREAK_MAC, "mac")                                                                  \
	X(EVENT_BREAK_TRUNCATED, "truncated")                                                      \
	X(EVENT_BREAK_UNVERIFIABLE, "unverifiable")                                                \
	X(EVENT_BREAK_SCHEMA, "schema") X(EVENT_BREAK_DERIVED, "derived")
enum event_break { EVENT_BREAKS(ENUM_MEMBER) };
extern const char *const event_breaks[];

#define EVENT_INTEGRITIES(X)                                                                       \
	X(EVENT_INTACT, "intact")                                                                  \
	X(EVENT_CHANGED, "changed") X(EVENT_UNVERIFIABLE, "unverifiable")
enum event_integrity { EVENT_INTEGRITIES(ENUM_MEMBER) };
extern const char *const event_integrities[];
#define EVENT_COMPLETENESSES(X)                                                                    \
	X(EVENT_COMPLETE, "complete")                                                              \
	X(EVENT_INCOMPLETE, "incomplete") X(EVENT_UNPROVEN, "unproven")
enum event_completeness { EVENT_COMPLETENESSES(ENUM_MEMBER) };
extern const char *const event_completenesses[];

struct event_break_found {
	enum event_break kind;
	int64_t seq; /* the row, or the first missing one; 0: it is about no row */
	struct str event;
	struct str object; /* "trigger events_no_delete": what is not as ikm made it */
	struct str what;   /* one line, without a secret */
};
struct event_verdict {
	enum event_integrity integrity;
	enum event_completeness completeness;
	int64_t rows, chained; /* rows; rows with a MAC */
	int64_t last;          /* seq of the last row */
	int64_t key_version;   /* in use; 0: none */
	struct event_break_found first;
	/*
	 * The first EVENT_BREAKS_MOST of the rows, then the first ones of the tables; first
	 * included.
	 */
	struct event_break_found *p;
	size_t n, cap;
	int64_t breaks; /* all */
};
#define EVENT_BREAKS_MOST ((size_t)100)
/* Reads the whole record in one read transaction. checkpoint (event/checkpoint.h) may be NULL. */
struct event_checkpoint;
struct err *event_verify(struct events *log, struct arena *a,
			 const struct event_checkpoint *checkpoint,
			 struct event_verdict *out) MUST_USE;
