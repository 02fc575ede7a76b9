/* The table of the rules, and what readers see of a judgement. */
#include "garden/path.h"
#include "garden/garden.h"

#define RATIONALE_MAX ((size_t)500)

const struct garden_rule_row garden_rules[GARDEN_RULE_COUNT] = {
#define X(c, id, severity, fixable, summary, force, fix)                                           \
	{id, summary, fix, GARDEN_##severity, GARDEN_FORCE_##force, fixable},
	GARDEN_RULES(X)
#undef X
};
static const char *const garden_rule_ids[] = {GARDEN_RULES(ENUM_NAME) NULL};
static const char *const garden_severities[] = {"info", "warning", "error", NULL};

#define D struct garden_diagnostic
const struct field garden_diagnostic_fields[] = {
	FIELD_NAMED(D, rule, "rule", garden_rule_ids, "the rule"),
	FIELD_NAMED(D, severity, "severity", garden_severities, "how severe it is"),
	FIELD_OF(D, blocks, "the change is not made"),
	FIELD_OF(D, overridden, "it would block, and a rationale or a maintainer allows it",
		 .flags = IF_ANY),
	FIELD_OF(D, old, "the file had it before the change", .flags = IF_ANY),
	FIELD_OF(D, line, "from 1", .flags = IF_ANY),
	FIELD_OF(D, column, "from 1, in bytes", .flags = IF_ANY),
	FIELD_OF(D, message, "what is wrong"),
	FIELD_OF(D, fix, "what to do"),
	{0},
};
#undef D

bool garden_diagnostics_any_blocks(const struct garden_diagnostics *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->p[i].blocks)
			return true;
	return false;
}

struct err *garden_rationale_check(struct str rationale)
{
	bool seen = false;
	uint32_t code;

	if (rationale.n > RATIONALE_MAX)
		return err_new(E_TOO_LONG, "the rationale has %zu bytes; at most %zu are allowed",
			       rationale.n, RATIONALE_MAX);
	if (!str_is_utf8(rationale))
		return err_new(E_BAD_UTF8, "the rationale is not UTF-8");
	for (size_t i = 0; i < rationale.n; i++)
		if ((unsigned char)rationale.p[i] < 0x20 || rationale.p[i] == 0x7f)
			return err_new(E_BAD_ARGUMENT,
				       "the rationale has a %s at byte %zu; it must be one line of "
				       "text",
				       rationale.p[i] == '\n' ? "newline" : "control character",
				       i + 1);
	/* U+0085, U+2028 and U+2029 end a line for some readers. */
	if (str_holds(rationale, "\xc2\x85") || str_holds(rationale, "\xe2\x80\xa8") ||
	    str_holds(rationale, "\xe2\x80\xa9"))
		return err_new(E_BAD_ARGUMENT,
			       "the rationale has a line separator; it must be one line of text");
	if (str_holds(rationale, "<!--") || str_holds(rationale, "-->"))
		return err_new(E_BAD_ARGUMENT, "the rationale has '<!--' or '-->'; it is copied "
					       "into the Change Log, where comments are anchors");
	/* A reader of the Change Log must see the reason, and its letters in their order. */
	for (size_t i = 0; i < rationale.n;) {
		i += str_utf8_char(rationale.p + i, rationale.n - i, &code);
		if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
			return err_new(E_BAD_ARGUMENT,
				       "the rationale has U+%04X, which changes the order in which "
				       "letters are shown",
				       (unsigned)code);
		seen = seen || (code < 0x80 ? code > ' ' : !garden_char_is_invisible(code));
	}
	return seen || !rationale.n ? NULL : err_new(E_BAD_ARGUMENT, "the rationale is blank");
}

/* ---- the refusal ---- */

struct str garden_diagnostic_text(struct arena *a, const struct garden_diagnostic *d)
{
	struct buf b = buf_in(a);

	if (d->line)
		buf_fmt(&b, "line %zu: ", d->line);
	buf_fmt(&b, "%s: %.*s; %.*s", garden_rules[d->rule].id, STR_ARG(d->message),
		STR_ARG(d->fix));
	return buf_as_str(&b);
}

struct err *garden_refusal(struct arena *a, struct str path, const struct garden_diagnostics *d)
{
	const struct garden_diagnostic *first = NULL;
	enum garden_force weakest = GARDEN_FORCE_CAP;
	struct strs reasons = {0}, rules = {0};
	struct err *e;

	VEC_EACH(const struct garden_diagnostic, at, d) {
		if (!at->blocks)
			continue;
		first = first ? first : at;
		strs_push(a, &reasons, garden_diagnostic_text(a, at));
		if (!strs_has(&rules, str_of(garden_rules[at->rule].id)))
			strs_push(a, &rules, str_of(garden_rules[at->rule].id));
		if (garden_rules[at->rule].force < weakest)
			weakest = garden_rules[at->rule].force;
	}
	if (!first)
		BUG("a refusal without a fault that blocks");
	e = err_new(E_GARDEN_POLICY, "'%.*s': %.*s", STR_ARG(path),
		    STR_ARG(garden_diagnostic_text(a, first)));
	if (reasons.n > 1)
		e = err_add_context(e, "%zu faults block the change; the first", reasons.n);
	err_add_detail(e, "path", path);
	err_detail_list(e, "rules", &rules);
	err_detail_list(e, "blockedReasons", &reasons);
	if (first->line)
		err_detail_int(e, "line", (int64_t)first->line);
	/* A fault that no rationale opens makes the advice for the others useless. */
	if (weakest == GARDEN_FORCE_CAP)
		err_help(e,
			 "give --rationale WHY: one line that says why the cap does not hold here");
	else if (weakest == GARDEN_FORCE_TOOL)
		err_help(e, "no tool may do that; a person may: commit it with git");
	else if (weakest == GARDEN_FORCE_PERSON)
		err_help(e, "no tool may do that; a person may: commit it with git and a line "
			    "'Ikm-Rationale: WHY' at the end of the commit message");
	return e;
}
