/* events undo: restores what was before recorded changes (ikm-design(7), "Undo"). */
#include "paths/change_common.h"
#include "memories/memory_session_changes.h"
#include "app/client_info.h"
#include "app/print_warnings.h"

struct args {
	struct audit audit;
	struct str eventId, session, since, path;
};

static const struct param params[] = {
	PARAM(eventId, .flags = ARG, .min = 1, .max = 64, .also = "event_id",
	      .complete = event_complete_ids,
	      .help = "the event's id, or a unique prefix of it ('ikm events query' lists them)"),
	PARAMS_EVENT_SESSION,
	PARAMS_AUDIT,
	{0},
};

struct result {
	const struct event *undone;
	struct str path;
	struct file_done done;
	bool replayed;
	struct memory_undone memory;
	struct session_undone all;
	bool others;
	struct str conversation;
};

static bool events_undo_is_one(const void *result)
{
	return ((const struct result *)result)->undone != NULL;
}

static const struct field result[] = {
	FIELD_RECORD_AT(struct result, undone, "undone", event_fields,
			"the event that was undone; not with session, since and path",
			.flags = OPTIONAL),
	FIELD_RECORDS(struct result, all.events, "events", event_fields,
		      "with session, since or path: the events that were undone, newest first",
		      .flags = IF_ANY),
	FIELD_RECORDS(struct result, all.kept, "kept", event_kept_fields,
		      "files and memories that keep their change: somebody changed them since, say",
		      .flags = IF_ANY),
	FIELD_EVENT_OTHERS,
	FIELD_AS(struct result, done.changed, "changed",
		 "false: the former content was there already"),
	FIELD(path, "the file or asset that was changed", .flags = IF_ANY),
	FIELD_AS(struct result, memory.memory.id, "memoryId", "the memory that was changed",
		 .flags = IF_ANY),
	FIELDS_IMPORT_UNDONE(struct result, memory),
	FIELD_AS(struct result, done.hash, "newHash",
		 "sha256 of the current content; null: it does not exist; not with session, since "
		 "and path",
		 .flags = NULLABLE | OMIT_EMPTY | OPTIONAL, .given = events_undo_is_one),
	FIELD_AS(struct result, done.event, "event",
		 "the undo's own event; undo it to redo the change", .flags = IF_ANY),
	FIELDS_KEPT(struct result, done),
	FIELD_REPLAYED(replayed),
	FIELD_AS(struct result, done.warnings, "warnings", "file properties that could not be kept",
		 .flags = IF_ANY),
	{0},
};

/* Shows the diffs that a person needs. */
static struct err *show_versions(struct call *c, const struct file_undo *u, struct err *e)
{
	struct str change, since;

	TRY(event_session_diff_two_versions(c->a, STR("before"), &u->before, STR("after"),
					    &u->after, &change));
	TRY(event_session_diff_later_edits(c->a, &u->before, &u->after, &u->now, &since));
	if (since.n)
		err_add_detail(e, "diff", since);
	if (c->json)
		return e;
	event_session_print_file_states(c, &u->before, &u->after, &u->now);
	out_safe(c->err, change, true);
	out_safe(c->err, since, true);
	return e;
}

/* Takes back all changes of a conversation, since a time, or of a path. */
static struct err *events_undo_all(struct call *c, struct files *f, const struct args *args,
				   struct file_undo_ask *q, struct result *r)
{
	const struct event_session_ask ask = {
		.session = args->session, .since = args->since, .path = args->path, .undo = true};
	struct event_filter filter;

	if (args->eventId.p)
		return err_help(
			err_for_param(E_BAD_ARGUMENT, STR("eventId"),
				      "an event's id names one change; a conversation, a time "
				      "and a path name several"),
			"give the id alone, or leave it out");
	if (!args->session.n && !args->since.n && !args->path.n)
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("eventId"),
					      "which changes? nothing names them"),
				"give an event's id, --in-session, --since or --path; 'ikm events "
				"query' lists changes");
	TRY(event_session_make_filter(c, f, &ask, &filter, &r->others));
	if (!args->session.n)
		r->conversation = audit_guessed_session_text(c);
	if (q->agent.p)
		q->session = filter.session;
	TRY(session_undo(f, &filter, q, &r->all));
	TRY(mem_session_undo(c, &filter, &r->all));
	r->done.changed = r->all.events.n;
	r->done.warnings = r->all.warnings;
	c->negative = r->all.kept.n;
	return event_session_add_diffs(c->a, &r->all);
}

/* A tool undoes only what its own conversation did, which is that of one user and agent. */
static void events_undo_as(struct call *c, const struct events *log, struct file_undo_ask *q)
{
	if (!client_is_agent(c))
		return;
	q->user = log->user;
	q->agent = log->agent;
	q->session = audit_session_id(c);
}

static struct err *events_undo_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct file_undo_ask q = {.id = args->eventId, .maintainer = c->maintainer};
	struct file_undo u;
	struct err *e;

	/* The undo of a person is recorded too. */
	if (!f->events) {
		f->events = files_event_recorder_new(c, f);
		TRY(audit_ids_for_event(c->a, &args->audit, &f->events->ids));
	}
	events_undo_as(c, f->events, &q);
	if (!args->eventId.p || args->session.p || args->since.p || args->path.p)
		return events_undo_all(c, f, args, &q, out);
	e = file_undo_event(f, &q, &u);
	if (u.refused)
		return files_record_refusal(c, &args->audit,
					    &(struct saga_attempt){.op = "undo",
								   .path = u.event.path,
								   .path_to = u.event.path_to,
								   .undoes = u.event.id},
					    e);
	if (e && err_reason(e) == E_CHANGED_SINCE)
		return show_versions(c, &u, e);
	TRY(e);
	*(struct result *)out = (struct result){.path = u.event.path, .done = u.done};
	((struct result *)out)->undone =
		memcpy(ARENA_NEW(c->a, struct event), &u.event, sizeof(u.event));
	return NULL;
}

static struct err *events_undo_memory(struct call *c, const struct args *args,
				      const struct event *e, struct result *r)
{
	const struct mem_repeat_ask ask = {.audit = &args->audit, .args = args};
	struct mem_undo u;

	TRY(mem_undo_event(c, &ask, e, r, &u));
	if (u.repeat.replayed)
		return NULL;
	*r = (struct result){.undone = e, .memory = u.undone};
	r->done = (struct file_done){.changed = u.undone.changed, .event = u.m->event};
	c->negative = u.undone.kept.n;
	return mem_idempotent_end(c, u.m, &u.repeat, r);
}

/* The event says which log has the record of repeats: that of the garden, or the other. */
static struct err *events_undo_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct files_write w = {.audit = &args->audit, .by_key = true, .run = events_undo_do};
	struct events log = {.db = app_store(c)};
	struct file_undo_ask q = {0};
	struct event *e = ARENA_NEW(c->a, struct event);

	if (args->eventId.p && !args->session.p && !args->since.p && !args->path.p) {
		TRY(event_get(&log, c->a, args->eventId, e));
		if (str_is(e->entity, event_entities[EVENT_MEMORY])) {
			events_undo_as(c, audit_events_new(c, log.db), &q);
			TRY(undo_check_own(e, &q));
			return events_undo_memory(c, args, e, out);
		}
	}
	if (args->audit.idempotencyKey.n)
		w.path = e->path;
	return files_run_write_tool(c, &w, p, out);
}

static void events_undo_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	if (!r->undone) {
		VEC_EACH(const struct event, e, &r->all.events) {
			out_fmt(c->out, "undid %.*s of ", STR_ARG(e->op));
			out_safe_line(c->out, e->path.n ? e->path : e->entity_id);
		}
		if (!r->all.events.n)
			out_puts(c->err, "nothing was undone\n");
		event_session_tell_left_out(c, r->others);
		VEC_EACH(const struct session_kept, k, &r->all.kept) {
			out_puts(c->err, "kept: ");
			out_safe_line(c->err, k->reason);
			if (k->before.hash.n || k->after.hash.n || k->now.hash.n)
				event_session_print_file_states(c, &k->before, &k->after, &k->now);
			out_safe(c->err, k->diff, true);
		}
		warnings_print(c, &r->done.warnings);
		return;
	}
	out_puts(c->out, r->done.changed && !r->replayed ? "undid " : "undone already: ");
	out_fmt(c->out, "%.*s of ", STR_ARG(r->undone->op));
	out_styled(c->out, OUT_BOLD, r->undone->path.n ? r->undone->path : r->undone->entity_id);
	out_puts(c->out, " by ");
	out_safe(c->out, r->undone->agent, false);
	out_fmt(c->out, " at %.*s\n", STR_ARG(os_time_text(c->a, r->undone->time, true)));
	if (r->memory.import)
		mem_import_undone_print(c, &r->memory);
	if (r->done.event.n)
		out_fmt(c->out, "recorded as %.*s; undo that event to redo the change\n",
			STR_ARG(r->done.event));
	warnings_print(c, &r->done.warnings);
}

static const struct plain events_undo_plain = {
	.template = "{?undone&changed:undid {undone.op} of {undone.path|undone.entity_id}\n}"
		    "{/events:undid {op} of {path|entity_id}\n}"
		    "{?!changed:{?^undone:undone already|nothing was undone}\n}" PLAIN_OTHERS
		    "{/kept:kept: {path}: {reason}\n{diff%b}}"
		    "{?newHash:it has {newHash%h} now\n}",
	.hidden = "path memoryId",
};

const struct cmd cmd_events_undo = {
	.name = "events undo",
	.tool = "events_undo",
	.toolset = SET_FILES,
	.summary = "restore the content from before a recorded change",
	.description =
		"Undo recorded changes: one event, or all of a conversation, since a time or of a "
		"path. A tool undoes changes of its own conversation, a person any. ikm restores "
		"the former content, unless somebody changed it since. The undo is recorded too.",
	.need = NEED_ROOTS | NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_undo_run,
	.text = events_undo_text,
	.plain = &events_undo_plain};
