/* events checkpoint: signs how long the record is, for others to keep (requirement: garden,
 * "Integrity (HMAC)"). */
#include "events/checkpoint_note.h"
#include "events/event_common.h"

struct args {
	bool public_key, note;
};

static const struct param params[] = {
	PARAM(public_key, .help = "print the public key, which others need to verify checkpoints"),
	PARAM(note, .help = "keep the checkpoint as a Git note of the garden's last commit, too"),
	{0},
};

struct result {
	struct str text, commit;
};

static const struct field result[] = {
	FIELD(text, "the signed checkpoint, or the public key as PEM"),
	FIELD(commit, "the commit that has the note", .flags = IF_ANY),
	{0},
};

static struct err *events_checkpoint_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct files *f;

	if (args->public_key && args->note)
		return ERR_EXCLUSIVE("--public-key", "--note");
	TRY(event_open_files_recording(c, &f));
	if (args->public_key)
		return event_checkpoint_public_key(f->events, c->a, &r->text);
	TRY(event_checkpoint_sign(f->events, c->a, &r->text));
	return args->note ? checkpoint_note_write(c, r->text, &r->commit) : NULL;
}

const struct cmd cmd_events_checkpoint = {
	.name = "events checkpoint",
	.summary = "sign the length and the last MAC of the record",
	.expose = EXPOSE_PERSON,
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_checkpoint_run,
	.template = "{text%b}{?commit:{2:kept as the note of commit {commit}; to share it, push "
		    "the notes: git push REMOTE refs/notes/" CHECKPOINT_NOTES "\n}}",
};
