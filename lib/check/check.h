/*
 * check: judges trees and dependency lists by the constraints of knowledge
 * (requirement: memory and knowledge, knowledge_check). Their meaning is in ikm-knowledge(5).
 * Writes nothing.
 *
 * Judged here: the targets dependency, code and file. Nothing is passed over in silence: what rules
 * apply to and cannot look into is in check_report.unjudged.
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
	/* tree_diff() and tree_find_renames() of base and now; NULL: made here. */
	const struct tree_changes *changes;
	/* The rules that only bases have and that judge; without has_kept those of base_rules. */
	bool has_kept;
	struct {
		struct check_kept {
			const struct kn_item *item;
			const struct kn_constraint *constraint;
		} * p;
		size_t n, cap;
	} kept;
	bool list_all; /* every finding of a rule in a file, not CHECK_PER_FILE of them */
	/* Empty: all. An unknown id is NOT_FOUND (NO_SUCH_ITEM). */
	struct strs item_ids;
	enum kn_severity min_severity;
	bool want_existing;   /* also find and list violations that the change did not introduce */
	bool broken_blocks;   /* --all: broken knowledge blocks wherever it lies */
	bool list_unjudged;   /* --all: tell everything that no rule could look into */
	bool unjudged_blocks; /* check.unjudged: what a blocking rule cannot look into blocks */
	bool ignore_case; /* core.ignorecase: appliesTo and paths match without regard to case */
	size_t max_file;  /* 0: CHECK_FILE_MAX; at most 1 GiB */
	unsigned threads; /* 0: all cores */
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

/*
 * Why rules could not look into something: name in C, name in JSON, what the member `skipped` calls
 * it (empty: not there), whether check.unjudged may stop a change for it.
 */
#define CHECK_REASONS(X)                                                                           \
	X(ATTRIBUTE, "attribute", "generated", true) /* linguist-generated, linguist-vendored */   \
	X(BINARY, "binary", "binary", true)          /* no text, and a rule names it */            \
	/* A decision quotes what a rule forbids: told, and never stopped. */                      \
	X(KNOWLEDGE_FILE, "knowledge_file", "knowledge", false)                                    \
	X(LFS_POINTER, "lfs_pointer", "binary", true)                                              \
	X(LINK, "link", "link", true)                                                              \
	X(MATCH_LIMIT, "match_limit", "", true) /* also in the base: what is new is not known */   \
	X(SUBMODULE, "submodule", "submodule", true)                                               \
	X(TOO_BIG, "too_big", "too_big", true)                                                     \
	X(UNREAD_MANIFEST, "unread_manifest", "", true) /* its format has no reader */             \
	/* A manifest that should be readable and is not; a change that touches it is stopped. */  \
	X(UNREADABLE, "unreadable_manifest", "unreadable", true)                                   \
	X(UNRESOLVED, "unresolved", "", true) /* a dependency whose package is not known */        \
	X(UNSUPPORTED_TARGET, "unsupported_target", "", true) /* a rule that judges nothing yet */

#define X(c, name, skipped, may_block) CHECK_##c,
enum check_reason { CHECK_REASONS(X) };
#undef X
/* NULL-ended, in the order of the enum. */
extern const char *const check_reasons[];
/* What the member `skipped` calls it; empty: it is no skipped file. */
const char *check_skipped_name(enum check_reason r);

struct check_rule {
	const struct kn_item *item;
	const struct kn_constraint *constraint;
};

/* Something that rules apply to and that they could not look into. */
struct check_unjudged {
	enum check_reason reason;
	struct str path;
	size_t line, column; /* 1-based; 0: the whole file */
	struct str name;     /* package, quoted text, the commit of a submodule, a link's target */
	struct str detail;   /* why, where the reason does not say it all */
	/* The strictest rule's. */
	enum kn_severity severity;
	/*
	 * Told by name, with the rules that could not look: where a blocking rule could not look
	 * into what the change touches, and all with list_unjudged. Others are counted: data that
	 * is no text, warnings' files, what the change left alone.
	 */
	bool named;
	const struct check_rule *rules; /* of what is told; strictest first */
	size_t rules_n;
	bool blocks;  /* counts in block */
	bool added;   /* the exemption is new in this change */
	bool counted; /* never named: data, a picture or an archive, that no rule means */
};
/* A whole file that code or dependency rules skipped. */
bool check_is_skipped(const struct check_unjudged *u);
/* One sentence without the path: "ikm cannot read this manifest: Maven project". */
struct str check_unjudged_message(struct arena *a, const struct check_unjudged *u);

enum check_note_kind {
	CHECK_BROKEN, /* knowledge that was meant to have rules and does not parse */
	/* Only in what check_notes() gives: they are made of what is unjudged. */
	CHECK_NOTE_UNREADABLE, /* a file that rules apply to and that cannot be judged */
	CHECK_NOTE_NOT_JUDGED, /* a constraint that this version does not judge */
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
	struct check_unjudged_list {
		struct check_unjudged *p;
		size_t n, cap;
	} unjudged; /* told ones first, the strictest of them first; then by path and place */
	struct check_note_list {
		struct check_note *p;
		size_t n, cap;
	} notes; /* what blocks first; then by kind, path, line */
	/* Items read; those that enforce something; their constraints; broken files. */
	unsigned items, active, constraints, broken;
	unsigned files, manifests; /* judged */
	unsigned not_judged;       /* constraints that need more than was given, or unsupported */
	unsigned unsupported;      /* of these, those on targets that are not judged yet */
	unsigned unresolved;       /* dependencies whose package is not known, in all manifests */
	bool no_knowledge;
	/* How the active rules differ from the base's; see rulechange.h. What blocks is in
	 * block. */
	struct rule_changes rule_changes;
	unsigned rules, rules_before; /* active on both sides */
	bool compared;                /* there is a base, so rules_before is told */
};

/* How many of what is unjudged is told by name. */
size_t check_named(const struct check_report *r);
/* The notes, and those that older readers expect of what is unjudged; sorted as the notes are. */
struct check_note_list check_notes(struct arena *a, const struct check_report *r);
/* Adds what another report could not judge, each fact once. */
void check_unjudged_merge(struct arena *a, struct check_report *to,
			  const struct check_report *from);
/* Of several bases: leaves only what another report could not judge either. */
void check_unjudged_keep_shared(struct arena *a, struct check_report *r,
				const struct check_report *other);

/*
 * out is zeroed by the caller, or has notes of its own, which are kept. Errors are trouble, never a
 * violation: what cannot be judged never passes in silence.
 */
struct err *check_run(struct arena *a, const struct check_input *in,
		      struct check_report *out) MUST_USE;

#endif
