#include "memory_session_changes.h"

#define CHANGE(...) FIELD_OF(struct mem_session_change, __VA_ARGS__)
const struct field mem_session_fields[] = {
	FIELD_AS(struct mem_session_change, id, "memoryId", "the memory"),
	CHANGE(op, "what was done with it"),
	CHANGE(event, "the event"),
	CHANGE(content, "its text now; missing: it is deleted", .flags = IF_ANY),
	{0},
};

/* Newest first. Changes of other users are not for this one. */
static struct err *mem_session_events(struct call *c, struct memories *m,
				      const struct event_filter *given, struct event_list *out)
{
	struct event_filter filter = *given;
	struct event_list all = {0};
	bool undone;

	*out = (struct event_list){0};
	if (given->path.n || !m->events)
		return NULL;
	filter.entity = str_of(event_entities[EVENT_MEMORY]);
	filter.user = m->who.user;
	filter.done = true;
	filter.status = -1;
	filter.limit = SESSION_EVENTS;
	TRY(event_query(m->events, c->a, &filter, &all));
	VEC_EACH(const struct event, e, &all) {
		/* The change of a memory that another one superseded is undone with that one's. */
		if (e->undoes.n || str_is(e->op, "supersede") || str_is(e->op, "revive") ||
		    (!e->before.n && !e->after.n && !memory_event_is_import(e)))
			continue;
		TRY(event_is_undone(m->events, c->a, e->id, &undone));
		if (!undone)
			*VEC_PUSH(c->a, out) = *e;
	}
	return NULL;
}

/* A person sees the memories of an agent and of a conversation, too. */
static void mem_session_as(struct call *c, struct memories *m, const struct event *e)
{
	if (c->face != FACE_ARGV)
		return;
	m->who.agent = e->agent;
	if (e->session.n)
		m->who.session = e->session;
}

struct err *mem_session_changes(struct call *c, const struct event_filter *filter,
				struct mem_session_changes *out)
{
	struct event_list events;
	struct memories *m;

	*out = (struct mem_session_changes){0};
	TRY(mem_open_change(c, 0, &m));
	TRY(mem_session_events(c, m, filter, &events));
	if (events.n)
		TRY(mem_find_current_project(c, m));
	for (size_t i = events.n; i-- > 0;) {
		const struct event *e = &events.p[i];
		struct memory one = {0};
		struct err *gone;

		mem_session_as(c, m, e);
		gone = memory_get(m, c->a, e->entity_id, false, &one);
		*VEC_PUSH(c->a, out) = (struct mem_session_change){
			.id = e->entity_id,
			.op = e->op,
			.event = e->id,
			.content = gone ? STR("") : one.content,
		};
	}
	return NULL;
}

static struct err *mem_session_undo_one(struct call *c, const struct event *e,
					struct session_undone *out)
{
	bool person = c->face == FACE_ARGV;
	struct memory_undone undone;
	struct event done;
	struct memories *m;
	struct err *why;

	TRY(mem_open_change(c, 0, &m));
	TRY(mem_find_current_project(c, m));
	mem_session_as(c, m, e);
	why = memory_undo_event(m, c->a, e, person ? (struct str){0} : m->events->agent, &undone);
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

struct err *mem_session_undo(struct call *c, const struct event_filter *filter,
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
			TRY(mem_session_undo_one(c, &events.p[i], out));
	}
	return NULL;
}
