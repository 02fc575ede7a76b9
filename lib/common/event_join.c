#include "event_join.h"
#include "crypt/crypt.h"
#include "event/keys.h"
#include "os/os.h"

#define EVENTS_TRIED ((size_t)200)

static struct err *claim_hash(const char *name, struct str hash)
{
	if (!hash.n || file_is_hash(hash))
		return NULL;
	return err_help(
		err_param(E_BAD_ARGUMENT, str_of(name),
			  "'%s' is no hash: '%.*s'; allowed: sha256: or text:sha256: and 64 "
			  "hexadecimal digits",
			  name, STR_ARG(hash)),
		"give the hash as the writing tool gave it");
}

struct err *event_claim_check(const struct event_claim *q)
{
	TRY(claim_hash("before_hash", q->before));
	TRY(claim_hash("after_hash", q->after));
	if (q->rationale.n || q->path.n || q->evidence_refs.n ||
	    (q->op.n && q->type != EVENT_OBSERVATION))
		return NULL;
	return err_help(err_param(E_MISSING_PARAMETER, STR("rationale"),
				  "an event of type '%s' without rationale, file_path and "
				  "evidence_refs says nothing",
				  event_types[q->type]),
			"give at least one of them");
}

struct join {
	struct call *c;
	struct events *log;
	const struct event_claim *q;
	struct str now; /* the content of the file; p NULL: it cannot be read */
};

static bool join_text_is(struct join *j, struct str text)
{
	struct str hash;

	return text.p && !file_text_hash(j->c->a, text, &hash) && str_eq(hash, j->q->after);
}

static bool join_section_is(struct join *j, struct str text, struct str anchor, struct str *section)
{
	return text.p && anchor.n && !file_section(j->c->a, text, anchor, section) &&
	       join_text_is(j, *section);
}

/* Whether the event left a file, or a section, whose text has the hash. */
static bool join_event_is(struct join *j, const struct event *e)
{
	struct str anchor = e->section_anchor.n ? e->section_anchor : j->q->section_anchor;
	struct str then = {0}, section;
	bool same = j->now.p && str_eq(crypt_content_hash(j->c->a, j->now), e->after);

	if (same)
		then = j->now;
	else if (event_former(j->log, j->c->a, e->after, &then))
		then = (struct str){0};
	if (then.p)
		return join_text_is(j, then) || join_section_is(j, then, anchor, &section);
	/* The whole content is gone. The section may still be what the event's HMAC covers. */
	return join_section_is(j, j->now, e->section_anchor, &section) &&
	       event_content_holds(j->log, j->c->a, e, section);
}

static struct err *join_by_text(struct join *j, struct str *id)
{
	const struct event_filter f = {
		.path = j->q->path,
		.user = j->log->user,
		.agent = j->log->agent,
		.status = -1,
		.done = true,
		.since = os_now() - EVENT_JOIN_MS,
		.limit = EVENTS_TRIED,
	};
	struct event_list list;

	if (os_read(j->c->a, str_c(j->c->a, j->q->path), FILE_BYTES_MAX, &j->now))
		j->now = (struct str){0};
	TRY(event_query(j->log, j->c->a, &f, &list));
	for (size_t i = 0; i < list.n && !id->n; i++)
		if (str_eq(list.p[i].path, j->q->path) && list.p[i].after.n &&
		    join_event_is(j, &list.p[i]))
			*id = list.p[i].id;
	return NULL;
}

static struct err *join_differs(const char *name, struct str said, struct str recorded,
				struct str id)
{
	return err_help(err_param(E_BAD_ARGUMENT, str_of(name),
				  "'%s' is '%.*s', but the event %.*s of this write has '%.*s'",
				  name, STR_ARG(said), STR_ARG(id), STR_ARG(recorded)),
			"leave '%s' out: the event has it", name);
}

struct err *event_join_find(struct call *c, struct events *log, const struct event_claim *q,
			    struct str *id)
{
	struct join j = {.c = c, .log = log, .q = q};
	struct event e;

	*id = STR("");
	if (!q->path.n || !q->after.n)
		return NULL;
	if (str_starts(q->after, STR("text:")))
		TRY(join_by_text(&j, id));
	else
		TRY(event_find_written(log, c->a, q->path, q->after, id));
	if (!id->n)
		return NULL;
	TRY(event_get(log, c->a, *id, &e));
	/* Only the md tools know a section: what another write meant is the caller's to say. */
	if (q->op.n && e.section_anchor.n && !str_eq(q->op, e.op))
		return join_differs("op", q->op, e.op, e.id);
	if (q->section_anchor.n && e.section_anchor.n &&
	    !str_eq(q->section_anchor, e.section_anchor))
		return join_differs("section_anchor", q->section_anchor, e.section_anchor, e.id);
	return NULL;
}
