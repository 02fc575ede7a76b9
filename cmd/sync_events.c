/* sync events: what one's other machines recorded. */
#include "memories/memories.h"
#include "exchange/sync_common.h"

struct args {
	struct str machine;
	int64_t limit;
};
static const struct param params[] = {
	PARAM(machine, .help = "only the record of this machine"),
	PARAM(limit, .letter = 'n', .def = "20", .min = 1, .max = 10000,
	      .help = "how many rows, the newest first"),
	{0},
};

struct result {
	bool success;
	struct remote_event_list events;
};
static const struct field event_fields[] = {
	FIELD_OF(struct remote_event, machine, "the machine"),
	FIELD_OF(struct remote_event, number, "its place in the record of that machine"),
	FIELD_OF(struct remote_event, event, "the columns of the row, as in ikm-formats(5)"),
	{0},
};
static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD_RECORDS(struct result, events, "events", event_fields, "rows, the newest first"),
	{0},
};

static struct err *sync_events_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memories *m;

	TRY(mem_open(c, &m));
	r->success = true;
	return remote_list_received_events(m->db, c->a, args->machine, args->limit, &r->events);
}

const struct cmd cmd_sync_events = {
	.name = "sync events",
	.summary = "list what your other machines recorded",
	.description = "A sync pulls the records of your other machines. Nobody else can read "
		       "them on the server.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = sync_events_run,
	.template =
		"{=events:{;machine%8e:{machine}}  {;number%>:{number}}  "
		"{;step:{event.step|'-'}}  {;tool:{event.tool|'-'}}  "
		"{;path%16p:{event.file_path|'-'}}\n}{?!events:{2:no other machine of yours has pushed "
		"its record\n}}",
};
