/*
 * The forms in which models write patches: unified diffs with wrong counts, and "*** Begin Patch",
 * whose hunks have no line numbers. A file of that form is a section of a diff like any other; only
 * its hunks are placed by match_apply_host_patch(), in the file that the caller names.
 */
#include "file/backend.h"

/* ---- reading ---- */

/* A diff can have a new file whole. */
static void patchform_add(struct arena *a, struct str content, struct patch_file *out)
{
	struct patch_hunk *h;

	out->creates = true;
	if (!content.n)
		return;
	h = out->hunks = ARENA_NEW(a, struct patch_hunk);
	out->n = out->cap = 1;
	for (size_t end; content.n; content = str_sub(content, end, content.n)) {
		if (h->n == h->cap)
			h->lines =
				arena_array_grow(a, h->lines, &h->cap, h->n + 1, sizeof(*h->lines));
		end = str_find_char(content, '\n', 0) + 1;
		h->lines[h->n++] = (struct patch_line){'+', str_sub(content, 0, end)};
	}
	h->new_line = 1;
	h->new_count = h->n;
}

static bool patchform_changes(const struct host_patch_file *f)
{
	if (f->kind != HOST_PATCH_UPDATE || f->move_to.n)
		return true;
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->p[i].n; k++)
			if (f->p[i].p[k].kind != ' ')
				return true;
	return false;
}

struct err *file_patch_read(struct arena *a, struct str given, struct file_patch_read *out)
{
	struct str counted, cwd, patch;
	struct err *e;

	*out = (struct file_patch_read){0};
	/* Alone, or as the here-document of a shell command. */
	if (str_starts(str_trim(given), STR("*** Begin Patch")) ||
	    (host_patch_in_command(given, &cwd, &patch) && !cwd.n)) {
		bool changes = false;

		TRY(host_patch_read(a, given, &out->form));
		VEC_EACH(const struct host_patch_file, f, &out->form) {
			struct patch_file *to = VEC_PUSH(a, &out->diff);

			*to = (struct patch_file){.old_path = f->path, .new_path = f->path};
			changes = changes || patchform_changes(f);
			if (f->kind == HOST_PATCH_ADD) {
				to->old_path = (struct str){0};
				patchform_add(a, f->content, to);
			} else if (f->kind == HOST_PATCH_DELETE) {
				to->removes = true;
				to->new_path = (struct str){0};
			} else if (f->move_to.n) {
				to->renames = true;
				to->new_path = f->move_to;
			}
		}
		if (changes)
			return NULL;
		return err_new(E_BAD_PATCH, "the patch changes nothing: %s",
			       out->form.n ? "no line of it begins with - or +"
					   : "it names no file");
	}
	e = patch_read(a, given, &out->diff);
	if (!e || !patch_recount(a, given, &counted))
		return e;
	/* The first error names the line that the caller wrote. */
	if (patch_read(a, counted, &out->diff))
		return e;
	out->recounted = true;
	return NULL;
}

/* ---- applying ---- */

static bool patchform_has(const struct host_patch_hunk *h, char kind)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->p[i].kind == kind)
			return true;
	return false;
}

static struct host_patch_file patchform_reversed(struct arena *a, const struct host_patch_file *f)
{
	struct host_patch_file back = *f;

	back.p = arena_array(a, f->n, sizeof(*back.p));
	for (size_t i = 0; i < f->n; i++) {
		const struct host_patch_hunk *from = &f->p[i];
		struct host_patch_hunk *h = &back.p[i];

		*h = *from;
		h->line = from->new_line;
		h->new_line = from->line;
		h->p = arena_array(a, from->n, sizeof(*h->p));
		for (size_t k = 0; k < from->n; k++) {
			char kind = from->p[k].kind;

			h->p[k] = from->p[k];
			h->p[k].kind = kind == '+' ? '-' : kind == '-' ? '+' : ' ';
		}
		/* Lines without a place were added at the end of the file. */
		if (!h->anchors.n && !patchform_has(from, ' ') && !patchform_has(from, '-'))
			h->at_end = true;
	}
	return back;
}

bool file_host_patch_is_applied(struct arena *a, const struct host_patch_file *f,
				struct str content, bool reverse)
{
	const struct host_patch_file reversed = patchform_reversed(a, f);
	const struct host_patch_file *back = reverse ? f : &reversed;
	struct str ignored;
	match_set tolerated;

	if (f->kind == HOST_PATCH_DELETE)
		return !reverse && !content.p;
	/* The reverse fits, and it has lines that say where. */
	for (size_t i = 0; i < back->n; i++)
		if (!patchform_has(&back->p[i], ' ') && !patchform_has(&back->p[i], '-'))
			return false;
	return content.p && back->n &&
	       !match_apply_host_patch(a, back, content, false, &ignored, &tolerated);
}

bool file_host_patch_fits_twice(const struct host_patch_file *f, bool reverse)
{
	for (size_t i = 0; i < f->n; i++)
		if (patchform_has(&f->p[i], reverse ? '+' : '-'))
			return false;
	return f->n;
}

struct err *file_host_patch_apply(struct arena *a, const struct host_patch_file *f, struct str old,
				  bool reverse, struct str *new, match_set *tolerated)
{
	struct host_patch_file back = patchform_reversed(a, f);
	struct err *e;

	if (f->kind == HOST_PATCH_DELETE && reverse)
		return err_help(err_new(E_BAD_PATCH,
					"'*** Delete File' has no line of the file, so its reverse "
					"cannot make the file"),
				"restore it from where it is kept: git restore, or ikm events undo "
				"for a change of a tool");
	if (f->kind == HOST_PATCH_DELETE && !old.p)
		return patch_applied_error(E_FILE_NOT_FOUND, reverse,
					   "the file that it removes does not exist");
	if (!old.p)
		return err_new(E_FILE_NOT_FOUND,
			       "the diff changes the file, but the file does not exist");
	*tolerated = 0;
	*new = (struct str){0};
	if (f->kind == HOST_PATCH_DELETE)
		return NULL;
	e = match_apply_host_patch(a, reverse ? &back : f, old, true, new, tolerated);
	if (e && file_host_patch_is_applied(a, f, old, reverse))
		return patch_applied_error(E_HUNK_FAILED, reverse, "its reverse fits the file");
	return e;
}
