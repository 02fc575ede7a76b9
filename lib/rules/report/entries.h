/*
 * entries: a report as one list of places with a message, for formats that know nothing of rules:
 * SARIF, annotations, code quality, test results. Here it is decided, once for all of them, which
 * parts of a report such a format has, in which order, and in which words. Private to report.
 */
#pragma once

#include "judge/judge.h"
#include "out/out.h"

enum check_entry_kind {
	ENTRY_FINDING,
	ENTRY_NOTE,     /* broken knowledge, a warning */
	ENTRY_CHANGE,   /* a rule of the set, or a setting */
	ENTRY_UNJUDGED, /* what a rule could not look into, or that there is no rule */
};

struct check_entry {
	enum check_entry_kind kind;
	enum kn_severity severity;
	bool blocks;
	bool told;        /* tells of a change that harms nothing: a rule was added or edited */
	size_t rule;      /* ENTRY_FINDING: index into check_entries.rules */
	struct str id;    /* of the rule: "0001-postgresql/1"; of other kinds "ikm/lost" */
	struct str title; /* the decision's title, or the kind in words */
	/*
	 * Where it is. A finding without a file, or of a retired rule, stands at its decision's
	 * file, and an entry without any place at the settings.
	 */
	struct str path;
	size_t line, column;    /* from 1, column in bytes; 0: not known */
	struct str fingerprint; /* no two entries of a list share it; a finding's own comes first */
	union {
		const struct check_violation *finding;
		const struct check_note *note;
		const struct rule_change *change;
		const struct check_unjudged *unjudged;
	};
};

/* A rule that has findings. Rules of several layers may share item id and number; ids differ. */
struct check_entry_rule {
	struct str id;
	const struct kn_item *item;
	const struct kn_constraint *constraint;
	enum kn_severity severity; /* the highest of its findings */
};

struct check_entries {
	struct check_entry *p; /* what blocks first; then by severity, in the order of the report */
	size_t n, cap;
	struct check_entry_rule *rules; /* sorted by id */
	size_t rules_n;
};

/*
 * The entries that count: no finding that the base has too. Takes O(n log n) time; the entries
 * borrow from the report, and hold no text of their own but ids and fingerprints. harmful: without
 * those that are only told, for formats that list problems.
 */
void check_entries_of_report(struct arena *a, const struct check_report *r, bool harmful,
			     struct check_entries *out);

/*
 * The message with what was found, what to use instead, the decision's file, and the next command.
 * lines: one part a line; else one line.
 */
struct str check_entry_message(struct arena *a, const struct check_entry *e, bool lines);
