/* Strings and other texts in which a comment cannot begin. */
#include "check/lexer.h"

#define TEMPLATES_MAX 64
#define UNENDED_MAX   64

/* ---- strings ---- */

size_t lexer_quoted(const struct lexer *l, size_t at, bool escapes, bool doubles, bool lines)
{
	char quote = l->text.p[at++];

	for (; at < l->end; at++) {
		char c = l->text.p[at];

		if (c == '\\' && escapes)
			at++;
		else if (c == quote && doubles && lexer_char(l, at + 1) == quote)
			at++;
		else if (c == quote)
			return at + 1;
		else if (c == '\n' && !lines)
			return at;
	}
	return l->end;
}

static size_t lexer_triple(const struct lexer *l, size_t at)
{
	char quote[] = {l->text.p[at], l->text.p[at], l->text.p[at], 0};

	for (at += 3; at < l->end; at++) {
		if (l->text.p[at] == '\\')
			at++;
		else if (lexer_is(l, at, quote))
			return at + 3;
	}
	return l->end;
}

/* A template of JavaScript; code in ${} may have further templates and strings. */
static size_t lexer_template(const struct lexer *l, size_t at)
{
	size_t braces[TEMPLATES_MAX] = {0}, depth = 1;
	bool code[TEMPLATES_MAX] = {false};

	for (at++; at < l->end && depth; at++) {
		char c = l->text.p[at];

		if (c == '\\') {
			at++;
		} else if (!code[depth - 1]) {
			if (c == '`') {
				depth--;
			} else if (c == '$' && lexer_char(l, at + 1) == '{') {
				code[depth - 1] = true;
				braces[depth - 1] = 0;
				at++;
			}
		} else if (c == '`') {
			if (depth == TEMPLATES_MAX)
				return l->end;
			code[depth] = false;
			depth++;
		} else if (c == '"' || c == '\'') {
			at = lexer_quoted(l, at, true, false, false) - 1;
		} else if (c == '{') {
			braces[depth - 1]++;
		} else if (c == '}' && braces[depth - 1]) {
			braces[depth - 1]--;
		} else if (c == '}') {
			code[depth - 1] = false;
		}
	}
	return size_min(at, l->end);
}

/* R"x(...)x", with `at` on the quote. */
static size_t lexer_raw_c(const struct lexer *l, size_t at)
{
	size_t paren = str_find_char(l->text, '(', at);
	struct buf b = buf_in(l->a);

	if (paren == SIZE_MAX || paren - at > 17)
		return lexer_quoted(l, at, true, false, false);
	buf_fmt(&b, ")%.*s\"", STR_ARG(str_sub(l->text, at + 1, paren)));
	paren = lexer_find(l, buf_c(&b), paren);
	return size_min(paren + b.n, l->end);
}

/* r"...", r#"..."#; SIZE_MAX: something else. at: behind the r. */
static size_t lexer_raw_rust(const struct lexer *l, size_t at)
{
	size_t hashes = 0;
	struct buf b = buf_in(l->a);

	while (lexer_char(l, at + hashes) == '#')
		hashes++;
	if (lexer_char(l, at + hashes) != '"')
		return SIZE_MAX;
	buf_putc(&b, '"');
	for (size_t i = 0; i < hashes; i++)
		buf_putc(&b, '#');
	at = lexer_find(l, buf_c(&b), at + hashes + 1);
	return size_min(at + hashes + 1, l->end);
}

/* [[...]] and [=[...]=]; SIZE_MAX: something else. */
size_t lexer_long(const struct lexer *l, size_t at)
{
	size_t level = 0;
	struct buf b = buf_in(l->a);

	while (lexer_char(l, at + 1 + level) == '=')
		level++;
	if (lexer_char(l, at) != '[' || lexer_char(l, at + 1 + level) != '[')
		return SIZE_MAX;
	buf_putc(&b, ']');
	for (size_t i = 0; i < level; i++)
		buf_putc(&b, '=');
	buf_putc(&b, ']');
	at = lexer_find(l, buf_c(&b), at + level + 2);
	return size_min(at + level + 2, l->end);
}

/* $tag$...$tag$; SIZE_MAX: something else. */
static size_t lexer_dollar(const struct lexer *l, size_t at)
{
	size_t to = at + 1;
	const char *tag;

	while (lexer_is_word(lexer_char(l, to)))
		to++;
	if (lexer_char(l, to) != '$' || ascii_is_digit(lexer_char(l, at + 1)) ||
	    (at && lexer_is_word(l->text.p[at - 1])))
		return SIZE_MAX;
	tag = str_c(l->a, str_sub(l->text, at, to + 1));
	return size_min(lexer_find(l, tag, to + 1) + strlen(tag), l->end);
}

/* A quote that begins no character, such as a lifetime of Rust or 1'000 of C++, is one character.
 */
static size_t lexer_character(const struct lexer *l, size_t at)
{
	size_t to = at + 1, most = size_min(at + 12, l->end);
	char prefix = at ? l->text.p[at - 1] : 0;

	if (lexer_is_word(prefix) &&
	    !(memchr("LuU8b", prefix, 5) && !(at > 1 && ascii_is_digit(l->text.p[at - 2]))))
		return at + 1;
	if (lexer_char(l, to) == '\\')
		to++;
	else if (lexer_char(l, to) == '\'')
		return at + 1;
	for (to++; to < most && l->text.p[to] != '\n'; to++)
		if (l->text.p[to] == '\'')
			/* 'a' is a character; in <'a, 'b> two lifetimes are not. */
			return l->text.p[at + 1] == '\\' || to == at + 2 ||
					       (unsigned char)l->text.p[at + 1] >= 0x80
				       ? to + 1
				       : at + 1;
	return at + 1;
}

/* Whether a value may begin here, so that a slash begins a regular expression. */
static bool lexer_wants_value(const struct lexer *l)
{
	static const char *const words[] = {"return", "typeof", "case", "in",   "of",
					    "and",    "or",     "not",  "when", "if",
					    "unless", "split",  "grep", "throw"};
	size_t to = l->at, from;
	struct str word;

	if (!l->before || memchr("(,=:[!&|?{};+-*%<>~^", l->before, 20))
		return true;
	while (to && ascii_is_blank(l->text.p[to - 1]))
		to--;
	for (from = to; from && lexer_is_word(l->text.p[from - 1]);)
		from--;
	word = str_sub(l->text, from, to);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_is(word, words[i]))
			return true;
	return false;
}

/* A regular expression ends in its line; otherwise the slash divides. */
static size_t lexer_regex(const struct lexer *l, size_t at)
{
	bool set = false;

	for (size_t to = at + 1; to < l->end && l->text.p[to] != '\n'; to++) {
		char c = l->text.p[to];

		if (c == '\\')
			to++;
		else if (c == '[')
			set = true;
		else if (c == ']')
			set = false;
		else if (c == '/' && !set)
			return to + 1;
	}
	return at + 1;
}

/* ---- here-documents ---- */

/* Remembers the word of <<WORD, <<-'WORD', <<~WORD or <<<"WORD"; returns the offset behind it. */
static size_t lexer_heredoc(struct lexer *l, size_t at)
{
	size_t to = at + 2, from;
	bool tabs = lexer_has(l, F_PHP);
	char quote = 0;

	if (lexer_has(l, F_PHP) != (lexer_char(l, to) == '<'))
		return at + (lexer_char(l, to) == '<' ? 3 : 2);
	to += lexer_has(l, F_PHP);
	if (lexer_char(l, to) == '-' || lexer_char(l, to) == '~') {
		tabs = true;
		to++;
	}
	while (lexer_char(l, to) == ' ')
		to++;
	if (lexer_char(l, to) == '\'' || lexer_char(l, to) == '"')
		quote = l->text.p[to++];
	else if (lexer_char(l, to) == '\\')
		to++;
	for (from = to; lexer_is_word(lexer_char(l, to));)
		to++;
	if (to == from || (!quote && ascii_is_digit(l->text.p[from])) ||
	    (quote && lexer_char(l, to) != quote) || l->heredocs == HEREDOCS_MAX)
		return at + 2;
	l->heredoc[l->heredocs].word = str_sub(l->text, from, to);
	l->heredoc[l->heredocs++].tabs = tabs;
	return to + (quote != 0);
}

/* The end of the document that begins at `at`; SIZE_MAX: its last line is missing. */
static size_t lexer_heredoc_end(const struct lexer *l, size_t at, struct str word, bool tabs)
{
	struct str rest = str_sub(l->text, at, l->end), line;

	while (str_line(&rest, &line)) {
		if (tabs)
			line = str_trim(line);
		if (lexer_has(l, F_PHP) && str_starts(line, word) &&
		    (line.n == word.n || !lexer_is_word(line.p[word.n])))
			return l->end - rest.n;
		if (str_eq(line, word))
			return l->end - rest.n;
	}
	return SIZE_MAX;
}

void lexer_heredocs(struct lexer *l)
{
	for (size_t i = 0; i < l->heredocs; i++) {
		size_t to = lexer_heredoc_end(l, l->at, l->heredoc[i].word, l->heredoc[i].tabs);

		/* 1 << WORD is a shift: no line has the word alone. */
		if (to != SIZE_MAX)
			l->at = to;
		else
			l->unended++;
	}
	l->heredocs = 0;
	/* Each one is searched for up to the end of the file. */
	if (l->unended > UNENDED_MAX)
		l->at = l->end;
}

/* ---- YAML ---- */

/* Where a node begins: its column, behind the dashes of lists. */
static size_t yaml_column(struct str line)
{
	size_t at = 0;

	while (at < line.n && line.p[at] == ' ')
		at++;
	while (at + 1 < line.n && line.p[at] == '-' && line.p[at + 1] == ' ') {
		size_t next = at + 1;

		while (next < line.n && line.p[next] == ' ')
			next++;
		/* "- |": the list's own entry is the text. */
		if (next < line.n && (line.p[next] == '|' || line.p[next] == '>'))
			break;
		at = next;
	}
	return at;
}

/* Whether the indicator | or > at the offset ends its line, and begins a block of text. */
bool yaml_is_block(const struct lexer *l, size_t at)
{
	size_t to = at + 1, from = at;

	if (!l->before || (at && l->text.p[at - 1] != ' '))
		return false;
	/* An anchor and a tag may stand before it: "key: &a !!str |". */
	for (;;) {
		size_t word;

		while (from && l->text.p[from - 1] == ' ')
			from--;
		if (from && memchr(":-?", l->text.p[from - 1], 3))
			break;
		for (word = from; word && !ascii_is_blank(l->text.p[word - 1]);)
			word--;
		if (word == from || (l->text.p[word] != '&' && l->text.p[word] != '!'))
			return false;
		from = word;
	}
	while (to < l->end && memchr("+-0123456789", l->text.p[to], 12))
		to++;
	while (lexer_char(l, to) == ' ' || lexer_char(l, to) == '\t' || lexer_char(l, to) == '\r')
		to++;
	return to >= l->end || l->text.p[to] == '\n' ||
	       (l->text.p[to] == '#' && ascii_is_blank(l->text.p[to - 1]));
}

/* The end of the text below the line of `at`: lines that are indented more, and empty lines. */
size_t yaml_block_end(const struct lexer *l, size_t at)
{
	size_t start = str_rfind_char(str_sub(l->text, 0, at), '\n');
	size_t column, next = lexer_line_end(l, at);
	struct str line, rest;

	start = start == SIZE_MAX ? 0 : start + 1;
	column = yaml_column(str_sub(l->text, start, next));
	rest = str_sub(l->text, size_min(next + 1, l->end), l->end);
	for (;;) {
		size_t from = l->end - rest.n, n = 0;

		if (!str_line(&rest, &line))
			return l->end;
		while (n < line.n && line.p[n] == ' ')
			n++;
		if (str_trim(line).n && n <= column)
			return from;
	}
}

static bool yaml_begins_value(const struct lexer *l)
{
	return l->line_start || !l->before || memchr(":-[{,?", l->before, 6);
}

/* ---- all of them ---- */

size_t lexer_literal(struct lexer *l)
{
	size_t at = l->at, to = SIZE_MAX;
	char c = l->text.p[at];
	bool lines = lexer_has(l, S_LINES), doubles = lexer_has(l, S_NO_ESCAPE);
	bool word = at && lexer_is_word(l->text.p[at - 1]);

	if (lexer_has(l, F_YAML) && (c == '"' || c == '\'') && !yaml_begins_value(l))
		return at;
	if (c == '\\' && lexer_has(l, S_ESCAPE))
		return size_min(at + 2, l->end);
	if (c == 'R' && lexer_has(l, S_RAW_C) && lexer_char(l, at + 1) == '"' &&
	    (!word || memchr("uUL8", l->text.p[at - 1], 4)))
		return lexer_raw_c(l, at + 1);
	if (c == 'r' && lexer_has(l, S_RAW_RUST) && (!word || l->text.p[at - 1] == 'b'))
		to = lexer_raw_rust(l, at + 1);
	else if (c == '@' && lexer_has(l, S_VERBATIM) && lexer_char(l, at + 1) == '"')
		to = lexer_quoted(l, at + 1, false, true, true);
	else if (c == '$' && lexer_has(l, S_DOLLAR))
		to = lexer_dollar(l, at);
	else if (c == '[' && lexer_has(l, S_LONG))
		to = lexer_long(l, at);
	else if (c == '/' && lexer_has(l, S_REGEX) && lexer_wants_value(l))
		to = lexer_regex(l, at);
	else if (c == '`' && lexer_has(l, S_BACKTICK))
		to = lexer_quoted(l, at, false, false, true);
	else if (c == '`' && lexer_has(l, S_TEMPLATE))
		to = lexer_template(l, at);
	else if (c == '<' && lexer_has(l, S_HEREDOC) && lexer_char(l, at + 1) == '<')
		to = lexer_heredoc(l, at);
	else if ((c == '"' || (c == '\'' && lexer_has(l, S_SINGLE))) && lexer_has(l, S_TRIPLE) &&
		 lexer_char(l, at + 1) == c && lexer_char(l, at + 2) == c)
		to = lexer_triple(l, at);
	else if (c == '"' && lexer_has(l, S_DOUBLE))
		to = lexer_quoted(l, at, !doubles, doubles, lines);
	else if (c == '\'' && lexer_has(l, S_SINGLE))
		to = lexer_quoted(l, at, !doubles && !lexer_has(l, S_RAW_SINGLE),
				  doubles || lexer_has(l, F_YAML), lines);
	else if (c == '\'' && lexer_has(l, S_CHAR))
		to = lexer_character(l, at);
	return to == SIZE_MAX ? at : to;
}
