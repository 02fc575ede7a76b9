/* The strings, words and marks that the languages of token.h share. */
#include "lexer/lexeme.h"

/* ---- strings ---- */

unsigned lexeme_run(const struct lexer *r, size_t at, char c)
{
	unsigned n = 0;

	while (lexer_char(r, at + n) == c && at + n < r->text.n)
		n++;
	return n;
}

static bool lexeme_begins_name(char c)
{
	return lexer_is_word(c) && !ascii_is_digit(c);
}

/* Whether code begins at `at` in the text of a string; *n is how long its beginning is. */
static bool lexeme_code(const struct lexer *r, const struct lexeme_string *s, size_t at, size_t *n)
{
	if (!s->code)
		return false;
	if (s->open == '(') { /* \(code), with as many # as the string has */
		*n = 2 + s->hashes;
		return r->text.p[at] == '\\' && lexeme_run(r, at + 1, '#') >= s->hashes &&
		       lexer_char(r, at + 1 + s->hashes) == '(';
	}
	if (s->dollars) { /* {code}, with as many braces as the string has $; others are text */
		unsigned braces = lexeme_run(r, at, '{');

		*n = braces;
		return braces && braces % (2 * s->dollars) >= s->dollars;
	}
	*n = 2;
	return lexer_char(r, at + 1) == '{' && r->text.p[at] && strchr(s->marks, r->text.p[at]);
}

/*
 * Reads the text of the string on top from r->at, up to its end or to code in it. False: code
 * follows.
 */
static bool lexeme_string_text(struct lexemes *t, struct lexeme_string *s, size_t *end)
{
	struct lexer *r = t->r;

	while (r->at < r->text.n) {
		char c = r->text.p[r->at];
		size_t n;

		if (c == s->quote && s->doubles && lexer_char(r, r->at + 1) == c) {
			r->at += 2;
		} else if (c == s->quote) {
			unsigned run = s->quotes == 1 && !s->hashes ? 1 : lexeme_run(r, r->at, c);

			if (run >= s->quotes && lexeme_run(r, r->at + run, '#') >= s->hashes) {
				/* """a"""" and #"a""# end with their last quotes. */
				*end = r->at + run - s->quotes;
				r->at += run + s->hashes;
				r->string_end = *end;
				return true;
			}
			r->at += run;
		} else if (lexeme_code(r, s, r->at, &n)) {
			r->at += n;
			return false;
		} else if (c == '$' && s->prefixed && memchr("$\"", lexer_char(r, r->at + 1), 2)) {
			r->at += 2;
		} else if (c == '\\' && s->prefixed && s->escapes &&
			   !memchr("\\\"", lexer_char(r, r->at + 1), 2)) {
			r->at++; /* "\${code}" of Scala has code */
		} else if (c == '{' && s->dollars) {
			r->at += lexeme_run(r, r->at, '{');
		} else if (c == '\\' && s->escapes && lexeme_run(r, r->at + 1, '#') >= s->hashes) {
			r->at += 2 + s->hashes;
		} else if (c == '\n' && !s->lines) {
			break;
		} else if (c == '$' && s->names && lexeme_begins_name(lexer_char(r, r->at + 1))) {
			s->computed = true;
			r->at++;
		} else {
			r->at++;
		}
	}
	r->at = size_min(r->at, r->text.n);
	*end = r->at;
	s->unended = true;
	lexer_unended(r, s->at, "the string that begins here does not end");
	return true;
}

static bool lexeme_text(struct lexemes *t, struct lexeme_string *s, size_t *end)
{
	bool ends = s->xml ? lexeme_xml_text(t->r, s) : lexeme_string_text(t, s, end);

	if (s->xml)
		*end = t->r->at;
	return ends;
}

static bool lexeme_string(struct lexemes *t, struct lexeme_string s, size_t skip)
{
	struct lexer *r = t->r;
	size_t from = r->at + skip, end = from;

	s.at = r->at;
	r->at = size_min(from, r->text.n);
	t->now = (struct lexeme){.kind = LEX_STRING, .word = {"", 0}};
	t->now.program = !lexeme_text(t, &s, &end);
	if (t->now.program) {
		end = r->at;
		*VEC_PUSH(r->a, &t->strings) = s;
	}
	t->now.program |= s.computed;
	t->now.raw = !s.escapes;
	from = size_min(from, r->text.n);
	t->now.at = (struct span){from, size_max(from, size_min(end, r->text.n))};
	if (s.unended) {
		t->now.kind = LEX_MARK;
		t->now.mark = ';';
	}
	return true;
}

/*
 * Whether """ begins text of several lines. In Swift #"""# is the text of one quote: the string
 * ends on its line.
 */
static bool lexeme_is_triple(const struct lexemes *t, const struct lexeme_string *s, size_t at)
{
	const struct lexer *r = t->r;

	if (!(t->flags & T_TRIPLE) || s->doubles || lexeme_run(r, at, s->quote) < 3)
		return false;
	if (!(t->flags & T_SWIFT) || !s->hashes)
		return true;
	/* No look ahead to the end of the line: it may be the end of a large text. */
	for (at++; at < r->text.n && r->text.p[at] != '\n'; at++)
		if (r->text.p[at] == '"' && lexeme_run(r, at + 1, '#') >= s->hashes)
			return false;
	return true;
}

/* The quote at r->at + skip begins a string; what stands before is its prefix. */
static bool lexeme_quote(struct lexemes *t, size_t skip, struct lexeme_string s)
{
	struct lexer *r = t->r;

	s.quotes = 1;
	s.quote = lexer_char(r, r->at + skip);
	s.marks = t->flags & T_HCL ? "$%" : t->flags & T_ELIXIR ? "#" : "$";
	if (lexeme_is_triple(t, &s, r->at + skip)) {
		s.quotes = t->flags & T_CSHARP ? lexeme_run(r, r->at + skip, '"') : 3;
		s.lines = true;
		s.escapes = (t->flags & T_ESCAPES) && !(t->flags & T_RUST);
	}
	return lexeme_string(t, s, skip + s.quotes);
}

/* 'x', '\n', '\u{1f600}'; else a lifetime, a symbol or a mistake, of which only the quote is read.
 */
static void lexeme_character(struct lexemes *t)
{
	struct lexer *r = t->r;
	size_t at = r->at + 1, most = size_min(at + 12, r->text.n);

	if (lexer_char(r, at) == '\\') {
		for (at += 2; at < most && r->text.p[at] != '\'' && r->text.p[at] != '\n';)
			at++;
	} else {
		size_t n = at < r->text.n
				   ? str_utf8_char(r->text.p + at, r->text.n - at, &(uint32_t){0})
				   : 0;

		at += n ? n : 1;
	}
	if (lexer_char(r, at) == '\'') {
		r->at = at + 1;
		return;
	}
	/* 'import is a symbol of Scala. */
	for (r->at++; (t->flags & T_SCALA) && lexer_is_word(lexer_char(r, r->at));)
		r->at++;
}

/* ---- words and marks ---- */

/* @"...", $"...", $@"..." and $$""" of C#. Marks without a string are one token. */
static bool lexeme_prefixed_csharp(struct lexemes *t)
{
	struct lexer *r = t->r;
	struct lexeme_string s = {.open = '{', .close = '}'};
	size_t at = r->at;
	bool verbatim = false;

	for (; lexer_char(r, at) == '$' || lexer_char(r, at) == '@'; at++) {
		s.dollars += r->text.p[at] == '$';
		verbatim |= r->text.p[at] == '@';
	}
	if (lexer_char(r, at) != '"') {
		t->now = (struct lexeme){
			.kind = LEX_MARK, .mark = '@', .word = {"", 0}, .at = {r->at, at}};
		r->at = at;
		return true;
	}
	s.code = s.dollars > 0;
	s.doubles = s.lines = verbatim;
	s.escapes = !verbatim;
	return lexeme_quote(t, at - r->at, s);
}

static bool lexeme_prefixed(struct lexemes *t)
{
	struct lexer *r = t->r;
	struct lexeme_string s = {.open = '{', .close = '}'};
	size_t at = r->at;
	unsigned hashes;

	if (t->flags & T_RUST) {
		if (lexer_char(r, at) == 'b' || lexer_char(r, at) == 'c')
			at++;
		if (lexer_char(r, at) != 'r')
			return false;
		at++;
	}
	hashes = lexeme_run(r, at, '#');
	if (lexer_char(r, at + hashes) != '"' || (!hashes && !(t->flags & T_RUST)))
		return false;
	s.hashes = hashes;
	s.lines = (t->flags & T_RUST) != 0;
	s.code = s.escapes = (t->flags & T_SWIFT) != 0;
	s.open = '(';
	s.close = ')';
	return lexeme_quote(t, at - r->at + hashes, s);
}

static bool lexeme_word(struct lexemes *t)
{
	struct lexer *r = t->r;
	size_t from = r->at;

	/* r#type is the word "type". */
	if ((t->flags & T_RUST) && lexer_is(r, from, "r#") &&
	    lexer_is_word(lexer_char(r, from + 2)))
		r->at = from += 2;
	while (r->at < r->text.n && (lexer_is_word(r->text.p[r->at]) ||
				     (r->text.p[r->at] == '$' && !(t->flags & T_CSHARP)) ||
				     (r->text.p[r->at] == '-' && (t->flags & T_HCL))))
		r->at++;
	t->now = (struct lexeme){
		.kind = LEX_WORD, .word = lexer_slice(r, from, r->at), .at = {from, r->at}};
	t->word_before = lexer_char(r, r->at) == '"';
	return true;
}

/* `a b`: a string of Go, a word of the others. */
static bool lexeme_backtick(struct lexemes *t)
{
	struct lexer *r = t->r;
	size_t from = r->at + 1, end = lexer_find(r, '`', from);

	if (end == r->text.n) {
		lexer_unended(r, r->at, "the text that begins here does not end");
		end = size_max(end, from);
	}
	end = size_min(end, r->text.n);
	from = size_min(from, r->text.n);
	t->now = (struct lexeme){.kind = t->flags & T_NAME ? LEX_WORD : LEX_STRING,
				 .word = lexer_slice(r, from, end),
				 .quoted = true,
				 .at = {from, end}};
	r->at = size_min(end + 1, r->text.n);
	return true;
}

static bool lexeme_plain_string(struct lexemes *t)
{
	bool swift = t->flags & T_SWIFT, prefixed = (t->flags & T_SCALA) && t->word_before;
	bool code = (t->flags & (T_ELIXIR | T_HCL)) ||
		    ((t->flags & T_DOLLAR) && t->r->text.p[t->r->at] == '"');
	struct lexeme_string s = {
		.escapes = true,
		.lines = (t->flags & T_LINES) != 0,
		.code = swift || prefixed || code,
		.names = code && (t->flags & T_DOLLAR),
		.prefixed = prefixed,
		.open = swift ? '(' : '{',
		.close = swift ? ')' : '}',
	};

	t->word_before = false;
	return lexeme_quote(t, 0, s);
}

/* "{a:N2}": in C# text stands behind a colon, up to the end of the code. */
static bool lexeme_format(struct lexemes *t, struct lexeme_string *s, char c)
{
	struct lexer *r = t->r;

	if (c == '(' || c == '[')
		s->parens++;
	else if ((c == ')' || c == ']') && s->parens)
		s->parens--;
	if (c != ':' || s->depth || s->parens)
		return false;
	while (r->at < r->text.n && r->text.p[r->at] != '}' && r->text.p[r->at] != '"' &&
	       (r->text.p[r->at] != '\n' || s->lines))
		r->at++;
	return true;
}

/* False: code of a string ended, which is no token. */
static bool lexeme_punctuation(struct lexemes *t)
{
	struct lexer *r = t->r;
	struct lexeme_string *s = t->strings.n ? &t->strings.p[t->strings.n - 1] : NULL;
	char c = r->text.p[r->at];
	size_t end;

	if (s && s->dollars && lexeme_format(t, s, c))
		return false;
	if (s && c == s->open)
		s->depth++;
	if (s && c == s->close && !s->depth--) {
		/* The code ends, and the text of the string goes on. */
		struct lexeme_string one = *s;

		r->at += size_max(one.open == '{' ? one.dollars : 1, 1);
		r->at = size_min(r->at, r->text.n);
		t->strings.n--;
		if (!lexeme_text(t, &one, &end)) {
			one.depth = one.parens = 0;
			*VEC_PUSH(r->a, &t->strings) = one;
		}
		return false;
	}
	t->now = (struct lexeme){
		.kind = LEX_MARK, .mark = c, .word = {"", 0}, .at = {r->at, r->at + 1}};
	r->at++;
	return true;
}

/* Passes over blanks and comments. */
static void lexeme_blanks(struct lexemes *t)
{
	struct lexer *r = t->r;

	while (r->at < r->text.n) {
		char c = r->text.p[r->at];

		if (c == '/' && lexer_char(r, r->at + 1) == '/' && !(t->flags & T_ELIXIR))
			lexer_line_comment(r, 2);
		else if (c == '#' && (t->flags & T_HASH))
			lexer_line_comment(r, 1);
		else if (c == '/' && lexer_char(r, r->at + 1) == '*' && !(t->flags & T_ELIXIR))
			lexer_block_comment(r, "/*", "*/", t->flags & T_NESTED);
		else if (!c || (ascii_is_blank(c) && !(c == '\n' && (t->flags & T_NEWLINE))))
			r->at++;
		else
			return;
		t->word_before = false;
	}
}

/* A line of C# that begins with "#": its text is no code. */
static bool lexeme_directive(const struct lexer *r)
{
	size_t at = r->at;

	while (at && (r->text.p[at - 1] == ' ' || r->text.p[at - 1] == '\t'))
		at--;
	return !at || r->text.p[at - 1] == '\n' || (at == 3 && !ascii_is_blank(r->text.p[2]));
}

/* A string whose text is from `from` to `to`, and which ends at `end`. */
static bool lexeme_passed(struct lexemes *t, size_t from, size_t to, size_t end)
{
	t->now = (struct lexeme){
		.kind = LEX_STRING, .word = {"", 0}, .at = {from, to}, .program = true};
	t->r->at = end;
	return true;
}

/* Groovy: /.../ on one line and $/.../$. False: a division or a name. */
static bool lexeme_slashy(struct lexemes *t)
{
	struct lexer *r = t->r;
	bool dollar = r->text.p[r->at] == '$',
	     value = t->now.kind == LEX_WORD || t->now.kind == LEX_STRING ||
		     (t->now.kind == LEX_MARK && t->now.mark && strchr(")]}", t->now.mark));
	size_t from = r->at + 1 + dollar, end;

	if (value || (dollar && lexer_char(r, r->at + 1) != '/'))
		return false;
	if (dollar) {
		end = str_find(r->text, STR("/$"), from);
		return end != SIZE_MAX && lexeme_passed(t, from, end, end + 2);
	}
	if (r->at < t->no_regex_line.to)
		return false;
	for (end = from; end < r->text.n && r->text.p[end] != '\n'; end++) {
		if (r->text.p[end] == '/')
			return lexeme_passed(t, from, end, end + 1);
		end += r->text.p[end] == '\\';
	}
	t->no_regex_line.to = end;
	return false;
}

/* Elixir: ~w(a b), ~s"x", ~S""" and the characters ?" and ?\s. */
static bool lexeme_sigil(struct lexemes *t, char c)
{
	static const char opens[] = "([{</|\"'", closes[] = ")]}>/|\"'";
	struct lexer *r = t->r;
	char before = r->at ? r->text.p[r->at - 1] : 0, close[4] = {0};
	const char *open;
	size_t from = r->at + 1, end;

	if (c == '?' && !lexer_is_word(before)) {
		r->at = size_min(r->at + 2 + (lexer_char(r, from) == '\\'), r->text.n);
		t->now = (struct lexeme){.kind = LEX_END, .word = {"", 0}};
		return true;
	}
	while (c == '~' && ascii_is_letter(lexer_char(r, from)))
		from++;
	open = from > r->at + 1 && lexer_char(r, from) ? strchr(opens, r->text.p[from]) : NULL;
	if (!open)
		return false;
	memset(close, closes[open - opens], lexeme_run(r, from, *open) >= 3 ? 3 : 1);
	from += strlen(close);
	for (end = from; end < r->text.n && !lexer_is(r, end, close); end++)
		end += r->text.p[end] == '\\';
	if (end >= r->text.n) {
		lexer_unended(r, r->at, "the string that begins here does not end");
		end = r->text.n;
	}
	return lexeme_passed(t, from, end, size_min(end + strlen(close), r->text.n));
}

/* HCL: <<WORD and <<-WORD, up to the line that has the word alone. */
static bool lexeme_heredoc(struct lexemes *t)
{
	struct lexer *r = t->r;
	size_t from = r->at + 2, to;
	struct str word, rest, line;

	from += lexer_char(r, from) == '-';
	for (to = from; lexer_is_word(lexer_char(r, to));)
		to++;
	if (!lexer_is(r, r->at, "<<") || to == from)
		return false;
	word = lexer_slice(r, from, to);
	to = lexer_find(r, '\n', to);
	rest = str_sub(r->text, size_min(to + 1, r->text.n), r->text.n);
	while (str_line(&rest, &line))
		if (str_eq(str_trim(line), word))
			return lexeme_passed(t, from, to, (size_t)(line.p - r->text.p) + line.n);
	lexer_unended(r, r->at, "the text that begins here does not end");
	return lexeme_passed(t, from, to, r->text.n);
}

/* What only one language has. False: it is none of these. An end: no lexeme. */
static bool lexeme_special(struct lexemes *t, char c)
{
	if (t->flags & T_GROOVY)
		return (c == '/' || c == '$') && lexeme_slashy(t);
	if (t->flags & T_ELIXIR)
		return (c == '~' || c == '?') && lexeme_sigil(t, c);
	return c == '<' && lexeme_heredoc(t);
}

/* The token that begins with c, which is no blank. False: what began there is no token. */
static bool lexeme_read(struct lexemes *t, char c)
{
	struct lexer *r = t->r;
	size_t end;

	if (c == '\n') {
		t->now = (struct lexeme){.kind = LEX_LINE, .word = {"", 0}, .at = {r->at, r->at}};
		r->at++;
		return true;
	}
	if (c == '#' && (t->flags & T_CSHARP) && lexeme_directive(r)) {
		end = lexer_find(r, '\n', r->at);
		t->now = (struct lexeme){
			.kind = LEX_MARK, .mark = '#', .word = {"", 0}, .at = {r->at, end}};
		r->at = end;
		return true;
	}
	if (c == '\'' && (t->flags & T_CHAR)) {
		lexeme_character(t);
		return false;
	}
	if ((t->flags & T_CSHARP) && (c == '$' || c == '@'))
		return lexeme_prefixed_csharp(t);
	if ((c == '/' || c == '#') && (t->flags & T_SWIFT)) {
		end = lexeme_regex_end(t);
		if (end != SIZE_MAX) {
			t->now = (struct lexeme){
				.kind = LEX_STRING, .word = {"", 0}, .at = {r->at, end}};
			r->at = end;
			return true;
		}
	}
	if (c == '<' && (t->flags & T_SCALA) && lexeme_is_xml(r))
		return lexeme_string(
			t, (struct lexeme_string){.xml = true, .open = '{', .close = '}'}, 0);
	if ((t->flags & (T_RUST | T_SWIFT)) && strchr("rbc#", c) && lexeme_prefixed(t))
		return true;
	if ((t->flags & (T_GROOVY | T_ELIXIR | T_HCL)) && lexeme_special(t, c))
		return t->now.kind != LEX_END;
	if (lexer_is_word(c) || (c == '$' && !(t->flags & T_CSHARP)))
		return lexeme_word(t);
	if (c == '"' || (c == '\'' && (t->flags & T_SINGLE)))
		return lexeme_plain_string(t);
	if (c == '`' && (t->flags & (T_BACKTICK | T_NAME)))
		return lexeme_backtick(t);
	/* A run of them that begins nothing is passed over at once, or each would count the rest.
	 */
	if (c == '#' && (t->flags & T_SWIFT))
		r->at += lexeme_run(r, r->at, '#') - 1;
	return lexeme_punctuation(t);
}

bool lexeme_next(struct lexemes *t)
{
	struct lexer *r = t->r;

	for (lexeme_blanks(t); r->at < r->text.n; lexeme_blanks(t)) {
		r->from = r->at;
		r->nested = t->strings.n;
		if (lexeme_read(t, r->text.p[r->at]))
			return true;
	}
	if (t->strings.n)
		lexer_unended(r, t->strings.p[0].at, "the string that begins here does not end");
	r->nested = 0;
	t->now = (struct lexeme){.kind = LEX_END, .word = {"", 0}, .at = {r->text.n, r->text.n}};
	return false;
}

/* ---- names ---- */

void lexeme_name_add(struct lexemes *t, struct lexeme_name *n)
{
	struct lexer *r = t->r;
	struct span at = t->now.at;

	if (n->at.to == n->at.from) {
		*n = (struct lexeme_name){.at = at};
		return;
	}
	if (at.from != n->at.to && !n->parts) {
		n->parts = true;
		n->joined = buf_in(r->a);
		buf_put(&n->joined, lexer_slice(r, n->at.from, n->at.to));
	}
	if (n->parts)
		buf_put(&n->joined, lexer_slice(r, at.from, at.to));
	n->at.to = at.to;
}

struct str lexeme_name_text(const struct lexemes *t, const struct lexeme_name *n)
{
	return n->parts ? buf_str(&n->joined) : lexer_slice(t->r, n->at.from, n->at.to);
}

void lexer_skim_lexemes(struct lexer *r)
{
	struct lexemes t = lexemes_of(r);

	while (lexeme_next(&t))
		;
}
