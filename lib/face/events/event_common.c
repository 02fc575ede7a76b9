/* The result fields of a recorded change. */
#include "event_common.h"
#include "paths/split_garden_paths.h"
#include "garden/path.h"
#include "os/os.h"

#define EVENT(...) FIELD_AS(struct event, __VA_ARGS__)
#define EVENT_FIELD_ROWS                                                                           \
	EVENT(id, "event_id", "a ULID"), EVENT(seq, "seq", "its number in the record"),            \
		FIELD_TIME(struct event, time, "ts", "the time of the change"),                    \
		EVENT(user, "user_id", "the user"), EVENT(agent, "agent_id", "the agent"),         \
		EVENT(session, "session_id", "the conversation"),                                  \
		EVENT(tool, "tool", "the tool that made the change"),                              \
		FIELD_NAMED(struct event, face, "face", event_faces,                               \
			    "how it came: a command, call, mcp, hook, sync"),                      \
		EVENT(client, "client", "the program in front, as it says itself",                 \
		      .flags = IF_ANY),                                                            \
		EVENT(entity, "entity_type",                                                       \
		      "the kind of object: file, asset, memory, user, part, relationship, note"),  \
		EVENT(entity_id, "entity_id", "the object; of a file its path", .flags = IF_ANY),  \
		FIELD_NAMED(struct event, type, "type", event_types, "the type of the event"),     \
		EVENT(op, "op", "the kind of change"),                                             \
		EVENT(section_anchor, "section_anchor", "the section that was changed",            \
		      .flags = IF_ANY),                                                            \
		EVENT(path, "path", "an absolute path, or a URI"),                                 \
		EVENT(path, "file_path", "the same path", .flags = IF_ANY | COPY),                 \
		EVENT(path_to, "path_to", "the new name after a move", .flags = IF_ANY),           \
		EVENT(rationale, "rationale", "why it was done", .flags = IF_ANY),                 \
		EVENT(before, "before_hash", "sha256 of the content before",                       \
		      .flags = NULLABLE | OMIT_EMPTY),                                             \
		EVENT(after, "after_hash", "sha256 of the content after",                          \
		      .flags = NULLABLE | OMIT_EMPTY),                                             \
		FIELD_JSON(struct event, evidence_refs, "evidence_refs", "tokens of the evidence", \
			   .flags = IF_ANY),                                                       \
		FIELD_JSON(struct event, lint, "lint", "diagnostics and overrides",                \
			   .flags = IF_ANY),                                                       \
		EVENT(undoes, "undoes", "the event that this one undid", .flags = IF_ANY),         \
		EVENT(ids.idempotency_key, "idempotency_key", "the key that tells a repeat",       \
		      .flags = IF_ANY),                                                            \
		EVENT(ids.transaction, "transaction_id", "as the caller gave it",                  \
		      .flags = IF_ANY),                                                            \
		EVENT(ids.tool_call, "tool_call_id", "as the caller gave it", .flags = IF_ANY),    \
		EVENT(ids.agent_action, "agent_action_id", "as the caller gave it",                \
		      .flags = IF_ANY),                                                            \
		EVENT(line_hash, "integrity_line_hash", "HMAC of the canonical content",           \
		      .flags = IF_ANY),                                                            \
		EVENT(key_version, "integrity_salt_version", "the version of the HMAC's key",      \
		      .flags = IF_ANY),                                                            \
		FIELD_NAMED(struct event, status, "status", event_statuses,                        \
			    "the state of the change"),                                            \
		EVENT(error, "error", "why it failed", .flags = IF_ANY),                           \
		EVENT(commit, "commit_oid", "the Git commit", .flags = IF_ANY),                    \
		EVENT(kept, "kept", "whether the former content is still kept")

/* clang-format off */
const struct field event_fields[] = {EVENT_FIELD_ROWS, {0}};
const struct field event_whole_fields[] = {
	EVENT_FIELD_ROWS,
	EVENT(schema_version, "schema_version", "the version of the row's columns"),
	EVENT(machine, "machine_id", "the store that recorded it"),
	EVENT(change, "change", "what was intended", .flags = IF_ANY),
	EVENT(chain, "chain_hash", "the MAC of the event's first row", .flags = IF_ANY),
	{0},
};
/* clang-format on */

#define STEP(...) FIELD_AS(struct event_step_row, __VA_ARGS__)
const struct field event_step_fields[] = {
	STEP(seq, "seq", "its number in the record"),
	FIELD_TIME(struct event_step_row, time, "ts", "the time of the step"),
	FIELD_NAMED(struct event_step_row, step, "step", event_steps, "the step"),
	STEP(user, "user_id", "the user whose process recorded it"),
	STEP(agent, "agent_id", "the agent"),
	STEP(session, "session_id", "the conversation"),
	STEP(tool, "tool", "the tool"),
	STEP(after, "after_hash", "sha256 of the content after", .flags = IF_ANY),
	STEP(error, "error", "why it failed", .flags = IF_ANY),
	STEP(commit, "commit_oid", "the Git commit", .flags = IF_ANY),
	STEP(rationale, "rationale", "why it was done", .flags = IF_ANY),
	FIELD_JSON(struct event_step_row, evidence_refs, "evidence_refs", "tokens of the evidence",
		   .flags = IF_ANY),
	FIELD_JSON(struct event_step_row, lint, "lint", "diagnostics and overrides",
		   .flags = IF_ANY),
	STEP(transaction, "transaction_id", "as the caller gave it", .flags = IF_ANY),
	STEP(tool_call, "tool_call_id", "as the caller gave it", .flags = IF_ANY),
	STEP(agent_action, "agent_action_id", "as the caller gave it", .flags = IF_ANY),
	STEP(line_hash, "integrity_line_hash", "HMAC of the canonical content", .flags = IF_ANY),
	STEP(key_version, "integrity_salt_version", "the version of the HMAC's key",
	     .flags = IF_ANY),
	STEP(chain, "chain_hash", "the MAC of the row", .flags = IF_ANY),
	{0},
};

struct err *event_open_files_recording(struct call *c, struct files **out)
{
	TRY(files_open(c, out));
	/* These commands read the record on every face, and record an undo in it. */
	(*out)->events = files_event_recorder_new(c, *out);
	return NULL;
}

static struct err *event_path_real(struct call *c, struct files *f, struct str text,
				   struct str *out, bool *exists)
{
	bool asset = str_starts(text, STR(ASSET_SCHEME));
	const char *whole, *real, *dir;
	struct file_ref r;
	size_t slash;

	*out = text;
	*exists = true;
	if (!text.p || str_is(text, ASSET_SCHEME "/"))
		return NULL;
	if (asset && str_ends(text, STR("/")))
		text = str_sub(text, 0, text.n - 1);
	TRY(file_ref_resolve(f, text, &r));
	if (asset) {
		*out = asset_uri(c->a, r.path);
		return NULL;
	}
	text = r.path;
	whole = app_absolute_path(c, text);
	*out = str_of(whole);
	if (!os_realpath(c->a, whole, &real)) {
		*out = str_of(real);
		return NULL;
	}
	*exists = false;
	slash = str_rfind_char(*out, '/');
	dir = str_c(c->a, str_sub(*out, 0, size_max(slash, 1)));
	if (!os_realpath(c->a, dir, &real))
		*out = str_of(os_join(c->a, real, whole + slash + 1));
	return NULL;
}

struct err *event_resolve_recorded_path(struct call *c, struct files *f, struct str text,
					struct str *out)
{
	struct str alike;
	bool exists;

	TRY(event_path_real(c, f, text, out, &exists));
	if (exists || !f->events || file_name_has_no_lookalike(*out))
		return NULL;
	TRY(event_find_lookalike_path(f->events, c->a, *out, &alike));
	if (!alike.n)
		return NULL;
	file_tell_alike_name_used(f, alike, *out);
	*out = alike;
	return NULL;
}

void event_entity_of(struct call *c, struct str path, struct event *e)
{
	bool asset = str_starts(path, STR(ASSET_SCHEME)), inside = false;
	struct garden_path at = {0};
	struct str below;

	e->entity = str_of(event_entities[!path.n ? EVENT_USER : asset ? EVENT_ASSET : EVENT_FILE]);
	e->entity_id = path.n ? path : app_user(c);
	/* A file whose folder is gone is in no garden. */
	if (path.n && !asset && garden_path_of(c, path, &below, &inside))
		inside = false;
	if (inside && garden_path_read(below, &at)) {
		e->entity = at.entity_type;
		e->entity_id = at.entity_id;
	}
}
