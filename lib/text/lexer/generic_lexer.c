/* The strings, words and marks that the languages of token.h share. */
#include "lexer/lexer.h"

/* ---- strings ---- */

/* Whether code begins at `at` in the text of a string; *n is how long its beginning is. */
static bool lexeme_code(const struct lexer *l, const struct lexeme_string *s, size_t at, size_t *n)
{
	if (!s->code)
		return false;
	if (s->open == '(') { /* \(code), with as many # as the string has */
		*n = 2 + s->hashes;
		return l->text.p[at] == '\\' && lexer_run_length(l, at + 1, '#') >= s->hashes &&
		       lexer_char_at(l, at + 1 + s->hashes) == '(';
	}
	if (s->dollars) { /* {code}, with as many braces as the string has $; others are text */
		size_t braces = lexer_run_length(l, at, '{');

		*n = braces;
		return braces && braces % (2 * s->dollars) >= s->dollars;
	}
	*n = 2;
	return lexer_char_at(l, at + 1) == '{' && l->text.p[at] && strchr(s->marks, l->text.p[at]);
}

/* In Elixir three quotes end a string at the start of a line only. */
static bool lexeme_may_end(const struct lexer *l, const struct lexeme_string *s)
{
	size_t at = l->at;

	while (at && (l->text.p[at - 1] == ' ' || l->text.p[at - 1] == '\t'))
		at--;
	return s->quotes < 3 || !(l->form->flags & T_ELIXIR) || l->text.p[at - 1] == '\n';
}

/*
 * Reads the text of the string on top from l->at, up to its end or to code in it. False: code
 * follows.
 */
static bool lexeme_string_text(struct lexer *l, struct lexeme_string *s, size_t *end)
{
	while (l->at < l->text.n) {
		char c = l->text.p[l->at];
		size_t n;

		if (c == s->quote && s->doubles && lexer_char_at(l, l->at + 1) == c) {
			l->at += 2;
		} else if (c == s->quote) {
			size_t run =
				s->quotes == 1 && !s->hashes ? 1 : lexer_run_length(l, l->at, c);

			if (run >= s->quotes &&
			    lexer_run_length(l, l->at + run, '#') >= s->hashes &&
			    lexeme_may_end(l, s)) {
				/* """a"""" and #"a""# end with their last quotes. */
				*end = l->at + run - s->quotes;
				l->at += run + s->hashes;
				l->string_end = *end;
				return true;
			}
			l->at += run;
		} else if (lexeme_code(l, s, l->at, &n)) {
			l->at += n;
			return false;
		} else if (c == '$' && s->prefixed &&
			   memchr("$\"", lexer_char_at(l, l->at + 1), 2)) {
			l->at += 2;
		} else if (c == '\\' && s->prefixed && s->escapes &&
			   !memchr("\\\"", lexer_char_at(l, l->at + 1), 2)) {
			l->at++; /* "\${code}" of Scala has code */
		} else if (c == '{' && s->dollars) {
			l->at += lexer_run_length(l, l->at, '{');
		} else if (c == '\\' && s->escapes &&
			   lexer_run_length(l, l->at + 1, '#') >= s->hashes &&
			   (s->quote != '/' || !(l->form->flags & T_GROOVY) ||
			    lexer_char_at(l, l->at + 1) == '/')) {
			l->at += 2 + s->hashes;
		} else if (c == '\n' && !s->lines) {
			break;
		} else if (c == '$' && s->names && lexer_begins_name(lexer_char_at(l, l->at + 1))) {
			s->computed = true;
			l->at++;
		} else {
			l->at++;
		}
	}
	l->at = size_min(l->at, l->text.n);
	*end = l->at;
	s->unended = true;
	lexer_unended_string(l, s->at);
	return true;
}

/* ---- XML literals of Scala: text, elements and comments, with {code} in attributes and between
 * tags ---- */

/* Scala's own lexer decides by the bytes around "<", wherever the token stands. */
static bool lexeme_is_xml(const struct lexer *l)
{
	char before = l->at ? l->text.p[l->at - 1] : ' ', next = lexer_char_at(l, l->at + 1);

	return before && strchr(" \t\n{(>", before) &&
	       (lexer_begins_name(next) || next == '!' || next == '?');
}

/* Passes over what `open` begins and `close` ends, if it stands at l->at. */
static bool xml_passed(struct lexer *l, const struct lexeme_string *s, const char *open,
		       const char *close)
{
	size_t end;

	if (!lexer_is(l, l->at, open))
		return false;
	end = str_find(l->text, str_of(close), l->at + strlen(open));
	if (end == SIZE_MAX)
		lexer_unended(l, s->at, "the XML that begins here does not end");
	l->at = end == SIZE_MAX ? l->text.n : end + strlen(close);
	return true;
}

/* In a tag, up to ">" or "/>". False: code begins. */
static bool xml_tag(struct lexer *l, struct lexeme_string *s)
{
	char c = l->text.p[l->at++];

	if (c == '"' || c == '\'') {
		l->at = size_min(lexer_find_byte(l, c, l->at) + 1, l->text.n);
	} else if (c == '/' && lexer_char_at(l, l->at) == '>') {
		l->at++;
		s->tag = false;
		s->elements--;
	} else if (c == '>') {
		s->tag = false;
	}
	return c != '{';
}

/* Between tags. False: code begins. */
static bool xml_children(struct lexer *l, struct lexeme_string *s)
{
	char c = l->text.p[l->at];

	if (c != '<' && c != '{') {
		l->at++;
	} else if (c == '{' && lexer_char_at(l, l->at + 1) == '{') {
		l->at += 2;
	} else if (c == '{') {
		l->at++;
		return false;
	} else if (lexer_char_at(l, l->at + 1) == '/') {
		l->at = size_min(lexer_find_byte(l, '>', l->at) + 1, l->text.n);
		s->elements -= s->elements > 0;
	} else if (!xml_passed(l, s, "<!--", "-->") && !xml_passed(l, s, "<![CDATA[", "]]>") &&
		   !xml_passed(l, s, "<?", "?>")) {
		l->at++;
		s->elements++;
		s->tag = true;
	}
	return true;
}

static bool lexeme_xml_text(struct lexer *l, struct lexeme_string *s, size_t *end)
{
	while (l->at < l->text.n) {
		if (!(s->tag ? xml_tag(l, s) : xml_children(l, s)))
			return false;
		if (!s->tag && !s->elements)
			break;
	}
	*end = l->at;
	s->unended = s->tag || s->elements;
	if (s->unended)
		lexer_unended(l, s->at, "the XML that begins here does not end");
	return true;
}

/* ---- strings with code ---- */

static bool lexeme_text(struct lexer *l, struct lexeme_string *s, size_t *end)
{
	return s->xml ? lexeme_xml_text(l, s, end) : lexeme_string_text(l, s, end);
}

static bool lexeme_string(struct lexer *l, struct lexeme_string s, size_t skip)
{
	size_t from = l->at + skip, end = from;

	s.at = l->at;
	l->at = size_min(from, l->text.n);
	l->now = (struct lexeme){.kind = LEX_STRING, .word = {"", 0}};
	l->now.program = !lexeme_text(l, &s, &end);
	if (l->now.program) {
		end = l->at;
		*VEC_PUSH(l->a, &l->lexemes.strings) = s;
	}
	l->now.program |= s.computed;
	l->now.raw = !s.escapes;
	from = size_min(from, l->text.n);
	l->now.at = (struct span){from, size_max(from, size_min(end, l->text.n))};
	if (s.unended) {
		l->now.kind = LEX_MARK;
		l->now.mark = ';';
	}
	return true;
}

/*
 * Whether """ begins text of several lines. In Swift #"""# is the text of one quote: the string
 * ends on its line.
 */
static bool lexeme_is_triple(const struct lexer *l, const struct lexeme_string *s, size_t at)
{
	if (!(l->form->flags & T_TRIPLE) || s->doubles || lexer_run_length(l, at, s->quote) < 3)
		return false;
	if (!(l->form->flags & T_SWIFT) || !s->hashes)
		return true;
	/* No look ahead to the end of the line: it may be the end of a large text. */
	for (at++; at < l->text.n && l->text.p[at] != '\n'; at++)
		if (l->text.p[at] == '"' && lexer_run_length(l, at + 1, '#') >= s->hashes)
			return false;
	return true;
}

/* The quote at l->at + skip begins a string; what stands before is its prefix. */
static bool lexeme_quote(struct lexer *l, size_t skip, struct lexeme_string s)
{
	s.quotes = 1;
	s.quote = lexer_char_at(l, l->at + skip);
	s.marks = l->form->flags & T_HCL      ? "$%"
		  : l->form->flags & T_ELIXIR ? "#"
		  : l->form->flags & T_SASS   ? "#@"
					      : "$";
	if (lexeme_is_triple(l, &s, l->at + skip)) {
		s.quotes = l->form->flags & T_CSHARP ? lexer_run_length(l, l->at + skip, '"') : 3;
		s.lines = true;
		s.escapes = (l->form->flags & T_ESCAPES) && !(l->form->flags & T_RUST);
	}
	return lexeme_string(l, s, skip + s.quotes);
}

/* 'x', '\n', '\u{1f600}'; else a lifetime, a symbol or a mistake, of which only the quote is read.
 */
static void lexeme_character(struct lexer *l)
{
	size_t at = l->at + 1, most = size_min(at + 12, l->text.n);

	if (lexer_char_at(l, at) == '\\') {
		for (at += 2; at < most && l->text.p[at] != '\'' && l->text.p[at] != '\n';)
			at++;
	} else {
		size_t n = at < l->text.n
				   ? str_utf8_char(l->text.p + at, l->text.n - at, &(uint32_t){0})
				   : 0;

		at += n ? n : 1;
	}
	if (lexer_char_at(l, at) == '\'') {
		l->at = at + 1;
		return;
	}
	/* 'import is a symbol of Scala. */
	for (l->at++; (l->form->flags & T_SCALA) && lexer_is_word_byte(lexer_char_at(l, l->at));)
		l->at++;
}

/* ---- regular expressions of Swift: /.../ on one line, #/.../# also on several ---- */

/*
 * Whether the operator at `at` has no operand directly before it. Swift's own lexer looks at the
 * byte before, and so tells "a / b" and "a/b" from "f(/b/)".
 */
static bool regex_is_prefix(const struct lexer *l, size_t at)
{
	return !at || (l->text.p[at - 1] && strchr(" \t\r\n([{,;:", l->text.p[at - 1])) ||
	       (at >= 2 && l->text.p[at - 1] == '/' && l->text.p[at - 2] == '*');
}

/* Behind #/: the same number of "#" behind a slash ends it; in one line, or behind a line's end. */
static size_t regex_extended(struct lexer *l, size_t hashes)
{
	size_t at = l->at + hashes + 1, i = at, most = 0, n;
	struct lexeme_no_regex *no;
	bool lines;

	while (lexer_char_at(l, i) && strchr(" \t\r", l->text.p[i]))
		i++;
	lines = lexer_char_at(l, i) == '\n';
	no = lines ? &l->lexemes.no_regex : &l->lexemes.no_regex_line;
	if (l->at < no->to && hashes >= no->hashes)
		return SIZE_MAX;
	for (; at < l->text.n && (lines || l->text.p[at] != '\n'); at++) {
		if (l->text.p[at] == '\\') {
			at++;
		} else if (l->text.p[at] == '/') {
			n = lexer_run_length(l, at + 1, '#');
			if (n >= hashes)
				return at + 1 + hashes;
			most = size_max(most, n);
		}
	}
	*no = (struct lexeme_no_regex){at, most + 1};
	return SIZE_MAX;
}

/* /.../: no blank at either end, and no parenthesis that closes what it did not open. */
static size_t regex_plain(const struct lexer *l)
{
	size_t at = l->at + 1, groups = 0, classes = 0;

	if (!regex_is_prefix(l, l->at) || !lexer_char_at(l, at) || strchr(" \t*/", l->text.p[at]))
		return SIZE_MAX;
	for (; at < l->text.n && l->text.p[at] != '\n'; at++) {
		char c = l->text.p[at];

		if (c == '/') {
			if (strchr(" \t", l->text.p[at - 1]) && l->text.p[at - 2] != '\\')
				return SIZE_MAX;
			return lexer_char_at(l, at + 1) && strchr("*/", l->text.p[at + 1])
				       ? SIZE_MAX
				       : at + 1;
		}
		if (c == '\\') {
			at += lexer_char_at(l, at + 1) != '\n';
		} else if (c == '[') {
			classes++;
		} else if (c == ']') {
			classes -= classes > 0;
		} else if (!classes && c == '(') {
			groups++;
		} else if (!classes && c == ')' && !groups--) {
			return SIZE_MAX;
		}
	}
	return SIZE_MAX;
}

static size_t lexeme_regex_end(struct lexer *l)
{
	size_t hashes = lexer_run_length(l, l->at, '#'), end;

	if (lexer_char_at(l, l->at + hashes) != '/')
		return SIZE_MAX;
	if (!hashes)
		return regex_plain(l);
	end = regex_extended(l, hashes);
	if (end == SIZE_MAX)
		lexer_unended(l, l->at, "the regular expression that begins here does not end");
	return end;
}

/* ---- words and marks ---- */

/* @"...", $"...", $@"..." and $$""" of C#. Marks without a string are one token. */
static bool lexeme_prefixed_csharp(struct lexer *l)
{
	struct lexeme_string s = {.open = '{', .close = '}'};
	size_t at = l->at;
	bool verbatim = false;

	for (; lexer_char_at(l, at) == '$' || lexer_char_at(l, at) == '@'; at++) {
		s.dollars += l->text.p[at] == '$';
		verbatim |= l->text.p[at] == '@';
	}
	if (lexer_char_at(l, at) != '"') {
		lexer_take_bytes(l, LEX_MARK, at - l->at);
		l->now.mark = '@';
		return true;
	}
	s.code = s.dollars > 0;
	s.doubles = s.lines = verbatim;
	s.escapes = !verbatim;
	return lexeme_quote(l, at - l->at, s);
}

static bool lexeme_prefixed(struct lexer *l)
{
	struct lexeme_string s = {.open = '{', .close = '}'};
	size_t at = l->at;
	size_t hashes;

	if (l->form->flags & T_RUST) {
		if (lexer_char_at(l, at) == 'b' || lexer_char_at(l, at) == 'c')
			at++;
		if (lexer_char_at(l, at) != 'r')
			return false;
		at++;
	}
	hashes = lexer_run_length(l, at, '#');
	if (lexer_char_at(l, at + hashes) != '"' || (!hashes && !(l->form->flags & T_RUST)))
		return false;
	s.hashes = hashes;
	s.lines = (l->form->flags & T_RUST) != 0;
	s.code = s.escapes = (l->form->flags & T_SWIFT) != 0;
	s.open = '(';
	s.close = ')';
	return lexeme_quote(l, at - l->at + hashes, s);
}

static bool lexeme_word(struct lexer *l)
{
	size_t from = l->at;

	/* r#type is the word "type". */
	if ((l->form->flags & T_RUST) && lexer_is(l, from, "r#") &&
	    lexer_is_word_byte(lexer_char_at(l, from + 2)))
		l->at = from += 2;
	while (l->at < l->text.n &&
	       (lexer_is_word_byte(l->text.p[l->at]) ||
		(l->text.p[l->at] == '$' && !(l->form->flags & T_CSHARP)) ||
		(l->text.p[l->at] == '-' && (l->form->flags & (T_HCL | T_CSS)))))
		l->at++;
	lexer_set_lexeme(l, LEX_WORD, from, l->at);
	l->lexemes.word_before = lexer_char_at(l, l->at) == '"';
	return true;
}

/* `a b`: a string of Go, a word of the others. */
static bool lexeme_backtick(struct lexer *l)
{
	size_t from = l->at + 1, end = lexer_find_byte(l, '`', from);

	if (end == l->text.n) {
		lexer_unended(l, l->at, "the text that begins here does not end");
		end = size_max(end, from);
	}
	end = size_min(end, l->text.n);
	from = size_min(from, l->text.n);
	l->now = (struct lexeme){.kind = l->form->flags & T_NAME ? LEX_WORD : LEX_STRING,
				 .word = lexer_slice(l, from, end),
				 .quoted = true,
				 .at = {from, end}};
	l->at = size_min(end + 1, l->text.n);
	return true;
}

static bool lexeme_plain_string(struct lexer *l)
{
	bool swift = l->form->flags & T_SWIFT,
	     prefixed = (l->form->flags & T_SCALA) && l->lexemes.word_before;
	bool code = (l->form->flags & (T_ELIXIR | T_HCL | T_SASS)) ||
		    ((l->form->flags & T_DOLLAR) && l->text.p[l->at] == '"');
	struct lexeme_string s = {
		.escapes = true,
		.lines = (l->form->flags & T_LINES) != 0,
		.code = swift || prefixed || code,
		.names = code && (l->form->flags & T_DOLLAR),
		.prefixed = prefixed,
		.open = swift ? '(' : '{',
		.close = swift ? ')' : '}',
	};

	l->lexemes.word_before = false;
	return lexeme_quote(l, 0, s);
}

/* False: code of a string ended, which is no token. */
static bool lexeme_punctuation(struct lexer *l)
{
	struct lexeme_string *s =
		l->lexemes.strings.n ? &l->lexemes.strings.p[l->lexemes.strings.n - 1] : NULL;
	char c = l->text.p[l->at];
	size_t end;

	if (s && s->dollars) {
		if (c == '(' || c == '[')
			s->parens++;
		else if ((c == ')' || c == ']') && s->parens)
			s->parens--;
		/* "{a:N2}": in C# text stands behind a colon, up to the end of the code. */
		if (c == ':' && !s->depth && !s->parens) {
			while (l->at < l->text.n && l->text.p[l->at] != '}' &&
			       l->text.p[l->at] != '"' && (l->text.p[l->at] != '\n' || s->lines))
				l->at++;
			return false;
		}
	}
	if (s && c == s->open)
		s->depth++;
	if (s && c == s->close && !s->depth--) {
		/* The code ends, and the text of the string goes on. */
		struct lexeme_string one = *s;

		l->at += size_max(one.open == '{' ? one.dollars : 1, 1);
		l->at = size_min(l->at, l->text.n);
		l->lexemes.strings.n--;
		if (!lexeme_text(l, &one, &end)) {
			one.depth = one.parens = 0;
			*VEC_PUSH(l->a, &l->lexemes.strings) = one;
		}
		return false;
	}
	return lexer_take_bytes(l, LEX_MARK, 1);
}

/* Where a comment of indented Sass ends: before a line that is not deeper than its own. */
static size_t lexeme_indented(const struct lexer *l)
{
	size_t end = lexer_find_byte(l, '\n', l->at), begin = l->at, at;

	while (begin && l->text.p[begin - 1] != '\n')
		begin--;
	if (lexer_behind_blanks(l, begin) != l->at)
		return end;
	while (end < l->text.n) {
		at = lexer_behind_blanks(l, end + 1);
		if (lexer_char_at(l, at) != '\n' && at - end - 1 <= l->at - begin)
			break;
		end = lexer_find_byte(l, '\n', at);
	}
	return end;
}

/* Passes over blanks and comments. */
static void lexeme_blanks(struct lexer *l)
{
	bool lines = !(l->form->flags & T_ELIXIR) && (l->form->flags & (T_CSS | T_SASS)) != T_CSS;

	while (l->at < l->text.n) {
		char c = l->text.p[l->at];

		if (c == '/' && (l->form->flags & T_INDENTED) && lexer_char_at(l, l->at + 1) &&
		    strchr("/*", l->text.p[l->at + 1]))
			lexer_comment_to(l, 2, lexeme_indented(l));
		else if (c == '/' && lexer_char_at(l, l->at + 1) == '/' && lines)
			lexer_line_comment(l, 2);
		else if (c == '#' && (l->form->flags & T_HASH))
			lexer_line_comment(l, 1);
		else if (c == '/' && lexer_char_at(l, l->at + 1) == '*' &&
			 !(l->form->flags & T_ELIXIR))
			lexer_block_comment(l, "/*", "*/", l->form->flags & T_NESTED);
		else if (!c ||
			 (ascii_is_any_space(c) && !(c == '\n' && (l->form->flags & T_NEWLINE))))
			l->at++;
		else
			return;
		l->lexemes.word_before = false;
	}
}

/* A line of C# that begins with "#": its text is no code. */
static bool lexeme_directive(const struct lexer *l)
{
	size_t at = l->at;

	while (at && (l->text.p[at - 1] == ' ' || l->text.p[at - 1] == '\t'))
		at--;
	return !at || l->text.p[at - 1] == '\n' || (at == 3 && !ascii_is_any_space(l->text.p[2]));
}

/* A string whose text is from `from` to `to`, and which ends at `end`. */
static bool lexeme_passed(struct lexer *l, size_t from, size_t to, size_t end)
{
	lexer_set_lexeme(l, LEX_STRING, from, to);
	l->now.program = true;
	l->at = end;
	return true;
}

/* A string that is no plain text, and whose last quote is s.quote. */
static bool lexeme_computed(struct lexer *l, size_t skip, struct lexeme_string s)
{
	s.quotes = size_max(s.quotes, 1);
	s.marks = l->form->flags & T_ELIXIR ? "#" : "$";
	s.open = '{';
	s.close = '}';
	s.escapes = s.lines = s.computed = true;
	return lexeme_string(l, s, skip + s.quotes);
}

/* Groovy: /.../ and $/.../$. False: a division or a name. */
static bool lexeme_slashy(struct lexer *l)
{
	bool dollar = l->text.p[l->at] == '$', mark = l->now.kind == LEX_MARK && l->now.mark,
	     value = (l->now.kind == LEX_WORD &&
		      !lexer_word_is_one_of(l->now.word, "assert case do else in return throw")) ||
		     l->now.kind == LEX_STRING || (mark && strchr(")]}", l->now.mark)) ||
		     /* i++ */
		     (mark && l->now.at.from && strchr("+-", l->now.mark) &&
		      l->text.p[l->now.at.from - 1] == l->now.mark);
	size_t from = l->at + 1 + dollar, end = from;

	if (value || (dollar && lexer_char_at(l, l->at + 1) != '/'))
		return false;
	if (!dollar)
		return lexeme_computed(l, 0, (struct lexeme_string){.quote = '/', .code = true});
	while (end < l->text.n && !lexer_is(l, end, "/$"))
		end += lexer_is(l, end, "$$") || lexer_is(l, end, "$/") ? 2 : 1;
	if (end >= l->text.n)
		lexer_unended_string(l, l->at);
	return lexeme_passed(l, from, size_min(end, l->text.n), size_min(end + 2, l->text.n));
}

/* Elixir: ~w(a b), ~s"x", ~S""" and the characters ?" and ?\s. */
static bool lexeme_sigil(struct lexer *l, char c)
{
	static const char opens[] = "([{</|\"'", closes[] = ")]}>/|\"'";
	char before = l->at ? l->text.p[l->at - 1] : 0;
	const char *open;
	size_t from = l->at + 1;

	if (c == '?' && !lexer_is_word_byte(before)) {
		l->at = size_min(l->at + 2 + (lexer_char_at(l, from) == '\\'), l->text.n);
		return lexer_set_lexeme(l, LEX_END, l->at, l->at);
	}
	while (c == '~' && ascii_is_letter(lexer_char_at(l, from)))
		from++;
	open = from > l->at + 1 && lexer_char_at(l, from) ? strchr(opens, l->text.p[from]) : NULL;
	if (!open)
		return false;
	return lexeme_computed(l, from - l->at,
			       (struct lexeme_string){
				       .quote = closes[open - opens],
				       .code = ascii_is_lower(l->text.p[l->at + 1]),
				       .quotes = lexer_run_length(l, from, *open) >= 3 ? 3 : 1,
			       });
}

/* HCL: <<WORD and <<-WORD, up to the line that has the word alone. */
static bool lexeme_heredoc(struct lexer *l)
{
	size_t from = l->at + 2, to;
	struct str word, rest, line;

	from += lexer_char_at(l, from) == '-';
	to = lexer_word_end(l, from);
	if (!lexer_is(l, l->at, "<<") || to == from)
		return false;
	word = lexer_slice(l, from, to);
	to = lexer_find_byte(l, '\n', to);
	rest = str_sub(l->text, size_min(to + 1, l->text.n), l->text.n);
	while (str_next_line(&rest, &line))
		if (str_eq(str_trim(line), word))
			return lexeme_passed(l, from, to, (size_t)(line.p - l->text.p) + line.n);
	lexer_unended(l, l->at, "the text that begins here does not end");
	return lexeme_passed(l, from, to, l->text.n);
}

/* url(a/b.css): the text needs no quotes. Less takes a variable there. False: it is another call.
 */
static bool lexeme_url(struct lexer *l)
{
	size_t from = l->at + 1, end, to;
	struct str text;

	while (ascii_is_any_space(lexer_char_at(l, from)))
		from++;
	if (l->now.kind != LEX_WORD || l->now.at.to != l->at || !str_ieq(l->now.word, STR("url")) ||
	    lexer_char_at(l, from) == '"' || lexer_char_at(l, from) == '\'')
		return false;
	end = to = lexer_find_byte(l, ')', from);
	while (to > from && ascii_is_any_space(l->text.p[to - 1]))
		to--;
	text = lexer_slice(l, from, to);
	lexeme_passed(l, from, to, size_min(end + 1, l->text.n));
	l->now.program = str_holds(text, "#{") || str_holds(text, "@{") ||
			 str_starts(text, STR("$")) ||
			 (str_starts(text, STR("@")) && !strpbrk(str_c(l->a, text), "/.:"));
	return true;
}

/* The token that begins with c, which is no blank. False: what began there is no token. */
static bool lexeme_read(struct lexer *l, char c)
{
	size_t end;

	if (c == '\n') {
		lexer_set_lexeme(l, LEX_LINE, l->at, l->at);
		l->at++;
		return true;
	}
	if (c == '#' && (l->form->flags & T_CSHARP) && lexeme_directive(l))
		return lexer_take_bytes(l, LEX_MARK, lexer_find_byte(l, '\n', l->at) - l->at);
	if (c == '\'' && (l->form->flags & T_CHAR)) {
		lexeme_character(l);
		return false;
	}
	if ((l->form->flags & T_CSHARP) && (c == '$' || c == '@'))
		return lexeme_prefixed_csharp(l);
	if ((c == '/' || c == '#') && (l->form->flags & T_SWIFT)) {
		end = lexeme_regex_end(l);
		if (end != SIZE_MAX)
			return lexer_take_bytes(l, LEX_STRING, end - l->at);
	}
	if (c == '<' && (l->form->flags & T_SCALA) && lexeme_is_xml(l))
		return lexeme_string(
			l, (struct lexeme_string){.xml = true, .open = '{', .close = '}'}, 0);
	if ((l->form->flags & (T_RUST | T_SWIFT)) && strchr("rbc#", c) && lexeme_prefixed(l))
		return true;
	/* What only one language has. An end: no lexeme. */
	if (((l->form->flags & T_GROOVY) && (c == '/' || c == '$') && lexeme_slashy(l)) ||
	    ((l->form->flags & T_ELIXIR) && (c == '~' || c == '?') && lexeme_sigil(l, c)) ||
	    ((l->form->flags & T_CSS) && c == '(' && lexeme_url(l)) ||
	    ((l->form->flags & T_HCL) && c == '<' && lexeme_heredoc(l)))
		return l->now.kind != LEX_END;
	if (lexer_is_word_byte(c) || (c == '$' && !(l->form->flags & T_CSHARP)))
		return lexeme_word(l);
	if (c == '"' || (c == '\'' && (l->form->flags & T_SINGLE)))
		return lexeme_plain_string(l);
	if (c == '`' && (l->form->flags & (T_BACKTICK | T_NAME)))
		return lexeme_backtick(l);
	/* A run of them that begins nothing is passed over at once, or each would count the rest.
	 */
	if (c == '#' && (l->form->flags & T_SWIFT))
		l->at += lexer_run_length(l, l->at, '#') - 1;
	return lexeme_punctuation(l);
}

bool lexer_next_generic(struct lexer *l)
{
	for (lexeme_blanks(l); l->at < l->text.n; lexeme_blanks(l)) {
		l->from = l->at;
		l->nested = l->lexemes.strings.n;
		if (lexeme_read(l, l->text.p[l->at]))
			return true;
	}
	if (l->lexemes.strings.n)
		lexer_unended_string(l, l->lexemes.strings.p[0].at);
	return false;
}
