/* memories: the identity of the caller, and the text form of memories, for the commands over
 * memories. */
#pragma once

#include "reply/plain_for_model.h"
#include "app/app.h"
#include "app/audit_params.h"
#include "recall/search.h"
#include "memory/repository_ties.h"

/*
 * Opens nothing yet, except for a repository without an origin. The command needs NEED_CONF |
 * MAY_GIT. The settings user, agent.id and session identify the caller. The project is
 * memory.project, else the repository's origin as HOST/PATH, else its root commit. The settings
 * memory.* give team, org and company.
 */
struct err *mem_open(struct call *c, struct memories **out) MUST_USE;
/* mem_open() for a command that uses these layers (bits). With the layer project it also finds the
 * project, if possible. */
struct err *mem_open_layers(struct call *c, unsigned layers, struct memories **out) MUST_USE;
/*
 * The same for a command that changes memories: its changes are recorded on every face, unless
 * undo.days is 0. On a command line the record has the command's name, and for a tool the tool's.
 */
struct err *mem_open_change(struct call *c, unsigned layers, struct memories **out) MUST_USE;
/*
 * The audit parameters of a command that changes memories reach the record. With an idempotencyKey
 * a repeat of the call gets the former answer: then repeat->replayed is set, `result` is filled,
 * and the command has nothing to do. The answer stays the same when somebody has changed the memory
 * since: a repeat must not add again what a person has deleted.
 */
struct mem_repeat_ask {
	const struct audit *audit;
	unsigned layers;  /* bits of layers that the call adds to; their owners are part of the call
			   */
	const void *args; /* of the command */
	bool again;       /* the call may run again when its answer was not stored or is erased */
};
struct err *mem_idempotent_begin(struct call *c, struct memories *m,
				 const struct mem_repeat_ask *ask, void *result,
				 struct event_replay *repeat) MUST_USE;
/* Stores the answer for a repeat. */
struct err *mem_idempotent_end(struct call *c, struct memories *m, struct event_replay *repeat,
			       const void *result) MUST_USE;

/* Finds the project before a memory is stored in the layer project; mem_open() may have skipped
 * that work. */
struct err *mem_find_current_project(struct call *c, struct memories *m) MUST_USE;
/*
 * The identity of any repository: its origin as HOST/PATH, else its root commit; empty: neither.
 * db (may be NULL) remembers the root commit.
 */
struct err *mem_git_repository_id(struct arena *a, struct git *g, struct db *db,
				  struct str *out) MUST_USE;
/* The oldest root commit of HEAD; empty before the first commit. */
struct err *mem_root_commit(struct arena *a, struct git *g, struct db *db,
			    struct str *out) MUST_USE;
/* For param.offers of a parameter with memory_layers: whether its identifier is known. */
bool mem_offers_layer(const struct conf *conf, size_t layer);
/* A remote's URL without scheme, user, port and the like, so that all ways to a repository give the
 * same id. Empty when the URL names no place. */
struct str mem_repo_id_of_remote_url(struct arena *a, struct str url);

/*
 * memory_get() for a command that changes it. A tool must give the whole id: a model may shorten an
 * id by mistake, and must not change another memory then. Only a person changes a memory that a
 * person has rejected: PERSON_DECIDES.
 */
struct err *mem_get_for_change(struct call *c, struct memories *m, struct str id, bool deleted,
			       struct memory *out) MUST_USE;

/* The options that choose memories: a member `filter` of struct args. */
struct mem_filter {
	struct cmd_bits layer, kind;
	struct strs tags;
	struct str type, session, agent;
	int status, state;
};
/* clang-format off */
#define PARAM_FILTER(member, ...)                                                                  \
	{.name = #member, .type = PARAM_TYPE(((struct args *)0)->filter.member),                   \
	 .offset = offsetof(struct args, filter.member), __VA_ARGS__}
#define PARAMS_FILTER(on)                                                                          \
	PARAM_FILTER(layer, .letter = 'l', .flags = (on), .choices = memory_layers,                \
		     .help = "only these layers; default: all layers whose identifiers are known"), \
	PARAM_FILTER(kind, .letter = 'k', .flags = (on), .choices = memory_kinds,                  \
		     .help = "only these kinds"),                                                  \
	PARAM_FILTER(tags, .letter = 't', .flags = (on), .option = "tag", .meta = "tag",           \
		     .max = MEMORY_TAG_MAX, .help = "only with all of these tags"),                \
	PARAM_FILTER(type, .flags = (on), .meta = "word", .min = 1, .max = MEMORY_NAME_MAX,        \
		     .help = "only this type"),                                                    \
	PARAM_FILTER(session, .flags = (on), .option = "in-session", .meta = "id", .min = 1,       \
		     .max = 256, .help = "only this conversation"),                                \
	PARAM_FILTER(agent, .flags = (on), .option = "by-agent", .meta = "id", .min = 1,           \
		     .max = 256, .help = "only by this agent"),                                    \
	PARAM_FILTER(status, .flags = (on), .choices = memory_statuses,                            \
		     .help = "only scratch notes with this status"),                               \
	PARAM_FILTER(state, .flags = (on), .choices = memory_states, .help = "only in this state")
/* clang-format on */
struct memory_filter mem_filter_of(const struct mem_filter *f);
/* Whether any of the options was given. */
bool mem_filter_is_given(const struct mem_filter *f);

/* The parts of a score, as --explain shows them: rows of struct memory_parts. */
extern const struct field mem_parts[];
/* Rounds the score and its parts to four digits. */
void mem_score_round(struct memory_hit *hit);
/* A score for people, rounded down: 0.70 has reached the default threshold. */
struct str mem_score_text(struct arena *a, double score);

/* Sets one->ties, for a command that shows a memory, or several. */
void mem_fill_ties_state(struct memories *m, struct call *c, struct memory *one);
void mem_fill_ties_state_all(struct memories *m, struct call *c, struct memory_list *all);
/* One line of a list, and a line for each tie that is not as it was. */
#define TEMPLATE_MEMORY                                                                            \
	"{;id%17e:{memoryId}}  {;date:{createdAt%d}}  {;layer:{layer%-7}}  {;kind:{kind%-12}}  "   \
	"{;memory%20e:{?!state='active':({state}) }"                                               \
	"{?status&!status='active':({status}) }{?stale:(stale) }{?branch:(branch: {branch}) }"     \
	"{?owner:(of {owner}) }"                                                                   \
	"{?!happenedAt%d=createdAt%d:({happenedAt%d}) }{?speaker:{speaker}: }{*content%l}"         \
	"{?!content%l=content: ...}{/tags: #{.}}}\n{;:{/changes:      {note}\n}"                   \
	"{?note:      {note}\n}}"
void mem_print(struct call *c, const struct memory *one);

/* A memory that holds again, because what had superseded it is deleted or rejected. */
struct mem_revived {
	struct str id, content; /* the beginning of it */
};
struct mem_revived_list VEC(struct mem_revived);
extern const struct field mem_revived_fields[];
#define FIELD_REVIVED(S)                                                                           \
	FIELD_RECORDS(S, revived, "revived", mem_revived_fields,                                   \
		      "memories that this one had superseded: they hold again", .flags = IF_ANY)
#define TEMPLATE_REVIVED                                                                           \
	"{/revived:{*memoryId} holds again, because what superseded it is gone; to delete it, "    \
	"too: ikm mem delete {memoryId}\n  {content}\n}"
/* Adds the memory with this id, which a memory superseded until now, if it holds again. */
struct err *mem_revived_add(struct call *c, struct memories *m, struct str id,
			    struct mem_revived_list *out) MUST_USE;
/* Prints all facts about a memory, and its content. */
void mem_print_details(struct call *c, const struct memory *one);

/* The result of a command that changes one memory, and its text. */
struct mem_changed {
	bool success;
	struct memory memory;
	struct str event;
	bool replayed;
};
/* The row for a member `event` of a result. */
#define FIELD_MEMORY_EVENT(object)                                                                 \
	FIELD_OF(object, event, "the record of the change, for undo", .flags = IF_ANY)
extern const struct field mem_changed_fields[];
void mem_changed_print(struct call *c, const void *args, const void *result);

/* The row for a member `memoryId` of a struct. */
#define PARAM_MEMORY(object)                                                                       \
	PARAM_OF(object, memoryId, .flags = ARG | REQUIRED, .meta = "id", .min = 1, .max = 256,    \
		 .complete = memory_ids_complete,                                                  \
		 .help = "the memory's id, or a unique prefix of it")
/* Completes the ids of the newest memories in the shell; of deleted ones for mem restore. */
struct err *memory_ids_complete(struct call *c, struct str typed) MUST_USE;
/* The arguments of commands that take only an id. */
struct mem_args {
	struct str memoryId;
};
extern const struct param mem_params[];
