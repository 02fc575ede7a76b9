/* The tokens of Ruby. What a "/", "%", "<<" or "?" is depends on the token before it. */
#include "lexer/ruby.h"

/* ---- words ---- */

struct ruby_keyword {
	const char *word;
	enum ruby_state state;
};

/* The state behind a word. Words that are no keywords name a method or a variable. */
static enum ruby_state ruby_after(struct str word)
{
	static const struct ruby_keyword words[] = {
		{"__FILE__", RUBY_VALUE}, {"__LINE__", RUBY_VALUE}, {"__dir__", RUBY_VALUE},
		{"alias", RUBY_DEF},      {"and", RUBY_BEGIN},      {"begin", RUBY_BEGIN},
		{"break", RUBY_BEGIN},    {"case", RUBY_BEGIN},     {"class", RUBY_CLASS},
		{"def", RUBY_DEF},        {"do", RUBY_BEGIN},       {"else", RUBY_BEGIN},
		{"elsif", RUBY_BEGIN},    {"end", RUBY_VALUE},      {"ensure", RUBY_BEGIN},
		{"false", RUBY_VALUE},    {"for", RUBY_BEGIN},      {"if", RUBY_BEGIN},
		{"in", RUBY_BEGIN},       {"module", RUBY_BEGIN},   {"next", RUBY_BEGIN},
		{"nil", RUBY_VALUE},      {"not", RUBY_BEGIN},      {"or", RUBY_BEGIN},
		{"redo", RUBY_VALUE},     {"rescue", RUBY_BEGIN},   {"retry", RUBY_VALUE},
		{"return", RUBY_BEGIN},   {"self", RUBY_VALUE},     {"then", RUBY_BEGIN},
		{"true", RUBY_VALUE},     {"undef", RUBY_DEF},      {"unless", RUBY_BEGIN},
		{"until", RUBY_BEGIN},    {"when", RUBY_BEGIN},     {"while", RUBY_BEGIN},
	};

	if (word.n > 8)
		return RUBY_NAME;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i].word[0] == word.p[0] && lexer_same(word, words[i].word))
			return words[i].state;
	return RUBY_NAME;
}

/* A name was defined: of "alias a b" another one follows. */
static void ruby_defined(struct ruby *y)
{
	y->state = y->names ? RUBY_DEF : RUBY_VALUE;
	y->names -= y->names > 0;
}

static bool ruby_word(struct ruby *y)
{
	struct lexer *r = y->r;
	size_t from = r->at;
	enum ruby_state was = y->state;
	bool blank = y->now.blank, label;
	struct str word;
	char c, next;

	while (lexer_is_word(lexer_char(r, r->at)) && r->at < r->text.n)
		r->at++;
	c = lexer_char(r, r->at);
	next = lexer_char(r, r->at + 1);
	/* "a?" and "a!" are names, "a != b" and "a ? b : c" are not. */
	if ((c == '?' || c == '!') &&
	    (next != '=' || lexer_is(r, r->at + 1, "==") || lexer_is(r, r->at + 1, "=>"))) {
		r->at++;
		c = next;
		next = lexer_char(r, r->at + 1);
	}
	word = lexer_slice(r, from, r->at);
	label = c == ':' && next != ':' && was != RUBY_DOT && was != RUBY_DEF;
	y->now = (struct lexeme){.kind = LEX_WORD,
				 .word = word,
				 .at = {from, r->at},
				 .label = label,
				 .dot = was == RUBY_DOT,
				 .defined = was == RUBY_DEF,
				 .blank = blank};
	if (was == RUBY_DEF) {
		y->def = y->def && c == '.';
		ruby_defined(y);
	} else if (was == RUBY_DOT) {
		y->state = RUBY_NAME;
	} else if (label) {
		r->at++;
		y->state = RUBY_BEGIN;
	} else {
		y->state = ruby_after(word);
		y->def = lexer_same(word, "def");
		y->names = lexer_same(word, "alias");
	}
	return true;
}

/* "$a", "$1", "$/", "@a", "@@a" */
static bool ruby_variable(struct ruby *y)
{
	struct lexer *r = y->r;
	size_t from = r->at;

	r->at++;
	if (lexer_is(r, r->at, "@") || (r->text.p[from] == '$' && lexer_is(r, r->at, "-")))
		r->at++;
	if (lexer_is_word(lexer_char(r, r->at)))
		while (r->at < r->text.n && lexer_is_word(r->text.p[r->at]))
			r->at++;
	else if (r->text.p[from] == '$' && r->at < r->text.n && !ascii_is_blank(r->text.p[r->at]))
		r->at++;
	y->now = (struct lexeme){
		.kind = LEX_OTHER, .word = {"", 0}, .at = {from, r->at}, .blank = y->now.blank};
	if (y->state == RUBY_DEF)
		ruby_defined(y);
	else
		y->state = RUBY_VALUE;
	return true;
}

/* 1, 0x1f, 1_000, 1.5e-3 */
static bool ruby_number(struct ruby *y)
{
	struct lexer *r = y->r;
	size_t from = r->at;

	while (lexer_is_word(lexer_char(r, r->at)) ||
	       (lexer_char(r, r->at) == '.' && ascii_is_digit(lexer_char(r, r->at + 1))))
		r->at++;
	y->now = (struct lexeme){
		.kind = LEX_OTHER, .word = {"", 0}, .at = {from, r->at}, .blank = y->now.blank};
	y->state = RUBY_VALUE;
	return true;
}

/* ---- names of operators and symbols ---- */

/* The length of the operator at `at` that may name a method, or 0. */
static size_t ruby_operator(const struct lexer *r, size_t at)
{
	static const char *const names[] = {"[]=", "===", "<=>", "**", "==", "=~", "[]", "<<",
					    ">>",  "<=",  ">=",  "!=", "!~", "+@", "-@", "~@",
					    "!@",  "+",   "-",   "*",  "/",  "%",  "&",  "|",
					    "^",   "~",   "<",   ">",  "!",  "`"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (lexer_is(r, at, names[i]))
			return strlen(names[i]);
	return 0;
}

static bool ruby_symbol_is(struct ruby *y, size_t from)
{
	y->now = (struct lexeme){
		.kind = LEX_SYMBOL, .word = {"", 0}, .at = {from, y->r->at}, .blank = y->now.blank};
	if (y->state == RUBY_DEF)
		ruby_defined(y);
	else
		y->state = RUBY_VALUE;
	return true;
}

/* At ":". False: it is none of a symbol. */
static bool ruby_symbol(struct ruby *y, bool operand)
{
	struct lexer *r = y->r;
	size_t from = r->at, n;
	char c = lexer_char(r, from + 1);

	if (c == '"' || c == '\'') {
		ruby_literal(y, 2, c, c, c == '"', false);
		y->now.kind = LEX_SYMBOL;
		return true;
	}
	if (c == '$' || c == '@') {
		r->at++;
		ruby_variable(y);
		y->now.kind = LEX_SYMBOL;
		return true;
	}
	if (lexer_is_word(c) && !ascii_is_digit(c)) {
		for (r->at++; lexer_is_word(lexer_char(r, r->at));)
			r->at++;
		c = lexer_char(r, r->at);
		/* ":a?", ":a=", and ":a=>" which is ":a" and "=>" */
		if ((c == '?' || c == '!' || c == '=') &&
		    !memchr("=~>", lexer_char(r, r->at + 1), 3))
			r->at++;
		return ruby_symbol_is(y, from);
	}
	n = operand ? ruby_operator(r, from + 1) : 0;
	if (!n)
		return false;
	r->at += 1 + n;
	return ruby_symbol_is(y, from);
}

/* ---- literals ---- */

/* Behind the backslash of ?\n, ?\C-a, ?\M-\C-a, ?\u{1f600}, ?\x41. */
static size_t ruby_escape_end(const struct lexer *r, size_t at)
{
	while (lexer_is(r, at, "C-") || lexer_is(r, at, "M-"))
		at += lexer_char(r, at + 2) == '\\' ? 3 : 2;
	if (lexer_is(r, at, "u{")) {
		size_t most = at + 10;

		while (at < most && lexer_char(r, at) != '}')
			at++;
		return at + 1;
	}
	for (at++; lexer_is_word(lexer_char(r, at));)
		at++;
	return at;
}

/* ?a, ?\n, ?あ: one character that no letter follows. */
static bool ruby_character(struct ruby *y)
{
	struct lexer *r = y->r;
	size_t at = r->at + 1, n;

	if (at >= r->text.n || ascii_is_blank(r->text.p[at]))
		return false;
	if (r->text.p[at] == '\\') {
		at = ruby_escape_end(r, at + 1);
	} else {
		n = str_utf8_char(r->text.p + at, r->text.n - at, &(uint32_t){0});
		at += n ? n : 1;
		if (lexer_is_word(r->text.p[at - 1]) && lexer_is_word(lexer_char(r, at)))
			return false;
	}
	y->now = (struct lexeme){.kind = LEX_OTHER,
				 .word = {"", 0},
				 .at = {r->at, size_min(at, r->text.n)},
				 .blank = y->now.blank};
	r->at = size_min(at, r->text.n);
	y->state = RUBY_VALUE;
	return true;
}

static char ruby_close(char open)
{
	switch (open) {
	case '(': return ')';
	case '[': return ']';
	case '{': return '}';
	case '<': return '>';
	default: return open;
	}
}

/* %w[a b], %(a), %r{a}i. False: the "%" is an operator. */
static bool ruby_percent(struct ruby *y)
{
	struct lexer *r = y->r;
	char kind = lexer_char(r, r->at + 1), open = kind;
	size_t skip = 2;

	if (kind && memchr("qQwWiIxrs", kind, 9)) {
		open = lexer_char(r, r->at + 2);
		skip = 3;
	} else {
		kind = 'Q';
	}
	if (!open || lexer_is_word(open) || ascii_is_blank(open))
		return false;
	ruby_literal(y, skip, open, ruby_close(open), memchr("QWIxr", kind, 5) != NULL,
		     kind == 'r');
	y->now.program |= memchr("wWiIxs", kind, 6) != NULL;
	return true;
}

/* A "/" behind the name of a method begins a regular expression when the line has its end. */
static bool ruby_regex_ends(const struct lexer *r)
{
	size_t at = r->at + 1, most = size_min(r->at + 1000, r->text.n);

	for (; at < most && r->text.p[at] != '\n'; at++) {
		if (r->text.p[at] == '/')
			return true;
		at += r->text.p[at] == '\\';
	}
	return false;
}

/* The token that begins with a mark that may begin a literal. False: it is an operator. */
static bool ruby_literal_at(struct ruby *y, char c)
{
	struct lexer *r = y->r;
	char next = lexer_char(r, r->at + 1);
	bool name = y->state == RUBY_NAME;
	/* "a /b/" has an argument, "a / b" and "a/b" are divisions. */
	bool operand = y->state == RUBY_BEGIN || y->state == RUBY_CLASS ||
		       (name && y->now.blank && !ascii_is_blank(next) && next != '=');

	switch (c) {
	case '"':
	case '`': return ruby_literal(y, 1, c, c, true, false);
	case '\'': return ruby_literal(y, 1, c, c, false, false);
	case '/':
		return operand && (!name || ruby_regex_ends(r)) &&
		       ruby_literal(y, 1, c, c, true, true);
	case '%': return operand && ruby_percent(y);
	case '?': return operand && ruby_character(y);
	case '<': return operand && y->state != RUBY_CLASS && next == '<' && ruby_doc_begin(y);
	case ':': return next != ':' && ruby_symbol(y, operand);
	default: return false;
	}
}

/* ---- marks ---- */

static bool ruby_punctuation(struct ruby *y, char c)
{
	struct lexer *r = y->r;
	struct ruby_open *o = ruby_top(y);
	size_t from = r->at, n = 1;

	y->state = c == ')' || c == ']' || c == '}' ? RUBY_VALUE : RUBY_BEGIN;
	if (c == '.' && lexer_char(r, from + 1) != '.') {
		y->state = y->def ? RUBY_DEF : RUBY_DOT;
	} else if (c == ':' && lexer_char(r, from + 1) == ':') {
		n = 2;
		y->state = RUBY_DOT;
	} else if (c == '.' || c == '<') {
		while (lexer_char(r, from + n) == c && n < 3)
			n++;
	} else if (c == '{') {
		y->braces++;
	} else if (c == '}' && y->braces) {
		y->braces--;
	} else if (c == '}' && o) {
		/* The code ends, and its string goes on. */
		y->braces = o->depth;
		y->open.n--;
	}
	y->def = y->def && y->state == RUBY_DEF;
	r->at += n;
	y->now = (struct lexeme){.kind = LEX_MARK,
				 .mark = c,
				 .word = {"", 0},
				 .at = {from, from + n},
				 .blank = y->now.blank,
				 .blank_next = ascii_is_blank(lexer_char(r, r->at))};
	return true;
}

/* The name of an operator behind "def", "alias" or a dot: "def /(x)", "a./(b)". */
static bool ruby_operator_name(struct ruby *y, char c)
{
	struct lexer *r = y->r;
	size_t n = c == ':' ? 0 : ruby_operator(r, r->at);

	if (!n)
		return false;
	y->now = (struct lexeme){.kind = LEX_OTHER,
				 .word = {"", 0},
				 .at = {r->at, r->at + n},
				 .blank = y->now.blank};
	r->at += n;
	y->def = false;
	if (y->state == RUBY_DEF)
		ruby_defined(y);
	else
		y->state = RUBY_NAME;
	return true;
}

/* ---- lines ---- */

/* "=begin" to "=end", at the beginning of a line. */
static void ruby_comment(struct ruby *y)
{
	struct lexer *r = y->r;
	size_t from = r->at;

	while (r->at < r->text.n) {
		r->at = size_min(lexer_find(r, '\n', r->at) + 1, r->text.n);
		if (lexer_is(r, r->at, "=end") &&
		    (r->at + 4 == r->text.n || ascii_is_blank(r->text.p[r->at + 4]))) {
			r->at = lexer_find(r, '\n', r->at);
			return;
		}
	}
	lexer_unended(r, from, "the comment that begins here does not end");
}

/* A line that is no code. False: it is. */
static bool ruby_line(struct ruby *y)
{
	struct lexer *r = y->r;

	if (lexer_is(r, r->at, "=begin") &&
	    (r->at + 6 == r->text.n || ascii_is_blank(r->text.p[r->at + 6]))) {
		ruby_comment(y);
		return true;
	}
	if (lexer_is(r, r->at, "__END__") &&
	    (r->at + 7 == r->text.n || lexer_is(r, r->at + 7, "\n") ||
	     lexer_is(r, r->at + 7, "\r\n"))) {
		r->at = r->text.n;
		y->open.n = y->braces = 0;
		return true;
	}
	return false;
}

/* Passes over blanks and comments, up to the end of the line. */
static void ruby_blanks(struct ruby *y)
{
	struct lexer *r = y->r;

	while (r->at < r->text.n) {
		char c = r->text.p[r->at];

		if (c == '#')
			lexer_line_comment(r, 1);
		else if (c == '\\' &&
			 (lexer_is(r, r->at + 1, "\n") || lexer_is(r, r->at + 1, "\r\n")))
			r->at += lexer_char(r, r->at + 1) == '\r' ? 3 : 2;
		else if ((ascii_is_blank(c) && c != '\n') || !c)
			r->at++;
		else if (!(c == '=' || c == '_') || (r->at && r->text.p[r->at - 1] != '\n') ||
			 !ruby_line(y))
			return;
		y->now.blank = true;
	}
}

/* The token at r->at, which is no blank. False: a line goes on there. */
static bool ruby_read(struct ruby *y, char c)
{
	struct lexer *r = y->r;

	if (c == '\n') {
		r->at++;
		if (y->state == RUBY_DOT) { /* "a." goes on */
			ruby_docs(y);
			return false;
		}
		y->now = (struct lexeme){.kind = LEX_LINE, .word = {"", 0}, .at = {r->at, r->at}};
		y->state = RUBY_BEGIN;
		y->def = false;
		y->names = 0;
		ruby_docs(y);
		return true;
	}
	if (ascii_is_digit(c))
		return ruby_number(y);
	if (lexer_is_word(c))
		return ruby_word(y);
	if (c == '$' || c == '@')
		return ruby_variable(y);
	if ((y->state == RUBY_DEF || y->state == RUBY_DOT) && ruby_operator_name(y, c))
		return true;
	return ruby_literal_at(y, c) || ruby_punctuation(y, c);
}

bool ruby_next(struct ruby *y)
{
	struct lexer *r = y->r;
	struct ruby_open *o;

	/* "a.b" and "a::b": the receiver of b is a. */
	if (y->state != RUBY_DOT)
		y->receiver = STR("");
	else if (y->now.kind == LEX_MARK)
		y->receiver = y->before;
	y->before = y->now.kind == LEX_WORD ? y->now.word : STR("");
	y->now.blank = false;
	for (;;) {
		while ((o = ruby_top(y)) && o->what != RUBY_CODE)
			ruby_read_text(y);
		if (y->open.n > RUBY_OPEN_MAX) {
			lexer_unknown(r, (struct span){r->at, size_min(r->at + 40, r->text.n)},
				      "too much is open here: the rest is not read");
			r->at = r->text.n;
			y->open.n = 0;
			o = NULL;
			r->told = true;
		}
		ruby_blanks(y);
		if (r->at >= r->text.n)
			break;
		r->from = r->at;
		r->nested = y->open.n;
		if (ruby_read(y, r->text.p[r->at]))
			return true;
	}
	if (o)
		lexer_unended(r, o->at, "what begins here does not end");
	else if (y->braces)
		lexer_unended(r, r->text.n, "a brace is still open at the end of the file");
	r->nested = 0;
	y->now = (struct lexeme){.kind = LEX_END, .word = {"", 0}, .at = {r->at, r->at}};
	return false;
}

void lexer_skim_ruby(struct lexer *r)
{
	struct ruby y = ruby_of(r);

	while (ruby_next(&y))
		;
}
