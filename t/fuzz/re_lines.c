#include "base/base.h"
#include "re/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first line that matches as a text of its own. */
static enum re_answer by_line(const struct re *re, struct re_work *w, struct str text,
			      struct span *match)
{
	for (size_t at = 0; at < text.n;) {
		size_t end = size_min(str_find_char(text, '\n', at), text.n);
		enum re_answer r = re_find(re, w, str_sub(text, at, end), 0, match);

		*match = (struct span){match->from + at, match->to + at};
		if (r != RE_NO)
			return r;
		at = end + 1;
	}
	return RE_NO;
}

/* Where no line ends with CR LF, RE_CRLF changes nothing.  */
static void with_crlf(struct arena *a, struct str pattern, unsigned flags, struct str text)
{
	struct span one = {0}, two = {0};
	struct re_work *w = re_work_new(a);
	enum re_answer x, y;
	struct re *plain, *crlf;

	if (re_new(a, pattern, flags | RE_MULTILINE, &plain) ||
	    re_new(a, pattern, flags | RE_MULTILINE | RE_CRLF, &crlf))
		return;
	x = re_find(plain, w, text, 0, &one);
	y = re_find(crlf, w, text, 0, &two);
	if (x != RE_LIMIT && y != RE_LIMIT && str_find_char(text, '\r', 0) == SIZE_MAX &&
	    (x != y || (x == RE_YES && (one.from != two.from || one.to != two.to))))
		BUG("found at %zu-%zu, and with CR LF at %zu-%zu", one.from, one.to, two.from,
		    two.to);
}

/* Flags, a pattern up to a NUL, and a text: RE_LINES finds exactly the lines that match alone. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data + 1, size - 1}, pattern = {"", 0};
	struct span one = {0}, two = {0};
	enum re_answer x, y;
	struct re *plain, *lines;
	unsigned flags;
	struct arena *a;

	if (!size)
		return 0;
	str_next_part(&text, 0, &pattern);
	flags = data[0] & (RE_ICASE | RE_LITERAL | RE_WORD);
	a = arena_new();
	if (text.n <= 256)
		with_crlf(a, pattern, flags, text);
	if (text.n <= 256 && !re_new(a, pattern, flags | RE_MULTILINE, &plain) &&
	    !re_new(a, pattern, flags | RE_LINES, &lines)) {
		struct re_work *w = re_work_new(a);

		re_forget_literals(plain);
		x = by_line(plain, w, text, &one);
		y = re_find(lines, w, text, 0, &two);
		if (x != RE_LIMIT && y != RE_LIMIT &&
		    (x != y || (x == RE_YES && (one.from != two.from || one.to != two.to))))
			BUG("found at %zu-%zu and %zu-%zu", one.from, one.to, two.from, two.to);
	}
	arena_free(a);
	return 0;
}
