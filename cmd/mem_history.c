/* mem history: what happened to a memory, by whom, with which tool. */
#include "memories/memories.h"

#define HAPPENED(...) FIELD_AS(struct memory_happened, __VA_ARGS__)
static const struct field happened_fields[] = {
	FIELD_TIME(struct memory_happened, time, "time", "when it happened"),
	HAPPENED(op, "op",
		 "add, import, merge, edit, mark, check, reject, accept, supersede, revive, "
		 "delete, restore or undo"),
	HAPPENED(agent, "agentId", "the agent that did it", .flags = IF_ANY),
	HAPPENED(user, "userId", "its user", .flags = IF_ANY),
	HAPPENED(session, "sessionId", "in which conversation", .flags = IF_ANY),
	HAPPENED(tool, "tool", "the tool, or the command of a person", .flags = IF_ANY),
	HAPPENED(changed, "changed", "the members that changed", .flags = IF_ANY),
	FIELD_JSON(struct memory_happened, before, "before",
		   "their former values, while they are kept", .flags = IF_ANY),
	HAPPENED(supersedes, "supersedes", "the memory that it replaced", .flags = IF_ANY),
	HAPPENED(by, "by", "the other memory of a supersession", .flags = IF_ANY),
	HAPPENED(rationale, "rationale", "why it was done", .flags = IF_ANY),
	HAPPENED(undoes, "undoes", "the event that this one undid", .flags = IF_ANY),
	HAPPENED(event, "event", "its id in the record; none: no record was kept then",
		 .flags = IF_ANY),
	{0},
};

struct result {
	bool success;
	struct memory_story story;
};

static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD_AS(struct result, story.memory.id, "memoryId", "the id"),
	FIELD_AS(struct result, story.purged, "purged", "it was erased; its events remain",
		 .flags = IF_ANY),
	FIELD_RECORDS(struct result, story, "history", happened_fields,
		      "what happened, oldest first"),
	{0},
};

static struct err *mem_history_run(struct call *c, const void *p, void *out)
{
	const struct mem_args *args = p;
	struct result *r = out;
	struct memories *m;

	TRY(mem_open_change(c, 0, &m));
	r->success = true;
	return memory_history(m, c->a, args->memoryId, &r->story);
}

const struct cmd cmd_mem_history = {
	.name = "mem history",
	.tool = "memory_history",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "tell what happened to a memory, and who did it",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct mem_args, mem_params),
	CMD_RESULT(struct result, result),
	.run = mem_history_run,
	.template = "{/history:{time}  {*op}{?changed: {changed}}{?by: {?op='revive':without|by} "
		    "{by}}{?supersedes: for {supersedes}}{?undoes: {undoes}}  {agentId}  {tool}  "
		    "{event}\n{?before:  before: {before}\n}}"
		    "{?purged:{2:the memory was purged; only its events are left\n}}",
};
