/* events show: one event with all its columns, its steps, and the change that was intended. */
#include "common/event_result.h"

struct args {
	struct str eventId;
};

static const struct param params[] = {
	PARAM(eventId, .flags = ARG | REQUIRED, .min = 1, .max = 64, .also = "event_id",
	      .complete = event_complete,
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
	struct files *f;

	TRY(events_open(c, &f));
	TRY(event_get(f->events, c->a, args->eventId, &r->event));
	return event_history(f->events, c->a, r->event.id, &r->steps);
}

static void show_line(struct call *c, const char *name, struct str value)
{
	if (!value.n)
		return;
	out_fmt(c->out, "%-16s ", name);
	out_safe(c->out, value, false);
	out_puts(c->out, "\n");
}

static void show_step(struct call *c, const struct event_step_row *s)
{
	out_fmt(c->out, "  %jd  %.*s  %-10s ", (intmax_t)s->seq,
		STR_ARG(os_time_text(c->a, s->time, true)), event_steps[s->step]);
	out_safe(c->out, s->agent, false);
	for (size_t i = 0; i < 3; i++) {
		struct str more = i == 0 ? s->error : i == 1 ? s->commit : s->rationale;

		if (more.n) {
			out_puts(c->out, "  ");
			out_safe(c->out, more, false);
		}
	}
	out_puts(c->out, "\n");
}

static void events_show_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;
	const struct event *e = &r->event;

	(void)args;
	show_line(c, "event", e->id);
	show_line(c, "time", os_time_text(c->a, e->time, true));
	show_line(c, "status", str_of(event_statuses[e->status]));
	show_line(c, "type", str_of(event_types[e->type]));
	show_line(c, "operation", e->op);
	show_line(c, "object",
		  str_fmt(c->a, "%.*s %.*s", STR_ARG(e->entity), STR_ARG(e->entity_id)));
	show_line(c, "path", e->path);
	show_line(c, "new path", e->path_to);
	show_line(c, "section", e->section_anchor);
	show_line(c, "rationale", e->rationale);
	show_line(c, "user", e->user);
	show_line(c, "agent", e->agent);
	show_line(c, "session", e->session);
	show_line(c, "tool", e->tool);
	show_line(c, "before", e->before);
	show_line(c, "after", e->after);
	show_line(c, "undoes", e->undoes);
	show_line(c, "evidence", e->evidence_refs);
	show_line(c, "lint", e->lint);
	show_line(c, "transaction", e->ids.transaction);
	show_line(c, "tool call", e->ids.tool_call);
	show_line(c, "agent action", e->ids.agent_action);
	show_line(c, "content HMAC", e->line_hash);
	show_line(c, "commit", e->commit);
	show_line(c, "error", e->error);
	out_puts(c->out, "steps\n");
	for (size_t i = 0; i < r->steps.n; i++)
		show_step(c, &r->steps.p[i]);
	if (!e->change.n)
		return;
	out_puts(c->out, "change\n");
	out_safe(c->out, e->change, true);
	if (!str_ends(e->change, STR("\n")))
		out_puts(c->out, "\n");
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
	.text = events_show_text,
};
