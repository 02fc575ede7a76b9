/* show: the results of knowledge_query and knowledge_show, and an item's history. */
#pragma once

#include "knowledge/knowledge.h"
#include "record/record.h"

/* An item, with the members that only results have. */
struct knowledge_shown {
	struct kn_item item;
	bool has_constraints;
	struct {
		const struct kn_constraint *p; /* NULL: the caller does not want them */
		size_t n;
	} constraints;
	struct str supersedes;      /* the first item of the list; p NULL: it is empty */
	struct strs supersedes_all; /* the whole list, if it has several */
};
struct knowledge_shown_list VEC(struct knowledge_shown);
struct knowledge_shown knowledge_item_for_result(struct arena *a, const struct kn_item *i,
						 bool constraints);

/* Fields of a struct knowledge_item_for_result: as an entry of a list, and as KnowledgeShowOutput's
 * item. */
extern const struct field knowledge_summary_fields[], knowledge_item_fields[];
/* clang-format off */
/* Fields of a struct kn_constraint that is the member `at` of `object`. */
#define KN_CONSTRAINT_FIELDS(object, at)                                                           \
	FIELD_NAMED(object, at op, "operator", kn_operators, "what the rule demands"),             \
	FIELD_NAMED(object, at target, "target", kn_targets, "what the rule looks at"),            \
	FIELD_AS(object, at pattern, "pattern", "the pattern"),                                    \
	FIELD_AS(object, at applies_to, "appliesTo", "globs of the files that the rule covers",    \
		 .flags = IF_ANY),                                                                 \
	FIELD_AS(object, at version, "version", "the versions that the rule covers",               \
		 .flags = IF_ANY),                                                                 \
	FIELD_AS(object, at runtimes, "runtimes", "it judges runtimes as packages", .flags = IF_ANY)
/* clang-format on */
/* The same fields, of a struct kn_constraint itself. */
extern const struct field knowledge_constraint_fields[];

struct knowledge_commit {
	struct str version, timestamp, author, message; /* version: the commit's id */
};
struct knowledge_log VEC(struct knowledge_commit);
extern const struct field knowledge_commit_fields[];
/*
 * The commits that changed the item's file, newest first. Without history the list is empty and its
 * p is not NULL. Errors: Git's.
 */
struct err *knowledge_history(struct arena *a, const struct kn_item *i,
			      struct knowledge_log *out) MUST_USE;
