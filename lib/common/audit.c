#include "audit.h"
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
