/* A recorded change, as results tell it. */
#include "event_result.h"

#define EVENT(...) FIELD_AS(struct event, __VA_ARGS__)
const struct field event_fields[] = {
	EVENT(id, "event_id", "a ULID"),
	FIELD_TIME(struct event, time, "ts", "when"),
	EVENT(user, "user_id", "who"),
	EVENT(agent, "agent_id", "which agent"),
	EVENT(session, "session_id", "in which conversation"),
	EVENT(tool, "tool", "which tool was asked"),
	EVENT(entity, "entity_type", "what was changed: file, asset"),
	EVENT(op, "op", "how"),
	EVENT(path, "path", "where: absolute, or a URI"),
	EVENT(path_to, "path_to", "the new name, of a move", .flags = IF_ANY),
	EVENT(before, "before_hash", "sha256 of what was there", .flags = NULLABLE | OMIT_EMPTY),
	EVENT(after, "after_hash", "sha256 of what is there since", .flags = NULLABLE | OMIT_EMPTY),
	EVENT(undoes, "undoes", "the event that it put back", .flags = IF_ANY),
	FIELD_NAMED(struct event, status, "status", event_statuses, "what became of it"),
	EVENT(error, "error", "why it failed", .flags = IF_ANY),
	EVENT(kept, "kept", "the former content is still kept"),
	{0},
};

struct err *events_open(struct call *c, struct files **out)
{
	TRY(files_open(c, out));
	/* The record is asked on any face, and what undo does is in it. */
	(*out)->events = files_events(c, *out);
	return NULL;
}
