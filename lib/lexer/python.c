/* Python: what is open stands on one stack of bytes. */
#include "lexer/python.h"

static void py_push(struct py *y, char what)
{
	*VEC_PUSH(y->r->a, &y->open) = what;
}

static char py_top(const struct py *y)
{
	return y->open.n ? y->open.p[y->open.n - 1] : 0;
}

static bool py_lexeme(struct py *y, enum lexeme_kind kind, size_t from, size_t to)
{
	y->now = (struct lexeme){.kind = kind, .word = {"", 0}, .at = {from, to}};
	return true;
}

/* ---- strings ---- */

static bool py_three(const struct lexer *r, size_t at)
{
	char c = lexer_char(r, at);

	return lexer_char(r, at + 1) == c && lexer_char(r, at + 2) == c;
}

/* The offset behind a string without expressions; its quote stands at `at`. */
static size_t py_string_end(struct lexer *r, size_t at, bool three)
{
	char quote = r->text.p[at];
	size_t i = at + 1, stop;

	if (!three) {
		i = lexer_string_end(r, at, false, &stop);
		if (i != SIZE_MAX)
			return i;
		lexer_unended(r, at, "the string that begins here does not end");
		return stop;
	}
	for (i = at + 3; i < r->text.n; i++) {
		if (r->text.p[i] == '\\')
			i++;
		else if (r->text.p[i] == quote && py_three(r, i))
			return i + 3;
	}
	lexer_unended(r, at, "the string that begins here does not end");
	return r->text.n;
}

/* A string with its prefix, which begins at `from`; its quote stands at r->at. */
static void py_string(struct py *y, size_t from)
{
	struct lexer *r = y->r;
	bool three = py_three(r, r->at), format = false, bytes = false, raw = false;
	size_t at = r->at, n;

	for (size_t i = from; i < at; i++) {
		char c = ascii_lower(r->text.p[i]);

		format |= c == 'f' || c == 't';
		bytes |= c == 'b';
		raw |= c == 'r';
	}
	if (format) {
		n = size_min(at + (three ? 3 : 1), r->text.n);
		py_lexeme(y, LEX_STRING, n, n);
		y->now.program = true;
		py_push(y, PY_FORMAT);
		*VEC_PUSH(r->a, &y->formats) = (struct py_format){
			.quote = r->text.p[at], .three = three, .raw = raw, .at = from};
		r->at += three ? 3 : 1;
		return;
	}
	r->at = py_string_end(r, at, three);
	n = three ? 3 : 1;
	py_lexeme(y, LEX_STRING, size_min(at + n, r->at), size_max(r->at - n, at + n));
	y->now.at.to = size_min(y->now.at.to, r->at);
	y->now.program = bytes;
	y->now.raw = raw;
}

/* The format string ends here, whatever is open in it. */
static void py_format_end(struct py *y)
{
	while (py_top(y) != PY_FORMAT)
		y->open.n--;
	y->open.n--;
	y->formats.n--;
}

/* A backslash in a format string: "\N{DASH}" is a character, "\{" begins an expression. */
static void py_format_escape(struct py *y, const struct py_format *f)
{
	struct lexer *r = y->r;

	if (!f->raw && lexer_is(r, r->at, "\\N{"))
		r->at += 3;
	else
		r->at += lexer_char(r, r->at + 1) == '{' ? 1 : 2;
}

/* The text of a format string, or of a format behind ":": up to {, } or the end. */
static void py_format(struct py *y)
{
	struct lexer *r = y->r;
	const struct py_format *f = &y->formats.p[y->formats.n - 1];
	bool spec = py_top(y) == PY_SPEC;

	while (r->at < r->text.n) {
		char c = r->text.p[r->at];

		if (c == '\\') {
			py_format_escape(y, f);
		} else if (c == '{' && !spec && lexer_char(r, r->at + 1) == '{') {
			r->at += 2;
		} else if (c == '{') {
			r->at++;
			py_push(y, PY_EXPRESSION);
			return;
		} else if (c == '}' && spec) {
			r->at++;
			y->open.n -= 2; /* the format and its expression */
			return;
		} else if (c == f->quote && (!f->three || py_three(r, r->at))) {
			r->string_end = r->at;
			r->at += f->three ? 3 : 1;
			py_format_end(y);
			return;
		} else if (c == '\n' && !f->three) {
			break;
		} else {
			r->at++;
		}
	}
	lexer_unended(r, f->at, "the string that begins here does not end");
	r->at = size_min(r->at, r->text.n);
	py_format_end(y);
}

/* ---- words and marks ---- */

static bool py_is_prefix(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!memchr("rbuft", ascii_lower(word.p[i]), 5))
			return false;
	return word.n <= 2;
}

static void py_word(struct py *y)
{
	struct lexer *r = y->r;
	size_t from = r->at;
	struct str word;
	char c;

	while (r->at < r->text.n && lexer_is_word(r->text.p[r->at]))
		r->at++;
	word = lexer_slice(r, from, r->at);
	c = lexer_char(r, r->at);
	if ((c == '"' || c == '\'') && py_is_prefix(word)) {
		py_string(y, from);
		return;
	}
	py_lexeme(y, LEX_WORD, from, r->at);
	y->now.word = word;
	/* No bracket is open where a statement begins: one before it is a mistake. */
	if (!y->formats.n && lexer_same(word, "import"))
		y->open.n = 0;
}

static void py_mark(struct py *y, char c)
{
	size_t from = y->r->at++;

	/* "{a!r:>10}": behind the colon stands text. "a:=1" needs parentheses there. */
	if (c == ':' && py_top(y) == PY_EXPRESSION) {
		py_push(y, PY_SPEC);
		py_lexeme(y, LEX_OTHER, from, from + 1);
		return;
	}
	if (c == '(' || c == '[' || c == '{')
		py_push(y, PY_BRACKET);
	else if ((c == ')' || c == ']' || c == '}') && y->open.n)
		y->open.n--;
	py_lexeme(y, LEX_MARK, from, from + 1);
	y->now.mark = c;
}

/* False: what stood here is no lexeme. */
static bool py_code(struct py *y)
{
	struct lexer *r = y->r;
	char c = r->text.p[r->at];
	size_t from = r->at;

	if (c == '\n') {
		r->at++;
		return !y->open.n && py_lexeme(y, LEX_LINE, from, from + 1);
	}
	if (ascii_is_blank(c) || !c) {
		r->at++;
		return false;
	}
	if (c == '#') {
		lexer_line_comment(r, 1);
		return false;
	}
	if (c == '\\') {
		/* A line that goes on. */
		r->at += lexer_char(r, r->at + 1) == '\r' ? 3 : 2;
		r->at = size_min(r->at, r->text.n);
		return false;
	}
	if (c == '"' || c == '\'') {
		py_string(y, r->at);
	} else if (ascii_is_digit(c)) {
		/* "1if" and "0or" are a number and a word; what is read as one is no import. */
		while (r->at < r->text.n && lexer_is_word(r->text.p[r->at]))
			r->at++;
		py_lexeme(y, LEX_OTHER, from, r->at);
	} else if (lexer_is_word(c)) {
		py_word(y);
	} else {
		py_mark(y, c);
	}
	return true;
}

bool py_next(struct py *y)
{
	struct lexer *r = y->r;

	while (r->at < r->text.n) {
		if (py_top(y) == PY_FORMAT || py_top(y) == PY_SPEC)
			py_format(y);
		else {
			r->from = r->at;
			r->nested = y->formats.n;
			if (py_code(y))
				return true;
		}
	}
	r->nested = 0;
	if (y->open.n)
		lexer_unended(r, r->text.n,
			      "a bracket or string is still open at the end of the file");
	py_lexeme(y, LEX_END, r->at, r->at);
	return false;
}

void lexer_skim_python(struct lexer *r)
{
	struct py y = py_of(r);

	while (py_next(&y))
		;
}
