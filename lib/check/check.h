/*
 * check: judges trees and dependency lists by the constraints of knowledge (seed 003,
 * "knowledge_check"; semantics in ikm-knowledge(5)). Writes nothing.
 *
 * Judged here: the targets dependency, code and file. Constraints on import and config are counted
 * as not judged and named in the notes.
 */
#ifndef IKM_CHECK_H
#define IKM_CHECK_H

#include "check/rulechange.h"
#include "knowledge/knowledge.h"
#include "tree/tree.h"

#define CHECK_FILE_MAX     ((size_t)8 << 20)  /* code rules skip what is larger */
#define CHECK_MANIFEST_MAX ((size_t)64 << 20) /* a larger manifest cannot be judged */
#define CHECK_FOUND_MAX    200                /* bytes of check_violation.found */
#define CHECK_PER_FILE     100                /* findings of one rule in one file that are listed */

struct check_dep {
	struct str name, version, ecosystem;
};

struct check_input {
	/* What is judged, and what it is compared with: NULL means no base, everything counts.
	 * now may be NULL when only dependencies are given. */
	struct tree *now, *base;
	/*
	 * Limits what is judged to these (PATH…); empty: all. Each is a file or folder by its
	 * path from the top, or a glob.
	 */
	struct strs only;
	/* JSON input's dependencies; appliesTo does not restrict them, for they have no path. */
	const struct check_dep *deps;
	size_t deps_n;
	/* Presence rules are judged (a tree always; a JSON input with "complete": true). */
	bool complete;
	/* The knowledge of now, and of base. NULL: the same as now's. A base without knowledge is
	 * an empty one, not NULL: then every rule is one that the change adds. */
	const struct knowledge *rules, *base_rules;
	/* Empty: all. An unknown id is NOT_FOUND (NO_SUCH_ITEM). */
	struct strs item_ids;
	enum kn_severity min_severity;
	bool want_existing; /* also find and list violations that the change did not introduce */
	bool broken_blocks; /* --all: broken knowledge blocks wherever it lies */
	size_t max_file;    /* 0: CHECK_FILE_MAX; at most 1 GiB */
	unsigned threads;   /* 0: all cores */
};

struct check_violation {
	const struct kn_item *item;
	const struct kn_constraint *constraint;
	enum kn_severity severity; /* as it counts: a proposed item's is info */
	struct str file;           /* empty: none (presence rules, dependencies of the input) */
	size_t line, column;       /* 1-based, column in bytes; 0: none */
	struct str found;          /* first line of the match, package and version, or path */
	struct str message;        /* the constraint's, else made from what it says */
	struct str fingerprint; /* 12 hexadecimal digits; the same for the same finding anywhere */
	bool existing;          /* the base had it too */
	bool from_base;         /* judged by a rule that only the base has */
};

enum check_skip {
	SKIP_BINARY, /* and Git LFS pointers */
	SKIP_TOO_BIG,
	SKIP_GENERATED, /* linguist-generated or linguist-vendored */
	SKIP_LINK,
	SKIP_SUBMODULE,
	SKIP_UNREADABLE, /* a manifest that does not parse or is too big */
	SKIP_KNOWLEDGE,  /* an item quotes what it forbids, and is no code */
};
/* "binary", "too_big", … */
const char *check_skip_name(enum check_skip s);

/* A file to which rules apply by path and that they did not see. */
struct check_skipped {
	struct str path;
	enum check_skip why;
	struct str detail;
	/* A rule of severity block would have applied; for what is no text, one that names it in
	 * its appliesTo. */
	bool blocking;
	bool added; /* the exemption is new in this change */
};

enum check_note_kind {
	CHECK_BROKEN,     /* knowledge that was meant to have rules and does not parse */
	CHECK_UNREADABLE, /* a file that rules apply to and that cannot be judged */
	CHECK_NOT_JUDGED, /* a constraint that this version does not judge */
	CHECK_WARNING,
};
const char *check_note_name(enum check_note_kind k);
struct check_note {
	enum check_note_kind kind;
	bool blocks; /* counts in block */
	struct str path;
	size_t line; /* 0: the whole file */
	struct str message;
};

struct check_report {
	bool passed; /* block is 0 */
	struct {
		struct check_violation *p;
		size_t n, cap;
	} violations; /* sorted: severity (block first), file, line, column, item, constraint */
	unsigned info, warn, block; /* what counts: not existing, at least min_severity */
	unsigned existing; /* seen and not counted; listed, and complete, with want_existing only */
	struct {
		struct check_skipped *p;
		size_t n, cap;
	} skipped; /* sorted by path */
	struct {
		struct check_note *p;
		size_t n, cap;
	} notes; /* what blocks first; then by kind, path, line */
	/* Items read; those that enforce something; their constraints; broken files. */
	unsigned items, active, constraints, broken;
	unsigned files, manifests; /* judged */
	unsigned not_judged;       /* constraints that need more than was given, or unsupported */
	unsigned unsupported;      /* of these, those on targets that are not judged yet */
	unsigned unresolved;       /* dependencies that the manifest leaves to a program */
	bool no_knowledge;
	/* How the active rules differ from the base's; see rulechange.h. What blocks is in block. */
	struct rule_changes rule_changes;
	unsigned rules, rules_before; /* active on both sides */
	bool compared;                /* there is a base, so rules_before is told */
};

/*
 * out is zeroed by the caller, or has notes of its own, which are kept. Errors are trouble, never a
 * violation: what cannot be judged never passes in silence.
 */
struct err *check_run(struct arena *a, const struct check_input *in,
		      struct check_report *out) MUST_USE;

#endif
