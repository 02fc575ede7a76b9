#include "deps/pypi.h"

/*
 * pip's requirements and constraints files. Lines end wherever Python's splitlines() ends them:
 * a lone CR or a form feed in a comment would otherwise hide the requirement behind it.
 */

/* Length of the line end at i, or 0. */
static size_t line_end(struct str s, size_t i)
{
	unsigned char c = (unsigned char)s.p[i];

	if (c == '\r')
		return i + 1 < s.n && s.p[i + 1] == '\n' ? 2 : 1;
	if ((c >= '\n' && c <= '\r') || (c >= 0x1c && c <= 0x1e))
		return 1;
	if (c == 0xc2 && str_starts(str_sub(s, i, s.n), STR("\xc2\x85")))
		return 2;
	if (c == 0xe2 && (str_starts(str_sub(s, i, s.n), STR("\xe2\x80\xa8")) ||
			  str_starts(str_sub(s, i, s.n), STR("\xe2\x80\xa9"))))
		return 3;
	return 0;
}

/* [from, *to) is the line at from; returns where the next begins. */
static size_t next_line(struct str s, size_t from, size_t *to)
{
	size_t end = 0, i = from;

	for (; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c < 0x20 || c >= 0xc2) && (end = line_end(s, i)))
			break;
	}
	*to = i;
	return i + end;
}

static bool is_comment(struct str line)
{
	line = str_trim(line);
	return line.n && line.p[0] == '#';
}

/*
 * A backslash at the end joins lines. It becomes blanks in a copy, so that every byte stays at its
 * offset; a name that is broken in two is thus an error here, though pip would join it.
 */
static struct err *lines(struct reader *r)
{
	struct str s = r->text;

	for (size_t from = 0, next; from < s.n; from = next) {
		size_t to, start = from;
		struct origin o;
		bool joined = false;

		next = next_line(s, from, &to);
		while (to > start && s.p[to - 1] == '\\' && !is_comment(str_sub(s, start, to))) {
			joined = true;
			if (next == s.n)
				break;
			start = next;
			next = next_line(s, start, &to);
		}
		o = (struct origin){str_sub(s, from, to), {from, to}, true};
		if (joined) {
			char *copy = str_c(r->a, o.whole);

			for (size_t i = 0; i < o.whole.n; i++) {
				size_t end = i + 1 < o.whole.n ? line_end(o.whole, i + 1) : 0;

				if (copy[i] == '\\' && (end || i + 1 == o.whole.n)) {
					memset(copy + i, ' ', 1 + end);
					i += end;
				}
			}
			o.whole.p = copy;
		}
		TRY(pypi_line(r, &o, o.whole));
	}
	return NULL;
}

/* ---- UTF-16, as PowerShell's > writes it and pip reads it ---- */

static uint32_t unit(struct str s, size_t i, bool big)
{
	unsigned a = (unsigned char)s.p[i], b = (unsigned char)s.p[i + 1];

	return big ? a << 8 | b : b << 8 | a;
}

static struct str from_utf16(struct arena *a, struct str s, bool big)
{
	struct buf b = buf_in(a);

	for (size_t i = 2; i + 1 < s.n; i += 2) {
		uint32_t c = unit(s, i, big), low;

		if (c >= 0xd800 && c < 0xdc00 && i + 3 < s.n) {
			low = unit(s, i + 2, big);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
				i += 2;
			}
		}
		buf_utf8(&b, c);
	}
	return buf_str(&b);
}

/* The offset in the file of the offset in the decoded text; asked for in rising order. */
static size_t utf16_offset(struct str decoded, size_t *at, size_t *units, size_t offset)
{
	if (offset < *at)
		*at = *units = 0;
	for (; *at < offset; ++*at) {
		unsigned char c = (unsigned char)decoded.p[*at];

		*units += c >= 0xf0 ? 2 : (c & 0xc0) != 0x80;
	}
	return 2 + 2 * *units;
}

static struct err *utf16(struct reader *r, bool big)
{
	size_t at = 0, units = 0;

	r->text = from_utf16(r->a, r->text, big);
	TRY(lines(r));
	for (size_t i = 0; i < r->out->n; i++) {
		struct span *s = &r->out->p[i].at;

		s->from = utf16_offset(r->text, &at, &units, s->from);
		s->to = utf16_offset(r->text, &at, &units, s->to);
	}
	for (size_t i = 0; i < r->out->unresolved.n; i++) {
		struct span *s = &r->out->unresolved.p[i].at;

		s->from = utf16_offset(r->text, &at, &units, s->from);
		s->to = utf16_offset(r->text, &at, &units, s->to);
	}
	return NULL;
}

struct err *pypi_requirements(struct reader *r)
{
	if (str_starts(r->text, STR("\xff\xfe")))
		return utf16(r, false);
	if (str_starts(r->text, STR("\xfe\xff")))
		return utf16(r, true);
	return lines(r);
}
