/*
 * judge: judges trees and dependency lists by the constraints of knowledge (requirement: memory and
 * knowledge, knowledge_check). ikm-knowledge(5) has their meaning. Writes nothing.
 *
 * check judges the targets dependency, import, code, config and file. It skips nothing in silence:
 * check_report.unjudged lists the files that rules apply to and could not read.
 */
#pragma once

#include "knowledge/rule_compare.h"
#include "waive/waive.h"
#include "knowledge/knowledge.h"
#include "tree/tree.h"

#define CHECK_MANIFEST_MAX ((size_t)64 << 20) /* larger manifests cannot be judged */
#define CHECK_FOUND_MAX    200                /* bytes of check_violation.found */
#define CHECK_PER_FILE     100                /* listed findings of one rule in one file */
#define CHECK_QUOTE_BEFORE 120                /* bytes of check_quote.text before the match */
#define CHECK_QUOTE_AFTER  280                /* and from the match on */

/* As a person types it: deps_read_install_argument() reads name and version. */
struct check_dep {
	struct str name, version, ecosystem;
};

/*
 * NOT_IN_ENUM when a dependency names an ecosystem that ikm lacks. BAD_ARGUMENT when
 * deps_read_install_argument() cannot read its name.
 */
struct err *check_validate_given_deps(struct arena *a, const struct check_dep *deps,
				      size_t n) MUST_USE;

struct check_input {
	/*
	 * The judged tree and its base. base NULL: every finding counts as introduced. now may be
	 * NULL when only dependencies are given.
	 */
	struct tree *now, *base;
	/*
	 * Judges these paths only (PATH…); empty: all. Each is a file or folder by its path from
	 * the top.
	 */
	struct strs only;
	/*
	 * The dependencies of a JSON input. They have no path, so appliesTo does not restrict them.
	 */
	const struct check_dep *deps;
	size_t deps_n;
	struct strs modules; /* names of imports without a file; appliesTo does not restrict them */
	struct strs
		settings; /* "key.path=value" without a file; appliesTo does not restrict them */
	/* Judges presence rules: always for a tree; for a JSON input with "complete": true. */
	bool complete;
	/* Of an input that is not complete: its files and those around them, or NULL. */
	struct tree *around;
	/*
	 * The knowledge of now and of the base. base_rules NULL: the same as `rules`. Pass empty
	 * knowledge for a base without knowledge; then the change adds every rule.
	 */
	const struct knowledge *rules, *base_rules;
	/* tree_diff() and tree_find_renames() of base and now. NULL: check_run() computes them. */
	const struct tree_changes *changes;
	/*
	 * The rules that only bases have and that still apply. Read when has_kept is set; otherwise
	 * all rules of base_rules apply.
	 */
	bool has_kept;
	struct {
		struct check_kept {
			const struct kn_item *item;
			const struct kn_constraint *constraint;
		} * p;
		size_t n, cap;
	} kept;
	bool list_all;     /* list every finding of a rule in a file, not CHECK_PER_FILE */
	struct strs items; /* names for knowledge_resolve_item_name(); empty: all items */
	enum kn_severity min_severity;
	bool want_existing;   /* also list violations that the base already had */
	bool broken_blocks;   /* --all: any broken knowledge blocks */
	bool list_unjudged;   /* --all: name every file that a rule could not read */
	bool unjudged_blocks; /* check.unjudged: a file that a blocking rule cannot read blocks */
	/* The exceptions; all zero: there are none. */
	struct check_waive {
		struct waivers now; /* of .ikm/waivers.yaml; resolved */
		struct waive_bases bases;
		bool has_base; /* exceptions that the base does not have are new */
		/*
		 * Where the base of comments is, when it is not check_input.base; NULL with
		 * has_base and no base: all of them are new.
		 */
		struct tree *tree;
		const struct knowledge *tree_rules; /* of `tree`, when it is set */
		bool trusts;                        /* new exceptions count */
		bool tells;                         /* reports the new exceptions */
		bool searches;    /* reads the comments of files in which nothing is found, too */
		bool audits;      /* reports exceptions that match nothing */
		const char *asks; /* why new ones do not count */
		int64_t today;
	} waive;
	bool ignore_case; /* core.ignorecase: appliesTo and paths ignore case */
	size_t max_file;  /* rules on code and imports skip larger files */
	unsigned threads; /* 0: all cores */
	/* Keeps what is compiled for one run, for the next run with the same rules; NULL: no. */
	struct check_compiled *compiled;
	/* With compiled: the commits of both trees; they live as long as it does. Empty: none. */
	struct str now_id, base_id;
};

/* The sentences that report a new exception, and one that waives nothing. */
struct str waive_new_waiver_sentence(struct arena *a, const struct waiver *x,
				     const struct check_waive *how);
struct str waive_unused_text(struct arena *a, const struct waiver *x, int64_t today);

/*
 * The rules, their sets of patterns and the .gitattributes of the last run, for the next commit
 * of a history. To compile and to read them costs as much as to judge a commit.
 */
struct attrs;
struct re;
struct re_set;
struct rules_pair;
struct check_compiled {
	struct arena *a; /* lives as long as the knowledge of the runs */
	struct {
		const struct re **list;
		size_t n;
		struct re_set *set;
	} sets[KN_TARGET_FILE + 1];
	struct rules_pair *pair; /* NULL: none */
	struct arena *attrs_arena;
	struct attrs *attrs; /* of the commit attrs_of; NULL: none are kept */
	struct str attrs_of;
};

/* The part of the line around a match, as UTF-8 where the file is UTF-16 or UTF-32. */
struct check_quote {
	struct str text;    /* without line end; p NULL: the finding has no place */
	size_t at, n;       /* the match in text, in bytes; n 0: its length is not known */
	size_t column;      /* of the match, from 1, in UTF-16 units */
	bool before, after; /* the line has more text on this side */
};

/* A finding. Formatters walk check_report.violations and read the rule through the pointers. */
struct check_violation {
	const struct kn_item *item;
	const struct kn_constraint *constraint;
	enum kn_severity severity; /* the effective severity: info for a proposed item */
	struct str file;           /* empty: no file (presence rules, dependencies of the input) */
	size_t line, column;       /* 1-based, column in bytes; 0: none */
	struct check_quote quote;
	struct str found;       /* first line of the match, package and version, or path */
	struct str message;     /* the message of the constraint, else a default message */
	struct str fingerprint; /* 12 hexadecimal digits; equal for the same finding on every
				   machine */
	bool existing;          /* the base had the finding too */
	bool from_base;         /* only the base has the rule */
	/*
	 * A commit of the change retired the rule. Then the severity is a warning at most, and
	 * nothing blocks; the constraint keeps its own severity.
	 */
	bool retired;
	struct str retired_by; /* that commit */
	/*
	 * What to do when the mend of the line is not the only way on: how to retire a rule that
	 * only the base has, or the exception to add to the index; else empty.
	 */
	struct str next;
	/*
	 * The exception that covers it. In check_report.waived it counts; in violations it does
	 * not, and the message says why. NULL: none.
	 */
	const struct waiver *waiver;
};
struct check_violations VEC(struct check_violation);

/*
 * Why rules could not read a file or name: the name in C, the name in JSON, the name in the member
 * `skipped` (empty: not listed there), and whether check.unjudged may block for it.
 */
#define CHECK_REASONS(X)                                                                           \
	/* linguist-generated, linguist-vendored */                                                \
	X(CHECK_ATTRIBUTE, "attribute", "generated", true)                                         \
	/* not text, and a rule names the file */                                                  \
	X(CHECK_BINARY, "binary", "binary", true)                                                  \
	/* reached its match limit in several files, and was not tried in the rest */              \
	X(CHECK_GIVEN_UP, "given_up", "", true)                                                    \
	/* A decision quotes what a rule forbids: reported, never blocks. */                       \
	X(CHECK_KNOWLEDGE_FILE, "knowledge_file", "knowledge", false)                              \
	X(CHECK_LFS_POINTER, "lfs_pointer", "binary", true)                                        \
	X(CHECK_LINK, "link", "link", true)                                                        \
	/* the base reaches the limit too, so new findings are unknown */                          \
	X(CHECK_MATCH_LIMIT, "match_limit", "", true)                                              \
	X(CHECK_SUBMODULE, "submodule", "submodule", true)                                         \
	X(CHECK_TOO_BIG, "too_big", "too_big", true)                                               \
	/* ikm has no lexer for the imports of the language */                                     \
	X(CHECK_UNREAD_LANGUAGE, "unread_language", "", true)                                      \
	/* a file of settings whose format has no reader, and a rule names the file */             \
	X(CHECK_UNREAD_CONFIG, "unread_config", "", true)                                          \
	/* ikm has no reader for the format */                                                     \
	X(CHECK_UNREAD_MANIFEST, "unread_manifest", "", true)                                      \
	/* ikm has a reader and the reader fails; a change that touches the file is stopped. */    \
	X(CHECK_UNREADABLE, "unreadable_manifest", "unreadable", true)                             \
	/* a file of settings that does not parse */                                               \
	X(CHECK_UNREADABLE_CONFIG, "unreadable_config", "", true)                                  \
	/* a dependency whose package is unknown, an import whose module is */                     \
	X(CHECK_UNRESOLVED, "unresolved", "", true)
enum check_reason { CHECK_REASONS(ENUM_MEMBER) };
extern const char *const check_reasons[];
/* The name in the member `skipped`; empty: not a skipped file. */
const char *check_skipped_reason_name(enum check_reason r);

struct check_rule {
	const struct kn_item *item;
	const struct kn_constraint *constraint;
};

/* A file or name that rules apply to and could not read. */
struct check_unjudged {
	enum check_reason reason;
	struct str path;
	size_t line, column; /* 1-based; 0: the whole file */
	struct str name;     /* package, quoted text, the commit of a submodule, a link's target */
	struct str detail;   /* what `reason` does not say; empty: nothing more */
	/* The highest severity among the rules. */
	enum kn_severity severity;
	/*
	 * Reported by name, with its rules: when a blocking rule could not read a file that the
	 * change touches, and always with list_unjudged. Other files are only counted: data, files
	 * of warnings, files that the change left alone.
	 */
	bool named;
	struct {
		const struct check_rule *p;
		size_t n;
	} rules;      /* rules of a named entry; strictest first */
	bool blocks;  /* included in the report's number `block` */
	bool added;   /* this change adds the exemption */
	bool counted; /* never named: data, a picture or an archive that no rule names */
	/* One sentence without the path: "ikm cannot read this manifest: Maven project". */
	struct str message; /* of a named entry, set by check_report_finish() */
};
/* Whether rules skipped the whole file. */
bool check_unjudged_is_skipped(const struct check_unjudged *u);

/* Every kind of note once. */
#define CHECK_NOTES(X)                                                                             \
	X(CHECK_BROKEN, "broken") /* a knowledge file that should have rules and does not parse */ \
	/* check_report_finish() makes these from the unjudged entries. */                         \
	X(CHECK_NOTE_UNREADABLE,                                                                   \
	  "unreadable") /* rules apply to the file, and ikm cannot judge it */                     \
	X(CHECK_WARNING, "warning")                                                                \
	X(CHECK_GARDEN, "garden") /* a change of the garden breaks its policy: ikm-garden(7) */    \
	X(CHECK_WAIVER, "waiver") /* an exception: new, ending, or without use */
enum check_note_kind { CHECK_NOTES(ENUM_MEMBER) };
extern const char *const check_note_kinds[];

struct check_note {
	enum check_note_kind kind;
	bool blocks; /* included in the report's number `block` */
	struct str path;
	size_t line; /* 0: the whole file */
	struct str message;
	const char *rule;  /* its id in 'ikm lint'; NULL: it is none of lint's */
	struct str commit; /* the commit that it is about; empty: none, or the whole change */
};

/* An unjudged entry whose whole file was skipped, as results of 0.1.0 have it. */
struct check_skipped {
	struct str file;
	const char *why; /* the reason's name in the member `skipped` */
	struct str detail;
	bool blocking; /* a blocking rule applies to the file */
	bool added;
};

/* The treatment of a ref in a push. */
#define CHECK_REF_ACTIONS(X)                                                                       \
	X(CHECK_REF_JUDGED, "judged")                                                              \
	X(CHECK_REF_DELETED, "deleted")                                                            \
	X(CHECK_REF_NOT_JUDGED, "not_judged")
enum check_ref_action { CHECK_REF_ACTIONS(ENUM_MEMBER) };
extern const char *const check_ref_actions[];

/* A ref that a push changes, as Git names it to pre-receive. */
struct check_ref {
	struct str ref, old, new; /* "refs/heads/main", and the two ids; zeros: no ref */
	enum check_ref_action action;
	struct str why;  /* why it was not judged, a sentence */
	bool is_default; /* the default branch of this repository */
	unsigned block;  /* what blocks in it */
};

/* The verdict of --verify on a commit. Commits that break nothing are only counted. */
#define CHECK_VERDICTS(X)                                                                          \
	X(CHECK_COMMIT_BROKEN, "broken")                                                           \
	/* it retires a rule and breaks it: perhaps the squash of two commits */                   \
	X(CHECK_COMMIT_RETIRED, "retired")                                                         \
	/* its settings or sources of knowledge cannot be read */                                  \
	X(CHECK_COMMIT_NOT_JUDGED, "not_judged")
enum check_verdict { CHECK_VERDICTS(ENUM_MEMBER) };
extern const char *const check_verdicts[];

struct check_commit {
	struct str id, subject, author, email;
	int64_t time; /* of the author, ms, UTC; 0: unknown */
	enum check_verdict verdict;
	unsigned block; /* everything that blocks */
	struct VEC(struct check_violation) violations;
	struct strs reasons; /* what else blocks, or why it was not judged; sentences */
};

/* A line of a baseline: see baseline_file.h. */
struct baseline_entry {
	struct str fingerprint, item,
		path; /* as written; path: empty for a finding without a file */
	size_t line;
	bool used;
	size_t taken; /* of the first of equal fingerprints: how many of them are used */
};
struct baseline_list VEC(struct baseline_entry);

/* Also the result of `ikm check`: show.h has its rows. */
struct check_report {
	bool passed; /* nothing blocks */
	/* Sorted: severity (block first), file, line, column, item, constraint. */
	struct check_violations violations;
	struct check_violations waived; /* findings with an exception; sorted in the same way */
	unsigned waived_count;          /* also those that are not listed */
	/* Exceptions that a change brings do not count: check.newWaivers, an agent, a server. */
	bool waivers_first;
	unsigned info, warn, block; /* findings that count: introduced, and at least min_severity */
	unsigned existing;          /* findings of the base, not counted; listed in full only with
				       want_existing */
	struct check_unjudged_list VEC(struct check_unjudged)
		unjudged; /* sorted: named entries first, strictest first; then by path and place */
	struct check_note_list VEC(struct check_note)
		notes; /* sorted: blocking notes first; then by kind, path, line */
	/*
	 * The number of items read, of items with rules that apply, of their constraints, of broken
	 * files.
	 */
	unsigned items, active, constraints, broken;
	unsigned files, manifests; /* judged */
	unsigned garden;           /* changes of files of a garden that were judged */
	unsigned not_judged;       /* constraints that need more input */
	unsigned unresolved;       /* dependencies whose package is unknown, in all manifests */
	bool no_knowledge;
	struct str web;     /* "https://host/owner/name" of the repository; empty: not known */
	struct str nothing; /* why nothing was judged; empty: something was, or nobody asked */
	/*
	 * How the active rules differ from the rules of the base; see rulechange.h. Blocking
	 * changes count in block.
	 */
	struct rule_changes rule_changes;
	unsigned rules, rules_before; /* active rules on both sides */
	bool compared;                /* there is a base, so rules_before is reported */
	struct VEC(
		struct check_ref) refs; /* of a push that a server receives, in the order of Git */
	/* --verify: the violations are those of all broken commits, each once. */
	bool verifies;
	struct VEC(struct check_commit)
		commits; /* those that did not pass; parents before their children */
	struct {
		unsigned commits, broken, retired, not_judged;
	} verified;
	struct {
		struct str file;           /* empty: the check has no baseline */
		unsigned entries, matched; /* lines of the file; those that have a finding */
		unsigned added;            /* findings that an update adds */
		struct baseline_list gone; /* lines without a finding */
	} baseline;
	/* ---- set by check_report_finish() ---- */
	bool success; /* the check ran: true */
	struct {
		const struct check_unjudged *p;
		size_t n;
	} named; /* the unjudged entries that are reported by name */
	struct VEC(struct check_skipped) skipped; /* sorted by file */
	/* The notes, with the notes that older readers expect for unjudged entries; sorted. */
	struct check_note_list all_notes;
	unsigned data; /* files that are no text */
};

/* Adds what there is to say about an exception. Returns the note; it does not block. */
struct check_note *waive_add_note(struct arena *a, const struct waiver *x, struct str message,
				  struct check_note_list *out);
/* Adds a warning about a file, a ref or a commit. blocks: the change does not pass. */
void check_warn(struct arena *a, struct check_report *r, bool blocks, struct str path,
		struct str message);
/* Drops duplicates and sorts the findings; again, after severities changed. */
void check_arrange(struct arena *a, struct check_report *out);
/* Sorts the notes, and derives what the last members show. Call it once, before showing. */
void check_report_finish(struct arena *a, struct check_report *r);

/* Adds the findings of another pushed tip, each fact once. */
void reports_merge(struct arena *a, struct check_report *to, const struct check_report *from);
/*
 * Both reports judge the same tip, against two bases. A finding that the other base had becomes
 * existing and blocks nothing. Both reports must list every finding (check_input.list_all). Returns
 * how many findings became existing.
 */
unsigned reports_mark_existing(struct arena *a, struct check_report *r,
			       const struct check_report *other, bool want_existing);
/* Counts the findings again, and sets whether the check passed. */
void report_count_findings(struct check_report *r);

/*
 * The caller zeroes out; notes that it holds already are kept. An error means trouble, never a
 * violation: input that cannot be judged never passes in silence.
 */
struct err *check_run(struct arena *a, const struct check_input *in,
		      struct check_report *out) MUST_USE;
