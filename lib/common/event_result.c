/* A recorded change, as results tell it. */
#include "event_result.h"

static const char *const statuses[] = EVENT_STATUSES;

const struct field event_fields[] = {
	{"event_id", "a ULID", F_STR},
	{"ts", "when", F_STR},
	{"user_id", "who", F_STR},
	{"agent_id", "which agent", F_STR},
	{"session_id", "in which conversation", F_STR},
	{"tool", "which tool was asked", F_STR},
	{"entity_type", "what was changed: file, asset", F_STR},
	{"op", "how", F_STR},
	{"path", "where: absolute, or a URI", F_STR},
	{"path_to", "the new name, of a move", F_STR, OPTIONAL},
	{"before_hash", "sha256 of what was there", F_STR, NULLABLE},
	{"after_hash", "sha256 of what is there since", F_STR, NULLABLE},
	{"undoes", "the event that it put back", F_STR, OPTIONAL},
	{"status", "what became of it", F_STR, .choices = statuses},
	{"error", "why it failed", F_STR, OPTIONAL},
	{"kept", "the former content is still kept", F_BOOL},
	{0},
};

struct val *event_val(struct arena *a, const struct event *e)
{
	struct val *v = val_map(a);

	val_set(a, v, "event_id", val_str(a, e->id));
	val_set(a, v, "ts", val_str(a, os_time_text(a, e->time, true)));
	val_set(a, v, "user_id", val_str(a, e->user));
	val_set(a, v, "agent_id", val_str(a, e->agent));
	val_set(a, v, "session_id", val_str(a, e->session));
	val_set(a, v, "tool", val_str(a, e->tool));
	val_set(a, v, "entity_type", val_str(a, e->entity));
	val_set(a, v, "op", val_str(a, e->op));
	val_set(a, v, "path", val_str(a, str_utf8(a, e->path)));
	if (e->path_to.n)
		val_set(a, v, "path_to", val_str(a, str_utf8(a, e->path_to)));
	val_set(a, v, "before_hash", e->before.n ? val_str(a, e->before) : val_null(a));
	val_set(a, v, "after_hash", e->after.n ? val_str(a, e->after) : val_null(a));
	if (e->undoes.n)
		val_set(a, v, "undoes", val_str(a, e->undoes));
	val_set(a, v, "status", val_str(a, str_of(statuses[e->status])));
	if (e->error.n)
		val_set(a, v, "error", val_str(a, str_utf8(a, e->error)));
	val_set(a, v, "kept", val_bool(a, e->kept));
	return v;
}

struct err *events_open(struct call *c, struct files **out)
{
	TRY(files_open(c, out));
	/* The record is asked on any face, and what undo does is in it. */
	(*out)->events = files_events(c, *out);
	return NULL;
}
