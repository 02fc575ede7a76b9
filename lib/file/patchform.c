/*
 * The forms in which models write patches: unified diffs with wrong counts, and "*** Begin Patch",
 * whose hunks have no line numbers. Both become a unified diff, which fs_patch applies.
 */
#include "file/patch.h"
#include "git/git.h"
#include "host/host.h"
#include "patch/patch.h"

static struct err *patchform_read(struct files *f, struct str path, struct str *out)
{
	struct file_ref ref;

	TRY(file_ref(f, path, &ref));
	return file_read(f, f->a, &ref, FILE_BYTES_MAX, out);
}

static struct err *patchform_update(struct files *f, const struct host_patch_file *p, struct buf *b)
{
	const char *from = str_c(f->a, p->path);
	const char *to = p->move_to.n ? str_c(f->a, p->move_to) : from;
	struct str old, new, diff;

	TRY(patchform_read(f, p->path, &old));
	TRY(host_patch_apply(f->a, p, old, &new));
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
	struct str old, diff;

	TRY(host_patch_read(f->a, text, &all));
	for (size_t i = 0; i < all.n; i++) {
		const struct host_patch_file *p = &all.p[i];
		const char *name = str_c(f->a, p->path);

		switch (p->kind) {
		case HOST_PATCH_UPDATE: TRY(patchform_update(f, p, &b)); break;
		case HOST_PATCH_ADD:
			TRY(git_diff_text(f->a, "/dev/null", STR(""), name, p->content, 3, &diff));
			buf_put(&b, diff);
			break;
		case HOST_PATCH_DELETE:
			TRY(patchform_read(f, p->path, &old));
			TRY(git_diff_text(f->a, name, old, "/dev/null", STR(""), 3, &diff));
			buf_put(&b, diff);
			break;
		}
	}
	*out = buf_str(&b);
	return NULL;
}

struct err *file_patch_text(struct files *f, struct str given, struct str *out, bool *recounted)
{
	struct patch unread;
	struct err *e;

	*recounted = false;
	*out = given;
	if (str_starts(str_trim(given), STR("*** Begin Patch")))
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
