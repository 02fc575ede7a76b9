/*
 * query_log: the turn trace (requirement: memory queries, "Error Handling"). It has one row for
 * each memory query: the question, the outcome, the reason, the duration. The setting
 * trace.keepDays limits its age.
 */
#pragma once

#include "db/db.h"

/* From the least to the most severe. A query that was cut and then failed is `failed`. */
#define TRACE_OUTCOMES(X)                                                                          \
	X(TRACE_OK, "ok") X(TRACE_CUT, "cut") X(TRACE_DENIED, "denied") X(TRACE_FAILED, "failed")
enum trace_outcome { TRACE_OUTCOMES(ENUM_MEMBER) };
extern const char *const trace_outcomes[];

/* Longer texts are cut here and end with "...", so that queries cannot be used as storage. */
#define TRACE_TEXT_MAX 1024

struct trace_row {
	int64_t seq, time; /* ms */
	struct str request, tool, user;
	struct str agent;       /* the agent that asks and owns the row */
	struct str named_agent; /* the agent in the request, when it is another */
	struct str task, query, memory_type, text;
	enum trace_outcome outcome;
	struct str reason; /* "Policy deny: …", "budget_tokens cut from 900 to 500" */
	int64_t total, returned, budget, tokens;
	double time_ms; /* to the microsecond */
	bool cached;
};
struct trace_list VEC(struct trace_row);
/* Writes the rows of a request in one transaction, and deletes rows older than keep_ms. */
struct err *trace_put(struct db *db, const struct trace_list *rows, int64_t keep_ms,
		      const struct db_write *how) MUST_USE;
struct trace_filter {
	struct str user; /* only this user's rows */
	struct str request, tool, agent, memory_type;
	int outcome;                  /* -1: any */
	int64_t since, until, before; /* ms, ms, seq; 0: any */
	size_t limit;
};
/* Newest first. */
struct err *trace_list_requests(struct db *db, struct arena *a, const struct trace_filter *f,
				struct trace_list *out) MUST_USE;
/* Reads the rows of all users, and reports the damaged ones. */
struct err *trace_verify(struct db *db, struct arena *a, struct db_damaged_rows *damaged) MUST_USE;
