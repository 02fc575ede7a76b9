/* Git notes: texts that belong to commits, in a ref of their own. */
#include "git/commit_paths.h"

struct err *git_notes_read_all(struct git *g, struct arena *a, const char *ref,
			       struct git_notes *out)
{
	const char *list[] = {"notes", "--ref", ref, "list", NULL};
	unsigned char id[ID_MAX];
	struct str lines, line;
	bool there = true;

	*out = (struct git_notes){0};
	/* Most repositories have no notes: that is known without a start of git. */
	if (put_can_use_libgit2(g, a))
		TRY(libgit2_ref_id(g, str_fmt(a, "refs/notes/%s", ref).p, id, &there));
	if (!there)
		return NULL;
	TRY(git_run(g, a, list, STR(""), &lines));
	while (str_next_line(&lines, &line)) {
		/* "BLOB COMMIT" */
		size_t space = str_find_char(line, ' ', 0);
		struct git_note note = {.commit = str_sub(line, space + 1, line.n)};

		if (space == SIZE_MAX || !id_parse(str_sub(line, 0, space), id, g->id_len))
			return err_new(E_GIT_FAILED, "git notes list printed '%.*s'",
				       STR_ARG(line));
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
