/* Compares an edit with the simplest possible implementation. The input: flags, the lengths of the
 * old and the new text, both texts, and the content. */
#include "base/base.h"
#include "file/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool here(struct str s, size_t at, struct str old)
{
	return s.n - at >= old.n && !memcmp(s.p + at, old.p, old.n);
}

/* Places that may overlap, and the text with all that do not replaced. */
static size_t plainly(struct str s, const struct file_edit *e, struct buf *out)
{
	size_t places = 0, taken = 0;

	for (size_t i = 0; i < s.n; i++) {
		bool match = here(s, i, e->old);

		places += match;
		if (match && i >= taken) {
			buf_put(out, e->new);
			taken = i + e->old.n;
		}
		if (i >= taken)
			buf_putc(out, s.p[i]);
	}
	return places;
}

/* A file with one kind of line ends keeps it, unless the old text has line ends of its own. */
static void in_kind(struct arena *a, struct str content, const struct file_edit *exact)
{
	struct file_edit e = {exact->old, exact->new, exact->all, false};
	enum file_ends was = file_ends(content), is;
	struct file_edited done;
	struct str got;

	if (was != FILE_ENDS_LF && was != FILE_ENDS_CRLF)
		return;
	if (e.old.n && !file_edit_text(a, content, &e, &got, &done)) {
		is = file_ends(got);
		if (is == FILE_ENDS_MIXED && !done.mixed &&
		    str_find_char(e.new, '\n', 0) != SIZE_MAX)
			BUG("mixed line ends are not told");
		if (is == FILE_ENDS_MIXED && str_find_char(e.old, '\n', 0) == SIZE_MAX &&
		    str_find_char(e.old, '\r', 0) == SIZE_MAX &&
		    str_find_char(e.new, '\r', 0) == SIZE_MAX)
			BUG("a plain edit mixes line ends");
	}
	got = file_append_text(a, content, e.new, false, &done);
	if (str_find_char(e.new, '\r', 0) == SIZE_MAX && file_ends(got) == FILE_ENDS_MIXED &&
	    !done.mixed)
		BUG("an append mixes line ends, and does not tell");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct buf want = buf_in(a);
	struct str in = {(const char *)data, size}, got;
	struct file_edit e = {.all = size && data[0] & 1, .exact = true};
	struct file_edited done;
	size_t places = 0, n = size < 3 ? 0 : data[1], m = size < 3 ? 0 : data[2];
	struct str content;
	struct err *err;

	e.old = str_sub(in, 3, 3 + n);
	e.new = str_sub(in, 3 + n, 3 + n + m);
	content = str_sub(in, 3 + n + m, size);
	if (e.old.n)
		places = plainly(content, &e, &want);
	err = file_edit_text(a, content, &e, &got, &done);
	if (!e.old.n || str_eq(e.old, e.new)) {
		if (!err || err_reason(err) != E_BAD_ARGUMENT)
			BUG("it makes no sense, and is done");
	} else if (!places || (places > 1 && !e.all)) {
		if (!err || err_reason(err) != (places ? E_NOT_UNIQUE : E_NO_SUCH_TEXT))
			BUG("%zu places, and it is done", places);
	} else if (err || !got.p || !str_eq(got, buf_str(&want))) {
		BUG("another text");
	}
	in_kind(a, content, &e);
	arena_free(a);
	return 0;
}
