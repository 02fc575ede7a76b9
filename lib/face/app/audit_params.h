/*
 * audit_params: the parameters that every writing tool has for the record of changes: identifiers,
 * a rationale, a key for repeats (requirement: garden, "Events and lint"). Over MCP they may also
 * stand in the request's _meta.
 */
#pragma once

#include "app/app.h"
#include "event/idempotency.h"

/* A member `audit` of struct args. */
struct audit {
	struct str transaction_id, tool_call_id, agent_action_id, idempotencyKey, rationale;
	struct strs evidence_refs;
};

/* clang-format off */
#define PARAM_AUDIT(member, ...)                                                                   \
	{.name = #member, .type = PARAM_TYPE(((struct args *)0)->audit.member),                    \
	 .offset = offsetof(struct args, audit.member), __VA_ARGS__}
#define PARAMS_AUDIT_AS(listed)                                                                    \
	PARAM_AUDIT(rationale, .flags = (listed), .min = 1, .max = 500,                            \
		    .help = "why, on one line: for the record, and for a garden's Change Log"),    \
	PARAM_AUDIT(evidence_refs, .flags = (listed), .option = "evidence-ref", .meta = "ref",     \
		    .also = "evidenceRefs evidence", .min = 1, .max = 256,                         \
		    .help = "evidence for the change, such as ev: tokens; may be repeated"),       \
	PARAM_AUDIT(idempotencyKey, .flags = (listed) | AUDIT, .meta = "key",                      \
		    .also = "idempotency_key", .min = 1, .max = 256,                               \
		    .help = "a repeat with this key is answered, and not done again"),             \
	PARAM_AUDIT(transaction_id, .flags = RARE | AUDIT, .meta = "id",                       \
		    .also = "transactionId", .min = 1, .max = 256,                                 \
		    .help = "for the record: what this change is a part of"),                      \
	PARAM_AUDIT(tool_call_id, .flags = RARE | AUDIT, .meta = "id",                         \
		    .also = "toolCallId", .min = 1, .max = 256,                                    \
		    .help = "for the record: the call as the caller names it"),                    \
	PARAM_AUDIT(agent_action_id, .flags = RARE | AUDIT, .meta = "id",                      \
		    .also = "agentActionId", .min = 1, .max = 256,                                 \
		    .help = "for the record: the agent's action as the caller names it")
/* A row of a command's result, for a member of its struct. */
#define FIELD_REPLAYED(member)                                                                     \
	FIELD_AS(struct result, member, "replayed", REPLAYED_HELP, .flags = IF_ANY)
#define REPLAYED_HELP "the call is a repeat: nothing was done, and this is the former answer"
/* clang-format on */
/* Rows of params, for tools of any toolset, and for those of the garden. */
#define PARAMS_AUDIT        PARAMS_AUDIT_AS(RARE)
#define PARAMS_AUDIT_GARDEN PARAMS_AUDIT_AS(0)

/* evidence_refs as the record has them; empty: none. Errors: BAD_ARGUMENT for a malformed one. */
struct err *audit_evidence_refs_text(struct arena *a, const struct strs *refs,
				     struct str *out) MUST_USE;
/* The same, for the record. Errors: those of event_caller_ids_check(). */
struct err *audit_ids_for_event(struct arena *a, const struct audit *audit,
				struct event_ids *out) MUST_USE;
/*
 * The conversation of the caller: client_session(), else for an agent that names none the calls of
 * the same user, agent, client and repository of the last 12 hours; then c->guessed_session is set.
 * Empty for a person. Needs c->conf.
 */
struct str audit_session_id(struct call *c);
/* Says so: empty when the conversation is not guessed. */
struct str audit_guessed_session_text(const struct call *c);
/* The record of changes, for the caller of a command with NEED_CONF; without ids. */
struct events *audit_events_new(struct call *c, struct db *db);
/* The error for an idempotencyKey when changes are not recorded. */
struct err *audit_no_record_error(void) MUST_USE;
/*
 * Answers a repeated call: reads the former answer v into the command's result, with the member
 * `replayed`, and tells a person that nothing was done.
 */
struct err *audit_answer_replay(struct call *c, const struct event_replay *r, struct val *v,
				void *result) MUST_USE;
/*
 * Copies these parameters from a request's _meta into the input of a tool that has them; the input
 * counts where both have one.
 */
void audit_copy_from_meta(struct arena *a, const struct cmd *cmd, const struct val *meta,
			  struct val *input);
