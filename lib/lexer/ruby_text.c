/* The strings, regular expressions, lists and here documents of Ruby. */
#include "lexer/ruby.h"

struct ruby_open *ruby_push(struct ruby *y, struct ruby_open o)
{
	*VEC_PUSH(y->r->a, &y->open) = o;
	return ruby_top(y);
}

struct str ruby_text(struct ruby *y)
{
	struct str s = lexer_slice(y->r, y->now.at.from, y->now.at.to);
	struct buf b;

	if (!y->now.raw || str_find_char(s, '\\', 0) == SIZE_MAX)
		return lexer_unescape(y->r->a, s);
	b = buf_in(y->r->a);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n && (s.p[i + 1] == '\\' || s.p[i + 1] == '\''))
			i++;
		buf_putc(&b, s.p[i]);
	}
	return buf_str(&b);
}

static void ruby_begin_code(struct ruby *y)
{
	ruby_push(y, (struct ruby_open){.what = RUBY_CODE, .depth = y->braces, .at = y->r->at});
	y->braces = 0;
	y->r->at += 2;
	y->state = RUBY_BEGIN;
}

/* The text of a string. True: it has ended. */
static bool ruby_read_string(struct ruby *y, struct ruby_open *o)
{
	struct lexer *r = y->r;

	while (r->at < r->text.n) {
		char c = r->text.p[r->at];

		if (c == o->close && !o->depth--) {
			r->string_end = r->at++;
			return true;
		} else if (c == '\\') {
			r->at += 2;
		} else if (c == o->open && o->open != o->close) {
			o->depth++;
			r->at++;
		} else if (c == '#' && o->code && lexer_char(r, r->at + 1) == '{') {
			ruby_begin_code(y);
			return false;
		} else if (c == '\n' && y->docs.n > y->docs_first) {
			r->at++;
			ruby_docs(y);
			return false;
		} else {
			r->at++;
		}
	}
	r->at = r->text.n;
	lexer_unended(r, o->at, "the string that begins here does not end");
	return true;
}

/* Whether the line at r->at ends the here document; then *next is behind it. */
static bool ruby_doc_ends(const struct lexer *r, const struct ruby_doc *d, size_t *next)
{
	size_t at = r->at, end;

	while (d->indented && (lexer_char(r, at) == ' ' || lexer_char(r, at) == '\t'))
		at++;
	end = at + d->end.n;
	if (!str_eq(lexer_slice(r, at, end), d->end))
		return false;
	if (lexer_char(r, end) == '\r')
		end++;
	if (end < r->text.n && r->text.p[end] != '\n')
		return false;
	*next = size_min(end + 1, r->text.n);
	return true;
}

/* The text of a here document. True: it has ended. */
static bool ruby_read_doc(struct ruby *y, const struct ruby_open *o)
{
	struct lexer *r = y->r;
	const struct ruby_doc *d = &y->docs.p[o->doc];

	for (;;) {
		if ((!r->at || r->text.p[r->at - 1] == '\n') && ruby_doc_ends(r, d, &r->at))
			return true;
		if (r->at >= r->text.n)
			break;
		while (r->at < r->text.n && r->text.p[r->at] != '\n') {
			char next = lexer_char(r, r->at + 1);

			if (r->text.p[r->at] == '#' && next == '{' && d->code) {
				ruby_begin_code(y);
				return false;
			}
			r->at += r->text.p[r->at] == '\\' && next != '\n' && d->code ? 2 : 1;
		}
		r->at = size_min(r->at + 1, r->text.n);
		if (y->docs.n > y->docs_first) {
			ruby_docs(y);
			return false;
		}
	}
	lexer_unended(r, d->at, "the here document that begins here does not end");
	return true;
}

void ruby_docs(struct ruby *y)
{
	struct ruby_open o = {.what = RUBY_DOC, .doc = y->docs_first, .first = y->docs_first};

	if (y->docs.n == y->docs_first)
		return;
	o.last = y->docs_first = y->docs.n;
	ruby_push(y, o);
}

/* The next here document of the same line, or the code behind the last one. */
static void ruby_doc_leave(struct ruby *y, struct ruby_open *o)
{
	y->docs.n = o->last;
	if (++o->doc < o->last)
		return;
	y->docs.n = y->docs_first = o->first;
	y->open.n--;
}

void ruby_read_text(struct ruby *y)
{
	struct lexer *r = y->r;
	struct ruby_open *o = ruby_top(y);

	if (!o)
		BUG("no text of Ruby is open");
	if (o->what == RUBY_DOC) {
		if (ruby_read_doc(y, o))
			ruby_doc_leave(y, o);
	} else if (ruby_read_string(y, o)) {
		while (o->regex && lexer_is_word(lexer_char(r, r->at)))
			r->at++;
		y->open.n--;
		y->state = RUBY_VALUE;
	}
}

bool ruby_literal(struct ruby *y, size_t skip, char open, char close, bool code, bool regex)
{
	struct lexer *r = y->r;
	size_t from = size_min(r->at + skip, r->text.n), depth = y->open.n;

	ruby_push(y, (struct ruby_open){.what = RUBY_TEXT,
					.open = open,
					.close = close,
					.code = code,
					.regex = regex,
					.at = r->at});
	r->at = from;
	ruby_read_text(y);
	y->now = (struct lexeme){.kind = LEX_STRING,
				 .word = {"", 0},
				 .raw = !code,
				 .program = regex || y->open.n > depth,
				 .blank = y->now.blank,
				 .at = {from, size_max(from, r->at - (r->at > from))}};
	return true;
}

/*
 * Whether a line ends the here document that <<name may begin behind a name. "list <<item" is a
 * here document unless list is a variable, and then no line has the word alone.
 */
static bool ruby_doc_has_end(struct ruby *y, const struct ruby_doc *d)
{
	struct str rest = lexer_slice(y->r, y->r->at, y->r->text.n), line;

	if (y->shifts == RUBY_SHIFTS_MAX)
		return true;
	while (str_line(&rest, &line))
		if (str_eq(line, d->end))
			return true;
	y->shifts++;
	return false;
}

/* A name with or without quotes; more than one character, or a letter, may stand in it. */
bool ruby_doc_begin(struct ruby *y)
{
	struct lexer *r = y->r;
	struct ruby_doc d = {.code = true, .at = r->at};
	size_t at = r->at + 2, end;
	char c = lexer_char(r, at);

	if (c == '~' || c == '-') {
		d.indented = true;
		c = lexer_char(r, ++at);
	}
	if (c == '"' || c == '\'' || c == '`') {
		for (end = ++at; end < r->text.n && r->text.p[end] != c && r->text.p[end] != '\n';)
			end++;
		if (lexer_char(r, end) != c)
			return false;
		d.code = c != '\'';
		r->at = end + 1;
	} else {
		for (end = at; lexer_is_word(lexer_char(r, end));)
			end++;
		if (end == at || ascii_is_digit(c))
			return false;
		d.end = lexer_slice(r, at, end);
		if (y->state == RUBY_NAME && !d.indented && !ascii_is_upper(c) &&
		    !ruby_doc_has_end(y, &d))
			return false;
		r->at = end;
	}
	d.end = lexer_slice(r, at, end);
	*VEC_PUSH(r->a, &y->docs) = d;
	y->now = (struct lexeme){.kind = LEX_STRING,
				 .word = {"", 0},
				 .program = true,
				 .blank = y->now.blank,
				 .at = {at, end}};
	y->state = RUBY_VALUE;
	return true;
}
