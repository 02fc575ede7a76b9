/* Formats of which only comments are read: a row of the table says how these and strings look. */
#include "lexer/lexer.h"

#define PLAIN_UNENDED 64

static bool plain_has(const struct lexer *l, unsigned flag)
{
	return (l->form->flags & flag) != 0;
}

static size_t plain_find(const struct lexer *l, const char *what, size_t from)
{
	return size_min(str_find(l->text, str_of(what), size_min(from, l->text.n)), l->text.n);
}

/* ---- strings ---- */

static size_t plain_quoted(const struct lexer *l, size_t at, bool escapes, bool doubles, bool lines)
{
	char quote = l->text.p[at++];

	for (; at < l->text.n; at++) {
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
	return l->text.n;
}

static size_t plain_triple(const struct lexer *l, size_t at)
{
	char quote[] = {l->text.p[at], l->text.p[at], l->text.p[at], 0};

	for (at += 3; at < l->text.n; at++) {
		if (l->text.p[at] == '\\')
			at++;
		else if (lexer_is(l, at, quote))
			return at + 3;
	}
	return l->text.n;
}

/* [[...]] and [=[...]=]; SIZE_MAX: something else. */
static size_t plain_long(const struct lexer *l, size_t at)
{
	size_t level = lexer_run(l, at + 1, '=');
	struct buf b = buf_in(l->a);

	if (lexer_char(l, at) != '[' || lexer_char(l, at + 1 + level) != '[')
		return SIZE_MAX;
	buf_putc(&b, ']');
	for (size_t i = 0; i < level; i++)
		buf_putc(&b, '=');
	buf_putc(&b, ']');
	at = plain_find(l, buf_c(&b), at + level + 2);
	return size_min(at + level + 2, l->text.n);
}

/* $tag$...$tag$; SIZE_MAX: something else. */
static size_t plain_dollar(const struct lexer *l, size_t at)
{
	size_t to = lexer_word_end(l, at + 1);
	const char *tag;

	if (lexer_char(l, to) != '$' || ascii_is_digit(lexer_char(l, at + 1)) ||
	    (at && lexer_is_word(l->text.p[at - 1])))
		return SIZE_MAX;
	tag = str_c(l->a, str_sub(l->text, at, to + 1));
	return size_min(plain_find(l, tag, to + 1) + strlen(tag), l->text.n);
}

/* A quote that begins no character, such as a lifetime of Rust or 1'000 of C++, is one character.
 */
static size_t plain_character(const struct lexer *l, size_t at)
{
	size_t to = at + 1, most = size_min(at + 12, l->text.n);
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
static bool plain_wants_value(const struct lexer *l)
{
	size_t to = l->at, from;
	struct str word;

	if (!l->plain.before || memchr("(,=:[!&|?{};+-*%<>~^", l->plain.before, 20))
		return true;
	while (to && ascii_is_blank(l->text.p[to - 1]))
		to--;
	for (from = to; from && lexer_is_word(l->text.p[from - 1]);)
		from--;
	word = str_sub(l->text, from, to);
	return lexer_one_of(word, "return typeof case in of and or not when if unless split grep "
				  "throw");
}

/* A regular expression ends in its line; otherwise the slash divides. */
static size_t plain_regex(const struct lexer *l, size_t at)
{
	bool set = false;

	for (size_t to = at + 1; to < l->text.n && l->text.p[to] != '\n'; to++) {
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

/* Remembers the word of <<WORD, <<-'WORD' or <<~WORD; returns the offset behind it. */
static size_t plain_heredoc(struct lexer *l, size_t at)
{
	size_t to = at + 2, from;
	const char *indent = "";
	char quote = 0;

	if (lexer_char(l, to) == '<')
		return at + 3;
	if (lexer_char(l, to) == '-' || lexer_char(l, to) == '~')
		indent = l->text.p[to++] == '-' ? "\t" : "\t ";
	to += lexer_run(l, to, ' ');
	if (lexer_char(l, to) == '\'' || lexer_char(l, to) == '"')
		quote = l->text.p[to++];
	else if (lexer_char(l, to) == '\\')
		to++;
	from = to;
	to = lexer_word_end(l, from);
	if (to == from || (!quote && ascii_is_digit(l->text.p[from])) ||
	    (quote && lexer_char(l, to) != quote) || l->plain.heredocs == PLAIN_HEREDOCS)
		return at + 2;
	l->plain.heredoc[l->plain.heredocs].word = str_sub(l->text, from, to);
	l->plain.heredoc[l->plain.heredocs++].indent = indent;
	return to + (quote != 0);
}

size_t lexer_heredoc_end(struct str text, size_t at, struct str word, const char *indent)
{
	struct str rest = str_sub(text, at, text.n), line;

	while (str_line(&rest, &line)) {
		while (line.n && *indent && strchr(indent, line.p[0]))
			line = str_sub(line, 1, line.n);
		if (str_eq(line, word))
			return text.n - rest.n;
	}
	return SIZE_MAX;
}

static void plain_heredocs(struct lexer *l)
{
	for (size_t i = 0; i < l->plain.heredocs; i++) {
		size_t to = lexer_heredoc_end(l->text, l->at, l->plain.heredoc[i].word,
					      l->plain.heredoc[i].indent);

		/* 1 << WORD is a shift: no line has the word alone. */
		if (to != SIZE_MAX)
			l->at = to;
		else
			l->plain.unended++;
	}
	l->plain.heredocs = 0;
	/* Each one is searched for up to the end of the file. */
	if (l->plain.unended > PLAIN_UNENDED)
		l->at = l->text.n;
}

/* ---- YAML ---- */

/* Where a node begins: its column, behind the dashes of lists. */
static size_t plain_yaml_column(struct str line)
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
static bool plain_yaml_block(const struct lexer *l, size_t at)
{
	size_t to = at + 1, from = at;

	if (!l->plain.before || (at && l->text.p[at - 1] != ' '))
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
	while (to < l->text.n && memchr("+-0123456789", l->text.p[to], 12))
		to++;
	while (lexer_char(l, to) == ' ' || lexer_char(l, to) == '\t' || lexer_char(l, to) == '\r')
		to++;
	return to >= l->text.n || l->text.p[to] == '\n' ||
	       (l->text.p[to] == '#' && ascii_is_blank(l->text.p[to - 1]));
}

/* The end of the text below the line of `at`: lines that are indented more, and empty lines. */
static size_t plain_yaml_end(const struct lexer *l, size_t at)
{
	size_t start = str_rfind_char(str_sub(l->text, 0, at), '\n');
	size_t column, next = lexer_find(l, '\n', at);
	struct str line, rest;

	start = start == SIZE_MAX ? 0 : start + 1;
	column = plain_yaml_column(str_sub(l->text, start, next));
	rest = str_sub(l->text, size_min(next + 1, l->text.n), l->text.n);
	for (;;) {
		size_t from = l->text.n - rest.n, n = 0;

		if (!str_line(&rest, &line))
			return l->text.n;
		while (n < line.n && line.p[n] == ' ')
			n++;
		if (str_trim(line).n && n <= column)
			return from;
	}
}

static bool plain_yaml_value(const struct lexer *l)
{
	return !l->plain.in_line || !l->plain.before || memchr(":-[{,?", l->plain.before, 6);
}

/* ---- all of them ---- */

static size_t plain_literal(struct lexer *l)
{
	size_t at = l->at, to = SIZE_MAX;
	char c = l->text.p[at];
	bool lines = plain_has(l, S_LINES), doubles = plain_has(l, S_NO_ESCAPE);

	if (plain_has(l, F_YAML) && (c == '"' || c == '\'') && !plain_yaml_value(l))
		return at;
	if (c == '\\' && plain_has(l, S_ESCAPE))
		return size_min(at + 2, l->text.n);
	if (c == '@' && plain_has(l, S_VERBATIM) && lexer_char(l, at + 1) == '"')
		to = plain_quoted(l, at + 1, false, true, true);
	else if (c == '$' && plain_has(l, S_DOLLAR))
		to = plain_dollar(l, at);
	else if (c == '[' && plain_has(l, S_LONG))
		to = plain_long(l, at);
	else if (c == '/' && plain_has(l, S_REGEX) && plain_wants_value(l))
		to = plain_regex(l, at);
	else if (c == '`' && plain_has(l, S_BACKTICK))
		to = plain_quoted(l, at, false, false, true);
	else if (c == '<' && plain_has(l, S_HEREDOC) && lexer_char(l, at + 1) == '<')
		to = plain_heredoc(l, at);
	else if ((c == '"' || (c == '\'' && plain_has(l, S_SINGLE))) && plain_has(l, S_TRIPLE) &&
		 lexer_char(l, at + 1) == c && lexer_char(l, at + 2) == c)
		to = plain_triple(l, at);
	else if (c == '"' && plain_has(l, S_DOUBLE))
		to = plain_quoted(l, at, !doubles, doubles, lines);
	else if (c == '\'' && plain_has(l, S_SINGLE))
		to = plain_quoted(l, at, !doubles && !plain_has(l, S_RAW_SINGLE),
				  doubles || plain_has(l, F_YAML), lines);
	else if (c == '\'' && plain_has(l, S_CHAR))
		to = plain_character(l, at);
	return to == SIZE_MAX ? at : to;
}

/* ---- markup ---- */

/* A tag: attributes may have "<!--" in quotes. */
static void plain_tag(struct lexer *l)
{
	for (l->at++; l->at < l->text.n && l->text.p[l->at] != '>'; l->at++)
		if (l->text.p[l->at] == '"' || l->text.p[l->at] == '\'')
			l->at = plain_quoted(l, l->at, false, false, true) - 1;
	l->at = size_min(l->at + 1, l->text.n);
}

/* Fenced and quoted code of Markdown. Returns whether something was passed over. */
static bool plain_markdown(struct lexer *l)
{
	char c = l->text.p[l->at];
	size_t n = lexer_run(l, l->at, c), to;

	if (c != '`' && !(c == '~' && !l->plain.in_line))
		return false;
	if (n >= 3 && !l->plain.in_line) {
		struct str rest, line;

		to = lexer_find(l, '\n', l->at);
		rest = str_sub(l->text, size_min(to + 1, l->text.n), l->text.n);
		while (str_line(&rest, &line)) {
			size_t m = 0;

			line = str_trim(line);
			while (m < line.n && line.p[m] == c)
				m++;
			if (m >= n && m == line.n)
				break;
		}
		l->at = l->text.n - rest.n;
		l->plain.in_line = false;
		return true;
	}
	if (c != '`')
		return false;
	to = l->at + n;
	for (size_t i = 0; i < l->plain.unpaired.n && to < l->text.n; i++)
		if (l->plain.unpaired.p[i] == n)
			to = SIZE_MAX;
	while (to < l->text.n) {
		size_t m = lexer_run(l, to, '`');

		if (m == n)
			break;
		to += size_max(m, 1);
	}
	/* A run of backticks without its like is text; so are all later runs of its length. */
	if (to < SIZE_MAX && to >= l->text.n)
		*VEC_PUSH(l->a, &l->plain.unpaired) = n;
	l->at = to < l->text.n ? to + n : l->at + n;
	l->plain.in_line = true;
	return true;
}

/* ---- comments ---- */

static bool plain_begins_line(const struct lexer *l, const char *mark)
{
	char before = l->at ? l->text.p[l->at - 1] : '\n', after;

	if (!lexer_is(l, l->at, mark))
		return false;
	if (plain_has(l, C_START) && l->plain.in_line)
		return false;
	if (plain_has(l, C_WORD) && !ascii_is_blank(before) && !memchr(";&|()", before, 5))
		return false;
	if (plain_has(l, C_DASHES)) {
		after = lexer_char(l, l->at + lexer_run(l, l->at, '-'));
		if (after && memchr("!#$%&*+./<=>?@\\^|~:", after, 19))
			return false;
		if (before && memchr("!#$%&*+./<=>?@\\^|~:", before, 19))
			return false;
	}
	return true;
}

/* Passes over a comment. Returns whether one begins here. */
static bool plain_comment(struct lexer *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(l->form->block) && l->form->block[i].open; i++) {
		if (!lexer_is(l, l->at, l->form->block[i].open))
			continue;
		lexer_block_comment(l, l->form->block[i].open, l->form->block[i].close,
				    l->form->block[i].nests);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(l->form->line) && l->form->line[i]; i++) {
		size_t n = strlen(l->form->line[i]), to;

		if (!plain_begins_line(l, l->form->line[i]))
			continue;
		to = plain_has(l, S_LONG) ? plain_long(l, l->at + n) : SIZE_MAX;
		if (to == SIZE_MAX)
			to = lexer_find(l, '\n', l->at);
		lexer_comment_to(l, n, to);
		return true;
	}
	return false;
}

/* =word at the start of a line begins documentation of Perl and Ruby. */
static bool plain_pod(struct lexer *l)
{
	struct str rest, line;

	if (!plain_has(l, F_PERL) || l->text.p[l->at] != '=' ||
	    (l->at && l->text.p[l->at - 1] != '\n') || !ascii_is_letter(lexer_char(l, l->at + 1)))
		return false;
	rest = str_sub(l->text, l->at, l->text.n);
	while (str_line(&rest, &line))
		if (str_starts(line, STR("=cut")) || str_starts(line, STR("=end")))
			break;
	l->at = l->text.n - rest.n;
	l->plain.in_line = false;
	return true;
}

/* ---- the loop ---- */

/* Reads one character, comment or literal. */
static void plain_step(struct lexer *l)
{
	char c = l->text.p[l->at];
	size_t to;

	if (c == '\n') {
		l->at++;
		l->plain.in_line = false;
		plain_heredocs(l);
		return;
	}
	if (ascii_is_blank(c)) {
		l->at++;
		return;
	}
	if (plain_pod(l))
		return;
	if (plain_comment(l))
		return;
	if (plain_has(l, F_MARKDOWN) && plain_markdown(l))
		return;
	if (plain_has(l, F_TAGS) && c == '<') {
		if (lexer_is(l, l->at, "<![CDATA["))
			l->at = size_min(plain_find(l, "]]>", l->at) + 3, l->text.n);
		else
			plain_tag(l);
		return;
	}
	if (plain_has(l, F_YAML) && (c == '|' || c == '>') && plain_yaml_block(l, l->at)) {
		size_t end = lexer_find(l, '\n', l->at);

		to = str_find_char(str_sub(l->text, 0, end), '#', l->at);
		if (to != SIZE_MAX)
			lexer_comment_add(l, to, 1, 0, end);
		l->at = plain_yaml_end(l, l->at);
		l->plain.before = 0;
		l->plain.in_line = false;
		return;
	}
	to = plain_literal(l);
	l->plain.before = l->text.p[to > l->at ? to - 1 : l->at];
	l->plain.in_line = true;
	l->at = size_max(to, l->at + 1);
}

bool lexer_next_plain(struct lexer *l)
{
	while (l->at < l->text.n)
		plain_step(l);
	return false;
}
