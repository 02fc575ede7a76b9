/*
 * agentsmd: a marked block in AGENTS.md or CLAUDE.md with the active decisions, for agents that
 * read these files. Everything outside the block is the person's.
 */
#pragma once

#include "knowledge/knowledge.h"

/* The files that agents read, in the order of preference; NULL-ended. */
extern const char *const agentsmd_names[];

struct agentsmd {
	bool there;       /* the text has a block */
	bool stale;       /* the block differs from the decisions, or there is none and should be */
	struct span at;   /* of the block, with both markers and the line end */
	size_t decisions; /* how many it should list */
	struct str block; /* as it should be */
};
/*
 * Compares the block in a text with the active decisions. text.p NULL: there is no file, which is
 * as an empty one. Errors: BAD_MARKDOWN for a marker without its other half, a second block, or
 * markers in the wrong order, with the line.
 */
struct err *agentsmd_compare(struct arena *a, const struct knowledge *k, struct str text,
			     struct agentsmd *out) MUST_USE;
/* The text with the block as it should be; at the end when the text has none. */
struct str agentsmd_put_block(struct arena *a, struct str text, const struct agentsmd *m);
