/* events log: adds an agent's own words to the record (requirement: garden, events.log). ikm
 * records each write itself, so a log of a write joins the event that is there. */
#include "events/event_common.h"
#include "paths/open_files_for_call.h"
#include "app/print_warnings.h"
#include "crypt/crypt.h"
#include "event/keys.h"
#include "event/idempotency.h"
#include "json/json.h"
#include "os/os.h"

#define EVENTS_TRIED ((size_t)200)

struct args {
	int type, entity_type;
	struct str op, file_path, section_anchor, rationale, before_hash, after_hash, user_id,
		entity_id;
	struct str transaction_id, tool_call_id, agent_action_id, idempotencyKey;
	struct strs evidence_refs;
	const struct val *lint;
};

static const struct param params[] = {
	PARAM(type, .flags = REQUIRED, .choices = event_types,
	      .help = "what it is; a write that ikm did not record can be no profile_update"),
	PARAM(op, .min = 1, .max = 64, .help = "what was done: append_section, say"),
	PARAM(file_path, .option = "path", .flags = PATHS | GARDEN_NAMES, .also = "path", .min = 1,
	      .max = OS_PATH_MAX, .complete = uri_complete,
	      .help = "the file or stored asset that it is about"),
	PARAM(section_anchor, .option = "section", .meta = "anchor", .also = "sectionAnchor",
	      .min = 1, .max = 256, .help = "the section that it is about"),
	PARAM(rationale, .letter = 'm', .meta = "line", .min = 1, .max = EVENT_RATIONALE_MOST,
	      .help = "why, in one line"),
	PARAM(evidence_refs, .option = "evidence", .meta = "token", .max = 256,
	      .help = "a token of evidence (ev:...); may be repeated"),
	PARAM(before_hash, .flags = RARE, .meta = "hash", .min = 1, .max = 128,
	      .help = "the hash before the write"),
	PARAM(after_hash, .meta = "hash", .min = 1, .max = 128,
	      .help = "the hash after the write, as the writing tool gave it: of the file, or of "
		      "the section"),
	PARAM(lint, .meta = "json", .help = "diagnostics and overrides, as an object"),
	PARAM(entity_type, .flags = RARE, .meta = "type", .choices = event_entities,
	      .help = "the kind of object; default: that of the path, else user"),
	PARAM(entity_id, .flags = RARE, .option = "entity", .meta = "id", .min = 1, .max = 256,
	      .help = "the object; default: that of the path, else the user"),
	PARAM(user_id, .flags = RARE, .option = "of-user", .meta = "id", .min = 1, .max = 256,
	      .help = "must be you"),
	PARAM(transaction_id, .flags = RARE, .option = "transaction", .meta = "id", .min = 1,
	      .max = 256, .help = "an id of yours, to find events that belong together"),
	PARAM(tool_call_id, .flags = RARE, .option = "tool-call", .meta = "id", .min = 1,
	      .max = 256, .help = "the id of the tool call"),
	PARAM(agent_action_id, .flags = RARE, .option = "agent-action", .meta = "id", .min = 1,
	      .max = 256, .help = "the id of the agent's action"),
	PARAM(idempotencyKey, .flags = RARE, .option = "idempotency-key", .meta = "key",
	      .also = "idempotency_key", .min = 1, .max = 256,
	      .help = "a repeat with the same key records nothing"),
	{0},
};

struct result {
	struct str eventId;
	bool joined, replayed;
	struct strs warnings;
};

static const struct field result[] = {
	FIELD(eventId, "the event"),
	FIELD(joined, "true: added to the event that recorded the write"),
	FIELD(replayed, "true: a repeat, nothing was recorded", .flags = IF_ANY),
	FIELD(warnings, "what the event names and ikm does not see", .flags = IF_ANY),
	{0},
};

static struct err *claim_hash(const char *name, struct str hash)
{
	if (!hash.n || file_hash_is_valid(hash))
		return NULL;
	return err_help(
		err_for_param(E_BAD_ARGUMENT, str_of(name),
			      "'%s' is no hash: '%.*s'; allowed: sha256: or text:sha256: and 64 "
			      "hexadecimal digits",
			      name, STR_ARG(hash)),
		"give the hash as the writing tool gave it");
}

/*
 * Refuses what nobody can use: a hash that is not in the form of one, and an observation or action
 * that says nothing. Errors: BAD_ARGUMENT, MISSING_PARAMETER.
 */
static struct err *log_check(const struct args *args, struct str path, struct str evidence)
{
	TRY(claim_hash("before_hash", args->before_hash));
	TRY(claim_hash("after_hash", args->after_hash));
	if (args->rationale.n || path.n || evidence.n ||
	    (args->op.n && args->type != EVENT_OBSERVATION))
		return NULL;
	return err_help(err_for_param(E_MISSING_PARAMETER, STR("rationale"),
				      "an event of type '%s' without rationale, file_path and "
				      "evidence_refs says nothing",
				      event_types[args->type]),
			"give at least one of them");
}

struct join {
	struct call *c;
	struct events *log;
	const struct args *args;
	struct str path; /* as event_resolve_recorded_path() gives it */
	struct str now;  /* the content of the file; p NULL: it cannot be read */
};

static bool join_text_is(struct join *j, struct str text)
{
	struct str hash;

	return text.p && !file_text_hash(j->c->a, text, &hash) && str_eq(hash, j->args->after_hash);
}

static bool join_section_is(struct join *j, struct str text, struct str anchor, struct str *section)
{
	return text.p && anchor.n && !file_section(j->c->a, text, anchor, section) &&
	       join_text_is(j, *section);
}

/* Whether the event left a file, or a section, whose text has the hash. */
static bool join_event_is(struct join *j, const struct event *e)
{
	struct str anchor = e->section_anchor.n ? e->section_anchor : j->args->section_anchor;
	struct str then = {0}, section;
	bool same = j->now.p && str_eq(crypt_content_hash(j->c->a, j->now), e->after);

	if (same)
		then = j->now;
	else if (event_kept_content_by_hash(j->log, j->c->a, e->after, &then))
		then = (struct str){0};
	if (then.p)
		return join_text_is(j, then) || join_section_is(j, then, anchor, &section);
	/* The whole content is gone. The section may still be what the event's HMAC covers. */
	return join_section_is(j, j->now, e->section_anchor, &section) &&
	       event_content_holds(j->log, j->c->a, e, section);
}

static struct err *join_by_text(struct join *j, struct str *id)
{
	const struct event_filter f = {
		.path = j->path,
		.user = j->log->user,
		.agent = j->log->agent,
		.status = -1,
		.done = true,
		.since = os_now() - EVENT_JOIN_MS,
		.limit = EVENTS_TRIED,
	};
	struct event_list list;

	if (os_read_path(j->c->a, str_c(j->c->a, j->path), FILE_BYTES_MAX, &j->now))
		j->now = (struct str){0};
	TRY(event_query(j->log, j->c->a, &f, &list));
	for (size_t i = 0; i < list.n && !id->n; i++)
		if (str_eq(list.p[i].path, j->path) && list.p[i].after.n &&
		    join_event_is(j, &list.p[i]))
			*id = list.p[i].id;
	return NULL;
}

static struct err *join_differs(const char *name, struct str said, struct str recorded,
				struct str id)
{
	return err_help(err_for_param(E_BAD_ARGUMENT, str_of(name),
				      "'%s' is '%.*s', but the event %.*s of this write has '%.*s'",
				      name, STR_ARG(said), STR_ARG(id), STR_ARG(recorded)),
			"leave '%s' out: the event has it", name);
}

/*
 * The event whose write left the hash `after`: sha256: of the bytes, or text:sha256: of the text of
 * the file or of the section. *id empty: there is none. BAD_ARGUMENT: the event has another op or
 * another section than the caller says.
 */
static struct err *event_join_find(struct call *c, struct events *log, const struct args *q,
				   struct str path, struct str *id)
{
	struct join j = {.c = c, .log = log, .args = q, .path = path};
	struct event e;

	*id = STR("");
	if (!path.n || !q->after_hash.n)
		return NULL;
	if (str_starts(q->after_hash, STR("text:")))
		TRY(join_by_text(&j, id));
	else
		TRY(event_find_recent_write(log, c->a, path, q->after_hash, id));
	if (!id->n)
		return NULL;
	TRY(event_get(log, c->a, *id, &e));
	/* Only the md tools know a section: what another write meant is the caller's to say. */
	if (q->op.n && e.section_anchor.n && !str_eq(q->op, e.op))
		return join_differs("op", q->op, e.op, e.id);
	if (q->section_anchor.n && e.section_anchor.n &&
	    !str_eq(q->section_anchor, e.section_anchor))
		return join_differs("section_anchor", q->section_anchor, e.section_anchor, e.id);
	return NULL;
}

static struct err *log_record(struct call *c, const struct args *args, struct events *log,
			      struct str path, struct result *r)
{
	struct event e = {
		.type = (enum event_type)args->type,
		.op = args->op.n ? args->op : STR("log"),
		.section_anchor = args->section_anchor,
		.path = path,
		.lint = args->lint ? json_text(c->a, args->lint) : STR(""),
	};
	struct val *claims = val_map(c->a);
	struct str id;

	/* An unrecorded write keeps its hashes as words only: undo must not believe them. */
	if (args->before_hash.n)
		val_set(c->a, claims, "claimed_before_hash", val_str(c->a, args->before_hash));
	if (args->after_hash.n)
		val_set(c->a, claims, "claimed_after_hash", val_str(c->a, args->after_hash));
	e.change = claims->n ? json_text(c->a, claims) : STR("");
	event_entity_of(c, path, &e);
	if (args->entity_type >= 0)
		e.entity = str_of(event_entities[args->entity_type]);
	if (args->entity_id.n)
		e.entity_id = args->entity_id;
	TRY(event_join_find(c, log, args, path, &id));
	r->joined = id.n > 0;
	if (r->joined) {
		r->eventId = id;
		return event_annotate(log, id, &e);
	}
	if (e.type == EVENT_OBSERVATION || e.type == EVENT_ACTION)
		return event_note(log, c->a, &e, &r->eventId);
	return err_help(
		err_for_param(
			E_NO_SUCH_EVENT, STR("after_hash"),
			"no write of this file with this hash was recorded in the last 48 hours, "
			"so there is nothing that an event of type '%s' could join",
			event_types[args->type]),
		"give file_path and the after_hash of the writing tool; or log it as an "
		"observation or action");
}

/* What was logged stays true, whatever happened to the file since. */
static struct err *log_holds(void *ctx, struct arena *a, const struct event *e, bool *holds)
{
	(void)ctx, (void)a, (void)e;
	*holds = true;
	return NULL;
}

static struct err *log_settle(void *ctx, struct arena *a, const struct event *e)
{
	(void)ctx, (void)a, (void)e;
	return NULL;
}

static struct str log_payload(struct call *c, const struct args *args, struct str evidence)
{
	const struct str parts[] = {str_of(event_types[args->type]),
				    args->op,
				    args->section_anchor,
				    args->rationale,
				    args->before_hash,
				    args->after_hash,
				    args->entity_id,
				    evidence,
				    args->lint ? json_text(c->a, args->lint) : STR("")};
	struct val *list = val_list(c->a);

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		val_add(list, val_str(c->a, parts[i].p ? parts[i] : STR("")));
	return json_text(c->a, list);
}

/* It is recorded all the same: the file may be gone, or be on another machine. */
static void log_doubts(struct call *c, struct files *f, const struct args *args, struct result *r)
{
	struct file_stat st = {0};
	struct file_ref ref;
	struct err *e = NULL;

	if (args->file_path.n)
		e = file_ref_resolve(f, args->file_path, &ref);
	if (args->file_path.n && !e)
		e = file_stat(f, &ref, &st);
	if (e)
		strs_push(c->a, &r->warnings,
			  str_fmt(c->a, "the event is about a file that you may not read: %s",
				  err_message(e)));
	else if (args->file_path.n && st.kind == OS_NONE)
		strs_push(c->a, &r->warnings,
			  str_fmt(c->a, "the event is about '%.*s', which does not exist",
				  STR_ARG(args->file_path)));
}

static struct err *events_log_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct event_replay_ask ask = {.holds = log_holds, .settle = log_settle};
	struct result *r = out;
	struct event_replay replay;
	struct str path = STR(""), evidence;
	struct events *log;
	struct files *f;
	struct err *e;

	TRY(event_open_files_recording(c, &f));
	log = f->events;
	if (args->user_id.n && !str_eq(args->user_id, log->user))
		return err_help(err_for_param(E_NOT_ALLOWED, STR("user_id"),
					      "user_id is '%.*s', but you are '%.*s'",
					      STR_ARG(args->user_id), STR_ARG(log->user)),
				"leave it out: ikm records you as the user");
	TRY(event_resolve_recorded_path(c, f, args->file_path, &path));
	TRY(audit_evidence_refs_text(c->a, &args->evidence_refs, &evidence));
	log->ids = (struct event_ids){
		.transaction = args->transaction_id,
		.tool_call = args->tool_call_id,
		.agent_action = args->agent_action_id,
		.idempotency_key = args->idempotencyKey,
		.evidence_refs = evidence,
		.rationale = args->rationale,
	};
	TRY(event_caller_ids_check(&log->ids));
	TRY(log_check(args, path, log->ids.evidence_refs));
	ask.entity = path.p ? path : STR("");
	ask.payload = log_payload(c, args, log->ids.evidence_refs);
	TRY(event_idempotent_begin(log, c->a, &ask, &replay));
	if (replay.replayed) {
		r->eventId = replay.e.id;
		r->joined = !str_is(replay.e.tool, "events_log");
		r->replayed = true;
		return event_idempotent_end(log, &replay, STR(""));
	}
	log_doubts(c, f, args, r);
	e = log_record(c, args, log, path, r);
	TRY(event_idempotent_end(log, &replay, STR("")));
	return e;
}

const struct cmd cmd_events_log = {
	.name = "events log",
	.tool = "events_log",
	.tool_object = "input",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_ADDS,
	.summary = "add an observation, or the reason of a write, to the record",
	.description = "Log an observation or action, or add rationale and evidence to the event "
		       "of a write that you made: give its path and after_hash.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_log_run,
	.template =
		"{?replayed:recorded already as|{?joined:added to|recorded as}} {eventId}\n" TEMPLATE_WARNINGS,
};
