/*
 * lint: looks for mistakes in knowledge items that a check does not stop: links that lead nowhere,
 * patterns that match nothing, statuses that disagree. It reports what the reader of items notes
 * too, under the same ids, so that ikm lint and ikm check never disagree (ikm-lint(1)).
 *
 * Files of the garden are linted by the garden's rules (garden/garden.h), under the same verb.
 *
 * It knows no commands. It writes nothing, except lint_fix().
 */
#pragma once

#include "file/file.h"
#include "git/git.h"
#include "knowledge/knowledge.h"
#include "lint/all_lint_rules.h"

#define LINT_SEVERITIES(X) X(LINT_INFO, "info") X(LINT_WARNING, "warning") X(LINT_ERROR, "error")
enum lint_severity { LINT_SEVERITIES(ENUM_MEMBER) };
/* NULL-ended, in the order of the enum. */
extern const char *const lint_severities[];

struct lint_rule_row {
	const char *id, *summary;
	enum lint_severity severity;
	bool fixable;
};
extern const struct lint_rule_row lint_rules[LINT_RULE_COUNT];
/* The ids of the rules with NULL at the end. */
extern const char *const lint_rule_ids[];

/* A rule that is broken, at a place of a file. */
struct lint_problem {
	int rule; /* index into lint_rules */
	enum lint_severity severity;
	struct str path;     /* as shown */
	size_t line, column; /* from 1, column in bytes; 0: the whole file, or the whole line */
	size_t units;        /* the column in units of UTF-16; 0: unknown */
	struct str message;
	bool fixable; /* lint_fix() mends it */
};

struct lint_fixed {
	struct str path;
	int rule;
	size_t places;
};

struct lint_report {
	struct VEC(struct lint_problem)
		problems; /* sorted by path, place, rule; of the wanted severity and rules only */
	unsigned errors, warnings, infos;
	unsigned files;    /* items and files of the garden that were read */
	unsigned garden;   /* of these, files of the garden */
	struct strs notes; /* what was asked for and not looked at, and why */
	struct strs needs; /* decisions that older versions of ikm cannot read, as sentences */
	bool no_knowledge; /* no source is configured */
};

/* Which content is read; a bare repository has HEAD alone. */
enum lint_of { LINT_WORKTREE, LINT_INDEX, LINT_HEAD };

/* The files of a garden that are linted. */
struct lint_garden {
	const char *top;   /* the garden's folder, absolute and without links */
	struct tree *tree; /* its files; paths from its top */
	struct str shown; /* what messages show before such a path: "", "garden/", "/home/ada/g/" */
	struct strs paths; /* from the top: "users", "users/ada/notes.md"; empty: none */
};

struct lint_options {
	struct lint_garden garden;
	bool garden_only;  /* the caller named files of the garden, and no items */
	struct git *git;   /* NULL: no repository */
	struct strs set;   /* -c key=value */
	struct strs given; /* --knowledge */
	struct strs paths; /* from the top: only items at or below these; empty: all items */
	struct strs only, disable; /* ids of rules */
	enum lint_severity least;  /* the lowest severity that is reported */
	enum lint_of of;
};

/*
 * Reads the items of all sources in the repository's tree, and of the folders of --knowledge, and
 * looks for mistakes. Errors: NOT_IN_ENUM for an unknown rule, with the nearest one; those of
 * knowledge_load().
 */
struct err *lint_run(struct arena *a, const struct lint_options *o,
		     struct lint_report *out) MUST_USE;

/* Whether each of these is the id of a rule; `where` begins the error NOT_IN_ENUM. */
struct err *lint_check_rule_ids(struct str where, const struct strs *ids) MUST_USE;

/* A file that could not be mended. */
struct lint_failed {
	struct str path;
	struct str reason, message;
};
struct lint_fixes {
	struct lint_fixed *p;
	size_t n, cap;
	struct VEC(struct lint_failed) failed;
};
/*
 * Mends what can be mended safely in the same items, one file after the other, each atomically. All
 * other bytes stay. *fixed lists what was changed, and the files that could not be written: the
 * others are mended all the same. Errors: BAD_ARGUMENT without a working tree; with one wanted file
 * those of writing it.
 */
struct err *lint_fix(struct files *f, const struct lint_options *o,
		     struct lint_fixes *fixed) MUST_USE;
