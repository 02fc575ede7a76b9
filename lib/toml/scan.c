/* Reads the tokens of TOML: blanks, comments, keys and strings. */
#include "toml/scan.h"

struct err *scan_bad(const struct scan *s, const char *at, enum err_reason reason, const char *fmt,
		     ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_at(reason, str_place(s->text, (size_t)(at - s->text.p)), fmt, ap);
	va_end(ap);
	return e;
}

struct err *scan_expected(const struct scan *s, const char *what)
{
	uint32_t code = 0;
	char c = scan_peek(s);

	if (s->p == s->end)
		return scan_bad(s, s->p, E_BAD_TOML, "expected %s, but the text ends", what);
	if (c == '\n' || c == '\r')
		return scan_bad(s, s->p, E_BAD_TOML, "expected %s, but the line ends", what);
	if (c > ' ' && c < 0x7f)
		return scan_bad(s, s->p, E_BAD_TOML, "expected %s, found '%c'", what, c);
	str_utf8_char(s->p, (size_t)(s->end - s->p), &code);
	return scan_bad(s, s->p, E_BAD_TOML, "expected %s, found U+%04X", what, (unsigned)code);
}

struct span scan_span(const struct scan *s, const char *from)
{
	return (struct span){(size_t)(from - s->text.p), (size_t)(s->p - s->text.p)};
}

char scan_peek(const struct scan *s)
{
	return s->p < s->end ? *s->p : 0;
}

void scan_blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}

/* The length of the line end at p: LF, CRLF, or 0 for none. A CR alone ends no line. */
static size_t toml_scan_line_end(const char *p, const char *end)
{
	if (p < end && *p == '\n')
		return 1;
	return end - p >= 2 && p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

static struct err *toml_scan_comment(struct scan *s)
{
	scan_blanks(s);
	if (scan_peek(s) != '#')
		return NULL;
	while (s->p < s->end && !toml_scan_line_end(s->p, s->end)) {
		if (is_control(*s->p))
			return scan_bad(s, s->p, E_BAD_TOML,
					"control character 0x%02X in a comment", (unsigned)*s->p);
		s->p++;
	}
	return NULL;
}

struct err *scan_line_end(struct scan *s)
{
	size_t n;

	TRY(toml_scan_comment(s));
	n = toml_scan_line_end(s->p, s->end);
	if (!n && s->p < s->end)
		return scan_expected(s, "the end of the line");
	s->p += n;
	return NULL;
}

struct err *scan_gap(struct scan *s)
{
	size_t n;

	do {
		TRY(toml_scan_comment(s));
		n = toml_scan_line_end(s->p, s->end);
		s->p += n;
	} while (n);
	return NULL;
}

/* Reads the escape at *p, behind its backslash, in a string up to `end`; moves *p behind it. */
static struct err *toml_scan_read_escape(void *ctx, const char **p, const char *end,
					 struct buf *out)
{
	const struct scan *s = ctx;
	static const char names[] = "\"\\bfnrt", codes[] = "\"\\\b\f\n\r\t";
	const char *at = *p - 1, *name = memchr(names, **p, sizeof(names) - 1);
	size_t n = **p == 'u' ? 4 : **p == 'U' ? 8 : 0;
	uint32_t code;

	if (name) {
		*p += 1;
		buf_putc(out, codes[name - names]);
		return NULL;
	}
	if (!n)
		return scan_bad(s, at, E_BAD_TOML,
				"a backslash may only stand before one of \"\\bfnrtuU");
	if ((size_t)(end - *p) <= n || !str_hex((struct str){*p + 1, n}, &code))
		return scan_bad(s, at, E_BAD_TOML, "expected %zu hexadecimal digits after \\%c", n,
				**p);
	if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return scan_bad(s, at, E_BAD_TOML, "U+%04X is not a character", (unsigned)code);
	*p += n + 1;
	buf_utf8(out, code);
	return NULL;
}

/* Skips a line end behind a backslash, with all blanks and line ends around it. False: none. */
static bool skip_folded(const char **p, const char *end)
{
	const char *q = *p;
	bool lines = false;

	for (;;) {
		size_t n = toml_scan_line_end(q, end);

		lines = lines || n;
		if (!n && (q == end || (*q != ' ' && *q != '\t')))
			break;
		q += n ? n : 1;
	}
	if (lines)
		*p = q;
	return lines;
}

static struct err *toml_scan_read_multi(void *ctx, const char **p, const char *end, struct buf *out)
{
	return skip_folded(p, end) ? NULL : toml_scan_read_escape(ctx, p, end, out);
}

/* Moves to the closing quotes of the string that was opened at `open`. */
static struct err *find_close(struct scan *s, const char *open, bool multi, bool *escaped)
{
	char quote = *open;

	for (; s->p < s->end; s->p++) {
		if (*s->p == quote) {
			size_t n = 1;

			if (!multi)
				return NULL;
			/* Up to two quotes before the closing three belong to the text. */
			while (n < 5 && s->p + n < s->end && s->p[n] == quote)
				n++;
			if (n >= 3) {
				s->p += n - 3;
				return NULL;
			}
			s->p += n - 1;
		} else if (*s->p == '\\' && quote == '"') {
			/*
			 * The next byte does not end the string; toml_scan_read_escape() validates
			 * it.
			 */
			*escaped = true;
			s->p += s->p + 1 < s->end;
		} else if (is_control(*s->p)) {
			size_t n = toml_scan_line_end(s->p, s->end);

			if (n && !multi)
				break;
			if (!n)
				return scan_bad(s, s->p, E_BAD_TOML,
						"control character 0x%02X in a string",
						(unsigned)*s->p);
			s->p += n - 1;
		}
	}
	return scan_bad(s, open, E_BAD_TOML,
			multi ? "this string is not closed by %c%c%c"
			      : "this string is not closed by %c in its line",
			quote, quote, quote);
}

static struct err *toml_scan_read_string(struct scan *s, bool multi, struct str *out)
{
	const char *open = s->p, *from;
	bool escaped = false;

	s->p += multi ? 3 : 1;
	if (multi)
		s->p += toml_scan_line_end(s->p, s->end);
	from = s->p;
	TRY(find_close(s, open, multi, &escaped));
	*out = (struct str){from, (size_t)(s->p - from)};
	if (escaped)
		TRY(buf_unescape(s->arena, *out,
				 multi ? toml_scan_read_multi : toml_scan_read_escape, s, out));
	s->p += multi ? 3 : 1;
	return NULL;
}

struct err *scan_string(struct scan *s, struct val *v)
{
	const char *from = s->p;
	bool multi = s->end - from >= 3 && from[1] == from[0] && from[2] == from[0];

	v->type = VAL_STR;
	TRY(toml_scan_read_string(s, multi, &v->s));
	v->at = scan_span(s, from);
	return NULL;
}

static bool is_bare(char c)
{
	return ascii_is_alnum(c) || c == '-' || c == '_';
}

struct err *scan_key(struct scan *s, struct str *key, struct span *at)
{
	const char *from = s->p;

	if (scan_peek(s) == '"' || scan_peek(s) == '\'') {
		TRY(toml_scan_read_string(s, false, key));
	} else {
		while (s->p < s->end && is_bare(*s->p))
			s->p++;
		if (s->p == from)
			return scan_expected(s, "a key");
		*key = (struct str){from, (size_t)(s->p - from)};
	}
	*at = scan_span(s, from);
	return NULL;
}
