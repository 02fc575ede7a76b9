/* events rotate-key: replaces the key of the record of changes (requirement: garden, "Integrity
 * (HMAC)"). */
#include "events/event_common.h"
#include "event/checkpoint.h"
#include "event/keys.h"

struct args {
	bool lost, checkpoint;
};

static const struct param params[] = {
	PARAM(checkpoint,
	      .help = "replace the key that signs checkpoints; print what the former key says "
		      "about the new one"),
	PARAM(lost, .help = "the present key is gone: begin with a new one all the same"),
	{0},
};

struct result {
	struct event_rotated done;
	struct str handover;
};

static const struct field result[] = {
	FIELD_AS(struct result, done.from, "from", "the version that was in use", .flags = IF_ANY),
	FIELD_AS(struct result, done.to, "to", "the version of the new key", .flags = IF_ANY),
	FIELD_AS(struct result, done.event, "event", "the event of the rotation"),
	FIELD_AS(struct result, done.lost, "lost", "true: the former key was gone"),
	FIELD(handover, "the statement that the former key of checkpoints signed", .flags = IF_ANY),
	{0},
};

static struct err *events_rotate_key_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct files *f;

	TRY(event_open_files_recording(c, &f));
	if (args->checkpoint && args->lost)
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("lost"),
					      "a key of checkpoints that is lost can sign nothing"),
				"'ikm init' makes a new one; tell its public key to those who have "
				"the former: ikm events checkpoint --public-key");
	if (args->checkpoint) {
		struct event_handover h;

		TRY(event_checkpoint_rotate_key(f->events, c->a, &h));
		r->handover = h.text;
		r->done.event = h.event;
		return NULL;
	}
	return event_rotate(f->events, c->a, args->lost, &r->done);
}

const struct cmd cmd_events_rotate_key = {
	.name = "events rotate-key",
	.summary = "replace the key of the record of changes",
	.expose = EXPOSE_PERSON,
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_rotate_key_run,
	.template = "{?handover:{handover%b}{2:recorded as {event}; give this to those who have "
		    "the former public key, and the new one: ikm events checkpoint --public-key\n}"
		    "|key {to} is in use; recorded as {event}\n"
		    "{2:{?lost:key {from} is gone: nobody can verify the rows that it "
		    "protected|keep key {from}: it verifies the rows before}\n}}",
};
