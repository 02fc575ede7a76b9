/* events export: the record as JSON lines, for other programs that verify it (requirement: garden,
 * "Integrity (HMAC)"). */
#include "events/event_common.h"
#include "reply/time_param.h"
#include "event/json_export.h"

struct args {
	struct str since;
};

static const struct param params[] = {
	PARAM(since, .meta = "time", .min = 1, .max = 64, .help = "the earliest time: " WHEN_HELP),
	{0},
};

#define E struct event_exported
static const struct field row_fields[] = {
	FIELD_OF(E, seq, "its number in the record"),
	FIELD_OF(E, bytes, "what the MAC covers, as text; if it is no text, as base64"),
	FIELD_OF(E, chain_hash, "the MAC; absent: the row is older than the chain",
		 .flags = IF_ANY),
	{0},
};
#undef E

struct result {
	char none;
};

static const struct field result[] = {
	FIELD_EMITTED("rows", F_LIST, row_fields, "the rows, in order"),
	{0},
};

static struct err *events_export_row(void *ctx, const struct event_exported *row)
{
	return cmd_emit_row(ctx, row);
}

static struct err *events_export_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	int64_t since = 0;
	struct files *f;

	(void)out;
	TRY(event_open_files_recording(c, &f));
	TRY(when_read(args->since, "since", &since));
	cmd_emit_begin_list(c, "rows");
	return event_export(f->events, c->a, since, events_export_row, c);
}

const struct cmd cmd_events_export = {
	.name = "events export",
	.summary = "print the record as JSON lines, for programs that verify it",
	.description = "Print each row of the record with the bytes under its MAC. No key is in "
		       "it.",
	.expose = EXPOSE_PERSON,
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_export_run,
};
