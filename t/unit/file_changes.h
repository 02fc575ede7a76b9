/* Changes of one file or asset in one call, for the tests of lib/files/file. */
#include "file/file.h"

static inline struct str now(struct files *f, const char *path)
{
	struct str out = {0};
	struct file_ref r;

	if (file_ref_resolve(f, str_of(path), &r) || file_read(f, f->a, &r, FILE_BYTES_MAX, &out))
		return STR("(none)");
	return out;
}

static inline struct err *begin(struct files *f, const char *path, const struct file_write *w,
				struct file_change **c)
{
	struct file_ref r;

	TRY(file_ref_resolve(f, str_of(path), &r));
	return file_begin(f, &r, w, c);
}

static inline struct err *change(struct files *f, const char *path, const struct file_write *w,
				 struct str to, struct file_done *done)
{
	struct file_change *c;

	TRY(begin(f, path, w, &c));
	return file_commit(c, to, done);
}
