/* events query: lists the changes that tools made, newest first (requirement: garden,
 * events.query). */
#include "events/event_common.h"
#include "app/client_info.h"
#include "cmd/result_template.h"
#include "file/undo.h"
#include "reply/time_param.h"
#include "json/json.h"

/* How often the store is looked at for a new event. */
#define FOLLOW_MS 200
#define EVERY     "*"

struct args {
	struct str path, op, agent, user, session, tool, text, since, until, before;
	struct str entity_id, tool_call_id, transaction_id, agent_action_id;
	struct str section_anchor, evidence_refs, idempotencyKey, client;
	int status, type, entity_type, face;
	int64_t limit;
	bool lines, follow;
};

static const struct param params[] = {
	PARAM(path, .letter = 'p', .also = "file_path", .flags = PATHS | GARDEN_NAMES, .min = 1,
	      .max = OS_PATH_MAX, .complete = uri_complete,
	      .help = "only changes of this file or stored asset, or in this folder"),
	PARAM(op, .flags = RARE, .min = 1, .max = 64,
	      .help = "only this kind: write, edit, append, patch, compact, move, undo and so on"),
	PARAM(agent, .flags = RARE, .option = "by-agent", .meta = "id", .also = "agent_id",
	      .max = 256, .help = "only changes by this agent"),
	PARAM(user, .flags = RARE, .option = "by-user", .meta = "id", .also = "user_id", .max = 256,
	      .help = "only changes by this user"),
	PARAM(session, .option = "in-session", .meta = "id", .also = "session_id", .max = 256,
	      .complete = session_complete,
	      .help = "only changes in this conversation; a tool's default is its own, * is all"),
	PARAM(tool, .flags = RARE, .min = 1, .max = 64, .help = "only changes by this tool"),
	PARAM(face, .flags = RARE, .choices = event_faces,
	      .help = "only changes that came so: a command of a person, a call, mcp, and so on"),
	PARAM(client, .flags = RARE, .meta = "name", .min = 1, .max = 64,
	      .help = "only changes by the client that gives itself this name"),
	PARAM(entity_type, .flags = RARE, .meta = "type", .choices = event_entities,
	      .help = "only changes of this kind of object"),
	PARAM(entity_id, .flags = RARE, .option = "entity", .meta = "id", .min = 1,
	      .max = OS_PATH_MAX, .help = "only changes of this object: a part of the garden, say"),
	PARAM(type, .flags = RARE, .choices = event_types, .help = "only events of this type"),
	PARAM(tool_call_id, .flags = RARE, .option = "tool-call", .meta = "id", .min = 1,
	      .max = 256, .help = "only events with this tool_call_id"),
	PARAM(transaction_id, .flags = RARE, .option = "transaction", .meta = "id", .min = 1,
	      .max = 256, .help = "only events with this transaction_id"),
	PARAM(agent_action_id, .flags = RARE, .option = "agent-action", .meta = "id", .min = 1,
	      .max = 256, .help = "only events with this agent_action_id"),
	PARAM(section_anchor, .flags = RARE, .option = "section", .meta = "anchor", .min = 1,
	      .max = 256,
	      .help = "only changes of the section with this anchor, such as 'needs v1'"),
	PARAM(evidence_refs, .flags = RARE, .option = "evidence-ref", .meta = "ref",
	      .also = "evidenceRefs evidence", .min = 1, .max = 256,
	      .help = "only events with this evidence, such as an ev: token"),
	PARAM(idempotencyKey, .flags = RARE, .meta = "key", .also = "idempotency_key", .min = 1,
	      .max = 256, .help = "only the event of the call with this key"),
	PARAM(status, .flags = RARE, .choices = event_statuses,
	      .help = "only changes with this status"),
	PARAM(text, .letter = 't', .min = 1, .max = 4096,
	      .help = "only with this text in path, op, tool, rationale or error; case is "
		      "ignored"),
	PARAM(since, .meta = "time", .min = 1, .max = 64, .help = "the earliest time: " WHEN_HELP),
	PARAM(until, .flags = RARE, .meta = "time", .min = 1, .max = 64,
	      .help = "only changes from before this time"),
	PARAM(before, .meta = "id", .min = 1, .max = 64, .page = "event_id",
	      .complete = event_complete_ids,
	      .help = "only events before this one (the next page)"),
	PARAM(limit, .letter = 'n', .def = "50", .min = 1, .max = 10000,
	      .help = "maximum number of events"),
	PARAM(lines, .letter = 'l', .flags = CLI_ONLY,
	      .help = "print each event as a line of JSON"),
	PARAM(follow, .letter = 'f', .flags = CLI_ONLY,
	      .help = "wait for events, and print each step as it is recorded, without a limit"),
	{0},
};

struct result {
	struct event_list rows;
	struct str next, conversation;
};

static const struct field result[] = {
	FIELD_RECORDS(struct result, rows, "rows", event_fields, "the events, newest first"),
	FIELD(conversation, "of a tool that named none: whose changes these are", .flags = IF_ANY),
	FIELD(next, "pass it as before to get the next page", .flags = IF_ANY),
	{0},
};

static void events_query_json(struct call *c, const struct val *v)
{
	struct buf b = buf_in(c->a);

	json_write(&b, v, 0);
	out_bytes_unchanged(c->out, buf_as_str(&b));
	out_puts(c->out, "\n");
}

/* A line of an event, or of a step of it. */
#define TEMPLATE_EVENT(event, step, state, why)                                                    \
	"{;id%18e:{" event "event_id}}  {;time%16e:{" step "ts}}  {;state:{" state "%-10}} "       \
	"{;op:{" event "op%-15}} {;path%16p:{*" event "path|" event "entity_id}{?" event           \
	"path_to: -> {*" event "path_to}}}  {;agent%6e:{" step "agent_id}}{;why%12e:" why "}\n"
#define TEMPLATE_WHY(member, other) "{?" member ":  {" member "}|" other "}"

static const struct field events_query_step_fields[] = {
	FIELD_RECORD(struct event_followed, event, "event", event_fields, "the event"),
	FIELD_RECORD(struct event_followed, step, "step", event_step_fields, "the step"),
	{0},
};

/* As JSON: the event, and the step as the member "step". */
static void events_query_step(struct call *c, const struct args *args,
			      const struct event_followed *f)
{
	const struct event_step_row *s = &f->step;
	struct val *v;

	if (!args->lines && !c->json) {
		template_print_record(
			c,
			TEMPLATE_EVENT(
				"event.", "step.", "step.step",
				TEMPLATE_WHY("step.error",
					     TEMPLATE_WHY("step.commit_oid",
							  TEMPLATE_WHY("step.rationale", "")))),
			events_query_step_fields, f);
		return;
	}
	v = record_val(c->a, event_fields, &f->event);
	val_set(c->a, v, "step", record_val(c->a, event_step_fields, s));
	events_query_json(c, v);
}

/* Ends when the reader closes the pipe, or with a signal. */
static struct err *events_query_follow(struct call *c, const struct args *args, struct files *files,
				       const struct event_filter *f)
{
	int64_t version = 0, now, since;

	TRY(event_last_row_number(files->events, &since));
	for (;;) {
		struct arena *a ARENA_LOCAL = arena_new(), *outer = c->a;
		struct event_followed_list rows = {0};

		TRY(out_flush(c->out));
		TRY(db_data_version(files->events->db, &now));
		if (now != version)
			TRY(event_follow(files->events, a, f, since, &rows, &since));
		version = now;
		c->a = a;
		for (size_t i = 0; i < rows.n; i++)
			events_query_step(c, args, &rows.p[i]);
		c->a = outer;
		if (!rows.n)
			os_sleep(FOLLOW_MS);
	}
}

/* A tool means its own conversation, unless it names another one, somebody else or one call. */
static bool events_query_is_own(const struct call *c, const struct args *args)
{
	return client_is_agent(c) && !args->session.n && !args->agent.n && !args->user.n &&
	       !args->tool_call_id.n && !args->transaction_id.n && !args->agent_action_id.n &&
	       !args->idempotencyKey.n && !args->evidence_refs.n && args->face < 0 &&
	       !args->client.n;
}

static struct err *events_query_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct event_filter f = {
		.op = args->op,
		.agent = args->agent,
		.user = args->user,
		.session = args->session,
		.tool = args->tool,
		.text = args->text,
		.entity =
			args->entity_type < 0 ? STR("") : str_of(event_entities[args->entity_type]),
		.entity_id = args->entity_id,
		.type = args->type < 0 ? STR("") : str_of(event_types[args->type]),
		.tool_call = args->tool_call_id,
		.transaction = args->transaction_id,
		.agent_action = args->agent_action_id,
		.section_anchor = args->section_anchor,
		.evidence = args->evidence_refs,
		.idempotency_key = args->idempotencyKey,
		.face = args->face < 0 ? STR("") : str_of(event_faces[args->face]),
		.client = args->client,
		.status = args->status,
		.before_id = args->before,
		.limit = (size_t)args->limit + 1,
	};
	struct result *r = out;
	struct files *files;

	if (events_query_is_own(c, args)) {
		f.session = audit_session_id(c);
		if (f.session.n) {
			struct str guess = audit_guessed_session_text(c);

			r->conversation =
				str_fmt(c->a, "%.*s; session \"" EVERY "\" lists those of all",
					STR_ARG(guess.n ? guess : STR("this conversation")));
		}
	} else if (str_is(f.session, EVERY)) {
		f.session = (struct str){0};
	}
	if (args->follow && args->before.n)
		return ERR_EXCLUSIVE("--follow", "--before");
	TRY(event_open_files_recording(c, &files));
	TRY(event_resolve_recorded_path(c, files, args->path, &f.path));
	TRY(when_read_since_until(args->since, args->until, &f.since, &f.until));
	if (args->follow)
		return events_query_follow(c, args, files, &f);
	TRY(event_query(files->events, c->a, &f, &r->rows));
	if (r->rows.n > (size_t)args->limit) {
		r->rows.n = (size_t)args->limit;
		r->next = r->rows.p[r->rows.n - 1].id;
	}
	/*
	 * A writer may have died. An event that cannot be settled now stays pending: its folder is
	 * gone, or we have no permission.
	 */
	VEC_EACH(struct event, e, &r->rows)
		if (str_is(e->entity, event_entities[EVENT_FILE]) ||
		    str_is(e->entity, event_entities[EVENT_ASSET]))
			(void)!file_settle_event(files, e);
	return NULL;
}

static void events_query_text(struct call *c, const void *p, const void *out)
{
	const struct args *args = p;
	const struct result *r = out;

	for (size_t i = 0; args->lines && i < r->rows.n; i++)
		events_query_json(c, record_val(c->a, event_fields, &r->rows.p[i]));
	if (!r->rows.n)
		out_puts(c->err, "no events\n");
	else if (r->next.n)
		out_fmt(c->err, "more events: add --before %.*s\n", STR_ARG(r->next));
}

static const struct plain events_query_plain = {
	.template =
		/* Of its own conversation a model need not read who did it. */
	"{/rows:{event_id%u} {ts%c} "
	"{?conversation:|{agent_id} {face}{?client:={client}} }{tool}{?op='summarize': (summarize)} {?path:{path}|{entity_id%u}}"
	"{?path_to: to {path_to}}{?status&!status='committed': {status}}"
	"{?conversation:|{?session_id: session {session_id}}}{?rationale: ({rationale})}\n}"
	"{?!rows:no changes\n}{?^conversation:{conversation}\n}",
};

const struct cmd cmd_events_query = {
	.name = "events query",
	.tool = "events_query",
	.tool_object = "filters",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_READS,
	.summary = "list changes that tools made, newest first",
	.description = "List recorded changes of files and stored assets, newest first: agent, "
		       "time, tool, and the hashes before and after.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_query_run,
	.template = "{?!@lines:{=rows:" TEMPLATE_EVENT("", "", "status",
						       TEMPLATE_WHY("rationale", "")) "}}",
	.text = events_query_text,
	.plain = &events_query_plain};
