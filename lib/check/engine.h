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
	/* It names some files: one of its globs does not fit just anything. */
	bool names;
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
	struct str path;         /* of its item in the judged tree; empty: elsewhere */
	const struct glob *glob; /* FILE: the constraint's, or one that ignores case */
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
	/* The paths as globs are matched with them: in small letters where git ignores case. */
	struct str now_glob, old_glob;
	bool touched; /* the change touches it; always without a base */
	/* It is an item, or was meant to be one; in_source: it lies in a source of the base. */
	bool now_knowledge, old_knowledge, in_source;
	/* "linguist-generated in .gitattributes": code rules do not look; empty: none. */
	struct str exempt;
	bool exempt_added; /* the base does not say so */
	bool old_exempt;   /* only told where presence rules look at the base */
	struct str target; /* of a link that a rule may look into */
	bool dangling; /* a link by the name of a manifest, and no manifest of the tree is there */
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
	bool *may, *may_too; /* by set member */
	bool *scoped;        /* by scope, for the file at hand */
	bool *was_scoped;    /* by scope, for the file's name in the base */
	bool *present;       /* by rule, presence rules: it matched in a file of now */
	bool *was;           /* by rule: it matched in a touched file of the base */
	unsigned *limit_hit; /* by rule, presence rules: files in which the pattern hit its limit */
	struct {
		struct check_violation *p;
		size_t n, cap;
	} violations;
	bool *blind; /* by rule, scratch: those that cannot look */
	struct check_unjudged_list unjudged;
	unsigned existing, files, manifests, unresolved;
	/* The first trouble in order of files, so that threads do not decide which one it is. */
	size_t failed_at;
	enum err_reason reason;
	struct str failed;
};

/* rules.c: fills run->rules, the counts of items and constraints, and notes. */
struct err *rules_load(struct run *run) MUST_USE;
/* Sets scoped[i] for each scope that the path is in: subject.now_glob or old_glob. */
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
/*
 * A requirements file of the tree includes this one, whatever its name: *by is that file. For any
 * thread; the first to ask reads the tree's requirements files.
 */
bool beside_includes(const struct deps_files *files, struct str path, struct str *by);

/* skip.c: whether a file is code at all. */
bool skip_is_lfs(struct str text);
/* By its name: source code, scripts, markup, settings; or data that is never text. */
bool skip_is_source(struct str path);
bool skip_is_data(struct str path);

/* ---- the text of a file ---- */

enum code_encoding { CODE_BYTES, CODE_UTF16LE, CODE_UTF16BE, CODE_UTF32LE, CODE_UTF32BE };

/*
 * A file's content in the ways that programs may read it. Patterns run over all of them: a shell
 * drops NUL bytes, others keep them, and what begins like UTF-16 may be run as plain bytes.
 */
#define CODE_VIEWS 3
struct code_text {
	struct str raw;
	enum code_encoding encoding;
	struct code_view {
		struct str text;
		enum { VIEW_RAW, VIEW_NO_NULS, VIEW_DECODED } how;
	} view[CODE_VIEWS];
	unsigned n; /* view[0] is the one in which places are told */
};

/* text.c */
/* False when it is data: no text by its content and its name. */
bool code_text_of(struct arena *a, struct str path, struct str raw, struct code_text *out);
/* Where offsets of a view, asked for in order, lie in the file. Begins zeroed. */
struct code_cursor {
	size_t raw, view;
};
size_t code_text_raw(const struct code_text *t, unsigned view, struct code_cursor *c, size_t at);
/* Line, and column in bytes as UTF-8, of offsets in the file that come in order. */
struct code_places {
	struct str raw;
	enum code_encoding encoding;
	struct places bytes;
	size_t at, lines, column;
};
struct place code_place(struct code_places *p, size_t raw);

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
void code_judge(struct worker *w, struct arena *scratch, const struct subject *s,
		const struct code_text *text);
/* Presence rules alone: sets found[rule]; pending NULL: all. old: text is the base's. */
void code_presence(struct worker *w, const struct subject *s, bool old,
		   const struct code_text *text, const bool *pending, bool *found);
/*
 * The file is knowledge, which may quote what the rule forbids: not judged by it. Rules that name
 * the file in their appliesTo judge it; so do all of the base's where only the change makes it
 * knowledge.
 */
bool code_may_quote(const struct run *run, const struct rule *r, const struct subject *s, bool old);

/* lines.c */
/* Lines of now that a line diff with old adds. */
struct line_range {
	size_t from, to; /* [from, to), from 1 */
};
struct line_ranges {
	struct line_range *p;
	size_t n, cap;
};
/* Sorted; empty when nothing can be said. */
struct line_ranges lines_added(struct arena *a, struct str old, struct str now);

/* depcheck.c */
/* included: the file is judged as one that a requirements file includes. */
void dep_judge(struct worker *w, struct arena *scratch, const struct subject *s, struct str text,
	       const struct deps *deps, bool included);
/* Does a rule find something in it, wherever that rule applies? */
bool dep_finds(struct worker *w, struct arena *scratch, const struct deps *deps);
void dep_presence(struct worker *w, struct arena *scratch, const struct deps *deps,
		  const bool *pending, bool *found);
/* The input's own list. */
void dep_judge_input(struct run *run);

/* filecheck.c */
void file_judge(struct worker *w, const struct subject *s);
void file_presence(struct worker *w, const struct subject *s, bool old, const bool *pending,
		   bool *found);

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
	bool limit_hit; /* the pattern hit its limit: nothing is known about the rest of the file */
};
struct findings {
	struct finding *p;
	size_t n, cap;
	enum code_encoding encoding; /* of the text that places are told in */
};

/* finding.c */
/*
 * Adds what one rule found in one file, in order of place: the first CHECK_PER_FILE of those that
 * count, and as many of those that exist; the last one listed says how many more there are.
 */
void findings_add(struct worker *w, const struct rule *r, struct str path, struct str text,
		  struct findings *f);

/* Cut where a character ends, and only where it must be. */
struct str finding_cut(struct arena *a, struct str s);

/* unjudged.c */
enum blind_only {
	BLIND_NAMED = 1,   /* rules whose appliesTo names the file */
	BLIND_ABSENCE = 2, /* no rules that one match anywhere satisfies: they fail loudly */
	BLIND_ADDED = 4,   /* rules that the change adds */
};
void unjudged_clear(struct worker *w);
/* Sets w->blind for the rules of the target that apply by path (w->scoped); was any set? */
bool unjudged_blind(struct worker *w, enum kn_target target, unsigned only);
/*
 * Rules in w->blind could not look into the subject. The entry is valid until the next one. NULL:
 * no rule is blind.
 */
struct check_unjudged *unjudged_add(struct worker *w, const struct subject *s,
				    enum check_reason why, struct str detail);
/* The same of one rule, at a place. */
struct check_unjudged *unjudged_by(struct worker *w, const struct subject *s, const struct rule *r,
				   enum check_reason why, struct str detail);
/* A rule that judges nothing. */
void unjudged_rule(struct run *run, const struct rule *r);
void unjudged_finish(struct run *run);

/* report.c */
void report_note(struct run *run, enum check_note_kind kind, bool blocks, struct str path,
		 size_t line, struct str message);
void notes_sort(struct check_note_list *list);
void report_finish(struct run *run);

/* Steps of a comparison for qsort: each returns unless its two values are equal. */
#define BY(a, b)                                                                                   \
	do {                                                                                       \
		if ((a) != (b))                                                                    \
			return (a) < (b) ? -1 : 1;                                                 \
	} while (0)
#define BY_STR(a, b)                                                                               \
	do {                                                                                       \
		int by_ = str_cmp((a), (b));                                                       \
		if (by_)                                                                           \
			return by_;                                                                \
	} while (0)

#endif
