/* The parts of a line, and the plain forms of its letters. */
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
