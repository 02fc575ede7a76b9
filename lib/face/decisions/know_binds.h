/* know_binds: what binds a file, as lines within a budget of tokens, for knowledge_for. */
#pragma once

#include "judge/rules_for_path.h"
#include "know.h"
#include "memories/memories.h"

struct binds_args {
	struct strs paths;
	int64_t tokens;
	bool memories;
	struct strs knowledge;
};

struct binds_rule {
	struct str item, path, file, why;
	enum kn_layer layer;
	struct kn_constraint rule; /* severity: after the item's status is applied */
	struct str line;           /* for text */
};
struct binds_decision {
	struct str id, title, summary, path, file, why;
	struct str line;
};
struct binds_memory {
	struct memory memory;
	struct str file, why;
	struct str line;
};
/* How many were cut by the budget. */
struct binds_cut {
	int64_t rules, decisions, memories;
};
struct binds_result {
	bool success;
	struct VEC(struct binds_rule) rules;
	struct VEC(struct binds_decision) decisions;
	struct VEC(struct binds_memory) memories;
	struct binds_cut cut;
	int64_t tokens;    /* of the lines that are there */
	struct strs notes; /* what was not looked at */
	bool noKnowledge;
	struct str nothing;
};
extern const struct field binds_result_fields[];

/* Fills the result: rules first, then decisions, then memories. */
struct err *binds_find_for_path(struct call *c, const struct binds_args *args,
				struct binds_result *out) MUST_USE;
