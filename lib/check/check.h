/*
 * check: judges trees and dependency lists by the constraints of knowledge (seed 003,
 * "knowledge_check"; semantics in ikm-knowledge(5)). Writes nothing.
 */
#ifndef IKM_CHECK_H
#define IKM_CHECK_H

#include "knowledge/knowledge.h"
#include "tree/tree.h"

#define CHECK_FILE_MAX ((size_t)8 << 20) /* code rules skip what is larger */

struct check_dep {
	struct str name, version, ecosystem;
};

struct check_input {
	/* What is judged, and what it is compared with: NULL means no base, everything counts. */
	struct tree *now, *base;
	/* Limits what is judged to these globs (PATH…); empty: all. */
	struct strs only;
	/* JSON input's dependencies. */
	const struct check_dep *deps;
	size_t deps_n;
	/* Presence rules are judged (a tree always; a JSON input with "complete": true). */
	bool complete;
	/* The knowledge of now, and of base (NULL when there is none or it is the same). */
	const struct knowledge *rules, *base_rules;
	/* Empty: all. An unknown id is NOT_FOUND (NO_SUCH_ITEM). */
	struct strs item_ids;
	enum kn_severity min_severity;
	bool want_existing; /* also find violations that the change did not introduce */
	size_t max_file;    /* 0: CHECK_FILE_MAX */
	unsigned threads;   /* 0: all cores */
};

struct check_violation {
	const struct kn_item *item;
	const struct kn_constraint *constraint;
	enum kn_severity severity; /* as it counts: a proposed item's is info */
	struct str file;           /* empty: none */
	size_t line, column;       /* 0: none */
	struct str found;          /* the matched text, package or path; cut to 200 bytes */
	struct str message;
	struct str fingerprint;    /* 12 hexadecimal digits; the same for the same finding anywhere */
	bool existing;             /* the base had it too */
	bool from_base;            /* judged by a rule that only the base has */
};

enum check_skip { SKIP_BINARY, SKIP_TOO_BIG, SKIP_GENERATED, SKIP_LINK, SKIP_SUBMODULE, SKIP_UNREADABLE };
struct check_skipped {
	struct str path;
	enum check_skip why;
	struct str detail;
	bool blocking; /* a rule of severity block would have applied */
};

struct check_report {
	bool passed;
	struct {
		struct check_violation *p;
		size_t n, cap;
	} violations; /* sorted: severity (block first), file, line, column, item, constraint */
	unsigned info, warn, block; /* what counts: not existing, at least min_severity */
	unsigned existing;
	struct {
		struct check_skipped *p;
		size_t n, cap;
	} skipped;
	struct {
		struct kn_note *p;
		size_t n, cap;
	} notes; /* broken knowledge and warnings; those that block count in block */
	unsigned items, active, constraints, broken;
	unsigned files, manifests; /* judged */
	unsigned not_judged;       /* constraints that need more than was given */
	unsigned unresolved;       /* dependencies that the manifest leaves to a program */
	bool no_knowledge;
};

/* Errors are trouble, never a violation: what cannot be judged never passes in silence. */
struct err *check_run(struct arena *a, const struct check_input *in,
		      struct check_report *out) MUST_USE;

#endif
