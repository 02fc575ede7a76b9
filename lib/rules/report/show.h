/*
 * show: a report for readers: rows for JSON, and text for people. Every form reads the members of
 * struct check_report, after check_report_finish(). formats.h has the other forms.
 */
#pragma once

#include "judge/judge.h"
#include "out/out.h"
#include "record/record.h"

/* Of a struct check_report, and of a struct rule_change. */
extern const struct field check_report_fields[], rule_change_fields[];
/* Of a struct waiver. */
extern const struct field exception_fields[];

/*
 * what: "the commit", "the push", or empty. When something blocks, the text says that it was
 * stopped.
 */
void check_print_report_text(struct out *o, const struct check_report *r, const char *what,
			     bool existing);
/* Prints only the lines about changed rules; nothing when no rule changed. */
void check_rule_changes_text(struct out *o, const struct check_report *r);
/* "2 blocking violations; 1 warning; ": the findings that count; nothing when there are none. */
void check_counts_text(struct out *o, const struct check_report *r, const char *what);
/*
 * Tells the author of a commit that is made already what it breaks, and how to mend it. brief: on
 * one line, because many commits follow one another.
 */
void check_print_commit(struct out *o, const struct check_commit *c, bool brief);
/* One line that says what was judged, so that a pass differs from a check of nothing. */
void check_done_text(struct out *o, const struct check_report *r, bool existing);
/* One line for each exception. */
void waivers_list_text(struct out *o, const struct waive_list *list);
/* Prints the findings that exceptions waive; nothing when there are none. */
void check_waived_text(struct out *o, const struct check_report *r);
/* " (rules 0001-a, 0002-b and 2 more)": the items of the rules, each once; empty without rules. */
struct str check_rule_ids_text(struct arena *a, const struct check_unjudged *u);
