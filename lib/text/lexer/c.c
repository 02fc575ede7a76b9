/*
 * C, C++ and Objective-C. A backslash before the end of a line joins it with the next one, wherever
 * it stands.
 */
#include "lexer/lexer.h"

/* The bytes of a joined line's end at `at`: 0, 2 or 3. */
static size_t c_splice(const struct lexer *l, size_t at)
{
	if (lexer_char_at(l, at) != '\\')
		return 0;
	if (lexer_char_at(l, at + 1) == '\n')
		return 2;
	return lexer_char_at(l, at + 1) == '\r' && lexer_char_at(l, at + 2) == '\n' ? 3 : 0;
}

/* The end of the line at `at`, behind all lines that are joined with it. */
static size_t c_line_end(const struct lexer *l, size_t at)
{
	size_t end = lexer_find_byte(l, '\n', at);

	while (end < l->text.n && end > at &&
	       (l->text.p[end - 1] == '\\' ||
		(l->text.p[end - 1] == '\r' && end > at + 1 && l->text.p[end - 2] == '\\')))
		end = lexer_find_byte(l, '\n', end + 1);
	return end;
}

/* Passes over blanks, comments and joined lines; `lines`: and over the ends of lines. */
static void c_blanks(struct lexer *l, bool lines)
{
	while (l->at < l->text.n) {
		char x = l->text.p[l->at];
		size_t n;

		/* Mostly a token begins here. */
		if ((unsigned char)x > ' ' && x != '/' && x != '\\')
			return;
		n = x == '\\' ? c_splice(l, l->at) : 0;
		if (n) {
			l->at += n;
		} else if (x == '/' && lexer_char_at(l, l->at + 1) == '/') {
			lexer_comment_to(l, 2, c_line_end(l, l->at));
		} else if (x == '/' && lexer_char_at(l, l->at + 1) == '*') {
			lexer_block_comment(l, "/*", "*/", false);
		} else if (x == '\n' && lines) {
			l->at++;
			l->c.in_line = false;
			l->c.directive = false;
		} else if (x != '\n' && (ascii_is_any_space(x) || !x)) {
			l->at++;
		} else {
			return;
		}
	}
}

/* A word. When lines are joined in it: the text without the joins, at most 40 bytes of it. */
static struct str c_word(struct lexer *l, char *out)
{
	size_t n = 0, skip, from = l->at, end = from;

	while (end < l->text.n && (lexer_is_word_byte(l->text.p[end]) || l->text.p[end] == '$'))
		end++;
	if (!c_splice(l, end)) {
		l->at = end;
		return lexer_slice(l, from, end);
	}
	while (l->at < l->text.n) {
		char x = l->text.p[l->at];

		skip = x == '\\' ? c_splice(l, l->at) : 0;
		if (!skip && !lexer_is_word_byte(x) && x != '$')
			break;
		if (!skip && n < 40)
			out[n++] = x;
		l->at += skip ? skip : 1;
	}
	return (struct str){out, n};
}

static void c_lexeme(struct lexer *l, enum lexeme_kind kind, enum c_import import, struct span at)
{
	lexer_set_lexeme(l, kind, at.from, at.to);
	l->now.word = lexer_slice(l, at.from, at.to);
	l->c.import = import;
}

/* "a.h" or <a.h> at l->at. False: neither. */
static bool c_header(struct lexer *l)
{
	char open = lexer_char_at(l, l->at), close = open == '<' ? '>' : '"';
	size_t from = l->at + 1, end = from;

	if (open != '<' && open != '"')
		return false;
	while (end < l->text.n && l->text.p[end] != close && l->text.p[end] != '\n')
		end++;
	if (end == l->text.n || l->text.p[end] == '\n') {
		lexer_unended(l, l->at, "the name of the header that begins here does not end");
		c_lexeme(l, LEX_OTHER, C_NONE, (struct span){from, from});
		l->at = end;
		return true;
	}
	c_lexeme(l, LEX_STRING, open == '<' ? C_SYSTEM : C_QUOTED, (struct span){from, end});
	l->at = end + 1;
	return true;
}

/* Behind "#" at the start of a line. */
static void c_directive(struct lexer *l)
{
	char word[40];
	struct str name;

	l->c.directive = true;
	c_blanks(l, false);
	name = c_word(l, word);
	if (!lexer_word_is_one_of(name, "include include_next import"))
		return;
	c_blanks(l, false);
	if (l->at == l->text.n || l->text.p[l->at] == '\n' || c_header(l))
		return;
	/* Behind the macro may stand a comment. */
	c_lexeme(l, LEX_OTHER, C_MACRO, (struct span){l->at, c_line_end(l, l->at)});
}

/* R"x(...)x", whose quote stands at l->at. */
static void c_raw(struct lexer *l)
{
	size_t at = l->at, open = at + 1, n;
	char close[20];

	while (open < l->text.n && open - at <= 17 && !strchr("() \\\n", l->text.p[open]))
		open++;
	n = open - at - 1;
	if (lexer_char_at(l, open) != '(') {
		l->at++;
		return;
	}
	close[0] = ')';
	memcpy(close + 1, l->text.p + at + 1, n);
	close[n + 1] = '"';
	l->at = str_find(l->text, (struct str){close, n + 2}, open);
	if (l->at == SIZE_MAX) {
		l->at = l->text.n;
		lexer_unended_string(l, at);
	} else {
		l->at += n + 2;
	}
}

static void c_read_word(struct lexer *l)
{
	bool begins = !l->c.inside, number = ascii_is_digit(l->text.p[l->at]);
	char buf[40], quote;
	struct str word = c_word(l, buf);
	size_t from;

	/* 1'000'000: each quote stands between digits. */
	while (number && lexer_char_at(l, l->at) == '\'' &&
	       ascii_is_alnum(lexer_char_at(l, l->at + 1))) {
		l->at++;
		c_word(l, buf);
	}
	quote = lexer_char_at(l, l->at);
	l->c.inside = !begins || !lexer_same(word, "export");
	if (quote == '"' && !number && word.n && word.p[word.n - 1] == 'R' && word.n <= 3)
		c_raw(l);
	if (!begins || !lexer_same(word, "import") || l->c.directive)
		return;
	/* A module of C++ or Objective-C. */
	c_blanks(l, true);
	if (c_header(l))
		return;
	from = l->at;
	while (lexer_is_word_byte(lexer_char_at(l, l->at)) || lexer_char_at(l, l->at) == '.' ||
	       lexer_char_at(l, l->at) == ':')
		l->at++;
	c_lexeme(l, LEX_WORD, C_NONE, (struct span){from, l->at});
	c_blanks(l, true);
	/* "import x = 1" and "import(x)" are other things of that name. */
	if (lexer_char_at(l, l->at) == ';' || lexer_char_at(l, l->at) == '[')
		l->c.import = C_MODULE;
}

/* Only what imports is a lexeme: of the rest nobody asks. */
bool lexer_next_c(struct lexer *l)
{
	l->c.import = C_NONE;
	while (l->c.import == C_NONE) {
		bool in_line;
		char x;

		c_blanks(l, true);
		if (l->at >= (l->c.stop ? l->c.stop : l->text.n))
			return false;
		x = l->text.p[l->at];
		in_line = l->c.in_line;
		l->c.in_line = true;
		if (!in_line && (x == '#' || lexer_is(l, l->at, "%:"))) {
			l->at += x == '#' ? 1 : 2;
			c_directive(l);
			l->c.inside = false;
		} else if (lexer_is_word_byte(x) || x == '$') {
			c_read_word(l);
		} else if (x == '"' || x == '\'') {
			size_t at = l->at;

			if (x == '"') {
				/* In "#error don't" and behind "#if 0" quotes are text. */
				if (!lexer_pass_string(l, false) && !l->c.directive)
					lexer_unended_string(l, at);
			} else if (at < l->c.no_character || !lexer_pass_string(l, false)) {
				/* No 'a', '\'' or L'ab', but the apostrophe of a text. */
				l->c.no_character = size_max(l->c.no_character, l->at);
				l->at = at + 1;
			}
			l->c.inside = true;
		} else {
			/* "@import" of Objective-C is a statement. */
			l->c.inside = !memchr(";{}@", x, 4);
			l->at++;
		}
	}
	return true;
}
