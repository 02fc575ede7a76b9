/* events checkpoint: signs how long the record is, for others to keep (requirement: garden,
 * "Integrity (HMAC)"). */
#include "common/event_result.h"
#include "event/checkpoint.h"

struct args {
	bool public_key;
};

static const struct param params[] = {
	PARAM(public_key, .help = "print the public key, which others need to verify checkpoints"),
	{0},
};

struct result {
	struct str text;
};

static const struct field result[] = {
	FIELD(text, "the signed checkpoint, or the public key as PEM"),
	{0},
};

static struct err *events_checkpoint_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct files *f;

	TRY(events_open(c, &f));
	return args->public_key ? event_checkpoint_public(f->events, c->a, &r->text)
				: event_checkpoint_sign(f->events, c->a, &r->text);
}

static void events_checkpoint_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	out_bytes(c->out, r->text);
}

const struct cmd cmd_events_checkpoint = {
	.name = "events checkpoint",
	.summary = "sign the length and the last MAC of the record",
	.expose = EXPOSE_PERSON,
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_checkpoint_run,
	.text = events_checkpoint_text,
};
