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

static bool has_lone_cr(struct str s)
{
	for (size_t at = 0; (at = str_find_char(s, '\r', at)) != SIZE_MAX; at++)
		if (at + 1 == s.n || s.p[at + 1] != '\n')
			return true;
	return false;
}

static struct str without_cr(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '\r')
			buf_putc(&b, s.p[i]);
	return buf_as_str(&b);
}

static struct str with_lf(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++)
		if (!here(s, i, STR("\r\n")))
			buf_putc(&b, s.p[i]);
	return buf_as_str(&b);
}

/*
 * A file with both line ends: the text is that of an edit of bytes, but for line ends. An edit of
 * all places finds those with other line ends too.
 */
static void mixed(struct arena *a, struct str content, const struct file_edit *exact,
		  struct str want)
{
	struct file_edit e = {exact->old, exact->new, exact->all, false}, lf = *exact;
	bool has_lf = str_holds(e.old, "\n") || str_holds(e.new, "\n");
	struct buf all = buf_in(a);
	struct file_edited done;
	struct str got;
	struct err *err;

	if (e.all && has_lf && !str_ends(e.old, STR("\r"))) {
		lf.old = with_lf(a, e.old);
		plainly(with_lf(a, content), &lf, &all);
		want = buf_as_str(&all);
	}
	err = file_edit_text(a, content, &e, &got, &done);
	/* What differs in line ends alone may be there as the new text has it. */
	if (err ? err_reason(err) != E_NO_SUCH_TEXT || !str_eq(with_lf(a, e.old), with_lf(a, e.new))
		: !str_eq(without_cr(a, got), without_cr(a, want)))
		BUG("another text in a file with both line ends");
}

/*
 * A file with one kind of line ends keeps it, or the answer says that it does not. Only texts with
 * a CR, and a lone CR of the file, may mix them.
 */
static void in_kind(struct arena *a, struct str content, const struct file_edit *exact)
{
	struct file_edit e = {exact->old, exact->new, exact->all, false};
	enum file_ends was = file_ends(content);
	bool plain = !has_lone_cr(content) && str_find_char(e.new, '\r', 0) == SIZE_MAX;
	struct file_edited done;
	struct str got;

	if (was != FILE_ENDS_LF && was != FILE_ENDS_CRLF)
		return;
	if (e.old.n && !file_edit_text(a, content, &e, &got, &done)) {
		if (done.mixed != (file_ends(got) == FILE_ENDS_MIXED))
			BUG("an edit does not tell whether it mixes line ends");
		if (done.mixed && plain && str_find_char(e.old, '\n', 0) == SIZE_MAX &&
		    str_find_char(e.old, '\r', 0) == SIZE_MAX)
			BUG("a plain edit mixes line ends");
	}
	got = file_content_append(a, content, e.new, false, &done);
	if (done.mixed != (file_ends(got) == FILE_ENDS_MIXED))
		BUG("an append does not tell whether it mixes line ends");
	if (done.mixed && plain)
		BUG("a plain append mixes line ends");
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
	} else if (err || !got.p || !str_eq(got, buf_as_str(&want))) {
		BUG("another text");
	} else if (file_ends(content) == FILE_ENDS_MIXED) {
		mixed(a, content, &e, got);
	}
	in_kind(a, content, &e);
	arena_free(a);
	return 0;
}
