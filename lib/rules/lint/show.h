/* show: the results of ikm lint for readers: rows for JSON, text, GitHub, SARIF; the rules. */
#pragma once

#include "lint/lint.h"
#include "out/out.h"
#include "record/record.h"

/* The result of the command. */
struct lint_result {
	bool success, passed;
	struct lint_report report;
	struct lint_fixes fixed;
	struct {
		const struct lint_rule_row *p; /* NULL: the caller did not ask for the rules */
		size_t n;
	} rules;
};
extern const struct field lint_result_fields[];

/* "PATH:LINE:COLUMN: SEVERITY RULE: MESSAGE", one problem a line. */
void lint_text_out(struct out *o, const struct lint_report *r);
/* One line that counts, so that a clean result differs from a lint of nothing. */
void lint_summary_text(struct out *o, const struct lint_report *r);
void lint_print_fixes(struct out *o, const struct lint_fixes *fixed);
/* "not fixed PATH: MESSAGE", one file a line. */
void lint_print_failed_fixes(struct out *o, const struct lint_fixes *fixed);
/* At most ten annotations of each kind, errors first, and a line that counts the rest. */
void lint_github(struct out *o, const struct lint_report *r);
/* A SARIF log. version: of ikm. */
void lint_sarif(struct out *o, const struct lint_report *r, const char *version);
/* All rules, one a line. */
void lint_print_rules(struct out *o);
/* The same as list items, for man/ikm-lint.mdoc. */
void lint_print_rules_mdoc(struct out *o);
