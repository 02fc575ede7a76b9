/* events verify: looks for edits of the record of changes (requirement: garden, "Integrity
 * (HMAC)"). */
#include "common/event_result.h"
#include "event/checkpoint.h"
#include "event/verify.h"

struct args {
	struct str checkpoint, public_key;
};

/* A checkpoint has six lines, and a public key three. */
#define VERIFY_FILE_MOST ((size_t)64 << 10)

static const struct param params[] = {
	PARAM(checkpoint, .flags = PATHS, .meta = "file", .min = 1, .max = OS_PATH_MAX,
	      .help = "compare the record with this signed checkpoint"),
	PARAM(public_key, .flags = PATHS, .meta = "file", .min = 1, .max = OS_PATH_MAX,
	      .help = "the public key of the checkpoint; default: the one of your own keys"),
	{0},
};

#define BREAK(...) FIELD_AS(struct event_break_found, __VA_ARGS__)
static const struct field break_fields[] = {
	FIELD_NAMED(struct event_break_found, kind, "kind", event_breaks, "the kind of break"),
	BREAK(seq, "seq", "the row, or the first missing one"),
	BREAK(event, "event_id", "the event of the row", .flags = IF_ANY),
	BREAK(what, "message", "what is wrong there"),
	{0},
};

struct result {
	bool ok;
	struct event_verdict v;
	const struct event_break_found *first;
};

static const struct field result[] = {
	FIELD(ok, "true: no row was changed, and none is missing"),
	FIELD_NAMED(struct result, v.integrity, "integrity", event_integrities,
		    "whether the rows are as they were written"),
	FIELD_NAMED(struct result, v.completeness, "completeness", event_completenesses,
		    "whether rows are missing"),
	FIELD_AS(struct result, v.rows, "rows", "the number of rows"),
	FIELD_AS(struct result, v.chained, "chained", "the number of rows with a MAC"),
	FIELD_AS(struct result, v.last, "last", "the number of the last row"),
	FIELD_AS(struct result, v.key_version, "integrity_salt_version",
		 "the version of the key in use", .flags = IF_ANY),
	FIELD_RECORD_AT(struct result, first, "firstBreak", break_fields, "the first break",
			.flags = OPTIONAL),
	FIELD_RECORDS(struct result, v, "breaks", break_fields, "the first 100 breaks, in order"),
	FIELD_AS(struct result, v.breaks, "totalBreaks", "the number of breaks"),
	{0},
};

static struct err *verify_stamp(struct call *c, const struct args *args, struct events *log,
				struct event_checkpoint *out)
{
	struct str text, pem;

	TRY(os_roots_read(c->roots, c->a, c->cwd, args->checkpoint, VERIFY_FILE_MOST, &text));
	if (args->public_key.n)
		TRY(os_roots_read(c->roots, c->a, c->cwd, args->public_key, VERIFY_FILE_MOST,
				  &pem));
	else
		TRY(event_checkpoint_public(log, c->a, &pem));
	return event_checkpoint_read(c->a, text, pem, out);
}

static struct err *events_verify_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct event_checkpoint stamp;
	struct result *r = out;
	struct files *f;

	TRY(events_open(c, &f));
	if (args->public_key.n && !args->checkpoint.n)
		return err_param(E_MISSING_PARAMETER, STR("checkpoint"),
				 "a public key needs the checkpoint that it verifies");
	if (args->checkpoint.n)
		TRY(verify_stamp(c, args, f->events, &stamp));
	TRY(event_verify(f->events, c->a, args->checkpoint.n ? &stamp : NULL, &r->v));
	r->ok = !r->v.breaks;
	r->first = r->v.breaks ? &r->v.first : NULL;
	c->negative = !r->ok;
	return NULL;
}

static void events_verify_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	out_fmt(c->out, "integrity     %s\ncompleteness  %s\nrows          %jd, %jd with a MAC\n",
		event_integrities[r->v.integrity], event_completenesses[r->v.completeness],
		(intmax_t)r->v.rows, (intmax_t)r->v.chained);
	for (size_t i = 0; i < r->v.n; i++) {
		out_fmt(c->out, "%-13s ", event_breaks[r->v.p[i].kind]);
		out_safe(c->out, r->v.p[i].what, false);
		out_puts(c->out, "\n");
	}
	if (r->v.breaks > (int64_t)r->v.n)
		out_fmt(c->out, "and %jd more breaks\n", (intmax_t)(r->v.breaks - (int64_t)r->v.n));
}

const struct cmd cmd_events_verify = {
	.name = "events verify",
	.tool = "events_verify",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "look for edits of the record of changes",
	.description = "Verify the chain of MACs over the record of changes: whether rows were "
		       "changed, and whether rows are missing.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_verify_run,
	.text = events_verify_text,
};
