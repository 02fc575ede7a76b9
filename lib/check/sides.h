/*
 * sides: the judged tree and its bases, each with its own settings and knowledge. Private to check.
 */
#ifndef IKM_CHECK_SIDES_H
#define IKM_CHECK_SIDES_H

#include "check/judge.h"

struct side {
	struct tree *tree;
	const char *ref; /* the commit; NULL: an index, a working tree, or nothing */
	struct conf *conf;
	struct knowledge *knowledge;
	/*
	 * For a base: its merge base with the first base, or NULL. decides: its rule changes since
	 * then are published, so a change that merges them does not make them.
	 */
	struct side *fork;
	bool decides;
};
struct sides {
	struct side now;
	/*
	 * The first base is the state before the change; the others are published commits that the
	 * change contains.
	 */
	struct side *base;
	size_t base_n;
	bool everything;      /* judge the whole working tree: --all, PATH */
	bool first_of_branch; /* the first commit, or the first push, of a branch */
};

/*
 * Reads the settings and knowledge of both sides and runs check against every base. A violation
 * counts when it is new against each base. Reports how the rules differ, and what the change does
 * to the sources of knowledge.
 */
struct err *sides_judge(struct arena *a, const struct judge *j, struct sides *s,
			struct check_input *in, struct check_report *out) MUST_USE;

/*
 * The same of an edit of the working tree. The first base is the working tree before the edit; the
 * second one, if any, is HEAD, and only its rules count. in->now and in->base are the trees of the
 * edit's files, and changes is their difference.
 */
struct err *sides_judge_edit(struct arena *a, const struct judge *j, struct sides *s,
			     const struct tree_changes *changes, struct check_input *in,
			     struct check_report *out) MUST_USE;

/* Compares the rules with those of the bases; judges nothing. */
struct err *sides_compare(struct arena *a, const struct judge *j, struct sides *s,
			  struct check_report *out) MUST_USE;

/* source_notes.c: notes about what the change does to the sources of knowledge. */
struct err *note_sources(struct arena *a, const struct judge *j, const struct sides *s,
			 const struct tree_changes *changes, struct check_report *out) MUST_USE;

/* Loads the settings and the knowledge of s->tree. */
struct err *side_load(struct arena *a, const struct judge *j, struct side *s) MUST_USE;

#endif
