/* What each pass sees of a line, and the one shift of indentation that a pass tolerates. */
#include "match/internal.h"
#include "words/words.h"

struct str match_tolerated_text(struct arena *a, match_set tolerated)
{
	static const char *const names[MATCH_PASSES] = {"context around it", "line ends",
							"blanks at line ends", "indentation",
							"quotes, dashes, spaces or Unicode forms"};
	struct strs words = {0};

	for (int pass = MATCH_EXACT; pass < MATCH_PASSES; pass++)
		if (tolerated & 1U << pass)
			strs_push(a, &words, str_of(names[pass]));
	return str_join(a, &words, ", ");
}

/* ---- lines ---- */

struct str match_line_ending_of(struct str line)
{
	return str_ends(line, STR("\r\n")) ? STR("\r\n")
	       : str_ends(line, STR("\n")) ? STR("\n")
					   : STR("");
}

struct str match_without_line_ending(struct str line)
{
	return str_sub(line, 0, line.n - match_line_ending_of(line).n);
}

struct str match_convert_line_ends(struct arena *a, struct str text, bool crlf)
{
	struct buf b = buf_in(a);

	for (size_t at; (at = str_find_char(text, '\n', 0)) != SIZE_MAX;
	     text = str_sub(text, at + 1, text.n)) {
		buf_put(&b, match_without_line_ending(str_sub(text, 0, at + 1)));
		buf_puts(&b, crlf ? "\r\n" : "\n");
	}
	buf_put(&b, text);
	return buf_as_str(&b);
}

struct str match_without_bom(struct str line)
{
	return str_sub(line, str_starts(line, STR(MATCH_BOM)) ? strlen(MATCH_BOM) : 0, line.n);
}

struct str match_line_indent(struct str line)
{
	size_t n = 0;

	while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
		n++;
	return str_sub(line, 0, n);
}

struct str match_trim_right(struct str line)
{
	while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t' ||
			  line.p[line.n - 1] == '\r'))
		line.n--;
	return line;
}

/* ---- letters ---- */

bool match_is_non_ascii_space(uint32_t code)
{
	return code == 0xa0 || (code >= 0x2000 && code <= 0x200a) || code == 0x202f ||
	       code == 0x205f || code == 0x3000;
}

/* The plain form of a typographic quote, a dash or an unusual space; 0: another character. */
static char match_plain(uint32_t code)
{
	if ((code >= 0x2010 && code <= 0x2015) || code == 0x2212)
		return '-';
	if ((code >= 0x2018 && code <= 0x201b) || code == 0x2032)
		return '\'';
	if ((code >= 0x201c && code <= 0x201f) || code == 0x2033)
		return '"';
	return match_is_non_ascii_space(code) ? ' ' : 0;
}

static bool match_is_ascii(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] > 0x7f)
			return false;
	return true;
}

struct str match_fold_letters(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);
	struct str composed;

	if (match_is_ascii(s))
		return s;
	for (size_t i = 0, n; i < s.n; i += n) {
		uint32_t code = 0;
		char plain;

		n = size_max(str_utf8_char(s.p + i, s.n - i, &code), 1);
		plain = n > 1 ? match_plain(code) : 0;
		if (plain)
			buf_putc(&b, plain);
		else
			buf_put(&b, str_sub(s, i, i + n));
	}
	return words_nfc(a, buf_as_str(&b), &composed) ? composed : buf_as_str(&b);
}

struct str match_line_key(struct arena *a, struct str line, enum match_pass pass)
{
	if (pass == MATCH_EXACT)
		return line;
	line = match_without_line_ending(line);
	line.n -= str_ends(line, STR("\r"));
	line = match_without_bom(line);
	if (pass == MATCH_LETTERS)
		line = match_fold_letters(a, line);
	if (pass >= MATCH_BLANKS)
		line = match_trim_right(line);
	return pass >= MATCH_INDENT ? str_sub(line, match_line_indent(line).n, line.n) : line;
}

/* ---- one shift of indentation ---- */

static bool shift_is_all(struct str s, char c)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != c)
			return false;
	return true;
}

/* The shift that makes `from` the indentation `to`. */
static bool shift_between(struct match_shift *s, struct str from, struct str to)
{
	bool to_tabs = shift_is_all(from, ' ') && shift_is_all(to, '\t');
	bool to_blanks = shift_is_all(from, '\t') && shift_is_all(to, ' ');
	size_t tabs = to_tabs ? to.n : from.n, blanks = to_tabs ? from.n : to.n;

	if (str_ends(to, from))
		*s = (struct match_shift){.kind = SHIFT_ADD,
					  .blanks = str_sub(to, 0, to.n - from.n),
					  .bare = s->bare};
	else if (str_ends(from, to))
		*s = (struct match_shift){.kind = SHIFT_DROP,
					  .blanks = str_sub(from, 0, from.n - to.n),
					  .bare = s->bare};
	else if ((to_tabs || to_blanks) && blanks % tabs == 0)
		*s = (struct match_shift){.kind = to_tabs ? SHIFT_TO_TABS : SHIFT_TO_BLANKS,
					  .width = blanks / tabs};
	else
		return false;
	return true;
}

/* The indentation after the shift. */
static bool shift_indent(struct arena *a, const struct match_shift *s, struct str from,
			 struct str *out)
{
	struct buf b = buf_in(a);
	size_t blanks = 0;

	*out = from;
	switch (s->kind) {
	case SHIFT_NONE: return true;
	case SHIFT_ADD:
		*out = str_fmt(a, "%.*s%.*s", STR_ARG(s->blanks), STR_ARG(from));
		return true;
	case SHIFT_DROP:
		*out = str_sub(from, size_min(s->blanks.n, from.n), from.n);
		return str_starts(from, s->blanks);
	case SHIFT_TO_TABS:
		if (!shift_is_all(from, ' '))
			return shift_is_all(from, '\t');
		for (size_t i = 0; i < from.n / s->width; i++)
			buf_putc(&b, '\t');
		*out = buf_as_str(&b);
		return from.n % s->width == 0;
	default:
		for (size_t i = 0; i < from.n; i++)
			if (from.p[i] == '\t')
				for (size_t k = 0; k < s->width; k++)
					buf_putc(&b, ' ');
			else
				blanks++;
		for (; blanks; blanks--)
			buf_putc(&b, ' ');
		*out = buf_as_str(&b);
		return true;
	}
}

bool match_shift_fits(struct arena *a, struct match_shift *s, struct str line, struct str want)
{
	struct str is = match_line_indent(line), from = match_line_indent(want), to;

	/* A line of blanks only has no indentation. */
	if (from.n >= match_trim_right(want).n)
		return true;
	if (s->kind == SHIFT_ADD)
		return is.n == s->blanks.n + from.n && str_starts(is, s->blanks) &&
		       str_ends(is, from);
	if (s->kind != SHIFT_NONE)
		return shift_indent(a, s, from, &to) && str_eq(is, to);
	if (str_eq(is, from)) {
		s->equal = s->equal || is.n;
		s->bare = s->bare || !is.n;
		return true;
	}
	/* Tabs for blanks leave a line without indentation as it is; any other shift moves it. */
	return !s->equal && shift_between(s, from, is) && (s->width || !s->bare);
}

bool match_shift_indent(struct arena *a, const struct match_shift *s, struct str line,
			struct str *out)
{
	struct str from = match_line_indent(line), to;

	*out = line;
	if (s->kind == SHIFT_NONE || from.n >= match_trim_right(line).n)
		return true;
	if (!shift_indent(a, s, from, &to))
		return false;
	*out = str_fmt(a, "%.*s%.*s", STR_ARG(to), STR_ARG(str_sub(line, from.n, line.n)));
	return true;
}
