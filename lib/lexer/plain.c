/* Formats of which only comments are read: a row of the table says how these and strings look. */
#include "lexer/plain.h"

#define PLAIN_UNENDED 64

/* ---- strings ---- */

size_t plain_quoted(const struct plain *l, size_t at, bool escapes, bool doubles, bool lines)
{
	char quote = l->text.p[at++];

	for (; at < l->end; at++) {
		char c = l->text.p[at];

		if (c == '\\' && escapes)
			at++;
		else if (c == quote && doubles && plain_char(l, at + 1) == quote)
			at++;
		else if (c == quote)
			return at + 1;
		else if (c == '\n' && !lines)
			return at;
	}
	return l->end;
}

static size_t plain_triple(const struct plain *l, size_t at)
{
	char quote[] = {l->text.p[at], l->text.p[at], l->text.p[at], 0};

	for (at += 3; at < l->end; at++) {
		if (l->text.p[at] == '\\')
			at++;
		else if (plain_is(l, at, quote))
			return at + 3;
	}
	return l->end;
}

/* [[...]] and [=[...]=]; SIZE_MAX: something else. */
size_t plain_long(const struct plain *l, size_t at)
{
	size_t level = 0;
	struct buf b = buf_in(l->a);

	while (plain_char(l, at + 1 + level) == '=')
		level++;
	if (plain_char(l, at) != '[' || plain_char(l, at + 1 + level) != '[')
		return SIZE_MAX;
	buf_putc(&b, ']');
	for (size_t i = 0; i < level; i++)
		buf_putc(&b, '=');
	buf_putc(&b, ']');
	at = plain_find(l, buf_c(&b), at + level + 2);
	return size_min(at + level + 2, l->end);
}

/* $tag$...$tag$; SIZE_MAX: something else. */
static size_t plain_dollar(const struct plain *l, size_t at)
{
	size_t to = at + 1;
	const char *tag;

	while (plain_is_word(plain_char(l, to)))
		to++;
	if (plain_char(l, to) != '$' || ascii_is_digit(plain_char(l, at + 1)) ||
	    (at && plain_is_word(l->text.p[at - 1])))
		return SIZE_MAX;
	tag = str_c(l->a, str_sub(l->text, at, to + 1));
	return size_min(plain_find(l, tag, to + 1) + strlen(tag), l->end);
}

/* A quote that begins no character, such as a lifetime of Rust or 1'000 of C++, is one character.
 */
static size_t plain_character(const struct plain *l, size_t at)
{
	size_t to = at + 1, most = size_min(at + 12, l->end);
	char prefix = at ? l->text.p[at - 1] : 0;

	if (plain_is_word(prefix) &&
	    !(memchr("LuU8b", prefix, 5) && !(at > 1 && ascii_is_digit(l->text.p[at - 2]))))
		return at + 1;
	if (plain_char(l, to) == '\\')
		to++;
	else if (plain_char(l, to) == '\'')
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
static bool plain_wants_value(const struct plain *l)
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
	for (from = to; from && plain_is_word(l->text.p[from - 1]);)
		from--;
	word = str_sub(l->text, from, to);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_is(word, words[i]))
			return true;
	return false;
}

/* A regular expression ends in its line; otherwise the slash divides. */
static size_t plain_regex(const struct plain *l, size_t at)
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

/* Remembers the word of <<WORD, <<-'WORD' or <<~WORD; returns the offset behind it. */
static size_t plain_heredoc(struct plain *l, size_t at)
{
	size_t to = at + 2, from;
	bool tabs = false;
	char quote = 0;

	if (plain_char(l, to) == '<')
		return at + 3;
	if (plain_char(l, to) == '-' || plain_char(l, to) == '~') {
		tabs = true;
		to++;
	}
	while (plain_char(l, to) == ' ')
		to++;
	if (plain_char(l, to) == '\'' || plain_char(l, to) == '"')
		quote = l->text.p[to++];
	else if (plain_char(l, to) == '\\')
		to++;
	for (from = to; plain_is_word(plain_char(l, to));)
		to++;
	if (to == from || (!quote && ascii_is_digit(l->text.p[from])) ||
	    (quote && plain_char(l, to) != quote) || l->heredocs == PLAIN_HEREDOCS)
		return at + 2;
	l->heredoc[l->heredocs].word = str_sub(l->text, from, to);
	l->heredoc[l->heredocs++].tabs = tabs;
	return to + (quote != 0);
}

/* The end of the document that begins at `at`; SIZE_MAX: its last line is missing. */
static size_t plain_heredoc_end(const struct plain *l, size_t at, struct str word, bool tabs)
{
	struct str rest = str_sub(l->text, at, l->end), line;

	while (str_line(&rest, &line)) {
		if (tabs)
			line = str_trim(line);
		if (str_eq(line, word))
			return l->end - rest.n;
	}
	return SIZE_MAX;
}

void plain_heredocs(struct plain *l)
{
	for (size_t i = 0; i < l->heredocs; i++) {
		size_t to = plain_heredoc_end(l, l->at, l->heredoc[i].word, l->heredoc[i].tabs);

		/* 1 << WORD is a shift: no line has the word alone. */
		if (to != SIZE_MAX)
			l->at = to;
		else
			l->unended++;
	}
	l->heredocs = 0;
	/* Each one is searched for up to the end of the file. */
	if (l->unended > PLAIN_UNENDED)
		l->at = l->end;
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
bool plain_yaml_block(const struct plain *l, size_t at)
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
	while (plain_char(l, to) == ' ' || plain_char(l, to) == '\t' || plain_char(l, to) == '\r')
		to++;
	return to >= l->end || l->text.p[to] == '\n' ||
	       (l->text.p[to] == '#' && ascii_is_blank(l->text.p[to - 1]));
}

/* The end of the text below the line of `at`: lines that are indented more, and empty lines. */
size_t plain_yaml_end(const struct plain *l, size_t at)
{
	size_t start = str_rfind_char(str_sub(l->text, 0, at), '\n');
	size_t column, next = plain_line_end(l, at);
	struct str line, rest;

	start = start == SIZE_MAX ? 0 : start + 1;
	column = plain_yaml_column(str_sub(l->text, start, next));
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

static bool plain_yaml_value(const struct plain *l)
{
	return l->line_start || !l->before || memchr(":-[{,?", l->before, 6);
}

/* ---- all of them ---- */

size_t plain_literal(struct plain *l)
{
	size_t at = l->at, to = SIZE_MAX;
	char c = l->text.p[at];
	bool lines = plain_has(l, S_LINES), doubles = plain_has(l, S_NO_ESCAPE);

	if (plain_has(l, F_YAML) && (c == '"' || c == '\'') && !plain_yaml_value(l))
		return at;
	if (c == '\\' && plain_has(l, S_ESCAPE))
		return size_min(at + 2, l->end);
	if (c == '@' && plain_has(l, S_VERBATIM) && plain_char(l, at + 1) == '"')
		to = plain_quoted(l, at + 1, false, true, true);
	else if (c == '$' && plain_has(l, S_DOLLAR))
		to = plain_dollar(l, at);
	else if (c == '[' && plain_has(l, S_LONG))
		to = plain_long(l, at);
	else if (c == '/' && plain_has(l, S_REGEX) && plain_wants_value(l))
		to = plain_regex(l, at);
	else if (c == '`' && plain_has(l, S_BACKTICK))
		to = plain_quoted(l, at, false, false, true);
	else if (c == '<' && plain_has(l, S_HEREDOC) && plain_char(l, at + 1) == '<')
		to = plain_heredoc(l, at);
	else if ((c == '"' || (c == '\'' && plain_has(l, S_SINGLE))) && plain_has(l, S_TRIPLE) &&
		 plain_char(l, at + 1) == c && plain_char(l, at + 2) == c)
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

static void plain_emit(struct plain *l, size_t from, size_t open, size_t close, size_t to)
{
	lexer_comment_add(l->r, from, open, close, to);
}

/* ---- markup ---- */

/* A tag: attributes may have "<!--" in quotes. */
static void plain_tag(struct plain *l)
{
	for (l->at++; l->at < l->end && l->text.p[l->at] != '>'; l->at++)
		if (l->text.p[l->at] == '"' || l->text.p[l->at] == '\'')
			l->at = plain_quoted(l, l->at, false, false, true) - 1;
	l->at = size_min(l->at + 1, l->end);
}

/* Whether no run of n backticks follows. */
static bool plain_is_unpaired(const struct plain *l, size_t n)
{
	for (size_t i = 0; i < l->unpaired.n; i++)
		if (l->unpaired.p[i] == n)
			return true;
	return false;
}

static void plain_set_unpaired(struct plain *l, size_t n)
{
	if (!plain_is_unpaired(l, n))
		*VEC_PUSH(l->a, &l->unpaired) = n;
}

/* Fenced and quoted code of Markdown. Returns whether something was passed over. */
static bool plain_markdown(struct plain *l)
{
	char c = l->text.p[l->at];
	size_t n = 1, to;

	if (c != '`' && !(c == '~' && l->line_start))
		return false;
	while (plain_char(l, l->at + n) == c)
		n++;
	if (n >= 3 && l->line_start) {
		struct str rest, line;

		to = plain_line_end(l, l->at);
		rest = str_sub(l->text, size_min(to + 1, l->end), l->end);
		while (str_line(&rest, &line)) {
			size_t m = 0;

			line = str_trim(line);
			while (m < line.n && line.p[m] == c)
				m++;
			if (m >= n && m == line.n)
				break;
		}
		l->at = l->end - rest.n;
		l->line_start = true;
		return true;
	}
	if (c != '`')
		return false;
	to = plain_is_unpaired(l, n) ? l->end : l->at + n;
	while (to < l->end) {
		size_t m = 0;

		while (plain_char(l, to + m) == '`')
			m++;
		if (m == n)
			break;
		to += size_max(m, 1);
	}
	/* A run of backticks without its like is text; so are all later runs of its length. */
	if (to >= l->end)
		plain_set_unpaired(l, n);
	l->at = to < l->end ? to + n : l->at + n;
	l->line_start = false;
	return true;
}

/* ---- comments ---- */

static bool plain_begins_line(const struct plain *l, const char *mark)
{
	char before = l->at ? l->text.p[l->at - 1] : '\n', after;

	if (!plain_is(l, l->at, mark))
		return false;
	if (plain_has(l, C_START) && !l->line_start)
		return false;
	if (plain_has(l, C_WORD) && !ascii_is_blank(before) && !memchr(";&|()", before, 5))
		return false;
	if (plain_has(l, C_NOT_URL) && before == ':')
		return false;
	if (plain_has(l, C_DASHES)) {
		size_t at = l->at;

		while (plain_char(l, at) == '-')
			at++;
		after = plain_char(l, at);
		if (after && memchr("!#$%&*+./<=>?@\\^|~:", after, 19))
			return false;
		if (before && memchr("!#$%&*+./<=>?@\\^|~:", before, 19))
			return false;
	}
	return true;
}

static size_t plain_block_end(const struct plain *l, size_t which)
{
	const char *open = l->f->block[which].open, *close = l->f->block[which].close;
	size_t depth = 1, at = l->at + strlen(open);

	if (!l->f->block[which].nests) {
		at = plain_find(l, close, at);
		return at == l->end ? SIZE_MAX : at + strlen(close);
	}
	while (at < l->end) {
		if (plain_is(l, at, close)) {
			at += strlen(close);
			if (!--depth)
				return at;
		} else if (plain_is(l, at, open)) {
			at += strlen(open);
			depth++;
		} else {
			at++;
		}
	}
	return SIZE_MAX;
}

/* Passes over a comment. Returns whether one begins here. */
static bool plain_comment(struct plain *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(l->f->block) && l->f->block[i].open; i++) {
		size_t to;

		if (!plain_is(l, l->at, l->f->block[i].open))
			continue;
		to = plain_block_end(l, i);
		/* A comment without its end is an error of the file: nothing in it counts. */
		if (to == SIZE_MAX)
			l->at = l->end;
		else
			plain_emit(l, l->at, strlen(l->f->block[i].open),
				   strlen(l->f->block[i].close), to);
		l->at = to == SIZE_MAX ? l->end : to;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(l->f->line) && l->f->line[i]; i++) {
		size_t n = strlen(l->f->line[i]), to;

		if (!plain_begins_line(l, l->f->line[i]))
			continue;
		to = plain_has(l, S_LONG) ? plain_long(l, l->at + n) : SIZE_MAX;
		if (to == SIZE_MAX)
			to = plain_line_end(l, l->at);
		plain_emit(l, l->at, n, 0, to);
		l->at = to;
		return true;
	}
	return false;
}

/* =word at the start of a line begins documentation of Perl and Ruby. */
static bool plain_pod(struct plain *l)
{
	struct str rest, line;

	if (!plain_has(l, F_PERL) || l->text.p[l->at] != '=' ||
	    (l->at && l->text.p[l->at - 1] != '\n') || !ascii_is_letter(plain_char(l, l->at + 1)))
		return false;
	rest = str_sub(l->text, l->at, l->end);
	while (str_line(&rest, &line))
		if (str_starts(line, STR("=cut")) || str_starts(line, STR("=end")))
			break;
	l->at = l->end - rest.n;
	l->line_start = true;
	return true;
}

/* ---- the loop ---- */

/* Reads one character, comment or literal. */
static void plain_step(struct plain *l)
{
	char c = l->text.p[l->at];
	size_t to;

	if (c == '\n') {
		l->at++;
		l->line_start = true;
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
		if (plain_is(l, l->at, "<![CDATA["))
			l->at = size_min(plain_find(l, "]]>", l->at) + 3, l->end);
		else
			plain_tag(l);
		return;
	}
	if (plain_has(l, F_YAML) && (c == '|' || c == '>') && plain_yaml_block(l, l->at)) {
		size_t end = plain_line_end(l, l->at);

		to = str_find_char(str_sub(l->text, 0, end), '#', l->at);
		if (to != SIZE_MAX)
			plain_emit(l, to, 1, 0, end);
		l->at = plain_yaml_end(l, l->at);
		l->before = 0;
		l->line_start = true;
		return;
	}
	to = plain_literal(l);
	l->before = l->text.p[to > l->at ? to - 1 : l->at];
	l->line_start = false;
	l->at = size_max(to, l->at + 1);
}

bool lexer_next_plain(struct lexer *r)
{
	struct plain l = {.r = r,
			  .a = r->a,
			  .f = r->form,
			  .text = r->text,
			  .at = r->at,
			  .end = r->text.n,
			  .line_start = true};

	while (l.at < l.end)
		plain_step(&l);
	return false;
}
