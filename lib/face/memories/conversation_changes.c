#include "conversation_changes.h"
#include "app/client_info.h"
#include "git/git.h"
#include "memory/memory.h"
#include "reply/time_param.h"

/* ---- files ---- */

/* A mistyped conversation or path must not look like one that was not changed. */
static struct err *event_session_want(struct call *c, struct files *f,
				      const struct event_session_ask *q, struct str path)
{
	const struct event_filter any[] = {
		{.session = q->session, .status = -1, .limit = 1},
		{.path = path, .status = -1, .limit = 1},
	};
	const char *of = NULL;
	struct err *e;

	if (str_is(q->session, "*"))
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("session"),
					      "'*', every conversation, is for a query only"),
				"give the id of one, as 'ikm events query' lists it");
	for (size_t i = 0; i < ARRAY_SIZE(any) && !of; i++) {
		struct event_list list = {0};

		if (!any[i].session.n && !any[i].path.n)
			continue;
		TRY(event_query(f->events, c->a, &any[i], &list));
		if (!list.n)
			of = i ? "path" : "session";
	}
	if (!of)
		return NULL;
	e = err_for_param(E_NO_SUCH_EVENT, str_of(of), "no change of %s'%.*s' is recorded",
			  *of == 's' ? "the conversation " : "",
			  STR_ARG(*of == 's' ? q->session : q->path));
	if (*of == 'p')
		err_help(e, "ikm records what tools change; what a person changes is in git diff, "
			    "or in ikm asset history");
	return err_help(e, "'ikm events query' lists changes");
}

/* A tool's conversation. Without one, nothing is a tool's own. */
static struct err *event_session_own(struct call *c, const struct event_session_ask *q,
				     struct str *out)
{
	struct str own = audit_session_id(c);

	if (q->session.n && q->undo && own.n && !str_eq(q->session, own))
		return err_help(err_for_param(E_NOT_ALLOWED, STR("session"),
					      "the conversation '%.*s' is not this one, and a tool "
					      "takes back only what its own did",
					      STR_ARG(q->session)),
				"a person may undo it: ikm events undo --in-session %.*s",
				STR_ARG(q->session));
	*out = q->session.n ? q->session : own;
	if (out->n)
		return NULL;
	return err_help(
		err_for_param(E_MISSING_PARAMETER, STR("session"),
			      "which conversation? ikm does not know yours, so no change is "
			      "known to be your own; nothing was %s",
			      q->undo ? "undone" : "shown"),
		"give the parameter session, or start ikm with --session or IKM_SESSION; "
		"events_query lists changes with their session_id");
}

/*
 * Whether a change in place is not the caller's own: the filter without user, agent and session has
 * it. Of memories, the caller only knows those of its user.
 */
static struct err *event_session_has_others(struct call *c, struct files *f,
					    const struct event_filter *given, struct str mine,
					    bool *others)
{
	struct event_filter filter = *given;
	struct event_list all = {0};

	filter.done = true;
	filter.status = -1;
	filter.limit = SESSION_EVENTS;
	TRY(event_query(f->events, c->a, &filter, &all));
	for (size_t i = 0; i < all.n && !*others; i++) {
		const struct event *e = &all.p[i];
		bool changes =
			e->before.n || e->after.n || e->path_to.n || memory_event_is_import(e);
		bool memory = str_is(e->entity, event_entities[EVENT_MEMORY]);
		bool user = str_eq(e->user, f->events->user), undone;
		bool own = str_eq(e->session, mine) && str_eq(e->agent, f->events->agent) && user &&
			   event_is_of_agent(e);

		if (own || e->undoes.n || !changes || (memory && !user))
			continue;
		TRY(event_is_undone(f->events, c->a, e->id, &undone));
		*others = !undone;
	}
	return NULL;
}

struct err *event_session_make_filter(struct call *c, struct files *f,
				      const struct event_session_ask *q, struct event_filter *out,
				      bool *others)
{
	bool person = !client_is_agent(c), narrows = q->since.n || q->path.n;
	struct str mine;

	*out = (struct event_filter){.session = q->session};
	*others = false;
	if (!q->session.n && !narrows && (person || q->undo || !audit_session_id(c).n))
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("session"),
					      "which changes? nothing names them"),
				"give --in-session, --since or --path; 'ikm events query' lists "
				"changes");
	TRY(when_read(q->since, "since", &out->since));
	TRY(event_resolve_recorded_path(c, f, q->path, &out->path));
	TRY(event_session_want(c, f, q, out->path));
	if (person)
		return NULL;
	out->session = (struct str){0};
	TRY(event_session_own(c, q, &mine));
	/* In a conversation that was named, those of other agents and users. */
	if (q->session.n)
		out->session = mine;
	if (narrows || q->session.n)
		TRY(event_session_has_others(c, f, out, mine, others));
	out->session = mine;
	out->agent = f->events->agent;
	out->user = f->events->user;
	out->of_agents = true;
	return NULL;
}

bool event_session_is_text(const struct file_version *v)
{
	return !v->hash.n || (v->content.p && str_is_text(v->content));
}

struct err *event_session_diff_two_versions(struct arena *a, struct str from_name,
					    const struct file_version *from, struct str to_name,
					    const struct file_version *to, struct str *out)
{
	*out = STR("");
	if (!event_session_is_text(from) || !event_session_is_text(to))
		return NULL;
	return git_diff_contents(a, from->hash.n ? str_c(a, from_name) : "/dev/null", from->content,
				 to->hash.n ? str_c(a, to_name) : "/dev/null", to->content, 3, out);
}

/* ---- memories ---- */

void mem_session_as(struct call *c, struct memories *m, const struct event *e)
{
	if (c->face != FACE_ARGV)
		return;
	m->who.agent = e->agent;
	if (e->session.n)
		m->who.session = e->session;
}

struct err *mem_session_events(struct call *c, struct memories *m, const struct event_filter *given,
			       struct event_list *out)
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
