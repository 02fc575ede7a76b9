#include "check/lexer.h"
#include "imports/imports.h"

/* ---- which form a file has ---- */

const struct comment_form *comment_form(struct str path, struct str text)
{
	size_t slash = str_rfind_char(path, '/'), dot;
	struct str name = str_sub(path, slash == SIZE_MAX ? 0 : slash + 1, path.n), suffix;

	dot = str_rfind_char(name, '.');
	suffix = dot == SIZE_MAX ? STR("") : str_sub(name, dot + 1, name.n);
	for (const struct comment_form *f = comment_forms; f->suffixes || f->names; f++)
		if (imports_word_fits(f->names, name))
			return f;
	for (const struct comment_form *f = comment_forms; f->suffixes || f->names; f++)
		if (imports_word_fits(f->suffixes, suffix))
			return f;
	name = dot == SIZE_MAX ? imports_program(text) : STR("");
	for (const struct comment_form *f = comment_forms; f->suffixes || f->names; f++)
		if (imports_word_fits(f->programs, name))
			return f;
	return NULL;
}

/* ---- reading ---- */

static void lexer_emit(struct lexer *l, size_t from, size_t open, size_t close, size_t to)
{
	struct comment c = {{from, to}, {from + open, size_max(to - close, from + open)}};

	if (str_find(str_sub(l->text, c.text.from, c.text.to), l->want, 0) != SIZE_MAX)
		*VEC_PUSH(l->a, l->out) = c;
}

/* ---- markup ---- */

static void lexer_part(struct lexer *l, const struct comment_form *f, size_t end);

/* A tag: attributes may have "<!--" in quotes. In HTML a script has its own form. */
static void lexer_tag(struct lexer *l)
{
	struct str name = str_sub(l->text, l->at + 1, size_min(l->at + 9, l->end));
	const char *suffix = NULL, *closing = NULL;
	size_t end;

	if (lexer_has(l, F_HTML) && str_ieq(str_sub(name, 0, 6), STR("script"))) {
		suffix = "x.js";
		closing = "</script";
	} else if (lexer_has(l, F_HTML) && str_ieq(str_sub(name, 0, 5), STR("style"))) {
		suffix = "x.css";
		closing = "</style";
	} else if (lexer_has(l, F_HTML) && str_ieq(str_sub(name, 0, 8), STR("textarea"))) {
		closing = "</textarea";
	} else if (lexer_has(l, F_HTML) && str_ieq(str_sub(name, 0, 5), STR("title"))) {
		closing = "</title";
	}
	for (l->at++; l->at < l->end && l->text.p[l->at] != '>'; l->at++)
		if (l->text.p[l->at] == '"' || l->text.p[l->at] == '\'')
			l->at = lexer_quoted(l, l->at, false, false, true) - 1;
	l->at = size_min(l->at + 1, l->end);
	if (!closing)
		return;
	end = lexer_find(l, closing, l->at);
	/* Without a form it is text, which has no comments. */
	if (suffix)
		lexer_part(l, comment_form(str_of(suffix), STR("")), end);
	l->at = end;
}

/* Whether no run of n backticks follows. */
static bool lexer_is_unpaired(const struct lexer *l, size_t n)
{
	for (size_t i = 0; i < l->unpaired.n; i++)
		if (l->unpaired.p[i] == n)
			return true;
	return false;
}

static void lexer_set_unpaired(struct lexer *l, size_t n)
{
	if (!lexer_is_unpaired(l, n))
		*VEC_PUSH(l->a, &l->unpaired) = n;
}

/* Fenced and quoted code of Markdown. Returns whether something was passed over. */
static bool lexer_markdown(struct lexer *l)
{
	char c = l->text.p[l->at];
	size_t n = 1, to;

	if (c != '`' && !(c == '~' && l->line_start))
		return false;
	while (lexer_char(l, l->at + n) == c)
		n++;
	if (n >= 3 && l->line_start) {
		struct str rest, line;

		to = lexer_line_end(l, l->at);
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
	to = lexer_is_unpaired(l, n) ? l->end : l->at + n;
	while (to < l->end) {
		size_t m = 0;

		while (lexer_char(l, to + m) == '`')
			m++;
		if (m == n)
			break;
		to += size_max(m, 1);
	}
	/* A run of backticks without its like is text; so are all later runs of its length. */
	if (to >= l->end)
		lexer_set_unpaired(l, n);
	l->at = to < l->end ? to + n : l->at + n;
	l->line_start = false;
	return true;
}

/* ---- comments ---- */

static bool lexer_begins_line(const struct lexer *l, const char *mark)
{
	char before = l->at ? l->text.p[l->at - 1] : '\n', after;

	if (!lexer_is(l, l->at, mark))
		return false;
	if (lexer_has(l, C_START) && !l->line_start)
		return false;
	if (lexer_has(l, C_WORD) && !ascii_is_blank(before) && !memchr(";&|()", before, 5))
		return false;
	if (lexer_has(l, C_NOT_URL) && before == ':')
		return false;
	if (lexer_has(l, C_DASHES)) {
		size_t at = l->at;

		while (lexer_char(l, at) == '-')
			at++;
		after = lexer_char(l, at);
		if (after && memchr("!#$%&*+./<=>?@\\^|~:", after, 19))
			return false;
		if (before && memchr("!#$%&*+./<=>?@\\^|~:", before, 19))
			return false;
	}
	return true;
}

static size_t lexer_block_end(const struct lexer *l, size_t which)
{
	const char *open = l->f->block[which].open, *close = l->f->block[which].close;
	size_t depth = 1, at = l->at + strlen(open);

	if (!l->f->block[which].nests) {
		at = lexer_find(l, close, at);
		return at == l->end ? SIZE_MAX : at + strlen(close);
	}
	while (at < l->end) {
		if (lexer_is(l, at, close)) {
			at += strlen(close);
			if (!--depth)
				return at;
		} else if (lexer_is(l, at, open)) {
			at += strlen(open);
			depth++;
		} else {
			at++;
		}
	}
	return SIZE_MAX;
}

/* Passes over a comment. Returns whether one begins here. */
static bool lexer_comment(struct lexer *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(l->f->block) && l->f->block[i].open; i++) {
		size_t to;

		if (!lexer_is(l, l->at, l->f->block[i].open))
			continue;
		to = lexer_block_end(l, i);
		/* A comment without its end is an error of the file: nothing in it counts. */
		if (to == SIZE_MAX)
			l->at = l->end;
		else
			lexer_emit(l, l->at, strlen(l->f->block[i].open),
				   strlen(l->f->block[i].close), to);
		l->at = to == SIZE_MAX ? l->end : to;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(l->f->line) && l->f->line[i]; i++) {
		size_t n = strlen(l->f->line[i]), to;

		if (!lexer_begins_line(l, l->f->line[i]))
			continue;
		to = lexer_has(l, S_LONG) ? lexer_long(l, l->at + n) : SIZE_MAX;
		if (to == SIZE_MAX)
			to = lexer_line_end(l, l->at);
		lexer_emit(l, l->at, n, 0, to);
		l->at = to;
		return true;
	}
	return false;
}

/* =word at the start of a line begins documentation of Perl and Ruby. */
static bool lexer_pod(struct lexer *l)
{
	struct str rest, line;

	if (!lexer_has(l, F_PERL) || l->text.p[l->at] != '=' ||
	    (l->at && l->text.p[l->at - 1] != '\n') || !ascii_is_letter(lexer_char(l, l->at + 1)))
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
static void lexer_step(struct lexer *l)
{
	char c = l->text.p[l->at];
	size_t to;

	if (c == '\n') {
		l->at++;
		l->line_start = true;
		lexer_heredocs(l);
		return;
	}
	if (ascii_is_blank(c)) {
		l->at++;
		return;
	}
	if (lexer_pod(l))
		return;
	if (lexer_has(l, F_PHP) && lexer_is(l, l->at, "?>")) {
		l->at = lexer_find(l, "<?", l->at);
		return;
	}
	if (lexer_comment(l))
		return;
	if (lexer_has(l, F_MARKDOWN) && lexer_markdown(l))
		return;
	if (lexer_has(l, F_TAGS) && c == '<') {
		if (lexer_is(l, l->at, "<![CDATA["))
			l->at = size_min(lexer_find(l, "]]>", l->at) + 3, l->end);
		else
			lexer_tag(l);
		return;
	}
	if (lexer_has(l, F_YAML) && (c == '|' || c == '>') && yaml_is_block(l, l->at)) {
		size_t end = lexer_line_end(l, l->at);

		to = str_find_char(str_sub(l->text, 0, end), '#', l->at);
		if (to != SIZE_MAX)
			lexer_emit(l, to, 1, 0, end);
		l->at = yaml_block_end(l, l->at);
		l->before = 0;
		l->line_start = true;
		return;
	}
	to = lexer_literal(l);
	l->before = l->text.p[to > l->at ? to - 1 : l->at];
	l->line_start = false;
	l->at = size_max(to, l->at + 1);
}

/* Reads the text from l->at to `end` in another form. */
static void lexer_part(struct lexer *l, const struct comment_form *f, size_t end)
{
	struct lexer part = *l;

	part.f = f;
	part.end = size_min(end, l->end);
	part.before = 0;
	part.heredocs = 0;
	while (part.at < part.end)
		lexer_step(&part);
}

void comments_find(struct arena *a, const struct comment_form *f, struct str text, struct str want,
		   struct comments *out)
{
	struct lexer l = {.a = a,
			  .f = f,
			  .text = text,
			  .want = want,
			  .out = out,
			  .end = text.n,
			  .line_start = true};

	if (f->flags & F_PHP)
		l.at = lexer_find(&l, "<?", 0);
	while (l.at < l.end)
		lexer_step(&l);
}
