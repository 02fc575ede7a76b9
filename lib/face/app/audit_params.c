#include "audit_params.h"
#include "app/client_info.h"
#include "event/ulid.h"
#include "garden/garden.h"
#include "host/host.h"
#include "json/json.h"

#define CLIENT_NAME_MOST ((size_t)64)
/*
 * The program in front of ikm, as it says itself: text of at most CLIENT_NAME_MOST bytes without
 * control characters. Empty: nothing is said.
 */
static struct str audit_client(const struct call *c)
{
	struct buf b = buf_in(c->a);
	struct str name = c->client ? str_utf8(c->a, c->client->name) : STR(""), session;
	enum host host;

	if (!name.n && (host = host_running(&session)) != HOST_UNKNOWN)
		return str_of(host_names[host]);
	for (size_t n; name.n; name = str_sub(name, n, name.n))
		if (!out_hides_char(name, &n))
			buf_put(&b, str_sub(name, 0, n));
	return str_trim(str_utf8_head(str_trim(buf_as_str(&b)), CLIENT_NAME_MOST));
}

struct err *audit_evidence_refs_text(struct arena *a, const struct strs *refs, struct str *out)
{
	*out = STR("");
	for (size_t i = 0; i < refs->n; i++) {
		struct str ref = refs->p[i];

		if (!str_trim(ref).n || !str_is_utf8(ref) ||
		    str_find_char(ref, '\n', 0) != SIZE_MAX)
			return err_for_param(E_BAD_ARGUMENT, STR("evidence_refs"),
					     "evidence_refs[%zu] must be one line of text", i);
		if (str_starts(ref, STR("ev:")) && !garden_is_evidence_token(ref))
			return err_help(err_for_param(E_BAD_ARGUMENT, STR("evidence_refs"),
						      "'%.*s' is no evidence token", STR_ARG(ref)),
					"write a token as ev:YYYYMMDDThhmmssZ-ULID, or a reference "
					"of another form without ev:");
	}
	if (refs->n)
		*out = json_text(a, val_list_of_strs(a, refs));
	return NULL;
}

struct err *audit_ids_for_event(struct arena *a, const struct audit *audit, struct event_ids *out)
{
	*out = (struct event_ids){
		.transaction = audit->transaction_id,
		.tool_call = audit->tool_call_id,
		.agent_action = audit->agent_action_id,
		.idempotency_key = audit->idempotencyKey,
		.rationale = audit->rationale,
	};
	TRY(audit_evidence_refs_text(a, &audit->evidence_refs, &out->evidence_refs));
	return event_caller_ids_check(out);
}

/* The rows of PARAMS_AUDIT, whatever the struct of the tool. */
struct args {
	struct audit audit;
};
static const struct param audit_rows[] = {PARAMS_AUDIT, {0}};

/* Whether the input names it, by any of its names, also in opts. */
static const struct val *audit_given(const struct val *in, const struct param *p)
{
	const struct val *v = val_get(in, p->name), *opts = val_get(in, "opts");
	struct str rest = str_of(p->also), one;

	while (!v && str_next_part(&rest, ' ', &one))
		VAL_EACH(in, m)
			if (str_eq(m->key, one))
				v = m;
	return !v && opts && opts->type == VAL_MAP ? audit_given(opts, p) : v;
}

void audit_copy_from_meta(struct arena *a, const struct cmd *cmd, const struct val *meta,
			  struct val *input)
{
	if (!meta || meta->type != VAL_MAP)
		return;
	for (const struct param *p = audit_rows; p->name; p++) {
		const struct val *v = audit_given(meta, p);
		bool has = false;

		for (const struct param *own = cmd->params; own && own->name; own++)
			has = has || !strcmp(own->name, p->name);
		if (v && has && !audit_given(input, p))
			val_set(a, input, p->name, val_copy_shallow(a, v));
	}
}

#define GUESS_MS ((int64_t)12 * 60 * 60 * 1000)

struct str audit_session_id(struct call *c)
{
	struct events log = {.db = app_store(c)};
	struct str session = client_session(c), who, begins, id;
	const char *top = c->git ? git_top(c->git) : NULL;
	int64_t time;

	if (session.n || !client_is_agent(c) || c->guessed_session.n)
		return session.n ? session : c->guessed_session;
	who = str_fmt(c->a, "%.*s\n%.*s\n%.*s\n%s", STR_ARG(app_user(c)),
		      STR_ARG(c->conf->agent_id), STR_ARG(audit_client(c)), top ? top : c->cwd);
	begins = str_fmt(c->a, "call_%016jx_", (uintmax_t)str_hash(who));
	/* A store that cannot be read fails where the event is recorded. */
	if (event_conversation_by_prefix(&log, c->a, begins, &id, &time) || !id.n ||
	    time < os_now() - GUESS_MS)
		id = str_fmt(c->a, "%.*s%.*s", STR_ARG(begins),
			     STR_ARG(ulid_new(c->a, os_now(), STR(""))));
	c->guessed_session = id;
	return id;
}

struct str audit_guessed_session_text(const struct call *c)
{
	const char *top = c->git ? git_top(c->git) : NULL;

	if (!c->guessed_session.n)
		return (struct str){0};
	return str_fmt(c->a, "the calls of the last 12 hours in %s: no session was named",
		       top ? top : c->cwd);
}

struct events *audit_events_new(struct call *c, struct db *db)
{
	struct events *e = ARENA_NEW(c->a, struct events);
	*e = (struct events){
		.db = db,
		.user = app_user(c),
		.agent = c->conf->agent_id,
		.session = audit_session_id(c),
		.face = c->client                           ? EVENT_FACE_MCP
			: c->face != FACE_ARGV              ? EVENT_FACE_CALL
			: cmd_has_noun(c->cmd, STR("hook")) ? EVENT_FACE_HOOK
			: cmd_has_noun(c->cmd, STR("sync")) ? EVENT_FACE_SYNC
							    : EVENT_FACE_COMMAND,
		.client = audit_client(c),
		.tool = str_of(c->cmd->tool ? c->cmd->tool : c->cmd->name),
		.keep_ms = c->conf->undo_days * DAY_MS,
		.keep_bytes = c->conf->undo_bytes,
	};
	return e;
}

struct err *audit_no_record_error(void)
{
	return err_help(
		err_for_param(E_BAD_ARGUMENT, STR("idempotencyKey"),
			      "idempotencyKey needs the record of changes, and undo.days is 0"),
		"leave it out, or keep a record: ikm config set undo.days 30");
}

struct err *audit_answer_replay(struct call *c, const struct event_replay *r, struct val *v,
				void *result)
{
	const struct record_reader how = {
		.what = "the stored answer", .unknown = RECORD_IGNORED, .partial = true};

	val_set(c->a, v, "replayed", val_bool(c->a, true));
	/* A person who ran a command twice sees that the second did nothing. */
	if (c->face == FACE_ARGV && !c->json && !c->proposed)
		out_fmt(c->err,
			"ikm: done already%s%.*s; nothing was written\n"
			"  to do it again, give a key that is new: --idempotency-key KEY\n",
			r->e.id.n ? ", as event " : "", STR_ARG(r->e.id));
	return record_from_val(c->a, &how, c->cmd->result, v, result);
}
