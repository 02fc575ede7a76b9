#include "memory/storage_internal.h"
#include "os/os.h"

const char *const memory_layers[] = {MEMORY_LAYERS(ENUM_NAME) NULL};
const char *const memory_kinds[] = {MEMORY_KINDS(ENUM_NAME) NULL};
const char *const memory_kinds_added[] = {MEMORY_KINDS_ADDED(ENUM_NAME) NULL};
const char *const memory_provenances[] = {MEMORY_PROVENANCES(ENUM_NAME) NULL};
const char *const memory_provenances_said[] = {MEMORY_PROVENANCES_SAID(ENUM_NAME) NULL};
const char *const memory_redactions[] = {MEMORY_REDACTIONS(ENUM_NAME) NULL};
const char *const memory_statuses[] = {MEMORY_STATUSES(ENUM_NAME) NULL};
const char *const memory_states[] = {MEMORY_STATES(ENUM_NAME) NULL};

/* clang-format off */
const struct memory_kind_rules memory_kind_rules[MEMORY_KINDS_END] = {
	[MEMORY_FACT] = {.confidence = 1, .merges = true},
	[MEMORY_EPISODIC] = {.confidence = 1, .append_only = true},
	[MEMORY_SEMANTIC] = {.confidence = 1, .merges = true},
	[MEMORY_WORKING] = {.confidence = 1, .lives_ms = HOUR_MS, .most = 20,
			    .most_drops = true},
	[MEMORY_SCRATCH] = {.confidence = 0.5, .lives_ms = 7 * DAY_MS,
			    .most = 100, .has_status = true},
	[MEMORY_CONVERSATION] = {.confidence = 1, .has_turns = true},
	[MEMORY_KNOWLEDGE_POINTER] = {.confidence = 1},
};
/* clang-format on */
