/* mem ingest: stores the memories of a tool's response (requirement: memory queries, "Access
 * Levels"). */
#include "memories/request_input.h"

struct args {
	struct audit audit;
	struct str file, request_id, tool_id, tool_version, timestamp, status;
	struct cmd_list agent_context, memory_writes, scratch_page_writes;
	const struct val *outputs;
};

static const struct param params[] = {
	PARAM(file, .flags = ARG | CLI_ONLY | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "a file with the ToolResponse as JSON; default, or -: standard input"),
	PARAM(request_id, .flags = JSON_ONLY | REQUIRED, .min = 1, .max = 256,
	      .help = "the id of the request that it answers"),
	PARAM(tool_id, .flags = JSON_ONLY | REQUIRED, .min = 1, .max = 128,
	      .help = "the tool that answers"),
	PARAM(tool_version, .flags = RARE | JSON_ONLY, .max = 64,
	      .help = "its version; not stored"),
	PARAM(timestamp, .flags = RARE | JSON_ONLY, .max = 64,
	      .help = "when it answered; not stored"),
	PARAM(status, .flags = RARE | JSON_ONLY, .max = 64, .help = "its status; not stored"),
	PARAM(agent_context, .flags = JSON_ONLY | ONE, .sub = agent_context_params,
	      .sub_size = sizeof(struct agent_context),
	      .help = "the agent and task that it worked for"),
	PARAM(outputs, .flags = RARE | JSON_ONLY, .help = "its results; not stored"),
	PARAM(memory_writes, .flags = JSON_ONLY, .sub = request_memory_params,
	      .sub_size = sizeof(struct request_write), .min = 0, .max = REQUEST_WRITES_MAX,
	      .help = "episodic memories to store"),
	PARAM(scratch_page_writes, .flags = JSON_ONLY, .sub = request_scratch_params,
	      .sub_size = sizeof(struct request_write), .min = 0, .max = REQUEST_WRITES_MAX,
	      .help = "scratch notes to store"),
	PARAMS_AUDIT,
	{0},
};

struct result {
	bool success;
	struct str request_id;
	struct request_written written;
	bool replayed;
};

#define WRITTEN(member, name, help, ...)                                                           \
	FIELD_AS(struct result, written.member, name, help, __VA_ARGS__)
static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(request_id, "the id of the request"),
	WRITTEN(memory_ids, "memory_ids", "ids for memory_writes, in their order"),
	WRITTEN(scratch_ids, "scratch_page_ids",
		"ids for scratch_page_writes, in their order; empty: refused"),
	WRITTEN(added, "added", "the number of new memories"),
	WRITTEN(existing, "existing",
		"items that were stored before: the same item of the same request"),
	WRITTEN(refused, "refused", "scratch notes that were refused because the page is full",
		.flags = IF_ANY),
	FIELD_REPLAYED(replayed),
	{0},
};

static struct err *mem_ingest_run(struct call *c, const void *p, void *out)
{
	struct args args = *(const struct args *)p;
	const struct agent_context *who;
	/* Items that are stored are known by the request and their place. */
	struct mem_repeat_ask ask = {.audit = &args.audit, .args = &args, .again = true};
	struct event_replay repeat;
	struct response response;
	struct requests *requests;
	struct result *r = out;

	if (c->face == FACE_ARGV)
		TRY(request_from_file(c, args.file, &args));
	TRY(requests_open_memories(c, &requests));
	TRY(mem_open_change(c, 0, &requests->memories));
	TRY(mem_idempotent_begin(c, requests->memories, &ask, r, &repeat));
	c->negative = r->written.refused.n;
	if (repeat.replayed)
		return NULL;
	who = args.agent_context.p;
	response = (struct response){
		.request_id = args.request_id,
		.tool_id = args.tool_id,
		.agent_id = who ? who->agent_id : (struct str){0},
		.memories = args.memory_writes.p,
		.n_memories = args.memory_writes.n,
		.scratch_notes = args.scratch_page_writes.p,
		.n_scratch_notes = args.scratch_page_writes.n,
	};
	TRY(request_store_items(requests, c->a, &response, &r->written));
	r->success = true;
	r->request_id = args.request_id;
	c->negative = r->written.refused.n;
	return mem_idempotent_end(c, requests->memories, &repeat, r);
}

const struct cmd cmd_mem_ingest = {
	.name = "mem ingest",
	.tool = "memory_ingest",
	.toolset = SET_MEMORY,
	.traits = TOOL_ADDS,
	.summary = "store the memories of a tool's response",
	.description = "Store the memory_writes (episodic) and scratch_page_writes of a "
		       "ToolResponse: all or none, except scratch notes that do not fit on the "
		       "full page. Sending the same response again stores nothing twice.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_ingest_run,
	.template = "{/memory_ids:{.}  episodic\n}{/scratch_page_ids:{?.:{.}  scratch\n}}"
		    "{/refused:{2:{.}\n}}{added} stored, {existing} existed\n",
};
