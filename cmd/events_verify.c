/* events verify: looks for edits of the record of changes (requirement: garden, "Integrity
 * (HMAC)"). */
#include "events/checkpoint_note.h"
#include "events/event_common.h"
#include "app/print_warnings.h"
#include "event/verify.h"

struct args {
	struct str checkpoint, public_key;
	bool chain;
};

/* A checkpoint has six lines, and a public key three. */
#define VERIFY_FILE_MOST ((size_t)64 << 10)

/* So many doubts of each kind people see. */
#define VERIFY_DOUBTS_SHOWN 10

static const struct param params[] = {
	PARAM(checkpoint, .flags = PATHS, .meta = "file", .min = 1, .max = OS_PATH_MAX,
	      .help = "compare the record with this signed checkpoint"),
	PARAM(chain, .help = "look at the rows alone, not at the commits and copies of the garden"),
	PARAM(public_key, .flags = PATHS, .meta = "file", .min = 1, .max = OS_PATH_MAX,
	      .help = "the public key of the checkpoint; default: the one of your own keys"),
	{0},
};

#define BREAK(...) FIELD_AS(struct event_break_found, __VA_ARGS__)
static const struct field break_fields[] = {
	FIELD_NAMED(struct event_break_found, kind, "kind", event_breaks, "the kind of break"),
	BREAK(seq, "seq", "the row, or the first missing one; 0: it is about no row"),
	BREAK(event, "event_id", "the event of the row", .flags = IF_ANY),
	BREAK(object, "object", "the table, index, trigger or view", .flags = IF_ANY),
	BREAK(what, "message", "what is wrong there"),
	{0},
};

#define STAMP(...) FIELD_AS(struct verify_stamp, __VA_ARGS__)
struct verify_stamp {
	int64_t seq, time;
	struct str commit;
};
static const struct field stamp_fields[] = {
	STAMP(seq, "seq", "the last row that it covers"),
	FIELD_TIME(struct verify_stamp, time, "time", "when it was signed"),
	STAMP(commit, "commit", "the commit whose note has it", .flags = IF_ANY),
	{0},
};

#define DOUBT(...) FIELD_AS(struct saga_doubted, __VA_ARGS__)
static const struct field doubt_fields[] = {
	FIELD_NAMED(struct saga_doubted, kind, "kind", saga_doubts,
		    "contradicted; by_hand and elsewhere are no fault"),
	DOUBT(event, "event_id", "the event", .flags = IF_ANY),
	DOUBT(path, "path", "its file", .flags = IF_ANY),
	DOUBT(commit, "commit", "the commit", .flags = IF_ANY),
	DOUBT(what, "message", "what is so"),
	{0},
};
#define PROOF(...) FIELD_AS(struct saga_proof, __VA_ARGS__)
static const struct field garden_fields[] = {
	PROOF(proven, "proven", "events whose commit has what they wrote"),
	PROOF(count[SAGA_BY_HAND], "byHand", "files that were changed by hand since"),
	PROOF(count[SAGA_ELSEWHERE], "elsewhere",
	      "commits that were rewritten and are equal, or that another machine made"),
	PROOF(count[SAGA_CONTRADICTED], "contradicted",
	      "events whose commit or history copy is gone, or says something else"),
	FIELD_RECORDS(struct saga_proof, doubts, "doubts", doubt_fields,
		      "the first 100 of each kind"),
	{0},
};

struct result {
	bool ok;
	const struct saga_proof *garden;
	const struct verify_stamp *checkpoint;
	struct strs warnings;
	struct event_verdict v;
	const struct event_break_found *first;
};

static const struct field result[] = {
	FIELD(ok, "true: no row was changed, none is missing, the tables are as ikm made them, "
		  "and nothing in the garden contradicts them"),
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
	FIELD_RECORDS(struct result, v, "breaks", break_fields,
		      "the first 100 breaks of rows, in order; then those of tables"),
	FIELD_AS(struct result, v.breaks, "totalBreaks", "the number of breaks"),
	FIELD_RECORD_AT(struct result, checkpoint, "checkpoint", stamp_fields,
			"the signed checkpoint that the record was compared with",
			.flags = OPTIONAL),
	FIELD_RECORD_AT(struct result, garden, "garden", garden_fields,
			"the rows against the commits and history copies of the garden",
			.flags = OPTIONAL),
	FIELD(warnings, "notes of checkpoints that do not count", .flags = IF_ANY),
	{0},
};

/* The checkpoint of the file, or the best one of the garden's notes. */
static struct err *verify_stamp_find(struct call *c, const struct args *args, struct events *log,
				     struct event_checkpoint *out, struct result *r)
{
	struct verify_stamp *stamp = ARENA_NEW(c->a, struct verify_stamp);
	struct checkpoint_noted noted = {0};
	struct str text, pem;

	if (args->checkpoint.n) {
		TRY(os_roots_read(c->roots, c->a, c->cwd, args->checkpoint, VERIFY_FILE_MOST,
				  &text));
		/* A public key that is given is the only one; else a former own key may do. */
		if (args->public_key.n) {
			TRY(os_roots_read(c->roots, c->a, c->cwd, args->public_key,
					  VERIFY_FILE_MOST, &pem));
			TRY(event_checkpoint_read(c->a, text, pem, out));
		} else {
			TRY(event_checkpoint_read_own(log, c->a, text, out));
		}
	} else {
		checkpoint_note_find(c, log, &noted);
		r->warnings = noted.warnings;
		if (!noted.there)
			return NULL;
		*out = noted.stamp;
	}
	*stamp = (struct verify_stamp){out->seq, out->time, noted.commit};
	r->checkpoint = stamp;
	return NULL;
}

static struct err *events_verify_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct event_checkpoint stamp;
	struct result *r = out;
	struct files *f;

	TRY(event_open_files_recording(c, &f));
	if (args->public_key.n && !args->checkpoint.n)
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("checkpoint"),
					      "a public key needs the checkpoint that it verifies"),
				"add --checkpoint FILE: what 'ikm events checkpoint' printed");
	TRY(verify_stamp_find(c, args, f->events, &stamp, r));
	TRY(event_verify(f->events, c->a, r->checkpoint ? &stamp : NULL, &r->v));
	if (!args->chain) {
		struct saga_proof *proof = ARENA_NEW(c->a, struct saga_proof);
		struct err *e = saga_verify_commits(files_garden_saga_new(c, f), c->a, proof);

		if (e && err_reason(e) != E_NO_REPOSITORY && err_reason(e) != E_NO_PROGRAM)
			return err_add_context(
				e, "compare the record with the garden ('--chain' does not)");
		if (e)
			strs_push(c->a, &r->warnings,
				  str_fmt(c->a, "the garden was not compared: %s", err_message(e)));
		else if (proof->looked)
			r->garden = proof;
	}
	r->ok = !r->v.breaks && !(r->garden && r->garden->count[SAGA_CONTRADICTED]);
	r->first = r->v.breaks ? &r->v.first : NULL;
	c->negative = !r->ok;
	return NULL;
}

static void events_verify_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;
	size_t shown[SAGA_DOUBT_KINDS] = {0};
	bool tables = false;

	(void)args;
	out_fmt(c->out, "integrity     %s\ncompleteness  %s\nrows          %jd, %jd with a MAC\n",
		event_integrities[r->v.integrity], event_completenesses[r->v.completeness],
		(intmax_t)r->v.rows, (intmax_t)r->v.chained);
	for (size_t i = 0; i < r->v.n; i++) {
		out_fmt(c->out, "%-13s ", event_breaks[r->v.p[i].kind]);
		out_safe_line(c->out, r->v.p[i].what);
		tables |= r->v.p[i].kind == EVENT_BREAK_SCHEMA;
	}
	if (r->checkpoint)
		out_fmt(c->out, "checkpoint    row %jd, signed at %.*s%s%.*s\n",
			(intmax_t)r->checkpoint->seq,
			STR_ARG(os_time_text(c->a, r->checkpoint->time, false)),
			r->checkpoint->commit.n ? ", in the note of commit " : "",
			STR_ARG(r->checkpoint->commit));
	if (r->garden)
		out_fmt(c->out,
			"garden        %jd proven, %jd by hand, %jd elsewhere, %jd contradicted\n",
			(intmax_t)r->garden->proven, (intmax_t)r->garden->count[SAGA_BY_HAND],
			(intmax_t)r->garden->count[SAGA_ELSEWHERE],
			(intmax_t)r->garden->count[SAGA_CONTRADICTED]);
	for (size_t i = 0; r->garden && i < r->garden->doubts.n; i++) {
		const struct saga_doubted *d = &r->garden->doubts.p[i];

		if (++shown[d->kind] > VERIFY_DOUBTS_SHOWN)
			continue;
		out_fmt(c->out, "%-13s %.*s%s",
			d->kind == SAGA_BY_HAND ? "by hand" : saga_doubts[d->kind],
			STR_ARG(d->event.n ? d->event : d->commit), d->path.n ? " of " : "");
		out_safe(c->out, d->path, false);
		out_puts(c->out, ": ");
		out_safe_line(c->out, d->what);
	}
	for (int k = 0; k < SAGA_DOUBT_KINDS; k++)
		if (shown[k] > VERIFY_DOUBTS_SHOWN)
			out_fmt(c->out, "%-13s and more, which --json lists\n",
				k == SAGA_BY_HAND ? "by hand" : saga_doubts[k]);
	warnings_print(c, &r->warnings);
	if (r->v.breaks > (int64_t)r->v.n)
		out_fmt(c->out, "and %jd more break%s\n", (intmax_t)(r->v.breaks - (int64_t)r->v.n),
			PLURAL(r->v.breaks - (int64_t)r->v.n));
	if (tables)
		out_puts(c->out, "make indexes, triggers and derived tables again: ikm doctor "
				 "--rebuild\n");
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
