#include "audit.h"
#include "app/client.h"
#include "garden/garden.h"
#include "json/json.h"

struct err *audit_evidence(struct arena *a, const struct strs *refs, struct str *out)
{
	*out = STR("");
	for (size_t i = 0; i < refs->n; i++) {
		struct str ref = refs->p[i];

		if (!str_trim(ref).n || !str_is_utf8(ref) ||
		    str_find_char(ref, '\n', 0) != SIZE_MAX)
			return err_param(E_BAD_ARGUMENT, STR("evidence_refs"),
					 "evidence_refs[%zu] must be one line of text", i);
		if (str_starts(ref, STR("ev:")) && !garden_is_token(ref))
			return err_help(err_param(E_BAD_ARGUMENT, STR("evidence_refs"),
						  "'%.*s' is no evidence token", STR_ARG(ref)),
					"write a token as ev:YYYYMMDDThhmmssZ-ULID, or a reference "
					"of another form without ev:");
	}
	if (refs->n)
		*out = json_text(a, val_strs(a, refs));
	return NULL;
}

struct err *audit_ids(struct arena *a, const struct audit *audit, struct event_ids *out)
{
	*out = (struct event_ids){
		.transaction = audit->transaction_id,
		.tool_call = audit->tool_call_id,
		.agent_action = audit->agent_action_id,
		.idempotency_key = audit->idempotencyKey,
		.rationale = audit->rationale,
	};
	TRY(audit_evidence(a, &audit->evidence_refs, &out->evidence_refs));
	return event_ids_check(out);
}

/* The rows of PARAMS_AUDIT, whatever the struct of the tool. */
struct args {
	struct audit audit;
};
static const struct param audit_rows[] = {PARAMS_AUDIT, {0}};

static bool audit_has(const struct cmd *cmd, const char *name)
{
	for (const struct param *p = cmd->params; p && p->name; p++)
		if (!strcmp(p->name, name))
			return true;
	return false;
}

/* Whether the input names it, by any of its names, also in opts. */
static const struct val *audit_given(const struct val *in, const struct param *p)
{
	const struct val *v = val_get(in, p->name), *opts = val_get(in, "opts");
	struct str rest = str_of(p->also), one;

	while (!v && str_split(&rest, ' ', &one))
		VAL_EACH(in, m)
			if (str_eq(m->key, one))
				v = m;
	return !v && opts && opts->type == VAL_MAP ? audit_given(opts, p) : v;
}

void audit_from_meta(struct arena *a, const struct cmd *cmd, const struct val *meta,
		     struct val *input)
{
	if (!meta || meta->type != VAL_MAP)
		return;
	for (const struct param *p = audit_rows; p->name; p++) {
		const struct val *v = audit_given(meta, p);

		if (v && audit_has(cmd, p->name) && !audit_given(input, p))
			val_set(a, input, p->name, val_copy(a, v));
	}
}

struct events *audit_log(struct call *c, struct db *db)
{
	struct events *e = ARENA_NEW(c->a, struct events);
	struct str user = c->conf->user;

	*e = (struct events){
		.db = db,
		.user = user.n ? user : os_user(c->a),
		.agent = c->conf->agent_id,
		.session = client_session(c),
		.tool = str_of(c->cmd->tool ? c->cmd->tool : c->cmd->name),
		.keep_ms = c->conf->undo_days * DAY_MS,
		.keep_bytes = c->conf->undo_bytes,
	};
	return e;
}

struct err *audit_no_record(void)
{
	return err_param(E_BAD_ARGUMENT, STR("idempotencyKey"),
			 "idempotencyKey needs the record of changes, and undo.days is 0");
}

/* A person who ran a command twice sees that the second did nothing. */
static void audit_tell_replay(struct call *c, const struct event_replay *r)
{
	if (c->face != FACE_ARGV || c->json || c->proposed)
		return;
	out_fmt(c->err,
		"ikm: done already%s%.*s; nothing was written\n"
		"  to do it again, give a key that is new: --idempotency-key KEY\n",
		r->e.id.n ? ", as event " : "", STR_ARG(r->e.id));
}

struct err *audit_replayed(struct call *c, const struct event_replay *r, struct val *v,
			   void *result)
{
	const struct record_reader how = {
		.what = "the stored answer", .unknown = RECORD_IGNORED, .partial = true};

	val_set(c->a, v, "replayed", val_bool(c->a, true));
	audit_tell_replay(c, r);
	return record_read(c->a, &how, c->cmd->result, v, result);
}
