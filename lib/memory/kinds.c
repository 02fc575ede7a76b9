#include "base/base.h"
#include "memory/internal.h"
#include "os/os.h"

const char *const memory_layers[] = {"agent", "user", "session", "project",
				     "team",  "org",  "company", NULL};
const char *const memory_kind_names[] = {MEMORY_KINDS_ADDED, "knowledge_pointer", NULL};
const char *const memory_provenances[] = {"user", "agent", "tool", "import", "sync", NULL};
const char *const memory_redactions[] = {"public", "internal", "sensitive", NULL};
const char *const memory_statuses[] = {"active", "pending_review", "resolved", "archived", NULL};
const char *const memory_states[] = {"active", "superseded", "conflict", "expired", NULL};

/* clang-format off */
const struct memory_kind_rules memory_kinds[MEMORY_KINDS_END] = {
	[MEMORY_FACT] = {.name = "fact", .confidence = 1, .merges = true},
	[MEMORY_EPISODIC] = {.name = "episodic", .confidence = 1, .append_only = true},
	[MEMORY_SEMANTIC] = {.name = "semantic", .confidence = 1, .merges = true},
	[MEMORY_WORKING] = {.name = "working", .confidence = 1, .lives_ms = HOUR_MS, .most = 20,
			    .most_drops = true},
	[MEMORY_SCRATCH] = {.name = "scratch", .confidence = 0.5, .lives_ms = 7 * DAY_MS,
			    .most = 100, .has_status = true},
	[MEMORY_CONVERSATION] = {.name = "conversation", .confidence = 1, .has_turns = true},
	[MEMORY_KNOWLEDGE_POINTER] = {.name = "knowledge_pointer", .confidence = 1},
};
/* clang-format on */
