/*
 * The forms in which models write patches: unified diffs with wrong counts, and "*** Begin Patch",
 * whose hunks have no line numbers. Both become a unified diff, which fs_patch applies.
 */
#include "file/backend.h"
#include "file/patch.h"
#include "git/git.h"
#include "host/host.h"
#include "patch/patch.h"

/* The content of a file behind the parts of the patch that were read so far. */
static struct err *patchform_read(struct files *f, const struct host_patch *all, size_t i,
				  const struct str *now, struct str *out)
{
	struct str path = all->p[i].path;
	struct file_ref ref;

	while (i-- > 0) {
		const struct host_patch_file *p = &all->p[i];

		if (now[i].p && str_eq(p->move_to.n ? p->move_to : p->path, path)) {
			*out = now[i];
			return NULL;
		}
	}
	TRY(file_ref(f, path, &ref));
	return file_read(f, f->a, &ref, FILE_BYTES_MAX, out);
}

static struct err *patchform_update(struct files *f, const struct host_patch_file *p,
				    struct str old, struct str new, struct buf *b)
{
	const char *from = str_c(f->a, p->path);
	const char *to = p->move_to.n ? str_c(f->a, p->move_to) : from;
	struct str diff;

	if (p->move_to.n)
		TRY(git_diff_text(f->a, str_fmt(f->a, "a/%s", from).p, old,
				  str_fmt(f->a, "b/%s", to).p, new, 3, &diff));
	else
		TRY(git_diff_text(f->a, from, old, to, new, 3, &diff));
	if (p->move_to.n)
		buf_fmt(b, "diff --git a/%s b/%s\nrename from %s\nrename to %s\n", from, to, from,
			to);
	buf_put(b, diff);
	return NULL;
}

static struct err *patchform_begin(struct files *f, struct str text, struct str *out)
{
	struct buf b = buf_in(f->a);
	struct host_patch all;
	struct str old, diff, *now;

	TRY(host_patch_read(f->a, text, &all));
	now = arena_array(f->a, all.n, sizeof(*now));
	for (size_t i = 0; i < all.n; i++) {
		const struct host_patch_file *p = &all.p[i];
		const char *name = str_c(f->a, p->path);

		if (p->kind != HOST_PATCH_ADD)
			TRY(patchform_read(f, &all, i, now, &old));
		switch (p->kind) {
		case HOST_PATCH_UPDATE:
			TRY(file_patch_place(f->a, p, old, &now[i]));
			TRY(patchform_update(f, p, old, now[i], &b));
			break;
		case HOST_PATCH_ADD:
			now[i] = p->content;
			TRY(git_diff_text(f->a, "/dev/null", STR(""), name, p->content, 3, &diff));
			buf_put(&b, diff);
			break;
		case HOST_PATCH_DELETE:
			TRY(git_diff_text(f->a, name, old, "/dev/null", STR(""), 3, &diff));
			buf_put(&b, diff);
			break;
		}
	}
	*out = buf_str(&b);
	if (!out->n)
		return err_new(E_BAD_PATCH, "the patch changes nothing: %s",
			       all.n ? "no line of it differs from the file" : "it names no file");
	return NULL;
}

/* Whether the text is that form, alone or as the here-document of a shell command. */
static bool patchform_is_begin(struct str text)
{
	struct str cwd, patch;

	return str_starts(str_trim(text), STR("*** Begin Patch")) ||
	       (host_patch_in_command(text, &cwd, &patch) && !cwd.n);
}

struct err *file_patch_text(struct files *f, struct str given, struct str *out, bool *recounted)
{
	struct patch unread;
	struct err *e;

	*recounted = false;
	*out = given;
	if (patchform_is_begin(given))
		return patchform_begin(f, given, out);
	e = patch_read(f->a, given, &unread);
	if (!e || !patch_recount(f->a, given, out))
		return e;
	/* The first error names the line that the caller wrote. */
	if (patch_read(f->a, *out, &unread))
		return e;
	*recounted = true;
	return NULL;
}
