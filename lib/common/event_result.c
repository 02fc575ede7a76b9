/* The result fields of a recorded change. */
#include "event_result.h"

#define EVENT(...) FIELD_AS(struct event, __VA_ARGS__)
const struct field event_fields[] = {
	EVENT(id, "event_id", "a ULID"),
	FIELD_TIME(struct event, time, "ts", "the time of the change"),
	EVENT(user, "user_id", "the user"),
	EVENT(agent, "agent_id", "the agent"),
	EVENT(session, "session_id", "the conversation"),
	EVENT(tool, "tool", "the tool that made the change"),
	EVENT(entity, "entity_type", "the kind of object: file or asset"),
	EVENT(op, "op", "the kind of change"),
	EVENT(path, "path", "an absolute path, or a URI"),
	EVENT(path_to, "path_to", "the new name after a move", .flags = IF_ANY),
	EVENT(before, "before_hash", "sha256 of the content before",
	      .flags = NULLABLE | OMIT_EMPTY),
	EVENT(after, "after_hash", "sha256 of the content after", .flags = NULLABLE | OMIT_EMPTY),
	EVENT(undoes, "undoes", "the event that this one undid", .flags = IF_ANY),
	FIELD_NAMED(struct event, status, "status", event_statuses, "the state of the change"),
	EVENT(error, "error", "why it failed", .flags = IF_ANY),
	EVENT(kept, "kept", "whether the former content is still kept"),
	{0},
};

struct err *events_open(struct call *c, struct files **out)
{
	TRY(files_open(c, out));
	/* These commands read the record on every face, and record an undo in it. */
	(*out)->events = files_events(c, *out);
	return NULL;
}
