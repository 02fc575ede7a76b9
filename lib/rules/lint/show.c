#include "lint/show.h"
#include "crypt/crypt.h"
#include "garden/garden.h"
#include "out/sarif.h"

/* ---- rows ---- */

static const struct field problem_fields[] = {
	FIELD_NAMED(struct lint_problem, rule, "rule", lint_rule_ids, "the rule"),
	FIELD_NAMED(struct lint_problem, severity, "severity", lint_severities, "how severe it is"),
	FIELD_AS(struct lint_problem, path, "file", "the file, or the source"),
	FIELD_OF(struct lint_problem, line, "from 1", .flags = IF_ANY),
	FIELD_OF(struct lint_problem, column, "from 1, in bytes", .flags = IF_ANY),
	FIELD_OF(struct lint_problem, message, "what is wrong"),
	FIELD_OF(struct lint_problem, fixable, "--fix mends it"),
	{0},
};
static const struct field fixed_fields[] = {
	FIELD_AS(struct lint_fixed, path, "file", "the file"),
	FIELD_NAMED(struct lint_fixed, rule, "rule", lint_rule_ids, "the rule"),
	FIELD_OF(struct lint_fixed, places, "how many places were changed"),
	{0},
};
static const struct field failed_fields[] = {
	FIELD_AS(struct lint_failed, path, "file", "the file"),
	FIELD_OF(struct lint_failed, reason, "the reason, as in an error"),
	FIELD_OF(struct lint_failed, message, "why it was not mended"),
	{0},
};
static const struct field rule_row_fields[] = {
	FIELD_OF(struct lint_rule_row, id, "the rule"),
	FIELD_NAMED(struct lint_rule_row, severity, "severity", lint_severities, "its severity"),
	FIELD_OF(struct lint_rule_row, fixable, "--fix mends it"),
	FIELD_OF(struct lint_rule_row, summary, "what it reports"),
	{0},
};

#define R struct lint_result
static const struct field lint_summary_fields[] = {
	FIELD_AS(R, report.errors, "errors",
		 "problems that lose rules, or that the garden's policy blocks"),
	FIELD_AS(R, report.warnings, "warnings", "other problems"),
	FIELD_AS(R, report.infos, "infos", "hints"),
	{0},
};
const struct field lint_result_fields[] = {
	FIELD_OF(R, success, "the files were read"),
	FIELD_OF(R, passed, "there is no error, and --fix could write each file"),
	FIELD_RECORDS(R, report.problems, "problems", problem_fields, "by file and place"),
	FIELD_GROUP("summary", lint_summary_fields, "how many"),
	FIELD_AS(R, report.files, "files", "files that were read"),
	FIELD_AS(R, report.notes, "notes", "what was not looked at, and why", .flags = IF_ANY),
	FIELD_AS(R, report.needs, "needs", "decisions that need a certain version of ikm",
		 .flags = IF_ANY),
	FIELD_AS(R, report.no_knowledge, "noKnowledge", "no source is configured", .flags = IF_ANY),
	FIELD_RECORDS(R, fixed, "fixed", fixed_fields, "what --fix changed", .flags = OPTIONAL),
	FIELD_RECORDS(R, fixed.failed, "failed", failed_fields, "what --fix could not mend",
		      .flags = OPTIONAL),
	FIELD_RECORDS(R, rules, "rules", rule_row_fields, "with --list-rules", .flags = OPTIONAL),
	{0},
};
#undef R

/* ---- text ---- */

void lint_text_out(struct out *o, const struct lint_report *r)
{
	static const enum out_style styles[] = {
		[LINT_INFO] = OUT_DIM, [LINT_WARNING] = OUT_YELLOW, [LINT_ERROR] = OUT_RED};

	VEC_EACH(const struct lint_problem, p, &r->problems) {
		/* A problem of the whole file stands at its begin, for programs that read places.
		 */
		out_styled(o, OUT_BOLD, p->path);
		out_fmt(o, ":%zu:%zu: ", size_max(p->line, 1), size_max(p->column, 1));
		out_styled(o, styles[p->severity], str_of(lint_severities[p->severity]));
		out_fmt(o, " %s: ", lint_rules[p->rule].id);
		out_safe_line(o, p->message);
	}
}

static void lint_number(struct out *o, unsigned n, const char *what, const char *sep)
{
	out_fmt(o, "%s%u %s%s", sep, n, what, PLURAL(n));
}

void lint_summary_text(struct out *o, const struct lint_report *r)
{
	size_t fixable = 0;

	for (size_t i = 0; i < r->problems.n; i++)
		fixable += r->problems.p[i].fixable;
	for (size_t i = 0; i < r->notes.n; i++) {
		out_puts(o, "not linted: ");
		out_safe_line(o, r->notes.p[i]);
	}
	for (size_t i = 0; i < r->needs.n; i++) {
		out_safe(o, r->needs.p[i], false);
		out_puts(o, "\n");
	}
	if (r->no_knowledge && !r->garden) {
		out_puts(o, KNOWLEDGE_NONE "\n");
		return;
	}
	lint_number(o, r->files, r->garden ? "file" : "item", "");
	lint_number(o, r->errors, "error", ": ");
	lint_number(o, r->warnings, "warning", ", ");
	if (r->infos)
		lint_number(o, r->infos, "hint", ", ");
	if (fixable)
		out_fmt(o, "; --fix mends %zu", fixable);
	out_puts(o, "\n");
}

void lint_print_fixes(struct out *o, const struct lint_fixes *fixed)
{
	VEC_EACH(const struct lint_fixed, f, fixed) {
		out_puts(o, "fixed ");
		out_styled(o, OUT_BOLD, f->path);
		out_fmt(o, ": %s: %zu place%s\n", lint_rules[f->rule].id, f->places,
			PLURAL(f->places));
	}
}

void lint_print_failed_fixes(struct out *o, const struct lint_fixes *fixed)
{
	for (size_t i = 0; i < fixed->failed.n; i++) {
		out_puts(o, "not fixed ");
		out_safe(o, fixed->failed.p[i].path, false);
		out_puts(o, ": ");
		out_safe_line(o, fixed->failed.p[i].message);
	}
}

void lint_print_rules(struct out *o)
{
	for (int i = 0; i < LINT_RULE_COUNT; i++)
		out_fmt(o, "%-7s  %-5s  %-22s  %s\n", lint_severities[lint_rules[i].severity],
			lint_rules[i].fixable ? "--fix" : "", lint_rules[i].id,
			lint_rules[i].summary);
}

void lint_print_rules_mdoc(struct out *o)
{
	/* What the garden's policy does with a change that breaks the rule. */
	static const char *const forces[] = {
		[GARDEN_FORCE_NEVER] = ", blocks always",
		[GARDEN_FORCE_PERSON] = ", a person decides",
		[GARDEN_FORCE_TOOL] = ", blocks tools",
		[GARDEN_FORCE_CAP] = ", cap",
		[GARDEN_FORCE_WARN] = "",
	};

	for (int i = 0; i < LINT_RULE_COUNT; i++) {
		const struct lint_rule_row *r = &lint_rules[i];

		out_fmt(o, ".It Cm %s Pq %s%s%s\n", r->id, lint_severities[r->severity],
			i < LINT_GARDEN ? "" : forces[garden_rules[i - LINT_GARDEN].force],
			r->fixable ? " , Fl \\-fix" : "");
		out_fmt(o, "%c%s.\n", ascii_upper(r->summary[0]), r->summary + 1);
	}
}

/* ---- other programs ---- */

#define LINT_GITHUB_MAX 10 /* GitHub shows no more of a kind for a step */

void lint_github(struct out *o, const struct lint_report *r)
{
	static const enum out_level levels[] = {
		[LINT_INFO] = OUT_NOTICE, [LINT_WARNING] = OUT_WARNING, [LINT_ERROR] = OUT_ERROR};
	struct arena *a ARENA_LOCAL = arena_new();
	size_t cut = 0;

	for (int s = LINT_ERROR; s >= LINT_INFO; s--) {
		size_t told = 0;

		VEC_EACH(const struct lint_problem, p, &r->problems) {
			if ((int)p->severity != s)
				continue;
			if (told++ < LINT_GITHUB_MAX - (s == LINT_INFO))
				out_github(o, levels[s], p->path, p->line, p->column,
					   str_fmt(a, "ikm lint: %s", lint_rules[p->rule].id),
					   p->message);
			else
				cut++;
		}
	}
	if (cut)
		out_github(o, OUT_NOTICE, (struct str){0}, 0, 0, STR("ikm lint"),
			   str_fmt(a, "%zu more are not shown here; 'ikm lint' lists all", cut));
	lint_summary_text(o, r);
}

/* Equal problems of a file get different fingerprints, and lines do not count: they move. */
static struct str lint_fingerprint(struct arena *a, const struct lint_report *r, size_t at)
{
	const struct lint_problem *p = &r->problems.p[at];
	size_t same = 0, near = at > 1000 ? at - 1000 : 0;

	/* Far away the place in the list tells equal problems apart, so that it takes no time. */
	if (near && str_eq(r->problems.p[near].path, p->path))
		same = at;
	for (size_t i = at; i-- > near && str_eq(r->problems.p[i].path, p->path);)
		same += r->problems.p[i].rule == p->rule &&
			str_eq(r->problems.p[i].message, p->message);
	return str_sub(
		crypt_content_hash(a, str_fmt(a, "%s\n%.*s\n%.*s\n%zu", lint_rules[p->rule].id,
					      STR_ARG(p->path), STR_ARG(p->message), same)),
		7, 19);
}

void lint_sarif(struct out *o, const struct lint_report *r, const char *version)
{
	static const enum sarif_level levels[] = {[LINT_INFO] = SARIF_NOTE,
						  [LINT_WARNING] = SARIF_WARNING,
						  [LINT_ERROR] = SARIF_ERROR};
	struct arena *a ARENA_LOCAL = arena_new();
	struct sarif_rule rules[LINT_RULE_COUNT] = {0};
	const struct sarif_rule kind = {
		.id = STR("not-linted"),
		.title = STR("not linted"),
		.text = STR("lint could not look into this file or source."),
		.help = STR("Its message says why. To read more: ikm help lint"),
		.level = SARIF_WARNING,
	};
	struct sarif_run run = {.tool = "ikm lint",
				.version = version,
				.fingerprint = "ikmLintFingerprint/v1",
				.rules = rules,
				.rules_n = LINT_RULE_COUNT,
				.kinds = &kind,
				.kinds_n = 1};
	struct sarif s = {0};

	for (int i = 0; i < LINT_RULE_COUNT; i++)
		rules[i] = (struct sarif_rule){.id = str_of(lint_rules[i].id),
					       .title = str_of(lint_rules[i].summary),
					       .text = str_of(lint_rules[i].summary),
					       .help = STR("To read more: ikm help lint"),
					       .level = levels[lint_rules[i].severity]};
	sarif_begin(&s, o, &run);
	for (size_t i = 0; i < r->problems.n; i++) {
		const struct lint_problem *p = &r->problems.p[i];

		sarif_result(&s, &(struct sarif_result){
					 .rule = (size_t)p->rule,
					 .level = levels[p->severity],
					 .message = p->message,
					 .place = {.path = p->path,
						   .line = size_max(p->line, 1),
						   .column = p->units},
					 .fingerprint = lint_fingerprint(a, r, i),
				 });
	}
	for (size_t i = 0; i < r->notes.n; i++)
		sarif_notice(&s, &(struct sarif_notice){.id = STR("not-linted"),
							.level = SARIF_WARNING,
							.message = r->notes.p[i]});
	sarif_end(&s);
}
