/* Formats of which only comments are read: a row of the table says how these and strings look. */
#include "lexer/lexer.h"

#define PLAIN_UNENDED 64
#define PLAIN_NAME    256 /* more than the longest name of SQL Server */
#define PLAIN_NESTED  8   /* strings in the code of strings */

static bool plain_has(const struct lexer *l, unsigned flag)
{
	return (l->form->flags & flag) != 0;
}

static size_t plain_find(const struct lexer *l, const char *what, size_t from)
{
	return size_min(str_find(l->text, str_of(what), size_min(from, l->text.n)), l->text.n);
}

/* ---- strings ---- */

static size_t plain_literal(struct lexer *l);

/* What follows may be a string or not: no later comment is known. Returns the end of the text. */
static size_t plain_unread(struct lexer *l, size_t at, const char *what)
{
	lexer_unended(l, at,
		      str_c(l->a, str_fmt(l->a, "ikm cannot read the %s that begins here", what)));
	return l->text.n;
}

/* Behind the character that the one at `at` escapes; "\r\n" counts as one. */
static size_t plain_escaped(const struct lexer *l, size_t at)
{
	return size_min(at + 2 + lexer_is(l, at + 1, "\r\n"), l->text.n);
}

static bool plain_at_word(const struct lexer *l, size_t at)
{
	return !at || !lexer_is_word_byte(l->text.p[at - 1]);
}

/* The end of code in the string that begins at `quote`, when it begins at `at`; or `at`. */
static size_t plain_code(struct lexer *l, size_t quote, size_t at)
{
	const char *code = l->form->code;
	size_t depth = 1, from = l->at;

	if (!code || !lexer_is(l, at, code) ||
	    (l->text.p[quote] == '\'' && !plain_has(l, S_TRIPLE)) || !plain_at_word(l, quote))
		return at;
	if (l->plain.nested == PLAIN_NESTED)
		return plain_unread(l, at, "code in a string");
	l->plain.nested++;
	for (at += strlen(code); depth && at < l->text.n; at = size_max(plain_literal(l), at + 1)) {
		l->at = at;
		depth += memchr("([{", l->text.p[at], 3) != NULL;
		depth -= memchr(")]}", l->text.p[at], 3) != NULL;
		if (lexer_is(l, at, l->form->line[0]))
			at = plain_unread(l, at, "comment in a string");
	}
	l->plain.nested--;
	l->at = from;
	return depth ? plain_unread(l, quote, "string") : at;
}

/* PowerShell takes curly quotes too. quote: the straight one that they stand for; 0: either. */
static bool plain_is_curly(const struct lexer *l, size_t at, char quote)
{
	unsigned char last = (unsigned char)lexer_char_at(l, at + 2);

	return lexer_is(l, at, "\xe2\x80") && last >= 0x98 && last <= 0x9e &&
	       (!quote || (quote == '"') == (last >= 0x9c));
}

/* escape: the character that escapes the next one, or 0. */
static size_t plain_quoted(struct lexer *l, size_t from, char escape, bool doubles, bool lines)
{
	char quote = l->text.p[from], c;
	bool shell = l->plain.recipe && quote == '"';
	size_t braces = 0, ticks = 0;

	for (size_t at = from + 1, next; at < l->text.n; at = next) {
		c = l->text.p[at];
		next = escape != '\0' || l->form->code ? plain_code(l, from, at) : at;
		if (next != at)
			continue;
		next = at + 1;
		ticks += c == '`';
		braces += lexer_is(l, at, "${");
		braces -= c == '}' && braces;
		if (c == escape && c)
			next = plain_escaped(l, at);
		/* Code in `...` and ${...} may have the quote. */
		else if (shell && c == quote && (braces || ticks % 2))
			return plain_unread(l, from, "string");
		else if (c == '\\' && plain_has(l, S_DIALECTS) && lexer_char_at(l, next) == quote)
			return plain_unread(l, from, "backslash before a quote");
		else if (c == quote && doubles && lexer_char_at(l, next) == quote)
			next++;
		else if (c == quote)
			return next;
		/* Where quotes are doubled, some dialects have strings of several lines. */
		else if ((c == '\n' && !lines && doubles) ||
			 (c == '\n' && plain_has(l, S_UNSURE) && l->text.p[at - 1] != '\\') ||
			 (plain_has(l, S_TICK) && plain_is_curly(l, at, quote)))
			return plain_unread(l, from, "string");
		else if (c == '\n' && !lines)
			return at;
	}
	return lines ? plain_unread(l, from, "string") : l->text.n;
}

static size_t plain_triple(struct lexer *l, size_t from)
{
	char c = l->text.p[from], quote[] = {c, c, c, 0};
	bool toml = plain_has(l, S_RAW_SINGLE);
	bool raw = plain_has(l, S_VERBATIM) || (toml && c == '\'');

	for (size_t at = from + 3, next; at < l->text.n; at = next) {
		next = raw ? at : plain_code(l, from, at);
		if (next != at)
			continue;
		next = at + 1;
		if (l->text.p[at] == '\\' && !raw)
			next++;
		else if (lexer_is(l, at, quote))
			/* In TOML quotes may stand before the last three. */
			return at + (toml ? lexer_run_length(l, at, c) : 3);
	}
	return plain_unread(l, from, "string");
}

/* Behind the next `close`, which in some languages a backslash escapes. */
static size_t plain_text_end(struct lexer *l, size_t from, size_t at, const char *close)
{
	size_t to = plain_find(l, close, at);

	if (to == l->text.n || (to > at && l->text.p[to - 1] == '\\' &&
				(close[1] ? *close == '"' : memchr("`%|", *close, 3) != NULL)))
		return plain_unread(l, from, "string");
	return to + strlen(close);
}

/* A text of the form's table at l->at; SIZE_MAX: none. */
static size_t plain_text(struct lexer *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(l->form->text) && l->form->text[i].open; i++) {
		const char *open = l->form->text[i].open, *close = l->form->text[i].close;
		size_t from = l->at + strlen(open), to;
		bool word = lexer_is_word_byte(open[0]) && lexer_is_word_byte(open[1]);

		if (!lexer_is(l, l->at, open) ||
		    (word && (l->plain.recipe || !plain_at_word(l, l->at))))
			continue;
		to = close ? plain_text_end(l, l->at, from, close) : plain_unread(l, l->at, "text");
		/* TeX ends these within the line, each in a way of its own. */
		if (close && open[0] == '\\' && *close == '\n')
			lexer_note_unreadable(l, (struct span){l->at, to},
					      "ikm does not read the line behind this macro");
		/* One may stand in another: a "define" of Make, a here-string of PowerShell. */
		return close && strcmp(open, close) && str_holds(lexer_slice(l, from, to), open)
			       ? plain_unread(l, l->at, "text")
			       : to;
	}
	return SIZE_MAX;
}

/* OCaml: {|...|}, {word|...|word}, {%name word|...|word}; SIZE_MAX: something else. */
static size_t plain_bars(struct lexer *l, size_t at)
{
	size_t word = at + 1, bar;

	if (lexer_char_at(l, word) == '%') {
		for (word += lexer_run_length(l, word, '%');
		     lexer_is_word_byte(lexer_char_at(l, word)) || lexer_char_at(l, word) == '.';)
			word++;
		word = lexer_behind_blanks(l, word);
	}
	bar = lexer_word_end(l, word);
	if (lexer_char_at(l, bar) != '|')
		return SIZE_MAX;
	return plain_text_end(
		l, at, bar + 1,
		str_c(l->a, str_fmt(l->a, "|%.*s}", STR_ARG(lexer_slice(l, word, bar)))));
}

/* Haskell: [word|...|], where [x|x<-y] is a list; SIZE_MAX: something else. */
static size_t plain_quasi(struct lexer *l, size_t at)
{
	size_t bar = lexer_word_end(l, at + 1), to;

	while (lexer_char_at(l, bar) == '.')
		bar = lexer_word_end(l, bar + 1);
	if (bar == at + 1 || lexer_char_at(l, bar) != '|' || l->plain.no_quasi)
		return SIZE_MAX;
	to = plain_find(l, "|]", bar + 1);
	l->plain.no_quasi = to == l->text.n;
	return l->plain.no_quasi ? SIZE_MAX : to + 2;
}

/* Behind the text of Perl whose delimiter stands at `at`; brackets nest. */
static size_t plain_perl_part(struct lexer *l, size_t at)
{
	static const char opens[] = "([{<", closes[] = ")]}>";
	char open = lexer_char_at(l, at);
	const char *which = memchr(opens, open, 4);
	char close = which ? closes[which - opens] : open;
	size_t depth = 1, from = at++;

	for (; at < l->text.n; at++) {
		if (l->text.p[at] == '\\' && open != '\\')
			at++;
		else if (l->text.p[at] == close && !--depth)
			return at + 1;
		else if (l->text.p[at] == open && which)
			depth++;
	}
	return plain_unread(l, from, "string");
}

static size_t plain_behind_space(const struct lexer *l, size_t at)
{
	while (at < l->text.n && (ascii_is_any_space(l->text.p[at]) || l->text.p[at] == '\n'))
		at++;
	return at;
}

/* Perl: "format NAME =" at `at`, and lines up to a dot alone. Returns `at`: something else. */
static size_t plain_format(struct lexer *l, size_t at)
{
	struct str head = lexer_slice(l, at, lexer_find_byte(l, '\n', at)), name = str_trim(head);
	size_t to = at + head.n;

	if (!str_ends(name, STR("=")))
		return at;
	for (name = str_trim(str_sub(name, 6, name.n - 1)); name.n; name = str_sub(name, 1, name.n))
		if (!lexer_is_word_byte(name.p[0]) && name.p[0] != ':')
			return at;
	to = lexer_heredoc_end(l->text, size_min(to + 1, l->text.n), STR("."), "");
	if (to == SIZE_MAX)
		return plain_unread(l, at, "format");
	lexer_note_unreadable(l, (struct span){at, to}, "ikm does not read formats of Perl");
	return to - 1; /* the end of its last line is one to the reader too */
}

/* Perl: q{}, qq(), m<>, s{}{}, tr/// and their like; SIZE_MAX: something else. */
static size_t plain_perl(struct lexer *l, size_t at)
{
	size_t end = lexer_word_end(l, at), open = plain_behind_space(l, end), from = at, to;
	struct str word = lexer_slice(l, at, end), before;
	char prefix = at ? l->text.p[at - 1] : 0, c = lexer_char_at(l, open);

	if (!lexer_word_is_one_of(word, "q qq qw qx qr m s tr y format") || !plain_at_word(l, at) ||
	    memchr("$@%&*:", prefix, 6) || lexer_is(l, open, "=>") || open == l->text.n ||
	    (lexer_is_word_byte(c) && open > end && word.p[0] != 'f'))
		return SIZE_MAX;
	/* $a->s, {s}, sub s, -s $file */
	while (from && ascii_is_any_space(l->text.p[from - 1]))
		from--;
	before = lexer_slice(l, from > 4 ? from - 4 : 0, from);
	if (str_ends(before, STR("->")) || (str_ends(before, STR("{")) && c == '}') ||
	    (str_ends(before, STR("sub")) && from < at) || (prefix == '-' && word.p[0] == 's'))
		return SIZE_MAX;
	if (word.p[0] == 'f')
		return plain_format(l, at);
	if (c == '#' && open > end)
		return plain_unread(l, at, "string behind a comment");
	to = plain_perl_part(l, open);
	if (lexer_word_is_one_of(word, "s tr y") && to < l->text.n) {
		open = memchr("([{<", c, 4) ? plain_behind_space(l, to) : to - 1;
		if (lexer_char_at(l, open) == '#' && open > to)
			return plain_unread(l, at, "string with a comment");
		to = plain_perl_part(l, open);
	}
	return word.p[0] == 'q' && !str_is(word, "qr") ? to : lexer_word_end(l, to); /* flags */
}

/* What closes a [[ or [=[ at `at`, and is as long; NULL: something else stands there. */
static const char *plain_long(const struct lexer *l, size_t at)
{
	size_t level = lexer_run_length(l, at + 1, '=');

	if (!plain_has(l, S_LONG) || lexer_char_at(l, at) != '[' ||
	    lexer_char_at(l, at + 1 + level) != '[')
		return NULL;
	return str_c(l->a,
		     str_fmt(l->a, "]%.*s]", STR_ARG(lexer_slice(l, at + 1, at + 1 + level))));
}

/* $tag$...$tag$; SIZE_MAX: something else. */
static size_t plain_dollar(struct lexer *l, size_t at)
{
	size_t to = lexer_word_end(l, at + 1);
	const char *tag;

	if (lexer_char_at(l, to) != '$' || ascii_is_digit(lexer_char_at(l, at + 1)) ||
	    (at && lexer_is_word_byte(l->text.p[at - 1])))
		return SIZE_MAX;
	tag = str_c(l->a, str_sub(l->text, at, to + 1));
	return plain_text_end(l, at, to + 1, tag);
}

/* $(...) outside recipes of Make, where "#" begins a comment in some versions only. */
static size_t plain_make_call(const struct lexer *l, size_t at)
{
	size_t depth = 0;

	for (at++; at < l->text.n && l->text.p[at] != '\n'; at++) {
		if (l->text.p[at] == '\\')
			at = plain_escaped(l, at) - 1;
		depth += memchr("({", l->text.p[at], 2) != NULL;
		if (!depth || (memchr(")}", l->text.p[at], 2) && !--depth))
			return at + 1;
	}
	return at;
}

/* A quote that begins no character, such as a lifetime of Rust or 1'000 of C++, is one character.
 */
static size_t plain_character(const struct lexer *l, size_t at)
{
	size_t to = at + 1, most = size_min(at + 12, l->text.n);
	char prefix = at ? l->text.p[at - 1] : 0;

	if (lexer_is_word_byte(prefix) &&
	    !(memchr("LuU8b", prefix, 5) && !(at > 1 && ascii_is_digit(l->text.p[at - 2]))))
		return at + 1;
	if (lexer_char_at(l, to) == '\\' && !plain_has(l, S_NO_ESCAPE))
		to++;
	else if (lexer_char_at(l, to) == '\'')
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
	while (to && ascii_is_any_space(l->text.p[to - 1]))
		to--;
	for (from = to; from && lexer_is_word_byte(l->text.p[from - 1]);)
		from--;
	word = str_sub(l->text, from, to);
	return lexer_word_is_one_of(word,
				    "return typeof case in of and or not when if unless split grep "
				    "throw");
}

/* A regular expression ends in its line; otherwise the slash divides. */
static size_t plain_regex(struct lexer *l, size_t at)
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
			return plain_has(l, F_PERL) ? lexer_word_end(l, to + 1) : to + 1;
	}
	/* Perl's may have several lines. Behind a bracket a slash may divide. */
	return memchr("})", l->plain.before, 2) ? at + 1
						: plain_unread(l, at, "regular expression");
}

/* Whether it matters to what follows that this text is no code. */
static bool plain_is_doubtful(const struct lexer *l, size_t from, size_t to)
{
	while (from < to && !memchr("'\"`#", l->text.p[from], 4) && !lexer_is(l, from, "--") &&
	       !lexer_is(l, from, "/*"))
		from++;
	return from < to;
}

/* In some dialects of SQL "#" begins a comment, and [a'b] is a name; in others a[1] is a value. */
static bool plain_is_dialect(const struct lexer *l, size_t at)
{
	size_t to = at, far = size_min(at + PLAIN_NAME, l->text.n);

	if (l->text.p[at] == '#' && lexer_char_at(l, at + 1) != '>')
		return plain_is_doubtful(l, at + 1, lexer_find_byte(l, '\n', at));
	if (l->text.p[at] == '[' && plain_at_word(l, at))
		while (to < far && l->text.p[to] != ']')
			to++;
	return lexer_char_at(l, to) == ']' && plain_is_doubtful(l, at, to);
}

/* Behind a bracket a slash divides, or it begins a regular expression. */
static size_t plain_slash(struct lexer *l, size_t at)
{
	bool value = plain_wants_value(l),
	     bracket = l->plain.before == (plain_has(l, F_PERL) ? '}' : ')');
	size_t to = value || bracket ? plain_regex(l, at) : at + 1;

	if (bracket && to > at + 1 && plain_is_doubtful(l, at + 1, to - 1))
		return plain_unread(l, at, "slash");
	return value ? to : at + 1;
}

/* ---- here-documents ---- */

/* Remembers the word of <<WORD, <<-'WORD' or <<~WORD; returns the offset behind it. */
static size_t plain_heredoc(struct lexer *l, size_t at)
{
	size_t to = at + 2, from;
	const char *indent = "";
	char quote = 0;

	if (lexer_char_at(l, to) == '<')
		return at + 3;
	if (lexer_char_at(l, to) == '-' || lexer_char_at(l, to) == '~')
		indent = l->text.p[to++] == '-' ? "\t" : "\t ";
	to += lexer_run_length(l, to, ' ');
	if (lexer_char_at(l, to) == '\'' || lexer_char_at(l, to) == '"')
		quote = l->text.p[to++];
	else if (lexer_char_at(l, to) == '\\')
		to++;
	from = to;
	to = lexer_word_end(l, from);
	while (quote && to < l->text.n && l->text.p[to] != quote && l->text.p[to] != '\n')
		to++;
	if ((to == from && !quote) || (!quote && ascii_is_digit(l->text.p[from])) ||
	    (quote && lexer_char_at(l, to) != quote))
		return at + 2;
	if (l->plain.heredocs == PLAIN_HEREDOCS)
		return plain_unread(l, at, "here-document");
	l->plain.heredoc[l->plain.heredocs].word = str_sub(l->text, from, to);
	l->plain.heredoc[l->plain.heredocs++].indent = indent;
	return to + (quote != 0);
}

size_t lexer_heredoc_end(struct str text, size_t at, struct str word, const char *indent)
{
	struct str rest = str_sub(text, at, text.n), line;

	while (str_next_line(&rest, &line)) {
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
		l->at = plain_unread(l, l->at, "text");
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
		for (word = from; word && !ascii_is_any_space(l->text.p[word - 1]);)
			word--;
		if (word == from || (l->text.p[word] != '&' && l->text.p[word] != '!'))
			return false;
		from = word;
	}
	while (to < l->text.n && memchr("+-0123456789", l->text.p[to], 12))
		to++;
	while (lexer_char_at(l, to) == ' ' || lexer_char_at(l, to) == '\t' ||
	       lexer_char_at(l, to) == '\r')
		to++;
	return to >= l->text.n || l->text.p[to] == '\n' ||
	       (l->text.p[to] == '#' && ascii_is_any_space(l->text.p[to - 1]));
}

/* The end of the text below the line of `at`: lines that are indented more, and empty lines. */
static size_t plain_yaml_end(const struct lexer *l, size_t at)
{
	size_t start = str_rfind_char(str_sub(l->text, 0, at), '\n');
	size_t column, next = lexer_find_byte(l, '\n', at);
	struct str line, rest;
	bool document;

	start = start == SIZE_MAX ? 0 : start + 1;
	document = lexer_is(l, start, "--- ");
	column = plain_yaml_column(str_sub(l->text, start, next));
	rest = str_sub(l->text, size_min(next + 1, l->text.n), l->text.n);
	for (;;) {
		size_t from = l->text.n - rest.n, n = 0;

		if (!str_next_line(&rest, &line))
			return l->text.n;
		while (n < line.n && line.p[n] == ' ')
			n++;
		if (document ? str_starts(line, STR("---")) || str_starts(line, STR("..."))
			     : str_trim(line).n && n <= column)
			return from;
	}
}

static bool plain_yaml_value(const struct lexer *l)
{
	size_t to = l->at, from;

	/* Behind a tag or an anchor. */
	while (to && l->text.p[to - 1] == ' ')
		to--;
	for (from = to; to < l->at && from && !ascii_is_any_space(l->text.p[from - 1]) &&
			l->text.p[from - 1] != '\n';)
		from--;
	if (to < l->at && memchr("!&", l->text.p[from], 2))
		return true;
	if (!l->plain.in_line || !l->plain.before || memchr("[{,", l->plain.before, 3))
		return true;
	/* A colon stands beside a value behind a quote only: {"a":"b"}. */
	return memchr(":-?", l->plain.before, 3) &&
	       (to < l->at || (to > 1 && memchr("\"'", l->text.p[to - 2], 2)));
}

/* ---- all of them ---- */

static size_t plain_literal(struct lexer *l)
{
	size_t at = l->at, to = SIZE_MAX;
	const char *close;
	char c = l->text.p[at];
	bool lines = plain_has(l, S_LINES), doubles = plain_has(l, S_NO_ESCAPE);
	char escape = doubles ? 0 : '\\';

	if (plain_has(l, F_YAML) && (c == '"' || c == '\'') && !plain_yaml_value(l))
		return at;
	if (plain_has(l, S_ASSIGN) && l->plain.before != '=')
		return at;
	if (l->form->escapes && strchr(l->form->escapes, c) && (c != '?' || plain_at_word(l, at)))
		return plain_escaped(l, at + (c != '\\' && lexer_char_at(l, at + 1) == '\\'));
	if (c == '@' && plain_has(l, S_VERBATIM) && lexer_is(l, at, "@$\""))
		to = plain_quoted(l, at + 2, 0, true, true);
	else if (c == '@' && plain_has(l, S_VERBATIM) && lexer_char_at(l, at + 1) == '"')
		to = plain_quoted(l, at + 1, 0, true, true);
	else if (c == '{' && plain_has(l, F_BARS))
		to = plain_bars(l, at);
	else if (c == '[' && plain_has(l, F_QUASI))
		to = plain_quasi(l, at);
	else if (memchr("qmstyf", c, 6) && plain_has(l, F_PERL))
		to = plain_perl(l, at);
	else if (c == '\'' && plain_has(l, F_PERL) && !plain_at_word(l, at) &&
		 lexer_begins_name(lexer_char_at(l, at + 1)))
		/* isn't() is isn::t(), and print'a' is print('a'). */
		to = lexer_is(l, at - size_min(at, 3), "isn't") ? at + 1
								: plain_unread(l, at, "quote");
	else if (c == '\'' && l->plain.recipe && at && l->text.p[at - 1] == '$')
		to = plain_unread(l, at, "string"); /* $'...' has escapes in some shells only */
	else if ((c == '"' || c == '\'') && l->plain.recipe)
		to = plain_quoted(l, at, c == '"' ? '\\' : 0, false, true);
	else if (plain_has(l, S_UNSURE) && !plain_has(l, F_MAKE) && !plain_at_word(l, at))
		to = at; /* it's */
	else if (plain_has(l, S_TICK) && plain_is_curly(l, at, 0))
		to = plain_unread(l, at, "string");
	else if (c == '$' && plain_has(l, F_MAKE) && !l->plain.recipe)
		to = plain_make_call(l, at);
	else if (c == '$' && plain_has(l, S_DOLLAR))
		to = plain_dollar(l, at);
	else if (c == '[' && (close = plain_long(l, at)))
		to = plain_text_end(l, at, at + strlen(close), close);
	else if (c == '/' && plain_has(l, S_REGEX))
		to = plain_slash(l, at);
	else if (plain_has(l, S_DIALECTS) && plain_is_dialect(l, at))
		to = plain_unread(l, at, "text");
	else if (plain_has(l, S_TRIPLE) && lexer_char_at(l, at + 1) == c &&
		 lexer_char_at(l, at + 2) == c &&
		 (c == '"' || (c == '\'' && plain_has(l, S_SINGLE)) ||
		  (c == '`' && plain_has(l, S_BACKTICK))))
		to = plain_triple(l, at);
	else if (c == '`' && plain_has(l, S_BACKTICK))
		to = plain_quoted(l, at, l->form->code ? '\\' : 0, false, true);
	else if (c == '<' && plain_has(l, S_HEREDOC) && lexer_char_at(l, at + 1) == '<')
		to = plain_heredoc(l, at);
	else if (c == '"' && plain_has(l, S_DOUBLE))
		to = plain_quoted(l, at, plain_has(l, S_TICK) ? '`' : escape, doubles, lines);
	else if (c == '\'' && plain_has(l, S_SINGLE))
		to = plain_quoted(l, at, plain_has(l, S_RAW_SINGLE) ? 0 : escape,
				  doubles || plain_has(l, F_YAML), lines);
	else if (c == '\'' && plain_has(l, S_CHAR))
		to = plain_character(l, at);
	return to == SIZE_MAX ? at : to;
}

/* ---- markup ---- */

/* In components code stands in braces. Returns how many are open behind the byte at l->at. */
static unsigned plain_braces(const struct lexer *l, unsigned depth)
{
	char c = l->text.p[l->at];

	if (!plain_has(l, F_BRACES) || (c == '}' && !depth))
		return 0;
	return depth + (c == '{') - (c == '}');
}

/* A tag: attributes may have "<!--" in quotes. */
static void plain_tag(struct lexer *l)
{
	size_t from = l->at++;

	for (unsigned depth = 0; l->at < l->text.n; l->at++) {
		char c = l->text.p[l->at];

		depth = plain_braces(l, depth);
		if (c == '>' && !depth) {
			l->at++;
			return;
		}
		if (c == '"' || c == '\'' || (c == '`' && depth))
			l->at = plain_quoted(l, l->at, depth ? '\\' : 0, false, true) - 1;
	}
	plain_unread(l, from, "tag");
}

/* A span of code in Markdown. Returns whether something was passed over. */
static bool plain_markdown(struct lexer *l)
{
	size_t n, to;

	/* In the title of a link it is no comment. */
	if (lexer_is(l, l->at, "<!--") && l->at && memchr("(\"'", l->text.p[l->at - 1], 3)) {
		l->at = plain_unread(l, l->at, "code");
		return true;
	}
	if (l->text.p[l->at] != '`')
		return false;
	n = lexer_run_length(l, l->at, '`');
	to = l->at + n;
	for (size_t i = 0; i < l->plain.unpaired.n && to < l->text.n; i++)
		if (l->plain.unpaired.p[i] == n)
			to = SIZE_MAX;
	while (to < l->text.n) {
		size_t m = lexer_run_length(l, to, '`');

		if (m == n)
			break;
		to += size_max(m, 1);
	}
	/* A run of backticks without its like is text; so are all later runs of its length. */
	if (to < SIZE_MAX && to >= l->text.n)
		*VEC_PUSH(l->a, &l->plain.unpaired) = n;
	l->at = to < l->text.n ? to + n : l->at + n;
	return true;
}

/* ---- comments ---- */

static bool plain_begins_line(struct lexer *l, const char *mark)
{
	char before = l->at ? l->text.p[l->at - 1] : '\n', after;

	if (!lexer_is(l, l->at, mark))
		return false;
	if (plain_has(l, C_START) && l->plain.in_line) {
		/* Some programs see a comment here, and others a part of the value. */
		lexer_note_unreadable(
			l, (struct span){l->at, lexer_find_byte(l, '\n', l->at)},
			"ikm knows comments of such a file at the start of a line only");
		return false;
	}
	if ((plain_has(l, C_WORD) || l->plain.recipe) && !ascii_is_any_space(before) &&
	    !memchr(";&|()@", before, 5 + l->plain.recipe))
		return false;
	if (plain_has(l, C_DASHES)) {
		after = lexer_char_at(l, l->at + lexer_run_length(l, l->at, '-'));
		if (memchr("!#$%&*+./<=>?@\\^|~:", after, 19) ||
		    memchr("!#$%&*+./<=>?@\\^|~:", before, 19))
			return false;
	}
	return true;
}

/* (*) is the name of an operator in F#. */
static bool plain_is_times(const struct lexer *l)
{
	return plain_has(l, S_VERBATIM) && lexer_is(l, l->at, "(*)");
}

/* OCaml and F#: a comment nests, and "*)" in its strings does not end it. */
static void plain_ml_comment(struct lexer *l)
{
	size_t from = l->at, depth = 0;

	while (l->at < l->text.n) {
		bool open = lexer_is(l, l->at, "(*");

		if (!open && !lexer_is(l, l->at, "*)")) {
			l->at = size_max(plain_literal(l), l->at + 1);
			continue;
		}
		if (plain_is_times(l)) {
			l->at += 3;
			continue;
		}
		l->at += 2;
		depth += open;
		if (!open && !--depth) {
			lexer_comment_add(l, from, 2, 2, l->at);
			return;
		}
	}
	plain_unread(l, from, "comment");
}

/* Passes over a comment. Returns whether one begins here. */
static bool plain_comment(struct lexer *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(l->form->block) && l->form->block[i].open; i++) {
		if (!lexer_is(l, l->at, l->form->block[i].open) || plain_is_times(l))
			continue;
		if (plain_has(l, F_BARS | S_VERBATIM))
			plain_ml_comment(l);
		/* To some dialects of SQL comments nest. */
		else if (plain_has(l, S_DIALECTS) &&
			 plain_find(l, "/*", l->at + 2) < plain_find(l, "*/", l->at + 2))
			l->at = plain_unread(l, l->at, "comment");
		else
			lexer_block_comment(l, l->form->block[i].open, l->form->block[i].close,
					    l->form->block[i].nests);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(l->form->line) && l->form->line[i]; i++) {
		size_t n = strlen(l->form->line[i]), open;
		const char *close;

		if (!plain_begins_line(l, l->form->line[i]))
			continue;
		close = plain_long(l, l->at + n);
		open = n + (close ? strlen(close) : 0);
		if (close)
			lexer_block_comment(l, str_c(l->a, lexer_slice(l, l->at, l->at + open)),
					    close, false);
		else
			lexer_line_comment(l, n);
		return true;
	}
	return false;
}

/* =word at the start of a line begins documentation of Perl. */
static bool plain_pod(struct lexer *l)
{
	struct str rest, line;

	if (!plain_has(l, F_PERL) || l->text.p[l->at] != '=' ||
	    (l->at && l->text.p[l->at - 1] != '\n') ||
	    !ascii_is_letter(lexer_char_at(l, l->at + 1)))
		return false;
	rest = str_sub(l->text, l->at, l->text.n);
	while (str_next_line(&rest, &line))
		if (str_starts(line, STR("=cut")))
			break;
	l->at = l->text.n - rest.n;
	l->plain.in_line = false;
	return true;
}

/* ---- the loop ---- */

bool lexer_next_comments_only(struct lexer *l)
{
	while (l->at < l->text.n) {
		char c = l->text.p[l->at];
		size_t to;

		if (c == '\n') {
			l->at++;
			l->plain.in_line = l->plain.assigned = false;
			l->plain.recipe = plain_has(l, F_MAKE) && lexer_char_at(l, l->at) == '\t';
			plain_heredocs(l);
			continue;
		}
		if (ascii_is_any_space(c)) {
			l->at++;
			continue;
		}
		if (plain_pod(l) || (plain_has(l, F_MARKDOWN) && plain_markdown(l)))
			continue;
		l->plain.braces = plain_braces(l, l->plain.braces);
		if (l->plain.braces && lexer_is(l, l->at, "<!--")) {
			l->at = plain_unread(l, l->at, "code");
			continue;
		}
		if (plain_comment(l))
			continue;
		to = plain_text(l);
		if (to == SIZE_MAX && plain_has(l, F_TAGS) && c == '<' &&
		    (ascii_is_letter(lexer_char_at(l, l->at + 1)) ||
		     memchr("/!_:", lexer_char_at(l, l->at + 1), 4))) {
			plain_tag(l);
			continue;
		}
		if (plain_has(l, F_YAML) && (c == '|' || c == '>') && plain_yaml_block(l, l->at)) {
			size_t end = lexer_find_byte(l, '\n', l->at);

			to = str_find_char(str_sub(l->text, 0, end), '#', l->at);
			if (to != SIZE_MAX)
				lexer_comment_add(l, to, 1, 0, end);
			l->at = plain_yaml_end(l, l->at);
			l->plain.before = 0;
			l->plain.in_line = false;
			continue;
		}
		if (plain_has(l, F_MAKE) && memchr(";=", c, 2) && !l->plain.recipe)
			l->plain.recipe = c == ';' && !l->plain.assigned;
		if (c == '=')
			l->plain.assigned = true;
		if (to == SIZE_MAX)
			to = plain_literal(l);
		l->plain.before = l->text.p[to > l->at ? to - 1 : l->at];
		l->plain.in_line = true;
		l->at = size_max(to, l->at + 1);
	}
	return false;
}
