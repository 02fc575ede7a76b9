/* Python: what is open stands on one stack of bytes. */
#include "lexer/lexer.h"

/* ---- strings ---- */

static bool py_three(const struct lexer *l, size_t at)
{
	char c = lexer_char_at(l, at);

	return lexer_char_at(l, at + 1) == c && lexer_char_at(l, at + 2) == c;
}

/* A string with its prefix, which begins at `from`; its quote stands at l->at. */
static void py_string(struct lexer *l, size_t from)
{
	bool three = py_three(l, l->at), format = false, bytes = false, raw = false;
	size_t at = l->at, n;

	for (size_t i = from; i < at; i++) {
		char c = ascii_lower(l->text.p[i]);

		format |= c == 'f' || c == 't';
		bytes |= c == 'b';
		raw |= c == 'r';
	}
	if (format) {
		n = size_min(at + (three ? 3 : 1), l->text.n);
		lexer_set_lexeme(l, LEX_STRING, n, n);
		l->now.program = true;
		lexer_push_bracket(l, PY_FORMAT);
		*VEC_PUSH(l->a, &l->py.formats) = (struct py_format){
			.quote = l->text.p[at], .three = three, .raw = raw, .at = from};
		l->at += three ? 3 : 1;
		return;
	}
	if (three) {
		for (l->at += 3; l->at < l->text.n &&
				 (l->text.p[l->at] != l->text.p[at] || !py_three(l, l->at));
		     l->at++)
			l->at += l->text.p[l->at] == '\\';
		if (l->at >= l->text.n)
			lexer_unended_string(l, at);
		l->at = size_min(l->at + 3, l->text.n);
	} else if (!lexer_pass_string(l, false)) {
		lexer_unended_string(l, at);
	}
	n = three ? 3 : 1;
	lexer_set_lexeme(l, LEX_STRING, size_min(at + n, l->at), size_max(l->at - n, at + n));
	l->now.at.to = size_min(l->now.at.to, l->at);
	l->now.program = bytes;
	l->now.raw = raw;
}

/* The format string ends here, whatever is open in it. */
static void py_format_end(struct lexer *l)
{
	while (lexer_top_bracket(l) != PY_FORMAT)
		l->open.n--;
	l->open.n--;
	l->py.formats.n--;
}

/* The text of a format string, or of a format behind ":": up to {, } or the end. */
static void py_format(struct lexer *l)
{
	const struct py_format *f = &l->py.formats.p[l->py.formats.n - 1];
	bool spec = lexer_top_bracket(l) == PY_SPEC;

	while (l->at < l->text.n) {
		char c = l->text.p[l->at];

		if (c == '\\') {
			/* "\N{DASH}" is a character, "\{" begins an expression. */
			if (!f->raw && lexer_is(l, l->at, "\\N{"))
				l->at += 3;
			else
				l->at += lexer_char_at(l, l->at + 1) == '{' ? 1 : 2;
		} else if (c == '{' && !spec && lexer_char_at(l, l->at + 1) == '{') {
			l->at += 2;
		} else if (c == '{') {
			l->at++;
			lexer_push_bracket(l, PY_EXPRESSION);
			return;
		} else if (c == '}' && spec) {
			l->at++;
			l->open.n -= 2; /* the format and its expression */
			return;
		} else if (c == f->quote && (!f->three || py_three(l, l->at))) {
			l->string_end = l->at;
			l->at += f->three ? 3 : 1;
			py_format_end(l);
			return;
		} else if (c == '\n' && !f->three) {
			break;
		} else {
			l->at++;
		}
	}
	lexer_unended_string(l, f->at);
	l->at = size_min(l->at, l->text.n);
	py_format_end(l);
}

/* ---- words and marks ---- */

static void py_word(struct lexer *l)
{
	size_t from = l->at, prefix = 0;
	struct str word;
	char c;

	l->at = lexer_word_end(l, l->at);
	word = lexer_slice(l, from, l->at);
	c = lexer_char_at(l, l->at);
	while (prefix < word.n && memchr("rbuft", ascii_lower(word.p[prefix]), 5))
		prefix++;
	if ((c == '"' || c == '\'') && prefix == word.n && word.n <= 2) {
		py_string(l, from);
		return;
	}
	lexer_set_lexeme(l, LEX_WORD, from, l->at);
	l->now.word = word;
	/* No bracket is open where a statement begins: one before it is a mistake. */
	if (!l->py.formats.n && lexer_same(word, "import"))
		l->open.n = 0;
}

/* False: what stood here is no lexeme. */
static bool py_code(struct lexer *l)
{
	char c = l->text.p[l->at];
	size_t from = l->at;

	if (c == '\n') {
		l->at++;
		return !l->open.n && lexer_set_lexeme(l, LEX_LINE, from, from + 1);
	}
	if (ascii_is_any_space(c) || !c) {
		l->at++;
		return false;
	}
	if (c == '#') {
		lexer_line_comment(l, 1);
		return false;
	}
	if (c == '\\') {
		/* A line that goes on. */
		l->at += lexer_char_at(l, l->at + 1) == '\r' ? 3 : 2;
		l->at = size_min(l->at, l->text.n);
		return false;
	}
	if (c == '"' || c == '\'') {
		py_string(l, l->at);
	} else if (ascii_is_digit(c)) {
		/* "1if" and "0or" are a number and a word; what is read as one is no import. */
		l->at = lexer_word_end(l, l->at);
		lexer_set_lexeme(l, LEX_OTHER, from, l->at);
	} else if (lexer_is_word_byte(c)) {
		py_word(l);
	} else if (c == ':' && lexer_top_bracket(l) == PY_EXPRESSION) {
		/* "{a!r:>10}": behind the colon stands text. "a:=1" needs parentheses there. */
		lexer_push_bracket(l, PY_SPEC);
		lexer_take_bytes(l, LEX_OTHER, 1);
	} else {
		if (c == '(' || c == '[' || c == '{')
			lexer_push_bracket(l, PY_BRACKET);
		else if ((c == ')' || c == ']' || c == '}') && l->open.n)
			l->open.n--;
		lexer_take_bytes(l, LEX_MARK, 1);
	}
	return true;
}

bool lexer_next_python(struct lexer *l)
{
	while (l->at < l->text.n) {
		if (lexer_top_bracket(l) == PY_FORMAT || lexer_top_bracket(l) == PY_SPEC)
			py_format(l);
		else {
			l->from = l->at;
			l->nested = l->py.formats.n;
			if (py_code(l))
				return true;
		}
	}
	if (l->open.n)
		lexer_unended(l, l->text.n,
			      "a bracket or string is still open at the end of the file");
	return false;
}
