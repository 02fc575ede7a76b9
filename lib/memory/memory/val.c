/* A memory as JSON, in results, exports and tombstones. One table serves reading and writing. */
#include "memory/storage_internal.h"
#include "memory/repository_ties.h"
#include "os/os.h"

_Static_assert(sizeof(enum memory_layer) == sizeof(unsigned) &&
		       sizeof(enum memory_kind) == sizeof(unsigned) &&
		       sizeof(enum memory_state) == sizeof(unsigned),
	       "names are read and written as numbers");

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

bool memory_kind_has_status(const void *record)
{
	const struct memory *one = record;

	return memory_kind_rules[one->kind].has_status;
}

static bool memory_is_placed(const void *record)
{
	return ((const struct memory *)record)->commit.n;
}

static bool memory_is_anothers(const void *record)
{
	return ((const struct memory *)record)->owner.n;
}

static bool memory_is_own(const void *record)
{
	return !memory_is_anothers(record);
}

#define M struct memory
static const struct field memory_made_record[] = {
	FIELD_OF(M, repository, "its origin, else its root commit", .max = OS_PATH_MAX),
	FIELD_OF(M, commit, "HEAD then", .max = 64),
	FIELD_OF(M, branch, "the branch; missing: HEAD was detached", .flags = IF_ANY, .max = 4096),
	FIELD_OF(M, change, "finds the commit again after a rebase", .flags = IF_ANY, .max = 64),
	{0},
};
/* clang-format off */
#define MEMORY_ROWS_OF(who) \
	MEMORY_ROW_ID(M, ), \
	FIELD_NAMED(M, layer, "layer", memory_layers, "the layer: who sees it"), \
	MEMORY_ROW_KIND(M, ), \
	MEMORY_ROW_TYPE(M, ), \
	MEMORY_ROW_CONTENT(M, ), \
	MEMORY_ROW_TAGS(M, ), \
	FIELD_JSON(M, metadata, "metadata", "metadata, as given", .flags = IF_ANY), \
	FIELD_OF(M, source, "the origin of the content", .flags = IF_ANY), \
	FIELD_OF(M, importance, "how important it is, 0 to 1"), \
	FIELD_OF(M, confidence, "how certain it is, 0 to 1"), \
	FIELD_NAMED(M, provenance, "provenance", memory_provenances, "who provided it"), \
	FIELD_NAMED(M, redaction, "redaction", memory_redactions, "how confidential it is"), \
	FIELD_NAMED(M, status, "status", memory_statuses, "the status of a scratch note", \
		    .flags = OPTIONAL, .given = memory_kind_has_status), \
	FIELD_NAMED(M, state, "state", memory_states, "whether it still holds"), \
	who \
	MEMORY_ROW_OWNER(M, ), \
	FIELD_AS(M, agent, "agentId", "the agent that added it", .flags = IF_ANY), \
	FIELD_AS(M, session, "sessionId", "the conversation in which it was added", \
		 .flags = IF_ANY), \
	MEMORY_ROW_SPEAKER(M, ), \
	FIELD_OF(M, turn, "the turn's number, from 1", .flags = IF_ANY), \
	FIELD_OF(M, supersedes, "the memory that it replaced", .flags = IF_ANY), \
	MEMORY_ROW_SUPERSEDED_BY(M, ), \
	FIELD_TIME(M, superseded, "supersededAt", "when it was superseded", .flags = IF_ANY), \
	MEMORY_ROW_HAPPENED(M, ), \
	MEMORY_ROW_CREATED(M, ), \
	FIELD_TIME(M, updated, "updatedAt", "when it was last changed"), \
	FIELD_TIME(M, expires, "expiresAt", "when it expires", .flags = IF_ANY), \
	FIELD_TIME(M, deleted, "deletedAt", "when it was deleted", .flags = IF_ANY), \
	FIELD_OF(M, tokens, "estimated tokens of the content"), \
	FIELD_TREE(M, files, "files", F_LIST, memory_file_record, "the files that it speaks of", \
		   .flags = OPTIONAL), \
	FIELD_GROUP("madeAt", memory_made_record, "the commit on which a project memory was made", \
		    .flags = OPTIONAL, .given = memory_is_placed),
/* clang-format on */
#define BY_USER FIELD_AS(M, user, "userId", "the user who added it", .flags = IF_ANY),
/* A server proves the owner of a memory that came from another person, and no member of its text.
 */
#define BY_USER_OR_SAID                                                                            \
	FIELD_AS(M, user, "userId", "the user who added it", .flags = IF_ANY,                      \
		 .given = memory_is_own),                                                          \
		FIELD_AS(M, user, "saidBy",                                                        \
			 "the user that another person's memory names; owner is proven",           \
			 .flags = IF_ANY, .given = memory_is_anothers),
const struct field memory_record[] = {MEMORY_ROWS_OF(BY_USER){0}};
const struct field memory_shown[] = {MEMORY_ROWS_OF(BY_USER_OR_SAID) MEMORY_ROWS_TIES(M, ties),
				     {0}};
#undef M

struct memory memory_copy(struct arena *a, const struct memory *one)
{
	struct memory out = *one;

	record_deep_copy_in_place(a, memory_record, &out);
	return out;
}

struct err *memory_from_json(struct arena *a, const struct val *v, struct memory *out)
{
	static const struct record_reader how = {
		.what = "a memory", .unknown = RECORD_REFUSED, .partial = true, .nulls = true};

	return record_from_val(a, &how, memory_record, v, out);
}
