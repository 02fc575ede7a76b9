/* events undo: restores what was before recorded changes (ikm-design(7), "Undo"). */
#include "paths/change_common.h"
#include "memories/conversation_changes.h"
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

#define KEPT(...) FIELD_AS(struct session_kept, __VA_ARGS__)
static const struct field kept_fields[] = {
	KEPT(path, "path", "the file or asset that keeps its change"),
	KEPT(event, "event", "the change"),
	KEPT(reason, "reason", "why it was not undone"),
	KEPT(before.hash, "beforeHash", "sha256 before the change", .flags = IF_ANY),
	KEPT(after.hash, "afterHash", "sha256 after the change", .flags = IF_ANY),
	KEPT(now.hash, "currentHash", "sha256 now", .flags = IF_ANY),
	KEPT(diff, "diff",
	     "what somebody changed since; from before the change, when the "
	     "content after it is not kept",
	     .flags = IF_ANY),
	{0},
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
	FIELD_RECORDS(struct result, all.kept, "kept", kept_fields,
		      "files and memories that keep their change: somebody changed them since, say",
		      .flags = IF_ANY),
	FIELD_EVENT_OTHERS,
	FIELD_AS(struct result, done.changed, "changed",
		 "false: the former content was there already"),
	FIELD(path, "the file or asset that was changed", .flags = IF_ANY),
	FIELD_AS(struct result, memory.memory.id, "memoryId", "the memory that was changed",
		 .flags = IF_ANY),
	FIELD_AS(struct result, memory.deleted, "deleted",
		 "of an import: how many memories were deleted again", .flags = IF_ANY),
	FIELD_AS(struct result, memory.restored, "restored",
		 "of the undo of an import: how many memories were restored", .flags = IF_ANY),
	FIELD_AS(struct result, memory.kept, "keptMemories",
		 "of an import: memories that stay, because somebody changed them since",
		 .flags = IF_ANY),
	FIELD_AS(struct result, memory.tombstones, "keptDeletions",
		 "of an import: deletions that it took over, which stay", .flags = IF_ANY),
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

/* What somebody changed since: after to now, or before to now when ikm has not kept the middle. */
static struct err *undo_diff_later_edits(struct arena *a, const struct file_version *before,
					 const struct file_version *after,
					 const struct file_version *now, struct str *out)
{
	bool kept = event_session_is_text(after);

	return event_session_diff_two_versions(a, kept ? STR("after") : STR("before"),
					       kept ? after : before, STR("now"), now, out);
}

/* Sets the diffs of what session_undo() kept. */
static struct err *undo_add_diffs(struct arena *a, struct session_undone *r)
{
	VEC_EACH(struct session_kept, k, &r->kept)
		if (k->after.hash.n || k->now.hash.n)
			TRY(undo_diff_later_edits(a, &k->before, &k->after, &k->now, &k->diff));
	return NULL;
}

static void undo_print_state(struct call *c, const char *name, const struct file_version *v)
{
	out_fmt(c->err, "%-7s ", name);
	if (!v->hash.n)
		out_puts(c->err, "it does not exist");
	else if (v->content.p)
		out_fmt(c->err, "%.*s, %zu bytes", STR_ARG(v->hash), v->content.n);
	else
		out_fmt(c->err, "%.*s, not kept", STR_ARG(v->hash));
	out_puts(c->err, "\n");
}

/* Prints for a person what each version is; the contents are in the diff. */
static void undo_print_states(struct call *c, const struct file_version *before,
			      const struct file_version *after, const struct file_version *now)
{
	undo_print_state(c, "before:", before);
	undo_print_state(c, "after:", after);
	undo_print_state(c, "now:", now);
}

/* Shows the diffs that a person needs. */
static struct err *show_versions(struct call *c, const struct file_undo *u, struct err *e)
{
	struct str change, since;

	TRY(event_session_diff_two_versions(c->a, STR("before"), &u->before, STR("after"),
					    &u->after, &change));
	TRY(undo_diff_later_edits(c->a, &u->before, &u->after, &u->now, &since));
	if (since.n)
		err_add_detail(e, "diff", since);
	if (c->json)
		return e;
	undo_print_states(c, &u->before, &u->after, &u->now);
	out_safe(c->err, change, true);
	out_safe(c->err, since, true);
	return e;
}

/* A tool undoes only changes of its agent. */
static struct err *undo_memory_event(struct call *c, struct memories *m, const struct event *e,
				     struct memory_undone *out)
{
	mem_session_as(c, m, e);
	return memory_undo_event(m, c->a, e,
				 c->face == FACE_ARGV ? (struct str){0} : m->events->agent, out);
}

static struct err *undo_memories_one(struct call *c, const struct event *e,
				     struct session_undone *out)
{
	struct memory_undone undone;
	struct event done;
	struct memories *m;
	struct err *why;

	TRY(mem_open_change(c, 0, &m));
	TRY(mem_find_current_project(c, m));
	why = undo_memory_event(c, m, e, &undone);
	if (!why) {
		TRY(event_get(m->events, c->a, e->id, &done));
		*VEC_PUSH(c->a, &out->events) = done;
		for (size_t i = 0; undone.import && i < undone.kept.n; i++)
			*VEC_PUSH(c->a, &out->kept) = (struct session_kept){
				.path = undone.kept.p[i],
				.event = e->id,
				.reason = str_fmt(c->a, "the memory '%.*s' was changed since",
						  STR_ARG(undone.kept.p[i])),
			};
		return NULL;
	}
	if (err_code(why) == CODE_PROVIDER_ERROR)
		return why;
	*VEC_PUSH(c->a, &out->kept) = (struct session_kept){
		.path = e->entity_id,
		.event = e->id,
		.reason = str_dup(c->a, str_of(err_message(why))),
	};
	return NULL;
}

/*
 * Undoes changes of memories, newest first, and adds to `out` what session_undo() would: the path
 * of a memory that keeps its change is its id.
 */
static struct err *undo_memories(struct call *c, const struct event_filter *filter,
				 struct session_undone *out)
{
	struct event_list events;
	struct memories *m;

	TRY(mem_open_change(c, 0, &m));
	TRY(mem_session_events(c, m, filter, &events));
	for (size_t i = 0; i < events.n; i++) {
		bool kept = false;

		for (size_t k = 0; k < out->kept.n; k++)
			kept = kept || str_eq(out->kept.p[k].path, events.p[i].entity_id);
		if (!kept)
			TRY(undo_memories_one(c, &events.p[i], out));
	}
	return NULL;
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
	TRY(undo_memories(c, &filter, &r->all));
	r->done.changed = r->all.events.n;
	r->done.warnings = r->all.warnings;
	c->negative = r->all.kept.n;
	return undo_add_diffs(c->a, &r->all);
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
	struct event_replay repeat;
	struct memory_undone undone;
	struct memories *m;

	TRY(mem_open_change(c, 0, &m));
	if (!m->events)
		return err_help(err_new(E_BAD_ARGUMENT,
					"an undo needs the record of changes, and undo.days is 0"),
				"keep a record: ikm config set undo.days 30");
	TRY(mem_idempotent_begin(c, m, &ask, r, &repeat));
	if (repeat.replayed)
		return NULL;
	TRY(mem_find_current_project(c, m));
	TRY(undo_memory_event(c, m, e, &undone));
	*r = (struct result){.undone = e, .memory = undone};
	r->done = (struct file_done){.changed = undone.changed, .event = m->event};
	c->negative = undone.kept.n;
	return mem_idempotent_end(c, m, &repeat, r);
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

#define KEPT_SHOWN 20

static void undo_import_print(struct call *c, const struct memory_undone *u)
{
	if (u->restored)
		out_fmt(c->out, "restored %jd %s\n", (intmax_t)u->restored,
			u->restored == 1 ? "memory" : "memories");
	else
		out_fmt(c->out, "deleted %jd %s\n", (intmax_t)u->deleted,
			u->deleted == 1 ? "memory" : "memories");
	for (size_t i = 0; i < u->kept.n && i < KEPT_SHOWN; i++)
		out_fmt(c->err, "kept: the memory '%.*s' was changed since\n",
			STR_ARG(u->kept.p[i]));
	if (u->kept.n > KEPT_SHOWN)
		out_fmt(c->err, "kept: %zu more\n", u->kept.n - KEPT_SHOWN);
	if (u->tombstones)
		out_fmt(c->err, "kept: %jd deletion%s that the import took over\n",
			(intmax_t)u->tombstones, PLURAL(u->tombstones));
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
		if (r->others)
			out_puts(c->err, "changes of others are left out\n");
		VEC_EACH(const struct session_kept, k, &r->all.kept) {
			out_puts(c->err, "kept: ");
			out_safe_line(c->err, k->reason);
			if (k->before.hash.n || k->after.hash.n || k->now.hash.n)
				undo_print_states(c, &k->before, &k->after, &k->now);
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
		undo_import_print(c, &r->memory);
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
