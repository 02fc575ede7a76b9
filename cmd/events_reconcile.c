/* events reconcile: settles what a killed writer left (requirement: garden, "Saga status"). */
#include "events/event_common.h"
#include "file/undo.h"

struct args {
	bool accept;
};

static const struct param params[] = {
	PARAM(accept,
	      .help = "close events whose file was changed otherwise; the files stay as they "
		      "are"),
	{0},
};

#define SETTLED(...) FIELD_AS(struct saga_settled, __VA_ARGS__)
static const struct field settled_fields[] = {
	SETTLED(event, "event_id", "the event"),
	SETTLED(path, "path", "the file or stored asset"),
	SETTLED(op, "op", "the kind of change"),
	FIELD_NAMED(struct saga_settled, outcome, "outcome", saga_outcomes,
		    "committed: it is in place; failed: it was not made; drift: the file has "
		    "neither content; waiting: Git could not commit it"),
	SETTLED(commit, "commit", "the Git commit", .flags = IF_ANY),
	SETTLED(why, "reason", "why it is not settled", .flags = IF_ANY),
	{0},
};

struct result {
	bool settled;
	struct saga_report events;
};

static const struct field result[] = {
	FIELD(settled, "false: an event has drift, or waits for Git"),
	FIELD_RECORDS(struct result, events, "events", settled_fields,
		      "the events that were pending or written, oldest first"),
	{0},
};

/* At most this many pending events outside the garden: one for each killed process. */
#define OUTSIDE_MOST 1000

static struct err *events_reconcile_run(struct call *c, const void *p, void *out)
{
	const struct event_filter pending = {.status = EVENT_PENDING, .limit = OUTSIDE_MOST};
	const struct args *args = p;
	struct result *r = out;
	struct event_list list;
	struct files *f;

	TRY(event_open_files_recording(c, &f));
	TRY(saga_reconcile(files_garden_saga_new(c, f), args->accept, &r->events));
	/* Events of files and assets outside the garden are settled by the file alone. */
	TRY(event_query(f->events, c->a, &pending, &list));
	for (size_t i = list.n; i--;) {
		struct event *e = &list.p[i];
		struct saga_settled one = {.event = e->id, .path = e->path, .op = e->op};
		struct err *failed;

		if (!str_is(e->entity, "file") && !str_is(e->entity, "asset"))
			continue;
		failed = file_settle_event(f, e);
		one.outcome = e->status == EVENT_FAILED    ? SAGA_FAILED
			      : e->status == EVENT_PENDING ? SAGA_DRIFT
							   : SAGA_COMMITTED;
		if (failed)
			one.why = str_dup(c->a, str_of(err_message(failed)));
		else if (one.outcome == SAGA_DRIFT)
			one.why = STR("the file has neither its former content nor the new one");
		*VEC_PUSH(c->a, &r->events) = one;
	}
	r->settled = true;
	for (size_t i = 0; i < r->events.n; i++)
		r->settled &= r->events.p[i].outcome < SAGA_DRIFT;
	c->negative = !r->settled;
	return NULL;
}

const struct cmd cmd_events_reconcile = {
	.name = "events reconcile",
	.summary = "settle changes that a killed process left unfinished",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_reconcile_run,
	.template = "{=events:{;outcome:{outcome%-9}}  {;event:{event_id}}  {;op:{op%-8}}  "
		    "{;path%16p:{*path}}{?reason:: {reason}}{;:{?reason:  {reason}\n}}\n}"
		    "{?!events:{2:nothing to settle\n}}",
};
