/*
 * C, C++ and Objective-C. A backslash before the end of a line joins it with the next one, wherever
 * it stands.
 */
#include "lexer/c.h"

/* The bytes of a joined line's end at `at`: 0, 2 or 3. */
static size_t c_splice(const struct lexer *r, size_t at)
{
	if (lexer_char(r, at) != '\\')
		return 0;
	if (lexer_char(r, at + 1) == '\n')
		return 2;
	return lexer_char(r, at + 1) == '\r' && lexer_char(r, at + 2) == '\n' ? 3 : 0;
}

/* The end of the line at `at`, behind all lines that are joined with it. */
static size_t c_line_end(const struct lexer *r, size_t at)
{
	size_t end = lexer_find(r, '\n', at);

	while (end < r->text.n && end > at &&
	       (r->text.p[end - 1] == '\\' ||
		(r->text.p[end - 1] == '\r' && end > at + 1 && r->text.p[end - 2] == '\\')))
		end = lexer_find(r, '\n', end + 1);
	return end;
}

/* Passes over blanks, comments and joined lines; `lines`: and over the ends of lines. */
static void c_blanks(struct c_lexer *c, bool lines)
{
	struct lexer *r = c->r;

	while (r->at < r->text.n) {
		char x = r->text.p[r->at];
		size_t n;

		/* Mostly a token begins here. */
		if ((unsigned char)x > ' ' && x != '/' && x != '\\')
			return;
		n = x == '\\' ? c_splice(r, r->at) : 0;
		if (n) {
			r->at += n;
		} else if (x == '/' && lexer_char(r, r->at + 1) == '/') {
			lexer_comment_to(r, 2, c_line_end(r, r->at));
		} else if (x == '/' && lexer_char(r, r->at + 1) == '*') {
			lexer_block_comment(r, "/*", "*/", false);
		} else if (x == '\n' && lines) {
			r->at++;
			c->line_start = true;
			c->directive = false;
		} else if (x != '\n' && (ascii_is_blank(x) || !x)) {
			r->at++;
		} else {
			return;
		}
	}
}

/* A word. When lines are joined in it: the text without the joins, at most 40 bytes of it. */
static struct str c_word(struct lexer *r, char *out)
{
	size_t n = 0, skip, from = r->at, end = from;

	while (end < r->text.n && (lexer_is_word(r->text.p[end]) || r->text.p[end] == '$'))
		end++;
	if (!c_splice(r, end)) {
		r->at = end;
		return lexer_slice(r, from, end);
	}
	while (r->at < r->text.n) {
		char x = r->text.p[r->at];

		skip = x == '\\' ? c_splice(r, r->at) : 0;
		if (!skip && !lexer_is_word(x) && x != '$')
			break;
		if (!skip && n < 40)
			out[n++] = x;
		r->at += skip ? skip : 1;
	}
	return (struct str){out, n};
}

static void c_lexeme(struct c_lexer *c, enum lexeme_kind kind, enum c_import import, struct span at)
{
	c->now = (struct lexeme){.kind = kind, .word = lexer_slice(c->r, at.from, at.to), .at = at};
	c->import = import;
}

/* "a.h" or <a.h> at r->at. False: neither. */
static bool c_header(struct c_lexer *c)
{
	struct lexer *r = c->r;
	char open = lexer_char(r, r->at), close = open == '<' ? '>' : '"';
	size_t from = r->at + 1, end = from;

	if (open != '<' && open != '"')
		return false;
	while (end < r->text.n && r->text.p[end] != close && r->text.p[end] != '\n')
		end++;
	if (end == r->text.n || r->text.p[end] == '\n') {
		lexer_unended(r, r->at, "the name of the header that begins here does not end");
		c_lexeme(c, LEX_OTHER, C_NONE, (struct span){from, from});
		r->at = end;
		return true;
	}
	c_lexeme(c, LEX_STRING, open == '<' ? C_SYSTEM : C_QUOTED, (struct span){from, end});
	r->at = end + 1;
	return true;
}

/* Behind "#" at the start of a line. */
static void c_directive(struct c_lexer *c)
{
	struct lexer *r = c->r;
	char word[40];
	struct str name;

	c->directive = true;
	c_blanks(c, false);
	name = c_word(r, word);
	if (!lexer_same(name, "include") && !lexer_same(name, "include_next") &&
	    !lexer_same(name, "import"))
		return;
	c_blanks(c, false);
	if (r->at == r->text.n || r->text.p[r->at] == '\n' || c_header(c))
		return;
	/* Behind the macro may stand a comment. */
	c_lexeme(c, LEX_OTHER, C_MACRO, (struct span){r->at, c_line_end(r, r->at)});
}

/* Behind the word "import" where a statement begins: a module of C++ or Objective-C. */
static void c_module(struct c_lexer *c)
{
	struct lexer *r = c->r;
	size_t from;

	c_blanks(c, true);
	if (c_header(c))
		return;
	from = r->at;
	while (lexer_is_word(lexer_char(r, r->at)) || lexer_char(r, r->at) == '.' ||
	       lexer_char(r, r->at) == ':')
		r->at++;
	c_lexeme(c, LEX_WORD, C_NONE, (struct span){from, r->at});
	c_blanks(c, true);
	/* "import x = 1" and "import(x)" are other things of that name. */
	if (lexer_char(r, r->at) == ';' || lexer_char(r, r->at) == '[')
		c->import = C_MODULE;
}

/* R"x(...)x", whose quote stands at r->at. */
static void c_raw(struct lexer *r)
{
	size_t at = r->at, open = at + 1, n;
	char close[20];

	while (open < r->text.n && open - at <= 17 && !strchr("() \\\n", r->text.p[open]))
		open++;
	n = open - at - 1;
	if (lexer_char(r, open) != '(') {
		r->at++;
		return;
	}
	close[0] = ')';
	memcpy(close + 1, r->text.p + at + 1, n);
	close[n + 1] = '"';
	r->at = str_find(r->text, (struct str){close, n + 2}, open);
	if (r->at == SIZE_MAX) {
		r->at = r->text.n;
		lexer_unended(r, at, "the string that begins here does not end");
	} else {
		r->at += n + 2;
	}
}

static void c_string(struct c_lexer *c)
{
	struct lexer *r = c->r;
	size_t at = r->at, stop, end = lexer_string_end(r, at, false, &stop);

	/* "#error don't" and text between "#if 0" and "#endif" have quotes of their own. */
	if (end == SIZE_MAX && r->text.p[at] == '"' && !c->directive)
		lexer_unended(r, at, "the string that begins here does not end");
	r->at = end == SIZE_MAX ? stop : end;
}

/* 'a', '\'' or L'ab'; one that does not end is the apostrophe of a text. */
static void c_character(struct c_lexer *c)
{
	struct lexer *r = c->r;
	size_t stop = 0, end = SIZE_MAX;

	if (r->at >= c->no_character)
		end = lexer_string_end(r, r->at, false, &stop);
	c->no_character = size_max(c->no_character, stop);
	r->at = end == SIZE_MAX ? r->at + 1 : end;
}

static void c_read_word(struct c_lexer *c)
{
	struct lexer *r = c->r;
	bool begins = c->begins, number = ascii_is_digit(r->text.p[r->at]);
	char buf[40], quote;
	size_t from = r->at;
	struct str word = c_word(r, buf);

	/* 1'000'000: each quote stands between digits. */
	while (number && lexer_char(r, r->at) == '\'' && ascii_is_alnum(lexer_char(r, r->at + 1))) {
		r->at++;
		c_word(r, buf);
	}
	quote = lexer_char(r, r->at);
	c_lexeme(c, LEX_WORD, C_NONE, (struct span){from, r->at});
	c->begins = begins && lexer_same(word, "export");
	if (quote == '"' && !number && word.n && word.p[word.n - 1] == 'R' && word.n <= 3)
		c_raw(r);
	else if (begins && lexer_same(word, "import") && !c->directive)
		c_module(c);
}

bool c_next(struct c_lexer *c)
{
	struct lexer *r = c->r;
	bool line_start;
	char x;

	c_blanks(c, true);
	if (r->at >= r->text.n) {
		c_lexeme(c, LEX_END, C_NONE, (struct span){r->at, r->at});
		return false;
	}
	x = r->text.p[r->at];
	line_start = c->line_start;
	c->line_start = false;
	c_lexeme(c, LEX_MARK, C_NONE, (struct span){r->at, r->at + 1});
	c->now.mark = x;
	if (line_start && (x == '#' || lexer_is(r, r->at, "%:"))) {
		r->at += x == '#' ? 1 : 2;
		c_directive(c);
		c->begins = true;
	} else if (lexer_is_word(x) || x == '$') {
		c_read_word(c);
	} else if (x == '"' || x == '\'') {
		c->now.kind = LEX_STRING;
		if (x == '"')
			c_string(c);
		else
			c_character(c);
		c->now.at.to = r->at;
		c->begins = false;
	} else {
		/* "@import" of Objective-C is a statement. */
		c->begins = x == ';' || x == '{' || x == '}' || x == '@';
		r->at++;
	}
	return true;
}

void lexer_skim_c(struct lexer *r)
{
	struct c_lexer c = c_of(r);

	while (c_next(&c))
		;
}
