/*
 * formats: the formats of a report. A new format is a line here, a row and a writer in formats.c,
 * and a line in the table of ikm-check(1).
 */
#pragma once

#include "judge/judge.h"
#include "out/out.h"

/* The name in C, the name for users, and its readers. */
#define CHECK_FORMATS(X)                                                                           \
	X(CHECK_AS_TEXT, "text", "people")                                                         \
	X(CHECK_AS_JSON, "json", "scripts; as --json")                                             \
	X(CHECK_AS_GITHUB, "github", "GitHub's annotations and job summary")                       \
	X(CHECK_AS_SARIF, "sarif", "code scanning and editors")                                    \
	X(CHECK_AS_GITLAB, "gitlab", "GitLab's code quality")                                      \
	X(CHECK_AS_JUNIT, "junit", "test reports, as of Jenkins")                                  \
	X(CHECK_AS_JUNIT_FILE, "junit-file", "GitLab's and CircleCI's test reports")               \
	X(CHECK_AS_CHECKSTYLE, "checkstyle", "Jenkins and linters' bots")                          \
	X(CHECK_AS_RDJSON, "rdjson", "reviewdog")
enum check_format { CHECK_FORMATS(ENUM_MEMBER) };
extern const char *const check_formats[], *const check_format_readers[];

/*
 * Prints the whole report, after check_report_finish(). existing: text and JSON also show what
 * the base has; the other formats never do. The same report gives the same bytes.
 */
void check_print_report(enum check_format f, struct out *o, const struct check_report *r,
			bool existing);

/* ---- further outputs: FORMAT:FILE ---- */

struct check_output {
	enum check_format format;
	const char *path;
};
struct check_outputs VEC(struct check_output);
/*
 * Reads the values of an option, before anything is judged. Errors: BAD_ARGUMENT for a value that
 * is no FORMAT:FILE, for standard output and for two outputs to one file; and the errors of
 * os_write(), as FILE_NOT_FOUND for the folder.
 */
struct err *check_outputs_parse_option(struct arena *a, const struct strs *given,
				       struct check_outputs *out) MUST_USE;
/* Replaces each file whole, or leaves it as it was. Stops at the first error. */
struct err *check_outputs_write(const struct check_outputs *outputs, const struct check_report *r,
				bool existing) MUST_USE;

/*
 * Appends a summary in Markdown to the file that GITHUB_STEP_SUMMARY names, if it is set. An error
 * never changes the verdict: the caller reports it.
 */
struct err *check_summary_append(struct arena *a, const struct check_report *r) MUST_USE;
