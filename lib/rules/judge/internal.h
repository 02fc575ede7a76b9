/*
 * internal: the shared declarations of the files of judge; no other module includes it.
 *
 * The order of work: rules.c collects the rules of both sides, judged_files.c lists the files that
 * they judge, judge.c judges the files in parallel by each kind of rules (struct target), and
 * answers the rules that one match anywhere satisfies, and those about the change as a whole,
 * results.c counts and sorts.
 */
#pragma once

#include "judge/judge.h"
#include "deps/deps.h"
#include "imports/imports.h"
#include "out/out.h"
#include "re/re.h"

#define TARGETS_ONE(...) +1
#define TARGETS          (0 KN_TARGETS(TARGETS_ONE)) /* kinds of rules */

/* ---- rules ---- */

/* One list of appliesTo globs. Rules with the same list share it, so each file is matched once. */
struct scope {
	const struct strs *texts; /* none: every file */
	const struct globs *globs;
	/* At least one glob names particular files, unlike "*". */
	bool names;
};

struct rule {
	const struct kn_item *item;
	const struct kn_constraint *c;
	enum kn_severity severity;
	bool from_base; /* only the base has the rule */
	bool added; /* the change adds the rule: it judges all of a touched file, and no other file
		     */
	bool presence; /* one match anywhere satisfies the rule */
	bool change;   /* judges the change as a whole: see together_judge() and shrink_judge() */
	bool forbids;  /* a match is the violation; otherwise a missing match is */
	size_t scope;
	struct str path; /* the file of the rule's item in the judged tree; empty: outside */
	const struct glob *glob; /* FILE: the glob of the constraint, or a copy that ignores case */
	/* NULL when the ecosystem cannot read the range: then any version counts. */
	const struct deps_range *range[DEPS_ECOSYSTEMS];
	bool ranged;
	size_t member; /* of the set of patterns of its kind; SIZE_MAX: none */
};

/* The rules of one kind, by their indexes: first those with a pattern, which make the set. */
struct rule_kind {
	size_t *rule, n;
	struct re_set *set;
	size_t set_n;
};

struct rules {
	struct rule *p;
	size_t n, cap;
	struct VEC(struct scope) scopes;
	struct rule_kind kind[TARGETS];
	bool has_presence;
};

/* ---- files ---- */

struct giveup; /* patterns that reach their match limit again and again */
struct attrs;  /* the .gitattributes of one tree, read on demand */

/* A file to be judged, with its content in the base, whatever its name was there. */
struct subject {
	struct tree_file now, old;
	bool has_now, has_old;
	/* The paths that globs are matched with: in small letters when core.ignorecase is set. */
	struct str now_glob, old_glob;
	bool touched; /* the change touches the file; always true without a base */
	/*
	 * The file is an item, or was meant to be an item; in_source: it lies in a source of the
	 * base.
	 */
	bool now_knowledge, old_knowledge, in_source;
	/*
	 * "linguist-generated in .gitattributes": rules on code and imports skip the file; empty:
	 * not exempt.
	 */
	struct str exempt;
	bool exempt_added;         /* `exempt` is new: the base does not exempt the file */
	struct str exempt_refused; /* why a new one does not count; then `exempt` is empty */
	bool old_exempt;           /* only set when presence rules read the base */
	struct str target;         /* the target of a link that a rule may judge */
	bool dangling; /* a link with the name of a manifest, whose target is no manifest of the
			  tree */
};
struct subjects VEC(struct subject);

/* ---- one run ---- */

struct run {
	struct arena *a;
	const struct check_input *in;
	struct check_report *out;
	struct rules rules;
	struct subjects subjects;
	struct tree_changes changes;
	struct strs touched;  /* paths of both sides of the change, sorted */
	struct strs item_ids; /* of the items to check by; empty: all items */
	/* Paths of items in now and in the base, sorted. */
	struct strs knowledge, base_knowledge;
	bool whole; /* subjects holds every file of now */
	/* For manifests that refer to other files; NULL when not all files are known. */
	const struct deps_files *now_files, *old_files;
	struct imports_tree *now_imports, *old_imports;
	struct attrs *now_attrs, *old_attrs;
	/* Of check_waive.now, and of each of its bases. */
	struct waiver_index *waivers_now, **waivers_base;
	size_t max_file;
	unsigned threads;
	struct worker *workers;
	struct giveup *giveup;
	struct progress progress; /* only the first thread updates it */
};

/* The findings that a worker reported of one rule and file: pattern_limit_report() can remove them.
 */
struct outcome {
	size_t rule, at;              /* indexes of the rule and of the file */
	size_t from, n;               /* in worker.violations */
	size_t unjudged, unjudged_n;  /* in worker.unjudged */
	size_t waived_from, waived_n; /* in worker.waived */
	unsigned existing, waived;    /* of worker.existing and worker.waived_count */
};

/* How often a rule that must not shrink matches one side of a touched file. */
struct counted {
	size_t rule, n;
	const struct subject *s;
	bool old, limit; /* limit: the pattern reached its match limit */
};

/* Exceptions by their indexes in their list, ascending. */
struct waiver_places VEC(size_t);

/* The allows that the judged file has in a base, whose rules they name. */
struct waive_olds {
	struct waive_old {
		struct allows allows;
		const struct knowledge *rules;
	} * p;
	size_t n, cap;
};

/*
 * The state of one thread. Its findings live in its arena until the end; each file has a child
 * arena for scratch memory.
 */
struct worker {
	struct run *run;
	struct arena *a;
	struct re_work *re;
	bool *may, *may_too; /* by member of a set of patterns: may match the file */
	bool *scoped;        /* by scope, for the current file */
	bool *was_scoped;    /* by scope, for the name of the file in the base */
	bool *present;       /* by rule, presence rules: it matched in a file of now */
	bool *was;           /* by rule: it matched in a touched file of the base */
	unsigned *limit_hit; /* by rule, presence rules: files in which the pattern reached its
				limit */
	struct check_violations violations, waived;
	struct check_note_list notes;
	const struct subject *subject;  /* the judged file; NULL: none */
	struct waiver_use *waiver_uses; /* by waiver of check_waive.now */
	bool *waiver_gone; /* for each exception of the bases: a finding counts without it */
	/* Scratch: those of the exceptions that cover one finding. */
	struct {
		struct waiver_use **p;
		size_t n, cap;
	} covering;
	/* The exceptions that cover one path: indexes in check_waive.now and in each base. */
	struct {
		struct str path; /* p NULL: not looked up yet */
		struct waiver_places now, *bases;
	} near;
	bool allows_known; /* `allows` are those of the judged file */
	struct allows allows;
	struct waive_olds base_allows; /* the base first; then the bases that must have them */
	bool *blind;                   /* by rule, scratch: rules that cannot read the file */
	struct check_unjudged_list unjudged;
	struct VEC(struct outcome) outcomes;
	struct VEC(struct counted) counted;
	size_t at;          /* number of the file that is judged; see pattern_limit_reached() */
	size_t *present_at; /* by rule: the file in which `present` was set */
	unsigned existing, waived_count, files, manifests, unresolved;
	/* The error with the lowest file number, so that the choice does not depend on threads. */
	size_t failed_at;
	enum err_reason reason;
	struct str failed;
	struct strs failed_help;
};

/* rules.c: fills run->rules, the counts of items and constraints, and the notes. */
struct err *rules_load(struct run *run) MUST_USE;
/*
 * When a rule is broken whose item stays in force although another item supersedes it: says why the
 * item was not retired. Call it when all violations are known.
 */
void rules_note_superseded_in_force(struct run *run);
/* Whether the scope holds the path (subject.now_glob or old_glob). */
bool rules_scope_holds(const struct run *run, size_t scope, struct str path);

/* judged_files.c */
struct err *subjects_diff_against_base(struct run *run) MUST_USE;
struct err *subjects_load(struct run *run) MUST_USE;
/* Files of now that the change does not touch, within `only`. */
struct err *subjects_list_untouched(struct run *run, struct subjects *out) MUST_USE;
bool tree_file_is_regular(const struct tree_file *f);
/* Both sides are files with the same content. */
bool subject_sides_same_content(const struct subject *s);

/* attrs.c */
struct attrs *attrs_new(struct arena *a, struct tree *t);
/* Reads from now on in another tree, whose .gitattributes are all the same. */
void attrs_switch_tree(struct attrs *attrs, struct tree *t);
/*
 * The attribute that exempts the path from rules on code and imports: "linguist-generated in
 * src/.gitattributes"; empty: not exempt. Reads the .gitattributes of each parent folder once.
 */
struct err *attrs_exempt(struct attrs *t, struct str path, struct str *out) MUST_USE;

/* manifest_references.c: the files of the tree, for all threads; tree NULL: returns NULL. */
const struct deps_files *manifest_files_of_tree(struct arena *a, struct tree *tree);
/*
 * The manifest of the tree that includes this path, whatever its name; *by empty: none does. Any
 * thread may call it; the first call reads the tree's manifests that may include others.
 */
struct err *manifest_of_tree_includes_path(struct arena *a, const struct deps_files *files,
					   struct str path, struct str *by) MUST_USE;
/* Notes which manifests the first call could not read. */
void manifest_of_tree_note_unread(struct run *run);

/* source_or_data.c: whether a file is code at all. */
bool skip_is_lfs(struct str text);
/* Decide by name: source code, scripts, markup and settings; or data that is never text. */
bool skip_path_is_source(struct str path);
bool skip_path_is_data(struct str path);

/* ---- the text of a file ---- */

enum code_encoding { CODE_BYTES, CODE_UTF16LE, CODE_UTF16BE, CODE_UTF32LE, CODE_UTF32BE };

/*
 * The content of a file as different programs may read it. Patterns run over all views: a shell
 * drops NUL bytes, other programs keep them, and a program may read a file that begins like UTF-16
 * as plain bytes.
 */
#define CODE_VIEWS 3
struct code_text {
	struct str raw;
	enum code_encoding encoding;
	size_t mark; /* bytes of a byte order mark before view[0], which is raw */
	struct code_view {
		struct str text;
		enum view_how { VIEW_RAW, VIEW_NO_NULS, VIEW_DECODED } how;
	} view[CODE_VIEWS];
	unsigned n; /* places are reported in view[0] */
};

/* text_decoding.c */
/* False for data: neither content nor name says text. */
bool code_text_decode(struct arena *a, struct str path, struct str raw, struct code_text *out);
/* What the language's own program reads: decoded, and without NUL bytes, which a shell drops. */
unsigned code_text_program_view(const struct code_text *t);
/* Maps offsets of a view, asked for in ascending order, to offsets in the file. Begins zeroed. */
struct code_cursor {
	size_t raw, view;
};
size_t code_text_raw_offset(const struct code_text *t, unsigned view, struct code_cursor *c,
			    size_t at);
/* Line, and column in UTF-8 bytes, of ascending offsets in the file. */
struct code_places {
	struct str raw;
	enum code_encoding encoding;
	struct places bytes;
	size_t at, lines, column;
};
struct place code_place_of_offset(struct code_places *p, size_t raw);
/* The line of the place, without its indentation. */
struct str code_line_text_at(struct str text, size_t at);
/*
 * Quotes the lines of ascending offsets: the part around a match. The report keeps no tree and no
 * file, and a line may be a whole file, so the part has a fixed size. Begins as {.raw, .encoding}.
 */
struct code_quotes {
	struct str raw;
	enum code_encoding encoding;
	size_t line;      /* where the current line begins */
	size_t at, units; /* `units` UTF-16 units lie between `line` and `at` */
};
/* Fills all members but n. */
void code_quote_at(struct arena *a, struct code_quotes *q, size_t at, struct check_quote *out);

/* judge.c */
/* The content of the file in the base, up to max bytes; false when it was no file or was larger. */
bool worker_old_text(struct worker *w, struct arena *scratch, const struct subject *s,
		     struct str now, size_t max, struct str *text);

/* pattern_limit.c */
struct giveup *pattern_limit_new(struct arena *a, size_t rules);
/*
 * Whether the rule's pattern reached its match limit in so many files before w->at that ikm does
 * not try it any more.
 */
bool pattern_limit_reached(const struct worker *w, const struct rule *r);
/* re_find() with the rule's pattern. Counts files in which the pattern reaches its limit. */
enum re_answer pattern_find(struct worker *w, const struct rule *r, struct str text, size_t from,
			    struct span *m);
/*
 * Call it when all files were judged. Drops what depends on threads, and reports for each pattern
 * that was given up in how many files it was not tried.
 */
void pattern_limit_report(struct run *run);

/* ---- what is found ---- */

struct finding {
	struct str text;  /* the whole match, for the fingerprint */
	struct str shown; /* reported as found */
	struct str name;  /* quoted by a default message; empty: shown is quoted */
	const char *note; /* appended to the message, or NULL */
	size_t at;        /* offset in the file; SIZE_MAX: no place */
	size_t places;    /* number of places; 0 and 1 are not reported */
	bool existing;
	const struct waiver *waiver; /* the exception that covers it, or NULL */
	bool waived;                 /* the exception counts */
	struct str refused;          /* why it does not count */
	bool limit_hit; /* the pattern reached its limit: the rest of the file is unknown */
};
struct findings {
	struct finding *p;
	size_t n, cap;
	enum code_encoding encoding; /* encoding of the text that places refer to */
};

/* finding.c */
/*
 * Adds the findings of one rule in one file, in order of place. Lists the first CHECK_PER_FILE
 * introduced findings and as many existing ones. The last listed finding says how many more there
 * are.
 */
void findings_add(struct worker *w, const struct rule *r, struct str path, struct str text,
		  struct findings *f);

/* Cuts at a character boundary, and only when the text is too long. */
struct str finding_cut(struct arena *a, struct str s);

/* waived.c */
/* Before the first file: indexes the exceptions. */
void waive_begin_run(struct run *run);
/* The judged file is another one now. */
void waive_begin_file(struct worker *w, const struct subject *s);
/* Looks for exceptions for the findings of a rule in a file. f is sorted by place. */
void waive_findings(struct worker *w, const struct rule *r, struct str path, struct str text,
		    struct findings *f);
/* Reads the allows of the file, once: before a finding is looked up, or to audit all of them. */
void waive_load_allow_comments(struct worker *w, struct str path, struct str text);
/* The file is done: reports what its allows did. */
void waive_end_file(struct worker *w);
/* Reports what the entries of the waiver file did. */
void waive_report_waiver_use(struct run *run);

/* unjudged.c */
enum blind_only {
	BLIND_NAMED = 1, /* rules whose appliesTo names the file */
	BLIND_ABSENCE =
		2,       /* leave out rules that one match anywhere satisfies: these fail loudly */
	BLIND_ADDED = 4, /* rules that the change adds */
	/* Rules whose appliesTo names the suffix of the file: with another they leave it alone. */
	BLIND_SUFFIX = 8,
};
void unjudged_clear_blind_rules(struct worker *w);
/*
 * Sets w->blind for the rules of the target whose scope holds the file (w->scoped). Returns whether
 * any was set.
 */
bool unjudged_mark_blind_rules(struct worker *w, enum kn_target target, unsigned only);
/* BLIND_SUFFIX: whether the scope, which holds the judged file, names its suffix. */
bool unjudged_scope_names_suffix(const struct worker *w, size_t scope);
/*
 * Records that the rules in w->blind could not read the subject. The entry is valid until the next
 * call. NULL: w->blind is empty.
 */
struct check_unjudged *unjudged_add(struct worker *w, const struct subject *s,
				    enum check_reason why, struct str detail);

/* results.c */
void report_finish(struct run *run);

/* ---- facts ---- */

/*
 * The engine of all kinds of rules. A kind is one row, struct target: it reads a side of a
 * file into facts, and matches a rule with them. fact_matching.c does the rest, once for all kinds:
 * it reads the base when a rule first asks, counts what is new, stops at limits, answers rules that
 * one match anywhere satisfies, takes the names of an input, and tells what cannot be judged.
 *
 * A new kind of rule is a row here, struct target, and a word in KN_TARGETS of knowledge.h.
 */
/* One side of a file. */
struct file_side {
	const struct subject *s;
	bool old;                     /* its content in the base */
	bool input;                   /* names without a file */
	struct str path, raw;         /* raw: empty for READS_PATH */
	const struct code_text *text; /* for READS_TEXT */
	const bool *pending;          /* by rule: those that ask; NULL: all of the kind */
	/* A manifest that includes the file, when its own path does not tell its format. */
	struct str by;
};

/* Something that the file says: a package, an imported module, its own path. */
struct fact {
	struct str key;  /* facts with equal keys are counted, and share a fingerprint */
	unsigned kind;   /* facts of two kinds are never equal */
	struct str line; /* tells apart facts with equal keys; p NULL: the line of its place */
	size_t at;       /* in the file; SIZE_MAX: no place */
	size_t members;  /* so many facts behind this one are its members: see struct import */
	const void *of;  /* for the row */
};

/* A place of a file that its reader does not know. */
struct spot {
	struct str text, reason;
	size_t which; /* its number in the file */
	struct place place;
};
struct spots VEC(struct spot);

/* One place of a file that a rule finds. */
struct hit {
	struct str key, line;
	unsigned kind;
	size_t at;      /* in the file */
	size_t fact;    /* its number */
	const void *of; /* what its reader made it of */
	size_t places;  /* 0: one */
	bool added;     /* on a line that the change adds */
	bool extra;     /* its line occurs more often than before; this hit is new */
	bool introduced;
	bool dropped; /* another hit stands for it */
};
struct hits {
	struct hit *p;
	size_t n, cap;
	unsigned limits; /* how often the pattern reached its match limit */
	bool satisfied;  /* something matches: for rules that are satisfied by one match */
};

/* What one side of a file says. */
struct facts {
	struct file_side side;
	struct fact *p;
	size_t n, cap;
	struct spots spots;
	struct str unread;    /* the language or format, which has no reader; p NULL: it was read */
	unsigned unread_only; /* the rules that this concerns (enum blind_only) */
	bool foreign;         /* the text tells that the file is not of this kind */
	const void *of;       /* for the row */
	struct hits *found;   /* for the row: by rule, when the reader itself looks for hits */
	/* The texts that the patterns of the kind are tried with, for the set of patterns. */
	struct str views[CODE_VIEWS];
	unsigned views_n;
	const bool *may; /* by member of the set: it may match; NULL: not known */
};

/* ---- kinds of rules ---- */

enum target_reads { READS_PATH, READS_TEXT, READS_BYTES };

struct target {
	/*
	 * READS_TEXT: as programs read it. check.maxFileSize and .gitattributes exempt files, and
	 * what is no text is not judged.
	 */
	enum target_reads reads;
	bool manifest; /* its files are counted as manifests */
	bool grouped;  /* equal hits are one finding: a lockfile has a package in many places */
	/* Whether a file of that name may be of the kind, also one without a reader; NULL: any. */
	bool (*wants)(struct str path);
	/* Whether it surely is one that has a reader; NULL: any file. */
	bool (*names)(struct str path);
	/* Fills f, whose `side` is set. An error says why the side cannot be judged. */
	struct err *(*read)(struct worker *w, struct arena *a, struct facts *f);
	/*
	 * The number, in check_input, of names of the kind that are given without a file; 0: no
	 * input has any. And what they are.
	 */
	size_t given;
	struct err *(*input)(struct run *run, struct facts *f);
	enum re_answer (*match)(struct worker *w, struct arena *a, const struct rule *r,
				const struct facts *f, const struct fact *one);
	/*
	 * Everything that breaks the rule; facts_breaking_rule() asks match() of each fact. For
	 * rules that are satisfied by one match sets out->satisfied.
	 */
	void (*find)(struct worker *w, struct arena *a, const struct rule *r, const struct facts *f,
		     struct hits *out);
	/* How the finding of a hit differs from its key; or NULL. */
	void (*show)(struct arena *a, const struct rule *r, const struct facts *f,
		     const struct hit *h, struct finding *out);
	/* The rule does not judge this side of the file, which may quote what it forbids. */
	bool (*spares)(const struct run *run, const struct rule *r, const struct subject *s,
		       bool old);
	/* The reader fails: the reason, and whether that stops a change of a file of this name. */
	enum check_reason unreadable;
	bool (*stops)(struct str path);
	enum check_reason unread_as; /* there is no reader */
	/*
	 * The rules that a file without a reader concerns, by its name alone (enum blind_only).
	 * With BLIND_SUFFIX any file is wanted whose suffix a rule names.
	 */
	unsigned unread_only;
	/*
	 * Whether a text without a reader may break the rule; *word is what tells so, empty when
	 * nothing can be told. NULL: it always may.
	 */
	bool (*may)(struct worker *w, const struct rule *r, const struct facts *f,
		    struct str *word);
	/* For messages: "must not import", and what is said of an unknown spot. */
	struct {
		const char *presence, *forbids, *lacks;
		const char *unknown, *unknown_of[2];
		const char *looks; /* why a rule looks at a file: "it has settings" */
	} words;
};
extern const struct target dep_target, import_target, code_target, config_target, file_target;
/* By enum kn_target. */
extern const struct target *const targets[TARGETS];
/* fact_matching.c: the input has names of the kind. */
bool facts_are_given(const struct target *t, const struct check_input *in);

/* ---- judging ---- */

/*
 * Facts of one file in which a pattern may reach its match limit. ikm does not try it with the
 * rest: the finding says that the result is not known.
 */
#define FACT_LIMITS 2

/* The facts that break the rule; of a presence rule, whether one satisfies it. Calls match(). */
void facts_breaking_rule(struct worker *w, struct arena *a, const struct rule *r,
			 const struct facts *f, struct hits *out);

/*
 * Judges a file by all rules of a kind whose scope holds it (w->scoped). side->pending: only asks
 * whether it satisfies these rules, and tells nothing of what cannot be judged.
 */
void facts_judge_file(struct worker *w, struct arena *a, enum kn_target kind,
		      const struct file_side *side);
/*
 * Whether a rule of the kind that worker.blind has finds something in the file, or cannot read it.
 * Takes the others out of worker.blind.
 */
bool facts_any_for_blind_rules(struct worker *w, struct arena *a, enum kn_target kind,
			       const struct file_side *side);
/* Judges the names of check_input. */
struct err *facts_judge_given(struct run *run) MUST_USE;
/* Records that rules of the kind could not read the file, and why. */
void facts_unreadable(struct worker *w, enum kn_target kind, const struct subject *s,
		      struct str why);
/*
 * pretest.c: as target.may(). names, or NULL, calls `each` for every path `to` that the text may
 * write as `from`, of which what stands before a "*" counts.
 */
typedef void pretest_names_fn(void *ctx, void (*each)(void *t, struct str from, struct str to),
			      void *t);
bool pretest_may_match(const struct rule *r, struct str text, pretest_names_fn *names, void *ctx,
		       struct str *word);
