/*
 * sides: what is judged and what it is compared with, each with its own settings and knowledge.
 * Private to check.
 */
#ifndef IKM_CHECK_SIDES_H
#define IKM_CHECK_SIDES_H

#include "check/judge.h"

struct side {
	struct tree *tree;
	const char *ref; /* its commit; NULL: an index, a working tree, or nothing */
	struct conf *conf;
	struct knowledge *knowledge;
	/*
	 * Of a base: what it shares with the first base, or NULL; and whether what it did to the
	 * rules since then is published, so that a change that merges it does not do it.
	 */
	struct side *fork;
	bool decides;
};
struct sides {
	struct side now;
	/* The first is what was there before; the others are what of the change is published. */
	struct side *base;
	size_t base_n;
	bool everything;      /* the whole working tree: --all, PATH */
	bool first_of_branch; /* the first commit, or the first push, of a branch */
};

/*
 * Reads what both sides decide and runs check against every base: a violation counts when it is new
 * against each of them. Tells how the rules differ, and what else the change does to knowledge.
 */
struct err *sides_judge(struct arena *a, const struct judge *j, struct sides *s,
			struct check_input *in, struct check_report *out) MUST_USE;

/* How the rules differ from those of the first base; judges nothing. */
struct err *sides_compare(struct arena *a, const struct judge *j, struct sides *s,
			  struct check_report *out) MUST_USE;

/* source_notes.c: what the change does to the sources of knowledge, as notes. */
struct err *note_sources(struct arena *a, const struct judge *j, const struct sides *s,
			 const struct tree_changes *changes, struct check_report *out) MUST_USE;

/* The settings and knowledge that count for a tree, and nothing else. */
struct err *side_load(struct arena *a, const struct judge *j, struct side *s) MUST_USE;

#endif
