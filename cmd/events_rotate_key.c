/* events rotate-key: replaces the key of the record of changes (requirement: garden, "Integrity
 * (HMAC)"). */
#include "common/event_result.h"
#include "event/keys.h"

struct args {
	bool lost;
};

static const struct param params[] = {
	PARAM(lost, .help = "the present key is gone: begin with a new one all the same"),
	{0},
};

struct result {
	struct event_rotated done;
};

static const struct field result[] = {
	FIELD_AS(struct result, done.from, "from", "the version that was in use"),
	FIELD_AS(struct result, done.to, "to", "the version of the new key"),
	FIELD_AS(struct result, done.event, "event", "the event of the rotation"),
	FIELD_AS(struct result, done.lost, "lost", "true: the former key was gone"),
	{0},
};

static struct err *events_rotate_key_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct files *f;

	TRY(events_open(c, &f));
	return event_rotate(f->events, c->a, args->lost, &r->done);
}

static void events_rotate_key_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	out_fmt(c->out, "key %jd is in use; recorded as %.*s\n", (intmax_t)r->done.to,
		STR_ARG(r->done.event));
	if (r->done.lost)
		out_fmt(c->err, "key %jd is gone: nobody can verify the rows that it protected\n",
			(intmax_t)r->done.from);
	else
		out_fmt(c->err, "keep key %jd: it verifies the rows before\n",
			(intmax_t)r->done.from);
}

const struct cmd cmd_events_rotate_key = {
	.name = "events rotate-key",
	.summary = "replace the key of the record of changes",
	.expose = EXPOSE_PERSON,
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_rotate_key_run,
	.text = events_rotate_key_text,
};
