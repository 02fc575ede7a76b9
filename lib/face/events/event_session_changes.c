#include "event_session_changes.h"
#include "app/client_info.h"
#include "reply/time_param.h"
#include "git/git.h"
#include "memory/memory.h"

#define KEPT(...) FIELD_AS(struct session_kept, __VA_ARGS__)
const struct field event_kept_fields[] = {
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

void event_session_tell_left_out(struct call *c, bool others)
{
	if (others)
		out_puts(c->err, "changes of others are left out\n");
}

static bool event_session_is_text(const struct file_version *v)
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

struct err *event_session_diff_later_edits(struct arena *a, const struct file_version *before,
					   const struct file_version *after,
					   const struct file_version *now, struct str *out)
{
	bool kept = event_session_is_text(after);

	return event_session_diff_two_versions(a, kept ? STR("after") : STR("before"),
					       kept ? after : before, STR("now"), now, out);
}

struct err *event_session_add_diffs(struct arena *a, struct session_undone *r)
{
	VEC_EACH(struct session_kept, k, &r->kept)
		if (k->after.hash.n || k->now.hash.n)
			TRY(event_session_diff_later_edits(a, &k->before, &k->after, &k->now,
							   &k->diff));
	return NULL;
}

static void event_session_tell(struct call *c, const char *name, const struct file_version *v)
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

void event_session_print_file_states(struct call *c, const struct file_version *before,
				     const struct file_version *after,
				     const struct file_version *now)
{
	event_session_tell(c, "before:", before);
	event_session_tell(c, "after:", after);
	event_session_tell(c, "now:", now);
}
