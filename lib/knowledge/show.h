/* show: an item as knowledge_query and knowledge_show tell it, and its history. */
#ifndef IKM_KNOWLEDGE_SHOW_H
#define IKM_KNOWLEDGE_SHOW_H

#include "knowledge/knowledge.h"
#include "record/record.h"

/* An item, and what results say of it besides. */
struct knowledge_shown {
	struct kn_item item;
	bool has_constraints;
	struct {
		const struct kn_constraint *p; /* NULL: they are not asked for */
		size_t n;
	} constraints;
	struct str supersedes;      /* the first one; p NULL: none */
	struct strs supersedes_all; /* where there are several */
};
struct knowledge_shown_list {
	struct knowledge_shown *p;
	size_t n, cap;
};
struct knowledge_shown knowledge_shown(struct arena *a, const struct kn_item *i, bool constraints);

/* Of a struct knowledge_shown: in a list, and KnowledgeShowOutput's item. */
extern const struct field knowledge_summary_fields[], knowledge_item_fields[];
/* clang-format off */
/* What a rule asks for, of a struct kn_constraint that stands in `object` at `at`. */
#define KN_CONSTRAINT_FIELDS(object, at)                                                           \
	FIELD_NAMED(object, at op, "operator", kn_operators, "what is asked"),                     \
	FIELD_NAMED(object, at target, "target", kn_targets, "of what"),                           \
	FIELD_AS(object, at pattern, "pattern", "the pattern"),                                    \
	FIELD_AS(object, at applies_to, "appliesTo", "globs of the files it is about",             \
		 .flags = IF_ANY),                                                                 \
	FIELD_AS(object, at version, "version", "the versions it is about", .flags = IF_ANY)
/* clang-format on */
/* Of a struct kn_constraint: that alone. */
extern const struct field knowledge_constraint_fields[];

struct knowledge_commit {
	struct str version, timestamp, author, message; /* version: the commit's id */
};
struct knowledge_log {
	struct knowledge_commit *p;
	size_t n, cap;
};
extern const struct field knowledge_commit_fields[];
/* Newest first; empty, with p, for a file without history. Errors: Git's. */
struct err *knowledge_history(struct arena *a, const struct kn_item *i,
			      struct knowledge_log *out) MUST_USE;

#endif
