/*
 * suggest: rules that the prose of a decision names. It reads three forms: options that were
 * considered and not chosen, sentences such as "we no longer use X" in the title and the decision,
 * and a few terms of languages, such as "default exports". A name counts when the tree's manifests,
 * a link or backticks tell what it is. Nothing here is a rule: a person accepts it.
 */
#pragma once

#include "deps/deps.h"
#include "knowledge/knowledge.h"
#include "tree/tree.h"

/* What tells that a name is a package or a text: each with its clause for people. */
#define SUGGEST_SIGNS(X)                                                                           \
	X(SUGGEST_TREE, "manifest")                                                                \
	X(SUGGEST_LINK, "link")                                                                    \
	X(SUGGEST_CODE, "backticks")                                                               \
	X(SUGGEST_TERM, "term")                                                                    \
	X(SUGGEST_GUESS, "guess") /* written as the ecosystem of the chosen package writes names   \
				   */
enum suggest_sign { SUGGEST_SIGNS(ENUM_MEMBER) };
extern const char *const suggest_signs[]; /* NULL-ended */

struct suggestion {
	const struct kn_item *item;
	struct kn_constraint rule; /* compiled; index: its number among all suggestions, from 1 */
	enum suggest_sign sign;
	struct str sentence; /* what it comes from, on one line */
	size_t line;         /* of the file, from 1 */
	bool is_rule;        /* the item has it as a rule already */
};
/* A name in backticks that a sentence bans, and that may be a package: nothing here tells. */
struct suggest_unknown {
	const struct kn_item *item;
	struct str name, sentence;
	size_t line;
};
struct suggestions {
	struct suggestion *p;
	size_t n, cap;
	struct VEC(struct suggest_unknown) unknown;
};

struct suggest_names;
/* The packages that the tree's manifests ask for, without those of lockfiles. tree NULL: none. */
struct err *suggest_load_names(struct arena *a, struct tree *tree, size_t max_file,
			       struct suggest_names **out) MUST_USE;
/*
 * Adds what the item's file suggests; text: the whole file. Errors: those of md_read().
 */
struct err *suggest_from_item(struct arena *a, const struct suggest_names *names,
			      const struct kn_item *item, struct str text,
			      struct suggestions *out) MUST_USE;
