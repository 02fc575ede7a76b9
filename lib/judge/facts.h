/*
 * facts: the engine of all kinds of rules. A kind is one row, struct target: it reads a side of a
 * file into facts, and matches a rule with them. facts.c does the rest, once for all kinds: it
 * reads the base when a rule first asks, counts what is new, stops at limits, answers rules that
 * one match anywhere satisfies, takes the names of an input, and tells what cannot be judged.
 *
 * A new kind of rule is a row here, and a word in KN_TARGETS of knowledge.h.
 */
#ifndef IKM_JUDGE_FACTS_H
#define IKM_JUDGE_FACTS_H

#include "judge/engine.h"

/* One side of a file. */
struct file_side {
	const struct subject *s;
	bool old;                     /* its content in the base */
	bool input;                   /* names without a file */
	struct str path, raw;         /* raw: empty for READS_PATH */
	const struct code_text *text; /* for READS_TEXT */
	const bool *pending;          /* by rule: those that ask; NULL: all of the kind */
	/* The path under which the file is read, when its own does not tell its format. */
	struct str (*alias)(struct arena *a, struct str path);
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
struct spots {
	struct spot *p;
	size_t n, cap;
};

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
	struct str unread;  /* the language or format, which has no reader; p NULL: it was read */
	bool foreign;       /* the text tells that the file is not of this kind */
	const void *of;     /* for the row */
	struct hits *found; /* for the row: by rule, when the reader itself looks for hits */
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
	/* An input has names of the kind, without a file; and what they are. NULL: no input has. */
	bool (*given)(const struct check_input *in);
	struct err *(*input)(struct run *run, struct facts *f);
	enum re_answer (*match)(struct worker *w, struct arena *a, const struct rule *r,
				const struct facts *f, const struct fact *one);
	/*
	 * In place of facts_match(): everything that breaks the rule. For rules that are satisfied
	 * by one match sets out->satisfied.
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
	/* There is no reader: the reason, and the rules that it concerns (enum blind_only). */
	enum check_reason unread_as;
	unsigned unread_only;
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

/* ---- judging ---- */

/*
 * Facts of one file in which a pattern may reach its match limit. ikm does not try it with the
 * rest: the finding says that the result is not known.
 */
#define FACT_LIMITS 2

/* The facts that break the rule; of a presence rule, whether one satisfies it. Calls match(). */
void facts_match(struct worker *w, struct arena *a, const struct rule *r, const struct facts *f,
		 struct hits *out);

/* Judges a file by all rules of a kind whose scope holds it (w->scoped). */
void facts_judge(struct worker *w, struct arena *a, enum kn_target kind,
		 const struct file_side *side);
/* Whether a rule of the kind finds something in the file. Ignores appliesTo. */
bool facts_any(struct worker *w, struct arena *a, enum kn_target kind,
	       const struct file_side *side);
/* Sets found[rule] for rules of the kind that one match satisfies. */
void facts_presence(struct worker *w, struct arena *a, enum kn_target kind,
		    const struct file_side *side, bool *found);
/* Judges the names of check_input. */
struct err *facts_judge_input(struct run *run) MUST_USE;
/* Records that rules of the kind could not read the file, and why. */
void facts_unreadable(struct worker *w, enum kn_target kind, const struct subject *s,
		      struct str why);
/* worker.c: rules of the kind do not read larger files. */
size_t worker_max(const struct run *run, const struct target *t);

/* depcheck.c: judges a file that a requirements file of the tree includes, whatever its name. */
void dep_judge_included(struct worker *w, struct arena *a, const struct subject *s,
			struct str text);
/*
 * code.c: the file is knowledge, which may quote what the rule forbids, so the rule does not judge
 * it. Exceptions: rules whose appliesTo names the file, and rules of the base when the change turns
 * the file into knowledge.
 */
bool code_may_quote(const struct run *run, const struct rule *r, const struct subject *s, bool old);
/* code.c: the line of the place, without its indentation. */
struct str code_line_of(struct str text, size_t at);

#endif
