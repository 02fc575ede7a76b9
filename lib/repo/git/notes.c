/* Git notes: texts that belong to commits, in a ref of their own. */
#include "git/commit_paths.h"
#include "git/internal.h"

/* "BLOB COMMIT", as `git notes list` prints it. */
static bool notes_line(struct str line, struct str *blob, struct str *commit)
{
	size_t space = str_find_char(line, ' ', 0);

	if (space == SIZE_MAX)
		return false;
	*blob = str_sub(line, 0, space);
	*commit = str_sub(line, space + 1, line.n);
	return true;
}

/* Most repositories have no notes: that is known without a start of git. */
static struct err *notes_there(struct git *g, struct arena *a, const char *ref, bool *there)
{
	unsigned char id[ID_MAX];

	*there = true;
	if (!put_can_use_libgit2(g, a))
		return NULL;
	return libgit2_ref_id(g, str_fmt(a, "refs/notes/%s", ref).p, id, there);
}

struct err *git_notes_read_all(struct git *g, struct arena *a, const char *ref,
			       struct git_notes *out)
{
	const char *list[] = {"notes", "--ref", ref, "list", NULL};
	struct str lines, line, blob, commit;
	bool there;

	*out = (struct git_notes){0};
	TRY(notes_there(g, a, ref, &there));
	if (!there)
		return NULL;
	TRY(git_run(g, a, list, STR(""), &lines));
	while (str_next_line(&lines, &line)) {
		unsigned char id[ID_MAX];
		struct git_note note = {0};

		if (!notes_line(line, &blob, &commit) || !id_parse(blob, id, g->id_len))
			return err_new(E_GIT_FAILED, "git notes list printed '%.*s'",
				       STR_ARG(line));
		note.commit = commit;
		TRY(object_read(g, a, id, OBJECT_BLOB, NOTE_MAX, &note.text));
		*VEC_PUSH(a, out) = note;
	}
	return NULL;
}

struct err *git_note_write(struct git *g, struct arena *a, const char *ref, const char *commit,
			   struct str text)
{
	const char *add[] = {"notes", "--ref", ref, "add", "-f", "-F", "-", commit, NULL};
	struct str said;

	return git_run(g, a, add, text, &said);
}
