/*
 * engine: what the files of check share; no other module includes it.
 *
 * The order of work: rules.c takes the rules of both sides, subjects.c lists the files they
 * judge, worker.c runs over these in parallel (code.c, depcheck.c, filecheck.c), presence.c answers
 * the rules that one match anywhere satisfies, report.c counts and sorts.
 */
#ifndef IKM_CHECK_ENGINE_H
#define IKM_CHECK_ENGINE_H

#include "check/check.h"
#include "deps/deps.h"
#include "out/out.h"
#include "re/re.h"

/* ---- rules ---- */

/* One list of appliesTo globs; rules with the same list share it, so it is tried once a file. */
struct scope {
	const struct strs *texts; /* none: everything */
	const struct globs *globs;
};

struct rule {
	const struct kn_item *item;
	const struct kn_constraint *c;
	enum kn_severity severity;
	bool from_base; /* only the base has it */
	bool added;     /* the change adds it: all counts in files it touches, nothing elsewhere */
	bool presence;  /* one match anywhere satisfies it */
	bool forbids;   /* a match is the violation; otherwise the lack of one is */
	size_t scope;
	/* NULL where the range is not in that ecosystem's syntax: then any version counts. */
	const struct deps_range *range[DEPS_ECOSYSTEMS];
	bool ranged;
};

struct rules {
	struct rule *p;
	size_t n, cap;
	struct {
		struct scope *p;
		size_t n, cap;
	} scopes;
	/* Code rules in the set's order: set member j is rule code[j]. */
	struct re_set *set;
	size_t *code, code_n;
	bool has_dep, has_file, has_presence;
};

/* ---- files ---- */

struct attrs; /* the .gitattributes of one tree, read as they are needed */

/* A file to be judged, with what it was in the base (whatever its name was there). */
struct subject {
	struct tree_file now, old;
	bool has_now, has_old;
	bool touched; /* the change touches it; always without a base */
	/* It is an item, or was meant to be one. */
	bool now_knowledge, old_knowledge;
	/* "linguist-generated in .gitattributes": code rules do not look; empty: none. */
	struct str exempt;
	bool exempt_added; /* the base does not say so */
	bool old_exempt;   /* only told where presence rules look at the base */
	/* A link by the name of a manifest: where it leads, if no manifest of the tree is there. */
	struct str astray;
};
struct subjects {
	struct subject *p;
	size_t n, cap;
};

/* ---- one run ---- */

struct run {
	struct arena *a;
	const struct check_input *in;
	struct check_report *out;
	struct rules rules;
	struct subjects subjects;
	struct tree_changes changes;
	struct strs touched; /* paths of both sides of the change, sorted */
	/* Paths of items in now and in the base, sorted. */
	struct strs knowledge, base_knowledge;
	struct {
		struct only *p;
		size_t n, cap;
	} only;
	bool whole; /* subjects has every file of now */
	/* For manifests that refer to other files; NULL where not all files are known. */
	const struct deps_files *now_files, *old_files;
	struct attrs *now_attrs, *old_attrs;
	size_t max_file;
	unsigned threads;
	struct worker *workers;
	struct progress progress; /* the first thread's to move */
};

/*
 * One thread's own. What it finds lives in its arena until the end; scratch memory is one child
 * arena per file.
 */
struct worker {
	struct run *run;
	struct arena *a;
	struct re_work *re;
	bool *may;         /* by set member */
	bool *scoped;      /* by scope, for the file at hand */
	bool *was_scoped;  /* by scope, for the file's name in the base */
	bool *present;     /* by rule, presence rules: it matched in a file of now */
	bool *was;         /* by rule: it matched in a touched file of the base */
	unsigned *gave_up; /* by rule, presence rules: files in which the pattern hit its limit */
	struct {
		struct check_violation *p;
		size_t n, cap;
	} violations;
	struct {
		struct check_skipped *p;
		size_t n, cap;
	} skipped;
	struct {
		struct check_note *p;
		size_t n, cap;
	} notes;
	unsigned existing, files, manifests, unresolved;
	/* The first trouble in order of files, so that threads do not decide which one it is. */
	size_t failed_at;
	enum err_reason reason;
	struct str failed;
};

/* rules.c: fills run->rules, the counts of items and constraints, and notes. */
struct err *rules_load(struct run *run) MUST_USE;
/* Sets scoped[i] for each scope that the path is in. */
void rules_scope(const struct run *run, struct str path, bool *scoped);

/* subjects.c */
struct err *subjects_changes(struct run *run) MUST_USE;
struct err *subjects_load(struct run *run) MUST_USE;
/* Files of now that the change does not touch, within `only`. */
struct err *subjects_untouched(struct run *run, struct subjects *out) MUST_USE;
bool run_touches(const struct run *run, struct str path);

/* attrs.c */
struct attrs *attrs_new(struct arena *a, struct tree *t);
/*
 * What exempts the path from code rules: "linguist-generated in src/.gitattributes"; empty: nothing
 * does. Reads the .gitattributes of the folders above it, each once.
 */
struct err *attrs_exempt(struct attrs *t, struct str path, struct str *out) MUST_USE;

/* beside.c: the files of the tree, to be asked by all threads; NULL for no tree. */
const struct deps_files *beside_new(struct arena *a, struct tree *tree);

/* skip.c: whether text is code at all. */
bool skip_is_binary(struct str text);
bool skip_is_lfs(struct str text);

/* worker.c */
void worker_judge(struct run *run);
/*
 * Presence rules in `pending` over one side of the files: `old` looks at the base's side of those
 * that the change touches and sets worker.was, else at now's and sets worker.present.
 */
void worker_presence(struct run *run, const struct subject *s, size_t n, bool old,
		     const bool *pending);
struct err *worker_trouble(const struct run *run) MUST_USE;
void worker_fail(struct worker *w, size_t at, const struct err *e);
/* What the file held in the base, up to max bytes; false when it was no file or larger. */
bool worker_old_text(struct worker *w, struct arena *scratch, const struct subject *s,
		     struct str now, size_t max, struct str *text);

/* code.c */
void code_judge(struct worker *w, struct arena *scratch, const struct subject *s, struct str text);
/* Presence rules alone: sets found[rule]; pending NULL: all. */
void code_presence(struct worker *w, struct str text, const bool *pending, bool *found);

/* depcheck.c */
void dep_judge(struct worker *w, struct arena *scratch, const struct subject *s, struct str text,
	       const struct deps *deps);
void dep_presence(struct worker *w, struct arena *scratch, const struct deps *deps,
		  const bool *pending, bool *found);
/* The input's own list. */
void dep_judge_input(struct run *run);

/* filecheck.c */
void file_judge(struct worker *w, const struct subject *s);
void file_presence(struct worker *w, struct str path, const bool *pending, bool *found);

/* presence.c */
struct err *presence_judge(struct run *run) MUST_USE;

/* ---- what is found ---- */

struct finding {
	struct str text;  /* what was matched, whole: for the fingerprint */
	struct str shown; /* what is reported as found */
	struct str name;  /* what a made message quotes; empty: what is shown */
	const char *note; /* for the end of the message, or NULL */
	size_t at;        /* offset in the file; SIZE_MAX: no place */
	size_t places;    /* in how many places; 0 and 1 go without saying */
	bool existing;
	bool gave_up; /* the pattern hit its limit: nothing is known about the rest of the file */
};
struct findings {
	struct finding *p;
	size_t n, cap;
};

/* finding.c */
/*
 * Adds what one rule found in one file, in order of place: the first CHECK_PER_FILE of those that
 * count, and as many of those that exist; the last one listed says how many more there are.
 */
void findings_add(struct worker *w, const struct rule *r, struct str path, struct str text,
		  struct findings *f);
void note_add(struct worker *w, enum check_note_kind kind, bool blocks, struct str path,
	      struct str message);

/* report.c */
void report_note(struct run *run, enum check_note_kind kind, bool blocks, struct str path,
		 size_t line, struct str message);
void report_finish(struct run *run);

#endif
