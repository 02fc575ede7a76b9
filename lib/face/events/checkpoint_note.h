/*
 * checkpoint_note: signed checkpoints of the record (event/checkpoint.h) as Git notes of the
 * garden, in refs/notes/ikm. A note belongs to the commit that was the garden's last one, and may
 * have a checkpoint of each machine.
 */
#pragma once

#include "app/app.h"
#include "event/checkpoint.h"

#define CHECKPOINT_NOTES "ikm"

/* Errors: NO_REPOSITORY and FILE_NOT_FOUND without a garden in Git; BAD_REVISION before its first
 * commit. */
struct err *checkpoint_note_write(struct call *c, struct str text, struct str *commit) MUST_USE;

struct checkpoint_noted {
	bool there;
	struct event_checkpoint stamp; /* the one with the most rows, of a key of this home */
	struct str commit;
	struct strs warnings; /* what cannot be read, and what no known key signed */
};
/*
 * Looks in all notes. A home without a garden in Git has none. Checkpoints of other machines do not
 * count, as long as other keys signed them.
 */
void checkpoint_note_find(struct call *c, struct events *log, struct checkpoint_noted *out);
