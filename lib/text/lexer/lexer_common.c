/* What the readers share: the text as a compiler sees it, comments, and ends of strings. */
#include "lexer/lexer.h"

#define UNKNOWN_TEXT 60 /* bytes of a place that are shown */

/* ---- the text as a compiler sees it ---- */

/* The bytes at `at` that end a line, other than "\n" and "\r\n"; or 0. */
static size_t text_ends(struct str s, size_t at, unsigned ends)
{
	const unsigned char *p = (const unsigned char *)s.p + at;
	size_t left = s.n - at;

	if (p[0] == '\r')
		return (ends & LEXER_CR) && (left < 2 || p[1] != '\n');
	if ((ends & LEXER_LS) && left > 2 && p[0] == 0xe2 && p[1] == 0x80 && (p[2] & 0xfe) == 0xa8)
		return 3;
	return (ends & LEXER_NEL) && left > 1 && p[0] == 0xc2 && p[1] == 0x85 ? 2 : 0;
}

/* \u0041 or \uu0041 at `at`: its number and its length, or 0. */
static size_t text_escape(struct str s, size_t at, uint32_t *code)
{
	size_t i = at + 1, end;
	uint32_t digit;

	while (i < s.n && s.p[i] == 'u')
		i++;
	if (s.p[at] != '\\' || i == at + 1)
		return 0;
	for (*code = 0, end = i + 4; i < end; i++) {
		if (!str_parse_hex(str_sub(s, i, i + 1), &digit))
			return 0;
		*code = *code << 4 | digit;
	}
	return i - at;
}

/* A letter beyond U+FFFF is two escapes. */
static size_t text_escaped_letter(struct str s, size_t at, uint32_t *code)
{
	size_t n = text_escape(s, at, code), m;
	uint32_t low;

	if (!n || *code < 0xd800 || *code > 0xdbff || at + n >= s.n)
		return n;
	m = text_escape(s, at + n, &low);
	if (!m || low < 0xdc00 || low > 0xdfff)
		return n;
	*code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
	return n + m;
}

/* The first byte of what a bit of `ends` stands for. */
static const char text_marks[] = {'\r', '\xe2', '\xc2', '\\'};

/* Whether the text has what this form sees as something else. */
static bool text_is_plain(struct str s, unsigned ends)
{
	uint32_t code;

	for (size_t i = 0; i < ARRAY_SIZE(text_marks); i++) {
		if (!(ends & 1U << i))
			continue;
		for (size_t at = 0; (at = str_find_char(s, text_marks[i], at)) != SIZE_MAX; at++)
			if (text_marks[i] == '\\' ? text_escape(s, at, &code)
						  : text_ends(s, at, ends))
				return false;
	}
	return true;
}

static void text_translate(struct lexer *l, unsigned ends)
{
	struct str s = l->source;
	struct buf b = buf_in(l->a);
	bool marks[256] = {false};
	uint32_t code;
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(text_marks); i++)
		marks[(unsigned char)text_marks[i]] = ends & 1U << i;
	buf_room(&b, s.n);
	for (size_t at = 0; at < s.n; at += n) {
		n = text_ends(s, at, ends);
		if (n) {
			/* All bytes of the end but the last are blanks. */
			for (size_t i = 1; i < n; i++)
				buf_putc(&b, '\0');
			buf_putc(&b, '\n');
		} else if ((ends & LEXER_ESCAPES) && s.p[at] == '\\') {
			n = text_escaped_letter(s, at, &code);
			if (!n) {
				/* A backslash behind another one begins no escape. */
				n = at + 1 < s.n && s.p[at + 1] == '\\' ? 2 : 1;
				buf_put(&b, str_sub(s, at, at + n));
				continue;
			}
			*VEC_PUSH(l->a, &l->shifts) = (struct lexer_shift){b.n, at};
			if (code == '\r')
				buf_putc(&b, '\n');
			else
				buf_utf8(&b, code);
			*VEC_PUSH(l->a, &l->shifts) = (struct lexer_shift){b.n, at + n};
		} else {
			for (n = 1; at + n < s.n && !marks[(unsigned char)s.p[at + n]];)
				n++;
			buf_put(&b, str_sub(s, at, at + n));
		}
	}
	l->text = buf_as_str(&b);
}

void lexer_begin(struct lexer *l, struct arena *a, const struct lexer_form *f, struct str path,
		 struct str text)
{
	l->a = a;
	l->form = f;
	l->path = path;
	l->now.word = l->js.word = l->php.before = l->ruby.before = l->ruby.receiver = STR("");
	l->text = l->source = text;
	if (f->ends && !text_is_plain(text, f->ends))
		text_translate(l, f->ends);
	l->at = str_starts(text, STR("\xef\xbb\xbf")) ? 3 : 0;
	/* "#!/usr/bin/env node"; in Rust "#![allow(x)]" is code. */
	if (lexer_is(l, l->at, "#!") && !lexer_is(l, l->at, "#!["))
		l->at = lexer_find_byte(l, '\n', l->at);
}

static size_t text_offset(const struct lexer_shifts *v, size_t at)
{
	size_t low = 0;

	BISECT(low, mid, v->n, v->p[mid].at <= at);
	return low ? v->p[low - 1].source + at - v->p[low - 1].at : at;
}

struct span lexer_source_span(const struct lexer *l, struct span at)
{
	for (const struct lexer_shifts *v = &l->shifts; v; v = v == &l->shifts ? &l->outer : NULL)
		if (v->n)
			at = (struct span){text_offset(v, at.from), text_offset(v, at.to)};
	return at;
}

/* ---- what is told ---- */

void lexer_note_unknown(struct lexer *l, struct span at, const char *reason)
{
	/* Calls stand in each other: a whole one would be read once for each of them. */
	size_t to = size_min(at.to, at.from + 2 * UNKNOWN_TEXT);
	struct str text = lexer_slice(l, at.from, to), line;

	if (!l->unknown)
		return;
	if (str_next_line(&text, &line))
		text = str_trim(str_utf8_head(line, UNKNOWN_TEXT));
	*VEC_PUSH(l->a, l->unknown) = (struct lexer_unknown){
		.at = lexer_source_span(l, at), .text = text, .reason = reason};
}

void lexer_unended(struct lexer *l, size_t at, const char *reason)
{
	if (!l->told)
		lexer_note_unknown(l, (struct span){at, size_min(at + 20, l->text.n)}, reason);
	l->told = true;
	lexer_note_unreadable(l, (struct span){at, l->text.n}, reason);
}

void lexer_note_unreadable(struct lexer *l, struct span part, const char *reason)
{
	struct span at = lexer_source_span(l, part), text = at;
	const struct lexer_comments *known = l->comments;

	if (!known || at.to <= l->unread)
		return;
	l->unread = at.to;
	/* A string may be told at its end, behind comments of its code. */
	if (known->n)
		at.from = size_max(at.from, known->p[known->n - 1].at.to);
	*VEC_PUSH(l->a, l->comments) = (struct lexer_comment){at, text, 0, reason};
}

void lexer_unended_string(struct lexer *l, size_t at)
{
	lexer_unended(l, at, "the string that begins here does not end");
}

/* ---- comments ---- */

void lexer_comment_add(struct lexer *l, size_t from, size_t open, size_t close, size_t to)
{
	struct span at = {from, to}, text = {from + open, size_max(to - close, from + open)};
	size_t end, begin = from, below = 0;
	struct str before, behind;

	if (!l->comments || str_find(lexer_slice(l, text.from, text.to), l->want, 0) == SIZE_MAX)
		return;
	end = lexer_find_byte(l, '\n', to);
	while (begin && l->text.p[begin - 1] != '\n')
		begin--;
	before = str_trim(lexer_slice(l, begin, from));
	behind = str_trim(lexer_slice(l, to, end));
	/* No code stands beside the comment; in JSX it has braces around it. */
	if ((!before.n && !behind.n) ||
	    (l->form->next == lexer_next_javascript && str_is(before, "{") && str_is(behind, "}")))
		below = end < l->text.n ? lexer_source_span(l, (struct span){end + 1, end + 1}).from
					: 0;
	*VEC_PUSH(l->a, l->comments) = (struct lexer_comment){
		lexer_source_span(l, at), lexer_source_span(l, text), below, NULL};
}

void lexer_comment_to(struct lexer *l, size_t open, size_t end)
{
	lexer_comment_add(l, l->at, open, 0, end);
	l->at = end;
}

void lexer_line_comment(struct lexer *l, size_t open)
{
	lexer_comment_to(l, open, lexer_find_byte(l, '\n', l->at));
}

void lexer_block_comment(struct lexer *l, const char *open, const char *close, bool nests)
{
	size_t depth = 1, i = l->at + strlen(open);

	while (i < l->text.n) {
		if (l->text.p[i] == close[0] && lexer_is(l, i, close)) {
			i += strlen(close);
			if (!--depth) {
				lexer_comment_add(l, l->at, strlen(open), strlen(close), i);
				l->at = i;
				return;
			}
		} else if (nests && l->text.p[i] == open[0] && lexer_is(l, i, open)) {
			i += strlen(open);
			depth++;
		} else {
			i++;
		}
	}
	lexer_unended(l, l->at, "the comment that begins here does not end");
	l->at = l->text.n;
}

bool lexer_next(struct lexer *l)
{
	if (l->form->next ? l->form->next(l) : lexer_next_comments_only(l))
		return true;
	l->nested = 0;
	lexer_set_lexeme(l, LEX_END, size_min(l->at, l->text.n), size_min(l->at, l->text.n));
	return false;
}

static void text_skim(struct lexer *l)
{
	while (lexer_next(l))
		;
}

void lexer_comments(struct arena *a, const struct lexer_form *f, struct str path, struct str text,
		    struct str want, struct lexer_comments *out)
{
	struct lexer l = {.comments = out, .want = want};

	lexer_begin(&l, a, f, path, text);
	lexer_each_region(&l, text_skim);
}

/* ---- literals ---- */

/* Hexadecimal digits, at most `most`; moves *p. */
static uint32_t text_hex(const char **p, const char *end, size_t most)
{
	uint32_t code = 0;

	for (size_t i = 0; i < most && *p < end; i++, ++*p) {
		uint32_t digit;

		if (!str_parse_hex((struct str){*p, 1}, &digit))
			break;
		code = code << 4 | digit;
	}
	return code;
}

static void text_unescape_one(struct buf *b, const char **p, const char *end)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	char c = *(*p)++;
	const char *known = c ? strchr(from, c) : NULL;
	uint32_t code = 0;

	if (c == 'u' && *p < end && **p == '{') {
		++*p;
		buf_utf8(b, text_hex(p, end, 8));
		*p += *p < end;
	} else if (c == 'x' || c == 'u' || c == 'U') {
		buf_utf8(b, text_hex(p, end, c == 'x' ? 2 : c == 'u' ? 4 : 8));
	} else if (c >= '0' && c <= '7') {
		for (--*p; *p < end && **p >= '0' && **p <= '7' && code < 32; ++*p)
			code = code * 8 + (uint32_t)(**p - '0');
		buf_utf8(b, code);
	} else if (c == '\r' && *p < end && **p == '\n') {
		++*p;
	} else if (known) {
		buf_putc(b, to[known - from]);
	} else if (c != '\n' && c != '\r') {
		buf_putc(b, c);
	}
}

struct str lexer_unescape(struct arena *a, struct str s)
{
	const char *p = s.p, *end = s.p + s.n;
	struct buf b;

	if (str_find_char(s, '\\', 0) == SIZE_MAX)
		return s;
	b = buf_in(a);
	while (p < end) {
		if (*p != '\\') {
			buf_putc(&b, *p++);
		} else if (++p < end) {
			text_unescape_one(&b, &p, end);
		}
	}
	return buf_as_str(&b);
}

bool lexer_pass_string(struct lexer *l, bool lines)
{
	size_t at = l->at;
	char quote = l->text.p[at];

	for (at++; at < l->text.n; at++) {
		char c = l->text.p[at];

		if (c == quote) {
			l->at = at + 1;
			return true;
		}
		if (c == '\\') {
			at++;
			if (lexer_char_at(l, at) == '\r' && lexer_char_at(l, at + 1) == '\n')
				at++;
		} else if (c == '\n' && !lines &&
			   /* U+2028 ends a comment of JavaScript, and no string. */
			   (!(l->form->ends & LEXER_LS) || l->source.p[at] == '\n' ||
			    l->source.p[at] == '\r')) {
			break;
		}
	}
	l->at = size_min(at, l->text.n);
	return false;
}

/* ---- words and names ---- */

bool lexer_word_is_one_of(struct str word, const char *list)
{
	while (*list) {
		size_t n = 0;

		while (n < word.n && list[n] && list[n] == word.p[n])
			n++;
		if (n == word.n && (!list[n] || list[n] == ' '))
			return true;
		for (list += n; *list && *list++ != ' ';)
			;
	}
	return false;
}

void lexer_name_append(struct lexer *l, struct lexer_name *n)
{
	struct span at = l->now.at;

	if (n->at.to == n->at.from) {
		*n = (struct lexer_name){.at = at};
		return;
	}
	if (at.from != n->at.to && !n->parts) {
		n->parts = true;
		n->joined = buf_in(l->a);
		buf_put(&n->joined, lexer_slice(l, n->at.from, n->at.to));
	}
	if (n->parts)
		buf_put(&n->joined, lexer_slice(l, at.from, at.to));
	n->at.to = at.to;
}

struct str lexer_name_text(const struct lexer *l, const struct lexer_name *n)
{
	return n->parts ? buf_as_str(&n->joined) : lexer_slice(l, n->at.from, n->at.to);
}
