/*
 * examples: tries a rule on single texts: on the examples that it carries, and on a text that a
 * person gives. check_run() judges each text as the only content of a tree, or as the only
 * dependency, so a trial cannot differ from a check.
 */
#pragma once

#include "judge/judge.h"

/*
 * Judges one text by the rule alone, whatever the status of its item. By the rule's target the text
 * is the content of a file (code), a package as deps_read_install_argument() reads it (dependency),
 * a module (import), a setting as "key.path=value" (config), or a path (file). appliesTo only
 * counts for a path. *stopped: the rule finds a violation, and *found is what it found:
 * "mysql2 3.1", the first line of a match, a path, or empty when something is missing.
 * BAD_ARGUMENT: ikm cannot judge the text, for example because it has a NUL byte.
 */
struct err *check_try_on_text(struct arena *a, const struct kn_item *item,
			      const struct kn_constraint *c, struct str text, bool *stopped,
			      struct str *found) MUST_USE;

struct check_example {
	struct str text;
	bool stops;        /* it stands under stops, not under passes */
	bool stopped;      /* the verdict */
	struct place at;   /* in the item's file */
	struct str failed; /* why the example fails, in a sentence; empty: it holds */
};
struct check_examples VEC(struct check_example);
/* Tries all examples of a rule; none for a target that check does not judge. */
struct err *check_examples(struct arena *a, const struct kn_item *item,
			   const struct kn_constraint *c, struct check_examples *out) MUST_USE;
