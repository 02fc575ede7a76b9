/*
 * show: a report as the JSON of knowledge_check, and that JSON as text for people and as GitHub
 * annotations. The text is made from the JSON, so the two cannot disagree.
 */
#ifndef IKM_CHECK_SHOW_H
#define IKM_CHECK_SHOW_H

#include "check/check.h"
#include "out/out.h"

struct val *check_val(struct arena *a, const struct check_report *r);

/*
 * what: "the commit", "the push", or empty. When something blocks, the text says that it was
 * stopped.
 */
void check_text(struct out *o, const struct val *report, const char *what, bool existing);
/* Prints only the lines about changed rules; nothing when no rule changed. */
void check_rules_text(struct out *o, const struct val *report);
/*
 * Prints as many annotations as GitHub shows, blocking ones first, and a line that counts the rest.
 */
void check_github(struct out *o, const struct val *report);

#endif
