#include "checkpoint_note.h"

/* The machine that a checkpoint names, signed or not. */
static struct str note_machine(struct str text)
{
	struct str line;

	while (str_next_line(&text, &line))
		if (str_starts(line, STR("machine ")))
			return str_sub(line, strlen("machine "), line.n);
	return STR("");
}

static struct err *note_open(struct call *c, struct git **g)
{
	const char *top = app_garden_path(c);

	if (!top)
		return err_new(E_NO_REPOSITORY, "there is no garden");
	return git_open(c->a, top, g);
}

/* There is no garden, or it is not in Git. */
static bool note_is_none(const struct err *e)
{
	return err_reason(e) == E_NO_REPOSITORY || err_reason(e) == E_FILE_NOT_FOUND;
}

struct err *checkpoint_note_write(struct call *c, struct str text, struct str *commit)
{
	struct git *g;
	struct git_notes notes;
	struct buf b = buf_in(c->a);
	struct err *e = note_open(c, &g);

	if (e && note_is_none(e))
		return err_help(e, "'ikm init --garden' makes the garden, with its repository");
	TRY(e);
	e = git_rev_id(g, c->a, "HEAD", commit);
	if (e)
		return err_help(e, "a note belongs to a commit: the garden needs its first one");
	/* The note has the checkpoints of other machines, and this one. */
	TRY(git_notes_read_all(g, c->a, CHECKPOINT_NOTES, &notes));
	for (size_t i = 0; i < notes.n; i++) {
		struct str rest = notes.p[i].text, one;

		if (!str_eq(notes.p[i].commit, *commit))
			continue;
		while (event_checkpoint_next_of_text(&rest, &one))
			if (!str_eq(note_machine(one), note_machine(text)))
				buf_fmt(&b, "%.*s\n", STR_ARG(one));
	}
	buf_put(&b, text);
	return git_note_write(g, c->a, CHECKPOINT_NOTES, str_c(c->a, *commit), buf_as_str(&b));
}

/* ---- finding ---- */

void checkpoint_note_find(struct call *c, struct events *log, struct checkpoint_noted *out)
{
	struct git_notes notes = {0};
	struct str machine = STR("");
	struct git *g;
	struct err *e;

	*out = (struct checkpoint_noted){0};
	e = note_open(c, &g);
	if (e && note_is_none(e))
		return;
	if (!e)
		e = event_machine_id(log, c->a, &machine);
	if (!e)
		e = git_notes_read_all(g, c->a, CHECKPOINT_NOTES, &notes);
	if (e)
		strs_push(c->a, &out->warnings,
			  str_fmt(c->a, "the notes of the garden cannot be read: %s",
				  err_message(e)));
	VEC_EACH(const struct git_note, note, &notes) {
		struct str rest = note->text, one;

		while (event_checkpoint_next_of_text(&rest, &one)) {
			struct event_checkpoint stamp;

			e = event_checkpoint_read_own(log, c->a, one, &stamp);
			if (e && str_eq(note_machine(one), machine))
				strs_push(c->a, &out->warnings,
					  str_fmt(c->a,
						  "the note of commit %.*s has a checkpoint of "
						  "this record that counts for nothing: %s",
						  STR_ARG(note->commit), err_message(e)));
			if (e || (out->there && stamp.seq <= out->stamp.seq))
				continue;
			out->there = true;
			out->stamp = stamp;
			out->commit = note->commit;
		}
	}
}
