/*
 * show: a report as the JSON of knowledge_check, and that JSON as text for people and as GitHub
 * annotations. Text is made from the JSON, so they cannot disagree.
 */
#ifndef IKM_CHECK_SHOW_H
#define IKM_CHECK_SHOW_H

#include "check/check.h"
#include "out/out.h"

struct val *check_val(struct arena *a, const struct check_report *r);

/* what: "the commit", "the push", or empty: told to be stopped when something blocks. */
void check_text(struct out *o, const struct val *report, const char *what, bool existing);
/* The lines of it on how the rules changed; nothing when they did not. */
void check_rules_text(struct out *o, const struct val *report);
/* As many as GitHub shows, blocking ones first, and a line that says how many were cut. */
void check_github(struct out *o, const struct val *report);

#endif
