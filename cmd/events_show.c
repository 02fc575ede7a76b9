/* events show: one event with all its columns, its steps, and the change that was intended. */
#include "events/event_common.h"

struct args {
	struct str eventId;
};

static const struct param params[] = {
	PARAM(eventId, .flags = ARG | REQUIRED, .min = 1, .max = 64, .also = "event_id",
	      .complete = event_complete_ids,
	      .help = "the event's id, or a unique prefix of it ('ikm events query' lists them)"),
	{0},
};

struct result {
	struct event event;
	struct event_step_rows steps;
};

static const struct field result[] = {
	FIELD_RECORD(struct result, event, "event", event_whole_fields, "the event"),
	FIELD_RECORDS(struct result, steps, "steps", event_step_fields, "its rows, oldest first"),
	{0},
};

static struct err *events_show_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	const struct str *paths[] = {&r->event.path, &r->event.path_to};
	struct err *e = NULL;
	struct os_stat st;
	struct files *f;

	TRY(event_open_files_recording(c, &f));
	TRY(event_get(f->events, c->a, args->eventId, &r->event));
	/* The change has texts of the file, which a tool may not read outside the roots. */
	for (size_t i = 0; c->roots && i < ARRAY_SIZE(paths) && !e; i++)
		if (str_starts(*paths[i], STR("/")))
			e = os_roots_stat(c->roots, c->cwd, *paths[i], &st);
	if (e) {
		r->event.change = STR("");
		strs_push(c->a, &c->notes,
			  str_fmt(c->a, "the change is left out: %s", err_message(e)));
	}
	return event_list_steps(f->events, c->a, r->event.id, &r->steps);
}

const struct cmd cmd_events_show = {
	.name = "events show",
	.tool = "events_show",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "show one recorded event with its steps",
	.description = "Show one recorded event: all columns, each step, and the change that was "
		       "intended.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_show_run,
	.template = "{/event:{?event_id:{'event'%-16} {event_id}\n}{?ts:{'time'%-16} {ts}\n}"
		    "{?status:{'status'%-16} {status}\n}{?type:{'type'%-16} {type}\n}"
		    "{?op:{'operation'%-16} {op}\n}{'object'%-16} {entity_type} {entity_id}\n"
		    "{?path:{'path'%-16} {path}\n}{?path_to:{'new path'%-16} {path_to}\n}"
		    "{?section_anchor:{'section'%-16} {section_anchor}\n}"
		    "{?rationale:{'rationale'%-16} {rationale}\n}"
		    "{?user_id:{'user'%-16} {user_id}\n}{?agent_id:{'agent'%-16} {agent_id}\n}"
		    "{?session_id:{'session'%-16} {session_id}\n}{?tool:{'tool'%-16} {tool}\n}"
		    "{?before_hash:{'before'%-16} {before_hash}\n}"
		    "{?after_hash:{'after'%-16} {after_hash}\n}{?undoes:{'undoes'%-16} {undoes}\n}"
		    "{?evidence_refs:{'evidence'%-16} {evidence_refs}\n}"
		    "{?lint:{'lint'%-16} {lint}\n}{?transaction_id:{'transaction'%-16} "
		    "{transaction_id}\n}{?tool_call_id:{'tool call'%-16} {tool_call_id}\n}"
		    "{?agent_action_id:{'agent action'%-16} {agent_action_id}\n}"
		    "{?integrity_line_hash:{'content HMAC'%-16} {integrity_line_hash}\n}"
		    "{?commit_oid:{'commit'%-16} {commit_oid}\n}{?error:{'error'%-16} {error}\n}}"
		    "steps\n{/steps:  {seq}  {ts}  {step%-10} {agent_id}{?error:  {error}}"
		    "{?commit_oid:  {commit_oid}}{?rationale:  {rationale}}\n}"
		    "{?event.change:change\n{event.change%n}}",
};
