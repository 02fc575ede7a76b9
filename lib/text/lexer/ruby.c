/* The tokens of Ruby. What a "/", "%", "<<" or "?" is depends on the token before it. */
#include "lexer/lexer.h"

#define RUBY_OPEN_MAX   100000 /* strings and code that stand in each other */
#define RUBY_SHIFTS_MAX 64     /* each one reads the rest of the file */

/* ---- words ---- */

/* The state behind a word. Words that are no keywords name a method or a variable. */
static enum ruby_after ruby_after(struct str word)
{
	static const struct {
		const char *word;
		enum ruby_after state;
	} words[] = {
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

/* Behind a name. When it was defined: of "alias a b" another one follows. Else `after` holds. */
static void ruby_named(struct lexer *l, enum ruby_after after)
{
	if (l->ruby.after == RUBY_DEF) {
		after = l->ruby.names ? RUBY_DEF : RUBY_VALUE;
		l->ruby.names -= l->ruby.names > 0;
	}
	l->ruby.after = after;
}

static bool ruby_word(struct lexer *l)
{
	size_t from = l->at;
	enum ruby_after was = l->ruby.after;
	bool label;
	struct str word;
	char c, next;

	l->at = lexer_word_end(l, l->at);
	c = lexer_char_at(l, l->at);
	next = lexer_char_at(l, l->at + 1);
	/* "a?" and "a!" are names, "a != b" and "a ? b : c" are not. */
	if ((c == '?' || c == '!') &&
	    (next != '=' || lexer_is(l, l->at + 1, "==") || lexer_is(l, l->at + 1, "=>"))) {
		l->at++;
		c = next;
		next = lexer_char_at(l, l->at + 1);
	}
	word = lexer_slice(l, from, l->at);
	label = c == ':' && next != ':' && was != RUBY_DOT && was != RUBY_DEF;
	lexer_set_lexeme(l, LEX_WORD, from, l->at);
	l->now.label = label;
	l->now.dot = was == RUBY_DOT;
	l->now.defined = was == RUBY_DEF;
	if (was == RUBY_DEF) {
		l->ruby.def = l->ruby.def && c == '.';
		ruby_named(l, RUBY_VALUE);
	} else if (was == RUBY_DOT) {
		l->ruby.after = RUBY_NAME;
	} else if (label) {
		l->at++;
		l->ruby.after = RUBY_BEGIN;
	} else {
		l->ruby.after = ruby_after(word);
		l->ruby.def = lexer_same(word, "def");
		l->ruby.names = lexer_same(word, "alias");
	}
	return true;
}

/* "$a", "$1", "$/", "@a", "@@a" */
static bool ruby_variable(struct lexer *l)
{
	size_t from = l->at;

	l->at++;
	if (lexer_is(l, l->at, "@") || (l->text.p[from] == '$' && lexer_is(l, l->at, "-")))
		l->at++;
	if (lexer_is_word_byte(lexer_char_at(l, l->at)))
		l->at = lexer_word_end(l, l->at);
	else if (l->text.p[from] == '$' && l->at < l->text.n &&
		 !ascii_is_any_space(l->text.p[l->at]))
		l->at++;
	lexer_set_lexeme(l, LEX_OTHER, from, l->at);
	ruby_named(l, RUBY_VALUE);
	return true;
}

/* ---- strings, regular expressions, lists and here documents ---- */

static struct ruby_open *ruby_top(struct lexer *l)
{
	return l->ruby.open.n ? &l->ruby.open.p[l->ruby.open.n - 1] : NULL;
}

static void ruby_push(struct lexer *l, struct ruby_open o)
{
	*VEC_PUSH(l->a, &l->ruby.open) = o;
}

struct str ruby_string_content(struct lexer *l)
{
	struct str s = lexer_slice(l, l->now.at.from, l->now.at.to);
	struct buf b;

	if (!l->now.raw || str_find_char(s, '\\', 0) == SIZE_MAX)
		return lexer_unescape(l->a, s);
	b = buf_in(l->a);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n && (s.p[i + 1] == '\\' || s.p[i + 1] == '\''))
			i++;
		buf_putc(&b, s.p[i]);
	}
	return buf_as_str(&b);
}

/* At the end of a line: the text of its here documents follows. */
static void ruby_docs(struct lexer *l)
{
	struct ruby_open o = {
		.what = RUBY_DOC, .doc = l->ruby.docs_first, .first = l->ruby.docs_first};

	if (l->ruby.docs.n == l->ruby.docs_first)
		return;
	o.last = l->ruby.docs_first = l->ruby.docs.n;
	ruby_push(l, o);
}

static void ruby_begin_code(struct lexer *l)
{
	ruby_push(l, (struct ruby_open){.what = RUBY_CODE, .depth = l->ruby.braces, .at = l->at});
	l->ruby.braces = 0;
	l->at += 2;
	l->ruby.after = RUBY_BEGIN;
}

/* The text of a string. True: it has ended. */
static bool ruby_read_string(struct lexer *l, struct ruby_open *o)
{
	while (l->at < l->text.n) {
		char c = l->text.p[l->at];

		if (c == o->close && !o->depth--) {
			l->string_end = l->at++;
			return true;
		} else if (c == '\\') {
			l->at += 2;
		} else if (c == o->open && o->open != o->close) {
			o->depth++;
			l->at++;
		} else if (c == '#' && o->code && lexer_char_at(l, l->at + 1) == '{') {
			ruby_begin_code(l);
			return false;
		} else if (c == '\n' && l->ruby.docs.n > l->ruby.docs_first) {
			l->at++;
			ruby_docs(l);
			return false;
		} else {
			l->at++;
		}
	}
	l->at = l->text.n;
	lexer_unended_string(l, o->at);
	return true;
}

/* Whether the line at l->at ends the here document; then *next is behind it. */
static bool ruby_doc_ends(const struct lexer *l, const struct ruby_doc *d, size_t *next)
{
	size_t at = d->indented ? lexer_behind_blanks(l, l->at) : l->at, end = at + d->end.n;

	if (!str_eq(lexer_slice(l, at, end), d->end))
		return false;
	if (lexer_char_at(l, end) == '\r')
		end++;
	if (end < l->text.n && l->text.p[end] != '\n')
		return false;
	*next = size_min(end + 1, l->text.n);
	return true;
}

/* The text of a here document. True: it has ended. */
static bool ruby_read_doc(struct lexer *l, const struct ruby_open *o)
{
	const struct ruby_doc *d = &l->ruby.docs.p[o->doc];

	for (;;) {
		if ((!l->at || l->text.p[l->at - 1] == '\n') && ruby_doc_ends(l, d, &l->at))
			return true;
		if (l->at >= l->text.n)
			break;
		while (l->at < l->text.n && l->text.p[l->at] != '\n') {
			char next = lexer_char_at(l, l->at + 1);

			if (l->text.p[l->at] == '#' && next == '{' && d->code) {
				ruby_begin_code(l);
				return false;
			}
			l->at += l->text.p[l->at] == '\\' && next != '\n' && d->code ? 2 : 1;
		}
		l->at = size_min(l->at + 1, l->text.n);
		if (l->ruby.docs.n > l->ruby.docs_first) {
			ruby_docs(l);
			return false;
		}
	}
	lexer_unended(l, d->at, "the here document that begins here does not end");
	return true;
}

static void ruby_read_text(struct lexer *l)
{
	struct ruby_open *o = ruby_top(l);

	if (!o)
		BUG("no text of Ruby is open");
	if (o->what == RUBY_DOC) {
		if (!ruby_read_doc(l, o))
			return;
		/* The next here document of the same line, or the code behind the last one. */
		l->ruby.docs.n = o->last;
		if (++o->doc == o->last) {
			l->ruby.docs.n = l->ruby.docs_first = o->first;
			l->ruby.open.n--;
		}
	} else if (ruby_read_string(l, o)) {
		while (o->regex && lexer_is_word_byte(lexer_char_at(l, l->at)))
			l->at++;
		l->ruby.open.n--;
		l->ruby.after = RUBY_VALUE;
	}
}

static bool ruby_literal(struct lexer *l, size_t skip, char open, char close, bool code, bool regex)
{
	size_t from = size_min(l->at + skip, l->text.n), depth = l->ruby.open.n;

	ruby_push(l, (struct ruby_open){.what = RUBY_TEXT,
					.open = open,
					.close = close,
					.code = code,
					.regex = regex,
					.at = l->at});
	l->at = from;
	ruby_read_text(l);
	lexer_set_lexeme(l, LEX_STRING, from, size_max(from, l->at - (l->at > from)));
	l->now.raw = !code;
	l->now.program = regex || l->ruby.open.n > depth;
	return true;
}

/*
 * Whether a line ends the here document that <<name may begin behind a name. "list <<item" is a
 * here document unless list is a variable, and then no line has the word alone.
 */
static bool ruby_doc_has_end(struct lexer *l, const struct ruby_doc *d)
{
	struct str rest = lexer_slice(l, l->at, l->text.n), line;

	if (l->ruby.shifts == RUBY_SHIFTS_MAX)
		return true;
	while (str_next_line(&rest, &line))
		if (str_eq(line, d->end))
			return true;
	l->ruby.shifts++;
	return false;
}

/* A name with or without quotes; more than one character, or a letter, may stand in it. */
static bool ruby_doc_begin(struct lexer *l)
{
	struct ruby_doc d = {.code = true, .at = l->at};
	size_t at = l->at + 2, end;
	char c = lexer_char_at(l, at);

	if (c == '~' || c == '-') {
		d.indented = true;
		c = lexer_char_at(l, ++at);
	}
	if (c == '"' || c == '\'' || c == '`') {
		for (end = ++at; end < l->text.n && l->text.p[end] != c && l->text.p[end] != '\n';)
			end++;
		if (lexer_char_at(l, end) != c)
			return false;
		d.code = c != '\'';
		l->at = end + 1;
	} else {
		end = lexer_word_end(l, at);
		if (end == at || ascii_is_digit(c))
			return false;
		d.end = lexer_slice(l, at, end);
		if (l->ruby.after == RUBY_NAME && !d.indented && !ascii_is_upper(c) &&
		    !ruby_doc_has_end(l, &d))
			return false;
		l->at = end;
	}
	d.end = lexer_slice(l, at, end);
	*VEC_PUSH(l->a, &l->ruby.docs) = d;
	lexer_set_lexeme(l, LEX_STRING, at, end);
	l->now.program = true;
	l->ruby.after = RUBY_VALUE;
	return true;
}

/* ---- names of operators and symbols ---- */

/* The length of the operator at `at` that may name a method, or 0. */
static size_t ruby_operator(const struct lexer *l, size_t at)
{
	static const char *const names[] = {"[]=", "===", "<=>", "**", "==", "=~", "[]", "<<",
					    ">>",  "<=",  ">=",  "!=", "!~", "+@", "-@", "~@",
					    "!@",  "+",   "-",   "*",  "/",  "%",  "&",  "|",
					    "^",   "~",   "<",   ">",  "!",  "`"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (lexer_is(l, at, names[i]))
			return strlen(names[i]);
	return 0;
}

static bool ruby_symbol_is(struct lexer *l, size_t from)
{
	lexer_set_lexeme(l, LEX_SYMBOL, from, l->at);
	ruby_named(l, RUBY_VALUE);
	return true;
}

/* At ":". False: it is none of a symbol. */
static bool ruby_symbol(struct lexer *l, bool operand)
{
	size_t from = l->at, n;
	char c = lexer_char_at(l, from + 1);

	if (c == '"' || c == '\'') {
		ruby_literal(l, 2, c, c, c == '"', false);
		l->now.kind = LEX_SYMBOL;
		return true;
	}
	if (c == '$' || c == '@') {
		l->at++;
		ruby_variable(l);
		l->now.kind = LEX_SYMBOL;
		return true;
	}
	if (lexer_begins_name(c)) {
		l->at = lexer_word_end(l, from + 1);
		c = lexer_char_at(l, l->at);
		/* ":a?", ":a=", and ":a=>" which is ":a" and "=>" */
		if ((c == '?' || c == '!' || c == '=') &&
		    !memchr("=~>", lexer_char_at(l, l->at + 1), 3))
			l->at++;
		return ruby_symbol_is(l, from);
	}
	n = operand ? ruby_operator(l, from + 1) : 0;
	if (!n)
		return false;
	l->at += 1 + n;
	return ruby_symbol_is(l, from);
}

/* ---- literals ---- */

/* Behind the backslash of ?\n, ?\C-a, ?\M-\C-a, ?\u{1f600}, ?\x41. */
static size_t ruby_escape_end(const struct lexer *l, size_t at)
{
	while (lexer_is(l, at, "C-") || lexer_is(l, at, "M-"))
		at += lexer_char_at(l, at + 2) == '\\' ? 3 : 2;
	if (lexer_is(l, at, "u{")) {
		size_t most = at + 10;

		while (at < most && lexer_char_at(l, at) != '}')
			at++;
		return at + 1;
	}
	for (at++; lexer_is_word_byte(lexer_char_at(l, at));)
		at++;
	return at;
}

/* ?a, ?\n, ?あ: one character that no letter follows. */
static bool ruby_character(struct lexer *l)
{
	size_t at = l->at + 1, n;

	if (at >= l->text.n || ascii_is_any_space(l->text.p[at]))
		return false;
	if (l->text.p[at] == '\\') {
		at = ruby_escape_end(l, at + 1);
	} else {
		n = str_utf8_char(l->text.p + at, l->text.n - at, &(uint32_t){0});
		at += n ? n : 1;
		if (lexer_is_word_byte(l->text.p[at - 1]) &&
		    lexer_is_word_byte(lexer_char_at(l, at)))
			return false;
	}
	lexer_take_bytes(l, LEX_OTHER, size_min(at, l->text.n) - l->at);
	l->ruby.after = RUBY_VALUE;
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
static bool ruby_percent(struct lexer *l)
{
	char kind = lexer_char_at(l, l->at + 1), open = kind;
	size_t skip = 2;

	if (kind && memchr("qQwWiIxrs", kind, 9)) {
		open = lexer_char_at(l, l->at + 2);
		skip = 3;
	} else {
		kind = 'Q';
	}
	if (!open || lexer_is_word_byte(open) || ascii_is_any_space(open))
		return false;
	ruby_literal(l, skip, open, ruby_close(open), memchr("QWIxr", kind, 5) != NULL,
		     kind == 'r');
	l->now.program |= memchr("wWiIxs", kind, 6) != NULL;
	return true;
}

/* A "/" behind the name of a method begins a regular expression when the line has its end. */
static bool ruby_regex_ends(const struct lexer *l)
{
	size_t at = l->at + 1, most = size_min(l->at + 1000, l->text.n);

	for (; at < most && l->text.p[at] != '\n'; at++) {
		if (l->text.p[at] == '/')
			return true;
		at += l->text.p[at] == '\\';
	}
	return false;
}

/* The token that begins with a mark that may begin a literal. False: it is an operator. */
static bool ruby_literal_at(struct lexer *l, char c)
{
	char next = lexer_char_at(l, l->at + 1);
	bool name = l->ruby.after == RUBY_NAME;
	/* "a /b/" has an argument, "a / b" and "a/b" are divisions. */
	bool operand = l->ruby.after == RUBY_BEGIN || l->ruby.after == RUBY_CLASS ||
		       (name && l->now.blank && !ascii_is_any_space(next) && next != '=');

	switch (c) {
	case '"':
	case '`': return ruby_literal(l, 1, c, c, true, false);
	case '\'': return ruby_literal(l, 1, c, c, false, false);
	case '/':
		return operand && (!name || ruby_regex_ends(l)) &&
		       ruby_literal(l, 1, c, c, true, true);
	case '%': return operand && ruby_percent(l);
	case '?': return operand && ruby_character(l);
	case '<': return operand && l->ruby.after != RUBY_CLASS && next == '<' && ruby_doc_begin(l);
	case ':': return next != ':' && ruby_symbol(l, operand);
	default: return false;
	}
}

/* ---- marks ---- */

static bool ruby_punctuation(struct lexer *l, char c)
{
	struct ruby_open *o = ruby_top(l);
	size_t from = l->at, n = 1;

	l->ruby.after = c == ')' || c == ']' || c == '}' ? RUBY_VALUE : RUBY_BEGIN;
	if (c == '.' && lexer_char_at(l, from + 1) != '.') {
		l->ruby.after = l->ruby.def ? RUBY_DEF : RUBY_DOT;
	} else if (c == ':' && lexer_char_at(l, from + 1) == ':') {
		n = 2;
		l->ruby.after = RUBY_DOT;
	} else if (c == '.' || c == '<') {
		while (lexer_char_at(l, from + n) == c && n < 3)
			n++;
	} else if (c == '{') {
		l->ruby.braces++;
	} else if (c == '}' && l->ruby.braces) {
		l->ruby.braces--;
	} else if (c == '}' && o) {
		/* The code ends, and its string goes on. */
		l->ruby.braces = o->depth;
		l->ruby.open.n--;
	}
	l->ruby.def = l->ruby.def && l->ruby.after == RUBY_DEF;
	lexer_take_bytes(l, LEX_MARK, n);
	l->now.blank_next = ascii_is_any_space(lexer_char_at(l, l->at));
	return true;
}

/* ---- lines ---- */

/* A line that is no code. False: it is. */
static bool ruby_line(struct lexer *l)
{
	size_t from = l->at;

	/* "=begin" to "=end", at the beginning of a line. */
	if (lexer_is(l, l->at, "=begin") &&
	    (l->at + 6 == l->text.n || ascii_is_any_space(l->text.p[l->at + 6]))) {
		while (l->at < l->text.n) {
			l->at = size_min(lexer_find_byte(l, '\n', l->at) + 1, l->text.n);
			if (lexer_is(l, l->at, "=end") &&
			    (l->at + 4 == l->text.n || ascii_is_any_space(l->text.p[l->at + 4]))) {
				l->at = lexer_find_byte(l, '\n', l->at);
				return true;
			}
		}
		lexer_unended(l, from, "the comment that begins here does not end");
		return true;
	}
	if (lexer_is(l, l->at, "__END__") &&
	    (l->at + 7 == l->text.n || lexer_is(l, l->at + 7, "\n") ||
	     lexer_is(l, l->at + 7, "\r\n"))) {
		l->at = l->text.n;
		l->ruby.open.n = l->ruby.braces = 0;
		return true;
	}
	return false;
}

/* Passes over blanks and comments, up to the end of the line. */
static void ruby_blanks(struct lexer *l)
{
	while (l->at < l->text.n) {
		char c = l->text.p[l->at];

		if (c == '#')
			lexer_line_comment(l, 1);
		else if (c == '\\' &&
			 (lexer_is(l, l->at + 1, "\n") || lexer_is(l, l->at + 1, "\r\n")))
			l->at += lexer_char_at(l, l->at + 1) == '\r' ? 3 : 2;
		else if ((ascii_is_any_space(c) && c != '\n') || !c)
			l->at++;
		else if (!(c == '=' || c == '_') || (l->at && l->text.p[l->at - 1] != '\n') ||
			 !ruby_line(l))
			return;
		l->now.blank = true;
	}
}

/* The token at l->at, which is no blank. False: a line goes on there. */
static bool ruby_read(struct lexer *l, char c)
{
	size_t n;

	if (c == '\n') {
		l->at++;
		if (l->ruby.after == RUBY_DOT) { /* "a." goes on */
			ruby_docs(l);
			return false;
		}
		lexer_set_lexeme(l, LEX_LINE, l->at, l->at);
		l->ruby.after = RUBY_BEGIN;
		l->ruby.def = false;
		l->ruby.names = 0;
		ruby_docs(l);
		return true;
	}
	if (ascii_is_digit(c)) {
		size_t from = l->at;

		/* 1, 0x1f, 1_000, 1.5e-3 */
		while (lexer_is_word_byte(lexer_char_at(l, l->at)) ||
		       (lexer_char_at(l, l->at) == '.' &&
			ascii_is_digit(lexer_char_at(l, l->at + 1))))
			l->at++;
		lexer_set_lexeme(l, LEX_OTHER, from, l->at);
		l->ruby.after = RUBY_VALUE;
		return true;
	}
	if (lexer_is_word_byte(c))
		return ruby_word(l);
	if (c == '$' || c == '@')
		return ruby_variable(l);
	/* The name of an operator behind "def", "alias" or a dot: "def /(x)", "a./(b)". */
	if ((l->ruby.after == RUBY_DEF || l->ruby.after == RUBY_DOT) && c != ':' &&
	    (n = ruby_operator(l, l->at))) {
		lexer_take_bytes(l, LEX_OTHER, n);
		l->ruby.def = false;
		ruby_named(l, RUBY_NAME);
		return true;
	}
	return ruby_literal_at(l, c) || ruby_punctuation(l, c);
}

bool lexer_next_ruby(struct lexer *l)
{
	struct ruby_open *o;

	/* "a.b" and "a::b": the receiver of b is a. */
	if (l->ruby.after != RUBY_DOT)
		l->ruby.receiver = STR("");
	else if (l->now.kind == LEX_MARK)
		l->ruby.receiver = l->ruby.before;
	l->ruby.before = l->now.kind == LEX_WORD ? l->now.word : STR("");
	l->now.blank = false;
	for (;;) {
		while ((o = ruby_top(l)) && o->what != RUBY_CODE)
			ruby_read_text(l);
		if (l->ruby.open.n > RUBY_OPEN_MAX) {
			lexer_unended(l, l->at, "too much is open here: the rest is not read");
			l->at = l->text.n;
			l->ruby.open.n = 0;
			o = NULL;
		}
		ruby_blanks(l);
		if (l->at >= l->text.n)
			break;
		l->from = l->at;
		l->nested = l->ruby.open.n;
		if (ruby_read(l, l->text.p[l->at]))
			return true;
	}
	if (o)
		lexer_unended(l, o->at, "what begins here does not end");
	else if (l->ruby.braces)
		lexer_unended(l, l->text.n, "a brace is still open at the end of the file");
	return false;
}
