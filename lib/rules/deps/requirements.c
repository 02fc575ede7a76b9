#include "deps/pypi_requirement.h"

/*
 * pip's requirements and constraints files. Lines end wherever Python's splitlines() ends them;
 * otherwise a lone CR or a form feed in a comment would hide the next requirement.
 */

/* How to decode bytes above 127. */
enum charset {
	CHARSET_UTF8,
	CHARSET_LATIN, /* one byte per character; 0x85 ends a line */
	CHARSET_BYTES, /* one byte per character; no such byte ends a line */
};

/* The length of the line end at i, or 0. */
static size_t requirements_line_end(struct str s, size_t i, enum charset set)
{
	unsigned char c = (unsigned char)s.p[i];

	if (c == '\r')
		return i + 1 < s.n && s.p[i + 1] == '\n' ? 2 : 1;
	if ((c >= '\n' && c <= '\r') || (c >= 0x1c && c <= 0x1e))
		return 1;
	if (set != CHARSET_UTF8)
		return set == CHARSET_LATIN && c == 0x85;
	if (c == 0xc2 && str_starts(str_sub(s, i, s.n), STR("\xc2\x85")))
		return 2;
	if (c == 0xe2 && (str_starts(str_sub(s, i, s.n), STR("\xe2\x80\xa8")) ||
			  str_starts(str_sub(s, i, s.n), STR("\xe2\x80\xa9"))))
		return 3;
	return 0;
}

/* [from, *to) is the line at from; returns the start of the next line. */
static size_t requirements_next_line(struct str s, size_t from, enum charset set, size_t *to)
{
	size_t end = 0, i = from;

	for (; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c < 0x20 || c >= 0x80) && (end = requirements_line_end(s, i, set)))
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

struct joined {
	struct buf text;
	struct piece *p;
	size_t n, cap;
};

static void joined_add(struct reader *r, struct joined *j, size_t from, size_t to)
{
	*VEC_PUSH(r->a, j) = (struct piece){j->text.n, from};
	buf_put(&j->text, str_sub(r->text, from, to));
}

/*
 * A trailing backslash joins lines without a separator, and all backslashes at both ends are
 * removed. A comment line ends the joined lines. [from, to) is the first line, `next` the start of
 * the second; returns the start of the first line after them.
 */
static size_t join_lines(struct reader *r, enum charset set, size_t from, size_t to, size_t next,
			 struct origin *o)
{
	struct joined j = {.text = buf_in(r->a)};
	struct str s = r->text;

	for (;;) {
		bool comment = is_comment(str_sub(s, from, to));
		bool more = to > from && s.p[to - 1] == '\\' && !comment;

		while (more && from < to && s.p[from] == '\\')
			from++;
		while (more && from < to && s.p[to - 1] == '\\')
			to--;
		if (comment) {
			joined_add(r, &j, from, from);
			buf_putc(&j.text, ' ');
		}
		joined_add(r, &j, from, to);
		if (!more || next == s.n)
			break;
		from = next;
		next = requirements_next_line(s, from, set, &to);
	}
	*o = (struct origin){
		.whole = buf_as_str(&j.text), .exact = true, .pieces = j.p, .pieces_n = j.n};
	return next;
}

static struct err *requirements_lines(struct reader *r, enum charset set)
{
	struct str s = r->text;

	for (size_t from = 0, next; from < s.n; from = next) {
		struct origin o;
		size_t to;

		next = requirements_next_line(s, from, set, &to);
		o = (struct origin){.whole = str_sub(s, from, to), .at = {from, to}, .exact = true};
		if (to > from && s.p[to - 1] == '\\' && !is_comment(o.whole))
			next = join_lines(r, set, from, to, next, &o);
		TRY(pypi_line(r, &o, o.whole));
	}
	return NULL;
}

/* ---- "coding: NAME" in a comment of the first two lines, as in Python's sources ---- */

static struct str charset_name(struct str line)
{
	size_t at = 0, to;

	while ((at = str_find(line, STR("coding"), at)) != SIZE_MAX) {
		at += 6;
		if (at == line.n || (line.p[at] != ':' && line.p[at] != '='))
			continue;
		for (to = at + 1;
		     to < line.n && line.p[to] != '\n' && ascii_is_any_space(line.p[to]);)
			to++;
		line = str_sub(line, to, line.n);
		for (to = at = 0; to < line.n &&
				  (ascii_is_alnum(line.p[to]) ||
				   reader_starts_with_any_of(str_sub(line, to, line.n), "-|_|."));)
			to++;
		if (to)
			return str_sub(line, 0, to);
	}
	return STR("");
}

/* Python accepts many spellings: case, - and _ do not count. */
static bool charset_of(struct reader *r, struct str name, enum charset *set)
{
	struct buf b = buf_in(r->a);

	for (size_t i = 0; i < name.n; i++)
		if (!strchr("-_.", name.p[i]))
			buf_putc(&b, ascii_lower(name.p[i]));
	name = buf_as_str(&b);
	if (reader_is_any_of_words(name, "utf8|utf8sig|u8|utf|cp65001|ascii|usascii|646"))
		*set = CHARSET_UTF8;
	else if (reader_is_any_of_words(name, "l1|8859|cp819") ||
		 reader_starts_with_any_of(name, "latin|iso8859"))
		*set = CHARSET_LATIN;
	else if (str_is(name, "macroman") ||
		 reader_starts_with_any_of(name, "cp125|windows125|koi8"))
		*set = CHARSET_BYTES;
	else
		return false;
	return true;
}

/* ---- UTF-16, as PowerShell's > writes it and pip reads it ---- */

static uint32_t utf16_unit(struct str s, size_t i, bool big)
{
	unsigned a = (unsigned char)s.p[i], b = (unsigned char)s.p[i + 1];

	return big ? a << 8 | b : b << 8 | a;
}

/* Maps an offset of the decoded text to the file; offsets must ascend. */
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

static struct err *decode_utf16(struct reader *r, bool big)
{
	struct buf b = buf_in(r->a);
	size_t at = 0, units = 0;

	for (size_t i = 2; i + 1 < r->text.n; i += 2) {
		uint32_t c = utf16_unit(r->text, i, big), low;

		if (c >= 0xd800 && c < 0xdc00 && i + 3 < r->text.n) {
			low = utf16_unit(r->text, i + 2, big);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
				i += 2;
			}
		}
		buf_utf8(&b, c);
	}
	r->text = buf_as_str(&b);
	TRY(requirements_lines(r, CHARSET_UTF8));
	for (size_t i = 0; i < r->out->n + r->out->unresolved.n; i++) {
		struct span *s =
			i < r->out->n ? &r->out->p[i].at : &r->out->unresolved.p[i - r->out->n].at;

		s->from = utf16_offset(r->text, &at, &units, s->from);
		s->to = utf16_offset(r->text, &at, &units, s->to);
	}
	return NULL;
}

struct err *pypi_requirements(struct reader *r)
{
	struct str rest = r->text, line, name;
	enum charset set = CHARSET_UTF8;

	if (str_starts(r->text, STR("\xff\xfe")))
		return decode_utf16(r, false);
	if (str_starts(r->text, STR("\xfe\xff")))
		return decode_utf16(r, true);
	for (int i = 0; i < 2 && str_next_part(&rest, '\n', &line); i++) {
		name = str_starts(line, STR("#")) ? charset_name(line) : STR("");
		if (name.n && !charset_of(r, name, &set))
			return reader_error_at(r, reader_slice_span(r, name).from,
					       "ikm cannot read the encoding '%.*s': write "
					       "the file in UTF-8",
					       STR_ARG(name));
		if (name.n)
			break;
	}
	return requirements_lines(r, set);
}
