/*
 * garden: Markdown files that agents edit and people trust. This module has the grammar of their
 * paths and texts, and the policy: the only place of its rules. The write tools, `ikm propose`,
 * `ikm lint` and the Git hooks ask it (requirement: garden, "Safety model").
 *
 * It works on bytes. It knows neither files nor Git nor events. section_edit.h has the functions
 * that compute new texts; they do not judge.
 */
#pragma once

#include "garden/grammar.h"
#include "garden/path.h"
#include "garden/garden_rule_table.h"
#include "record/record.h"

/* How strictly a rule binds; garden_rule_table.h names the force of each. */
enum garden_force {
	GARDEN_FORCE_NEVER,
	GARDEN_FORCE_PERSON,
	GARDEN_FORCE_TOOL,
	GARDEN_FORCE_CAP,
	GARDEN_FORCE_WARN
};
/* The severities are those of lint, in its order. */
enum garden_severity { GARDEN_INFO, GARDEN_WARNING, GARDEN_ERROR };

struct garden_rule_row {
	const char *id, *summary, *fix;
	enum garden_severity severity;
	enum garden_force force;
	bool fixable;
};
/* In the order of enum garden_rule. */
extern const struct garden_rule_row garden_rules[GARDEN_RULE_COUNT];

/* One change of one file. */
struct garden_ask {
	struct str path;          /* below the garden's top: "users/ada/parts/p1/profile.md" */
	struct str user;          /* who asks; empty: nobody in particular, any folder will do */
	struct str before, after; /* p NULL: there is no file */
	struct str rationale;     /* one line; empty: none */
	bool person; /* a person's change, in a hook: caps warn, a rationale opens PERSON rules */
	bool maintainer; /* a verb with --maintainer: PERSON rules are open */
	bool snapshot;   /* the writer of history copies: such a path is its own */
};

struct garden_diagnostic {
	enum garden_rule rule;
	enum garden_severity severity; /* of this diagnostic: an error only when it blocks or was
					  overridden, and in garden_lint_text() */
	bool blocks;                   /* the change must not be made */
	bool overridden; /* it would block, and a rationale or a maintainer allows it: for the event
			    (lint.overrides) and the Change Log */
	bool old;        /* the text before had the same, or worse: it never blocks */
	bool fixable;    /* `ikm lint --fix` mends it */
	size_t line, column; /* in the text after (before, when it is gone); 0: the whole file or
				line. column in bytes */
	struct str subject;  /* what the rule is about: an anchor, a field; may be empty */
	struct str message;  /* what is wrong, with names and figures; no full stop */
	struct str fix;      /* what to do; never empty */
};
struct garden_diagnostics VEC(struct garden_diagnostic);
/* Rows for JSON: rule, severity, blocks, overridden, line, column, message, fix. */
extern const struct field garden_diagnostic_fields[];

/*
 * Judges a change. The diagnostics are sorted by place and rule. A fault that `before` has too, and
 * that the change does not make worse, is `old`, so that a file over a cap stays editable.
 *
 * Errors: those of garden_rationale_check().
 */
struct err *garden_judge_change(struct arena *a, const struct garden_ask *q,
				struct garden_diagnostics *out) MUST_USE;

/*
 * What is wrong with a text as it is, without a change: `ikm lint` and md_lint. Errors of rules
 * with the force NEVER or PERSON, warnings of the others.
 */
void garden_lint_text(struct arena *a, struct str path, struct str text,
		      struct garden_diagnostics *out);

/*
 * Judges only the place of a change, for one that cannot begin or has no content: whether the
 * grammar has the path, or, with `folder`, a folder of this path, and whose it is. Of q only path,
 * user, rationale, person and maintainer are read.
 */
void garden_judge_place(struct arena *a, const struct garden_ask *q, bool folder,
			struct garden_diagnostics *out);

bool garden_diagnostics_any_blocks(const struct garden_diagnostics *d);
/* "line 4: garden-anchor: the anchor … was removed; put back …": for lists of texts. */
struct str garden_diagnostic_text(struct arena *a, const struct garden_diagnostic *d);
/*
 * The error for a change that is blocked: GARDEN_POLICY (BLOCKED). It names path, line, rule, what
 * to do, and, when a rationale would open it, how to give it. Its details have path, line, rules,
 * blockedReasons. Only for garden_diagnostics_any_blocks().
 */
struct err *garden_refusal(struct arena *a, struct str path,
			   const struct garden_diagnostics *d) MUST_USE;

/*
 * A rationale is one line of UTF-8 text, at most 500 bytes, without "<!--" and "-->": a newline or
 * a comment would put headings and anchors into the Change Log. Empty: none was given, which is
 * fine. Errors: BAD_ARGUMENT, TOO_LONG, BAD_UTF8.
 */
struct err *garden_rationale_check(struct str rationale) MUST_USE;

/* ---- mending ---- */

struct garden_edit {
	enum garden_rule rule;
	size_t of;      /* where what it mends begins: the heading, the blanks */
	struct span at; /* bytes of the text that are replaced */
	struct str new;
};
struct garden_edits VEC(struct garden_edit);
/*
 * The edits that mend fixable faults: canonical headings, missing anchors, whitespace. Sorted by
 * place, without overlap. Empty for a text that cannot be read, and for history copies. Edits
 * that the policy would block are not made. A heading is written anew when it is one line "## TEXT"
 * and differs from the canonical one in case, blanks or punctuation at its end. All other bytes but
 * white space and the added anchors stay.
 */
void garden_fix(struct arena *a, struct str path, struct str text, struct garden_edits *out);
/* Clears `fixable` of what garden_lint_text() found in the text, where garden_fix() has no edit. */
void garden_mark_fixable(struct arena *a, struct str path, struct str text,
			 struct garden_diagnostics *found);
/* The text with the edits. */
struct str garden_edits_apply(struct arena *a, struct str text, const struct garden_edits *edits);

/* ---- forms that others need ---- */

/* "ev:YYYYMMDDThhmmssZ-ULID": a real time, and 26 characters of Crockford's base 32. */
bool garden_is_evidence_token(struct str s);
/* "- 2026-01-31T12:00:00Z: what changed and why": the item's text, without its marker. */
bool garden_is_log_item(struct str item);
